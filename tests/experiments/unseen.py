"""Do no harm where nobody looked: four tables of packages, each sample private or not, beside either domain alone at the
same privacy. README.md named them before the first run."""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "benchmark"))

import packages
import references
import strange
from curves import DELTAS, wrong
from datasets import Wind, split

ROWS = (200, 1000, 10**6)  # the last: all training rows
EPSILONS = (0.5, 1, 4)
PUBLIC = 200  # source rows that give the units where both are private
# As for wind with both private: what nobody's data decide, in these units.
KNOWN = {"squared": {"label_bound": 3, "kappa_1": 4}, "logistic": {}}


def settings(private, loss, epsilon):
    if private == "none":
        return {"loss": loss}
    return {"loss": loss, "private_domain": private, "epsilon": epsilon, "delta": DELTAS[loss]}


def in_units(loss, source, *samples):
    """All in means and deviations of the first rows of the source, with bounds; the rest of the source is private."""
    (x, y), rest = (tuple(part[rows] for part in source) for rows in (slice(PUBLIC), slice(PUBLIC, None)))
    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread[spread == 0] = 1
    centre, scale = (y.mean(), y.std()) if loss == "squared" else (0, 1)
    samples = [((x - mean) / spread, (y - centre) / scale) for x, y in (rest, *samples)]
    radius = np.quantile(np.linalg.norm((x - mean) / spread, axis=1), 0.99)
    bounds = {"preprocess": "none", "feature_radius": radius, "radius": 3, "clip_bound": 0.5, **KNOWN[loss]}
    return samples, bounds


def tasks(count, quick):
    if quick:
        return [("wind", 0)]
    return [(name, index) for name in packages.UNSEEN for index in range(count)]


def measure(task):
    """Squared errors over that of ridge regression on all rows of the target; of classes wrong signs in percent."""
    name, index = task
    loss, load = ("squared", Wind().case) if name == "wind" else packages.UNSEEN[name]
    case = load()
    train, test = split(case, index)
    error = references.error if loss == "squared" else wrong
    for private in ("none", "target", "source", "both"):
        source, mine, known, bounds = case.source, train, test, {}
        if private == "both":
            (source, mine, known), bounds = in_units(loss, source, train, test)
        scale = error(references.ridge(mine), known) if loss == "squared" else 1
        for rows in sorted({min(rows, case.train) for rows in ROWS}):
            sample = tuple(part[:rows] for part in mine)
            for epsilon in ("",) if private == "none" else EPSILONS:
                row = {"data": name, "private": private, "n": rows, "epsilon": epsilon}
                sets = settings(private, loss, epsilon) | bounds
                for method, fit in strange.fits(source, sample, private, loss, sets):
                    labels = getattr(fit, "predict", fit) if loss == "squared" else fit
                    yield row | {"method": method, "value": error(labels, known) / scale}
