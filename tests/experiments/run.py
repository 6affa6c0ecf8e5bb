"""Runs experiments: each leaves NAME.csv and NAME.svg in FOLDER, whose README.md is then made anew from all CSV files there.

Without a NAME all of them run. --page makes plots and page from the CSV files that are there, and runs nothing."""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores

from prerequisites import require

require("numpy", "matplotlib", "tqdm")

from tqdm import tqdm

import datasets
import page
import tables
from definitions import EXPERIMENTS

PROCESSES = 2


def attempt(measure, task):
    """The rows of a task; where its data are missing one row that says so."""
    try:
        return list(measure(task))
    except datasets.Missing as missing:
        return [{"data": f"what needs {missing}", "note": "missing"}]


def run(experiment, folder, splits, quick):
    """Missing data or methods become notes; no rows, no file."""
    tasks = list(experiment.tasks(splits, quick))
    with ProcessPoolExecutor(PROCESSES) as pool:
        futures = [pool.submit(attempt, experiment.measure, task) for task in tasks]
        rows = [row for future in tqdm(futures, experiment.name, disable=None)
                for row in future.result()]
    if rows:
        tables.write(folder, experiment.name, experiment.summarize(rows))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"{name:24}{experiment.minutes:3} minutes  {experiment.question}"
                         for name, experiment in EXPERIMENTS.items()))
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help="as below; none for all")
    parser.add_argument("--quick", action="store_true", help="little data, few rows, seeded noise")
    parser.add_argument("--splits", type=int, default=None, help="10, with --quick 2")
    parser.add_argument("--page", action="store_true", help="only plots and page")
    options = parser.parse_intermixed_args()
    unknown = set(options.names) - set(EXPERIMENTS)
    if unknown:
        parser.error("there is no experiment " + ", ".join(sorted(unknown)))
    splits = options.splits or (2 if options.quick else 10)
    for name in () if options.page else options.names or EXPERIMENTS:
        run(EXPERIMENTS[name], options.folder, splits, options.quick)
        if not options.quick:
            page.write(options.folder, EXPERIMENTS.values())  # each time: the next may take an hour
    if options.page or options.quick:
        page.write(options.folder, EXPERIMENTS.values())


if __name__ == "__main__":
    main()
