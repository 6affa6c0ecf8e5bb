"""A law of budget: more epsilon does no harm, and with nearly no noise a private fit is that
without privacy. Shifts, few public rows, rare columns and classes, long tails, quantiles; means of five draws,
with one seed of the noise."""

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


def few(random, rows, target):
    """Hardly more public rows than columns."""
    x = random.normal(size=(rows, 50))
    return x, x @ (0.3 * random_slopes(50)) + random.normal(size=rows)


def rare_columns(random, rows, target):
    """A category of 60 levels, most of them rare."""
    levels = 60
    share = np.arange(1, levels + 1) ** -1.3
    level = random.choice(levels, size=rows, p=share / share.sum())
    z = random.normal(size=(rows, 4))
    of_level = np.random.default_rng(2).normal(size=levels)
    if target:
        of_level += 0.5 * np.random.default_rng(4).normal(size=levels)
    score = z @ (random_slopes(4) * (1 + 0.3 * target)) + of_level[level] - 1
    return np.column_stack([z, np.eye(levels)[level][:, 1:]]), signs(random, score)


def rare_classes(random, rows, target):
    """One label of a hundred is positive, of the target one of ten."""
    y = signs(random, np.full(rows, np.log(1 / 9 if target else 1 / 99)))
    return 0.3 * np.outer(y, [2, -1.5, 1, 0.5, 0.25]) + random.normal(size=(rows, 5)), y


def rarer_class(random, rows, target):
    """Of half of the labels one of thirty is left, by the intercept alone: the loss is flat on the way there."""
    x = random.normal(size=(rows, 4))
    return x, signs(random, x.sum(axis=1) - 5 * target)


def long_tails(random, rows, target):
    """Lognormal columns: for most rows the loss is nearly linear."""
    x = np.exp(1.5 * random.normal(size=(rows, 4)))
    return x, signs(random, (x - 1) @ (np.array([1, 0.5, 1.5, 1]) if target else np.ones(4)))


def steep(random, rows, target):
    """Other slopes and another intercept; labels whose quantile is wanted."""
    x = random.normal(size=(rows, 6))
    slopes = np.linspace(1, 0.2, 6) + 0.3 * target * np.array([1, -1, 1, -1, 1, -1])
    return x, x @ slopes + 0.3 * target + random.normal(size=rows)


def signs(random, score):
    return np.where(random.random(len(score)) < 1 / (1 + np.exp(-score)), 1.0, -1.0)


def random_slopes(columns):
    return np.random.default_rng(1).normal(size=columns)


LAWS = ((narrow, "squared", 4000, 1000), (wide, "squared", 4000, 1000), (few, "huber", 60, 300),
        (rare_columns, "logistic", 4000, 1000), (rare_classes, "logistic", 2000, 3000),
        (rarer_class, "logistic", 3000, 20000), (long_tails, "logistic", 3000, 3000), (steep, "pinball", 4000, 1000))
LEVEL = 0.9  # of the quantile
FAR = few,  # axes of few public rows are any axes, and so many steps do not arrive: 1.04


def error(loss, fit, test):
    score = fit(test[0])
    if loss == "logistic":
        return np.mean(np.logaddexp(0, -test[1] * score))
    if loss == "pinball":
        return np.mean(np.maximum(LEVEL * (test[1] - score), (LEVEL - 1) * (test[1] - score)))
    return np.mean((score - test[1]) ** 2)


def errors(law, random, index):
    """By epsilon; the last one without privacy."""
    draw, loss, *sizes = law
    source, target, test = (draw(random, rows, among) for rows, among in
                            zip((*sizes, 20000), (False, True, True)))
    level = {"quantile_level": LEVEL} if loss == "pinball" else {}
    budgets = [{"private_domain": "target", "epsilon": epsilon, "delta": 1e-5,
                "unsafe_seed": index + 20} for epsilon in EPSILONS]
    return [error(loss, dpadapt.Predictor(source, target, loss=loss, **level, **budget), test)
            for budget in (*budgets, {"private_domain": "none"})]


def failures():
    for law in LAWS:
        name = law[0].__name__
        random = np.random.default_rng(SEED)
        found = np.mean([errors(law, random, index + 1) for index in range(DRAWS)], axis=0)
        print(name, " ".join(f"{value:.4f}" for value in found))
        for k in range(1, len(EPSILONS)):
            if found[k] > HARM * found[:k].min():
                yield f"{name}: epsilon {EPSILONS[k]} is worse than a smaller one"
        if law[0] not in FAR and found[-2] > LAST * found[-1]:
            yield f"{name}: epsilon {EPSILONS[-1]} is worse than no privacy"


def main():
    print("seed", SEED)
    found = list(failures())
    print("\n".join(found))
    print(f"{len(found)} failures")
    return len(found) > 0


if __name__ == "__main__":
    sys.exit(main())
