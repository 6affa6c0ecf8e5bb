"""A law of budget: more epsilon does no harm, and with nearly no noise a private fit is that
without privacy. Two kinds of shift; means of five draws, with one seed of the noise."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

from prerequisites import require

require("numpy")

import numpy as np

import dpadapt_ctypes as dpadapt

SEED = 20261127
DRAWS = 5
EPSILONS = (1, 4, 16, 64, 256)
HARM = 1.01  # of the error at any smaller epsilon
LAST = 1.01  # of the error without privacy


def narrow(random, rows, target):
    """Half of the target's columns vary little: rows of the source would be far away there."""
    x = random.normal(size=(rows, 10))
    if target:
        x[:, 5:] *= 0.1
    slopes = np.linspace(1, 0.1, 10) + 0.25 * target * random_slopes(10)
    return x, x @ slopes + 0.2 * target + 0.8 * random.normal(size=rows)


def wide(random, rows, target):
    """The target's columns vary twice as much."""
    x = random.normal(size=(rows, 10)) * (1 + target)
    return x, x @ (np.linspace(1, 0.1, 10) + 0.1 * target * random_slopes(10)) + random.normal(size=rows)


def random_slopes(columns):
    return np.random.default_rng(1).normal(size=columns)


def errors(draw, random, index):
    """By epsilon; the last one without privacy."""
    source, target, test = (draw(random, rows, among) for rows, among in
                            ((4000, False), (1000, True), (20000, True)))
    budgets = [{"private_domain": "target", "epsilon": epsilon, "delta": 1e-5,
                "unsafe_seed": index} for epsilon in EPSILONS]
    fits = [dpadapt.Predictor(source, target, **budget)
            for budget in (*budgets, {"private_domain": "none"})]
    return [np.mean((fit(test[0]) - test[1]) ** 2) for fit in fits]


def failures():
    for draw in narrow, wide:
        random = np.random.default_rng(SEED)
        found = np.mean([errors(draw, random, index + 1) for index in range(DRAWS)], axis=0)
        print(draw.__name__, " ".join(f"{value:.4f}" for value in found))
        for k in range(1, len(EPSILONS)):
            if found[k] > HARM * found[:k].min():
                yield f"{draw.__name__}: epsilon {EPSILONS[k]} is worse than a smaller one"
        if found[-2] > LAST * found[-1]:
            yield f"{draw.__name__}: epsilon {EPSILONS[-1]} is worse than no privacy"


def main():
    print("seed", SEED)
    found = list(failures())
    print("\n".join(found))
    print(f"{len(found)} failures")
    return len(found) > 0


if __name__ == "__main__":
    sys.exit(main())
