"""Every exported function that returns a status is one call of guard, in the file of its header.
guard.py SOURCE_DIR"""

import pathlib
import re
import sys

DECLARATION = re.compile(r"^DPA_API dpa_status (dpa_\w+)\(", re.MULTILINE)
DEFINITION = re.compile(r"^dpa_status (dpa_\w+)\([^{;]*\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
# In the body only `return guard(` and its closing line have the indentation of a statement.
GUARDED = re.compile(r" {4}return guard\([^\n]*\n(?: {5}[^\n]*\n|\n)*(?: {4}\}\);\n)?")

source = pathlib.Path(sys.argv[1])
declared = set()
guarded = set()
for header in source.glob("include/dpadapt/*.h"):
    declared |= {(header.stem, name) for name in DECLARATION.findall(header.read_text())}
for unit in source.glob("src/capi/*.cpp"):
    for name, body in DEFINITION.findall(unit.read_text()):
        if GUARDED.fullmatch(body) and f'guard("{name}",' in body:
            guarded.add((unit.stem, name))

if not declared or declared != guarded:
    names = sorted({name for _, name in declared ^ guarded})
    sys.exit(f"Not one call of guard in the file of its header: {', '.join(names)}")
