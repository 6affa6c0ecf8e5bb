"""Nothing private, nothing chosen: what alpha = auto makes of the target's rows, beside either domain alone, all rows alike, and
methods that choose on validation rows."""

import numpy as np

import references
import regression
import tables
from classification import alike
from curves import DELTAS, loss_of, wrong
from datasets import LONG_MONTHS, Wind, load, split
from fits import dpadapt
from references import error

CLASSES = ("accent", "german", "adult")
DISTINCT = ("california", "bike", "wine", "parkinson", "diamonds", "crime_south")
ROWS = (200, 1000, 10**6)  # the last: all training rows
RIDGES = (0, 1e-3, 1e-2, 0.1, 1, 1e6)  # of the source's fit
TRAIN = (158, 358)  # of the pairs
SOURCE_ROWS = 5000  # of the made-up data
FEATURES = 5
SIGNS = {"opposite sign": -1, "same law": 1, "source without signal": 0}


def towards_source(source, target):
    """Ridge fits of what ridge fits of the source leave of the target."""
    anchors = regression.path(source, np.array(RIDGES) + 1e-9)
    for anchor in anchors.T:
        x, y = target
        left = (x, y - x @ anchor[:-1] - anchor[-1])
        yield regression.path(left, regression.FINE) + anchor[:, None]


def validated(name, index):
    """By the protocol of `regression`; the default has no use for validation rows and is fitted to these as well."""
    case, held = regression.loaded(name), regression.CASES[name][1]
    both, test = split(case, index)
    parts = tuple(part[held:] for part in both), tuple(part[:held] for part in both)
    source, train, validation, known = regression.standardized(case.source, *parts, test)

    def chosen(columns):
        return error(regression.best(regression.of_columns(columns), validation), known)

    alike = [regression.pooled(source, train, alpha) for alpha in regression.ALPHAS]
    found = {"target only": chosen(regression.path(train, regression.FINE)),
             "pooled": chosen(np.hstack(alike)),
             "towards the source": chosen(np.hstack(list(towards_source(source, train)))),
             "target only, all rows": error(references.ridge(both), test),
             "default, training rows": error(dpadapt.Predictor(case.source, parts[0]), test),
             "default": error(dpadapt.Predictor(case.source, both), test)}
    for method, value in found.items():
        if method != "target only":
            yield {"part": "validated", "data": name, "method": method, "value": value / found["target only"]}


def classes(name, index):
    """Right signs in percent."""
    case = load(name)
    train, test = split(case, index)
    alphas = {"default": "auto", "target only": 0, "source only": 1,
              "rows alike": alike(case.source, train)}
    for method, alpha in alphas.items():
        fit = dpadapt.Predictor(case.source, train, loss="logistic", alpha=alpha)
        yield {"part": "classes", "data": name, "method": method, "value": 100 - wrong(fit, test)}


def distinct(name, index):
    """Errors over that of target only on all rows."""
    case = load(name)
    all_rows, test = split(case, index)
    scale = error(references.ridge(all_rows), test)
    delta = DELTAS[loss_of(name)]
    for rows in sorted({min(rows, case.train) for rows in ROWS}):
        train = tuple(part[:rows] for part in all_rows)
        fits = {"source only": references.least_squares(case.source), "target only": references.ridge(train),
                "rows alike": dpadapt.Predictor(case.source, train, alpha=alike(case.source, train)),
                "default": dpadapt.Predictor(case.source, train),
                "private, epsilon 4": dpadapt.Predictor(case.source, train, private_domain="target",
                                                        epsilon=4, delta=delta)}
        for method, fit in fits.items():
            yield {"part": "distinct", "data": name, "n": rows, "method": method,
                   "value": error(fit, test) / scale}


def pair(month, station, rows, count):
    """Mean error of the splits over that of the better domain alone."""
    case = Wind().case(month, station, train=rows)
    source_only = references.least_squares(case.source)
    found = np.array([[error(fit, test) for fit in (
        source_only, references.ridge(train), dpadapt.Predictor(case.source, train))]
        for train, test in (split(case, index, seed=3) for index in range(count))])
    alone, both, default = found.mean(axis=0)
    yield {"part": "pairs", "distinct rows": rows, "pair": case.name, "value": default / min(alone, both)}


def made_up(kind, rows, index):
    """Squared distance of the coefficients from those of the target, which are 1: the error without the noise of the labels."""
    random = np.random.default_rng(index)

    def sample(count, sign):
        x = random.normal(size=(count, FEATURES))
        return x, x.sum(axis=1) * sign + random.normal(size=count)

    source, target = sample(SOURCE_ROWS, SIGNS[kind]), sample(rows, 1)
    test = sample(2000, 1)
    clean = test[0], test[0].sum(axis=1)
    both = tuple(np.concatenate(parts) for parts in zip(source, target))
    fits = {"target only": references.least_squares(target), "pooled": references.least_squares(both),
            "default": dpadapt.Predictor(source, target)}
    for method, fit in fits.items():
        yield {"part": "made up", "data": kind, "n": rows, "method": method, "value": error(fit, clean)}


def tasks(count, quick):
    if quick:
        return ([(validated, "wind", index) for index in range(count)] +
                [(made_up, kind, 200, index) for kind in SIGNS for index in range(count)] +
                [(pair, 1, "MAL", 158, count)])
    stations = Wind().stations
    return ([(validated, name, index) for name in list(regression.CASES)[:-1]
             for index in range(count * (3 if name in regression.CLOSE else 1))] +
            [(classes, name, index) for name in CLASSES for index in range(count)] +
            [(distinct, name, index) for name in DISTINCT for index in range(count)] +
            [(pair, month, station, rows, 2 * count)
             for rows in TRAIN for month in LONG_MONTHS for station in stations] +
            [(made_up, kind, rows, index) for kind in SIGNS for rows in (50, 200, 2000)
             for index in range(2 * count)])


def measure(task):
    part, *arguments = task
    return part(*arguments)


def summarize(rows):
    """The pairs are summed up over the pairs, all else over the splits."""
    return (tables.aggregate([row for row in rows if row.get("part") != "pairs"]) +
            tables.mean_and_worst([row for row in rows if row.get("part") == "pairs"], ("part", "distinct rows"), "pair"))
