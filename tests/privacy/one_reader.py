"""Private records have one reader. one_reader.py SOURCE_DIR COMPILER FLAG...

The header of the mapped rows is included by the accumulator alone, and the compiler refuses every
marked line of one_reader.cpp, and no other line."""

import pathlib
import re
import subprocess
import sys

INSIDE = re.compile(r"records/(accumulate\w*|rows)\.cpp")


def faults(source):
    for path in sorted((source / "src").glob("**/*.[ch]pp")):
        name = path.relative_to(source / "src").as_posix()
        text = path.read_text()
        if '#include "records/rows.hpp"' in text and not INSIDE.fullmatch(name):
            yield f"{name} must not include records/rows.hpp"


def lines_with_errors(source, command):
    code = source / "tests/privacy/one_reader.cpp"
    output = subprocess.run(
        [*command, "-std=c++20", "-fsyntax-only", f"-I{source}/src", f"-I{source}/include", code],
        capture_output=True, text=True, check=False).stderr
    found = {int(line) for line in re.findall(r"one_reader\.cpp:(\d+):\d+: error", output)}
    marked = {number for number, line in enumerate(code.read_text().splitlines(), 1)
              if line.endswith("// refused")}
    for line in sorted(marked - found):
        yield f"one_reader.cpp:{line} compiles, but must not"
    for line in sorted(found - marked):
        yield f"one_reader.cpp:{line} does not compile:\n{output}"
    if not marked:
        yield "one_reader.cpp marks no line"


root = pathlib.Path(sys.argv[1])
wrong = [*faults(root), *lines_with_errors(root, sys.argv[2:])]
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
