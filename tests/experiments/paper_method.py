"""The paper's private method on wind beside method profile: errors, seconds, passes over the rows."""

import itertools
import time

import references
from datasets import Wind, resampled, split
from fits import dpadapt, private

DELTA = 1e-2
EPSILONS = (1, 10)
PAIRS = ((1, "MAL"), (7, "DUB"))
LONG = 10**5  # steps; a minute for each fit at 1000 rows
LONG_SPLITS = 2
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


def tasks(count, quick):
    if quick:
        return [((1, "MAL"), 10, method, index) for method in list(methods())[:1]
                for index in range(count)]
    return [(pair, epsilon, method, index)
            for pair in PAIRS for epsilon in EPSILONS for method in methods()
            for index in range(min(count, LONG_SPLITS)
                               if method[2].get("iterations") == LONG else count)]


def measure(task):
    """Error relative to target only, seconds and passes of one fit."""
    pair, epsilon, (method, rows, settings), index = task
    case = Wind().case(*pair)
    keys = {"data": case.name, "epsilon": epsilon, "method": method, "n": rows,
            **{name: settings.get(name, "") for name in
               ("alpha", "iterations", "step_sizes", "calibration")}}
    train, test = split(case, index)
    sample = resampled(train, rows, (index,))
    start = time.perf_counter()
    try:
        fit = private(case.source, sample, epsilon, DELTA, method=method, **settings)
    except dpadapt.Error as refusal:
        return [keys | {"quantity": "error", "note": str(refusal)}]
    seconds = time.perf_counter() - start
    base = references.error(references.ridge(train), test)
    source_only = references.error(references.least_squares(case.source), test)
    found = {"error": references.error(fit, test) / base, "seconds": seconds,
             "passes": passes(fit.report()), "source only": source_only / base}
    return [keys | {"quantity": quantity, "value": value} for quantity, value in found.items()]
