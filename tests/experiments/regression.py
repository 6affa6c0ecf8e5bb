"""Squared error without privacy, by the protocol of the paper's table for regression: ten random splits of the target into
rows for training, validation and testing, everything chosen by the error on the validation rows; errors are relative to
ridge regression on the target's training rows. Every method has 33 to 62 candidates."""

import functools
import itertools

import numpy as np

from datasets import Wind, airline, gas, news, slices, split
from fits import dpadapt
from references import error, median_distance

FINE = 10.0 ** np.arange(-6, 2.1, 0.25)  # where only the ridge is chosen
RIDGES = 10.0 ** np.arange(-5, 1.1, 1)
HALVES = 10.0 ** np.arange(-5, 1.1, 0.5)
ALPHAS = (0, 0.1, 0.3, 0.5, 0.7, 0.9)
FEW = (0, 0.3, 0.6, 0.9)
CONSTANT = 10.0
GAMMAS = (0.5, 2)  # over the median squared distance of target rows
BOUNDS = (10, 1000)
PRICES = (1 / 16, 0.25, 1, 4, 100)  # kappa_1 over its default
FIRST = {"price": 4, "d": 0}  # d over kappa_1
METHODS = ("source only", "pooled", "KMM", "DM", "CnvxAdap_inf")
CLOSE = ("wind", "airline", "news")  # methods differ by little: more splits
SHARE = 2000 / 3613  # of the target of Gas for testing
CASES = {"wind": (lambda: Wind().case(), 200),  # with the number of rows for validation
         "airline": (lambda: airline(16000, train=500, test=300), 300),
         "news": (lambda: news(3000), 1000),
         "gas 7": (lambda: gas(7, SHARE), 180),
         "gas 6": (lambda: gas(6, SHARE), 414),
         "slice": (slices, 17),
         "slice / 4": (lambda: slices(step=4), 17)}  # every fourth feature


@functools.cache
def loaded(name):
    return CASES[name][0]()


def standardized(source, *samples):
    """All samples in coordinates in which the source has mean 0 and variance 1, labels of mean 0."""
    mean, deviation = source[0].mean(axis=0), source[0].std(axis=0)
    deviation[deviation <= 1e-12 * np.abs(mean)] = 1.0
    return [((x - mean) / deviation, y - source[1].mean()) for x, y in (source, *samples)]


def path(sample, ridges, weights=None):
    """Weighted ridge fits: a column of coefficients for each ridge, the intercept last."""
    x, y = sample
    weights = np.full(len(y), 1 / len(y)) if weights is None else weights / weights.sum()
    mean, centre = weights @ x, weights @ y
    x, y = x - mean, y - centre
    values, vectors = np.linalg.eigh((x.T * weights) @ x)
    along = vectors.T @ (x.T @ (weights * y))
    w = vectors @ (along[:, None] / (np.maximum(values, 0)[:, None] + ridges))
    return np.vstack([w, centre - mean @ w])


def pooled(source, target, alpha, ridges=RIDGES):
    """Ridge fits of both samples, the source having the share alpha."""
    both = tuple(np.concatenate(pair) for pair in zip(source, target))
    parts = [np.full(len(y), share / len(y)) for share, (_, y) in ((alpha, source), (1 - alpha, target))]
    return path(both, ridges, np.concatenate(parts))


def of_columns(columns):
    return [lambda x, c=column: x @ c[:-1] + c[-1] for column in columns.T]


def best(fits, validation):
    return min(fits, key=lambda fit: error(fit, validation))


def weighted(method, source, target, ridges, **settings):
    """Ridge fits of the source by the weights of a baseline."""
    weights = dpadapt.baseline(method, source, target, **settings)
    return path(source, ridges, weights.vector("source_weights", len(source[1])))


def kmm(source, target):
    median = median_distance(target[0])
    return np.hstack([
        weighted("kmm", source, target, HALVES, kernel_gamma=gamma / median, weight_bound=bound,
                 tolerance=1e-3)
        for gamma, bound in itertools.product(GAMMAS, BOUNDS)])


def with_constant(x):
    """The ball shrinks the intercept like any coefficient: of a large constant it needs a small one."""
    return np.hstack([x, np.full((len(x), 1), CONSTANT)])


def clearly_better(new, old, validation):
    """Whether the mean error falls by more than two standard errors of the difference."""
    x, y = validation
    gain = (old(x) - y) ** 2 - (new(x) - y) ** 2
    return gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(len(y))


def adapted(source, target, validation):
    """CnvxAdap_inf: first alpha and the radius, of those of the pooled fits; then kappa_1 and d, where that is clearly
    better."""
    # Of the source alone: alpha = auto, the default, chooses kappa_1 anew.
    scale = dpadapt.solve(source, target, alpha=0.5, discrepancy=0).setting("kappa_1")
    wider = [(with_constant(x), y) for x, y in (source, target)]

    def fit(alpha, radius, price, d):
        predict = dpadapt.Predictor(*wider, preprocess="none", intercept=False, alpha=alpha, radius=radius,
                                    kappa_1=price * scale, discrepancy=d * price * scale)
        return lambda x: predict(with_constant(x))

    def chosen(candidates):
        return min(candidates, key=lambda candidate: error(fit(**candidate), validation))

    def radii(alpha):
        columns = pooled(source, target, alpha, HALVES)
        columns[-1] /= CONSTANT
        return np.linalg.norm(columns, axis=0)

    first = chosen([{"alpha": alpha, "radius": radius, **FIRST} for alpha in FEW for radius in radii(alpha)])
    second = chosen([{**first, "price": price, "d": d} for price, d in itertools.product(PRICES, (0, 1))])
    simple, refined = fit(**first), fit(**second)
    return refined if clearly_better(refined, simple, validation) else simple


def fits(source, target, validation):
    """What each method has to choose from: functions, because some take long."""
    return {
        "source only": lambda: of_columns(path(source, FINE)),
        "pooled": lambda: of_columns(np.hstack([pooled(source, target, a) for a in ALPHAS])),
        "KMM": lambda: of_columns(kmm(source, target)),
        "DM": lambda: of_columns(weighted("dm", source, target, FINE)),
        "CnvxAdap_inf": lambda: [adapted(source, target, validation)]}


def errors(source, target, validation, test):
    """Of target only and of all methods on the test rows."""
    source, target, validation, test = standardized(source, target, validation, test)
    found = {"target only": error(best(of_columns(path(target, FINE)), validation), test)}
    for method, candidates in fits(source, target, validation).items():
        found[method] = error(best(candidates(), validation), test)
    return found


def tasks(count, quick):
    names = ("wind", "slice / 4") if quick else list(CASES)[:-1]
    return [(name, index) for name in names
            for index in range(3 * count if name in CLOSE and not quick else count)]


def measure(task):
    """Errors on the test rows of one split relative to target only, and differences."""
    name, index = task
    case = loaded(name)
    (x, y), test = split(case, index)
    held = CASES[name][1]
    found = errors(case.source, (x[held:], y[held:]), (x[:held], y[:held]), test)
    ratios = {method: found[method] / found["target only"] for method in METHODS}
    for other in ("pooled", "KMM", "DM"):
        ratios[f"CnvxAdap_inf - {other}"] = ratios["CnvxAdap_inf"] - ratios[other]
    return [{"data": name, "method": method, "value": ratio} for method, ratio in ratios.items()]
