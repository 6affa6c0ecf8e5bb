"""Slips that a custodian should hear of before a budget is spent, made on purpose in real tables."""

import numpy as np

import hospital
from curves import loss_of
from datasets import load
from fits import dpadapt

LOOKED_AT = ("wind", "california", "adult")
CASES = (*LOOKED_AT, "bike", "gas 6", "gbsg")
ROWS = 500
DRAWS = 20


def tasks(count, quick):
    return [(name, index) for name in (("wind",) if quick else CASES) for index in range(min(count, 2) if quick else DRAWS)]


def domains(name, index):
    """A source, and some rows of the target."""
    if name == "gbsg":
        source, target = hospital.domains()
    else:
        source, target = load(name).source, load(name).target
    random = np.random.default_rng(index)
    rows = random.permutation(len(target[1]))[:ROWS]
    return source, (target[0][rows].copy(), target[1][rows].copy()), random


def measurements(source):
    """Columns of numbers, which have units."""
    return [j for j in range(source[0].shape[1]) if len(np.unique(source[0][:2000, j])) > 20]


def in_column(change):
    def make(source, x, y, random):
        j = random.choice(measurements(source))
        x[:, j] = change(x[:, j])
        return f"column {j}:"
    return make


def code(source, x, y, random):
    j = random.choice(measurements(source))
    x[random.choice(len(y), len(y) // 50, replace=False), j] = 99999
    return f"column {j}:"


def turned(source, x, y, random):
    y[:] = -y if set(np.unique(y)) == {-1.0, 1.0} else y.min() + y.max() - y
    return ": "  # of the label, or of each column


def thousands(source, x, y, random):
    y *= 1000
    return "label:"


def copied(source, x, y, random):
    rows = random.choice(len(source[1]), len(y) // 4, replace=False)
    x[:len(rows)], y[:len(rows)] = source[0][rows], source[1][rows]
    return "in the source as well"


def doubled(source, x, y, random):
    half = len(y) // 2
    x[:half], y[:half] = x[half:2 * half], y[half:2 * half]
    return "repeat another row"


SLIPS = {"times 2.2": in_column(lambda x: 2.2046 * x), "times 1000": in_column(lambda x: 1000 * x),
         "other zero point": in_column(lambda x: x + 10 * np.std(x)), "constant": in_column(lambda x: np.full_like(x, np.median(x))),
         "code for missing": code, "labels turned": turned, "labels times 1000": thousands, "rows of the source": copied,
         "rows twice": doubled}


def measure(task):
    name, index = task
    loss = "logistic" if name == "gbsg" else loss_of(name)
    source, target, _ = domains(name, index)
    found = dpadapt.slips(source, target, loss=loss)
    yield {"data": name, "quantity": "as it is", "value": len(found)}
    for slip, make in SLIPS.items():
        if slip == "labels times 1000" and loss == "logistic":
            continue
        source, (x, y), random = domains(name, index)
        words = make(source, x, y, random)
        new = set(dpadapt.slips(source, (x, y), loss=loss)) - set(found)
        yield {"data": name, "quantity": slip, "value": any(words in line for line in new)}
