"""mutate.py SRC NAME FROM TO OUTPUT: copies the file of SRC that has the marker `// mutant: NAME`
to OUTPUT, with FROM replaced by TO in the statement after the marker. A line break is a space."""

import pathlib
import re
import sys


def marked(text):
    """The names in each marker `// mutant: NAME, ...`, and where the text after it begins."""
    for marker in re.finditer(r"// mutant: (.*)", text):
        for name in marker[1].split(", "):
            yield name, marker.end()


def mutated(text, name, old, new):
    """The text with the defect; None unless the statement has `old` once."""
    begin = dict(marked(text))[name]
    end = text.index(";", begin) + 1
    pattern = r"\s+".join(map(re.escape, old.split()))
    statement, count = re.subn(pattern, lambda _: new, text[begin:end])
    return text[:begin] + statement + text[end:] if count == 1 else None


def main(source, name, old, new, output):
    output = pathlib.Path(output)
    output.unlink(missing_ok=True)
    for file in sorted(pathlib.Path(source).rglob("*.cpp")):
        text = file.read_text()
        if name in dict(marked(text)):
            output.write_text(f'#line 1 "{file}"\n' + mutated(text, name, old, new))


if __name__ == "__main__":
    main(*sys.argv[1:])
