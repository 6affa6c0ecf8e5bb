"""version.h, the newest release in CHANGELOG.md, CITATION.cff and the packages name the same
version, and CHANGELOG.md and CITATION.cff the same day. version.py SOURCE_DIR"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
header = (source / "include/dpadapt/version.h").read_text()
numbers = dict(re.findall(r"^#define DPA_VERSION_(\w+) (\d+)$", header, re.MULTILINE))
version = ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))

newest = re.search(r"^## (\d\S*) \((\d{4}-\d{2}-\d{2}|unreleased)\)$",
                   (source / "CHANGELOG.md").read_text(), re.MULTILINE)
if newest is None or newest[1] != version:
    sys.exit(f"version.h says {version}, CHANGELOG.md says {newest and newest[1]}")

cited = (source / "CITATION.cff").read_text()
days = [] if newest[2] == "unreleased" else [f"date-released: {newest[2]}"]
for line in [f"version: {version}", *days]:
    if line not in cited.splitlines():
        sys.exit(f"CITATION.cff does not say {line}")

PACKAGES = {
    "bindings/r/DESCRIPTION": r"^Version: (\S+)",
    "bindings/java/pom.xml": r"^  <version>(\S+)</version>",
    "packaging/conan/conanfile.py": r'^    version = "(\S+)"',
    "packaging/conda/recipe.yaml": r'^  version: "(\S+)"',
    "packaging/debian/changelog": r"\Adpadapt \((\S+)-\d+\)",
    "packaging/homebrew/dpadapt.rb": r'^  version "(\S+)"',
    "packaging/vcpkg/vcpkg.json": r'^  "version": "(\S+)"',
}
for path, pattern in PACKAGES.items():
    package = re.search(pattern, (source / path).read_text(), re.MULTILINE)
    if package is None or package[1] != version:
        sys.exit(f"version.h says {version}, {path} says {package and package[1]}")

number = re.search(r"^#define DPA_SOVERSION (\d+)$", header, re.MULTILINE)[1]
control = (source / "packaging/debian/control").read_text()
if f"\nPackage: libdpadapt{number}\n" not in control:
    sys.exit(f"version.h says DPA_SOVERSION {number}, packaging/debian/control another one")
