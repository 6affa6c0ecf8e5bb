"""Do no harm on wind where the source is private, or both samples: every long month the target, every station the label."""

import numpy as np

import references
import strange
import tables
import unseen
from datasets import split
from private_harm import wind_cases

EPSILONS = (0.5, 1, 4)
ROLES = ("source", "both")


def tasks(count, quick):
    cases = wind_cases((1,))[:1] if quick else wind_cases()
    return [(case, private, epsilon, count) for case in cases for private in ROLES for epsilon in EPSILONS]


def measure(task):
    """Mean error of the splits over that of the better domain alone at the same privacy."""
    case, private, epsilon, count = task
    errors = {}
    for index in range(count):
        train, known = split(case, index, seed=3)
        source, bounds = case.source, {}
        if private == "both":
            (source, train, known), bounds = unseen.in_units("squared", source, train, known)
        sets = unseen.settings(private, "squared", epsilon) | bounds
        for method, fit in strange.fits(source, train, private, "squared", sets):
            errors.setdefault(method, []).append(references.error(getattr(fit, "predict", fit), known))
    means = {method: np.mean(values) for method, values in errors.items()}
    yield {"private": private, "n": case.train, "epsilon": epsilon, "pair": case.name,
           "value": means["adapted"] / min(means["source only"], means["target only"])}


def summarize(rows):
    """Over the pairs of a month and a station, instead of over splits."""
    return tables.mean_and_worst(rows, ("private", "n", "epsilon"), "pair",
                                 **{"share above 1.02": lambda values: (values > 1.02).mean()})
