"""Measured rows, dictionaries with a value each: means over the splits, kept as CSV."""

import csv
import os

import numpy as np

SUMMARY = ("mean", "deviation", "splits", "note")


def _grouped(rows, besides):
    groups = {}
    for row in rows:
        key = tuple((name, value) for name, value in row.items() if name not in besides)
        groups.setdefault(key, []).append(row)
    return groups.items()


def aggregate(rows):
    """One row for all splits: mean, standard deviation and number of the values that have the same keys.

    A row without a value has a note that says why. Rows that differ only in the key `setting` are attempts: the
    one of least mean remains."""
    summary = []
    for key, group in _grouped(rows, ("value", "note")):
        values = [row["value"] for row in group if "value" in row]
        deviation = np.std(values, ddof=1) if len(values) > 1 else np.nan
        summary.append(dict(key) | {"mean": np.mean(values) if values else np.nan,
                                    "deviation": deviation, "splits": len(values),
                                    "note": group[0].get("note", "")})
    return [min(group, key=lambda row: np.nan_to_num(row["mean"], nan=np.inf))
            for _, group in _grouped(summary, (*SUMMARY, "setting"))]


def mean_and_worst(rows, names, case, **others):
    """Rows alike in `names`, summed up over cases: mean, the largest value with its case, and what else is given as a function."""
    summary, rows = aggregate([row for row in rows if "value" not in row]), [row for row in rows if "value" in row]
    for key in dict.fromkeys(tuple(row[name] for name in names) for row in rows):
        here = [row for row in rows if tuple(row[name] for name in names) == key]
        values = np.array([row["value"] for row in here])
        found = {"mean": values.mean(), "worst": values.max()} | {name: of(values) for name, of in others.items()}
        summary += [dict(zip(names, key)) | {
            "quantity": quantity, "mean": float(value), "deviation": np.nan, "splits": len(here),
            "note": here[values.argmax()][case] if quantity == "worst" else ""} for quantity, value in found.items()]
    return summary


def _text(value):
    if isinstance(value, float):
        return f"{value:.6g}" if np.isfinite(value) else ""
    return value


def _path(folder, name):
    return os.path.join(folder, name + ".csv")


def write(folder, name, rows):
    os.makedirs(folder, exist_ok=True)
    names = dict.fromkeys(name for row in rows for name in row if name not in SUMMARY)
    with open(_path(folder, name), "w", newline="") as file:
        writer = csv.DictWriter(file, [*names, *SUMMARY], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _text(value) for key, value in row.items()} for row in rows)


def read(folder, name):
    """The rows of a file, none if there is no file. All keys are text; a key without text is left out."""
    if not os.path.isfile(_path(folder, name)):
        return []
    with open(_path(folder, name), newline="") as file:
        return [_parsed(row) for row in csv.DictReader(file)]


def _parsed(row):
    keys = {name: value for name, value in row.items() if value and name not in SUMMARY}
    return keys | {"mean": float(row["mean"] or "nan"), "deviation": float(row["deviation"] or "nan"),
                   "splits": int(row["splits"]), "note": row["note"]}


def select(rows, **keys):
    """The rows that have these keys; None stands for any text, "" for a missing key, a tuple for one of its values."""
    def has(row, name, value):
        if value is None:
            return name in row
        return row.get(name, "") in map(str, value if isinstance(value, tuple) else (value,))
    return [row for row in rows if all(has(row, *key) for key in keys.items())]
