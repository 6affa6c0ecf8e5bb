import json
import unittest

from cli_case import ALPHA, NOT_PRIVATE, PRIVATE, CliCase, csv_text

SIZES = ("--source-rows", "60", "--target-rows", "25", "--features", "3")
PAPER = ("--set", "method=paper", "--set", "calibration=paper", "--set", "epsilon=20",
         "--set", "delta=0.01", *ALPHA)


class Plan(CliCase):
    def plan(self, *arguments):
        text = self.succeed("plan", *arguments, "--json")
        self.assertRegex(text, r"\A\{[^\n]*\}\n\Z")
        return json.loads(text)

    def test_mu_is_what_the_accountant_leaves(self):
        mu = float(self.succeed("privacy", "mu", "--epsilon", "2", "--delta", "1e-4"))
        for data in (SIZES, self.files):
            plan = self.plan(*data, *PRIVATE)
            self.assertEqual((plan["source_rows"], plan["target_rows"], plan["features"]),
                             (60, 25, 3))
            self.assertEqual((plan["budget"]["epsilon"], plan["budget"]["delta"]), (2, 1e-4))
            self.assertEqual(plan["laplace_epsilon"], 0)
            self.assertLessEqual(plan["mu"], mu)
            self.assertAlmostEqual(plan["mu"], mu, delta=1e-6 * mu)

    def test_a_discrepancy_takes_its_share(self):
        plan = self.plan(*SIZES, *PRIVATE, *ALPHA)
        self.assertAlmostEqual(plan["laplace_epsilon"], 0.2, delta=1e-9)
        mu = float(self.succeed("privacy", "mu", "--epsilon", "2", "--delta", "1e-4",
                                "--laplace-epsilon", "0.2"))
        self.assertAlmostEqual(plan["mu"], mu, delta=1e-6 * mu)
        self.assertIn("discrepancy", [release["purpose"] for release in plan["releases"]])

    def test_public_data_give_the_bounds_that_sizes_leave_open(self):
        sizes = self.plan(*SIZES, *PRIVATE, *ALPHA)
        data = self.plan(*self.files, *PRIVATE, *ALPHA)
        self.assertEqual(sizes["mu"], data["mu"])
        for name in ("radius", "record_radius", "label_bound"):
            self.assertIsNone(sizes["call"][name])
            self.assertGreater(data["call"][name], 0)

    def test_private_values_do_not_matter(self):
        expected = self.succeed("plan", *self.files, *PRIVATE, *ALPHA)
        rows = [["NA", "", 1e300, "text"] for _ in self.target_rows]
        self.write("target.csv", csv_text(["x1", "x2", "x3", "y"], rows))
        self.assertEqual(self.succeed("plan", *self.files, *PRIVATE, *ALPHA), expected)

    def test_it_is_the_price_of_the_fit(self):
        plan = self.plan(*self.files, *PRIVATE, *ALPHA)
        fit = json.loads(self.succeed("fit", *self.files, *PRIVATE, *ALPHA, "--json"))
        spent = fit["privacy"]["spent"]
        self.assertEqual(spent, plan["total"])

    def test_a_baseline_has_a_plan_and_pays_it(self):
        for method, steps in (("noisy_sgd", 20), ("ada_ssp", 1)):
            plan = self.plan(*self.files, *PRIVATE, "--baseline", method)
            (release,) = plan["releases"]
            self.assertEqual(release["steps"], steps)
            self.assertIn(method, plan["call"]["method"])
            made = json.loads(self.succeed("baseline", method, *self.files, *PRIVATE, "--json"))
            self.assertEqual(made["privacy"]["spent"], plan["total"])
            self.assertEqual(made["privacy"]["releases"][0]["release"], release)
        self.assertIn("nobody", self.fail_with(2, "plan", *self.files, *PRIVATE,
                                               "--baseline", "dm"))
        self.fail_with(2, "plan", *SIZES, *PRIVATE, "--baseline", "noisy_sgd")

    def test_text_opens_with_a_sentence(self):
        for data in (SIZES, self.files):
            text = self.succeed("plan", *data, *PRIVATE)
            self.assertEqual(text.splitlines()[0], self.plan(*data, *PRIVATE)["summary"])
            self.assertTrue(text.endswith("\n") and not text.endswith("\n\n"))

    def test_the_paper_s_noise_is_refused_with_its_true_price(self):
        for data in (SIZES, self.files):
            message = self.fail_with(2, "plan", *data, *PAPER)
            epsilon, delta = "20.0865625", "0.01076098"
            self.assertRegex(message, rf"delta = {delta}\d* at epsilon = 20\b")
            self.assertRegex(message, rf"epsilon = {epsilon}\d* at delta = 0.01\b")
        self.plan(*SIZES, *PAPER, "--set", "calibration=exact")

    def test_a_forecast_needs_the_source_alone(self):
        source = ("--source", self.source, "--label", "y")
        quick = ("--set", "forecast_repeats=2")
        plan = self.plan("--forecast", *source, "--target-rows", "40", *quick)
        self.assertEqual((plan["source_rows"], plan["target_rows"], plan["features"]), (60, 40, 3))
        cells = plan["forecast"]
        self.assertEqual([(cell["epsilon"], cell["shift"]) for cell in cells],
                         [(e, s) for e in (0.5, 1, 4, 10) for s in (0, 0.5, 1, 2)])
        for cell in cells:
            self.assertEqual((cell["target_rows"], cell["delta"], cell["error"]),
                             (40, 1e-6, "squared"))
            for method in ("source_only", "private", "target_only"):
                self.assertLessEqual(0, cell[method + "_lower"])
                self.assertLessEqual(cell[method + "_lower"], cell[method])
                self.assertLessEqual(cell[method], cell[method + "_upper"])
        plan = self.plan("--forecast", *source, "--target-rows", "40", *quick, *PRIVATE,
                         "--set", "forecast_shifts=3", "--features", "x1,x3")
        (cell,) = plan["forecast"]
        self.assertEqual((cell["epsilon"], cell["delta"], cell["shift"]), (2, 1e-4, 3))
        self.assertGreater(cell["source_only"], cell["target_only"])
        text = self.succeed("plan", "--forecast", *source, "--target-rows", "40", *quick)
        self.assertIn("\n    records needed: ", text)

    def test_usage_errors_of_a_forecast(self):
        source = ("--source", self.source, "--label", "y")
        rows = ("--target-rows", "40")
        cases = {
            "no rows": ("--forecast", *source),
            "no source": ("--forecast", "--label", "y", *rows),
            "no label": ("--forecast", "--source", self.source, *rows),
            "a target": ("--forecast", *self.files, *rows),
            "sizes": ("--forecast", *SIZES),
            "a baseline": ("--forecast", *source, *rows, "--baseline", "ada_ssp"),
            "no forecast": (*source, *rows, *PRIVATE),
            "a private source": ("--forecast", *source, *rows, "--set", "private_domain=source"),
        }
        for name, arguments in cases.items():
            with self.subTest(name):
                self.fail_with(2, "plan", *arguments)

    def test_usage_errors(self):
        rows, features = SIZES[:4], SIZES[4:]
        cases = {
            "nothing": PRIVATE,
            "no label": ("--source", self.source, "--target", self.target, *PRIVATE),
            "one size": ("--source-rows", "60", *features, *PRIVATE),
            "no features": (*rows, *PRIVATE),
            "sizes and data": (*SIZES, *self.files, *PRIVATE),
            "sizes and label": (*SIZES, "--label", "y", *PRIVATE),
            "no source row": (*SIZES[2:], "--source-rows", "0", *PRIVATE),
            "huge": (*SIZES[2:], "--source-rows", "3000000000", *PRIVATE),
            "nothing private": (*SIZES, *NOT_PRIVATE),
            "no budget": SIZES,
        }
        for word in ("x1", "0", "-2", "2,3", "3.5"):
            cases[word] = (*rows, "--features", word, *PRIVATE)
        for name, arguments in cases.items():
            with self.subTest(name):
                self.fail_with(2, "plan", *arguments)


if __name__ == "__main__":
    unittest.main()
