"""Every exported function is bound by SWIG or listed in unbound.txt, not both. bound.py SOURCE_DIR
WRAPPER"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
exported = set((source / "cmake/abi/dpadapt.symbols").read_text().split())
bound = set(re.findall(r"&R_swig_(dpa_\w+)", pathlib.Path(sys.argv[2]).read_text()))
lines = (source / "bindings/swig/unbound.txt").read_text().splitlines()
unbound = {line.split()[0] for line in lines if line and not line.startswith("#")}

for name, wrong in (
    ("neither in the wrapper that the target r-package writes nor in unbound.txt",
     exported - bound - unbound),
    ("bound and in unbound.txt", bound & unbound),
    ("in unbound.txt but not exported", unbound - exported),
):
    if wrong:
        sys.exit(f"{name}: {', '.join(sorted(wrong))}")
print(f"{len(bound)} functions bound, {len(unbound)} left out")
