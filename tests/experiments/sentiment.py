"""Reviews of four kinds of goods, 12 ordered pairs: the stars as numbers, or whether a review is positive. As in the paper the
source has 500 reviews of the first kind and 200 of the second; of the second are 300 for training, 50 for validation
and 1000 for testing."""

import csv
import functools
import gzip
import itertools
import lzma
import os

import numpy as np

import classification
import regression
from datasets import Missing, collected
from fits import dpadapt, private
from references import accuracy, error

KINDS = ("kitchen", "books", "dvd", "electronics")
PAIRS = tuple(itertools.permutations(KINDS, 2))
SIZES = (200, 300, 50, 1000)  # of the second kind: for the source, training, validation, testing
FIRST = 500  # of the first kind
WORDS = 100
EPSILONS = (4, 10)
DELTA = 0.01


def _rows(name, opened):
    path = collected(name)
    if not os.path.isfile(path):
        raise Missing(name)
    with opened(path, "rt") as file:
        head, *rows = csv.reader(file)
    return rows


@functools.cache
def stars():
    """Kind of each review, which words occur in it, and its stars."""
    rows = _rows("sentiment_stars.csv.gz", gzip.open)
    return (np.array([row[0] for row in rows]), np.array([row[3:] for row in rows]) != "0",
            np.array([float(row[2]) for row in rows]))


@functools.cache
def polarity():
    """Kind of each review, which words occur in it, and +1 for a positive one, else -1."""
    rows = _rows("sentiment_amazon5000.csv.xz", lzma.open)
    occurs = np.zeros((len(rows), 5000), dtype=bool)
    for row, (*_, counts) in zip(occurs, rows):
        row[[int(entry.split(":")[0]) for entry in counts.split()]] = True
    return (np.array([row[0] for row in rows]), occurs, np.array([float(row[2]) for row in rows]))


def words(occurs, labels):
    """The words of highest correlation with the labels."""
    x, y = occurs.astype(float), labels - labels.mean()
    deviation = x.std(axis=0)
    correlation = np.abs(x.T @ y) / np.where(deviation > 0, deviation, np.inf)
    return np.argsort(-correlation, kind="stable")[:WORDS]


def samples(data, pair, index):
    """Source, training, validation and test rows, with the words that the source chooses."""
    kind, occurs, labels = data
    random = np.random.default_rng([PAIRS.index(pair), index])
    first, second = (random.permutation(np.flatnonzero(kind == name)) for name in pair)
    own, *target = np.split(second[:sum(SIZES)], np.cumsum(SIZES)[:-1])
    source = np.concatenate([first[:FIRST], own])
    chosen = words(occurs[source], labels[source])
    return [(occurs[np.ix_(rows, chosen)].astype(float), labels[rows]) for rows in (source, *target)]


def tasks(count, quick):
    return [] if quick else [(pair, index) for pair in PAIRS for index in range(count)]


def _measured(pair, found):
    return [{"data": " to ".join(pair), "method": method, "value": value}
            for method, value in found.items()]


def _private(source, train, score, **settings):
    return {f"private, epsilon {epsilon}": score(private(source, train, epsilon, DELTA, **settings))
            for epsilon in EPSILONS}


def measure_stars(task):
    """Squared errors; "mean" predicts the mean of the stars in the source."""
    pair, index = task
    source, train, validation, test = samples(stars(), pair, index)
    return _measured(pair, {
        "mean": np.mean((test[1] - source[1].mean()) ** 2),
        **regression.errors(source, train, validation, test),
        "no privacy, defaults": error(dpadapt.Predictor(source, train), test),
        **_private(source, train, lambda fit: error(fit, test))})


def measure_polarity(task):
    """Accuracy in percent."""
    pair, index = task
    source, train, validation, test = samples(polarity(), pair, index)
    return _measured(pair, {
        **classification.accuracies(source, train, validation, test),
        **_private(source, train, lambda fit: 100 * accuracy(fit, test), loss="logistic")})
