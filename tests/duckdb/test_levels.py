"""Which level a cell means: the cases that all languages share, by dpa_predict and a model file of
the command."""

import csv
import os
import pathlib
import subprocess
import tempfile
import unittest
from collections import defaultdict

from extension import connect

CASES = pathlib.Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/data/levels/cases.csv")


class Levels(unittest.TestCase):
    def model(self, folder, levels):
        rows = [f"{level},{i % 5},{10 * k + i % 5}"
                for k, level in enumerate(levels) for i in range(20 - k)]
        source, model = folder / "rows.csv", folder / "model.json"
        source.write_text("\n".join(["level,x,y", *rows]) + "\n")
        subprocess.run([os.environ["DPADAPT_CLI"], "fit", "--source", source, "--target", source,
                        "--label", "y", "--set", "private_domain=none", "--output", model],
                       check=True, capture_output=True)
        return model.read_bytes()

    def test_the_file_of_cases(self):
        found = defaultdict(list)
        with open(CASES, newline="") as file:
            for line in csv.DictReader(file):
                found[line["levels"]].append((line["cell"], line["means"]))
        db = connect()
        with tempfile.TemporaryDirectory() as folder:
            for text, cells in found.items():
                levels = text.split("|")
                model = self.model(pathlib.Path(folder), levels)
                for cell, means in cells:
                    value = {"<true>": True, "<false>": False}.get(cell, cell)
                    ask = lambda: db.execute("SELECT dpa_predict($1, {'level': $2, 'x': 0})",
                                             [model, value]).fetchone()[0]
                    with self.subTest(levels=text, cell=cell):
                        if means == "refused":
                            with self.assertRaisesRegex(Exception, '"level" is of booleans'):
                                ask()
                            continue
                        place = 0 if means == "unknown" else levels.index(means)
                        self.assertAlmostEqual(ask(), 10 * place, delta=1)


if __name__ == "__main__":
    unittest.main()
