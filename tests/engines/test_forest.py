"""A random forest of scikit-learn as the given model: its scores are a column of both files, and
private records of the target correct it."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.ensemble import RandomForestRegressor

FEATURES = ["a", "b", "c"]
SHIFT = 1.5


def rows(seed, count, shift):
    """What the forest learns is curved; the target's labels differ by a plane."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(count, 3))
    curve = 4 * np.sin(2 * x[:, 0]) * (x[:, 1] > 0)
    return x, curve + shift * (1 + x[:, 2]) + 0.3 * random.normal(size=count)


def write(path, x, scores, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*FEATURES, "forest", "y"])
        writer.writerows(np.column_stack([x, scores, y]).tolist())


def run(*arguments):
    done = subprocess.run([os.environ["DPADAPT_CLI"], *map(str, arguments)],
                          stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def fitted_error(folder, scores, test):
    """Squared error of a private fit, with or without the forest's column."""
    choice = ("--scores", "forest") if scores else ("--ignore", "forest")
    run("fit", "--source", folder / "source.csv", "--target", folder / "target.csv", "--label",
        "y", *choice, "--epsilon", 1, "--delta", 1e-6, "--output", folder / "model.json")
    assert json.loads((folder / "model.json").read_text())["protection"] == "guaranteed"
    lines = run("predict", "--model", folder / "model.json", "--data", folder / "test.csv")
    return np.mean((np.array(lines.split()[1:], float) - test[1])**2)


def main():
    source, target, test = rows(1, 4000, 0.0), rows(2, 3000, SHIFT), rows(3, 3000, SHIFT)
    forest = RandomForestRegressor(100, min_samples_leaf=5, oob_score=True, random_state=1)
    forest.fit(*source)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Of the rows that a forest has seen, the scores of trees that have not.
        write(folder / "source.csv", source[0], forest.oob_prediction_, source[1])
        for name, sample in (("target", target), ("test", test)):
            write(folder / f"{name}.csv", sample[0], forest.predict(sample[0]), sample[1])
        alone = np.mean((forest.predict(test[0]) - test[1])**2)
        linear = fitted_error(folder, False, test)
        corrected = fitted_error(folder, True, test)
    print(f"forest alone {alone:.3f}, private fit without it {linear:.3f}, with it {corrected:.3f}")
    return 0 if corrected < 0.2 * min(alone, linear) else 1


sys.exit(main())
