import base64
import csv
import gzip
import json
import math
import os
import random
import re
import subprocess
import unittest
from pathlib import Path

from cli_case import FEATURES, PRIVATE, PROGRAM, SEED, CliCase, csv_text


class RoundTrip(CliCase):
    def setUp(self):
        super().setUp()
        self.model, self.report = self.fit_model()
        self.rows = [row[:3] for row in self.target_rows]
        self.expected = [
            math.fsum(c * v for c, v in zip(self.report["coefficients"], row))
            + self.report["intercept"]
            for row in self.rows
        ]

    def predict(self, content, name="rows.csv"):
        text = self.succeed("predict", "--model", self.model, "--data", self.write(name, content))
        lines = text.splitlines()
        self.assertEqual(lines[0], "prediction")
        return [float(line) for line in lines[1:]]

    def assert_expected(self, predictions):
        self.assertEqual(len(predictions), len(self.expected))
        for found, expected in zip(predictions, self.expected):
            self.assertAlmostEqual(found, expected, delta=1e-12 * (1 + abs(expected)))

    def test_predictions_are_features_times_coefficients_plus_intercept(self):
        self.assert_expected(self.predict(csv_text(FEATURES, self.rows)))

    def test_columns_are_matched_by_name_and_others_ignored(self):
        rows = [["text", x3, x1, "", x2] for x1, x2, x3 in self.rows]
        self.assert_expected(self.predict(csv_text(["note", "x3", "x1", "y", "x2"], rows)))

    def test_gzip(self):
        self.assert_expected(self.predict(gzip.compress(csv_text(FEATURES, self.rows).encode())))

    def test_a_missing_value_is_the_median_of_the_source(self):
        middle = sorted(row[0] for row in self.source_rows)[len(self.source_rows) // 2]
        found = self.predict(csv_text(FEATURES, [["nan", 1.0, 2.0], [middle, 1.0, 2.0]]))
        self.assertEqual(found[0], found[1])

    def test_kept_columns_come_first(self):
        rows = [[f'no. "{k}", a', *row, 'x'] for k, row in enumerate(self.rows)]
        names = ["id", *FEATURES, "note"]
        quoted = [['"' + row[0].replace('"', '""') + '"', *row[1:]] for row in rows]
        data = self.write("rows.csv", csv_text(names, quoted))
        text = self.succeed("predict", "--model", self.model, "--data", data, "--keep", "note,id")
        header, *lines = csv.reader(text.splitlines())
        self.assertEqual(header, ["note", "id", "prediction"])
        self.assertEqual([line[:2] for line in lines], [["x", row[0]] for row in rows])
        self.assert_expected([float(line[2]) for line in lines])

    def test_no_two_columns_have_one_name(self):
        names = [*FEATURES, "prediction"]
        data = self.write("rows.csv", csv_text(names, [[*row, 0.0] for row in self.rows]))
        message = self.fail_with(2, "predict", "--model", self.model, "--data", data, "--keep",
                                 "prediction")
        self.assertIn('two columns would be called "prediction"', message)

    def test_a_bad_row_does_not_stop_the_others(self):
        data = self.write("rows.csv", csv_text(FEATURES, [["two", 1.0, 2.0], [1.0, 1.0, 1.0]]))
        done = self.run_cli("predict", "--model", self.model, "--data", data)
        self.assertEqual(done.returncode, 0)
        self.assertIn('line 2, column 1 (x1): "two" is not a number', done.stderr)
        first, second = [float(line) for line in done.stdout.splitlines()[1:]]
        self.assertTrue(math.isfinite(second))
        middle = sorted(row[0] for row in self.source_rows)[len(self.source_rows) // 2]
        self.assertEqual([first], self.predict(csv_text(FEATURES, [[middle, 1.0, 2.0]])))
        message = self.fail_with(2, "predict", "--model", self.model, "--data", data, "--na", "no")
        self.assertIn("--na needs keep or fail", message)

    def test_levels_that_the_model_does_not_know_are_counted(self):
        rows = [[row[0], "red" if k % 2 else "blue", row[3]]
                for k, row in enumerate(self.source_rows)]
        files = [self.write(name, csv_text(["x", "colour", "y"], rows)) for name in "st"]
        self.files = ("--source", files[0], "--target", files[1], "--label", "y")
        model, _ = self.fit_model()
        data = self.write("rows.csv", csv_text(["x", "colour"], [[1.0, "pink"], [1.0, "grey"],
                                                                [1.0, "RED"], [1.0, "blue"]]))
        done = self.run_cli("predict", "--model", model, "--data", data, "--na", "fail")
        self.assertEqual(done.stderr, "dpadapt: colour: 2 of 4 rows have a level that the schema "
                                      'does not know: "pink", "grey"; the reference stands for '
                                      "it\n")
        found = done.stdout.split()[1:]
        self.assertEqual(found[0], found[1])
        self.assertIn(found[0], found[2:])

    def test_a_seeded_model_predicts_with_a_warning(self):
        rows = self.write("rows.csv", "x1,x2,x3\n1,1,1\n0,0,0\n")
        seeded = self.path("seeded.json")
        self.succeed("fit", *self.files, *PRIVATE, *SEED, "--output", seeded)
        done = self.run_cli("predict", "--model", seeded, "--data", rows)
        self.assertIn("NOT PRIVATE: the noise of this predictor", done.stderr)

    def test_output_file_has_what_would_be_printed(self):
        data = self.write("rows.csv", csv_text(FEATURES, self.rows))
        printed = self.succeed("predict", "--model", self.model, "--data", data)
        output = self.write("old.csv", "longer than the predictions\n" * 1000)
        arguments = ("predict", "--model", self.model, "--data", data, "--output", output)
        self.assertEqual(self.succeed(*arguments), "")
        self.assertEqual(Path(output).read_text(), printed)


class Memory(CliCase):
    COLUMNS = 40
    ROWS = 100_000

    def test_stays_within_twice_the_matrix(self):
        if re.search(b"__[at]san_init", Path(PROGRAM).read_bytes()):
            self.skipTest("sanitizers multiply memory")
        names = [f"x{j}" for j in range(self.COLUMNS)] + ["y"]
        generator = random.Random(3)
        numbers = [[generator.gauss(0, 1) for _ in names] for _ in range(90)]
        small = self.write("small.csv", csv_text(names, numbers))
        line = "1," * self.COLUMNS + "1\n"
        large = self.write("large.csv", csv_text(names, []) + line * self.ROWS)
        self.files = ("--source", small, "--target", small, "--label", "y")
        model, _ = self.fit_model()
        growth = self.peak_memory(model, large) - self.peak_memory(model, small)
        self.assertLess(growth, 2 * 8 * self.ROWS * self.COLUMNS)

    def peak_memory(self, model, data):
        process = subprocess.Popen([PROGRAM, "predict", "--model", model, "--data", data],
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss * 1024


class ModelFile(CliCase):
    def test_content(self):
        path, report = self.fit_model()
        model = json.loads(Path(path).read_text())
        self.assertEqual(list(model), ["format", "label", "features", "loss", "coefficients",
                                       "intercept", "protection", "epsilon", "delta", "schema",
                                       "model"])
        self.assertEqual(model["loss"], "squared")
        self.assertEqual(model["format"], "dpadapt model 1")
        self.assertEqual(model["label"], "y")
        self.assertEqual(model["features"], FEATURES)
        self.assertEqual(model["coefficients"], [report["coefficients"]])
        self.assertEqual(model["intercept"], [report["intercept"]])
        self.assertGreater(len(base64.b64decode(model["model"], validate=True)), 8 * len(FEATURES))

    def test_weights_are_saved_on_demand(self):
        path, _ = self.fit_model()
        small = len(base64.b64decode(json.loads(Path(path).read_text())["model"]))
        path, _ = self.fit_model("--keep-weights")
        large = len(base64.b64decode(json.loads(Path(path).read_text())["model"]))
        self.assertEqual(large - small, 8 * (len(self.source_rows) + len(self.target_rows)))
        self.assertIn("--output", self.fail_with(2, "fit", *self.files, "--keep-weights"))

    def test_names_need_not_be_ascii(self):
        names = ["größe, m", 'the "x2"', "x3", "y"]
        header = '"größe, m","the ""x2""",x3,y\n'
        self.source, self.target = (
            self.write(name, header + csv_text(names, rows).split("\n", 1)[1])
            for name, rows in (("s.csv", self.source_rows), ("t.csv", self.target_rows)))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        path, report = self.fit_model()
        self.assertEqual(report["features"], names[:3])
        printed = self.succeed("predict", "--model", path, "--data", self.target)
        self.assertEqual(len(printed.splitlines()), 1 + len(self.target_rows))

    def test_damage_is_a_data_error_that_names_file_and_member(self):
        folder = Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/data/models")
        data = self.write("rows.csv", "x1,x2\n1,2\n")
        whole = json.loads((folder / "good.json").read_text())
        blanks = self.write("blanks.json", json.dumps(whole, indent=2))
        for good in (folder / "good.json", blanks):
            self.assertEqual(self.run_cli("predict", "--model", good, "--data", data).returncode, 0)
        for line in (folder / "damaged/cases.txt").read_text().splitlines():
            file, member = line.split()
            with self.subTest(file):
                message = self.fail_with(3, "predict", "--model", folder / "damaged" / file,
                                         "--data", data)
                self.assertIn(file, message)
                self.assertIn(member, message)


if __name__ == "__main__":
    unittest.main()
