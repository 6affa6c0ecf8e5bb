"""mutate.py SRC NAME FROM TO OUTPUT: copies the file of SRC that has the marker `// mutant: NAME`
to OUTPUT, with FROM replaced by TO in the statement after the marker. A line break is a space."""

import pathlib
import re
import sys

from markers import marked


def mutated(text, name, old, new):
    begin = dict(marked(text))[name]
    end = text.index(";", begin) + 1
    pattern = r"\s+".join(map(re.escape, old.split()))
    statement, count = re.subn(pattern, lambda _: new, text[begin:end])
    if count != 1:
        sys.exit(f"mutant {name}: {count} times '{old}' in the statement:{text[begin:end]}")
    return text[:begin] + statement + text[end:]


def main(source, name, old, new, output):
    output = pathlib.Path(output)
    output.unlink(missing_ok=True)
    texts = {file: file.read_text() for file in sorted(pathlib.Path(source).rglob("*.cpp"))}
    files = [file for file, text in texts.items() if name in dict(marked(text))]
    if len(files) != 1:
        sys.exit(f"mutant {name}: {len(files)} files of {source} have its marker")
    output.write_text(f'#line 1 "{files[0]}"\n' + mutated(texts[files[0]], name, old, new))


if __name__ == "__main__":
    main(*sys.argv[1:])
