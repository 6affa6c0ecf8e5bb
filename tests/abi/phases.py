"""The phases that options.h documents are those of the library's list. phases.py SOURCE_DIR"""

import pathlib
import re
import sys


def main(root):
    text = (root / "src/base/control.hpp").read_text()
    listed = re.search(r"kPhases\[\] = \{(.*?)\};", text, re.S)
    known = re.findall(r'"([^"]+)"', listed[1])
    header = (root / "include/dpadapt/options.h").read_text()
    comment = re.search(r"The phases:(.*?)@param", header, re.S)
    documented = re.findall(r"^ \*      (\S+(?: \S+)*)  +\S", comment[1], re.M)
    print("only in the library:", sorted(set(known) - set(documented)))
    print("only in the header:", sorted(set(documented) - set(known)))
    return 0 if known and known == documented else 1


sys.exit(main(pathlib.Path(sys.argv[1])))
