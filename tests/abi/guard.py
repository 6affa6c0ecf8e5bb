"""Every exported function that returns a status is one call of guard. guard.py SOURCE_DIR"""

import pathlib
import re
import sys

DEFINITION = re.compile(r"^dpa_status (dpa_\w+)\([^{;]*\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
# In the body only `return guard(` and its closing line have the indentation of a statement.
GUARDED = re.compile(r" {4}return guard\([^\n]*\n(?: {5}[^\n]*\n|\n)*(?: {4}\}\);\n)?")

source = pathlib.Path(sys.argv[1])
declared = set()
for header in source.glob("include/dpadapt/*.h"):
    declared |= set(re.findall(r"^DPA_API dpa_status (dpa_\w+)\(", header.read_text(), re.MULTILINE))

guarded = set()
for unit in source.glob("src/capi/*.cpp"):
    for name, body in DEFINITION.findall(unit.read_text()):
        if GUARDED.fullmatch(body) and f'guard("{name}",' in body:
            guarded.add(name)

if not declared or declared != guarded:
    sys.exit(f"Not one call of guard: {', '.join(sorted(declared ^ guarded))}")
