import json
import pickle
import stat
import unittest
import warnings

from python_case import BUDGET, PythonCase, numbers, parted, people

import numpy as np
import pandas as pd

from dpadapt import AdaptedClassifier, AdaptedRegressor, Model, calibrate, errors, evaluate


def fit_people(source, target, **settings):
    return AdaptedClassifier(**settings).fit(*parted(target), source=parted(source))


class Models(PythonCase):
    def write(self, name, frame):
        frame.to_csv(self.folder / name, index=False)

    def test_the_command_makes_the_same_file_of_the_same_rows(self):
        source, target = people(2000), people(1000, 3)
        self.write("source.csv", source)
        self.write("target.csv", target)
        for settings in ({"private_domain": "none"}, {**BUDGET, "unsafe_seed": 7}):
            fit_people(source, target, **settings).save(self.folder / "ours.json")
            words = [f"--set={name}={value}" for name, value in settings.items()]
            self.command("fit", "--source", "source.csv", "--target", "target.csv", "--label",
                         "outcome", "--loss", "logistic", *words, "--output", "theirs.json")
            theirs = (self.folder / "theirs.json").read_bytes()
            self.assertEqual((self.folder / "ours.json").read_bytes(), theirs)

    def test_a_file_of_the_command_predicts_the_same(self):
        source, target = people(2000), people(1000, 3)
        self.write("source.csv", source)
        self.write("target.csv", target)
        self.command("fit", "--source", "source.csv", "--target", "target.csv", "--label",
                     "outcome", "--loss", "logistic", "--set=private_domain=none", "--output",
                     "model.json")
        model = Model.load(self.folder / "model.json")
        ours = fit_people(source, target, private_domain="none")
        self.assertEqual(model.predict(target).tolist(), ours.predict(parted(target)[0]).tolist())
        np.testing.assert_array_equal(model.predict_proba(target),
                                      ours.predict_proba(parted(target)[0]))
        self.assertEqual(model.classes.tolist(), ["dead", "live"])

    def test_a_file_of_a_private_fit_is_its_owners(self):
        path = self.folder / "model.json"
        fit = fit_people(people(2000), people(1000, 3), **BUDGET)
        fit.save(path)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(json.loads(path.read_text())["protection"], "guaranteed")
        self.assertEqual(pickle.loads(pickle.dumps(fit)).solution_.digest, fit.solution_.digest)

    def test_labels_of_minus_one_and_one_stay_classes(self):
        frame = pd.DataFrame({"a": np.arange(60) % 7.0})
        fit = AdaptedClassifier(private_domain="none").fit(frame, np.resize([-1, 1, 1], 60))
        fit.save(self.folder / "model.json")
        model = Model.load(self.folder / "model.json")
        self.assertEqual(model.classes.tolist(), [-1, 1])
        np.testing.assert_array_equal(model.predict_proba(frame), fit.predict_proba(frame))

    def test_classes_that_are_numbers_are_numbers_again(self):
        frame = pd.DataFrame({"a": np.arange(60) % 7.0})
        for labels in ([0, 1, 1],
                       [False, True, True], [1.0, 2.0, 2.0], [1, 2, 3], ["1x", "2", "2"]):
            y = np.resize(labels, 60)
            fit = AdaptedClassifier(private_domain="none").fit(frame, y)
            fit.save(self.folder / "model.json")
            found = Model.load(self.folder / "model.json").predict(frame)
            np.testing.assert_array_equal(found, fit.predict(frame))
            self.assertEqual(found.dtype.kind == "U", y.dtype.kind == "U")

    def test_findings_have_the_names_of_the_frame(self):
        source, target = people(2000), people(1000, 3)
        source["height"], target["height"] = np.cos(np.arange(2000)), np.cos(np.arange(1000))
        source.loc[:20, "height"] = 999
        columns = ["age", "smoker", "height"]
        fit = AdaptedClassifier(**BUDGET).fit(target[columns], target["outcome"],
                                              source=(source[columns], source["outcome"]))
        page = fit.solution_.report_text("html")
        for text in (fit.findings_, page):
            self.assertIn("Public source, height: ", text)
            self.assertIn("its label is dead or live", text)

    def test_a_row_with_missing_values_has_no_class(self):
        x = np.arange(40.0)[:, None] % 7
        fit = AdaptedClassifier(private_domain="none").fit(x, np.resize(["a", "b"], 40))
        found = fit.solution_.predict([[np.nan], [1.0]])
        self.assertEqual([found[0], found[1] in ("a", "b")], [None, True])

    def test_arrays_have_no_model_file(self):
        fit = AdaptedRegressor(private_domain="none").fit(*numbers())
        with self.assertRaisesRegex(errors.Error, "columns with names"):
            fit.save(self.folder / "model.json")
        self.assertEqual(Model.from_bytes(fit.solution_.to_bytes()).digest, fit.solution_.digest)

    def test_categories_and_gaps_become_features(self):
        schema = fit_people(people(2000), people(1000, 3), private_domain="none").solution_.schema
        self.assertEqual(schema.features,
                         ["age", "age=(missing)", "smoker=yes", "smoker=(missing)"])

    def test_columns_that_are_not_used_are_told(self):
        k = np.arange(4000)
        frame = pd.DataFrame({"icd": [f"c{i % 200}" for i in k], "x": k % 11 / 11})
        with self.assertWarnsRegex(UserWarning, "not used:\nicd: a text: 200 different values"):
            fit = AdaptedRegressor(private_domain="none").fit(frame, k % 200, source=(frame,
                                                                                      k % 200))
        self.assertEqual(fit.solution_.schema.features, ["x"])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            AdaptedRegressor(private_domain="none").fit(frame[["x"]], k % 200, source=(
                frame[["x"]], k % 200))

    def test_a_printed_schema_is_not_obeyed(self):
        k = np.arange(60)
        frame = pd.DataFrame({"g": np.where(k % 2 == 0, "a", "\x1b[31mred"), "x": k % 7})
        fit = AdaptedRegressor(private_domain="none").fit(frame, k % 5, source=(frame, k % 5))
        self.assertIn("\\x1b[31mred", str(fit.solution_.schema))
        self.assertNotIn("\x1b", str(fit.solution_.schema))

    def test_the_type_of_a_private_column_decides_nothing(self):
        source, target = people(2000), people(1000, 3)
        odd = target.assign(age=[str(one) for one in target["age"]],
                            smoker=target["smoker"].astype(object))
        odd.loc[5, "age"] = "no number"
        plain = target.copy()
        plain.loc[5, "age"] = np.nan
        fits = [fit_people(source, rows, **BUDGET, unsafe_seed=1) for rows in (odd, plain)]
        self.assertEqual(*(fit.solution_.digest for fit in fits))

    def test_dates_are_refused_by_name(self):
        source = people(100).assign(age=pd.Timestamp("2020-01-01"))
        with self.assertRaisesRegex(errors.UnsupportedError, "column age"):
            fit_people(source, people(100), **BUDGET)

    def test_coefficients_have_the_order_of_the_targets_columns(self):
        (x, y), (xs, ys) = numbers(), numbers(900, 0, 2)
        private, public = (pd.DataFrame(part, columns=[*"abc"]) for part in (x, xs))
        for settings in ({**BUDGET, "unsafe_seed": 5}, {"private_domain": "none"},
                         {**BUDGET, "private_domain": "source", "unsafe_seed": 5}):
            found = [AdaptedRegressor(**settings).fit(private, y, source=(public[order], ys))
                     for order in ([*"abc"], [*"cab"])]
            for fit in found:
                self.assertEqual(fit.feature_names_in_.tolist(), [*"abc"])
                self.assertEqual(fit.solution_.schema.features, [*"abc"])
                np.testing.assert_allclose(fit.coef_, [1, 2, 3], atol=0.5)
            self.assertEqual(*(fit.solution_.digest for fit in found))

    def test_intervals_settings_and_weights(self):
        (x, y), source = numbers(), numbers(900, 1, 2)
        model = AdaptedRegressor(private_domain="none").fit(x, y, source=source).solution_
        low, high = model.intervals()[0]
        self.assertTrue(low < model.array("target_estimate")[0] < high)
        self.assertEqual(model.settings["alpha"], model.value("alpha"))
        np.testing.assert_allclose(model.weigh("target", x, y), model.array("target_weights"),
                                   rtol=1e-6)

    def test_an_evaluation_names_its_measures(self):
        fit = fit_people(people(2000), people(1000, 3), private_domain="none")
        found = evaluate(fit, *parted(people(700, 3)), private_domain="none")
        self.assertGreater(found["accuracy"].estimate, 0.8)
        self.assertAlmostEqual(sum(one.rows for one in found.calibration), 700)
        self.assertTrue(all(one.from_ < one.to and 0 <= one.lower <= one.upper <= 1
                            for one in found.calibration))
        self.assertNotIn("calibration", [one.name for one in found.measures])
        self.assertEqual(found.notes, [])
        private = evaluate(fit, *parted(people(700, 3)), **BUDGET)
        self.assertLess(private["accuracy"].lower, private["accuracy"].upper)
        self.assertEqual(private.privacy_report()["budget"]["epsilon"], 1)

    def test_errors_follow_the_weights_of_public_rows(self):
        (x, y), (later, labels) = numbers(), numbers(400, 1, 9)
        fit = AdaptedRegressor(private_domain="none").fit(x, y, source=numbers(900, 1, 2))
        weights = np.random.default_rng(1).random(400)
        found = evaluate(fit, later, labels, weights, private_domain="none")
        squares = (labels - fit.predict(later)) ** 2
        self.assertAlmostEqual(found["squared_error"].estimate / np.average(
            squares, weights=weights), 1, delta=1e-12)
        self.assertAlmostEqual(found["effective_rows"].estimate,
                               weights.sum() ** 2 / (weights**2).sum(), delta=1e-9)
        with self.assertRaises(errors.UnsupportedError):
            evaluate(fit, later, labels, weights, **BUDGET)

    def test_a_calibrated_model_has_prediction_intervals(self):
        (x, y), (later, labels) = numbers(), numbers(3000, 0, 9)
        fit = AdaptedRegressor(private_domain="none").fit(x, y, source=numbers(900, 1, 2))
        self.assertEqual(fit.solution_.calibration, "")
        with self.assertRaises(errors.UnsupportedError):
            fit.solution_.predict_interval(later)
        sure = calibrate(fit, later, labels, **BUDGET)
        self.assertIn("the 3000 rows of its calibration", sure.calibration)
        low, high = sure.predict_interval(later, 0.9).T
        self.assertTrue(0.88 < np.mean((low <= labels) & (labels <= high)) < 0.94)
        again = Model.from_bytes(sure.to_bytes())
        np.testing.assert_array_equal(again.predict_interval(later, 0.9)[:, 1], high)

    def test_sets_of_classes_are_named_by_their_columns(self):
        public, private = people(2000), parted(people(700, 3))
        fit = fit_people(public, people(1000, 3), private_domain="none")
        sure = calibrate(fit, *private, private_domain="none")
        held = sure.predict_interval(private[0], 0.9)
        self.assertEqual((held.shape, held.dtype), ((700, 2), np.dtype(bool)))
        place = {label: k for k, label in enumerate(sure.classes)}
        own = held[np.arange(700), [place[label] for label in private[1]]]
        self.assertGreaterEqual(own.mean(), 0.9)


if __name__ == "__main__":
    unittest.main()
