"""Private fits on wind: they use the target where there is enough of it, and else do no harm.

The noise is seeded: the same in every run."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

from prerequisites import require

require("numpy")

import numpy as np

import private_harm
import references
from datasets import Wind
from fits import EPSILONS, private_errors, split_errors

PAIRS = ((1, "CLA"), (3, "MAL"), (3, "ROS"), (7, "DUB"), (10, "SHA"), (12, "VAL"))
SPLITS = 10

# Largest mean ratios to target only, several standard errors above what unseeded noise gives.
USEFUL = {(10000, 0.5): 1.02, (10000, 10): 1.02, (1000, 10): 1.05}
HARMLESS = 1.03


def ratios_to_target_only(rows, epsilon):
    case = Wind().case()
    target_only = split_errors(case, SPLITS, references.ridge)
    return private_errors(case, rows, epsilon, SPLITS, draws=2, seeded=True) / target_only


def check_use():
    for (rows, epsilon), bound in USEFUL.items():
        ratio = ratios_to_target_only(rows, epsilon).mean()
        print(f"n = {rows}, epsilon = {epsilon}: {ratio:.3f} of target only, at most {bound}")
        yield ratio <= bound


def check_harm():
    wind = Wind()
    for month, station in PAIRS:
        case = wind.case(month, station)
        worst = private_harm.harm(private_harm.measure((case, SPLITS, True)))
        row, column = np.unravel_index(worst.argmax(), worst.shape)
        rows = private_harm.ROWS[row] or case.train
        print(f"{case.name}: at most {worst.max():.3f} of what may be expected, "
              f"at n = {rows}, epsilon = {EPSILONS[column]}")
        yield worst.max() <= HARMLESS


def check_gain():
    """A case where the source alone is far off: the private fit must have gained most of it."""
    case = Wind().case(7, "VAL")
    source_only = references.least_squares(case.source)
    target_only = split_errors(case, SPLITS, references.ridge).mean()
    lost = split_errors(case, SPLITS, lambda train: source_only).mean() - target_only
    left = private_errors(case, 10000, 1, SPLITS, seeded=True).mean() - target_only
    print(f"{case.name}: {left / lost:.2f} of the loss of the source alone is left, at most 0.3")
    yield lost > 0 and left <= 0.3 * lost


def main():
    passed = [*check_use(), *check_gain(), *check_harm()]
    print(f"{passed.count(False)} of {len(passed)} checks failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
