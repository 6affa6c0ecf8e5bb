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
        self.assertEqual(list(report),
                         ["notice", "private", "found", "labels", "files"])
        self.assertEqual([line[:len("Target: 1 of 7 records")] for line in report["found"]],
                         [f"Target: {count} of 7 records" for count in (1, 2, 3)])

    def test_columns_and_reasons_are_told(self):
        rows = [["NA", 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, ""], ["1;5", 2.0, 3.0, 4.0],
                [1.0, 2.0, 3.0, "live"], [1.0, 2.0], *self.target_rows]
        found = json.loads(self.inspect(rows, "--json"))["files"]
        self.assertEqual(found, {"target": {
            "records": 30, "wrong number of cells": 1,
            "columns": {"x1": {"missing": 1, "not a number": 1},
                        "y": {"no label": 1, "unknown label": 1}}}})
        text = self.inspect(rows)
        self.assertRegex(text, r"(?m)^Of the 30 lines of the target$")
        self.assertRegex(text, r"(?m)^  x1: not a number +1$")

    def test_the_labels_that_are_known_are_told(self):
        self.assertIn("\nThe label must be a number.\n", self.inspect(self.target_rows))
        rows = [[k / 10, "live" if k % 3 else "dead"] for k in range(60)]
        files = ("--source", self.write("s.csv", csv_text(["x", "y"], rows)), "--target",
                 self.write("t.csv", csv_text(["x", "y"], [[0.5, "alive"], *rows])))
        text = self.succeed("inspect", *files, "--label", "y", "--loss", "logistic")
        self.assertIn("\nThe label must be dead or live.\n", text)
        self.assertRegex(text, r"(?m)^  y: unknown label  1$")

    def test_it_says_that_it_is_not_private(self):
        report = json.loads(self.inspect(self.target_rows, "--json", *PRIVATE))
        self.assertIs(report["private"], False)
        self.assertRegex(report["notice"], r"\ANOT PRIVATE: .*custodian only")
        text = self.inspect(self.target_rows)
        self.assertEqual(text.splitlines()[0], report["notice"])
        self.assertNotIn("scaled down", text)

    def test_what_looks_like_a_slip_is_told_with_its_column(self):
        rows = [[row[0], 1000 * row[1], *row[2:]] for row in self.target_rows]
        rows[3][0] = rows[4][0] = rows[5][0] = 99999
        for privacy in (BOUNDS, NOT_PRIVATE):
            files = ("--source", self.source, "--target",
                     self.write("slip.csv", csv_text([*FEATURES, "y"], rows)), "--label", "y")
            text = self.succeed("inspect", *files, *privacy)
            self.assertRegex(text, r"(?m)^Target, x2: .* times that of the source: other units\?$")
        self.assertTrue(text.startswith("Both samples are public.\n"))


if __name__ == "__main__":
    unittest.main()
