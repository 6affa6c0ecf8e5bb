"""A fixed alpha, with the discrepancy released, beside the alpha that private fits choose.

usage: private_alpha.py FOLDER [--splits N] [--draws N]

Errors relative to ridge regression on the distinct target rows without privacy.
"""

import argparse

import datasets
import references
from fits import EPSILONS, in_parallel, private_errors, split_errors
from tables import Mean, write

ALPHAS = ("auto", 0.1, 0.3, 0.5, 0.7, 0.9)
ROWS = (1000, 10000)


def measure(task):
    case, count, draws = task
    source_only = references.least_squares(case.source)
    target_only = split_errors(case, count, references.ridge)
    source_ratio = Mean.of(split_errors(case, count, lambda train: source_only) / target_only)
    return [{
        "data": case.name, "n": rows, "epsilon": epsilon, "source only": source_ratio,
        **{f"alpha {alpha}": Mean.of(
            private_errors(case, rows, epsilon, count, draws=draws, alpha=alpha) / target_only)
           for alpha in ALPHAS},
    } for rows in ROWS for epsilon in EPSILONS]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--draws", type=int, default=2, help="draws for each split")
    options = parser.parse_args()
    cases = [datasets.Wind().case(), datasets.news(), datasets.airline(), datasets.gas(7),
             datasets.gas(6)]
    rows = in_parallel(measure, [(case, options.splits, options.draws) for case in cases])
    write(options.folder, "private_alpha",
          f"{options.splits} splits with {options.draws} draws; error relative to target only",
          [row for group in rows for row in group])


if __name__ == "__main__":
    main()
