import json
import math
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, budget, csv_text, linear_rows


class Rows(CliCase):
    def setUp(self):
        super().setUp()
        self.model, self.report = self.fit_model()
        self.rows = linear_rows(2000, 0.5, 3)
        self.data = self.write("rows.csv", csv_text(FEATURES + ["y"], self.rows))


class Evaluate(Rows):
    def evaluate(self, *arguments, models=None):
        models = [part for model in models or [self.model] for part in ("--model", model)]
        arguments = ("evaluate", *models, "--data", self.data, "--label", "y", "--json", *arguments)
        return json.loads(self.succeed(*arguments))

    def residuals(self, report):
        w = report["coefficients"]
        return [
            row[3] - report["intercept"] - math.fsum(c * v for c, v in zip(w, row))
            for row in self.rows
        ]

    def test_without_privacy_it_is_the_ordinary_test_error(self):
        report = self.evaluate(*NOT_PRIVATE)
        squares = [r * r for r in self.residuals(self.report)]
        n = len(squares)
        mean = math.fsum(squares) / n
        deviation = math.sqrt(math.fsum((s - mean) ** 2 for s in squares) / (n - 1) / n)
        found = report["measures"][0]
        self.assertEqual((found["name"], found["level"]), ("squared_error", 0.95))
        self.assertAlmostEqual(found["estimate"], mean, delta=1e-12)
        self.assertAlmostEqual(found["upper"], mean + 1.959963984540054 * deviation, delta=1e-9)
        self.assertAlmostEqual(found["lower"], mean - 1.959963984540054 * deviation, delta=1e-9)
        self.assertEqual((report["protection"], report["rows"]), ("none", n))
        self.assertFalse(report["privacy"]["private"])

    def weighed(self):
        """The rows with weights 0 to 4, and these."""
        weights = [(7 * i % 10) / 2 if i % 3 else 0 for i in range(len(self.rows))]
        return self.write("weighed.csv", csv_text([*FEATURES, "w", "y"], [
            [*row[:3], w, row[3]] for row, w in zip(self.rows, weights)])), weights

    def test_errors_follow_the_weights_of_public_rows(self):
        data, weights = self.weighed()
        arguments = ("evaluate", "--model", self.model, "--data", data, "--weight", "w")
        report = json.loads(self.succeed(*arguments, "--json", *NOT_PRIVATE))
        squares = [r * r for r in self.residuals(self.report)]
        total = math.fsum(weights)
        mean = math.fsum(w * s for w, s in zip(weights, squares)) / total
        self.assertAlmostEqual(report["measures"][0]["estimate"], mean, delta=1e-12)
        rows = total ** 2 / math.fsum(w * w for w in weights)
        last = report["measures"][-1]
        self.assertEqual(last["name"], "effective_rows")
        self.assertAlmostEqual(last["estimate"], rows, delta=1e-9 * rows)
        self.assertIn("effective_rows", self.succeed(*arguments, *NOT_PRIVATE))
        self.assertIn("--weight is for public rows", self.fail_with(2, *arguments, *PRIVATE))
        self.assertIn('no column "w"', self.fail_with(
            3, "evaluate", "--model", self.model, "--data", self.data, "--weight", "w",
            *NOT_PRIVATE))

    def test_private_intervals_have_the_ordinary_error(self):
        ordinary = self.evaluate(*NOT_PRIVATE)["measures"]
        report = self.evaluate(*PRIVATE)
        self.assertEqual(report["protection"], "guaranteed")
        self.assertEqual(report["clipping"]["origin"], "private rows, public rows of the fit")
        self.assertEqual(len(report["privacy"]["releases"]), 2)
        for one, other in zip(report["measures"], ordinary):
            self.assertEqual(one["name"], other["name"])
            self.assertLess(one["lower"], other["estimate"] + (one["upper"] - one["lower"]))
            self.assertLess(other["estimate"] - (one["upper"] - one["lower"]), one["upper"])

    def test_a_source_saves_the_first_release(self):
        report = self.evaluate("--source", self.source, *PRIVATE)
        self.assertEqual(report["clipping"]["origin"], "source sample")
        self.assertEqual(len(report["privacy"]["releases"]), 1)

    def test_several_models_have_differences(self):
        other = self.path("other.json")
        second = self.fit("--output", other, "--set", "alpha=1", "--set", "radius=0.5")
        report = self.evaluate(*NOT_PRIVATE, models=[self.model, other])
        gaps = [m for m in report["measures"] if m["name"] == "squared_error_difference"]
        self.assertEqual([(g["model"], g["against"]) for g in gaps], [(other, self.model)])
        wanted = math.fsum(
            b * b - a * a for a, b in zip(self.residuals(self.report), self.residuals(second))
        )
        self.assertAlmostEqual(gaps[0]["estimate"], wanted / len(self.rows), delta=1e-9)

    def test_two_sources_of_different_medians_are_compared_by_the_recipe(self):
        """That of docs/methods.md, Several sources; the second source is the better one."""
        names = FEATURES + ["y"]
        other = self.write("other.csv", csv_text(names, linear_rows(80, 0.4, 5)))
        target = self.write("private.csv", csv_text(names, linear_rows(12000, 0.5, 6)))
        one, two, ledger = self.path("one.json"), self.path("two.json"), self.path("sources")
        both = ("--source", self.source, "--target", other, "--label", "y", *NOT_PRIVATE)
        self.succeed("ledger", "init", ledger, *budget("1", "1e-6"))
        self.succeed("baseline", "source_only", *both, "--output", one)
        made = json.loads(self.succeed("baseline", "target_only", *both, "--output", two, "--json"))
        report = json.loads(self.succeed(
            "evaluate", "--model", one, "--model", two, "--data", target, "--label", "y",
            "--ledger", ledger, "--epsilon", "0.4", "--delta", "1e-7", "--json"))
        (gap,) = [m for m in report["measures"] if m["name"] == "squared_error_difference"]
        self.assertLess(gap["upper"], 0)
        self.succeed("fit", "--source", other, "--target", target, "--label", "y", "--ledger",
                     ledger, "--epsilon", "0.7", "--delta", "9e-7")
        own = ("--source", other, "--target", other, "--label", "y", *NOT_PRIVATE)
        alone = json.loads(self.succeed("baseline", "source_only", *own, "--output", two, "--json"))
        for a, b in zip(made["coefficients"], alone["coefficients"]):
            self.assertAlmostEqual(a, b, delta=1e-9)  # the same predictor but for its columns
        message = self.fail_with(3, "evaluate", "--model", one, "--model", two, "--data", target,
                                 *NOT_PRIVATE)
        self.assertIn('fills missing cells of "x1" with another value', message)

    def test_bad_private_rows_and_their_number_tell_nothing(self):
        self.data = self.write("bad.csv", "x1,x2,x3,y\n" + "1,2,3,4\nnonsense\n,,,\n" * 300)
        report = self.evaluate("--rows", "1000", *PRIVATE, *SEED)
        self.assertEqual((report["rows"], report["protection"]), (1000, "seeded"))

    def test_a_ledger_pays_and_refuses(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        half = ("--ledger", ledger, "--set", "epsilon=2", "--set", "delta=1e-4")
        self.evaluate(*half)
        shown = json.loads(self.succeed("ledger", "show", ledger, "--json"))
        self.assertEqual(len(shown["entries"]), 1)
        self.assertIn("errors of solutions", shown["entries"][0]["releases"])
        arguments = ("evaluate", "--model", self.model, "--data", self.data, *half)
        self.fail_with(6, *arguments)

    def test_what_is_wrong_is_said(self):
        base = ("evaluate", "--model", self.model, "--data", self.data)
        self.assertIn("epsilon", self.fail_with(2, *base))
        self.assertIn("--rows", self.fail_with(2, *base, *NOT_PRIVATE, "--rows", "7"))
        self.assertIn("label", self.fail_with(3, *base, *PRIVATE, "--label", "label"))
        both = ("--source", self.source, "--set", "private_domain=both")
        self.assertIn("source", self.fail_with(2, *base, *both))
        self.fail_with(3, "evaluate", "--model", self.data, "--data", self.data, *PRIVATE)
        self.assertIn("5", self.fail_with(2, *base, *PRIVATE, "--set", "confidence=5"))

    def test_people_get_a_table(self):
        text = self.succeed("evaluate", "--model", self.model, "--data", self.data, *PRIVATE)
        self.assertIn("PRIVATE: whatever", text)
        self.assertRegex(text, r"\n  squared_error +[0-9.e-]+ +\[[0-9.e-]+, [0-9.e-]+\]")

    def test_people_see_whether_probabilities_are_right(self):
        rows = csv_text(FEATURES + ["y"], [[*row[:3], 1 if row[3] > 0 else -1]
                                           for row in self.source_rows])
        data, model = self.write("classes.csv", rows), self.path("classes.json")
        self.succeed("fit", "--source", data, "--target", data, "--label", "y", "--loss",
                     "logistic", *NOT_PRIVATE, "--output", model)
        text = self.succeed("evaluate", "--model", model, "--data", data, *NOT_PRIVATE)
        self.assertIn("\nShare of positive labels where the probability is from ... to\n  0 to 0.",
                      text)
        hidden = ("evaluate", "--model", model, "--data", data, "--epsilon", "0.05", "--delta",
                  "1e-5")
        self.assertIn("The noise hides roc_area: it may be anything", self.succeed(*hidden))
        told = json.loads(self.succeed(*hidden, "--json"))
        self.assertTrue(all(one["rows"] >= 0 for one in told["calibration"]))


class Calibrate(Rows):
    """The same rows, for intervals of single predictions."""

    def calibrate(self, *arguments, output="sure.json"):
        self.sure = self.path(output)
        return json.loads(self.succeed("calibrate", "--model", self.model, "--data", self.data,
                                       "--output", self.sure, "--json", *arguments))

    def intervals(self, level, *arguments):
        text = self.succeed("predict", "--model", self.sure, "--data", self.data, "--interval",
                            level, *arguments)
        lines = [line.split(",") for line in text.splitlines()]
        return lines[0], [list(map(float, line)) for line in lines[1:]]

    def test_intervals_cover_the_level(self):
        for privacy, protected in ((NOT_PRIVATE, False), (PRIVATE, True)):
            report = self.calibrate("--source", self.source, *privacy)
            self.assertEqual(report["privacy"]["private"], protected)
            self.assertIn("with probability at least L", report["intervals"])
            names, found = self.intervals("0.9")
            self.assertEqual(names, ["prediction", "lower", "upper"])
            covered = sum(low <= row[3] <= high
                          for row, (_, low, high) in zip(self.rows, found)) / len(found)
            self.assertTrue(0.88 < covered < 0.95, covered)
            _, narrow = self.intervals("0.5")
            self.assertLess(narrow[0][2], found[0][2])
            model = json.loads(Path(self.sure).read_text())
            self.assertEqual(model["intervals"], report["intervals"])
            self.assertIn(report["intervals"].split(". ")[0],
                          self.succeed("report", "--model", self.sure))

    def test_classes_get_sets(self):
        names = FEATURES + ["y"]
        rows = [[*row[:3], "yes" if row[3] > 0 else "no"] for row in self.source_rows]
        self.data, self.model = self.write("c.csv", csv_text(names, rows)), self.path("c.json")
        self.succeed("fit", "--source", self.data, "--target", self.data, "--label", "y", "--loss",
                     "logistic", *NOT_PRIVATE, "--output", self.model)
        self.calibrate(*NOT_PRIVATE, output="sets.json")
        text = self.succeed("predict", "--model", self.sure, "--data", self.data, "--interval",
                            "0.9")
        lines = [line.split(",") for line in text.splitlines()]
        self.assertEqual(lines[0], ["prediction", "set_no", "set_yes"])
        covered = sum(line[1 if row[3] == "no" else 2] == "1" for row, line in zip(rows, lines[1:]))
        self.assertGreaterEqual(covered, 0.9 * len(rows))

    def test_a_calibration_is_paid_for_once(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        half = ("--ledger", ledger, "--set", "epsilon=2", "--set", "delta=1e-4")
        self.calibrate(*half)
        shown = json.loads(self.succeed("ledger", "show", ledger, "--json"))
        self.assertIn("for prediction intervals", shown["entries"][0]["releases"])
        self.fail_with(6, "calibrate", "--model", self.model, "--data", self.data, "--output",
                       self.path("other.json"), *half)
        self.assertFalse(Path(self.path("other.json")).exists())

    def test_a_model_file_has_the_larger_epsilon(self):
        """That of the fit, or of the calibration, whose rows are others."""
        self.model = self.path("private.json")
        self.succeed("fit", *self.files, *PRIVATE, "--output", self.model)
        fitted = json.loads(Path(self.model).read_text())["epsilon"]
        for epsilon in (fitted / 2, 2 * fitted):
            self.calibrate("--set", f"epsilon={epsilon}", "--set", "delta=1e-4")
            found = json.loads(Path(self.path("sure.json")).read_text())
            self.assertEqual(found["epsilon"], max(epsilon, fitted))

    def test_what_a_calibration_refuses(self):
        base = ("calibrate", "--model", self.model, "--data", self.data)
        self.assertIn("--output", self.fail_with(2, *base, *PRIVATE))
        self.assertIn("epsilon", self.fail_with(2, *base, "--output", self.path("no.json")))
        self.assertIn("--data", self.fail_with(2, *base, *PRIVATE, "--output", self.data))
        self.assertIn("calibration", self.fail_with(2, "predict", "--model", self.model, "--data",
                                                    self.data, "--interval", "0.9"))


class Loud(CliCase):
    """Private errors that are far beyond those of public rows."""

    def setUp(self):
        super().setUp()
        self.model, _ = self.fit_model()
        rows = [row[:3] + [30 * row[3]] for row in linear_rows(2000, 0.5, 3)]
        data = self.write("loud.csv", csv_text(FEATURES + ["y"], rows))
        self.arguments = ("evaluate", "--model", self.model, "--data", data, "--label", "y",
                          "--source", self.source, *PRIVATE)

    def test_the_first_line_says_so(self):
        self.assertRegex(self.succeed(*self.arguments),
                         r"^[^\n]+: About [0-9.]+ % of the rows have errors beyond the bound")

    def test_two_models_are_named_and_their_difference_is_open(self):
        other = self.path("other.json")
        self.fit("--output", other, "--set", "alpha=1", "--set", "radius=0.5")
        arguments = (*self.arguments, "--model", other)
        report = json.loads(self.succeed(*arguments, "--json"))
        self.assertEqual([note["model"] for note in report["notes"]], [self.model, other])
        gaps = [m for m in report["measures"] if m["name"] == "squared_error_difference"]
        self.assertLess(gaps[0]["lower"] or -math.inf, -1)
        self.assertIn("\n" + other + ": About ", self.succeed(*arguments))


class Holdout(CliCase):
    def setUp(self):
        super().setUp()
        self.target_rows = linear_rows(1000, 0.5, 2)
        self.target = self.write("target.csv", csv_text(FEATURES + ["y"], self.target_rows))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")

    def holdout(self, *arguments):
        split = ("--json", "--holdout", "0.2")
        return json.loads(self.succeed("fit", *self.files, *split, *arguments))

    def test_a_fifth_of_the_rows_is_held_out_by_its_number(self):
        report = self.holdout(*PRIVATE)
        evaluation = report["evaluation"]
        rows = evaluation["rows"]
        self.assertTrue(150 <= rows <= 250)
        self.assertEqual(report["privacy"]["target_rows"], 1000 - rows)
        self.assertEqual(evaluation["privacy"]["budget"]["epsilon"], 2)
        self.assertEqual(evaluation["measures"][0]["name"], "squared_error")
        self.assertEqual(evaluation["clipping"]["origin"], "source sample")
        other = [row[:3] + [9.0] for row in self.target_rows]
        Path(self.target).write_text(csv_text(FEATURES + ["y"], other))
        self.assertEqual(self.holdout(*PRIVATE)["evaluation"]["rows"], rows)

    def test_without_privacy_too(self):
        self.assertEqual(self.holdout(*NOT_PRIVATE)["evaluation"]["protection"], "none")

    def test_nothing_held_out_is_refused(self):
        self.fail_with(2, "fit", *self.files, *PRIVATE, "--holdout", "0.0001")

    def test_the_ledger_pays_for_both(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, "--set", "epsilon=3", "--set", "delta=1e-4")
        self.holdout("--ledger", ledger, "--set", "epsilon=1", "--set", "delta=1e-5")
        shown = json.loads(self.succeed("ledger", "show", ledger, "--json"))
        self.assertEqual(len(shown["entries"]), 2)


if __name__ == "__main__":
    unittest.main()
