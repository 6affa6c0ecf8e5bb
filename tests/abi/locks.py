"""Clang finds every lock that is missing: without their locks, files have a warning of its analysis
of threads after each. That they have none with them shows where Clang compiles the library.
locks.py CLANG SOURCE_DIR"""

import pathlib
import re
import subprocess
import sys

LOCK = re.compile(r"^\s*const Lock lock\(\w+\);$")
WARNING = re.compile(r"^<stdin>:(\d+):\d+: warning: .*\[-Wthread-safety", re.MULTILINE)


def warned(clang, source, lines):
    """Numbers of the lines with warnings."""
    found = subprocess.run(
        [clang, "-std=c++20", "-fsyntax-only", "-Wthread-safety", f"-I{source}/include",
         f"-I{source}/src", "-xc++", "-"], input="\n".join(lines), text=True, capture_output=True)
    if found.returncode != 0:
        sys.exit(found.stderr)
    return [int(number) for number in WARNING.findall(found.stderr)]


def faults(clang, source, path):
    lines = path.read_text().split("\n")
    locks = [number for number, line in enumerate(lines, 1) if LOCK.match(line)]
    if not locks:
        return
    without = ["" if LOCK.match(line) else line for line in lines]
    found = warned(clang, source, without)
    for lock, following in zip(locks, locks[1:] + [len(lines)]):
        if not any(lock < number <= following for number in found):
            yield f"{path}:{lock}: Clang does not miss this lock"


clang, source = sys.argv[1:]
sources = sorted(pathlib.Path(source, "src").glob("**/*.cpp"))
found = [fault for path in sources if path.parts[-2] != "cli"
         for fault in faults(clang, source, path)]
print("\n".join(found))
sys.exit(1 if found else 0)
