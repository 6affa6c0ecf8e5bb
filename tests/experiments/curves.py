"""Error of private fits by n and epsilon, beside fits without privacy and the private methods that they should beat.

The private fits have nothing chosen. Rivals have the same total (epsilon, delta) and the best of their SETTINGS in
hindsight, by the mean error on the test rows: tuned non-privately, in their favour."""

import functools
import itertools

import numpy as np

import references
from datasets import load, resampled, split
from fits import EPSILONS, dpadapt

ROWS = (200, 500, 1000, 2000, 5000, 10000)
RIVAL_EPSILONS = (1, 10)  # where rivals are computed
MATCHED_ROWS = (1000, 10000)  # for private_dm, whose fits take seconds
REGRESSION = ("wind", "news", "airline", "gas 7", "gas 6")
CLASSIFICATION = ("adult",)
DELTAS = {"squared": 1e-3, "logistic": 1e-5}


def product(**values):
    return [dict(zip(values, chosen)) for chosen in itertools.product(*values.values())]


RIDGES = (0, 0.1, 1, 10, 100)
QUANTILES = (0.9, 0.99)
DM_RIDGES = (0, 0.01, 1)
ALL = 10**6  # a batch of all rows
STEPS = [step | {"clip_quantile": quantile} for quantile in (0.95, 0.8)
         for step in ({}, *product(batch_size=(ALL,), epochs=(20, 100)))]
SETTINGS = {
    "squared": {
        "joint_ssp": product(bound_quantile=QUANTILES, ridge=RIDGES),
        "public_ssp": product(clip_quantile=(0.8, 0.95), ridge=RIDGES),
        "pooled_ssp": product(alpha=(0.5, 0.9, 0.99), ridge=RIDGES[:-1]),
        "ada_ssp": product(bound_quantile=QUANTILES),
        "noisy_sgd": STEPS,
        "private_dm": product(ridge=DM_RIDGES)},
    "logistic": {"noisy_sgd": STEPS}}


def wrong(score, sample):
    """Share of wrong signs, in percent."""
    return 100 * (1 - references.accuracy(score, sample))


def loss_of(name):
    return "logistic" if name in CLASSIFICATION else "squared"


def single(source, target, alpha):
    return dpadapt.Predictor(source, target, loss="logistic", alpha=alpha)


FREE = {  # fits without privacy
    "squared": {"target only": lambda source, target: references.ridge(target),
                "source only": lambda source, target: references.least_squares(source),
                "pooled": references.pooled,
                "no privacy": dpadapt.Predictor},
    "logistic": {"target only": functools.partial(single, alpha=0),
                 "source only": functools.partial(single, alpha=1),
                 "no privacy": functools.partial(dpadapt.Predictor, loss="logistic")}}


def rivals(loss, rows, epsilon, quick):
    """Method and settings of every fit to compare with."""
    for method, settings in SETTINGS[loss].items():
        if method == "private_dm" and rows not in MATCHED_ROWS:
            continue
        yield from ((method, setting) for setting in (settings[:1] if quick else settings))


def splits(cases, count, quick):
    return [(name, index, quick) for name in (("wind",) if quick else cases) for index in range(count)]


def tasks(cases, count, quick):
    names = [name for name in cases if name == "wind" or not quick]
    return [(name, index, quick) for name in names for index in range(count)]


def measure(task):
    """Errors of a split: squared ones relative to target only, of classes in percent."""
    name, index, quick = task
    case, loss = load(name), loss_of(name)
    train, test = split(case, index)
    error = wrong if loss == "logistic" else references.error
    free = {method: error(fit(case.source, train), test) for method, fit in FREE[loss].items()}
    scale = 1.0 if loss == "logistic" else free["target only"]
    fixed = {"unsafe_seed": index} if quick else {}
    common = {"loss": loss, "private_domain": "target", "delta": DELTAS[loss], **fixed}

    def row(method, value, **keys):
        return {"data": name, "method": method, **keys, "value": value / scale}

    yield from (row(method, value) for method, value in free.items())
    for rows, epsilon in itertools.product(MATCHED_ROWS if quick else ROWS, EPSILONS):
        sample = resampled(train, rows, (index, 0))
        keys = {"n": rows, "epsilon": epsilon}
        ours = error(dpadapt.Predictor(case.source, sample, epsilon=epsilon, **common), test)
        yield row("private", ours, **keys)
        if rows == ROWS[-1]:
            yield {"data": name, "ratio": "private over no privacy", **keys,
                   "value": ours / free["no privacy"]}
        if epsilon not in RIVAL_EPSILONS:
            continue
        for method, settings in rivals(loss, rows, epsilon, quick):
            if method not in dpadapt.baselines():
                yield {"data": name, "method": method, "note": "unknown to the library"}
                continue
            fit = dpadapt.Baseline(method, case.source, sample, epsilon=epsilon, **common, **settings)
            yield row(method, error(fit, test), **keys,
                      setting=" ".join(f"{key}={value}" for key, value in settings.items()))
