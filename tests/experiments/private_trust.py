"""Something private, nothing chosen: which domain does alpha = auto trust, whichever sample is private?"""

import numpy as np

import references
from datasets import load, split
from fits import DELTA, dpadapt
from references import error

FEATURES = 5
SOURCE_ROWS = 5000
FACTORS = (-1, 0, 0.5, 1)  # of the source's coefficients in those of the target
ROWS = (2000, 20000, 100000)
EPSILONS = (1, 10)
LOOKED_AT = ("wind", "gas 6", "california", "bike")
LOOKED_AT_ONCE = ("gas 7", "news", "airline", "wine", "parkinson", "diamonds", "crime_south")
DISTINCT = (200, 500, 1000, 10**6)  # the last: all training rows
# What nobody's data decide where both are private: units of wind in knots over their usual size.
KNOWN = {"preprocess": "none", "feature_radius": 6, "label_bound": 3, "radius": 3, "kappa_1": 4,
         "clip_bound": 0.5}


def made_up(factor, rows, index):
    """The error without the noise of the labels."""
    random = np.random.default_rng(index)

    def sample(count, sign):
        x = random.normal(size=(count, FEATURES))
        return x, x.sum(axis=1) * sign + random.normal(size=count)

    samples = {"source": sample(SOURCE_ROWS, factor), "target": sample(rows, 1)}
    x = random.normal(size=(2000, FEATURES))
    clean = x, x.sum(axis=1)
    for epsilon in EPSILONS:
        private = {"private_domain": "target", "epsilon": epsilon, "delta": 1e-5}
        fits = {"auto": dpadapt.Predictor(**samples, **private),
                "alpha 0": dpadapt.Predictor(**samples, alpha=0, shrinkage=0, **private),
                "ada_ssp": dpadapt.Baseline("ada_ssp", **samples, **private)}
        for method, fit in fits.items():
            yield {"part": "made up", "factor": factor, "n": rows, "epsilon": epsilon,
                   "method": method, "value": error(fit, clean)}


def distinct(name, index):
    """Errors over that of target only on all rows; every private row is another record."""
    case = load(name)
    train, test = split(case, index)
    scale = error(references.ridge(train), test)
    for rows in sorted({min(rows, case.train) for rows in DISTINCT}):
        sample = tuple(part[:rows] for part in train)
        row = {"part": "looked at" if name in LOOKED_AT else "looked at once", "data": name,
               "n": rows}
        for method, fit in (("source only", references.least_squares(case.source)),
                            ("target only", references.ridge(sample))):
            yield row | {"method": method, "value": error(fit, test) / scale}
        for epsilon in (0.5, 1, 4):
            fit = dpadapt.Predictor(case.source, sample, private_domain="target", epsilon=epsilon,
                                    delta=DELTA)
            yield row | {"method": f"epsilon {epsilon}", "value": error(fit, test) / scale}


def roles(index):
    """Wind with the source private, and with both."""
    case = load("wind")
    train, test = split(case, index)
    scale = error(references.ridge(train), test)

    def in_units(sample):
        return (sample[0] - 10) / 5, (sample[1] - 15) / 7

    source, target, known = map(in_units, (case.source, train, test))
    for epsilon in (0.1, 0.5, 1, 10):
        private = {"epsilon": epsilon, "delta": DELTA}
        fit = dpadapt.Predictor(case.source, train, private_domain="source", **private)
        yield {"part": "roles", "private": "source", "epsilon": epsilon,
               "value": error(fit, test) / scale}
        if epsilon < 1:
            continue
        fit = dpadapt.Predictor(source, target, private_domain="both", **private, **KNOWN)
        yield {"part": "roles", "private": "both", "epsilon": epsilon,
               "value": 49 * error(fit, known) / scale}


def tasks(count, quick):
    if quick:
        return [(made_up, -1, 2000, 0), (distinct, "wind", 0), (roles, 0)]
    return ([(made_up, factor, rows, index) for factor in FACTORS for rows in ROWS
             for index in range(min(count, 5))] +
            [(distinct, name, index) for name in LOOKED_AT + LOOKED_AT_ONCE
             for index in range(count)] +
            [(roles, index) for index in range(count)])


def measure(task):
    part, *arguments = task
    return part(*arguments)
