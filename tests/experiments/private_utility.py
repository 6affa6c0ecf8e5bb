"""Error of private fits by default, relative to ridge regression on the target without privacy.

usage: private_utility.py FOLDER [--splits N] [--draws N] [--news-source ROWS ...]
                          [--airline-source ROWS ...]

Beside it: least squares on the source alone, ridge on both samples together, and the adaptation
without privacy.
"""

import argparse

import numpy as np

import datasets
import references
from fits import DELTA, EPSILONS, dpadapt, in_parallel, private_errors, split_errors
from tables import Mean, write

ROWS = (None, 200, 1000, 10000)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--draws", type=int, default=3, help="draws for each split")
    parser.add_argument("--news-source", type=int, nargs="+", default=[36313, 3000])
    parser.add_argument("--airline-source", type=int, nargs="+", default=[97534, 16000])
    return parser.parse_args()


def cases(options):
    return [datasets.Wind().case(),
            *(datasets.news(rows) for rows in options.news_source),
            *(datasets.airline(rows) for rows in options.airline_source),
            datasets.gas(7), datasets.gas(6)]


def measure(task):
    """Errors of all methods, an array over the splits each."""
    case, count, draws = task
    source_only = references.least_squares(case.source)
    fits = {
        "target only": references.ridge,
        "source only": lambda train: source_only,
        "pooled": lambda train: references.pooled(case.source, train),
        "no privacy": lambda train: dpadapt.Predictor(case.source, train),
    }
    errors = {name: split_errors(case, count, fit) for name, fit in fits.items()}
    for rows in ROWS:
        for epsilon in EPSILONS:
            errors[rows, epsilon] = private_errors(case, rows, epsilon, count, draws=draws)
    return errors


def table(cases_, measured, relative):
    for case, errors in zip(cases_, measured):
        target_only = errors["target only"]
        for rows in ROWS:
            yield {
                "data": case.name,
                "n": rows or f"{case.train} distinct",
                **{name: relative(errors[name], target_only)
                   for name in ("source only", "pooled", "no privacy")},
                **{f"epsilon {epsilon}": relative(errors[rows, epsilon], target_only)
                   for epsilon in EPSILONS},
            }


def main():
    options = arguments()
    cases_ = cases(options)
    measured = in_parallel(measure, [(case, options.splits, options.draws)
                                     for case in cases_])
    heading = (f"{options.splits} splits with {options.draws} draws, delta = {DELTA}; "
               "error relative to target only: ")
    write(options.folder, "private_utility", heading + "mean of the ratios, standard error",
          list(table(cases_, measured, lambda error, base: Mean.of(error / base))))
    write(options.folder, "private_utility_of_means", heading + "ratio of the mean errors",
          list(table(cases_, measured, lambda error, base: float(np.mean(error) / np.mean(base)))))


if __name__ == "__main__":
    main()
