"""No line is longer than 100 columns, but for R and the experiments. columns.py SOURCE_DIR"""

import pathlib
import sys

FOLDERS = ("include", "src", "bindings", "cmake", "examples", "tests")
ENDINGS = {".c", ".h", ".cpp", ".hpp", ".def", ".i", ".java", ".py", ".sh", ".cmake", ".txt"}
root = pathlib.Path(sys.argv[1])
files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
         if path.suffix in ENDINGS and "experiments" not in path.relative_to(root).parts]
found = [f"{path.relative_to(root)}:{number}: {len(line)} columns" for path in files
         for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
         if len(line) > 100]
print("\n".join(found))
sys.exit(1 if found else 0)
