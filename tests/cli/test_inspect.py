import json
import unittest

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, CliCase, csv_text

BOUNDS = ("--set", "preprocess=none", "--set", "feature_radius=10", "--set", "label_bound=100")


class Inspect(CliCase):
    def inspect(self, rows, *arguments):
        target = self.write("private.csv", csv_text([*FEATURES, "y"], rows))
        files = ("--source", self.source, "--target", target, "--label", "y")
        return self.succeed("inspect", *files, *BOUNDS, *arguments)

    def test_counts(self):
        rows = [[1.0, 2.0, 3.0, 4.0], ["NA", 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, ""],
                [11.0, 2.0, 3.0, 4.0], [0.0, 0.0, 12.0, 101.0], [1.0, 2.0, 3.0, -101.0],
                [1.0, 2.0, 3.0, 102.0]]
        report = json.loads(self.inspect(rows, "--json"))
        self.assertEqual(list(report), ["notice", "private", "nonfinite", "scaled", "clamped"])
        self.assertEqual((report["nonfinite"], report["scaled"], report["clamped"]), (2, 2, 3))

    def test_it_says_that_it_is_not_private(self):
        report = json.loads(self.inspect(self.target_rows, "--json", *PRIVATE))
        self.assertIs(report["private"], False)
        self.assertRegex(report["notice"], r"\ANOT PRIVATE: .*custodian only")
        text = self.inspect(self.target_rows)
        self.assertEqual(text.splitlines()[0], report["notice"])
        self.assertRegex(text, r"(?m)^  features scaled down +0$")

    def test_without_private_records_there_is_nothing_to_inspect(self):
        message = self.fail_with(2, "inspect", *self.files, *NOT_PRIVATE)
        self.assertIn("private_domain is none", message)


if __name__ == "__main__":
    unittest.main()
