"""What intervals of coefficients cover, and p-values of equal domains, over many draws of both
samples."""

from dataclasses import dataclass

import numpy as np

import dpadapt_ctypes as dpadapt

FEATURES = 4
TRUTH = np.array([1.0, -0.5, 0.25, 0.0, 2.0])  # the intercept last


@dataclass
class Domains:
    """Source and target: linear scores, whose labels are numbers, classes, counts or amounts."""

    shift: float  # of the target's coefficients
    moved: float = 0.0  # of the target's features
    noise: float = 1.0  # of the target's labels
    classes: bool = False
    counts: bool = False
    shape: float = 0.0  # of Gamma labels, if it is positive
    law: str = "normal"  # of the labels' noise

    @property
    def truth(self):
        step = np.array([1.0, -1.0, 0.5, 0.0, 1.0]) * self.shift
        return (0.5 if self.classes else 0.25 if self.counts or self.shape else 1.0) * TRUTH + step

    def draw(self, rows, target, random):
        x = random.normal(size=(rows, FEATURES)) * [1.0, 2.0, 0.5, 1.0]
        x[:, 1] += 0.5 * x[:, 0]
        scale = 1.0
        if target:
            x[:, 0] += self.moved
            scale = self.noise
        w = self.truth if target else self.truth - np.array([1.0, -1.0, 0.5, 0.0, 1.0]) * self.shift
        score = x @ w[:-1] + w[-1]
        if self.classes:
            return x, np.where(random.random(rows) < 1 / (1 + np.exp(-score)), 1.0, -1.0)
        if self.counts:
            return x, random.poisson(np.exp(score)).astype(float)
        if self.shape:
            return x, np.exp(score) * random.gamma(self.shape, 1 / self.shape, size=rows)
        noise = {"normal": lambda: random.normal(size=rows),
                 "exponential": lambda: random.exponential(size=rows) - 1,
                 "lognormal": lambda: (np.exp(random.normal(size=rows)) - np.exp(0.5)) / 2.16}
        return x, score + scale * noise[self.law]()


@dataclass
class Found:
    covered: np.ndarray  # share of the runs, for each coefficient
    deviations: np.ndarray  # spread of the estimates, in units of what was claimed
    p_values: np.ndarray
    width: np.ndarray


def simulate(domains, source_rows, target_rows, runs, **settings):
    """The noise is seeded by the number of the run."""
    random = np.random.default_rng(5)
    size = FEATURES + 1
    inside, errors, widths, p_values = [], [], [], []
    for run in range(runs):
        fit = dpadapt.Predictor(domains.draw(source_rows, False, random),
                                domains.draw(target_rows, True, random),
                                unsafe_seed=run, **settings)
        lower, upper = fit.intervals(size)
        inside.append((lower <= domains.truth) & (domains.truth <= upper))
        widths.append(upper - lower)
        deviation = np.sqrt(np.diag(fit.vector("covariance", size * size).reshape(size, size)))
        errors.append((fit.vector("target_estimate", size) - domains.truth) / deviation)
        p_values.append(fit.domain_difference()[1])
    return Found(np.mean(inside, axis=0), np.std(errors, axis=0), np.array(p_values),
                 np.median(widths, axis=0))
