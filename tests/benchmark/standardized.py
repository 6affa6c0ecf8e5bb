"""Samples in the units of the public one, for libraries whose defaults expect that."""

import numpy as np


class Standardized:
    """Standardizes by the source, with classes 0 and 1; predictions come back as labels, in the
    range of the public ones, widened by half on both sides as the library does it."""

    def __init__(self, source, loss):
        self.centre, self.spread = source[0].mean(axis=0), source[0].std(axis=0)
        self.spread = np.where(self.spread > 1e-12, self.spread, 1.0)
        squared = loss == "squared"
        self.middle = source[1].mean() if squared else -1.0
        self.unit = source[1].std() if squared else 2.0
        low, high = source[1].min(), source[1].max()
        self.range = (1.5 * low - 0.5 * high, 1.5 * high - 0.5 * low)

    def sample(self, sample):
        return (sample[0] - self.centre) / self.spread, (sample[1] - self.middle) / self.unit

    def predictor(self, predict):
        def of_rows(x):
            y = np.asarray(predict((x - self.centre) / self.spread), float).ravel()
            return np.clip(y * self.unit + self.middle, *self.range)
        return of_rows

    def classes(self, score):
        """The same for scores whose sign is the class."""
        return self.predictor(lambda x: np.asarray(score(x)) > 0)


def linear(loss):
    from sklearn.linear_model import LogisticRegression, RidgeCV

    if loss == "squared":
        return RidgeCV(alphas=10.0 ** np.arange(-3, 5))
    return LogisticRegression(max_iter=1000)
