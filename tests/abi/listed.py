"""What the library's tables list stands where CONTRIBUTING.md says: baselines on their pages,
losses there and in the tests of all losses, options in a source that reads them. Lines that the
list of unreached ones explains are lines of src.
listed.py SOURCE_DIR"""

import pathlib
import re
import sys

NO_WORD = {"votes"}  # a loss that only boosting makes
A_FUNCTION = {"custom"}  # in R
APART = {"Callback", "Votes"}  # a caller's, which declares its bounds, and one that is not fitted


def main(root):
    def read(name):
        return (root / name).read_text(encoding="utf-8")

    found = []

    def missing(kind, names, *places):
        if not names:
            found.append(f"no {kind} found")
        for place in places:
            text = read(place)
            found.extend(f"{kind} {name} is not in {place}" for name in names
                         if not re.search(rf"\b{name}\b", text))

    baselines = re.findall(r'MethodSpec\{\s*"(\w+)"', read("src/baseline/method.cpp"))
    missing("baseline", baselines, "docs/methods.md", "include/dpadapt/baseline.h")
    table = read("src/loss/table.cpp")
    losses = set(re.findall(r'\.word = "(\w+)"', table)) - NO_WORD
    missing("loss", sorted(losses), "docs/methods.md", "src/engine/options.def",
            "tests/unit/losses.h")
    missing("loss", sorted(losses - A_FUNCTION), "bindings/r/man/dpadapt.Rd")
    made = re.findall(r"\b(?:made|make_unique)<(?!Made\b)(\w+)", table)
    missing("class", sorted(set(made) - APART), "tests/core/test_loss_bounds.cpp",
            "tests/core/test_loss_derivatives.cpp")
    options = re.findall(r"^DPA_OPTION\((\w+)", read("src/engine/options.def"), re.M)
    numbers = read("src/problem/numbers.def") + read("src/loss/numbers.def")
    rows = set(re.findall(r"^DPA_\w+_NUMBER\(.*?(\w+)\)", numbers, re.M))
    source = "".join(path.read_text(encoding="utf-8") for path in (root / "src").rglob("*.cpp"))
    used = rows | set(re.findall(r"\bOption::(\w+)", source))
    found.extend(f"option {name} is read by nothing" for name in options if name not in used)
    for line in read("tests/coverage/explained.list").splitlines():
        name, _, text = line.partition(": ")
        path = root / "src" / name
        if text and not line.startswith("#") and not (
                path.is_file() and text in map(str.strip, read(path).splitlines())):
            found.append(f"explained.list: no line of src is {line}")
    print("\n".join(found))
    return 1 if found or not options else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
