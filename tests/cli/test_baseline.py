import json
import unittest

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase


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

    def test_best_effort_is_of_the_general_form(self):
        """Whatever `form` says, and by its own objective."""
        found = [self.baseline("best", "--set", "lambda_1=1", *form)
                 for form in ((), ("--set", "form=general"))]
        self.assertEqual(found[0]["coefficients"], found[1]["coefficients"])
        self.assertIn("lambda_1", self.fail_with(2, "baseline", "best", *self.files, *NOT_PRIVATE))

    def test_saved_predictor_predicts(self):
        model = self.path("model.json")
        self.baseline("target_only", "--output", model)
        lines = self.succeed("predict", "--model", model, "--data", self.target).splitlines()[1:]
        for line, row in zip(lines, self.target_rows):
            self.assertAlmostEqual(float(line), row[3], delta=1)

    def test_unknown_method_and_missing_word_are_refused(self):
        message = self.fail_with(2, "baseline", "nonsense", *self.files, *NOT_PRIVATE)
        self.assertIn("nonsense", message)
        self.assertIn("private_domain", self.fail_with(2, "baseline", "dm", *self.files))

    def test_private_methods_report_their_price(self):
        for method, purpose, steps in (("joint_ssp", "second moments", 1),
                                       ("ada_ssp", "second moments", 1),
                                       ("noisy_sgd", "disjoint batches", 5)):
            report = json.loads(self.succeed("baseline", method, *self.files, "--json", *PRIVATE,
                                             "--set", "epochs=5", "--set",
                                             "sampling=shuffled"))
            self.assertIsNone(report["objective"])
            privacy = report["privacy"]
            (release,) = [entry["release"] for entry in privacy["releases"]]
            self.assertIn(purpose, release["purpose"])
            self.assertEqual(release["steps"], steps)
            mu, cap = privacy["spent"]["mu"], privacy["budget"]["cap"]["mu"]
            self.assertLessEqual(mu, cap)
            self.assertAlmostEqual(mu, cap, delta=1e-3 * cap)
            self.assertAlmostEqual(mu, steps**0.5 / release["noise_multiplier"], delta=1e-6 * mu)

    def test_sampled_batches_of_noisy_descent(self):
        report = json.loads(self.succeed("baseline", "noisy_sgd", *self.files, "--json", *PRIVATE,
                                         "--set", "batch_size=5", "--set", "epochs=3"))
        privacy = report["privacy"]
        (release,) = [entry["release"] for entry in privacy["releases"]]
        self.assertIn("drawn by itself", release["purpose"])
        self.assertEqual(release["steps"], report["iterations"])
        self.assertEqual(release["sampling_rate"], release["sampling_rate_units_of_2^-32"] / 2**32)
        self.assertGreater(privacy["spent"]["failure"], 0)
        self.assertEqual(privacy["spent"], release["cost"])

    def test_batches_of_noisy_descent(self):
        for size, batches in (("7", 4), ("25", 1), ("1000", 1)):
            report = json.loads(self.succeed("baseline", "noisy_sgd", *self.files, "--json",
                                             *PRIVATE, *SEED, "--set", "batch_size=" + size,
                                             "--set", "epochs=3", "--set",
                                             "sampling=shuffled"))
            call = report["privacy"]["call"]
            self.assertEqual((call["epochs"], call["batches_of_an_epoch"]), (3, batches))
            self.assertEqual(report["iterations"], 3 * batches)
            self.assertIn("NOT PRIVATE", report["privacy"]["summary"])
        self.assertIn("batch_size", self.fail_with(2, "baseline", "noisy_sgd", *self.files,
                                                   *PRIVATE, "--set", "batch_size=0"))

    def test_help_lists_the_methods(self):
        text = self.succeed("baseline", "--help")
        for method in ("source_only", "kmm", "kliep", "dm", "gapboost", "tradaboost_r2", "best",
                       "ada_ssp", "noisy_sgd"):
            self.assertIn(method, text)


if __name__ == "__main__":
    unittest.main()
