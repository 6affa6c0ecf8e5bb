"""A hundredth of the cells, or of the labels, are no measurements but a code or a slip. The sets of LOOKED were looked at
while the rule for such cells was made, adult after the first run; those of REPORTED were named before it, and looked
at once."""

import os

import numpy as np

import references
import unseen
from datasets import Wind, load, split
from fits import dpadapt

LOOKED = ("wind", "california", "german", "adult")
REPORTED = ("wine", "bike")
CLASSES = ("german", "adult")
CODES = (999, -9999, 2.0**31, 1e9)
SHARE = 0.01
ROWS = 3000  # of the source at most, and of the target
EPSILON = 1
# What nobody's data decide where both are private, in units of the labels.
KNOWN = {"squared": unseen.KNOWN["squared"], "huber": {"label_bound": 3, "huber_threshold": 1},
         "pinball": {"label_bound": 3, "quantile_smoothing": 0.2}, "logistic": {}}


def losses(name):
    return ("logistic",) if name in CLASSES else ("squared", "huber", "pinball")


def tasks(count, quick):
    if quick:
        return [("wind", "squared", 0)]
    return [(name, loss, index) for name in LOOKED + REPORTED for loss in losses(name) for index in range(count)]


def spoil(sample, share, code, place, seed):
    """That share of each column, or of the labels, is the code."""
    x, y = (np.array(part) for part in sample)
    random = np.random.default_rng(seed)
    for column in x.T if place == "features" else [y]:
        column[random.choice(len(y), max(1, round(share * len(y))), replace=False)] = code
    return x, y


def error(fit, test, loss):
    """Squared error of predictions, or the mean logistic loss."""
    if loss == "logistic":
        return np.mean(np.logaddexp(0, -test[1] * fit(test[0])))
    return references.error(fit.predict, test)


def measure(task):
    """Errors over those of the clean data with the same noise."""
    name, loss, index = task
    case = Wind().case() if name == "wind" else load(name)
    train, test = split(case, index)
    kept = np.random.default_rng(index).permutation(len(case.source[1]))[:ROWS]
    source, train = tuple(part[kept] for part in case.source), tuple(part[:ROWS] for part in train)
    for private in ("none", "target", "source", "both"):
        unit = "logistic" if loss == "logistic" else "squared"
        sets = unseen.settings(private, unit, EPSILON) | {"loss": loss}
        if private != "none":
            sets["unsafe_seed"] = index

        def made(code=None, place=None):
            """In units of the first rows of the source, which stay clean, where both are private."""
            spoilt = [sample if code is None or private == clean else spoil(sample, SHARE, code, place, index)
                      for sample, clean in ((source, "source"), (train, "target"))]
            if private != "both":
                return error(dpadapt.Predictor(*spoilt, **sets), test, loss)
            first = tuple(np.concatenate([clean[:unseen.PUBLIC], rest[unseen.PUBLIC:]])
                          for clean, rest in zip(source, spoilt[0]))
            (mine, theirs, known), bounds = unseen.in_units(unit, first, spoilt[1], test)
            given = {key: value for key, value in bounds.items() if key not in unseen.KNOWN[unit]} | KNOWN[loss]
            return error(dpadapt.Predictor(mine, theirs, **sets | given), known, loss)

        clean = made()
        row = {"data": name, "private": private, "loss": loss}
        for place in ("features",) if loss == "logistic" else ("features", "labels"):
            worst = max(made(code, place) / clean for code in CODES)
            yield row | {"place": place, "version": os.environ.get("DPADAPT_VERSION_NAME", "this"), "value": worst}
