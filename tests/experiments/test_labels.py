"""Labels of another size, nearly all of one value, or all of one: over the target's own error, medians of eight draws."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

from prerequisites import require

require("numpy")

import numpy as np

import dpadapt_ctypes as dpadapt

SEED = 20261130
DRAWS = 8
FREE = {"private_domain": "none"}


def over_target(source, target, test):
    """Squared errors of the fit without privacy over those of least squares on the target."""
    fits = (dpadapt.Predictor(source, target, **FREE), dpadapt.Baseline("target_only", source, target, **FREE))
    adapted, own = (np.mean((fit.predict(test[0]) - test[1]) ** 2) for fit in fits)
    return adapted / own


def other_units(index, scale):
    """The target's labels are in other units. 0.01 rows of the source are too many: 3 to 18 times, at 1e-6 a million
    times."""
    random = np.random.default_rng(SEED + index)

    def sample(count, scale):
        x = random.normal(size=(count, 5))
        return x, scale * (x.sum(axis=1) + 3 + 0.5 * random.normal(size=count))

    return over_target(sample(3000, 1), sample(30, scale), sample(3000, scale))


def mostly_zero(index, rows):
    """One label of a hundred is not 0, of the target three of ten. The median of residuals is no scale: 1.4 times."""
    random = np.random.default_rng(SEED + index)

    def sample(count, share):
        x = random.normal(size=(count, 3))
        return x, (random.random(count) < share * (1 + 0.5 * x[:, 0])).astype(float)

    return over_target(sample(3000, 0.01), sample(rows, 0.3), sample(10000, 0.3))


def one_value(index, loss, unit):
    """All public labels are a tenth, all private ones 1.1: how far the fit is from these, in that unit. Where rounding
    passes for a scale it stays at a tenth."""
    random = np.random.default_rng(SEED + index)
    source, target = ((random.normal(size=(2000, 3)), np.full(2000, label * unit)) for label in (0.1, 1.1))
    fit = dpadapt.Predictor(source, target, loss=loss, private_domain="target", epsilon=4, delta=1e-5,
                            unsafe_seed=index + 1)
    return np.max(np.abs(fit.predict(target[0]) / unit - 1.1))


CASES = ([(other_units, (scale,), 1.1) for scale in (1e-6, 1e-3, 1)] + [(mostly_zero, (rows,), 1.03) for rows in (300, 3000)]
         + [(one_value, (loss, unit), 0.02) for loss in ("squared", "huber") for unit in (1e-6, 1, 1e6)])


def main():
    print("seed", SEED)
    failures = 0
    for case, arguments, bar in CASES:
        value = np.median([case(index, *arguments) for index in range(DRAWS)])
        failed = not value <= bar
        failures += failed
        print(case.__name__, *arguments, f"{value:.4g}, bar {bar}" + (" FAILED" if failed else ""))
    print(f"{failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
