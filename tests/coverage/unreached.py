"""unreached.py LINES FOLDER: the lines of a source folder that nothing has reached, file by file.

LINES is what `llvm-cov export -format=lcov` writes. Lines that only end what is listed above them
are counted, but not listed."""

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


def main(lines, folder):
    folder = Path(folder).resolve()
    counts = counts_of(lines, folder)
    for file in sorted(counts):
        text = (folder / file).read_text().splitlines()
        missed = [number for number, count in sorted(counts[file].items()) if count == 0]
        print(f"{file}: {len(missed)} of {len(counts[file])} lines")
        for number in missed:
            if text[number - 1].strip() not in ENDS:
                print(f"    {number}: {text[number - 1].strip()}")
    every = [count for lines in counts.values() for count in lines.values()]
    print(f"{sum(map(bool, every))} of {len(every)} lines were reached")


if __name__ == "__main__":
    main(*sys.argv[1:])
