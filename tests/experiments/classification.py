"""Accuracy without privacy, by the protocol of the paper's table for classification: ten random splits of the target into
70 % for training, 20 % for validation and 10 % for testing, everything chosen by the accuracy on the validation part."""

import itertools

import numpy as np

from datasets import load, split
from fits import dpadapt
from references import accuracy, logistic_loss, median_distance
from regression import GAMMAS, standardized

RADII = (0.1, 0.3, 1, 3, 10)
ALPHAS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 1)
PRICES = (("auto", 0), (0.7, 0), (1.5, 0), (3, 0), (1.5, 0.5))  # lambda_1 with d
MATCHED = 2000  # source rows at most for kernel mean matching, drawn at random


def single(alpha):
    return [{"alpha": alpha, "radius": radius} for radius in RADII]


def alike(source, target):
    """Every row counts the same, but the target keeps a tenth."""
    return min(0.9, len(source[1]) / (len(source[1]) + len(target[1])))


def adaptations():
    for alpha, radius, (price, discrepancy) in itertools.product(ALPHAS, RADII, PRICES):
        yield {"alpha": alpha, "radius": radius, "lambda_1": price, "discrepancy": discrepancy}


def fitted(source, train, candidates):
    return (dpadapt.Predictor(source, train, loss="logistic", **settings)
            for settings in candidates)


def chosen(fits, validation):
    """The fit of highest accuracy on the validation part, among equals that of least logistic loss."""
    return max(fits, key=lambda fit: (accuracy(fit, validation), -logistic_loss(fit, validation)))


def matched(source, train):
    """Fits of the source by the weights of kernel mean matching."""
    if len(source[1]) > MATCHED:
        some = np.random.default_rng(0).permutation(len(source[1]))[:MATCHED]
        source = source[0][some], source[1][some]
    median = median_distance(standardized(source, train)[1][0])
    for gamma, radius in itertools.product(GAMMAS, RADII):
        yield dpadapt.Baseline("kmm", source, train, loss="logistic", radius=radius,
                               kernel_gamma=gamma / median, tolerance=1e-3)


def accuracies(source, train, validation, test):
    """In percent on the test rows, each method having chosen on the validation rows."""
    methods = {"train source": single(1), "train target": single(0),
               "pooled": single(alike(source, train)),
               "NCnvxAdap_inf": adaptations()}
    fits = {method: fitted(source, train, candidates) for method, candidates in methods.items()}
    fits["KMM"] = matched(source, train)
    found = {method: 100 * accuracy(chosen(some, validation), test) for method, some in fits.items()}
    for other in ("train source", "train target", "pooled"):
        found[f"NCnvxAdap_inf - {other}"] = found["NCnvxAdap_inf"] - found[other]
    return found


def tasks(count, quick):
    return [] if quick else [(name, index) for name in ("adult", "german", "accent")
                             for index in range(count)]


def measure(task):
    name, index = task
    case = load(name)
    (x, y), test = split(case, index)
    held = round(2 / 9 * len(y))
    found = accuracies(case.source, (x[held:], y[held:]), (x[:held], y[:held]), test)
    return [{"data": name, "method": method, "value": value} for method, value in found.items()]
