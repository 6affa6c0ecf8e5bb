"""The comparison of speeds in small: it goes on where it stopped, what is missing is left out with
a note, and its page has every bar. Rivals that are not installed are not run."""

import csv
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

from prerequisites import require

require("numpy")

import domains  # noqa: F401 (the folders beside this one)
import speed_page
from speed_cases import CASES


def run(folder, *arguments):
    subprocess.run([sys.executable, os.path.join(HERE, "speed.py"), folder, "--quick", *arguments],
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "speed.csv"), newline="") as file:
        return list(csv.DictReader(file))


def check_rows(rows):
    assert {row["case"] for row in rows} == {"machine", *CASES}
    for case in CASES:
        ours, *_ = [row for row in rows if row["case"] == case]
        assert "left out" not in ours["note"] or case == "pass over the data", ours
    for row in rows:
        if row["case"].startswith("certified") and row["value"]:
            assert abs(float(row["value"]) / 1.51 - 1) < 1e-3, row  # the same minimum


def check_bars():
    """A bar is met, missed or not measured by what the rows say."""
    def row(method, seconds):
        return {"case": "private fit, x", "method": method, "minimum": seconds, "value": ""}

    def met(*rows):
        (_, _, value, _, found, _), = speed_page.bars({"private fit, x": rows})
        return value, found
    assert met(row("dpadapt", "3"), row("Ridge of scikit-learn", "2")) == (1.5, True)
    assert met(row("dpadapt", "5"), row("Ridge of scikit-learn", "2")) == (2.5, False)
    assert met(row("dpadapt", "4")) == (None, None)


def main():
    check_bars()
    with tempfile.TemporaryDirectory() as folder:
        first = run(folder, "--only", "certified")
        rows = run(folder)
        assert [row for row in rows if row["case"].startswith("certified")] == \
            [row for row in first if row["case"] != "machine"]
        check_rows(rows)
        assert run(folder) == rows
        renewed = run(folder, "--renew", "--only", "predictions")
        assert len(renewed) == len(rows) and renewed != rows
        with open(os.path.join(folder, "SPEED.md")) as file:
            page = file.read()
        for *_, bar, _ in speed_page.BARS:
            assert f"= {bar} |" in page, bar


if __name__ == "__main__":
    main()
