"""Fits of counts and amounts against Newton's method for the likelihood in numpy: coefficients with
weights of rows, exposures as weights, the adapted objective, and rates beyond the link's end."""

from prerequisites import require

require("numpy")

import unittest

import numpy as np

import dpadapt_ctypes as dpadapt

PUBLIC = {"private_domain": "none", "loss": "poisson", "intercept": True}
AMOUNTS = {**PUBLIC, "loss": "gamma"}
TRUTH = np.array([0.3, -0.2, 0.4])


def sample(rows, base, shift, seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, 3)) * [1, 2, 0.5] + [0, 5, 100]
    time = 0.5 + random.random(rows)
    count = random.poisson(time * np.exp(base + shift + (x - [0, 5, 100]) @ TRUTH))
    return x, count.astype(float), time


def amounts(rows, base, shift, seed, shape=2.0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, 3)) * [1, 2, 0.5] + [0, 5, 100]
    rate = np.exp(base + shift + (x - [0, 5, 100]) @ TRUTH)
    return x, rate * random.gamma(shape, 1 / shape, size=rows)


def likelihood(x, y, weight, power=1):
    """Coefficients, the intercept last, where the weighted likelihood is largest, whose variance
    is that power of the rate: 1 of Poisson, 2 of gamma labels."""
    middle, scale = x.mean(axis=0), x.std(axis=0)
    z = np.column_stack([(x - middle) / scale, np.ones(len(y))])
    theta = np.array([0, 0, 0, np.log(np.average(y, weights=weight))])
    for _ in range(100):
        rate = np.exp(z @ theta)
        bend = rate if power == 1 else y / rate
        slope = (y - rate) / rate ** (power - 1)
        step = np.linalg.solve(z.T * (weight * bend) @ z, z.T @ (weight * slope))
        theta = theta + step
        if np.abs(step).max() < 1e-14:
            break
    slopes = theta[:-1] / scale
    return np.append(slopes, theta[-1] - slopes @ middle)


def coefficients(fit):
    return np.append(fit.vector("coefficients", 3), fit.vector("intercept", 1))


class Counts(unittest.TestCase):
    def test_a_fit_of_one_domain_is_the_largest_likelihood(self):
        for base in (-3, 0, 5):
            source, target = sample(5000, base, 0, 1)[:2], sample(2000, base, 0.4, 2)[:2]
            for method, (x, y) in (("source_only", source), ("target_only", target)):
                found = coefficients(dpadapt.Baseline(method, source, target, **PUBLIC))
                wanted = likelihood(x, y, np.ones(len(y)))
                np.testing.assert_allclose(found[:-1], wanted[:-1], atol=1e-8)
                self.assertLess(abs(found[-1] - wanted[-1]), 1e-6)  # at features far away

    def test_times_are_weights_of_rates(self):
        x, y, time = sample(5000, 0.5, 0, 3)
        source = (x, y / time, time)
        found = coefficients(dpadapt.Baseline("source_only", source, source, **PUBLIC))
        np.testing.assert_allclose(found[:-1], likelihood(x, y / time, time)[:-1], atol=1e-8)

    def test_the_adapted_objective_is_minimal(self):
        """At alpha a half, no discrepancy: the sum of both mean losses, half each."""
        source, target = sample(800, 0, 0, 4)[:2], sample(500, 0, 0.4, 5)[:2]
        fit = dpadapt.Predictor(source, target, **PUBLIC, alpha=0.5, discrepancy=0)
        x = np.vstack([source[0], target[0]])
        y = np.concatenate([source[1], target[1]])
        weight = np.concatenate([np.full(800, 0.5 / 800), np.full(500, 0.5 / 500)])
        np.testing.assert_allclose(coefficients(fit)[:-1], likelihood(x, y, weight)[:-1], atol=1e-8)

    def test_rates_beyond_the_end_are_straight(self):
        """A fit whose typical label is far too small sees the tangent, and says so in its rates."""
        source = sample(5000, 3, 0, 6)[:2]
        fit = dpadapt.Baseline("source_only", source, source, **PUBLIC, typical_label=0.1)
        score, rate = fit(source[0]), fit.predict(source[0])
        above = score > np.log(1.6)
        self.assertTrue(above.any())
        np.testing.assert_allclose(rate[above], 1.6 * (1 + score[above] - np.log(1.6)), rtol=1e-12)
        self.assertLess(abs(np.mean(rate - source[1])), 1e-6)


class Amounts(unittest.TestCase):
    def test_a_fit_of_one_domain_is_the_largest_likelihood(self):
        for base in (-30, 0, 12):
            for shape in (1.0, 5.0):
                source = amounts(5000, base, 0, 1, shape)
                target = amounts(2000, base, 0.4, 2, shape)
                for method, (x, y) in (("source_only", source), ("target_only", target)):
                    found = coefficients(dpadapt.Baseline(method, source, target, **AMOUNTS))
                    wanted = likelihood(x, y, np.ones(len(y)), 2)
                    np.testing.assert_allclose(found[:-1], wanted[:-1], atol=1e-8)
                    self.assertLess(abs(found[-1] - wanted[-1]), 1e-6)  # at features far away

    def test_weights_and_the_adapted_objective(self):
        source, target = amounts(800, 0, 0, 4), amounts(500, 0, 0.4, 5)
        weight = 0.5 + np.random.default_rng(6).random(800)
        fit = dpadapt.Predictor((*source, weight), target, **AMOUNTS, alpha=0.5, discrepancy=0)
        x, y = (np.concatenate(pair) for pair in zip(source, target))
        weight = np.concatenate([0.5 * weight / weight.sum(), np.full(500, 0.5 / 500)])
        wanted = likelihood(x, y, weight, 2)
        np.testing.assert_allclose(coefficients(fit)[:-1], wanted[:-1], atol=1e-8)
        np.testing.assert_allclose(fit.predict(x), np.exp(fit(x)), rtol=1e-12)

    def test_labels_of_many_rates_pull_by_their_logarithm(self):
        x, y = amounts(3000, 0, 0, 7, shape=0.1)
        found = coefficients(dpadapt.Baseline("source_only", (x, y), (x, y), **AMOUNTS))
        z = np.column_stack([x, np.ones(len(y))])
        ratio = y * np.exp(-z @ found)
        self.assertGreater(np.sum(ratio > 16), 10)
        slope = 1 - np.where(ratio < 16, ratio, 16 * (1 + np.log(ratio / 16)))
        np.testing.assert_allclose((z - z.mean(axis=0)).T @ slope / len(y), 0, atol=1e-7)
        self.assertLess(abs(slope.mean()), 1e-7)


if __name__ == "__main__":
    unittest.main()
