"""Fits without privacy to compare with; each returns a function of the features."""

import numpy as np

LAMBDAS = 10.0 ** np.arange(-6, 2.1, 0.5)


def _standardized(x):
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    deviation[deviation <= 1e-12 * np.abs(mean)] = 1.0
    return mean, np.where(deviation > 0, deviation, 1.0)


def ridge(sample, lambdas=LAMBDAS):
    """Ridge regression on standardized features, lambda by the leave-one-out error."""
    x, y = sample
    mean, deviation = _standardized(x)
    u, s, vt = np.linalg.svd((x - mean) / deviation, full_matrices=False)
    centre = y.mean()
    along = u.T @ (y - centre)

    def left_out(ridge_):
        kept = s**2 / (s**2 + len(y) * ridge_)
        leverage = np.minimum((u**2) @ kept + 1 / len(y), 0.999)
        return np.mean(((y - centre - u @ (kept * along)) / (1 - leverage)) ** 2)

    chosen = min(lambdas, key=left_out)
    w = vt.T @ (s / (s**2 + len(y) * chosen) * along)
    return lambda features: (features - mean) / deviation @ w + centre


def least_squares(sample):
    """Ordinary least squares with an intercept."""
    x, y = sample
    mean, deviation = _standardized(x)
    w = np.linalg.lstsq((x - mean) / deviation, y - y.mean(), rcond=None)[0]
    return lambda features: (features - mean) / deviation @ w + y.mean()


def pooled(source, target):
    return ridge(tuple(np.concatenate(pair) for pair in zip(source, target)))


def median_distance(x):
    """Median squared distance of two rows."""
    squares = (x**2).sum(axis=1)
    distances = squares[:, None] + squares - 2 * x @ x.T
    return np.median(distances[np.triu_indices(len(x), 1)])


def error(predict, sample):
    """Mean squared error."""
    return np.mean((predict(sample[0]) - sample[1]) ** 2)


def accuracy(score, sample):
    """Share of labels -1 and +1 whose sign the score has."""
    return np.mean(np.where(score(sample[0]) < 0, -1, 1) == sample[1])


def logistic_loss(score, sample):
    """Mean of log(1 + exp(-y s))."""
    return np.mean(np.logaddexp(0, -sample[1] * score(sample[0])))
