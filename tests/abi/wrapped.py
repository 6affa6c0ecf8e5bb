"""The C++ headers use every exported function, except those listed here with a reason.
wrapped.py SOURCE_DIR"""

import pathlib
import re
import sys

APART = {
    "dpa_arrow_stream": "makes a structure of Arrow, which C++ has no owner for",
    "dpa_baseline_text": "a table of static texts",
    "dpa_build_info": "a static text",
    "dpa_inspect_private": "not private: inspect.h is included by hand",
    "dpa_inspect_table": "as dpa_inspect_private",
    "dpa_option_text": "a table of static texts",
    "dpa_status_string": "a static text",
    "dpa_version": "a static text",
}

source = pathlib.Path(sys.argv[1])
exported = set((source / "cmake/abi/dpadapt.symbols").read_text().split())
headers = "".join(path.read_text() for path in (source / "include/dpadapt").glob("*.hpp"))
used = set(re.findall(r"\bdpa_\w+", headers))
missing = sorted(exported - used - set(APART))
needless = sorted(set(APART) & used | set(APART) - exported)
print("in no C++ header:", missing)
print("listed without need:", needless)
sys.exit(1 if missing or needless or not exported else 0)
