"""Prediction intervals of level 0.9 by private calibration rows: how often they cover, and how wide they are."""

import numpy as np

from datasets import load
from fits import dpadapt

LEVEL = 0.9
EPSILON = 1
DELTA = 1e-6
ROWS = (300, 1000, 5000)
MADE_UP = ("normal", "t3", "skewed", "heteroscedastic", "covariate shift", "label shift")
REAL = ("bike", "california", "airline", "adult")
DRAWS = 50  # for each split that is asked for
POPULATION = 40000
SOURCE_SCALE = 0.8  # of the made up source's noise


def tasks(count, quick):
    names = ("normal", "wind") if quick else (*MADE_UP, *REAL)
    return [(name, rows, index) for name in names for rows in (ROWS[:1] if quick else ROWS)
            for index in range(1 if quick else count)]


def noise(kind, count, random):
    if kind == "t3":
        return random.standard_t(3, count)
    return random.exponential(size=count) - 1 if kind == "skewed" else random.standard_normal(count)


def numbers(kind, count, random, target):
    x = random.standard_normal((count, 5))
    if target and kind == "covariate shift":
        x[:, 0] += 1
    scale = np.exp(0.5 * x[:, 0]) if kind in ("heteroscedastic", "covariate shift") else 1
    scale = scale * (1 if target else SOURCE_SCALE)
    return x, x @ np.arange(1, 6) / 5 + scale * noise(kind, count, random)


def classes(count, random, positive):
    y = np.where(random.random(count) < positive, 1.0, -1.0)
    return random.standard_normal((count, 5)) + y[:, None] * np.array([0.8, 0.4, 0, 0, 0]), y


def domains(name):
    """Source and target rows; of the target a population, from which rows are drawn."""
    random = np.random.default_rng(8)
    if name == "label shift":
        return classes(2000, random, 0.5), classes(POPULATION, random, 0.15)
    if name in MADE_UP:
        return numbers(name, 2000, random, False), numbers(name, POPULATION, random, True)
    case = load(name)
    rows = random.permutation(len(case.source[1]))[:12000]
    return (case.source[0][rows], case.source[1][rows]), case.target


def measure(task):
    """Coverage, width over that of split conformal prediction without privacy, and the interval
    score (width and what is beyond it) over that of the quantile of the source's errors."""
    name, rows, index = task
    source, target = domains(name)
    by_class = name in ("label shift", "adult")
    fit = dpadapt.Baseline("source_only", source, target, loss="logistic" if by_class else "squared")
    random = np.random.default_rng([index, rows])
    found = sets(fit, source, target) if by_class else ends(fit, source, target)
    for _ in range(DRAWS):
        drawn = random.integers(0, len(target[1]), rows)
        private = fit.calibrated((target[0][drawn], target[1][drawn]), source, private_domain="target",
                                 epsilon=EPSILON, delta=DELTA)
        for interval, quantity, value in found(private, drawn):
            yield {"data": name, "n": rows, "interval": interval, "quantity": quantity, "value": value}


def quantile(scores, level=LEVEL):
    """The k-th smallest, k the least that is (n + 1) level or more."""
    return np.sort(scores)[min(int(np.ceil((len(scores) + 1) * level)), len(scores)) - 1]


def ends(fit, source, target):
    """What intervals of numbers are worth, by a calibrated fit and the rows of its calibration."""
    population, of_source = (np.abs(rows[1] - fit.predict(rows[0])) for rows in (target, source))

    def score(half):
        return 2 * half + 2 / (1 - LEVEL) * np.mean(np.maximum(population - half, 0))

    def found(private, drawn):
        lower, upper = private.predict_interval(target[0][:1], LEVEL)
        halves = {"private": (upper[0] - lower[0]) / 2,
                  "without privacy": quantile(population[drawn]), "of the source": quantile(of_source)}
        for interval, half in halves.items():
            yield interval, "coverage", float(np.mean(population <= half))
            yield interval, "infinite", float(np.isinf(half))
            if np.isfinite(half):
                yield interval, "width", half / halves["without privacy"]
                yield interval, "score", score(half) / score(halves["of the source"])
    return found


def sets(fit, source, target):
    """The same of two classes; the width is the number of classes in a set."""
    scores = fit(target[0])
    losses = np.logaddexp(0, scores), np.logaddexp(0, -scores)  # of the labels -1 and 1
    population = np.where(target[1] > 0, losses[1], losses[0])
    of_source = np.logaddexp(0, -source[1] * fit(source[0]))

    def size(threshold):
        return sum(np.mean(loss <= threshold) for loss in losses)

    def found(private, drawn):
        both = private.predict_interval(target[0], LEVEL)
        exact = quantile(population[drawn])
        yield "private", "coverage", float(np.where(target[1] > 0, both[1], both[0]).mean())
        yield "private", "width", both.sum(axis=0).mean() / size(exact)
        for interval, threshold in (("without privacy", exact), ("of the source", quantile(of_source))):
            yield interval, "coverage", float(np.mean(population <= threshold))
            yield interval, "width", size(threshold) / size(exact)
    return found
