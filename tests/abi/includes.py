"""The house has floors: a folder of src/ includes lower floors and itself. Only base/platform and
cli/system include headers and use words that are not ISO C++.
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
    "sums": (4, 3),
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
# The command has floors of its own, and of the rest plain values and public headers.
COMMAND = {"system": 0, "read": 1, "show": 2, "run": 3}
PAGES = {"officer.en.inc", "officer.de.inc"}  # texts of the command
VALUES = {"base/error.hpp", "base/bytes.hpp", "base/splitmix.hpp", "base/text.hpp",
          "base/platform/target.hpp"}
CATCH_ALL = {"capi/guard.hpp", "base/parallel.hpp"}
CATCH = re.compile(r"catch\s*\(\s*\.\.\.\s*\)")
PLATFORM = "base/platform/"
OWN_PLATFORM = "cli/system/"
ISO_HEADER = re.compile(r"[a-z_0-9]+$")
ISO_C = {"stddef", "stdint", "stdbool", "math", "limits", "float"}
LIBRARIES = ("dpadapt/", "sodium", "armadillo")
OWN_LIBRARIES = ("CLI/", "nlohmann/", "zlib.h")
NOT_ISO = re.compile(r"\bpthread_\w+|\bsig\w+set\b|\b__attribute__\(\(weak|\bstrto\w_l\b"
                     r"|\b(__linux__|__APPLE__|_WIN32|__GLIBC\w*__|ssize_t|pid_t)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def command_may_include(name, path):
    """Whether a file of the command may include the path, which is in quotes."""
    if name.startswith(OWN_PLATFORM) and path.startswith(PLATFORM):
        return True
    floor, *rest = path.split("/")[1:] if path.startswith("cli/") else [None]
    if floor is None:  # no handles: plain values, compiled into the command; a page that is made
        return path.startswith("schema/") or path in VALUES or path in PAGES
    own = COMMAND.get(name.split("/")[1])
    return own is not None and bool(rest) and COMMAND.get(floor, own + 1) <= own


def may_include(source, name, kind, path):
    """Whether that file may include the path, in quotes or in angle brackets."""
    folder = name.split("/")[0]
    if kind == "<":
        if path.startswith("dpadapt/"):  # errors carry a status everywhere, handles stay in capi
            return (folder in ("capi", "cli") or path in ("dpadapt/status.h", "dpadapt/version.h")
                    or (folder, path) == ("arrow", "dpadapt/arrow.h"))  # Arrow's own structures
        return folder == "linalg" or not path.startswith("armadillo")
    if folder == "cli":
        return command_may_include(name, path)
    other = path.split("/")[0]
    if other == folder or (source / folder / path).exists():
        return True
    if folder in ("privacy", "sums") and other == "linalg":  # no proof rests on Armadillo or BLAS
        return False
    return folder in FLOORS and other in FLOORS and FLOORS[other][0] <= FLOORS[folder][1]


def is_iso(path, libraries=LIBRARIES):
    """Whether that header of angle brackets is of ISO C++ or of a library that we link."""
    return (bool(ISO_HEADER.match(path)) and path != "csignal") or path.startswith(libraries)


def faults(source):
    for path in sorted(source.glob("**/*.[chd]*")):
        name = path.relative_to(source).as_posix()
        folder = name.split("/")[0]
        text = path.read_text()
        if folder not in FLOORS and folder != "cli":
            yield f"{name}: the folder {folder} has no floor"
        for kind, included in INCLUDE.findall(text):
            if not may_include(source, name, kind, included):
                yield f"{name} must not include {included}"
        place, libraries = (OWN_PLATFORM, LIBRARIES + OWN_LIBRARIES) if folder == "cli" else (
            PLATFORM, LIBRARIES)
        if not name.startswith(place):
            for kind, included in INCLUDE.findall(text):
                if kind == "<" and not is_iso(included, libraries):
                    yield f"{name}: {included} is not ISO C++ and belongs to {place}"
            for word in sorted(set(match.group() for match in NOT_ISO.finditer(text))):
                yield f"{name}: {word} is not ISO C++ and belongs to {place}"
        if folder in FLOORS and name not in CATCH_ALL and CATCH.search(text):
            yield f"{name}: catch (...) belongs to {', '.join(sorted(CATCH_ALL))}"


def public_faults(include):
    """Public headers are ISO C and C++."""
    for path in sorted(include.glob("dpadapt/*")):
        text = path.read_text()
        for kind, included in INCLUDE.findall(text):
            iso = is_iso(included) or included.removesuffix(".h") in ISO_C
            if kind == "<" and not iso:
                yield f"{path.name}: {included} is neither ISO C nor ISO C++"


source = pathlib.Path(sys.argv[1])
found = [*faults(source / "src"), *public_faults(source / "include")]
print("\n".join(found))
sys.exit(1 if found else 0)
