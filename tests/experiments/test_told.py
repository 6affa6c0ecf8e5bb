"""Cases that defaults lose, and that public rows, sizes or releases show, are told in the fit's findings; the same
case without its fault is not. docs/defaults.md, "Where defaults are weak"."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

from prerequisites import require

require("numpy")

import numpy as np

import dpadapt_ctypes as dpadapt

FEATURES = 4


def normal(random, rows, moved=0.0, wider=1.0, features=FEATURES):
    return wider * random.normal(size=(rows, features)) + moved * np.eye(features)[0]


def numbers(level=0.0, law=0.3, public=2000, features=FEATURES, **target):
    """Linear labels; of the target at another level, by another law, of columns elsewhere."""
    def pair(random, rows):
        slopes = random.normal(size=features)
        x, z = normal(random, public, features=features), normal(random, rows, features=features, **target)
        own = slopes + law * random.normal(size=features) / features**0.5
        return (x, x @ slopes + random.normal(size=public)), (z, z @ own + level + random.normal(size=rows))
    return pair


def classes(level):
    def pair(random, rows):
        slopes = random.normal(size=FEATURES)

        def sample(count):
            x = normal(random, count)
            positive = random.random(count) < 1 / (1 + np.exp(-0.3 * x @ slopes - level))
            return x, np.where(positive, 1.0, -1.0)
        return sample(2000), sample(rows)
    return pair


def rates(level):
    def pair(random, rows):
        slopes = random.normal(size=FEATURES) / 6

        def sample(count, above=0.0):
            x = normal(random, count)
            return x, random.poisson(np.exp(x @ slopes + above)).astype(float)
        return sample(2000), sample(rows, level)
    return pair


def repeated(distance):
    def pair(random, rows):
        def sample(count):
            x = normal(random, count)
            x[:, 1] = x[:, 0] + distance * x[:, 1]
            return x, x @ np.ones(FEATURES) + random.normal(size=count)
        return sample(2000), sample(rows)
    return pair


def opposite(size):
    """Classes by opposite laws; that small signs tell little is no fault."""
    def pair(random, rows):
        slopes = size * np.ones(FEATURES) / 2

        def sample(count, slopes):
            x = normal(random, count)
            return x, np.where(random.random(count) < 1 / (1 + np.exp(-x @ slopes)), 1.0, -1.0)
        return sample(2000, slopes), sample(rows, -slopes)
    return pair


def two_values(random, rows):
    """Numbers whose residuals all have one size."""
    def sample(count):
        return normal(random, count), np.sign(random.normal(size=count))
    return sample(2000), sample(rows)


NETWORK = {"loss": "perceptron", "perceptron_output": "squared", "hidden_units": "4"}
# Of each code: words of its sentence; the case and its settings; the same without the fault.
CASES = {
    "source_fails": ("predictor fails on most", [
        (numbers(level=4), {}, numbers()),
        (numbers(wider=100), {}, numbers(wider=1.5)),
        (numbers(level=4), {"loss": "huber"}, numbers()),
        (numbers(level=4), {"loss": "pinball"}, numbers()),
        (rates(3), {"loss": "poisson"}, rates(0.3)),
        (opposite(4), {"loss": "logistic", "epsilon": 4}, opposite(0.1)),
        (numbers(level=4), {}, two_values)]),
    "rows_far_off": ("lie further away", [
        (numbers(moved=10), {}, numbers(moved=1)),
        (numbers(moved=10), {"loss": "huber"}, numbers(moved=1))]),
    "rare_class": ("the rarest class has", [(classes(-5), {"loss": "logistic"}, classes(-2))]),
    "few_public_rows": ("few rows with labels", [
        (numbers(public=60, features=50), {}, numbers(public=120, features=50))]),
    "nearly_dependent_column": ("nearly a linear combination", [(repeated(1e-3), {}, repeated(0.1))]),
}


def told(words, pair, rows, index, **settings):
    random = np.random.default_rng(20261130 + index)
    settings = {"epsilon": 1, "delta": 1e-5, "unsafe_seed": index + 1, **settings}
    fit = dpadapt.Predictor(*pair(random, rows), private_domain="target", **settings)
    return any(words in sentence for sentence in fit.findings())


failed = False
for code, (words, cases) in CASES.items():
    for number, (weak, settings, sound) in enumerate(cases):
        counts = [sum(told(words, pair, 1000, index, **settings) for index in range(6)) for pair in (weak, sound)]
        print(f"{code} {number}: told of {counts[0]} of 6, of {counts[1]} without the fault")
        failed |= counts != [6, 0]
few, many = (told("network of numbers", numbers(), rows, 0, **NETWORK) for rows in (400, 1000))
print(f"small_network: {few}, {many}")
sys.exit(failed or not few or many)
