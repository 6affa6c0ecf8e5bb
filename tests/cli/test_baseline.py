import json
import unittest

from cli_case import FEATURES, NOT_PRIVATE, CliCase


class Baselines(CliCase):
    def baseline(self, method, *arguments):
        return json.loads(self.succeed("baseline", method, *self.files, "--json", *NOT_PRIVATE,
                                       *arguments))

    def test_report_has_certificate_weights_and_predictor(self):
        for method in ("kmm", "kliep", "ulsif", "rulsif", "dm"):
            report = self.baseline(method, "--set", "centers=10")
            self.assertEqual(len(report["source_weights"]), len(self.source_rows))
            self.assertAlmostEqual(sum(report["source_weights"]), 1)
            self.assertEqual(len(report["coefficients"]), len(FEATURES))
            self.assertGreaterEqual(report["duality_gap"], 0)
            self.assertLess(report["duality_gap"], 1e-5 * max(1, abs(report["objective"])))

    def test_saved_predictor_predicts(self):
        model = self.path("model.json")
        self.baseline("target_only", "--output", model)
        lines = self.succeed("predict", "--model", model, "--data", self.target).splitlines()[1:]
        for line, row in zip(lines, self.target_rows):
            self.assertAlmostEqual(float(line), row[3], delta=1)

    def test_unknown_method_and_missing_word_are_refused(self):
        self.assertIn("nonsense", self.fail_with(2, "baseline", "nonsense", *self.files, *NOT_PRIVATE))
        self.assertIn("private_domain", self.fail_with(2, "baseline", "dm", *self.files))

    def test_help_lists_the_methods(self):
        text = self.succeed("baseline", "--help")
        for method in ("source_only", "kmm", "kliep", "dm", "gapboost", "best"):
            self.assertIn(method, text)


if __name__ == "__main__":
    unittest.main()
