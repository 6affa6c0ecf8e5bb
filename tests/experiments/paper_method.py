"""The paper's private method on wind beside method profile: errors, seconds, passes over the rows.

usage: paper_method.py FOLDER [--splits N] [--long-splits N]

Errors relative to ridge regression on the distinct target rows without privacy.
"""

import argparse
import itertools
import time

import numpy as np

import references
from datasets import Wind, resampled, splits
from fits import dpadapt, in_parallel, private
from tables import Mean, write

DELTA = 1e-2
EPSILONS = (1, 10)
PAIRS = ((1, "MAL"), (7, "DUB"))
LONG = 10**5  # steps; minutes for each fit at 10,000 rows
SIZES = ((1000, 1000), (10000, 1000), (1000, LONG))  # rows, steps


def methods():
    """Name, rows and settings of every fit that is compared."""
    for rows in (1000, 10000):
        for alpha in ("auto", 0.5):
            yield "profile", rows, {"alpha": alpha}
    for (rows, steps), sizes, calibration in itertools.product(
            SIZES, ("paper", "scaled"), ("exact", "paper")):
        yield "paper", rows, {"alpha": 0.5, "iterations": steps, "step_sizes": sizes,
                              "calibration": calibration}


def passes(report):
    """Sums over the private rows: steps that differ only in what is summed share a pass."""
    steps = {}
    for entry in report["releases"]:
        release = entry["release"]
        kind = "gradient" if "gradient" in release["purpose"] else release["purpose"]
        steps[kind] = release["steps"]
    return sum(steps.values())


def measure(task):
    case, epsilon, (method, rows, settings), count = task
    row = {"data": case.name, "epsilon": epsilon, "method": method, "n": rows,
           **{name: settings.get(name, "") for name in
              ("alpha", "iterations", "step_sizes", "calibration")}}
    source_only = references.least_squares(case.source)
    source_errors, errors, seconds, report = [], [], [], None
    for split, (train, test) in enumerate(splits(case, count)):
        sample = resampled(train, rows, (split,))
        start = time.perf_counter()
        try:
            fit = private(case.source, sample, epsilon, DELTA, method=method, **settings)
        except dpadapt.Error as refusal:
            return row | {"source only": "", "error": "refused", "seconds": "", "passes": "",
                          "why": str(refusal)}
        seconds.append(time.perf_counter() - start)
        base = references.error(references.ridge(train), test)
        source_errors.append(references.error(source_only, test) / base)
        errors.append(references.error(fit, test) / base)
        report = fit.report()
    return row | {"source only": Mean.of(source_errors), "error": Mean.of(errors),
                  "seconds": float(np.mean(seconds)), "passes": passes(report), "why": ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--long-splits", type=int, default=2)
    options = parser.parse_args()
    wind = Wind()
    tasks = [(wind.case(*pair), epsilon, method,
              options.long_splits if method[2].get("iterations") == LONG else options.splits)
             for pair in PAIRS for epsilon in EPSILONS for method in methods()]
    rows = in_parallel(measure, tasks)
    write(options.folder, "paper_method",
          f"{options.splits} splits, {options.long_splits} at {LONG} steps; delta = {DELTA}", rows)


if __name__ == "__main__":
    main()
