import csv
import json
import math
import random
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PRIVATE, CliCase, budget, csv_text

NAMES = ["age", "stage", "days", "dead"]


def patients(count, level, seed):
    """Rows of a hospital: ages, stages, days, and whether they ended in death."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        age, stage = draw.gauss(60, 8), draw.choice(["I", "II", "III"])
        hazard = level * math.exp(0.04 * (age - 60) + 0.7 * (stage == "III"))
        death, end = draw.expovariate(hazard), draw.uniform(200, 1500)
        rows.append([age, stage, min(death, end), "1" if death <= end else "0"])
    return rows


class Survival(CliCase):
    def setUp(self):
        super().setUp()
        self.there, self.here = patients(1500, 0.001, 1), patients(500, 0.0015, 2)
        self.files = ("--source", self.write("there.csv", csv_text(NAMES, self.there)), "--target",
                      self.write("here.csv", csv_text(NAMES, self.here)), "--label", "days",
                      "--event", "dead", "--loss", "survival")

    def table(self, model, *flags):
        text = self.succeed("predict", "--model", model, "--data", self.path("here.csv"), *flags)
        return list(csv.DictReader(text.splitlines()))

    def test_curves_are_predicted(self):
        model, report = self.fit_model()
        self.assertEqual(report["loss"], "survival")
        rows = self.table(model, "--scores", "--times", "0,100,365.25,1e6")
        self.assertEqual(list(rows[0]), ["prediction", "survival_0", "survival_100",
                                         "survival_365.25", "survival_1e6", "score"])
        for row in rows:
            hazard, score = float(row["prediction"]), float(row["score"])
            self.assertAlmostEqual(hazard, math.exp(score), delta=1e-12 * hazard)
            self.assertEqual(float(row["survival_0"]), 1)
            self.assertTrue(0 < float(row["survival_365.25"]) < float(row["survival_100"]) < 1)
            self.assertTrue(math.isnan(float(row["survival_1e6"])))
        # About as many are expected to live as lived.
        lived = sum(float(row["survival_365.25"]) for row in rows) / len(rows)
        known = [row[2] > 365.25 for row in self.here if row[2] > 365.25 or row[3] == "1"]
        self.assertAlmostEqual(lived, sum(known) / len(known), delta=0.06)

    def test_private_curves_have_intervals(self):
        model, _ = self.private_model("--set", "inference=yes")
        for row in self.table(model, "--times", "365", "--interval", "0.9"):
            self.assertTrue(0 < float(row["lower_365"]) < float(row["upper_365"]) < 1)
        plain, _ = self.private_model()
        message = self.fail_with(1, "predict", "--model", plain, "--data", self.path("here.csv"),
                                 "--times", "365", "--interval", "0.9")
        self.assertIn("inference", message)

    def test_evaluations_have_a_concordance(self):
        """Of private rows by public ones beside them."""
        model, _ = self.fit_model()
        arguments = ("evaluate", "--model", model, "--data", self.path("here.csv"), "--json")
        self.assertEqual(self.succeed(*arguments, *NOT_PRIVATE),  # as the model remembers
                         self.succeed(*arguments, "--event", "dead", *NOT_PRIVATE))
        found = {}
        for name, more in (("public", NOT_PRIVATE),
                           ("private", (*budget("50"), "--source", self.path("there.csv")))):
            report = json.loads(self.succeed(*arguments, *more))
            found[name] = {one["name"]: one for one in report["measures"]}
            self.assertEqual(list(found[name]), ["log_loss", "concordance"])
        public, private = found["public"]["concordance"], found["private"]["concordance"]
        self.assertGreater(public["lower"], 0.55)
        self.assertAlmostEqual(public["estimate"], private["estimate"], delta=0.05)
        message = self.fail_with(2, "calibrate", "--model", model, "--data",
                                 self.path("here.csv"), "--output", self.path("sure.json"),
                                 *NOT_PRIVATE)
        self.assertIn("times are censored", message)

    def private_model(self, *settings):
        path = self.path("private.json")
        text = self.succeed("fit", *self.files, *PRIVATE, "--json", "--output", path, *settings)
        return path, json.loads(text)

    def test_events_are_signs_of_times(self):
        """The same file as that of labels with signs, whatever words events have."""
        for word in (str, lambda event: {"0": "no", "1": "Yes"}[event]):
            rows = [row[:3] + [word(row[3])] for row in self.there]
            self.write("there.csv", csv_text(NAMES, rows))
            model, _ = self.fit_model()
            kept = json.loads(Path(model).read_text())
            self.assertEqual(kept["event"], "dead")
            for name, all_rows in (("there.csv", self.there), ("here.csv", self.here)):
                signed = [row[:2] + [row[2] if row[3] == "1" else -row[2]] for row in all_rows]
                self.write("signed_" + name, csv_text(NAMES[:3], signed))
            self.succeed("fit", "--source", self.path("signed_there.csv"), "--target",
                         self.path("signed_here.csv"), "--label", "days", "--loss", "survival",
                         *NOT_PRIVATE, "--output", self.path("signed.json"))
            signed = json.loads(Path(self.path("signed.json")).read_text())
            self.assertNotIn("event", signed)
            self.assertEqual(signed["model"], kept["model"])

    def test_what_is_no_event_is_said_of_public_rows_alone(self):
        rows = [list(row) for row in self.there]
        rows[3][3] = "2"
        self.write("there.csv", csv_text(NAMES, rows))
        message = self.fail_with(3, "fit", *self.files, *NOT_PRIVATE)
        self.assertRegex(message, r"line 5.*\"2\" does not say whether there was an event")
        self.write("there.csv", csv_text(NAMES, self.there))
        rows = [list(row) for row in self.here]
        rows[3][3], rows[4][2] = "2", -7
        self.write("here.csv", csv_text(NAMES, rows))
        self.private_model()

    def test_what_does_not_go_together_is_refused(self):
        message = self.fail_with(2, "fit", *self.files[:-2], *NOT_PRIVATE)
        self.assertIn("--event is for loss=survival", message)
        message = self.fail_with(2, "fit", *self.files, *NOT_PRIVATE, "--ignore", "dead")
        self.assertIn("dead", message)
        model, _ = self.fit_model()
        for times, words in (("x", "--times"), ("-1", "--times"), ("nan", "--times")):
            message = self.fail_with(2, "predict", "--model", model, "--data",
                                     self.path("here.csv"), "--times", times)
            self.assertIn(words, message)
        self.files = self.files[:4] + ("--label", "days", "--ignore", "dead")
        squared, _ = self.fit_model()
        message = self.fail_with(2, "predict", "--model", squared, "--data", self.path("here.csv"),
                                 "--times", "3")
        self.assertIn("loss = squared", message)


if __name__ == "__main__":
    unittest.main()
