"""Lists the long sentences of pages and public headers, the longest first: sentences.py SOURCE_DIR
[WORDS] [FILE...]

A tool for an editor, not a test: it exits with 0. A sentence is long above WORDS words, 35 if not
given. Blocks of code are skipped, a span of code is one word, and each cell of a table, item of a
list, parameter and status of a header is counted by itself. Pages that programs write are skipped.
"""

import pathlib
import re
import sys

END = re.compile(r"(?<=[.?!])[\"')*_]*\s+(?=[\"'(*_\[`<]*(?:[A-Z0-9`\\]|dpa_))")
ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s")
ROW = re.compile(r"\S\s{2,}\S")


def words(sentence):
    plain = re.sub(r"`[^`]*`", "code", sentence)
    plain = re.sub(r"\]\([^)]*\)|<[^>]*>", " ", plain)
    return sum(any(c.isalnum() for c in word) for word in plain.split())


def units_of_page(lines):
    """Pairs of line number and text: paragraphs, items, cells."""
    start, text, fenced = 0, [], False
    for number, line in enumerate([*lines, ""], 1):
        fence = line.lstrip().startswith("```")
        indented = line.startswith("    ") and not text
        breaks = (fence or fenced or indented or not line.strip() or line[0] in "#|"
                  or ITEM.match(line))
        if breaks and text:
            yield start, " ".join(text)
            text = []
        if fence:
            fenced = not fenced
        elif fenced or indented or not line.strip():
            pass
        elif line.startswith("|"):
            for cell in line.strip("| ").split(" | "):
                yield number, cell
        else:
            if not text:
                start = number
            text.append(ITEM.sub("", line).strip("# "))


def units_of_header(lines):
    """The same for the comments /** */ and ///<: paragraphs, parameters, rows, statuses."""
    start, text, inside = 0, [], False
    for number, line in enumerate([*lines, ""], 1):
        opens = "/**" in line
        inside = inside or opens
        content = re.sub(r"^\s*(.*/\*\*<?|\*(?!/))", "", line).replace("*/", "") if inside else ""
        bare = content.strip()
        deep = len(content) - len(content.lstrip()) > 4
        if text and (opens or not bare or bare.startswith("@") or ITEM.match(bare)
                     or (deep and ROW.search(bare))):
            yield start, " ".join(text)
            text = []
        if bare:
            start = start if text else number
            text.append(re.sub(r"^@param\s+\S+|^@return", "", bare).strip())
        inside = inside and "*/" not in line
        if not inside and text:
            yield start, " ".join(text)
            text = []


def sentences(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    page = path.suffix == ".md"
    for number, text in (units_of_page if page else units_of_header)(lines):
        if not page:
            text = text.replace("; DPA_", ". DPA_")
        for sentence in END.split(text):
            yield number, sentence.strip()


def main():
    root = pathlib.Path(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 35
    files = [root / name for name in sys.argv[3:]] or [
        *sorted(root.glob("*.md")), *sorted((root / "docs").glob("*.md")),
        *sorted((root / "docs" / "notes").glob("*.md")),
        *sorted((root / "include" / "dpadapt").glob("*.h*"))]
    found = [(words(sentence), path.relative_to(root), number, sentence)
             for path in files for number, sentence in sentences(path)]
    long = sorted((one for one in found if one[0] > most), key=lambda one: -one[0])
    for count, path, number, sentence in long:
        print(f"{path}:{number}: {count} words: {sentence}")
    print(f"{len(long)} of {len(found)} sentences have more than {most} words")


if __name__ == "__main__":
    main()
