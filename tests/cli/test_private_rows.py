"""Rows of a private sample cause no error and no message, whatever they hold."""

import gzip
import json
import random
import re
import unittest
from pathlib import Path

from cli_case import ALPHA, FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text

HEADER = b"x1,x2,x3,y\n"
# What is wrong with one feature is a missing value of that feature.
DAMAGED_FEATURE = {
    "beyond double precision": b"1,1e999,3,4",
    "a null byte": b"1,\0,3,4",
    "not UTF-8": b"1,\xff\xfe,3,4",
    "quoted text": b'1,"two, or so",3,4',
    "too long": b"1," + b"w" * (2 << 20) + b",3,4",
    "hexadecimal": b"1,0x10,3,4",
    "a quote within a cell": b'1,4"5,3,4',
    "text behind a quote": b'1,"2"2,3,4',
    "two numbers in a cell": b"1,2 3,3,4",
    "infinite": b"1,-inf,3,4",
    "a quote that nothing closes": b'1,"2,3,4',
    "decimal comma": b'1,"1,5",3,4',
}
MISSING = {"missing": b"1,,3,4", "NA": b"1,NA,3,4", "nan": b"1,nan,3,4", "blanks": b"1, \t,3,4"}
# A line without cells or without a label is a null record.
DAMAGED_LINE = {
    "text for a label": b"1,2,3,four",
    "infinite label": b"1,2,3,-inf",
    "no cell": b'""',
    "too few": b"1,2,3",
    "too many": b"1,2,3,4,5",
    "a number of 9 MiB": b"1,2,3," + b"0" * (9 << 20),
    "quotes only": b'"""""""',
}
DAMAGED = DAMAGED_FEATURE | DAMAGED_LINE
BOTH = ("private_domain=both", "feature_radius=5", "label_bound=5", "alpha=0.5", "radius=2",
        "kappa_1=1", "preprocess=none", "discrepancy=1", "clip_bound=5")
# These are damage to a file that may be private only.
BLANK = {
    "empty": b"",
    "blanks": b" \t ",
    "CR": b"\r",
    "CRs for commas": b"1\r2\r3\r4",
    "commas": b",,,",
    "binary": bytes(byte for byte in range(256) if byte != ord("\n")),
}


def both_private():
    return tuple(word for value in BOTH for word in ("--set", value))


class PrivateFile(CliCase):
    def with_row(self, row):
        """The target with a row in the place of its first."""
        lines = Path(self.target).read_bytes().split(b"\n")
        return self.with_target(b"\n".join([lines[0], row, *lines[2:]]))

    def with_target(self, content):
        path = self.write("private.csv", content)
        return ("--source", self.source, "--target", path, "--label", "y")

    def result(self, *arguments):
        done = self.run_cli(*arguments)
        return done.returncode, done.stderr, done.stdout

    def fit_with_row(self, row):
        return self.result("fit", *self.with_row(row), *PRIVATE, *ALPHA, *SEED, "--json")


class PrivateRows(PrivateFile):
    def test_a_damaged_line_is_a_null_record(self):
        clean = self.fit_with_row(b"1,2,3,4")
        expected = self.fit_with_row(b"nan,nan,nan,nan")
        self.assertEqual(expected[:2], clean[:2])
        self.assertNotEqual(expected[2], clean[2])
        for name, row in (DAMAGED_LINE | BLANK).items():
            with self.subTest(name):
                self.assertEqual(self.fit_with_row(row), expected)

    def test_a_damaged_feature_is_the_median_of_the_source(self):
        middle = sorted(row[1] for row in self.source_rows)[len(self.source_rows) // 2]
        expected = self.fit_with_row(f"1,{middle!r},3,4".encode())
        self.assertEqual(expected[:2], (0, ""))
        for name, row in (DAMAGED_FEATURE | MISSING).items():
            with self.subTest(name):
                self.assertEqual(self.fit_with_row(row), expected)

    def test_every_command_is_as_silent_as_with_a_clean_file(self):
        for command in ("fit", "discrepancy", "plan", "inspect"):
            clean = self.result(command, *self.files, *PRIVATE)
            self.assertEqual(clean[:2], (0, ""))
            for name, row in (DAMAGED | MISSING | BLANK).items():
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
        self.source, self.target = self.with_row(DAMAGED["hexadecimal"])[3], self.source
        files = ("--source", self.source, "--target", self.target, "--label", "y")
        self.succeed("fit", *files, *PRIVATE, "--set", "private_domain=source")
        self.assertIn('"0x10"', self.fail_with(3, "fit", *files, *PRIVATE))

    def test_more_rows_than_memory_are_refused(self):
        names = [f"x{k}" for k in range(100)] + ["y"]
        rows = [[float(i * k % 7) for k in range(101)] for i in range(20)]
        files = [self.write(name, csv_text(names, rows)) for name in ("s.csv", "t.csv")]
        message = self.fail_with(2, "fit", "--source", files[0], "--target", files[1], "--label",
                                 "y", *PRIVATE, "--rows", "2147483647")
        self.assertRegex(message, r"--rows 2147483647 needs some \d+ GB of memory, and here are "
                                  r"\d+ \(fit --memory SIZE reads rows piece by piece\)")

    def test_header_and_number_of_rows_are_public(self):
        files = ("--source", self.source, "--label", "y", *PRIVATE)
        for content, expected in ((b"x1,x2,y\n1,2,3\n", 'no column "x3"'),
                                  (HEADER, "no rows below the header"),
                                  (b"", "the file is empty"),
                                  (b"x1,x1,x3,y\n1,2,3,4\n", "two columns alike")):
            target = self.write("private.csv", content)
            self.assertIn(expected, self.fail_with(3, "fit", *files, "--target", target))

    def test_a_record_where_the_header_should_be_is_not_shown(self):
        target = self.write("private.csv", b"33,33,7,4\n1,2,3,4\n")
        message = self.fail_with(3, "fit", "--source", self.source, "--label", "y", *PRIVATE,
                                 "--target", target)
        self.assertNotIn("33", message.replace(target, ""))

    def test_nothing_of_a_row_reaches_the_next(self):
        rows = Path(self.target).read_bytes().splitlines()[1:]
        null = b"nan,nan,nan,nan"
        for first, second, means in ((b'1,"2,3,4', b'1,2",3,4', [b"1,,3,4"] * 2),
                                     (b'"', b'"', [null] * 2),
                                     (b'1,2,3,"4', b'"1,2,3,4', [null, b",2,3,4"])):
            expected = self.fit_lines([means[0], *rows[1:12], means[1], *rows[13:]])
            with self.subTest(first):
                self.assertEqual(self.fit_lines([first, *rows[1:12], second, *rows[13:]]), expected)

    def fit_lines(self, lines, end=b"\n", last=b"\n"):
        content = end.join([HEADER[:-1], *lines]) + last
        return self.result("fit", *self.with_target(content), *PRIVATE, *ALPHA, *SEED, "--json")

    def test_random_bytes_are_silent(self):
        generator = random.Random(5)
        alphabets = [bytes(range(256)).replace(b"\n", b""), b'",', b'1,"',
                     b"0123456789.,-+eE\" \t\r",
                     b'nainf,"']
        null = self.fit_with_row(b"nan,nan,nan,nan")
        for _ in range(200):
            alphabet = generator.choice(alphabets)
            row = bytes(generator.choices(alphabet, k=generator.randrange(24)))
            found = self.fit_with_row(row)
            with self.subTest(row):
                self.assertEqual(found[:2], null[:2])
                self.assertEqual(json.loads(found[2]).keys(), json.loads(null[2]).keys())
                if row.count(b",") < 3 or (row.count(b",") > 3 and b'"' not in row):
                    self.assertEqual(found, null)

    def test_rows_that_are_proper_are_read_as_in_a_public_file(self):
        rows = Path(self.target).read_bytes().splitlines()[1:]
        expected = self.fit_lines(rows)
        cells = [row.split(b",") for row in rows]
        variants = {"quoted": lambda row: b",".join(b'"' + c + b'"' for c in row),
                    "blanks": lambda row: b" , ".join(row) + b"\t",
                    "plus": lambda row: b",".join(b"+" * (c[:1] != b"-") + c for c in row),
                    "blanks in quotes": lambda row: b",".join(b' " ' + c + b'" ' for c in row)}
        for name, written in variants.items():
            changed = [written(row) for row in cells]
            with self.subTest(name):
                self.assertEqual(self.fit_lines(changed), expected)
        self.assertEqual(self.fit_lines(rows, b"\r\n", b"\r\n"), expected)
        self.assertEqual(self.fit_lines(rows, last=b""), expected)
        content = b"\xef\xbb\xbf\n" + HEADER + b"\n".join(rows)
        for variant in (content, gzip.compress(content)):
            found = self.result("fit", *self.with_target(variant), *PRIVATE, *ALPHA, *SEED,
                                "--json")
            self.assertEqual(found, expected)

    def test_columns_that_nobody_needs_may_hold_anything(self):
        rows = Path(self.target).read_bytes().splitlines()[1:]
        expected = self.fit_lines(rows)
        content = b"x1,x2,note,x3,y\n" + b"\n".join(
            b",".join([*row.split(b",")[:2], note, *row.split(b",")[2:]])
            for row, note in zip(rows, [b'"a ""word"", or two"', b"4'5\"", b"", b"\xff"] * 7))
        code, errors, text = self.result("fit", *self.with_target(content), *PRIVATE, *ALPHA,
                                         *SEED, "--json")
        told = '"Not used, because only the other sample has these columns: note."'
        self.assertEqual(text.count(told), 2)  # the header is public
        text = text.replace("," + told, "").replace(told, "")
        self.assertEqual((code, errors, text), expected)

    def test_a_label_that_is_no_class_is_a_null_record(self):
        for loss, classes, others in (("logistic", (-1, 1), (b"7", b"2", b"1e308", b"live", b"")),
                                      ("softmax", (0, 1, 2), (b"3", b"-1", b"0.5", b"1e308",
                                                              b"two"))):
            for name in ("source", "target"):
                rows = [[*row[:3], classes[k % len(classes)]]
                        for k, row in enumerate(getattr(self, name + "_rows"))]
                setattr(self, name, self.write(name + ".csv", csv_text([*FEATURES, "y"], rows)))
            choice = (*PRIVATE, *ALPHA, *SEED, "--set", "loss=" + loss, "--json")
            expected = self.result("fit", *self.with_row(b"nan,nan,nan,nan"), *choice)
            self.assertEqual(expected[:2], (0, ""))
            for label in others:
                with self.subTest(loss=loss, label=label):
                    found = self.result("fit", *self.with_row(b"1,2,3," + label), *choice)
                    self.assertEqual(found, expected)

    def test_the_header_of_a_private_file_is_checked(self):
        files = ("--source", self.source, "--label", "y", *PRIVATE)
        rows = b"1,2,3,4\r5,6,7,8\r"
        for header, expected in ((b'x1,x"2,x3,y', "misplaced quote"), (b'x1,"x2,x3,y',
                                                                       "misplaced quote"),
                                 (b"x1,x2,x3,y\r" + rows, "line 1 has a CR"),
                                 (b"x1,,x3,y", "line 1, column 2: the column has no name")):
            target = self.write("private.csv", header + b"\n" + b"1,2,3,4\n")
            message = self.fail_with(3, "fit", *files, "--target", target)
            self.assertIn(expected, message)
            self.assertNotIn("5,6", message)


class FixedNumberOfRows(PrivateFile):
    """--rows says how many records there are, so that not even that depends on the file."""

    def fit_rows(self, lines, *choice):
        content = b"\n".join([HEADER[:-1], *lines])  # without a newline at the end
        return self.result("fit", *self.with_target(content), *PRIVATE, *ALPHA, *SEED, "--json",
                           *choice)

    def test_missing_records_are_null_and_surplus_ones_are_gone(self):
        rows = Path(self.target).read_bytes().splitlines()[1:]
        expected = self.fit_rows(rows[:20])
        self.assertEqual(expected[:2], (0, ""))
        for lines in (rows, rows[:20], [*rows[:20], b'"', b"", b"\0"], [*rows[:20], b"", b"\n"]):
            self.assertEqual(self.fit_rows(lines, "--rows", "20"), expected)
        self.assertEqual(self.fit_rows(rows[:20], "--rows", "22"),
                         self.fit_rows([*rows[:20], b"NA", b"NA"]))
        self.assertEqual(self.fit_rows([], "--rows", "3"), self.fit_rows([b"NA", b"NA", b"NA"]))

    def test_missing_records_have_no_weight_either(self):
        rows = Path(self.target).read_bytes().splitlines()[1:]

        def fit(lines, *choice):
            files = self.with_target(b"\n".join([b"x1,x2,x3,y,w", *lines]))
            return self.result("fit", *files, *PRIVATE, *SEED, "--weight", "w", "--set",
                               "row_weight_bound=2", "--json", *choice)
        weighed = [row + (b",0.5" if i % 2 else b",1.5") for i, row in enumerate(rows)]
        expected = fit([*weighed[:20], b"NA", b"NA"])
        self.assertEqual(expected[:2], (0, ""))
        self.assertEqual(fit(weighed[:20], "--rows", "22"), expected)
        self.assertEqual(fit(weighed, "--rows", "20"), fit(weighed[:20]))

    def test_an_empty_last_row_without_a_newline_is_counted(self):
        rows = Path(self.target).read_bytes().splitlines()[1:]
        self.assertEqual(self.fit_rows([*rows[:19], b""], "--rows", "20"),
                         self.fit_rows([*rows[:19], b"NA"], "--rows", "20"))

    def test_each_private_sample_has_its_number(self):
        choice = (*PRIVATE, *SEED, "--json", *both_private())
        found = self.succeed("fit", *self.files, *choice, "--rows", "62,20")
        self.write("source.csv", Path(self.source).read_bytes() + b"NA\nNA\n")
        self.write("target.csv", csv_text([*FEATURES, "y"], self.target_rows[:20]))
        self.assertEqual(found, self.succeed("fit", *self.files, *choice))
        self.assertIn("two numbers", self.fail_with(2, "plan", *self.files, *choice, "--rows",
                                                    "70"))

    def test_wrong_use(self):
        for numbers in ("0", "-1", "20x", "1e3", "99999999999"):
            message = self.fail_with(2, "fit", *self.files, *PRIVATE, "--rows=" + numbers)
            self.assertIn("--rows needs a number from 1 to", message)
        self.assertIn("one number", self.fail_with(2, "fit", *self.files, *PRIVATE, "--rows",
                                                   "3,4"))
        self.assertIn("no row is private",
                      self.fail_with(2, "fit", *self.files, *NOT_PRIVATE, "--rows", "20"))

    def test_validation_rows(self):
        rows = Path(self.target).read_bytes().splitlines()[1:]
        choice = (*PRIVATE, *SEED, "--grid", "shrinkage=2,4", "--budget", "9,1e-3", "--set",
                  "selection_epsilon=1", "--set", "selection_bound=4", "--json")

        def select(lines, *more):
            path = self.write("judges.csv", b"\n".join([HEADER[:-1], *lines]))
            return self.result("select", *self.files, "--validation", path, *choice, *more)

        expected = select([*rows[:7], b"NA"])
        self.assertEqual(expected[:2], (0, ""))
        self.assertEqual(select([*rows[:7], b'4"5', *rows], "--validation-rows", "8"), expected)
        self.assertEqual(select(rows[:7], "--validation-rows", "8"), expected)
        self.assertIn("--validation", self.fail_with(2, "select", *self.files, *choice,
                                                     "--validation-rows", "8"))


class OneFile(CliCase):
    """A public column, here the last, says which rows are private."""

    def mixed(self, source=(), target=()):
        rows = [[*row, "source"] for row in self.source_rows[: 60 - len(source)]] + list(source)
        rows += [[*row, "target"] for row in self.target_rows[: 25 - len(target)]] + list(target)
        path = self.write("both.csv", csv_text([*FEATURES, "y", "domain"], rows))
        return ("--data", path, "--label", "y", *PRIVATE)

    def inspect(self, files):
        told = " ".join(self.report(files)["found"])
        found = re.findall(r"(\d+) of \d+ records count as zeros", told)
        return int(found[0]) if found else 0

    def report(self, files):
        return json.loads(self.succeed("inspect", *files, "--json"))

    def test_damage_is_silent_in_private_rows_only(self):
        damaged = [["NA", 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, ""], ["w" * (2 << 20), 2.0, 3.0, 4.0]]
        self.assertEqual(self.inspect(self.mixed()), 0)
        report = self.report(self.mixed(target=[[*row, "target"] for row in damaged]))
        self.assertIn("Target: 1 of 25 records count as zeros", report["found"][0])
        self.assertEqual(report["files"]["target"]["columns"],
                         {"x1": {"missing": 1, "not a number": 1}, "y": {"no label": 1}})
        damaged = [["NA.", 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, "four"], damaged[2]]
        for row in damaged:
            message = self.fail_with(3, "fit", *self.mixed(source=[[*row, "source"]]))
            self.assertIn("both.csv: line 61, column ", message)

    def test_extra_cells(self):
        row = [1.0, 2.0, 3.0, 4.0]
        self.assertEqual(self.inspect(self.mixed(target=[[*row, 5.0, "target"]])), 1)
        message = self.fail_with(3, "fit", *self.mixed(source=[[*row, 5.0, "source"]]))
        self.assertIn("line 61 has 6 fields, but the header has 5", message)

    def test_a_row_of_no_domain_is_a_null_record_of_the_private_sample(self):
        for row in ([1.0, 2.0, 3.0, 4.0, 98765.0], ["98765x", 2.0, 3.0, 4.0, ""], [1.0, 2.0,
                                                                                   "98765x"],
                    [""], ['1,2,"3', "4", "targe"], [1.0, 2.0, 3.0, 4.0, "target", "9"]):
            self.assertEqual(self.inspect(self.mixed(target=[row])), 1)

    def test_no_other_cell_moves_a_row_into_the_other_sample(self):
        for cells in ("1,2,3,4,source", "source", "source,source,source,source", '1,"2,3,4', '"',
                      "",
                      "1,2,3,source"):
            for domain in ("target", '"target"', ' "target" '):
                with self.subTest(cells=cells, domain=domain):
                    report = self.report(self.mixed(target=[[cells, domain]]))
                    self.assertEqual(report["files"]["target"]["records"], 25)

    def test_the_domain_is_the_first_or_the_last_column(self):
        rows = [[*row[:3], row[3], name] for rows, name in ((self.source_rows, "source"),
                                                            (self.target_rows,
                                                             "target")) for row in rows]
        orders = {"last": [0, 1, 2, 3, 4], "first": [4, 0, 1, 2, 3], "middle": [0, 1, 4, 2, 3]}
        reports = {}
        for name, order in orders.items():
            names = [*FEATURES, "y", "domain"]
            path = self.write("both.csv", csv_text([names[k] for k in order],
                                                   [[row[k] for k in order] for row in rows]))
            reports[name] = self.run_cli("fit", "--data", path, "--label", "y", *PRIVATE, *SEED,
                                         "--json")
        self.assertEqual(reports["first"].stdout, reports["last"].stdout)
        self.assertEqual((reports["first"].returncode, reports["middle"].returncode), (0, 3))
        self.assertIn('column "domain" must be the first or the last one', reports["middle"].stderr)
        self.succeed("fit", "--data", self.path("both.csv"), "--label", "y", *NOT_PRIVATE)

    def test_no_private_row_is_as_many_null_records_as_are_said(self):
        rows = [[*row, "source"] for row in self.source_rows]
        found = []
        for private in ([], [["NA", "NA", "NA", "NA", "target"]]):
            data = self.write("both.csv", csv_text([*FEATURES, "y", "domain"], rows + private))
            done = self.run_cli("fit", "--data", data, "--label", "y", *PRIVATE, *ALPHA, *SEED,
                                "--rows", "3", "--json")
            found.append((done.returncode, done.stderr, done.stdout))
        self.assertEqual(*found)


class EitherSample(CliCase):
    """Of the two samples one is private, or both are, in two files or in one."""

    WAYS = [(choice, in_one_file) for choice in (("--set", "private_domain=source"),
                                                 ("--set", "private_domain=target"),
                                                 both_private()) for in_one_file in (False, True)]

    def samples(self, source, target, in_one_file):
        names = [*FEATURES, "y", "domain"]
        source = [[*row, "source"] for row in source]
        target = [[*row, "target"] for row in target]
        if in_one_file:
            return ("--data", self.write("both.csv", csv_text(names, source + target)),
                    "--label", "y")
        return ("--source", self.write("source.csv", csv_text(names, source)),
                "--target", self.write("target.csv", csv_text(names, target)),
                "--label", "y", "--ignore", "domain")

    def schema(self, files, choice):
        model = self.path("model.json")
        self.succeed("fit", *files, *PRIVATE, *choice, "--output", model)
        return json.loads(Path(model).read_text())["schema"]

    def test_public_rows_alone_teach_what_a_model_says_of_its_columns(self):
        source, target = self.source_rows, self.target_rows
        other, other_target = ([[1e6, *row[1:]] if row == min(rows) else row for row in rows]
                               for rows in (source, target))
        for choice, in_one_file in self.WAYS:
            with self.subTest(choice[1], in_one_file=in_one_file):
                found = self.schema(self.samples(source, target, in_one_file), choice)
                for rows, teaches in (((other, target), "private_domain=target"),
                                      ((source, other_target), "private_domain=source")):
                    changed = self.schema(self.samples(*rows, in_one_file), choice) != found
                    self.assertEqual(changed, choice[1] == teaches)

    def test_a_private_row_without_a_label_is_a_record(self):
        source, target = ([*rows[:-1], [*rows[-1][:3], ""]]
                          for rows in (self.source_rows, self.target_rows))
        counts = {"source": len(source), "target": len(target)}
        for choice, in_one_file in self.WAYS:
            with self.subTest(choice[1], in_one_file=in_one_file):
                files = self.samples(source, target, in_one_file)
                told = json.loads(self.succeed("inspect", *files, *PRIVATE, *choice, "--json"))
                word = choice[1].split("=")[1]
                self.assertEqual({name: facts["records"] for name, facts in told["files"].items()},
                                 {name: count for name, count in counts.items()
                                  if word in (name, "both")})


if __name__ == "__main__":
    unittest.main()
