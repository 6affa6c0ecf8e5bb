"""Fits of quantiles: with little smoothing the minimum of the linear program, and with any the
share of labels that the level says lies below the predictions, private or not."""

import sys

from prerequisites import require

require("numpy", "scipy")

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import eye, hstack

import dpadapt_ctypes as dpadapt

SEED = 20260412
LEVELS = (0.1, 0.5, 0.9, 0.97)
WIDTH = 1e-3    # of the smoothing, where it must not show
MISSED = 0.02   # share of labels by which a fit may miss the level


def sample(random, rows, shift, bend):
    """Labels with a skewed noise that grows with the first feature, as delays do."""
    x = random.normal(size=(rows, 3))
    noise = random.exponential(size=rows) * np.exp(0.2 * x[:, 0])
    return x, x @ np.array([1.0, -0.5, bend]) + shift + noise


def program(x, y, p, level):
    """Least weighted loss of a linear predictor with a constant: residuals are differences u - v, u
    and v at least 0."""
    features = np.column_stack([x, np.ones(len(y))])
    rows, columns = features.shape
    cost = np.concatenate([np.zeros(columns), level * p, (1 - level) * p])
    equal = hstack([features, eye(rows), -eye(rows)])
    bounds = [(None, None)] * columns + [(0, None)] * (2 * rows)
    return linprog(cost, A_eq=equal, b_eq=y, bounds=bounds, method="highs").fun


def pinball(residual, level):
    """Of y - s."""
    return np.maximum(level * residual, (level - 1) * residual)


def failures_of_the_minimum(random):
    source, target = sample(random, 300, 0.0, 0.3), sample(random, 120, 1.0, 0.8)
    x = np.vstack([source[0], target[0]])
    y = np.concatenate([source[1], target[1]])
    for level in LEVELS:
        for alpha in (0.0, 0.4, 1.0):
            fit = dpadapt.Predictor(source, target, loss="pinball", quantile_level=level,
                                    quantile_smoothing=WIDTH, alpha=alpha, private_domain="none",
                                    radius=100.0)
            p = np.repeat([alpha / 300, (1 - alpha) / 120], [300, 120])
            least = program(x, y, p, level)
            found = p @ pinball(y - fit(x), level)
            # The smoothed loss lies above the other by at most a quarter of the width.
            if not least * (1 - 1e-9) <= found <= least + WIDTH / 4 + fit.number("duality_gap"):
                yield f"level {level}, alpha {alpha}: loss {found!r}, but {least!r} is the least"
            if not least <= fit.number("objective") <= least + WIDTH / 4 + 1e-6:
                yield f"level {level}, alpha {alpha}: objective {fit.number('objective')!r}"


BUDGET = {"private_domain": "target", "epsilon": 1, "delta": 1e-6, "unsafe_seed": 1}
BOTH = {"preprocess": "none", "feature_radius": 4, "radius": 8, "clip_bound": 0.4,
        "quantile_smoothing": 0.2, "iterations": 200}
# Of the target, whose quantile alpha = 0 asks for; a private source has a part in that of the
# source alone.
FITS = {
    "public": {"private_domain": "none", "alpha": 0.0},
    "private target": BUDGET,
    "private target, alpha 0": {**BUDGET, "alpha": 0.0},
    "private source, alpha 1": {**BUDGET, "private_domain": "source", "alpha": 1.0},
    "both private": {**BUDGET, "private_domain": "both", "alpha": 0.0, **BOTH},
}


def failures_of_the_share(random):
    source, target = sample(random, 20000, 0.0, 0.3), sample(random, 20000, 1.0, 0.8)
    held_out = sample(random, 50000, 0.0, 0.3), sample(random, 50000, 1.0, 0.8)
    for level in LEVELS:
        for name, settings in FITS.items():
            fit = dpadapt.Predictor(source, target, loss="pinball", quantile_level=level,
                                    **settings)
            x, y = held_out[settings.get("alpha") != 1.0]
            share = np.mean(y <= fit(x))
            print(f"{name}, level {level}: {share:.4f} below")
            if abs(share - level) > MISSED:
                yield f"{name}: {share:.4f} of the labels lie below the quantile of level {level}"


def main():
    print("seed", SEED)
    random = np.random.default_rng(SEED)
    failures = [*failures_of_the_minimum(random), *failures_of_the_share(random)]
    print("\n".join(failures))
    print(f"{len(failures)} failures")
    return len(failures) > 0


if __name__ == "__main__":
    sys.exit(main())
