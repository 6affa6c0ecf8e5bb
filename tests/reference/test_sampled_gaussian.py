"""The price of sampled releases against an accountant of another kind, and published values.

The published epsilons are those of dp-accounting 0.6.0 (Google), PLDAccountant, at delta = 1e-5.
"""

import ctypes
import os
import unittest

from prerequisites import require

require("numpy", "scipy")

import sampled_gaussian  # noqa: E402

REPLACE, ZERO_OUT = 0, 1
PUBLISHED = [(0.1, 200, 3.0, 2.00365), (0.01, 2000, 1.2, 1.8599), (0.25, 80, 4.0, 2.38368),
             (256 / 60000, 14062, 1.1, 2.38169)]


def price(rate, steps, sigma, relation, failure):
    function = ctypes.CDLL(os.environ["DPADAPT_LIBRARY"]).dpa_privacy_sampled_mu
    function.argtypes = [ctypes.c_double, ctypes.c_double, ctypes.c_int64, ctypes.c_int32,
                         ctypes.c_double, ctypes.POINTER(ctypes.c_double)]
    mu = ctypes.c_double()
    status = function(sigma, rate, steps, relation, failure, ctypes.byref(mu))
    return mu.value if status == 0 else None


class SampledGaussian(unittest.TestCase):
    def test_the_price_covers_the_releases_and_wastes_little(self):
        failure = 1e-7
        for rate, steps, sigma in ((0.1, 200, 3), (0.02, 1500, 1.5), (0.3, 50, 5), (0.005, 5000, 1),
                                   (0.5, 1, 1), (1, 30, 8)):
            for word, relation in (("replace", REPLACE), ("zero_out", ZERO_OUT)):
                mu = price(rate, steps, sigma, relation, failure)
                used = sampled_gaussian.excess(rate, 1 / sigma, steps, word, mu, failure)
                self.assertLessEqual(used, 1.001, (rate, steps, sigma, word))
                self.assertGreater(used, 0.85, (rate, steps, sigma, word))

    def test_the_other_accountant_agrees_with_published_values(self):
        for rate, steps, sigma, epsilon in PUBLISHED:
            found = sampled_gaussian.delta(rate, 1 / sigma, steps, "zero_out", [epsilon])
            self.assertAlmostEqual(found[0] / 1e-5, 1, delta=5e-3)

    def test_arguments_are_checked(self):
        good = (0.1, 200, 3.0, ZERO_OUT, 1e-6)
        self.assertIsNotNone(price(*good))
        for place, value in ((0, 0.0), (0, 1.5), (1, 0), (2, 0.01), (2, float("nan")), (3, 7),
                             (4, 0.0), (4, 0.5)):
            bad = list(good)
            bad[place] = value
            self.assertIsNone(price(*bad), bad)
        self.assertIsNone(price(1.0, 10000, 0.1, REPLACE, 1e-6))


if __name__ == "__main__":
    unittest.main()
