"""Models of the command with a calibration, and its intervals, which those of engines must be."""

import base64
import csv
import json
import math
import os
import pathlib
import subprocess

ROWS = 500
LEVELS = (0.5, 0.9, 0.9999)  # the last one is infinite by so few rows


def rows():
    """Ages, wards, days and fates; an age and a ward are missing."""
    for i in range(ROWS):
        age, ward = i % 50, "xyz"[i % 3]
        days = age + 3 * (i % 3) + 7 * math.sin(i)
        fate = ("home", "care's", "other")[min(2, int(abs(days + 9 * math.cos(3 * i))) // 18)]
        yield (None if i == 7 else age, None if i == 9 else ward, days, fate,
               "yes" if days > 20 + 9 * math.sin(5 * i) else "no")


NAMES = ("age", "ward", "days", "fate", "back")


class Calibrated:
    """A model without privacy of that label in a folder, in which the files are."""

    def __init__(self, folder, label, features="age,ward", loss="squared", calibrated=True):
        self.folder, self.data = folder, pathlib.Path(folder, "rows.csv")
        with open(self.data, "w", newline="") as file:
            csv.writer(file).writerows([NAMES, *rows()])
        public = ("--label", label, "--set", "private_domain=none")
        self.path = pathlib.Path(folder, "model.json")
        self.run("fit", "--source", self.data, "--target", self.data, "--features", features,
                 "--loss", loss, *public, "--output", self.path)
        if calibrated:
            self.run("calibrate", "--model", self.path, "--data", self.data, *public, "--output",
                     sure := pathlib.Path(folder, "sure.json"))
            self.path = sure
        self.file = self.path.read_bytes()  # what engines take
        self.solution = base64.b64decode(json.loads(self.file)["model"])  # without its names

    @staticmethod
    def run(*arguments):
        return subprocess.run([os.environ["DPADAPT_CLI"], *map(str, arguments)], check=True,
                              capture_output=True, text=True).stdout

    def predict(self, level):
        """What the command predicts, a dictionary for each row of the file."""
        out = self.run("predict", "--model", self.path, "--data", self.data, "--interval", level)
        return list(csv.DictReader(out.splitlines()))

    def ends(self, level):
        return [(float(row["lower"]), float(row["upper"])) for row in self.predict(level)]

    def sets(self, level):
        """The labels in the set of each row, in the order of the classes."""
        return [[name.removeprefix("set_") for name, cell in row.items()
                 if name.startswith("set_") and cell == "1"] for row in self.predict(level)]
