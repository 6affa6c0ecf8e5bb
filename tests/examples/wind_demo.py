"""docs/c.md shows what the demonstration prints: wind_demo.py SOURCE_DIR COMMAND...

Rows of private fits have noise, so only their names are compared.
"""

import pathlib
import re
import subprocess
import sys

PRINTED = re.compile(r"^  (.+?) +([\d.]+) \+- ([\d.]+)(?: +(.+))?$", re.MULTILINE)
SHOWN = re.compile(r"^\| ([^|(]+?) (?:\(.*\) )?\| ([\d.]+) \+- ([\d.]+) \| (.*?) ?\|$",
                   re.MULTILINE)
REFERENCE = "target only"  # 1 by definition, so the page leaves it out
LAST_DIGIT = 0.0011  # processors and versions of BLAS may round to another one


def table(pattern, text):
    return {name: (float(mean), float(deviation), paper)
            for name, mean, deviation, paper in pattern.findall(text) if name != REFERENCE}


def agree(here, there):
    return here[2] == there[2] and all(abs(a - b) < LAST_DIGIT for a, b in zip(here[:2], there))


root, *command = sys.argv[1:]
page = (pathlib.Path(root) / "docs" / "c.md").read_text()
shown = table(SHOWN, page[page.index("## The demonstration"):])
result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
print(result.stdout)
if result.returncode:
    sys.exit(f"the demonstration ends with {result.returncode}")
printed = table(PRINTED, result.stdout)
if list(printed) != list(shown) or len(shown) < 4:
    sys.exit(f"it prints the rows {list(printed)}, docs/c.md shows {list(shown)}")
exact = [name for name in shown if not name.startswith("private")]
wrong = [f"{name}: printed {printed[name]}, docs/c.md shows {shown[name]}"
         for name in exact if not agree(printed[name], shown[name])]
sys.exit("\n".join(wrong) or 0)
