"""The methods of the benchmark: name, and what makes predictors of a source and a target sample.

A rival has settings and gets the best of them in hindsight, by its test errors: in its favour. Ours
have the defaults. A predictor is a function of features; its scores are labels or signs."""

import functools

import numpy as np

import references
from curves import product
from domains import dpadapt

DELTA = 1e-5
OURS = "adapted"
QUANTILES = (0.9, 0.99)
ALL = 10**6  # a batch of all rows
RIVALS = {
    "squared": {
        "joint_ssp": product(bound_quantile=QUANTILES, ridge=(0.1, 10)),
        "public_ssp": product(clip_quantile=(0.8, 0.95), ridge=(0.1, 10)),
        "pooled_ssp": product(alpha=(0.5, 0.9), ridge=(0.1,)),
        "ada_ssp": product(bound_quantile=QUANTILES),
        "noisy_sgd": [{}, *product(batch_size=(ALL,), epochs=(20, 100))]},
    "logistic": {
        "noisy_sgd": [{}, *product(batch_size=(ALL,), epochs=(20, 100),
                                   clip_quantile=(0.95, 0.8))]}}


def _single(domain, source, target, loss):
    if loss == "squared":
        return references.ridge(source if domain == "source" else target)
    alpha = 1 if domain == "source" else 0
    return dpadapt.Predictor(source, target, loss=loss, alpha=alpha)


def _least_squares(source, target, loss):
    if loss == "squared":
        return references.least_squares(source)
    return dpadapt.Baseline("source_only", source, target, loss=loss)


def _pooled(source, target, loss):
    if loss == "squared":
        return references.pooled(source, target)
    share = len(source[1]) / (len(source[1]) + len(target[1]))
    return dpadapt.Predictor(source, target, loss=loss, alpha=share)


def without_privacy(loss):
    """Nothing is private, or what is private is not used."""
    return {"source ridge": functools.partial(_single, "source", loss=loss),
            "source only": functools.partial(_least_squares, loss=loss),
            "target only": functools.partial(_single, "target", loss=loss),
            "pooled": functools.partial(_pooled, loss=loss),
            OURS: functools.partial(dpadapt.Predictor, loss=loss)}


def private(loss, domain, epsilon, seed=None):
    """(method, setting, fit) of everything that protects this domain."""
    common = {"loss": loss, "private_domain": domain, "epsilon": epsilon, "delta": DELTA}
    if seed is not None:
        common["unsafe_seed"] = seed
    yield OURS, "", functools.partial(dpadapt.Predictor, **common)
    if domain != "target":
        return
    for method, settings in RIVALS[loss].items():
        for setting in settings:
            words = " ".join(f"{key}={value}" for key, value in setting.items())
            yield method, words, functools.partial(dpadapt.Baseline, method, **common, **setting)


def error(loss, predict, sample):
    """Mean squared error, or wrong signs in percent."""
    if loss == "squared":
        return references.error(predict, sample)
    return 100 * np.mean(np.where(predict(sample[0]) < 0, -1, 1) != sample[1])
