"""Accuracy without privacy, by the protocol of the paper's table for classification: ten random splits of the target into
70 % for training, 20 % for validation and 10 % for testing, everything chosen by the accuracy on the validation part.

Usage: classification.py FOLDER [--splits 10]
"""

import argparse
import itertools

import numpy as np

import tables
from datasets import accent, adult, german, splits
from fits import dpadapt, in_parallel
from references import accuracy, logistic_loss

RADII = (0.1, 0.3, 1, 3, 10)
ALPHAS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 1)
PRICES = (("auto", 0), (0.7, 0), (1.5, 0), (3, 0), (1.5, 0.5))  # lambda_1 with d
PAPER = {"adult": ("88.44 ± 0.61", "91.09 ± 0.54", "91.38 ± 0.49"),
         "german": ("74.16 ± 1.64", "76.40 ± 1.17", "77.96 ± 1.31"),
         "accent": ("51.60 ± 1.09", "92.27 ± 1.10", "93.95 ± 0.78")}
CASES = {"adult": adult, "german": german, "accent": accent}


def single(alpha):
    return [{"alpha": alpha, "radius": radius} for radius in RADII]


def adaptations():
    for alpha, radius, (price, discrepancy) in itertools.product(ALPHAS, RADII, PRICES):
        yield {"alpha": alpha, "radius": radius, "lambda_1": price, "discrepancy": discrepancy}


def chosen(source, train, validation, candidates):
    """The fit of highest accuracy on the validation part, among equals that of least logistic loss."""
    fits = (dpadapt.Predictor(source, train, loss="logistic", **settings)
            for settings in candidates)
    return max(fits, key=lambda fit: (accuracy(fit, validation), -logistic_loss(fit, validation)))


def accuracies(task):
    """Of train source, train target, pooled and NCnvxAdap on the test part of one split."""
    name, count, split = task
    case = CASES[name]()
    (x, y), test = list(splits(case, count))[split]
    held = round(2 / 9 * len(y))
    train, validation = (x[held:], y[held:]), (x[:held], y[:held])
    pooled = [{"radius": radius} for radius in RADII]
    return [accuracy(chosen(case.source, train, validation, candidates), test)
            for candidates in (single(1), single(0), pooled, adaptations())]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=10)
    arguments = parser.parse_args()
    rows = []
    for name, paper in PAPER.items():
        tasks = [(name, arguments.splits, split) for split in range(arguments.splits)]
        columns = 100 * np.array(in_parallel(accuracies, tasks)).T
        means = [tables.Spread.of(column) for column in columns]
        better = columns[np.argmax(columns[:2].mean(axis=1))]
        rows.append({"data": name, "train source": means[0], "train target": means[1],
                     "pooled": means[2], "NCnvxAdap_inf": means[3],
                     "NCnvxAdap_inf - better single": tables.Mean.of(columns[3] - better),
                     "paper: train source": paper[0], "paper: train target": paper[1],
                     "paper: NCnvxAdap_inf": paper[2]})
        print(", ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    heading = (f"# Classification without privacy\n\nAccuracy in percent, mean and standard deviation "
               f"of {arguments.splits} random splits (of the difference: standard error). Logistic loss.")
    tables.write(arguments.folder, "classification", heading, rows)


if __name__ == "__main__":
    main()
