"""Squared error without privacy, by the protocol of the paper's table for regression: ten random splits of the target into
rows for training, validation and testing, everything chosen by the error on the validation rows; errors are relative to
ridge regression on the target's training rows. Every method has 33 to 62 candidates.

Usage: regression.py FOLDER [--splits 10]
"""

import argparse
import functools
import itertools
import time

import numpy as np

import tables
from datasets import Wind, airline, gas, news, splits
from fits import dpadapt, in_parallel
from references import error

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
SHARE = 2000 / 3613  # of the target of Gas for testing
CASES = {"wind": (lambda: Wind().case(), 200),  # with the number of rows for validation
         "airline": (lambda: airline(16000, train=500, test=300), 300),
         "news": (lambda: news(3000), 1000),
         "gas 7": (lambda: gas(7, SHARE), 180),
         "gas 6": (lambda: gas(6, SHARE), 414)}
GAS = ("0.441 ± 0.034", "0.381 ± 0.028", "0.342 ± 0.023")
PAPER = {"wind": ("1.009 ± 0.035", "1.009 ± 0.045", "0.985 ± 0.019"),
         "airline": ("2.716 ± 0.202", "1.547 ± 0.068", "0.992 ± 0.012"),
         "news": ("1.162 ± 0.044", "1.006 ± 0.009", "0.995 ± 0.019"), "gas 7": GAS, "gas 6": GAS}


class Ratio(tables.Spread):
    """With three decimals."""

    @staticmethod
    def of(values):
        return Ratio(np.mean(values), np.std(values, ddof=1) if len(values) > 1 else np.nan)

    def __str__(self):
        return f"{self.mean:.3f} ± {self.deviation:.3f}"


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
    x = target[0]
    squares = (x**2).sum(axis=1)
    distances = squares[:, None] + squares - 2 * x @ x.T
    median = np.median(distances[np.triu_indices(len(x), 1)])
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
    scale = dpadapt.solve(source, target, discrepancy=0).setting("kappa_1")
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


def errors(task):
    """Of all methods on the test rows of one split relative to the target only, and seconds of each."""
    name, count, split = task
    case = loaded(name)
    (x, y), test = list(splits(case, count))[split]
    held = CASES[name][1]
    source, target, validation, test = standardized(case.source, (x[held:], y[held:]),
                                                    (x[:held], y[:held]), test)
    fits = {
        "source only": lambda: of_columns(path(source, FINE)),
        "pooled": lambda: of_columns(np.hstack([pooled(source, target, a) for a in ALPHAS])),
        "KMM": lambda: of_columns(kmm(source, target)),
        "DM": lambda: of_columns(weighted("dm", source, target, FINE)),
        "CnvxAdap_inf": lambda: [adapted(source, target, validation)]}
    target_only = error(best(of_columns(path(target, FINE)), validation), test)
    found, seconds = [], []
    for method in METHODS:
        start = time.perf_counter()
        found.append(error(best(fits[method](), validation), test) / target_only)
        seconds.append(time.perf_counter() - start)
    return found, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--splits", type=int, default=10)
    arguments = parser.parse_args()
    heading = (f"# Regression without privacy\n\nSquared error relative to ridge regression on the target only, mean and "
               f"standard deviation of {arguments.splits} random splits (of differences: standard error).")
    rows = []
    for name, paper in PAPER.items():
        tasks = [(name, arguments.splits, split) for split in range(arguments.splits)]
        found, seconds = (np.array(part) for part in zip(*in_parallel(errors, tasks)))
        found = dict(zip(METHODS, found.T))
        rows.append({"data": name,
                     **{method: Ratio.of(found[method]) for method in METHODS},
                     **{f"CnvxAdap_inf - {other}": tables.Mean.of(found["CnvxAdap_inf"] - found[other])
                        for other in ("pooled", "DM")},
                     **{f"paper: {method}": value for method, value in zip(METHODS[2:], paper)}})
        print(", ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
        print("  seconds:", dict(zip(METHODS, seconds.mean(axis=0).round(2))), flush=True)
        tables.write(arguments.folder, "regression", heading, rows)


if __name__ == "__main__":
    main()
