"""The baselines without privacy with their defaults, on wind."""

import numpy as np

import references
import tables
from datasets import LONG_MONTHS, Wind, split
from fits import dpadapt
from references import error

TRAIN = 158
METHODS = ("source_only", "pooled", "augmented", "biased_ridge", "coral", "dm", "gdm", "tradaboost_r2")
SETTINGS = {"gdm": {"ridge": 0.1}}  # without a ridge it is dm
PAIRS = ("source_only", "target_only", "biased_ridge")
SPLITS = 3  # of a pair


def fits(source, train, methods):
    yield "default", dpadapt.Predictor(source, train)
    yield from ((method, dpadapt.Baseline(method, source, train, **SETTINGS.get(method, {}))) for method in methods)


def wind(index):
    """Errors of January at Malin Head over that of the baseline target_only."""
    case = Wind().case(train=TRAIN)
    train, test = split(case, index)
    base = error(dpadapt.Baseline("target_only", case.source, train), test)
    yield {"part": "wind", "method": "ridge of the target", "value": error(references.ridge(train), test) / base}
    for method, fit in fits(case.source, train, METHODS):
        yield {"part": "wind", "method": method, "value": error(fit, test) / base}


def pair(month, station):
    """Mean errors of a pair over that of source_only."""
    case = Wind().case(month, station, train=TRAIN)
    found = {}
    for train, test in (split(case, index, seed=3) for index in range(SPLITS)):
        for method, fit in fits(case.source, train, PAIRS):
            found.setdefault(method, []).append(error(fit, test))
    base = np.mean(found.pop("source_only"))
    for method, errors in found.items():
        yield {"part": "pairs", "method": method, "pair": case.name, "value": np.mean(errors) / base}


def tasks(count, quick):
    if quick:
        return [(wind, 0), (pair, 1, "MAL")]
    stations = Wind().stations
    return ([(wind, index) for index in range(count)] +
            [(pair, month, station) for month in LONG_MONTHS for station in stations])


def measure(task):
    part, *arguments = task
    return part(*arguments)


def summarize(rows):
    return (tables.aggregate([row for row in rows if row["part"] == "wind"]) +
            tables.mean_and_worst([row for row in rows if row["part"] == "pairs"], ("part", "method"), "pair"))
