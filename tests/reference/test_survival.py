"""Fits of times against Cox's partial likelihood, against Newton's method for the likelihood with
the same baseline, and what intervals of curves cover."""

from prerequisites import require

require("numpy")

import unittest

import numpy as np

import dpadapt_ctypes as dpadapt

PUBLIC = {"private_domain": "none", "loss": "survival", "intercept": True}
PRIVATE = {"private_domain": "target", "delta": 1e-5, "loss": "survival", "inference": "yes"}
TRUTH = np.array([0.5, -0.3, 0.2, 0.0])
SHAPE = 1.3  # of Weibull's hazard


def sample(rows, random, level=1.0, shift=0.0, unit=1.0):
    """Times of proportional hazards, censored at 3 units at the latest."""
    x = random.normal(size=(rows, 4))
    time = (random.exponential(size=rows) / (level * np.exp(x @ (TRUTH + shift)))) ** (1 / SHAPE)
    end = np.minimum(random.exponential(1.5, rows), 3)
    return x, unit * np.where(time <= end, time, -end)


def survival(x, times, level=1.0, shift=0.0):
    return np.array([np.exp(-level * np.exp(x @ (TRUTH + shift)) * time**SHAPE) for time in times])


def cox(x, y):
    """Coefficients of the largest partial likelihood."""
    order = np.argsort(-np.abs(y))
    x, event = x[order], y[order] > 0
    beta = np.zeros(x.shape[1])
    for _ in range(30):
        risk = np.exp(x @ beta)
        total = np.cumsum(risk)
        mean = np.cumsum(risk[:, None] * x, axis=0) / total[:, None]
        second = np.cumsum(risk[:, None, None] * x[:, :, None] * x[:, None, :], axis=0)
        spread = second / total[:, None, None] - mean[:, :, None] * mean[:, None, :]
        step = np.linalg.solve(spread[event].sum(axis=0), (x - mean)[event].sum(axis=0))
        beta = beta + step
        if np.abs(step).max() < 1e-12:
            break
    return beta, np.sqrt(np.diag(np.linalg.inv(spread[event].sum(axis=0))))


def likelihood(x, event, hazard):
    """Coefficients, the intercept last, of the largest likelihood of counts with these hazards."""
    z = np.column_stack([x, np.ones(len(x))])
    theta = np.zeros(z.shape[1])
    for _ in range(50):
        rate = hazard * np.exp(z @ theta)
        theta = theta + np.linalg.solve(z.T * rate @ z, z.T @ (event - rate))
    return theta


def coefficients(fit):
    return np.append(fit.vector("coefficients", 4), fit.vector("intercept", 1))


class Survival(unittest.TestCase):
    def test_the_source_is_fitted_as_by_cox(self):
        for seed, rows in ((1, 400), (2, 3000)):
            x, y = sample(rows, np.random.default_rng(seed))
            beta, deviation = cox(x, y)
            found = dpadapt.Baseline("source_only", (x, y), (x, y), **PUBLIC)
            away = (found.vector("coefficients", 4) - beta) / deviation
            self.assertLess(np.abs(away).max(), 0.05)

    def test_the_certified_optimum_is_the_largest_likelihood_of_its_baseline(self):
        random = np.random.default_rng(3)
        source, target = sample(800, random), sample(500, random, 1.5, 0.2)
        fit = dpadapt.Baseline("target_only", source, target, **PUBLIC)
        x, y = target
        hazard = -np.log(fit.survival(np.zeros((1, 4)), np.minimum(np.abs(y), last(fit)))[:, 0])
        hazard /= np.exp(fit.vector("intercept", 1))
        seen = (y > 0) & (np.abs(y) <= last(fit))
        wanted = likelihood(x, seen, np.maximum(hazard, 1e-6 * hazard.max()))
        # Rows beyond 16 expected events, where the link is straight, are not there.
        self.assertLess((hazard * np.exp(x @ wanted[:-1] + wanted[-1])).max(), 16)
        np.testing.assert_allclose(coefficients(fit), wanted, atol=2e-7)

    def test_intervals_of_private_curves_cover(self):
        """In the mean of 120 draws; nightly 1000. With H taken for known it is 0.81."""
        covered = coverage(120, 10000, 1.5, **PRIVATE, epsilon=1)
        self.assertTrue(0.92 <= covered.mean() <= 0.98)


def last(fit):
    """The last time at which survival is known."""
    low, high = 0.0, 4.0
    for _ in range(60):
        middle = (low + high) / 2
        known = not np.isnan(fit.survival(np.zeros((1, 4)), [middle])[0, 0])
        low, high = (middle, high) if known else (low, middle)
    return low


def coverage(runs, rows, level, **settings):
    """Of 0.95 intervals of nine points of curves."""
    x = np.array([[0.0, 0, 0, 0], [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0]])
    times = [0.3, 0.8, 1.5]
    shift = np.array([0.2, 0, -0.2, 0.1])
    random = np.random.default_rng(7)
    wanted = survival(x, times, level, shift)
    inside = []
    for run in range(runs):
        fit = dpadapt.Predictor(sample(5000, random), sample(rows, random, level, shift),
                                unsafe_seed=run, **settings)
        lower, upper = fit.survival(x, times, 0.95)
        inside.append((lower <= wanted) & (wanted <= upper))
    covered = np.mean(inside, axis=0)
    print(f"n = {rows}, level {level}, {settings['private_domain']} private: "
          f"covered {np.round(covered, 3).tolist()}", flush=True)
    return covered


if __name__ == "__main__":
    unittest.main()
