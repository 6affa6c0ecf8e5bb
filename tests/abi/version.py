"""version.h, the newest entry of CHANGELOG.md and the R package name the same version. version.py SOURCE_DIR"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
header = (source / "include/dpadapt/version.h").read_text()
numbers = dict(re.findall(r"^#define DPA_VERSION_(\w+) (\d+)$", header, re.MULTILINE))
version = ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))

newest = re.search(r"^## (\S+)", (source / "CHANGELOG.md").read_text(), re.MULTILINE)
if newest is None or newest[1] != version:
    sys.exit(f"version.h says {version}, CHANGELOG.md says {newest and newest[1]}")

package = re.search(r"^Version: (\S+)", (source / "bindings/r/DESCRIPTION").read_text(), re.MULTILINE)
if package is None or package[1] != version:
    sys.exit(f"version.h says {version}, bindings/r/DESCRIPTION says {package and package[1]}")
