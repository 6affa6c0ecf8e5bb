"""Private perceptrons on Adult, beside the perceptron of the source and the logistic fit."""

import numpy as np

from curves import DELTAS, wrong
from datasets import load, split
from fits import dpadapt

ROWS = (1000, 10**6)  # the last: all training rows
EPSILONS = (0.5, 1, 4)
SOURCE_ROWS = 1000  # of 32650: every fit makes the public network anew, a minute for 5000 rows
NETWORK = {"loss": "perceptron", "perceptron_output": "logistic", "hidden_units": 16}


def tasks(count, quick):
    return [] if quick else [(index,) for index in range(count)]


def measure(task):
    """Wrong signs in percent."""
    case = load("adult")
    train, test = split(case, *task)
    drawn = np.random.default_rng(task).choice(len(case.source[1]), SOURCE_ROWS, replace=False)
    source = tuple(part[drawn] for part in case.source)

    def row(method, fit, **keys):
        return {"data": "adult", "method": method, **keys, "value": wrong(fit, test)}

    yield row("source only", dpadapt.Baseline("source_only", source, train, **NETWORK))
    for rows in (min(rows, case.train) for rows in ROWS):
        sample = tuple(part[:rows] for part in train)
        for epsilon in EPSILONS:
            private = {"private_domain": "target", "epsilon": epsilon, "delta": DELTAS["logistic"]}
            keys = {"n": rows, "epsilon": epsilon}
            yield row("adapted", dpadapt.Predictor(source, sample, **NETWORK, **private), **keys)
            yield row("adapted, logistic", dpadapt.Predictor(source, sample, loss="logistic", **private), **keys)
