import base64
import gzip
import json
import math
import os
import random
import re
import subprocess
import unittest
from pathlib import Path

from cli_case import FEATURES, PROGRAM, CliCase, csv_text


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

    def test_nan_gives_nan_for_its_row(self):
        rows = [["nan", 1.0, 2.0], [1.0, 1.0, 1.0]]
        found = self.predict(csv_text(FEATURES, rows))
        self.assertTrue(math.isnan(found[0]))
        self.assertTrue(math.isfinite(found[1]))

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
                                       "intercept", "protection", "privacy", "model"])
        self.assertEqual(model["loss"], "squared")
        self.assertEqual(model["format"], "dpadapt model 1")
        self.assertEqual(model["label"], "y")
        self.assertEqual(model["features"], FEATURES)
        self.assertEqual(model["coefficients"], report["coefficients"])
        self.assertEqual(model["intercept"], report["intercept"])
        self.assertGreater(len(base64.b64decode(model["model"], validate=True)), 8 * len(FEATURES))

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

    def test_damage_is_a_data_error_that_names_the_file(self):
        path, _ = self.fit_model()
        text = Path(path).read_text()
        whole = json.loads(text)
        saved = bytearray(base64.b64decode(whole["model"]))
        saved[len(saved) // 2] ^= 0x10
        damaged = {
            "cut off": text[: len(text) // 2],
            "empty": "",
            "another object": "{}",
            "no object": "[1, 2]",
            "other format": json.dumps(whole | {"format": "dpadapt model 2"}),
            "no base64": json.dumps(whole | {"model": "***"}),
            "no bytes": json.dumps(whole | {"model": ""}),
            "short bytes": json.dumps(whole | {"model": whole["model"][:16]}),
            "changed byte": json.dumps(whole | {"model": base64.b64encode(saved).decode()}),
            "name missing": json.dumps(whole | {"features": FEATURES[:2]}),
            "name twice": json.dumps(whole | {"features": ["x1", "x2", "x2"]}),
            "names are numbers": json.dumps(whole | {"features": [1, 2, 3]}),
        }
        for name, content in damaged.items():
            with self.subTest(name):
                bad = self.write("bad.json", content)
                message = self.fail_with(3, "predict", "--model", bad, "--data", self.target)
                self.assertIn("bad.json: not a model file", message)


if __name__ == "__main__":
    unittest.main()
