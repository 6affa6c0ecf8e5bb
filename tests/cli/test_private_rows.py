"""Rows of a private sample cause no error and no message, whatever they hold."""

import json
import unittest
from pathlib import Path

from cli_case import ALPHA, FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text

HEADER = b"x1,x2,x3,y\n"
DAMAGED = {
    "missing": b"1,,3,4",
    "NA": b"1,NA,3,4",
    "text for a label": b"1,2,3,four",
    "beyond double precision": b"1,1e999,3,4",
    "nan": b"nan,2,3,4",
    "infinite": b"1,2,3,-inf",
    "a null byte": b"1,\0,3,4",
    "not UTF-8": b"1,\xff\xfe,3,4",
    "quoted text": b'1,"two, or so",3,4',
    "no cell": b'""',
    "too few": b"1,2,3",
    "too many": b"1,2,3,4,5",
    "too long": b"1," + b"w" * (2 << 20) + b",3,4",
}


class PrivateRows(CliCase):
    def with_row(self, row):
        """The target with a row in the place of its first."""
        lines = Path(self.target).read_bytes().split(b"\n")
        path = self.write("private.csv", b"\n".join([lines[0], row, *lines[2:]]))
        return ("--source", self.source, "--target", path, "--label", "y")

    def result(self, *arguments):
        done = self.run_cli(*arguments)
        return done.returncode, done.stderr, done.stdout

    def fit_with_row(self, row):
        return self.result("fit", *self.with_row(row), *PRIVATE, *ALPHA, *SEED, "--json")

    def test_damage_is_a_record_that_is_not_a_number(self):
        clean = self.fit_with_row(b"1,2,3,4")
        expected = self.fit_with_row(b"nan,nan,nan,nan")
        self.assertEqual(expected[:2], clean[:2])
        self.assertNotEqual(expected[2], clean[2])
        for name, row in DAMAGED.items():
            with self.subTest(name):
                self.assertEqual(self.fit_with_row(row), expected)

    def test_every_command_is_as_silent_as_with_a_clean_file(self):
        for command in ("fit", "discrepancy", "plan", "inspect"):
            clean = self.result(command, *self.files, *PRIVATE)
            self.assertEqual(clean[:2], (0, ""))
            for name, row in DAMAGED.items():
                with self.subTest(command=command, row=name):
                    found = self.result(command, *self.with_row(row), *PRIVATE)
                    self.assertEqual(found[:2], clean[:2])

    def test_the_same_rows_are_refused_where_they_are_public(self):
        for name, row in DAMAGED.items():
            with self.subTest(name):
                files = self.with_row(row)
                for choice in (NOT_PRIVATE, (*PRIVATE, "--set", "private_domain=source")):
                    message = self.fail_with(3, "fit", *files, *choice, errors="replace")
                    self.assertIn("line 2", message)

    def test_the_source_can_be_the_private_one(self):
        self.source, self.target = self.with_row(DAMAGED["NA"])[3], self.source
        files = ("--source", self.source, "--target", self.target, "--label", "y")
        self.succeed("fit", *files, *PRIVATE, "--set", "private_domain=source")
        self.assertIn('"NA"', self.fail_with(3, "fit", *files, *PRIVATE))

    def test_header_and_number_of_rows_are_public(self):
        files = ("--source", self.source, "--label", "y", *PRIVATE)
        for content, expected in ((b"x1,x2,x3\n1,2,3\n", 'no column "y"'),
                                  (HEADER, "no rows below the header"),
                                  (b"", "the file is empty"),
                                  (b"x1,x1,x3,y\n1,2,3,4\n", 'two columns "x1"')):
            target = self.write("private.csv", content)
            self.assertIn(expected, self.fail_with(3, "fit", *files, "--target", target))

    def test_quotes_spoil_the_file_and_not_a_row(self):
        message = self.fail_with(3, "fit", *self.with_row(b'1,"2"2,3,4'), *PRIVATE)
        self.assertIn("line 2, column 2 (x2): misplaced quote", message)
        message = self.fail_with(3, "fit", *self.with_row(b'1,"2,3,4'), *PRIVATE)
        self.assertIn("line 2 starts a quoted cell that is never closed", message)


class OneFile(CliCase):
    """A public column, here the last, says which rows are private."""

    def mixed(self, source=(), target=()):
        rows = [[*row, "source"] for row in self.source_rows[: 60 - len(source)]] + list(source)
        rows += [[*row, "target"] for row in self.target_rows[: 25 - len(target)]] + list(target)
        path = self.write("both.csv", csv_text([*FEATURES, "y", "domain"], rows))
        return ("--data", path, "--label", "y", *PRIVATE)

    def inspect(self, files):
        return json.loads(self.succeed("inspect", *files, "--json"))["nonfinite"]

    def test_damage_is_silent_in_private_rows_only(self):
        damaged = [["NA", 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, ""], ["w" * (2 << 20), 2.0, 3.0, 4.0]]
        self.assertEqual(self.inspect(self.mixed()), 0)
        self.assertEqual(self.inspect(self.mixed(target=[[*row, "target"] for row in damaged])), 3)
        for row in damaged:
            message = self.fail_with(3, "fit", *self.mixed(source=[[*row, "source"]]))
            self.assertIn("both.csv: line 61, column ", message)

    def test_extra_cells_behind_the_domain(self):
        row = [1.0, 2.0, 3.0, 4.0]
        self.assertEqual(self.inspect(self.mixed(target=[[*row, "target", 5.0]])), 1)
        message = self.fail_with(3, "fit", *self.mixed(source=[[*row, "source", 5.0]]))
        self.assertIn("line 61 has 6 fields, but the header has 5", message)

    def test_a_row_of_no_domain_is_refused_without_showing_it(self):
        for row in ([1.0, 2.0, 3.0, 4.0, 98765.0], ["98765x", 2.0, 3.0, 4.0, ""],
                    [1.0, 2.0, "98765x"], [1.0, "98765x", "98765x", 3.0, 4.0, "target"]):
            message = self.fail_with(3, "fit", *self.mixed(target=[row]))
            self.assertIn("both.csv: line 86 belongs neither to the source nor to the target",
                          message)
            self.assertNotIn("98765", message)


if __name__ == "__main__":
    unittest.main()
