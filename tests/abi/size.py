"""What a stranger must read grows only on purpose: whoever needs more writes the number down here.
size.py SOURCE_DIR"""

import pathlib
import re
import statistics
import sys

source = pathlib.Path(sys.argv[1])
MOST = {
    "exported functions": 127,
    "options": 88,
    "basic options": 15,
    "words of an option's text": 30,
    "median words of an option's text": 10,
    "lines of src": 59100,
    "lines of src/cli": 8898,
    "files of src with fewer than 25 lines of code": 67,
    # What a change of a table compiles again, with tests; a number of a loss is in table.cpp alone.
    "sources that read engine/options.def": 61,
    "sources that read problem/defaults.hpp": 14,
}


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def is_code(line):
    return not line.startswith(("//", "/*", "*"))


def texts_of_options():
    table = (source / "src/engine/options.def").read_text()
    for entry in re.findall(r"^DPA_OPTION\((\w+,.*?\"\))$", table, re.MULTILINE | re.DOTALL):
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', entry)
        begin = re.match(r'\w+, \w+, \w+, "[^"]*",\s*"[^"]*",\s*"[^"]*",', entry.replace("\n", " "))
        head = len(re.findall(r'"(?:[^"\\]|\\.)*"', begin[0])) if begin else 3
        yield "".join(strings[head:])


def readers(name):
    """How many sources of src and tests include that file, by whatever headers."""
    includes = {path.as_posix(): re.findall(r'^ *#include "(.+)"$', path.read_text(), re.MULTILINE)
                for folder in ("src", "tests") for path in (source / folder).rglob("*.?pp")}
    found, more = set(), {name}
    while more:
        found |= more
        ends = tuple(f"/{path}" for path in more)
        more = {path for path, names in includes.items() if path not in found
                and any(end.endswith(f"/{name}") for name in names for end in ends)}
    return sum(path.endswith(".cpp") for path in found)


files = [path.read_text() for path in (source / "src").rglob("*") if path.is_file()]
words = [len(text.split()) for text in texts_of_options()]
found = {
    "exported functions": len((source / "cmake/abi/dpadapt.symbols").read_text().split()),
    "options": len(words),
    "basic options": len(re.findall(r"^DPA_OPTION\(\w+, basic,",
                                    (source / "src/engine/options.def").read_text(),
                                    re.MULTILINE)),
    "words of an option's text": max(words),
    "median words of an option's text": statistics.median(words),
    "lines of src": sum(text.count("\n") for text in files),
    "lines of src/cli": sum(path.read_text().count("\n")
                            for path in (source / "src/cli").rglob("*") if path.is_file()),
    "files of src with fewer than 25 lines of code":
        sum(sum(map(is_code, lines_of(text))) < 25 for text in files),
    "sources that read engine/options.def": readers("engine/options.def"),
    "sources that read problem/defaults.hpp": readers("problem/defaults.hpp"),
}
for name, value in found.items():
    print(f"{name}: {value} of {MOST[name]}")
sys.exit(any(value > MOST[name] for name, value in found.items()))
