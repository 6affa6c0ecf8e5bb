"""Private records have one reader. one_reader.py SOURCE_DIR COMPILER FLAG...

The header of the mapped rows is included by the accumulator alone, and the compiler refuses every marked line of
one_reader.cpp, and no other line."""

import pathlib
import re
import subprocess
import sys

INSIDE = re.compile(r"records/(accumulate\w*|rows)\.cpp")
# Call sites that still read rows by themselves.
REMAINING = {
    "problem/private_problem.cpp", "problem/private_problem.hpp", "problem/private_rows.cpp",
    "problem/private_rows.hpp", "solver/general_terms.cpp", "solver/general_terms.hpp",
    "solver/private_metric.cpp", "solver/private_profile.cpp", "solver/private_shrinkage.cpp",
    "solver/private_sum.hpp",
}


def faults(source):
    for path in sorted((source / "src").glob("**/*.[ch]pp")):
        name = path.relative_to(source / "src").as_posix()
        text = path.read_text()
        if '#include "records/rows.hpp"' in text and not INSIDE.fullmatch(name):
            yield f"{name} must not include records/rows.hpp"
        reads = re.search(r"\bPrivateRows\b|\bprivate_rows\(", text) is not None
        if reads and name not in REMAINING:
            yield f"{name} must not read private rows"
        if name in REMAINING and not reads:
            yield f"{name} reads no private rows any more: take it off the list"


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
