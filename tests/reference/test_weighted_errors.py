"""Errors and choices by public rows with weights, against numpy; and what importance weights of
source rows are for: errors on a target whose labels nobody has."""

from prerequisites import require

require("numpy")

import unittest

import numpy as np

import dpadapt_ctypes as dpadapt

Z = 1.959963984540054
NEAR = 1e-12


def mean_and_error(values, weights):
    """The weighted mean, and its standard error as that of a ratio."""
    mean = np.average(values, weights=weights)
    rows = weights.sum() ** 2 / (weights**2).sum()
    variance = (weights**2 * (values - mean) ** 2).sum() / weights.sum() ** 2
    return mean, np.sqrt(variance * rows / (rows - 1))


def measures(fits, rows, **settings):
    report = dpadapt.evaluate(fits, rows, **settings)
    return report, {(one["name"], one["solution"]): one for one in report["measures"]}


def numbers(random, rows, shift=0.0):
    """Labels bend, so a line has other errors elsewhere."""
    x = random.normal(size=(rows, 2)) + [shift, 0]
    y = x @ [1, -1] + 0.5 * x[:, 0] ** 2 + (1 + 0.5 * np.abs(x[:, 0])) * random.normal(size=rows)
    return x, y


class Weights(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(20261128)
        self.x, self.y = numbers(self.random, 500)
        self.fits = [dpadapt.Baseline("source_only", rows, rows) for rows in (
            numbers(self.random, 40), numbers(self.random, 60, 1.0))]
        self.weights = self.random.exponential(size=500) ** 2
        self.weights[:3] = 0

    def expect(self, found, values, weights, low=-np.inf):
        mean, error = mean_and_error(values, weights)
        for end, expected in (("estimate", mean), ("lower", max(low, mean - Z * error)),
                              ("upper", mean + Z * error)):
            self.assertAlmostEqual(found[end] / expected, 1, delta=NEAR, msg=end)

    def test_errors_of_numbers_are_weighted_means(self):
        report, found = measures(self.fits, (self.x, self.y, self.weights))
        errors = [self.y - fit.predict(self.x) for fit in self.fits]
        for k, error in enumerate(errors):
            self.expect(found["squared_error", k], error**2, self.weights)
            self.expect(found["absolute_error", k], np.abs(error), self.weights)
        self.expect(found["squared_error_difference", 1], errors[1] ** 2 - errors[0] ** 2,
                    self.weights)
        rows = found["effective_rows", 0]["estimate"]
        self.assertAlmostEqual(
            rows * (self.weights**2).sum() / self.weights.sum() ** 2, 1, delta=NEAR)
        self.assertEqual(report["rows"], 500)

    def test_equal_weights_are_none(self):
        plain = measures(self.fits, (self.x, self.y))[1]
        found = measures(self.fits, (self.x, self.y, np.full(500, 2.0)))[1]
        self.assertAlmostEqual(found.pop(("effective_rows", 0))["estimate"], 500, delta=1e-10)
        self.assertEqual(found.keys(), plain.keys())
        for name, one in plain.items():
            for end in ("estimate", "lower", "upper"):
                self.assertAlmostEqual(found[name][end], one[end], delta=NEAR * 100)

    def test_a_row_of_weight_two_is_two_rows(self):
        counts = self.random.integers(0, 3, size=500)
        found = measures(self.fits, (self.x, self.y, counts))[1]
        doubled = measures(self.fits, (np.repeat(self.x, counts, axis=0),
                                       np.repeat(self.y, counts)))[1]
        for name, one in doubled.items():
            self.assertAlmostEqual(found[name]["estimate"] / one["estimate"], 1, delta=NEAR)

    def test_two_classes(self):
        y = np.where(self.y > self.random.normal(size=500), 1.0, -1.0)
        fit = dpadapt.Baseline("source_only", (self.x[:50], y[:50]), (self.x[:50], y[:50]),
                               loss="logistic")
        rows = (self.x, y, self.weights)
        report, found = measures([fit], rows)
        score = fit(self.x)
        self.expect(found["log_loss", 0], np.logaddexp(0, -y * score), self.weights)
        self.expect(found["accuracy", 0], (np.sign(score) == y).astype(float), self.weights)
        up, down = y > 0, y < 0
        above = (score[up, None] > score[down]) + 0.5 * (score[up, None] == score[down])
        product = np.outer(self.weights[up], self.weights[down])
        area = found["roc_area", 0]["estimate"]
        self.assertAlmostEqual(area / (above * product).sum() * product.sum(), 1, delta=NEAR)
        shares = (mean_and_error(np.average(above, axis=1, weights=self.weights[down]),
                                 self.weights[up])[1],
                  mean_and_error(np.average(above, axis=0, weights=self.weights[up]),
                                 self.weights[down])[1])
        self.assertAlmostEqual(found["roc_area", 0]["upper"],
                               min(1, area + Z * np.hypot(*shares)), delta=NEAR)
        probability = 1 / (1 + np.exp(-score)) + 1e-12  # ends are probabilities, but for rounding
        for one in report["calibration"]:
            inside = (probability >= one["from"]) & (probability < one["to"])
            weights = self.weights[inside]
            self.assertAlmostEqual(one["estimate"], np.average(up[inside], weights=weights),
                                   delta=1e-9)
            self.assertAlmostEqual(one["rows"], weights.sum() ** 2 / (weights**2).sum(),
                                   delta=1e-9 * len(weights))

    def test_a_choice_follows_weights(self):
        losses = [(self.y - fit.predict(self.x)) ** 2 for fit in self.fits]
        for k in range(2):
            weights = np.where(losses[k] < losses[1 - k], 1.0, 0.0)
            self.assertEqual(dpadapt.select(self.fits, (self.x, self.y, weights)), k)

    def test_what_is_no_weight_is_refused(self):
        for bad in (-1.0, np.nan, np.inf):
            weights = self.weights.copy()
            weights[7] = bad
            for call in (dpadapt.evaluate, dpadapt.select):
                with self.assertRaisesRegex(dpadapt.Error, "target row 7: the weight"):
                    call(self.fits, (self.x, self.y, weights))
        with self.assertRaisesRegex(dpadapt.Error, "not 0"):
            dpadapt.evaluate(self.fits, (self.x, self.y, 0 * self.weights))

    def test_private_rows_have_no_weights(self):
        rows = (self.x, self.y, self.weights)
        private = {"private_domain": "target", "epsilon": 1, "delta": 1e-6}
        with self.assertRaisesRegex(dpadapt.Error, "a private evaluation counts all rows alike"):
            dpadapt.evaluate(self.fits, rows, **private)
        with self.assertRaisesRegex(dpadapt.Error, "a private selection counts all rows alike"):
            dpadapt.select(self.fits, rows, selection_epsilon=1, selection_bound=9, **private)
        with self.assertRaisesRegex(dpadapt.Error, "a calibration counts all rows alike"):
            self.fits[0].calibrated(rows)


class CovariateShift(unittest.TestCase):
    """Labels follow from features by one law; the target's features are elsewhere."""

    METHODS = ("kmm", "kliep", "ulsif", "rulsif")

    def test_weighted_errors_are_nearer_to_those_of_the_target(self):
        random = np.random.default_rng(7)
        distance = {name: [] for name in ("plain", *self.METHODS)}
        chosen = {name: [] for name in ("plain", *self.METHODS)}
        for _ in range(12):
            train, held, target = (numbers(random, 400, shift) for shift in (0, 0, 1.2))
            near = dpadapt.Baseline("source_only", train, train)
            order = np.argsort(train[0][:, 0])[-100:]  # fitted where the target is, worse elsewhere
            far = dpadapt.Baseline("source_only", *[tuple(part[order] for part in train)] * 2)
            fits = [near, far]
            truth = [np.mean((target[1] - fit.predict(target[0])) ** 2) for fit in fits]
            for name in distance:
                rows = held
                if name != "plain":
                    unlabelled = target[0], np.full(400, np.nan)
                    weights = dpadapt.Baseline(name, held, unlabelled).vector(
                        "source_weights", 400)
                    rows = (*held, weights)
                found = measures(fits, rows)[1]
                distance[name] += [abs(found["squared_error", k]["estimate"] - truth[k]) / truth[k]
                                   for k in range(2)]
                chosen[name].append(truth[dpadapt.select(fits, rows)] / min(truth))
        means = {name: np.mean(values) for name, values in distance.items()}
        regret = {name: np.mean(values) for name, values in chosen.items()}
        for name in self.METHODS:
            self.assertLess(means[name], 0.7 * means["plain"], name)
            self.assertLess(regret[name], regret["plain"], name)


if __name__ == "__main__":
    unittest.main()
