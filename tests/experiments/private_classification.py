"""Accuracy of private logistic fits on Adult by default, for n and epsilon, beside fits without privacy.

Usage: private_classification.py FOLDER [--splits 10] [--draws 1]
"""

import argparse

import numpy as np

import tables
from datasets import adult, resampled, splits
from fits import EPSILONS, dpadapt, in_parallel, private
from references import accuracy

ROWS = (200, 1000, 10000)
DELTA = 1e-5


def single(case, train, alpha):
    return dpadapt.Predictor(case.source, train, loss="logistic", private_domain="none",
                             alpha=alpha)


def accuracies(task):
    """Of source only, target only, and the private fits for each n and epsilon."""
    count, split, draws = task
    case = adult()
    train, test = list(splits(case, count))[split]

    def of_private(rows, epsilon):
        return np.mean([accuracy(private(case.source, resampled(train, rows, (split, draw)), epsilon,
                                         DELTA, loss="logistic"), test) for draw in range(draws)])

    return [accuracy(single(case, train, 1), test), accuracy(single(case, train, 0), test),
            *(of_private(rows, epsilon) for rows in ROWS for epsilon in EPSILONS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--draws", type=int, default=1)
    arguments = parser.parse_args()
    tasks = [(arguments.splits, split, arguments.draws) for split in range(arguments.splits)]
    source, target, *private_ones = 100 * np.array(in_parallel(accuracies, tasks)).T
    table = []
    for k, rows in enumerate(ROWS):
        row = {"n": rows, "source only": tables.Mean.of(source), "target only": tables.Mean.of(target)}
        for epsilon, values in zip(EPSILONS, private_ones[k * len(EPSILONS):]):
            row[f"epsilon = {epsilon}"] = tables.Mean.of(values)
            row[f"{epsilon} - source only"] = tables.Mean.of(values - source)
        table.append(row)
        print(", ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    heading = (f"# Private classification\n\nAdult, men as source, women as private target, delta = {DELTA}, logistic loss, "
               f"all else by default. Accuracy in percent, mean of {arguments.splits} splits with its "
               "standard error; differences within a split have their own.")
    tables.write(arguments.folder, "private_classification", heading, table)


if __name__ == "__main__":
    main()
