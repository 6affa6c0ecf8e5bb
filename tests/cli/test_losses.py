import csv
import json
import math
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, CliCase, csv_text


def number_of_class(label):
    return 0.0 if label < 0.5 else 1.0 if label < 2.5 else 2.0


def sign(label):
    return -1.0 if label < 1.0 else 1.0


class LossCase(CliCase):
    def relabel(self, rule):
        for name, rows in (("source.csv", self.source_rows), ("target.csv", self.target_rows)):
            for row in rows:
                row[3] = rule(row[3])
            self.write(name, csv_text(FEATURES + ["y"], rows))

    def fit_loss(self, loss, *arguments):
        return self.fit_model("--set", f"loss={loss}", *arguments)

    def predict(self, model, *flags):
        """Column names, and rows of numbers."""
        text = self.succeed("predict", "--model", model, "--data", self.target, *flags)
        names, *rows = csv.reader(text.splitlines())
        return names, [[float(value) for value in row] for row in rows]

    def assert_learnt(self, rows):
        right = [row[0] == known[3] for row, known in zip(rows, self.target_rows)]
        self.assertGreater(sum(right), 0.7 * len(right))


class ThreeClasses(LossCase):
    SCORES = ["score_0", "score_1", "score_2"]
    PROBABILITIES = ["probability_0", "probability_1", "probability_2"]

    def setUp(self):
        super().setUp()
        self.relabel(number_of_class)

    def test_report_has_a_predictor_for_each_class(self):
        _, report = self.fit_loss("softmax")
        self.assertEqual((report["loss"], report["outputs"]), ("softmax", 3))
        self.assertEqual([len(list_) for list_ in report["coefficients"]], [3, 3, 3])
        self.assertEqual(len(report["intercept"]), 3)
        self.assertLess(report["gradient_mapping"], 0.01)
        self.assertLess(report["duality_gap"], 1e-7)
        self.assertIsNone(report["discrepancy"])
        settings = report["settings"]
        self.assertEqual((settings["classes"], settings["softmax_sharpness"]), (3, 1000))
        self.assertIsNone(settings["lambda_1"])  # infinite: every record kept its weight

    def test_text_has_a_table_for_each_class(self):
        _, report = self.fit_loss("softmax")
        text = self.succeed("fit", *self.files, *NOT_PRIVATE, "--set", "loss=softmax")
        for k in range(3):
            table = text.split(f"Coefficients of class {k}\n")[1].splitlines()[:4]
            shown = dict(line.split() for line in table)
            self.assertEqual(list(shown), [*FEATURES, "(intercept)"])
            for name, value in zip(FEATURES, report["coefficients"][k]):
                self.assertAlmostEqual(float(shown[name]), value, delta=1e-7 * abs(value))

    def test_model_file_names_the_loss(self):
        model, report = self.fit_loss("softmax")
        content = json.loads(Path(model).read_text())
        for name in ("loss", "coefficients", "intercept"):
            self.assertEqual(content[name], report[name])

    def test_predictions_are_classes_with_scores_and_probabilities(self):
        model, report = self.fit_loss("softmax")
        self.assertEqual(self.predict(model)[0], ["prediction"])
        names, rows = self.predict(model, "--scores", "--probabilities")
        self.assertEqual(names, ["prediction", *self.SCORES, *self.PROBABILITIES])
        self.assertEqual(len(rows), len(self.target_rows))
        for (found, *numbers), known in zip(rows, self.target_rows):
            scores, probabilities = numbers[:3], numbers[3:]
            self.assertEqual(found, scores.index(max(scores)))
            self.assertAlmostEqual(math.fsum(probabilities), 1.0, delta=1e-14)
            for k, score in enumerate(scores):
                linear = sum(c * v for c, v in zip(report["coefficients"][k], known))
                self.assertAlmostEqual(score, linear + report["intercept"][k], delta=1e-12)
                self.assertAlmostEqual(probabilities[k] / probabilities[0],
                                       math.exp(score - scores[0]),
                                       delta=1e-10 * math.exp(score - scores[0]))
        self.assert_learnt(rows)

    def test_a_perceptron_has_no_coefficients(self):
        model, report = self.fit_loss("perceptron", "--set", "hidden_units=4")
        for name in ("coefficients", "intercept", "duality_gap"):
            self.assertIsNone(report[name])
        names, rows = self.predict(model, "--probabilities")
        self.assertEqual(names, ["prediction", *self.PROBABILITIES])
        self.assert_learnt(rows)
        text = self.succeed("fit", *self.files, *NOT_PRIVATE, "--set", "loss=perceptron")
        self.assertNotIn("Coefficients", text)
        self.assertRegex(text, r"(?m)^  loss +perceptron$")

    def test_a_discrepancy_of_losses_has_no_linear_maximizer(self):
        choice = (*self.files, *NOT_PRIVATE, "--set", "loss=softmax")
        report = json.loads(self.succeed("discrepancy", *choice, "--json"))
        self.assertGreaterEqual(report["value"], 0.0)
        self.assertIsNone(report["maximizer"])
        self.assertIsNone(report["maximizer_intercept"])
        text = self.succeed("discrepancy", *choice)
        self.assertRegex(text, r"(?m)^  value +\d")
        self.assertNotIn("Maximizing predictor", text)

    def test_a_label_that_is_no_class_is_a_data_error(self):
        self.target_rows[4][3] = 0.5
        self.write("target.csv", csv_text(FEATURES + ["y"], self.target_rows))
        message = self.fail_with(3, "fit", *self.files, *NOT_PRIVATE, "--set", "loss=softmax")
        self.assertRegex(message, r"target.*\b4\b")


class OneScore(LossCase):
    def test_logistic_predicts_signs(self):
        self.relabel(sign)
        model, report = self.fit_loss("logistic")
        self.assertEqual((len(report["coefficients"]), report["outputs"]), (3, 1))
        names, rows = self.predict(model, "--probabilities", "--scores")
        self.assertEqual(names, ["prediction", "score", "probability"])
        for found, score, probability in rows:
            self.assertEqual(found, -1.0 if score < 0 else 1.0)
            self.assertAlmostEqual(probability, 1 / (1 + math.exp(-score)), delta=1e-14)
        self.assert_learnt(rows)

    def test_huber_predicts_its_score(self):
        model, report = self.fit_loss("huber", "--set", "huber_threshold=0.5")
        self.assertEqual(report["settings"]["huber_threshold"], 0.5)
        names, rows = self.predict(model, "--scores")
        self.assertEqual(names, ["prediction", "score"])
        for found, score in rows:
            self.assertEqual(found, score)

    def test_pinball_predicts_the_quantile_of_its_level(self):
        model, report = self.fit_loss("pinball", "--set", "quantile_level=0.9", "--set", "alpha=0")
        self.assertEqual((report["loss"], report["settings"]["quantile_level"]), ("pinball", 0.9))
        self.assertGreater(report["settings"]["quantile_smoothing"], 0)
        _, rows = self.predict(model)
        below = [known[3] <= row[0] for row, known in zip(rows, self.target_rows)]
        self.assertAlmostEqual(sum(below) / len(below), 0.9, delta=0.1)

    def test_poisson_predicts_rates(self):
        self.relabel(lambda y: math.floor(math.exp(0.5 + 0.2 * y)))
        model, report = self.fit_loss("poisson")
        self.assertGreater(report["settings"]["typical_label"], 0)
        _, rows = self.predict(model, "--scores")
        for rate, score in rows:
            self.assertAlmostEqual(rate, math.exp(score), delta=1e-12 * rate)
        self.target_rows[4][3] = -1
        self.write("target.csv", csv_text(FEATURES + ["y"], self.target_rows))
        message = self.fail_with(3, "fit", *self.files, *NOT_PRIVATE, "--loss", "poisson")
        self.assertIn("counts and rates are at least 0", message)

    def test_gamma_predicts_positive_means(self):
        self.relabel(lambda y: math.exp(0.5 + 0.2 * y))
        model, report = self.fit_loss("gamma")
        self.assertGreater(report["settings"]["typical_label"], 0)
        _, rows = self.predict(model, "--scores")
        for (mean, score), known in zip(rows, self.target_rows):
            self.assertAlmostEqual(mean, math.exp(score), delta=1e-12 * mean)
            self.assertAlmostEqual(mean, known[3], delta=0.5 * mean)
        self.target_rows[4][3] = 0
        self.write("target.csv", csv_text(FEATURES + ["y"], self.target_rows))
        message = self.fail_with(3, "fit", *self.files, *NOT_PRIVATE, "--loss", "gamma")
        self.assertIn("labels of the gamma loss are greater than 0", message)

    def test_weights_that_change_leave_no_certificate(self):
        _, report = self.fit_loss("huber", "--set", "lambda_1=2", "--set", "discrepancy=0.25")
        self.assertIsNone(report["duality_gap"])
        self.assertGreaterEqual(report["gradient_mapping"], 0.0)
        self.assertEqual(report["settings"]["lambda_1"], 2.0)
        self.assertEqual(report["discrepancy"], 0.25)

    def test_numbers_have_no_probabilities(self):
        model, _ = self.fit_model()
        message = self.fail_with(2, "predict", "--model", model, "--data", self.target,
                                 "--probabilities")
        self.assertIn("probabilities", message)

    def test_a_function_cannot_be_given_here(self):
        message = self.fail_with(2, "fit", *self.files, *NOT_PRIVATE, "--set", "loss=custom")
        self.assertIn("dpa_options_set_loss", message)


if __name__ == "__main__":
    unittest.main()
