"""Fits of the library, and where they are to be found."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

import numpy as np

import dpadapt_ctypes as dpadapt
from datasets import resampled, split, splits
from references import error

EPSILONS = (0.5, 1, 4, 10)
DELTA = 1e-3


def private(source, target, epsilon, delta=DELTA, **settings):
    """A fit that protects the target; all else as by default, unless the settings say otherwise."""
    return dpadapt.Predictor(source, target, private_domain="target", epsilon=epsilon, delta=delta,
                             **settings)


def private_error(case, index, rows, epsilon, seed=0, draws=1, seeded=False, **settings):
    """Test error of a split, a mean over draws of noise and of `rows` records with replacement.

    With `seeded` the noise is the same in every run."""
    train, test = split(case, index, seed)

    def fit(draw):
        fixed = {"unsafe_seed": index * draws + draw} if seeded else {}
        return private(case.source, resampled(train, rows, (index, draw)), epsilon, **fixed,
                       **settings)

    return np.mean([error(fit(draw), test) for draw in range(draws)])


def private_errors(case, rows, epsilon, count, **settings):
    """The same of every split."""
    return np.array([private_error(case, index, rows, epsilon, **settings)
                     for index in range(count)])


def split_errors(case, count, fit, seed=0):
    """Test error on each split of what `fit` makes of the training sample."""
    return np.array([error(fit(train), test) for train, test in splits(case, count, seed)])
