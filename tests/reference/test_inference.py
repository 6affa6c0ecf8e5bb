"""Intervals of coefficients against statistics written anew."""

import unittest

import numpy as np
from scipy import stats

import dpadapt_ctypes as dpadapt
from intervals import Domains, FEATURES

SIZE = FEATURES + 1


def least_squares(x, y):
    """Estimate and its HC3 covariance, the intercept last."""
    z = np.column_stack([x, np.ones(len(y))])
    inverse = np.linalg.inv(z.T @ z)
    w = inverse @ z.T @ y
    scaled = (y - z @ w) / (1 - np.einsum("ij,jk,ik->i", z, inverse, z))
    return w, inverse @ (z.T * scaled**2) @ z @ inverse


class Inference(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(3)
        domains = Domains(0.2, moved=0.5, noise=1.5)
        self.source = domains.draw(400, False, random)
        self.target = domains.draw(90, True, random)

    def check(self, **settings):
        fit = dpadapt.Predictor(self.source, self.target, **settings)
        own, covariance = least_squares(*self.target)
        other, other_covariance = least_squares(*self.source)
        np.testing.assert_allclose(fit.vector("target_estimate", SIZE), own, rtol=1e-9)
        found = fit.vector("covariance", SIZE * SIZE).reshape(SIZE, SIZE)
        np.testing.assert_allclose(found, covariance, rtol=1e-7, atol=1e-12)
        half = stats.t.ppf(0.95, 90 - SIZE) * np.sqrt(np.diag(covariance))
        np.testing.assert_allclose(fit.intervals(SIZE, 0.9), [own - half, own + half], rtol=1e-7)
        apart = own - other
        distance = apart @ np.linalg.solve(covariance + other_covariance, apart)
        expected = distance, stats.chi2.sf(distance, SIZE)
        np.testing.assert_allclose(fit.domain_difference(), expected, rtol=1e-6)

    def test_the_least_squares_of_the_target_and_its_sandwich(self):
        self.check()

    def test_coordinates_do_not_matter(self):
        for preprocess in ("none", "whiten"):
            self.check(preprocess=preprocess)

    def test_every_size_of_a_difference(self):
        x, y = self.target
        for moved in (0.0, 0.1, 3.0):
            self.target = x, y + moved
            self.check()

    def test_a_logistic_fit_has_the_sandwich_at_its_maximum(self):
        domains = Domains(0.2, classes=True)
        random = np.random.default_rng(4)
        source, (x, y) = domains.draw(300, False, random), domains.draw(200, True, random)
        fit = dpadapt.Predictor(source, (x, y), loss="logistic")
        z = np.column_stack([x, np.ones(len(y))])
        w = fit.vector("target_estimate", SIZE)
        p = 1 / (1 + np.exp(y * (z @ w)))
        np.testing.assert_allclose(z.T @ (y * p), 0, atol=1e-6)
        curvature = p * (1 - p)
        inverse = np.linalg.inv((z.T * curvature) @ z)
        share = curvature * np.einsum("ij,jk,ik->i", z, inverse, z)
        covariance = inverse @ (z.T * (p / (1 - share))**2) @ z @ inverse
        found = fit.vector("covariance", SIZE * SIZE).reshape(SIZE, SIZE)
        np.testing.assert_allclose(found, covariance, rtol=1e-6, atol=1e-10)

    def test_intervals_do_not_ruin_predictions(self):
        """Rare indicators and much noise: the source's predictor is all there is."""
        random = np.random.default_rng(5)
        w = random.normal(size=30) / 2

        def draw(rows):
            x = (random.uniform(size=(rows, 30)) < 0.15).astype(float)
            x[:, :4] = random.normal(size=(rows, 4))
            return x, np.where(random.uniform(size=rows) < 1 / (1 + np.exp(1 - x @ w)), 1.0, -1.0)
        source, target, held_out = draw(8000), draw(1000), draw(4000)

        def log_loss(fit):
            return np.logaddexp(0, -held_out[1] * fit(held_out[0])).mean()
        alone = log_loss(dpadapt.Baseline("source_only", source, target, loss="logistic"))
        for seed in range(3):
            fit = dpadapt.Predictor(source, target, loss="logistic", private_domain="target",
                                    epsilon=1, delta=1e-6, inference="yes", unsafe_seed=seed)
            self.assertLess(log_loss(fit), 1.05 * alone)


if __name__ == "__main__":
    unittest.main()
