"""Public rows that say nothing of a direction: there are few of them, columns depend on each other or
do not vary. The private error may be no more than this many times that without privacy, and never
more than that of the source alone. Means of eight draws, with one seed of the noise each."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

from prerequisites import require

require("numpy")

import numpy as np

import dpadapt_ctypes as dpadapt

SEED = 20261127
DRAWS = 8
PRIVATE = 3000


def independent(random, rows, columns):
    return random.normal(size=(rows, columns))


def dependent(random, rows, target):
    x = independent(random, rows, 10)
    if not target:
        x[:, 9] = 1 - x[:, 8]
    return x


def weekdays(random, rows, target):
    """Indicators of days of the week; the source has the first five."""
    x = np.hstack([independent(random, rows, 5), np.zeros((rows, 7))])
    x[np.arange(rows), 5 + (random.integers(5, 7, size=rows) if target
                            else random.integers(0, 5, size=rows))] = 1
    return x


def constant(random, rows, target):
    x = independent(random, rows, 5)
    x[:, 4] *= 1000 if target else 0
    return x


# Features, public rows, the deviation of the target's coefficients, epsilon, the bar; what the error
# was before stands behind.
CASES = {"5 rows of 5 features": (lambda r, k, t: independent(r, k, 5), 5, 0.5, 8, 1.1),  # 661
         "20 rows of 40 features": (lambda r, k, t: independent(r, k, 40), 20, 0.5, 8, 1.3),  # 32
         "dependent columns": (dependent, 2000, 0.5, 1, 1.1),  # 2.7
         "days of the week": (weekdays, 2000, 0.3, 1, 1.1),  # 1.05
         "a constant column": (constant, 2000, 0.0, 1, 2.2)}  # 5.1


def errors(index, features, public, moved, epsilon):
    random = np.random.default_rng(SEED + index)
    columns = features(random, 1, False).shape[1]
    slopes = [random.normal(size=columns)]
    slopes.append(slopes[0] + moved * random.normal(size=columns))

    def sample(rows, target):
        x = features(random, rows, target)
        scale = 1000 if features is constant else 1
        units = np.where(np.arange(columns) == 4, scale, 1)
        return x, x / units @ slopes[target] + target + random.normal(size=rows)

    source, target, test = sample(public, False), sample(PRIVATE, True), sample(4000, True)
    fits = ({"private_domain": "target", "epsilon": epsilon, "delta": 1e-5,
             "unsafe_seed": index + 1},
            {"private_domain": "none"}, {"private_domain": "none", "alpha": 1.0})
    return [np.mean((dpadapt.Predictor(source, target, **fit)(test[0]) - test[1]) ** 2)
            for fit in fits]


def main():
    print("seed", SEED)
    failures = 0
    for name, (*case, bar) in CASES.items():
        private, public, source = np.mean([errors(k, *case) for k in range(DRAWS)], axis=0)
        failed = private > bar * public or private > source
        failures += failed
        print(f"{name}: {private:.3f}, without privacy {public:.3f}, source alone {source:.3f}"
              + (" FAILED" if failed else ""))
    print(f"{failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
