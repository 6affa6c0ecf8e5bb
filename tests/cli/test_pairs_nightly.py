"""All pairs of options, reports and features."""

import unittest

from feature_pairs import FeaturePairs

REPORTS = [(), ("--report", "HERE/r.txt"), ("--report", "HERE/r.json"),
           ("--report", "HERE/r.html")]
SEARCH = ("select", "--grid", "shrinkage=2,4", "--set", "selection_epsilon=0.5", "--set",
          "selection_bound=9")


class AllPairs(FeaturePairs):
    def test_options(self):
        methods = [("fit",), ("fit", "--method", "paper", "--alpha", "0.5")]
        methods += [("baseline", name) for name in ("joint_ssp", "noisy_sgd", "private_dm")]
        self.judge_all(self.option_cases(REPORTS, methods))

    def test_features(self):
        for command in (("fit",), ("compare",), SEARCH, ("discrepancy",),
                        ("baseline", "joint_ssp"), ("plan",), ("inspect",)):
            with self.subTest(command[0]):
                # A baseline has no loss of its own, and says which options it does not read.
                refusals = 0.85 if command[0] == "baseline" else 0.8
                self.judge_all(self.pair_cases([command]), refusals)
        with self.subTest("rehearse"):  # which refuses every private target
            self.judge_all(self.pair_cases([("rehearse",)]), refusals=0.99)


if __name__ == "__main__":
    unittest.main()
