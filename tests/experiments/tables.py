"""Results as files: the same rows in Markdown for people and in CSV for programs."""

import csv
import os
from dataclasses import dataclass

import numpy as np


@dataclass
class Mean:
    """Mean of the splits with its standard error."""
    mean: float
    deviation: float

    @staticmethod
    def of(values):
        values = np.asarray(values)
        deviation = values.std(ddof=1) if len(values) > 1 else np.nan
        return Mean(values.mean(), deviation / np.sqrt(len(values)))

    def __str__(self):
        error = f" ± {self.deviation:.3f}" if np.isfinite(self.deviation) else ""
        return f"{self.mean:.3f}" + error


@dataclass
class Spread:
    """Mean of the splits with their standard deviation."""
    mean: float
    deviation: float

    @staticmethod
    def of(values):
        return Spread(np.mean(values), np.std(values, ddof=1) if len(values) > 1 else np.nan)

    def __str__(self):
        return f"{self.mean:.2f} ± {self.deviation:.2f}"


def _text(value):
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _flat(row):
    for name, value in row.items():
        if isinstance(value, Mean):
            yield name, value.mean
            yield name + " standard error", value.deviation
        elif isinstance(value, Spread):
            yield name, value.mean
            yield name + " standard deviation", value.deviation
        else:
            yield name, value


def write(folder, name, heading, rows):
    """Writes `name`.md and `name`.csv from rows, dictionaries with the same keys."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".md"), "w") as file:
        file.write(heading + "\n\n")
        file.write("| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]) + "\n")
        for row in rows:
            file.write("| " + " | ".join(_text(value) for value in row.values()) + " |\n")
    with open(os.path.join(folder, name + ".csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, [key for key, _ in _flat(rows[0])])
        writer.writeheader()
        writer.writerows(dict(_flat(row)) for row in rows)
