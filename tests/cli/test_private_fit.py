import json
import unittest
from pathlib import Path

from cli_case import ALPHA, FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, budget, csv_text


class PrivateFit(CliCase):
    def private_fit(self, *arguments, price=PRIVATE):
        return json.loads(self.succeed("fit", *self.files, *price, "--json", *arguments))

    def saved(self, *arguments):
        model = self.path("model.json")
        report = self.private_fit("--output", model, *arguments)
        return model, report

    def test_what_is_not_released_is_null(self):
        report = self.private_fit("--weights")
        self.assertEqual(len(report["coefficients"]), 3)
        self.assertEqual(report["termination"], "steps")
        for name in ("objective", "duality_gap", "discrepancy", "target_weights"):
            self.assertIsNone(report[name])
        self.assertEqual(len(report["source_weights"]), len(self.source_rows))
        report = self.private_fit("--weights", "--set", "private_domain=source")
        self.assertIsNone(report["source_weights"])
        self.assertEqual(len(report["target_weights"]), len(self.target_rows))

    def test_the_privacy_report_is_part_of_the_result(self):
        report = self.private_fit()
        self.assertEqual(report["protection"], "guaranteed")
        privacy = report["privacy"]
        self.assertEqual((privacy["private"], privacy["seeded"]), (True, False))
        self.assertEqual(privacy["budget"]["epsilon"], 2)
        self.assertEqual(privacy["private_domains"], "target")
        self.assertTrue(privacy["releases"])

    def test_text_opens_with_the_promise(self):
        for choice, word in (((), "PRIVATE: "), (SEED, "NOT PRIVATE: ")):
            text = self.succeed("fit", *self.files, *PRIVATE, *choice)
            self.assertEqual(text.split("\n")[0], self.private_fit(*choice)["privacy"]["summary"])
            self.assertTrue(text.startswith(word))
            self.assertNotIn("objective", text)

    def test_report_file(self):
        path = self.path("report.json")
        report = self.private_fit("--report", path)
        saved = json.loads(Path(path).read_text())
        self.assertEqual(saved.pop("provenance")["command"], "fit")
        self.assertEqual(saved, report["privacy"])
        path = self.path("report.txt")
        report = self.private_fit("--report", path)
        text = Path(path).read_text()
        self.assertEqual(text.splitlines()[0], report["privacy"]["summary"])
        self.assertIn("noise source: ", text)

    def notes(self, *arguments, **price):
        report = self.private_fit(*arguments, price=budget(**price))
        return report, "\n".join(report["notes"])

    def test_what_became_of_the_private_rows_follows_from_alpha(self):
        report, notes = self.notes(*SEED, epsilon="100")
        share = 1 - report["settings"]["alpha"]
        self.assertGreater(share, 0.01)
        self.assertIs(report["used_private_data"], True)
        percent = f"{round(100 * share, 1):g}"
        self.assertIn(f"the coefficients went {percent} % of the way from the source's", notes)
        report, notes = self.notes(*SEED, epsilon="0.01")
        self.assertGreater(report["settings"]["alpha"], 0.99)
        self.assertIn("hardly used for the coefficients: the noise exceeded what they show", notes)
        self.assertIsNone(self.private_fit(*ALPHA)["used_private_data"])
        report = json.loads(self.succeed("fit", *self.files, *NOT_PRIVATE, "--json"))
        self.assertEqual((report["used_private_data"], report["notes"]), (None, []))

    def test_choices_that_promise_or_learn_little_are_warned_of(self):
        self.assertNotIn("WARNING", self.notes(epsilon="10")[1])
        for price, word in (({"delta": "0.04"}, "delta = 0.04 is not below 1/n = 1/25"),
                            ({"epsilon": "10.5"}, "epsilon = 10.5 is above 10"),
                            ({"epsilon": "0.1"}, "25 private records are too few")):
            self.assertIn("WARNING: " + word, self.notes(**price)[1])
        self.assertNotIn("delta", self.notes(delta="0.039")[1])

    def test_one_record_is_too_few(self):
        one = self.write("one.csv", csv_text([*FEATURES, "y"], self.target_rows[:1]))
        self.assertIn("WARNING: 1 private record is too few for", self.succeed(
            "fit", "--source", self.source, "--target", one, "--label", "y", *PRIVATE))

    def test_notes_are_in_the_text_and_in_the_report(self):
        report, _ = self.notes(*SEED)
        text = self.succeed("fit", *self.files, *PRIVATE, *SEED, "--report", self.path("r.txt"))
        for note in report["notes"]:
            self.assertIn("\n" + note + "\n", text)
            self.assertIn("\n" + note + "\n", Path(self.path("r.txt")).read_text())

    def test_labels_of_two_values_may_be_classes(self):
        for name, rows in (("source.csv", self.source_rows), ("target.csv", self.target_rows)):
            self.write(name, csv_text([*FEATURES, "y"],
                                      [[*row[:3], float(row[3] > 1)] for row in rows]))
        self.assertIn("The labels have two values, 0 and 1, and are treated as numbers",
                      self.notes()[1])
        report, notes = self.notes("--loss", "logistic")
        self.assertNotIn("two values", notes)
        text = self.succeed("fit", *self.files, *PRIVATE, "--loss", "logistic")
        self.assertIn("\nCoefficients of the label 1\n", text)

    def test_report_file_of_a_fit_without_privacy(self):
        path = self.path("report.txt")
        self.succeed("fit", *self.files, *NOT_PRIVATE, "--report", path)
        self.assertRegex(Path(path).read_text(), r"\ANOT PRIVATE: [^\n]+\n\nDate: ")

    def test_no_report_is_left_behind_by_a_refused_fit(self):
        path = self.path("report.txt")
        self.fail_with(2, "fit", *self.files, "--report", path)
        self.assertFalse(Path(path).exists())

    def test_noise_is_fresh_unless_seeded(self):
        # Shrinkage takes back what noise explains, now and then all of it: the same public numbers.
        fit = (*ALPHA, "--set", "shrinkage=0")
        for choice in ((), SEED):
            first, second = (self.private_fit(*fit, *choice)["coefficients"] for _ in range(2))
            self.assertEqual(first == second, choice == SEED)
        other = self.private_fit(*fit, "--set", "unsafe_seed=8")["coefficients"]
        self.assertNotEqual(first, other)

    def test_the_model_file_holds_promise_and_report(self):
        path, report = self.saved()
        model = json.loads(Path(path).read_text())
        self.assertEqual(model["protection"], report["protection"])
        for name in ("coefficients", "intercept"):
            self.assertEqual(model[name], [report[name]])
        budget = report["privacy"]["budget"]
        self.assertEqual((model["epsilon"], model["delta"]), (budget["epsilon"], budget["delta"]))
        printed = self.succeed("predict", "--model", path, "--data", self.target)
        self.assertEqual(len(printed.splitlines()), 1 + len(self.target_rows))

    def test_a_seeded_model_is_not_private_after_loading_either(self):
        path, report = self.saved(*SEED)
        self.assertEqual(report["protection"], "seeded")
        self.assertIs(report["privacy"]["private"], False)
        model = json.loads(Path(path).read_text())
        self.assertEqual(model["protection"], "seeded")
        model["protection"] = "guaranteed"
        edited = self.write("edited.json", json.dumps(model))
        self.assertIn('"protection"', self.fail_with(3, "predict", "--model", edited, "--data",
                                                     self.target))
        done = self.run_cli("predict", "--model", path, "--data", self.target)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stdout.splitlines()), 1 + len(self.target_rows))
        self.assertRegex(done.stderr, r"\Adpadapt: NOT PRIVATE: [^\n]+unsafe_seed\n\Z")

    def test_a_budget_that_does_not_suffice(self):
        message = self.fail_with(2, "fit", *self.files, *PRIVATE, "--set", "noise_multiplier=0.5")
        self.assertIn("epsilon = 2", message)


if __name__ == "__main__":
    unittest.main()
