import json
import unittest

from cli_case import CliCase

BUDGET = ("--epsilon", "1", "--delta", "1e-5")


class Privacy(CliCase):
    def number(self, *arguments):
        """The printed number, which is the value of the JSON object."""
        text = self.succeed("privacy", *arguments)
        self.assertRegex(text, r"\A[0-9.e+-]+\n\Z")
        report = json.loads(self.succeed("privacy", *arguments, "--json"))
        self.assertEqual(report, {"value": float(text)})
        return float(text)

    def test_known_values(self):
        laplace = ("--laplace-epsilon", "0.5")
        cases = {
            ("delta", "--epsilon", "1", "--mu", "1"): 0.12693673750664395,
            ("delta", "--epsilon", "1", *laplace, "--mu", "0.3"): 0.0039978916796239457,
            ("delta", "--epsilon", "-1", *laplace, "--mu", "0.7"): 0.65902352897932981,
            ("epsilon", "--delta", "1e-5", *laplace, "--mu", "0.3"): 1.5823771729613543,
            ("mu", *BUDGET, *laplace): 0.14900520715088236,
            ("sigma", *BUDGET): 3.7306316348159418,
        }
        for arguments, expected in cases.items():
            with self.subTest(arguments):
                value = self.number(*arguments)
                self.assertAlmostEqual(value, expected, delta=1e-12 * expected)
                if arguments[0] == "mu":
                    self.assertLessEqual(value, expected)
                else:
                    self.assertGreaterEqual(value, expected)

    def test_laplace_epsilon_is_0_unless_given(self):
        for arguments in (("delta", "--epsilon", "1", "--mu", "1"), ("mu", *BUDGET),
                          ("epsilon", "--delta", "1e-5", "--mu", "1")):
            self.assertEqual(self.number(*arguments),
                             self.number(*arguments, "--laplace-epsilon", "0"))

    def test_results_read_back_exactly(self):
        mu = self.succeed("privacy", "mu", *BUDGET).strip()
        self.assertLessEqual(self.number("delta", "--epsilon", "1", "--mu", mu), 1e-5)

    def test_usage_errors(self):
        cases = {
            "no subcommand": (),
            "unknown subcommand": ("budget",),
            "two subcommands": ("mu", *BUDGET, "sigma", *BUDGET),
            "missing epsilon": ("sigma", "--delta", "1e-5"),
            "missing delta": ("mu", "--epsilon", "1"),
            "missing mu": ("delta", "--epsilon", "1"),
            "nothing": ("epsilon",),
            "superfluous delta": ("delta", *BUDGET, "--mu", "1"),
            "superfluous mu": ("mu", *BUDGET, "--mu", "1"),
            "superfluous laplace": ("sigma", *BUDGET, "--laplace-epsilon", "0"),
            "stray argument": ("sigma", *BUDGET, "1"),
            "no number": ("sigma", "--epsilon", "one", "--delta", "1e-5"),
            "empty": ("sigma", "--epsilon", "", "--delta", "1e-5"),
            "twice": ("sigma", *BUDGET, "--epsilon", "2"),
        }
        for name, arguments in cases.items():
            with self.subTest(name):
                self.fail_with(2, "privacy", *arguments)

    def test_numbers_outside_their_range_are_usage_errors(self):
        cases = {
            ("sigma", "--epsilon", "1", "--delta", "1"): ("delta", "[1e-300, 1)"),
            ("sigma", "--epsilon", "nan", "--delta", "1e-5"): ("epsilon", "nan"),
            ("delta", "--epsilon", "1", "--mu", "51"): ("mu", "51"),
            ("mu", *BUDGET, "--laplace-epsilon", "1.5"): ("laplace_epsilon", "1.5"),
            ("epsilon", "--delta", "0", "--mu", "1"): ("delta", "600"),
        }
        for arguments, words in cases.items():
            with self.subTest(arguments):
                message = self.fail_with(2, "privacy", *arguments)
                for word in words:
                    self.assertIn(word, message)

    def test_help(self):
        self.assertRegex(self.succeed("--help"), r"(?m)^  privacy +\S")
        text = self.succeed("privacy", "--help")
        for command in ("delta", "epsilon", "mu", "sigma"):
            self.assertRegex(text, rf"(?m)^  {command} +\S")
            self.assertIn("--json", self.succeed("privacy", command, "--help"))


if __name__ == "__main__":
    unittest.main()
