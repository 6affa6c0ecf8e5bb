"""Fits of the library, and where they are to be found; two processes share the work."""

import os
import sys
from concurrent.futures import ProcessPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

import numpy as np

import dpadapt_ctypes as dpadapt
from datasets import resampled, splits
from references import error

EPSILONS = (0.5, 1, 4, 10)
DELTA = 1e-3
PROCESSES = 2


def private(source, target, epsilon, delta=DELTA, **settings):
    """A fit that protects the target; all else as by default, unless the settings say otherwise."""
    return dpadapt.Predictor(source, target, private_domain="target", epsilon=epsilon, delta=delta,
                             **settings)


def private_errors(case, rows, epsilon, count, seed=0, draws=1, seeded=False, **settings):
    """Test error of each split, a mean over draws of noise and of `rows` records with replacement.

    With `seeded` the noise is the same in every run."""
    def fit(train, split, draw):
        fixed = {"unsafe_seed": split * draws + draw} if seeded else {}
        return private(case.source, resampled(train, rows, (split, draw)), epsilon, **fixed,
                       **settings)

    return np.array([
        np.mean([error(fit(train, split, draw), test) for draw in range(draws)])
        for split, (train, test) in enumerate(splits(case, count, seed))])


def split_errors(case, count, fit, seed=0):
    """Test error on each split of what `fit` makes of the training sample."""
    return np.array([error(fit(train), test) for train, test in splits(case, count, seed)])


def in_parallel(function, tasks):
    with ProcessPoolExecutor(PROCESSES) as pool:
        return list(pool.map(function, tasks))
