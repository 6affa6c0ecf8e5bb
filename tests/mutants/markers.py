"""markers.py SRC NAME...: each mutant has one marker in the sources, each marker its mutant."""

import collections
import pathlib
import re
import sys


def marked(text):
    """The names in each marker `// mutant: NAME, ...`, and where the text after it begins."""
    for marker in re.finditer(r"// mutant: (.*)", text):
        for name in marker[1].split(", "):
            yield name, marker.end()


def main(source, *names):
    found = collections.Counter()
    for file in pathlib.Path(source).rglob("*.[ch]pp"):
        found.update(name for name, _ in marked(file.read_text()))
    wrong = [f"{name}: {found[name]} markers" for name in names if found[name] != 1]
    wrong += [f"{name}: a marker without a mutant" for name in found.keys() - set(names)]
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
