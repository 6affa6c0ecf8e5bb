"""The bound of the labelled discrepancy by the unlabelled one: never below the labelled one where
all labels are known, reached by some labels, and with a private target."""

from prerequisites import require

require("numpy")

import csv
import gzip
import unittest
from pathlib import Path
from statistics import NormalDist

import numpy as np

import dpadapt_ctypes as dpadapt

PLAIN = {"preprocess": "none", "intercept": False}


def instance(random, features):
    rows = random.integers(features + 2, 40, size=2)
    scale = random.uniform(0.3, 2, size=features)
    source, target = (random.normal(size=(n, features)) * scale for n in rows)
    w = random.normal(size=features)
    y = source @ w + 0.5 * random.normal(size=len(source))
    drift = random.choice([0, 0.3, 2]) * random.normal(size=features)
    labels = target @ (w + drift) + 0.5 * random.normal(size=len(target))
    return source, y, target, labels


def fit_of(source, y):
    return np.linalg.lstsq(source, y, rcond=None)[0]


def labelled(source, y, target, labels, **settings):
    return dpadapt.discrepancy((source, y), (target, labels), **settings)


class Bound(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(20261128)

    def test_it_is_never_below_the_labelled_discrepancy(self):
        for number in range(200):
            source, y, target, labels = instance(self.random, self.random.integers(1, 6))
            w = fit_of(source, y)
            most = np.sqrt(np.mean((labels - target @ w) ** 2))
            settings = {**PLAIN,
                        "radius": float(np.linalg.norm(w) * self.random.uniform(1.01, 3)),
                        "discrepancy_side": ("both", "target_above")[number % 2]}
            if number % 3 == 0:
                settings["discrepancy_radius"] = 0.5 * settings["radius"]
                settings["discrepancy_center"] = "source"
            if number % 5 == 0:
                settings.update(preprocess="standardize", intercept=True)
                design = np.column_stack([source, np.ones(len(source))])
                w = fit_of(design, y)
                most = np.sqrt(np.mean((labels - target @ w[:-1] - w[-1]) ** 2))
                settings["radius"] *= 3
            bound = dpadapt.labelled_bound((source, y), target, most, **settings)[0]
            found = labelled(source, y, target, labels, **settings)
            self.assertGreaterEqual(bound, found.value, number)

    def test_some_labels_reach_it(self):
        """Those that disagree along the predictor at which the maximum is, on the worse side:
        labels for a predictor, and the predictor for these, in turn."""
        for number in range(40):
            features = 1 + number % 4
            source, y, target, _ = instance(self.random, features)
            w, most = fit_of(source, y), self.random.uniform(0, 2)
            settings = {**PLAIN, "radius": float(1.5 * np.linalg.norm(w))}
            bound = dpadapt.labelled_bound((source, y), target, most, **settings)[0]
            best = 0.0
            for sign in (1, -1):
                for _ in range(6):
                    x = self.random.normal(size=features)
                    for _ in range(40):
                        spread = target @ x
                        size = np.sqrt(np.mean(spread**2))
                        step = min(most, size) if sign < 0 else most
                        labels = target @ w - sign * step * spread / size
                        found = labelled(source, y, target, labels, **settings)
                        x = found.maximizer - w
                        best = max(best, found.value)
            self.assertAlmostEqual(best / bound, 1, delta=1e-8)  # the library's fit has a ridge

    def test_on_wind_it_is_between_the_labelled_and_the_unlabelled_one(self):
        with gzip.open(Path(__file__).parents[1] / "data" / "wind.csv.gz", "rt") as file:
            rows = list(csv.DictReader(file))
        source, target = (np.array([[float(row[name]) for name in list(row)[4:]] for row in rows
                                    if row["domain"] == domain]) for domain in ("source", "target"))
        samples = (source[:, :-1], source[:, -1]), (target[:, :-1], target[:, -1])
        fit = dpadapt.Baseline("source_only", *samples)
        most = np.sqrt(np.mean((target[:, -1] - fit.predict(target[:, :-1])) ** 2))
        for radius, ratio in ((5, 1.9), (10, 1.5), (15, 1.4)):  # docs/methods.md
            found = labelled(*samples[0], *samples[1], radius=radius).value
            bound, value, _ = dpadapt.labelled_bound(samples[0], samples[1][0], most,
                                                     radius=radius)
            self.assertTrue(found < bound < ratio * found and bound < 0.8 * value)

    def test_without_disagreement_labels_are_predictions(self):
        source, y, target, _ = instance(self.random, 3)
        w = fit_of(source, y)
        settings = {**PLAIN, "radius": float(2 * np.linalg.norm(w))}
        bound = dpadapt.labelled_bound((source, y), target, 0, **settings)[0]
        found = labelled(source, y, target, target @ w, **settings).value
        self.assertAlmostEqual(bound / found, 1, delta=1e-8)

    def test_one_of_a_private_target_is_made_of_released_and_public_numbers(self):
        source, target = self.random.normal(size=(300, 1)), 1.4 * self.random.normal(size=(4000, 1))
        y = source[:, 0] + 0.5 * self.random.normal(size=300)
        w, most, radius = fit_of(source, y)[0], 0.7, 3.0
        second = np.mean(source**2)
        t = np.linspace(-radius, radius, 400001) - w
        loss = np.mean((y - w * source[:, 0]) ** 2) + second * t**2
        for noise, side in (("laplace", "both"), ("gaussian", "target_above")):
            for confidence in (0.5, 0.95, 0.999):
                bound, value, deviation = dpadapt.labelled_bound(
                    (source, y), target, most, **PLAIN, radius=radius, private_domain="target",
                    epsilon=1, delta=1e-6, feature_radius=6, label_bound=9, confidence=confidence,
                    discrepancy_noise=noise, discrepancy_side=side)
                tail = deviation * {"laplace": -np.log(2 * (1 - confidence)) / np.sqrt(2),
                                    "gaussian": NormalDist().inv_cdf(confidence)}[noise]
                slack = (value + tail) / (4 * radius**2)
                high = np.sqrt(second + slack) * np.abs(t)
                low = np.sqrt(max(0, second - slack)) * np.abs(t)
                above = np.max((high + most) ** 2 - loss)
                below = np.max(loss - np.maximum(0, low - most) ** 2)
                expected = max(above, below) if side == "both" else above
                self.assertAlmostEqual(bound / expected, 1, delta=1e-4, msg=(noise, confidence))
                self.assertGreaterEqual(bound, expected * (1 - 1e-6))


if __name__ == "__main__":
    unittest.main()
