"""Do no harm: private fits on wind, every long month the target, every station the label.

usage: private_harm.py FOLDER [--splits N]

With distinct target rows the error is relative to least squares on the source. Resampled, the fits
converge to that of the rows at hand, so there it is relative to the larger of 1 and the result at
epsilon = 10, n = 10000.
"""

import argparse

import numpy as np

import references
from datasets import LONG_MONTHS, Wind
from fits import EPSILONS, in_parallel, private_errors, split_errors
from tables import write

TRAIN = (158, 358)
ROWS = (None, 1000, 10000)
BAR = 1.03


def measure(task):
    """Ratios to source only, an array [ROWS, EPSILONS]."""
    case, count, seeded = task
    source_only = references.least_squares(case.source)
    base = split_errors(case, count, lambda train: source_only, seed=3).mean()
    return np.array([
        [private_errors(case, rows, epsilon, count, seed=3, seeded=seeded).mean()
         for epsilon in EPSILONS] for rows in ROWS]) / base


def harm(ratios):
    """Ratio to what may be expected: source only, or what many rows and a large budget give."""
    expected = np.where(np.arange(len(ROWS)) > 0, np.maximum(1.0, ratios[-1, -1]), 1.0)
    return ratios / expected[:, None]


def wind_cases(months=LONG_MONTHS):
    wind = Wind()
    return [wind.case(month, station, train=train)
            for train in TRAIN for month in months for station in wind.stations]


def summary(cases, harms):
    for train in TRAIN:
        here = [k for k, case in enumerate(cases) if case.train == train]
        for i, rows in enumerate(ROWS):
            for j, epsilon in enumerate(EPSILONS):
                values = harms[here, i, j]
                worst = here[int(values.argmax())]
                yield {"distinct rows": train, "n": rows or train, "epsilon": epsilon,
                       "mean": float(values.mean()), "worst": float(values.max()),
                       "of": cases[worst].name, f"above {BAR}": int((values > BAR).sum())}


def details(cases, ratios, harms):
    for case, ratio, relative in zip(cases, ratios, harms):
        for i, rows in enumerate(ROWS):
            for j, epsilon in enumerate(EPSILONS):
                yield {"data": case.name, "distinct rows": case.train, "n": rows or case.train,
                       "epsilon": epsilon, "to source only": float(ratio[i, j]),
                       "to expectation": float(relative[i, j])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=20)
    options = parser.parse_args()
    cases = wind_cases()
    ratios = np.array(in_parallel(measure, [(case, options.splits, False) for case in cases]))
    harms = np.array([harm(ratio) for ratio in ratios])
    heading = f"{options.splits} splits; ratio of mean errors, harmed beyond {BAR}: "
    rows = list(details(cases, ratios, harms))
    write(options.folder, "private_harm", heading + "worst of the pairs",
          list(summary(cases, harms)))
    write(options.folder, "private_harm_pairs", heading + "all pairs", rows)
    for row in rows:
        if row["to expectation"] > BAR:
            print(*row.values())


if __name__ == "__main__":
    main()
