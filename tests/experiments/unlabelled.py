"""What records without labels add to few that have some, at epsilon = 1."""

import numpy as np

import references
from datasets import load, resampled, split
from fits import DELTA, dpadapt, private
from references import error

CASES = ("wind", "gas 6", "gas 7")
LABELLED = 200
UNLABELLED = 5000
EPSILON = 1


def tasks(count, quick):
    return [(name, index) for name in (("wind",) if quick else CASES) for index in range(1 if quick else count)]


def measure(task):
    """Errors over that of ridge regression without privacy on all training rows."""
    name, index = task
    case = load(name)
    train, test = split(case, index)
    scale = error(references.ridge(train), test)
    few = tuple(part[:LABELLED] for part in train)
    more = resampled(train, UNLABELLED, (index, 0))
    x = np.concatenate([few[0], more[0]])

    def all_rows(labels):
        return x, np.concatenate([few[1], labels])

    half = all_rows(np.full(UNLABELLED, np.nan))
    fits = {"source only": references.least_squares(case.source),
            "labelled alone": private(case.source, few, EPSILON),
            "with those without": private(case.source, half, EPSILON),
            "with those without, share told": private(case.source, half, EPSILON,
                                                      labelled_share=LABELLED / len(x)),
            "private_dm, labelled alone": baseline(case.source, few),
            "private_dm, with those without": baseline(case.source, half),
            "all labelled": private(case.source, all_rows(more[1]), EPSILON)}
    for method, fit in fits.items():
        yield {"data": name, "method": method, "value": error(fit, test) / scale}


def baseline(source, target):
    return dpadapt.Baseline("private_dm", source, target, private_domain="target", epsilon=EPSILON,
                            delta=DELTA)
