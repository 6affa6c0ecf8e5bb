"""The house has floors: a folder of src/ includes lower floors and itself.
includes.py SOURCE_DIR"""

import pathlib
import re
import sys

# Folder: its floor and the highest floor that it may include.
FLOORS = {
    "base": (0, -1),
    "linalg": (1, 0),
    "random": (1, 0),
    "schema": (1, 0),
    "loss": (2, 1),
    "privacy": (2, 1),
    "problem": (3, 2),
    "arrow": (4, 3),
    "solution": (4, 3),
    "objective": (5, 4),
    "records": (6, 5),
    "discrepancy": (7, 6),
    "paper": (8, 7),
    "private": (9, 8),
    "baseline": (10, 9),
    "select": (11, 10),
    "evaluate": (11, 10),
    "engine": (12, 11),
    "capi": (13, 12),
}
CATCH_ALL = {"capi/guard.hpp", "base/parallel.hpp", "base/parallel.cpp"}
CATCH = re.compile(r"catch\s*\(\s*\.\.\.\s*\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def may_include(source, folder, kind, path):
    """Whether a file of the folder may include the path, in quotes or in angle brackets."""
    if kind == "<":
        if path.startswith("dpadapt/"):  # errors carry a status everywhere, handles stay in capi
            return (folder in ("capi", "cli") or path in ("dpadapt/status.h", "dpadapt/version.h")
                    or (folder, path) == ("arrow", "dpadapt/arrow.h"))  # Arrow's own structures
        return folder == "linalg" or not path.startswith("armadillo")
    other = path.split("/")[0]
    if other == folder or (source / folder / path).exists():
        return True
    if folder == "cli" and other == "schema":  # no handles: plain values, compiled into the command
        return True
    if folder == "privacy" and other == "linalg":  # no guarantee rests on Armadillo or BLAS
        return False
    return folder in FLOORS and other in FLOORS and FLOORS[other][0] <= FLOORS[folder][1]


def faults(source):
    for path in sorted(source.glob("**/*.[chd]*")):
        name = path.relative_to(source).as_posix()
        folder = name.split("/")[0]
        text = path.read_text()
        if folder not in FLOORS and folder != "cli":
            yield f"{name}: the folder {folder} has no floor"
        for kind, included in INCLUDE.findall(text):
            if not may_include(source, folder, kind, included):
                yield f"{name} must not include {included}"
        if folder in FLOORS and name not in CATCH_ALL and CATCH.search(text):
            yield f"{name}: catch (...) belongs to {', '.join(sorted(CATCH_ALL))}"


found = list(faults(pathlib.Path(sys.argv[1]) / "src"))
print("\n".join(found))
sys.exit(1 if found else 0)
