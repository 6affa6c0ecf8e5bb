"""Each function of the public headers says since which release it is there: the first whose list
cmake/abi/VERSION.symbols has it, or the version of version.h. since.py SOURCE_DIR"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
releases = sorted((path.name.removesuffix(".symbols"), set(path.read_text().split()))
                  for path in (source / "cmake/abi").glob("[0-9]*.symbols"))
header = (source / "include/dpadapt/version.h").read_text()
now = ".".join(re.findall(r"^#define DPA_VERSION_(?:MAJOR|MINOR) (\d+)$", header, re.MULTILINE))
# Functions of an earlier release that take other arguments since.
CHANGED = dict.fromkeys(
    "dpa_discrepancy_value dpa_ledger_create dpa_partial_add dpa_privacy_epsilon dpa_search_reason "
    "dpa_solution_predict dpa_solution_serialize".split(), "0.2")
PIECE = re.compile(r"/\*.*?\*/|^DPA_API [^;]*?\b(dpa_\w+)\(", re.MULTILINE | re.DOTALL)

wrong = []
for path in sorted((source / "include/dpadapt").glob("*.h")):
    since = None
    for piece in PIECE.finditer(path.read_text()):
        if piece[1] is None:
            told = re.findall(r"Since\s+(\d+\.\d+)\.", piece[0].replace("\n *", ""))
            since = told[-1] if told else since
            continue
        first = next((version.rsplit(".", 1)[0] for version, names in releases
                      if piece[1] in names), now)
        first = CHANGED.get(piece[1], first)
        if since != first:
            wrong.append(f"{path.name}: {piece[1]} is there since {first}, not {since}")
sys.exit("\n".join(wrong) or 0)
