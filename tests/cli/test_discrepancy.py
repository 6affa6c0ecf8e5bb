import json
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase


def mean_loss(rows, coefficients, intercept):
    residuals = [sum(c * v for c, v in zip(coefficients, row)) + intercept - row[3] for row in rows]
    return sum(r * r for r in residuals) / len(residuals)


class Discrepancy(CliCase):
    def estimate(self, *arguments):
        arguments = (*self.files, *NOT_PRIVATE, *arguments, "--json")
        return json.loads(self.succeed("discrepancy", *arguments))

    def test_keys_are_exactly_the_documented_ones(self):
        self.assertEqual(list(self.estimate()), ["value", "noise_deviation", "lower", "upper",
                                                 "maximizer", "maximizer_intercept", "features",
                                                 "privacy"])

    def test_the_maximizer_attains_the_value(self):
        report = self.estimate("--set", "radius=3")
        self.assertEqual(report["features"], FEATURES)
        predictor = (report["maximizer"], report["maximizer_intercept"])
        attained = mean_loss(self.target_rows, *predictor) - mean_loss(self.source_rows, *predictor)
        self.assertAlmostEqual(abs(attained), report["value"], delta=1e-9 * report["value"])
        self.assertLessEqual(report["lower"], report["value"])
        self.assertLessEqual(report["value"], report["upper"])
        self.assertLess(report["upper"] - report["lower"], 1e-6 * report["value"])

    def test_a_bound_without_target_labels(self):
        unlabelled = self.write("unlabelled.csv", "".join(
            line.rsplit(",", 1)[0] + "\n" for line in Path(self.target).read_text().splitlines()))
        options = ("--label", "y", "--set", "discrepancy_kind=unlabelled", "--set", "radius=3",
                   "--set", "labelling_disagreement=2", *NOT_PRIVATE)
        files = ("--source", self.source, "--target", unlabelled)
        report = json.loads(self.succeed("discrepancy", *files, *options, "--json"))
        labelled = self.estimate("--set", "radius=3")["value"]
        self.assertGreater(report["labelled_bound"], labelled)
        self.assertIn("bound of the labelled one", self.succeed("discrepancy", *files, *options))

    def test_it_is_what_fit_uses(self):
        self.assertEqual(self.estimate()["value"], self.fit("--set", "alpha=0.5")["discrepancy"])

    def test_text_shows_value_and_maximizer(self):
        report = self.estimate()
        lines = self.succeed("discrepancy", *self.files, *NOT_PRIVATE).splitlines()
        shown = dict(line.rsplit(None, 1) for line in lines if line.startswith("  "))
        shown = {name.strip(): float(value) for name, value in shown.items()}
        bounds = {"value", "lower bound", "upper bound"}
        self.assertEqual(set(shown), bounds | {*FEATURES, "(intercept)"})
        self.assertAlmostEqual(shown["value"], report["value"], delta=1e-7 * report["value"])
        for name, value in zip(FEATURES, report["maximizer"]):
            self.assertAlmostEqual(shown[name], value, delta=1e-7 * abs(value))

    def test_a_private_one_releases_its_value_alone(self):
        report = json.loads(self.succeed("discrepancy", *self.files, *PRIVATE, "--json"))
        all_of_it = json.loads(self.succeed("discrepancy", *self.files, *PRIVATE, "--json", "--set",
                                            "discrepancy_share=1"))
        self.assertEqual(report["noise_deviation"], all_of_it["noise_deviation"])
        self.assertGreaterEqual(report["value"], 0.0)
        for name in ("lower", "upper", "maximizer", "maximizer_intercept"):
            self.assertIsNone(report[name])
        privacy = report["privacy"]
        self.assertEqual((privacy["private"], privacy["budget"]["epsilon"]), (True, 2))
        purposes = [entry["release"]["purpose"] for entry in privacy["releases"]]
        self.assertEqual(purposes, ["discrepancy"])

    def test_its_text_opens_with_the_privacy_report(self):
        for choice, word in ((PRIVATE, "PRIVATE: "), ((*PRIVATE, *SEED), "NOT PRIVATE: "),
                             (NOT_PRIVATE, "NOT PRIVATE: ")):
            lines = self.succeed("discrepancy", *self.files, *choice).splitlines()
            self.assertTrue(lines[0].startswith(word), lines[0])
            self.assertEqual("Maximizing predictor" in lines, choice == NOT_PRIVATE)
            self.assertFalse([line for line in lines if line.endswith(" -")])


if __name__ == "__main__":
    unittest.main()
