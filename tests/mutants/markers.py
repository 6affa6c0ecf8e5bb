"""markers.py SRC MUTANTS: each mutant of the file MUTANTS has one marker in the sources, with its
text in the statement behind it, and each marker its mutant."""

import pathlib
import re
import shlex
import sys

from mutate import marked, mutated

DEFINED = r'dpa_add_mutant\((\w+) [\w.]+\s+"((?:[^"\\]|\\.)*)"\s+"((?:[^"\\]|\\.)*)"\)'


def argument(quoted):
    """The text of a quoted argument of CMake."""
    return shlex.split('"' + quoted.replace("\\\n", "") + '"')[0]


def main(source, mutants):
    texts = [file.read_text() for file in pathlib.Path(source).rglob("*.[ch]pp")]
    names = [(name, text) for text in texts for name, _ in marked(text)]
    defined = re.findall(DEFINED, pathlib.Path(mutants).read_text(), re.DOTALL)
    wrong = [f"{name}: a marker without a mutant"
             for name in {name for name, _ in names} - {name for name, *_ in defined}]
    for name, old, new in defined:
        places = [text for other, text in names if other == name]
        if len(places) != 1:
            wrong.append(f"{name}: {len(places)} markers")
        elif not mutated(places[0], name, argument(old), argument(new)):
            wrong.append(f"{name}: the statement has not once: {argument(old)}")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
