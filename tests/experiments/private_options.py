"""One option of private fits at a time, all others as by default, at epsilon = 1.

usage: private_options.py FOLDER [--splits N] [--draws N]

Errors relative to ridge regression on the distinct target rows without privacy.
"""

import argparse

import datasets
import references
from fits import in_parallel, private_errors, split_errors
from tables import Mean, write

ROWS = (1000, 10000)
CHANGES = (
    {},
    {"clip_quantile": 0.9}, {"clip_quantile": 0.98}, {"clip_quantile": 0.99},
    {"metric_ridge": 0.1}, {"metric_ridge": 0.01}, {"metric_ridge": 0.001},
    {"moments_share": 0}, {"moments_share": 0.05}, {"moments_share": 0.2}, {"moments_share": 0.4},
    {"shrinkage": 0}, {"shrinkage": 1}, {"shrinkage": 1.5}, {"shrinkage": 4},
    {"iterations": 10}, {"iterations": 40}, {"iterations": 100},
    {"preprocess": "whiten"},
)


def measure(task):
    case, count, draws = task
    target_only = split_errors(case, count, references.ridge)
    return [Mean.of(private_errors(case, rows, 1, count, draws=draws, **change) / target_only)
            for change in CHANGES for rows in ROWS]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--draws", type=int, default=2, help="draws for each split")
    options = parser.parse_args()
    cases = [datasets.gas(6), datasets.gas(7), datasets.news(), datasets.news(3000),
             datasets.Wind().case(), datasets.airline()]
    columns = in_parallel(measure, [(case, options.splits, options.draws) for case in cases])
    tried = [(change, rows) for change in CHANGES for rows in ROWS]
    write(options.folder, "private_options",
          f"{options.splits} splits with {options.draws} draws; error relative to target only",
          [{"change": ", ".join(f"{name} = {value}" for name, value in change.items()) or "none",
            "n": rows, **{case.name: column[k] for case, column in zip(cases, columns)}}
           for k, (change, rows) in enumerate(tried)])


if __name__ == "__main__":
    main()
