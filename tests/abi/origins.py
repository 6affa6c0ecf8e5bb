"""The files that docs/defaults.md names have the numbers, and a comment that points to that page.
origins.py SOURCE_DIR"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
rows = re.findall(r"^\|[^|]*\|([^|]*)\|.*\|$", (source / "docs/defaults.md").read_text(), re.M)
named = {name for where in rows for name in re.findall(r"`(\w+/\w+\.\w+)`", where)}
files = {name: source / "src" / name for name in named}
wrong = [name for name, path in sorted(files.items())
         if not path.exists() or "docs/defaults.md" not in path.read_text()]
print("docs/defaults.md names", len(named), "files; without a pointer to it:", wrong)
sys.exit(bool(wrong) or not named)
