import unittest

from python_case import BUDGET, PythonCase

import numpy as np
import pandas as pd

import dpadapt
from dpadapt import AdaptedRegressor, Model, errors, survival_labels


def patients(rows, level, seed):
    """Features, days, and whether they ended in an event."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": random.normal(60, 8, rows),
                          "stage": random.choice(["I", "II"], rows)})
    hazard = level * np.exp(0.04 * (frame["age"] - 60) + 0.7 * (frame["stage"] == "II"))
    death, end = random.exponential(1 / hazard), random.uniform(200, 1500, rows)
    return frame, np.minimum(death, end), death <= end


def fit(**settings):
    there, here = patients(1500, 0.001, 1), patients(500, 0.0015, 2)
    return AdaptedRegressor(loss="survival", **settings).fit(
        here[0], survival_labels(*here[1:]), source=(there[0], survival_labels(*there[1:])))


class Survival(PythonCase):
    def test_curves_have_intervals_and_are_saved(self):
        model = fit(**BUDGET, inference="yes", unsafe_seed=1).solution_
        rows = patients(5, 1, 3)[0]
        curve = model.survival(rows, [0, 100, 365, 1e6])
        self.assertEqual(curve.shape, (5, 4))
        self.assertTrue((curve[:, 0] == 1).all() and np.isnan(curve[:, 3]).all())
        self.assertTrue((np.diff(curve[:, :3]) < 0).all())
        lower, upper = model.survival(rows, [100, 365], 0.9)
        self.assertTrue(((0 < lower) & (lower < upper) & (upper < 1)).all())
        model.save(self.folder / "model.json")
        again = Model.load(self.folder / "model.json")
        np.testing.assert_array_equal(again.survival(rows, [0, 100, 365, 1e6]), curve)

    def test_predictions_are_hazard_ratios(self):
        found = fit(private_domain="none")
        rows = patients(5, 1, 3)[0]
        np.testing.assert_allclose(found.predict(rows), np.exp(found.solution_.apply(
            "scores", found.solution_.rows(rows)[0])), rtol=1e-14)
        with self.assertRaisesRegex(errors.Error, "loss = squared"):
            dpadapt.AdaptedRegressor(private_domain="none").fit(
                rows, np.arange(5.0)).solution_.survival(rows, [1])

    def test_labels_have_the_signs_of_events(self):
        found = survival_labels([2, 3, 0, -1, np.nan, np.inf, 4], [1, 0, 1, 1, 1, 1, 2])
        np.testing.assert_array_equal(found, [2, -3] + 5 * [np.nan])
        with self.assertRaisesRegex(errors.Error, "one length"):
            survival_labels([1, 2], [True])


if __name__ == "__main__":
    unittest.main()
