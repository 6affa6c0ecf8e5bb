"""A part of the pairs of options, reports and features; the nightly test has all of them."""

import unittest

from feature_pairs import FeaturePairs

PAGE = ("--report", "HERE/r.html")


class Pairs(FeaturePairs):
    def test_options_and_pages(self):
        self.judge_all(self.option_cases([PAGE], [("fit",)]))

    def test_features(self):
        cases = list(self.pair_cases([("fit",)]))
        self.judge_all(cases[::6])

    def test_saved_predictors(self):
        self.judge_all(self.prediction_cases())
        for command in (("evaluate",), ("calibrate", "--output", "HERE/c.json")):
            with self.subTest(command[0]):
                self.judge_all(self.unseen_cases(command), refusals=0.9)

    def test_a_page_goes_with_every_kind_of_fit(self):
        for more in ("inference=yes", "labelled_share=0.5", "method=paper"):
            with self.subTest(more):
                self.succeed("fit", "--source", self.source, "--target", self.target, "--label",
                             "y", "--ignore", "kind,w,score,z,person", "--epsilon", "2", "--delta",
                             "1e-4", "--set", more, "--report", self.path("page.html"))

    def test_few_rows_of_which_no_public_error_is_known(self):
        for command in (("fit", "--holdout", "0.3"), ("compare",)):
            arguments = self.arguments_of(command, ("perceptron", "json"))
            self.succeed(*arguments)


if __name__ == "__main__":
    unittest.main()
