"""No function of the library takes much of the stack: a thread may have a small one.
frames.py LIBRARY, whose symbols are not stripped; reads x86-64."""

import re
import subprocess
import sys

MOST = 12288
# What grows a frame: by a number, or page by page up to one.
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
GROWS = re.compile(r"\tsub +\$0x([0-9a-f]+),%rsp")
PAGES = re.compile(r"\tlea +-0x([0-9a-f]+)\(%rsp\),%r11")


def frames(library):
    """Functions and the numbers of bytes that they take."""
    listing = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", library], check=True,
                             capture_output=True, text=True).stdout
    name, largest = "", {}
    for line in listing.splitlines():
        if found := FUNCTION.match(line):
            name = found[1]
        elif found := GROWS.search(line) or PAGES.search(line):
            size = int(found[1], 16)
            largest[name] = max(largest.get(name, 0), size if size < 1 << 31 else 0)
    return largest


taken = frames(sys.argv[1])
if len(taken) < 1000:
    sys.exit(f"only {len(taken)} functions found in {sys.argv[1]}")
most = MOST if len(sys.argv) < 3 else int(sys.argv[2])
found = sorted(((size, name) for name, size in taken.items() if size > most), reverse=True)
print("\n".join(f"{size} bytes: {name}" for size, name in found))
sys.exit(1 if found else 0)
