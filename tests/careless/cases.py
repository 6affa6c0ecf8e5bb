"""Calls that somebody makes who does not think of it, one file of cases for all languages; the data
come from a small generator."""

import csv
import random
from typing import NamedTuple

BUDGET = {"epsilon": "1", "delta": "1e-4"}


class Case(NamedTuple):
    """A fit to two files; `says` are parts of what must be told, `without_schema` what those tell
    besides who read columns of numbers as they are."""
    name: str
    source: str
    target: str
    says: tuple[str, ...] = ()
    label: str = "y"
    weight: str = ""
    options: dict = {}
    without_schema: tuple[str, ...] = ()

    def settings(self):
        own = {**BUDGET, "unsafe_seed": "5", **self.options}
        return {name: value for name, value in own.items() if value}


CODED = {"label": "c", "options": {"loss": "logistic"}}
CASES = (
    Case("nothing is wrong", "plain", "plain"),
    Case("delta is not below 1/n", "plain", "plain", ("WARNING: delta = 0.01 is not below 1/n",),
         options={"delta": "0.01"}),
    Case("epsilon is large", "plain", "plain", ("WARNING: epsilon = 20 is above 10",),
         options={"epsilon": "20"}),
    Case("too few private rows", "plain", "few", ("WARNING: 30 private records are too few",),
         options={"epsilon": "0.5"}),
    Case("classes by the squared loss", "classes", "classes",
         ("The labels have two values, 0 and 1, and are treated as numbers: loss = logistic",),
         label="c", options={"loss": "squared"}),
    Case("private classes have other codes", "classes", "one_two",
         ("its label is 0 or 1", "WARNING: not all do: about "), **CODED),
    Case("private classes are words", "classes", "words", ("yes", "About 300 of 300"), **CODED),
    # A schema leaves it out, and lists it.
    Case("a column is constant", "constant", "constant", without_schema=(
        "Public source, column 2: every row has 1, so its coefficient cannot be estimated.",)),
    Case("other units in the target", "plain", "units", ("inspect",)),
    Case("public columns hang together", "twice", "twice",
         ("Public source, column 2: it is a linear combination of earlier columns",)),
    Case("predictions end at their range", "short", "plain",
         ("predictions end at the range of labels, -0.5 to 0.5: prediction_range = none",),
         options={"prediction_range": "0"}),
    Case("a misspelt option", "plain", "plain", ('no option "epsilom"; did you mean "epsilon"?',),
         options={"epsilom": "1"}),
    Case("no private label", "plain", "unlabelled", ("WARNING: not all do: about ",)),
    Case("the label is a feature", "label_too", "label_too",
         ("WARNING: Public source, column 2: it equals the label up to a unit",)),
    Case("weights of private rows", "weights", "weights",
         ("weights of rows of a private sample need option row_weight_bound",), weight="w"),
    Case("a budget without privacy", "plain", "plain", ("epsilon", "private_domain is none"),
         options={"private_domain": "none"}),
)


def rows(seed, count, shift):
    chance = random.Random(seed)
    for _ in range(count):
        a, b = round(chance.gauss(0, 1), 3), round(chance.uniform(20, 80), 1)
        score = a + 0.05 * (b - 50) + shift
        yield a, b, round(score + chance.gauss(0, 0.5), 3), int(chance.gauss(score, 0.5) > 0)


TABLES = {
    "plain": lambda i, a, b, y, c: {"a": a, "b": b, "y": y},
    "classes": lambda i, a, b, y, c: {"a": a, "b": b, "c": c},
    "one_two": lambda i, a, b, y, c: {"a": a, "b": b, "c": c + 1},
    "words": lambda i, a, b, y, c: {"a": a, "b": b, "c": ["no", "yes"][c]},
    "constant": lambda i, a, b, y, c: {"a": a, "b": b, "k": 1, "y": y},
    "units": lambda i, a, b, y, c: {"a": a, "b": round(1000 * b), "y": y},
    "twice": lambda i, a, b, y, c: {"a": a, "b": b, "b2": round(2 * b + 1, 1), "y": y},
    "short": lambda i, a, b, y, c: {"a": a, "b": b, "y": max(-0.5, min(y, 0.5))},
    "unlabelled": lambda i, a, b, y, c: {"a": a, "b": b, "y": ""},
    "label_too": lambda i, a, b, y, c: {"a": a, "b": b, "paid": round(2 * y + 1, 3), "y": y},
    "weights": lambda i, a, b, y, c: {"a": a, "b": b, "w": 1 + i % 3, "y": y},
}


def table(name, side):
    seed, count, shift = (1, 600, 0.0) if side == "source" else (2, 300, 0.5)
    make = TABLES["plain" if name == "few" else name]
    made = [make(i, *row) for i, row in enumerate(rows(seed, count, shift))]
    return made[:30] if name == "few" else made


def write(folder):
    """The files of all cases, and cases.tsv, a line each: name, source, target, label, weight,
    options."""
    for case in CASES:
        for side in ("source", "target"):
            made = table(getattr(case, side), side)
            with open(folder / f"{side}_{getattr(case, side)}.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, list(made[0]))
                writer.writeheader()
                writer.writerows(made)
    with open(folder / "cases.tsv", "w", newline="") as file:
        for case in CASES:
            options = " ".join(f"{name}={value}" for name, value in case.settings().items())
            file.write("\t".join((case.name, f"source_{case.source}.csv",
                                  f"target_{case.target}.csv", case.label, case.weight or "-",
                                  options)) + "\n")
