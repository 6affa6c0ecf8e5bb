"""Do no harm: private fits on wind, every long month the target, every station the label.

With distinct target rows the error is relative to least squares on the source. Resampled, the fits
converge to that of the rows at hand, so there it is relative to the larger of 1 and the result at
epsilon = 10, n = 10000.
"""

import numpy as np

import references
import tables
from datasets import LONG_MONTHS, Wind
from fits import EPSILONS, private_errors, split_errors

TRAIN = (158, 358)
ROWS = (None, 1000, 10000)
BAR = 1.03


def ratios(task):
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


def tasks(count, quick):
    cases = wind_cases(LONG_MONTHS[:1])[:2] if quick else wind_cases()
    return [(case, 2 * count, quick) for case in cases]


def measure(task):
    case, *_ = task
    for rows, relative in zip(ROWS, harm(ratios(task))):
        for epsilon, value in zip(EPSILONS, relative):
            yield {"distinct rows": case.train, "n": rows or case.train, "epsilon": epsilon,
                   "pair": case.name, "value": value}


def summarize(rows):
    """Over the pairs of a month and a station, instead of over splits."""
    return tables.mean_and_worst(rows, ("distinct rows", "n", "epsilon"), "pair",
                                 **{f"share above {BAR}": lambda values: (values > BAR).mean()})
