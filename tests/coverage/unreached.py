"""unreached.py LINES FOLDER EXPLAINED: the lines of a source folder that nothing has reached, file
by file, each with its reason. A line without a reason is told, and makes the program fail.

LINES is what `llvm-cov export -format=lcov` writes. EXPLAINED has reasons, each in a line that
begins with "# ", followed by the lines that it explains, as "FILE: TEXT". Lines that only end what
is listed above them are counted, but neither listed nor explained."""

import sys
from collections import defaultdict
from pathlib import Path

ENDS = ("", "}", "};", "})", "});")


def counts_of(path, folder):
    """{file below the folder: {line: how often it ran}}; a line ran if it did in any program."""
    counts = defaultdict(dict)
    for line in Path(path).read_text().splitlines():
        if line.startswith("SF:"):
            name = Path(line[3:]).resolve()
            lines = counts[name.relative_to(folder)] if name.is_relative_to(folder) else {}
        elif line.startswith("DA:"):
            number, count = map(int, line[3:].split(",")[:2])
            lines[number] = max(lines.get(number, 0), count)
    return counts


def reasons_of(path):
    """{"FILE: TEXT": why nothing reaches it}"""
    reasons, reason = {}, None
    for line in Path(path).read_text().splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            reasons[line] = reason
    return reasons


def main(lines, folder, explained):
    folder = Path(folder).resolve()
    counts, reasons = counts_of(lines, folder), reasons_of(explained)
    told, unexplained = set(), 0
    for file in sorted(counts):
        text = (folder / file).read_text().splitlines()
        missed = [number for number, count in sorted(counts[file].items()) if count == 0]
        print(f"{file}: {len(missed)} of {len(counts[file])} lines")
        for number in missed:
            line = text[number - 1].strip()
            if line in ENDS:
                continue
            key = f"{file}: {line}"
            told.add(key)
            unexplained += key not in reasons
            print(f"    {number}: {line}  <- {reasons.get(key, 'NOT EXPLAINED')}")
    every = [count for lines in counts.values() for count in lines.values()]
    for key in sorted(set(reasons) - told):
        print(f"explained, but reached or gone: {key}")
    print(f"{sum(map(bool, every))} of {len(every)} lines were reached; of the others "
          f"{unexplained} are not explained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
