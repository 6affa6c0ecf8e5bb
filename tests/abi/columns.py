"""No line of the sources is longer than 100 columns. columns.py SOURCE_DIR"""

import pathlib
import sys

ENDINGS = {".c", ".h", ".cpp", ".hpp", ".def"}
root = pathlib.Path(sys.argv[1])
found = [f"{path.relative_to(root)}:{number}: {len(line)} columns"
         for folder in ("include", "src") for path in sorted((root / folder).rglob("*"))
         if path.suffix in ENDINGS
         for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
         if len(line) > 100]
print("\n".join(found))
sys.exit(1 if found else 0)
