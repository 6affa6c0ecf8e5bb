"""What a private fit says of its own use of private rows, beside what they were worth."""

import numpy as np

import hospital
import references
from curves import loss_of
from datasets import load
from fits import dpadapt, private

CASES = {"gbsg": 1e-4, "wind": 1e-3, "bike": 1e-3, "gas 6": 1e-3, "adult": 1e-5}  # and delta
ROWS = 500  # of gbsg and wind all there are for training
EPSILONS = (0.5, 1, 4)
EACH = 10  # draws of a split
BETTER = 0.95  # of the source's error


def tasks(count, quick):
    return [(name, index, quick) for name in (("wind",) if quick else CASES) for index in range(EACH * count)]


def domains(name, index):
    """Source, training rows and other rows of the target."""
    source, target, train = *hospital.domains(), 284
    if name != "gbsg":
        case = load(name)
        source, target, train = case.source, case.target, min(case.train, ROWS)
    order = np.random.default_rng(index).permutation(len(target[1]))
    return source, *(tuple(part[rows] for part in target) for rows in (order[:train], order[train:train + 2000]))


def verdict(fit):
    """counted, did not count, or undecided."""
    words = " ".join(fit.findings())
    if "cannot be told" in words:
        return "undecided"
    return "did not count" if "were not used" in words or "were hardly used" in words else "counted"


def measure(task):
    name, index, quick = task
    loss = "logistic" if name == "gbsg" else loss_of(name)
    error = hospital.log_loss if loss == "logistic" else references.error
    source, target, unseen = domains(name, index)
    of_source = error(dpadapt.Baseline("source_only", source, target, loss=loss), unseen)
    null = (target[0], np.full(len(target[1]), np.nan))
    fixed = {"unsafe_seed": index} if quick else {}
    for epsilon in EPSILONS:
        row = {"data": name, "n": len(target[1]), "epsilon": epsilon}
        fit = private(source, target, epsilon, CASES[name], loss=loss, **fixed)
        ratio = error(fit, unseen) / of_source
        yield row | {"quantity": "error over the source's", "value": ratio}
        if ratio <= BETTER:
            yield row | {"quantity": "undecided, of useful fits", "value": verdict(fit) == "undecided"}
        fit = private(source, null, epsilon, CASES[name], loss=loss, **fixed)
        yield row | {"quantity": "null labels: error over the source's", "value": error(fit, unseen) / of_source}
        yield row | {"quantity": "null labels: named", "value": any("WARNING: not all do" in line for line in fit.findings())}
        yield row | {"quantity": "null labels: told as counted", "value": verdict(fit) == "counted"}
