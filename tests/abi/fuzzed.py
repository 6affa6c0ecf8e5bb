"""Every exported function is called by a fuzzer. fuzzed.py SOURCE_DIR"""

import pathlib
import re
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def main(root):
    exported = (root / "cmake/abi/dpadapt.symbols").read_text().split()
    fuzzers = sorted((root / "tests/fuzz").glob("*.[ch]pp"))
    text = "".join(COMMENT.sub("", path.read_text()) for path in fuzzers)
    named = set(re.findall(r"\bdpa_\w+", text))
    missing = [name for name in exported if name not in named]
    print(f"{len(exported)} functions, of which no fuzzer calls:", missing)
    return 1 if missing or not exported else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
