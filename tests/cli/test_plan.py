import json
import unittest
from math import exp, hypot, log, sqrt

from cli_case import ALPHA, NOT_PRIVATE, PRIVATE, CliCase, budget, csv_text

SIZES = ("--source-rows", "60", "--target-rows", "25", "--features", "3")
PAPER = ("--set", "method=paper", *budget("20", "0.01"), *ALPHA)
PRINTED = ("--set", "calibration=paper")


# What the paper's theorems need besides sizes.
NUMBERS = {"alpha": 0.4, "radius": 2.0, "feature_radius": 1.5, "label_bound": 1.0, "epsilon": 3.0,
           "delta": 1e-4, "iterations": 50}


def theorem_1(m, n, d, kappa_1, kappa_2, kappa_inf, alpha, radius, feature_radius, label_bound,
              epsilon, delta, iterations):
    """Theorem 1 and the inequality of its proof, with ||u_0 - u*|| as far as kappa_1 allows."""
    r = hypot(feature_radius, 1)
    b, g = (radius * r + label_bound) ** 2, 2 * r * (radius * r + label_bound)
    bar = b + kappa_1 + kappa_2 + kappa_inf
    steps = max(1, n**2 * epsilon**2 / (d * (1 - alpha) ** 2 * log(1 / delta)),
                bar**2 * epsilon**2 / (b**2 * log(1 / delta)),
                epsilon**2 * bar**2 * n**3 / (log(1 / delta) * b**2 * m**3))

    def far(cost, rows, share):
        u_0, u = rows / share, sqrt((cost + kappa_2 + kappa_inf) / kappa_1) * rows / share
        return rows * max(0, u - u_0) ** 2

    u_prv, u_pub, t = far(b, n, 1 - alpha), far(2 * b, m, alpha), iterations
    error = {
        "error_by_predictor": radius * g * sqrt(
            1 / t + 32 * (1 - alpha) ** 2 * d * log(2 / delta) / (n**2 * epsilon**2)),
        "error_by_private_weights": (1 - alpha) ** 2 * (u_prv + 1) / (2 * n**1.5) * sqrt(
            bar**2 / t + 8 * b**2 * log(2 / delta) / epsilon**2),
        "error_by_public_weights":
            alpha**2 * (u_pub + 1) * (b + bar) / (2 * m**1.5 * sqrt(t))}
    return steps, error


def theorem_4(m, n, d, b, g, beta, lambda_1, alpha, epsilon, delta, iterations):
    """The end of the proof of theorem 4, with lambda_2 = lambda_inf = 0."""
    own = max(lambda_1, abs(b - lambda_1))  # largest |l + d - lambda_1|, of public records at d = B
    most = max(abs(b - lambda_1), abs(2 * b - lambda_1), own)
    bend = (beta + 2 * alpha**3 * most / m**2.5 + 2 * (1 - alpha) ** 3 * own / n**2.5 +
            g * (alpha**2 / m**1.5 + (1 - alpha) ** 2 / n**1.5))
    m_range = 2 * b + lambda_1
    steps = (sqrt(bend * m_range) * epsilon * n**1.5 / ((1 - alpha) * sqrt(log(2 / delta)) * sqrt(
        40 * g**2 * d * n + (1 - alpha) ** 2 * b**2)))
    noise = log(2 / delta) / epsilon**2
    error = {"error_by_steps": 8 * bend * m_range / iterations,
             "error_by_predictor": 8 * 40 * (1 - alpha) ** 2 * g**2 * d * iterations * noise / n**2,
             "error_by_private_weights": 8 * (1 - alpha) ** 4 * b**2 * iterations * noise / n**3}
    return steps, error


class Plan(CliCase):
    def check_theory(self, number, steps, error, theory):
        self.assertEqual(theory["theorem"], number)
        self.assertEqual(theory["steps"], NUMBERS["iterations"])
        self.assertAlmostEqual(theory["steps_of_theorem"] / steps, 1, delta=1e-9)
        for name, value in error.items():
            self.assertAlmostEqual(theory[name] / value, 1, delta=1e-9, msg=name)
        self.assertAlmostEqual(theory["error"] / sum(error.values()), 1, delta=1e-9)
        self.assertEqual(theory["says_nothing"], theory["error"] >= theory["trivial_error"])

    def paper_plan(self, sizes, **options):
        m, n, features = sizes
        settings = [word for name, value in {**NUMBERS, "method": "paper", **options}.items()
                    for word in ("--set", f"{name}={value}")]
        return self.plan("--source-rows", str(m), "--target-rows", str(n), "--features",
                         str(features), *settings)

    def test_the_paper_s_first_theorem_has_its_number_of_steps_and_terms(self):
        weak, strong = {"kappa_1": 0.7, "kappa_2": 0.2, "kappa_inf": 0.1}, {"kappa_1": 1e4}
        for sizes, kappas in (((60, 25, 3), weak), ((500, 4000, 7), weak),
                              ((10**9, 10**9, 3), strong), ((60, 25, 3), strong)):
            theory = self.paper_plan(sizes, **kappas)["theory"]
            steps, error = theorem_1(*sizes[:2], sizes[2] + 1,
                                     **{"kappa_2": 0, "kappa_inf": 0, **kappas}, **NUMBERS)
            self.check_theory(1, steps, error, theory)
        # With weights that cannot move, and more records than one can have, it says something.
        says = [self.paper_plan((10**9, 10**9, 3), kappa_1=kappa_1, iterations=10**6)["theory"]
                ["says_nothing"] for kappa_1 in (0.7, 1e4)]
        self.assertEqual(says, [True, False])

    def test_the_paper_s_fourth_theorem_has_its_number_of_steps_and_terms(self):
        for sizes, lambda_1 in (((60, 25, 3), 0.3), ((900, 40000, 5), 40.0)):
            for loss in ("logistic", "squared"):
                bound = {} if loss == "squared" else {"label_bound": "auto"}
                theory = self.paper_plan(sizes, loss=loss, form="general", lambda_1=lambda_1,
                                         **bound)["theory"]
                r = hypot(1.5, 1)
                b, g, beta = {
                    "logistic": (log(1 + exp(2 * r)), r / (1 + exp(-2 * r)), r**2 / 4),
                    "squared": ((2 * r + 1) ** 2, 2 * r * (2 * r + 1), 2 * r**2)}[loss]
                shared = {name: NUMBERS[name] for name in ("alpha", "epsilon", "delta",
                                                           "iterations")}
                steps, error = theorem_4(*sizes[:2], sizes[2] + 1, b, g, beta, lambda_1, **shared)
                self.check_theory(4, steps, error, theory)

    def test_what_sizes_leave_open_stays_open_in_theory(self):
        theory = self.paper_plan((60, 25, 3))["theory"]
        self.assertIsNone(theory["error"])
        self.assertIsNone(theory["says_nothing"])
        self.assertGreater(theory["error_by_predictor"], 0)
        data = self.plan(*self.files, *PRIVATE, *ALPHA, "--set", "method=paper")["theory"]
        self.assertGreater(data["error"], data["trivial_error"])
        self.assertIs(data["says_nothing"], True)
        for arguments in ((*self.files, *PRIVATE, *ALPHA), (*SIZES, *PRIVATE)):
            self.assertNotIn("theory", self.plan(*arguments))

    def plan(self, *arguments):
        text = self.succeed("plan", *arguments, "--json")
        self.assertRegex(text, r"\A\{[^\n]*\}\n\Z")
        return json.loads(text)

    def test_plans_have_the_limits_of_the_library(self):
        sizes = ("--source-rows", "3000000000", "--features", "2", *budget("1", "1e-15"))
        plan = self.plan(*sizes, "--target-rows", "3000000000")
        self.assertEqual(plan["target_rows"], 3_000_000_000)
        self.plan(*sizes, "--target-rows", str(2**40))
        self.fail_with(2, "plan", *sizes, "--target-rows", str(2**40 + 1))

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

    def test_costs_that_somebody_waits_for_are_told(self):
        done = self.run_cli("plan", "--source-rows", "60", "--target-rows", "1000000000",
                            "--features", "3", *PRIVATE)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\AAt most \d+ passes over private rows read \d+ GB in "
                                      r"about \d+ s on one thread here, if the rows are in "
                                      r"memory\.\n\Z")

    def test_a_discrepancy_takes_its_share(self):
        (gaussian,) = [release for release in self.plan(*SIZES, *PRIVATE, *ALPHA)["releases"]
                       if release["purpose"] == "discrepancy"]
        self.assertEqual(gaussian["mechanism"], "Gaussian")
        plan = self.plan(*SIZES, *PRIVATE, *ALPHA, "--set", "discrepancy_noise=laplace")
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
            shuffled = ("--set", "sampling=shuffled")
            plan = self.plan(*self.files, *PRIVATE, *shuffled, "--baseline", method)
            (release,) = plan["releases"]
            self.assertEqual(release["steps"], steps)
            self.assertIn(method, plan["call"]["method"])
            made = json.loads(self.succeed("baseline", method, *self.files, *PRIVATE, *shuffled,
                                           "--json"))
            self.assertEqual(made["privacy"]["spent"], plan["total"])
            told = made["privacy"]["releases"][0]["release"]
            self.assertEqual(told, {name: release[name] for name in told})
            self.assertEqual(set(release) - set(told), {"dimension", "tau"})
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
            message = self.fail_with(2, "plan", *data, *PAPER, *PRINTED)
            epsilon, delta = "20.0865625", "0.01076098"
            self.assertRegex(message, rf"delta = {delta}\d* at epsilon = 20\b")
            self.assertRegex(message, rf"epsilon = {epsilon}\d* at delta = 0.01\b")
        self.plan(*SIZES, *PAPER, "--set", "calibration=exact")

    def test_a_forecast_needs_the_source_alone(self):
        source = ("--source", self.source, "--label", "y")
        quick = ("--set", "forecast_repeats=2")
        plan = self.plan("--forecast", *source, "--target-rows", "40", *quick)
        self.assertEqual(plan["error"], "squared")
        cells = plan["table"]
        self.assertEqual([(cell["epsilon"], cell["shift"]) for cell in cells],
                         [(e, s) for e in (0.5, 1, 4, 10) for s in (0, 0.5, 1, 2)])
        for cell in cells:
            self.assertEqual((cell["target_rows"], cell["delta"]), (40, 1e-6))
            for method in ("source_only", "private", "target_only"):
                self.assertLessEqual(0, cell[method + "_lower"])
                self.assertLessEqual(cell[method + "_lower"], cell[method])
                self.assertLessEqual(cell[method], cell[method + "_upper"])
            self.assertTrue(cell["rows_to_beat_source"] is None or cell["rows_to_beat_source"] >= 4)
        self.assertRegex(plan["sentence"], r"^With 40 rows, epsilon 1 and a shift of 1 expect a "
                                           r"squared error of ")
        plan_sentence = plan["sentence"] + "\n\n"
        plan = self.plan("--forecast", *source, "--target-rows", "40", *quick, *PRIVATE,
                         "--set", "forecast_shifts=3", "--features", "x1,x3")
        (cell,) = plan["table"]
        self.assertEqual((cell["epsilon"], cell["delta"], cell["shift"]), (2, 1e-4, 3))
        self.assertIn("epsilon 2 and a shift of 3 expect", plan["sentence"])
        shifts = ("--set", "forecast_shifts=0,2,0.9,0.5")
        plan = self.plan("--forecast", *source, "--target-rows", "40", *quick, *PRIVATE, *shifts)
        self.assertIn("epsilon 2 and a shift of 0.9 expect", plan["sentence"])
        self.assertGreater(cell["source_only"], cell["target_only"])
        text = self.succeed("plan", "--forecast", *source, "--target-rows", "40", *quick)
        self.assertTrue(text.startswith(plan_sentence), text)
        self.assertIn("  rows to beat source\n", text)
        assess = ("assess", *source, "--target-rows", "40", *quick)
        self.assertEqual(self.succeed(*assess), text)

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
            "huge": (*SIZES[2:], "--source-rows", "1099511627777", *PRIVATE),
            "nothing private": (*SIZES, *NOT_PRIVATE),
            "no budget": SIZES,
            "persons": (*SIZES, *PRIVATE, "--set", "unit=person"),
        }
        for word in ("x1", "0", "-2", "2,3", "3.5"):
            cases[word] = (*rows, "--features", word, *PRIVATE)
        for name, arguments in cases.items():
            with self.subTest(name):
                self.fail_with(2, "plan", *arguments)


if __name__ == "__main__":
    unittest.main()
