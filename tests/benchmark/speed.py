"""Speed side by side: every rival in the same run, on the same rows, by ratios.

FOLDER/speed.csv has all times, FOLDER/SPEED.md is the page. Each case runs in a process of its own.
A run that was stopped goes on: cases that are in the file are not measured again."""

import argparse
import csv
import os
import subprocess
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import speed_page
from machine import facts, kernels_of_blas
from speed_cases import CASES

FIELDS = ("case", "method", "minimum", "median", "value", "note")
MOST_SECONDS = 240  # of a case


def read(path):
    if not os.path.isfile(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path + ".new", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(path + ".new", path)


def measured(name, quick):
    """Rows of a case, by a process of its own; where that fails, a row that says so."""
    command = [sys.executable, os.path.abspath(__file__), "-", "--case", name]
    environment = os.environ | kernels_of_blas()
    try:
        done = subprocess.run(command + ["--quick"] * quick, capture_output=True, text=True,
                              timeout=MOST_SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return [{"case": name, "method": "dpadapt", "note": f"not in {MOST_SECONDS} s"}]
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason told"])[-1]
        return [{"case": name, "method": "", "note": f"left out: {reason}"[:100]}]
    return [{"case": name} | row for row in csv.DictReader(done.stdout.splitlines())]


def print_case(name, quick):
    writer = csv.DictWriter(sys.stdout, FIELDS[1:], restval="", lineterminator="\n")
    writer.writeheader()
    for row in CASES[name](quick):
        row = {key: f"{value:.4g}" if isinstance(value, float) else value
               for key, value in row.items() if value == value}
        writer.writerow(row)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true", help="in small: that all of it runs")
    parser.add_argument("--renew", action="store_true", help="measure what is there again")
    parser.add_argument("--page", action="store_true", help="only the page")
    parser.add_argument("--only", default="", help="only cases whose name has this word")
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        print_case(options.case, options.quick)
        return
    os.makedirs(options.folder, exist_ok=True)
    path = os.path.join(options.folder, "speed.csv")
    order = ["machine", *CASES]
    for name in [name for name in CASES if options.only in name and not options.page]:
        rows = read(path)
        if not options.renew and any(row["case"] == name for row in rows):
            continue
        new = measured(name, options.quick)
        about = [{"case": "machine", "note": fact} for fact in facts()]
        kept = [row for row in rows if row["case"] not in ("machine", name)]
        write(path, sorted(about + kept + new, key=lambda row: order.index(row["case"])))
        for row in new:
            print(*(row.get(field, "") for field in FIELDS), sep="  ", flush=True)
    with open(os.path.join(options.folder, "SPEED.md"), "w") as file:
        file.write(speed_page.page(read(path), options.quick))


if __name__ == "__main__":
    main()
