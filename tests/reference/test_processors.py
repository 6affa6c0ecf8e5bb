"""A seeded private fit repeats on other processors, up to rounding: OpenBLAS has kernels for each,
and lets the environment choose. The eigenvectors in which noise is drawn have signs that
LAPACK leaves open; with other signs the same noise makes another fit."""

import json
import os
import platform
import subprocess
import sys

from prerequisites import SKIPPED, require

require("numpy")

import numpy as np

import dpadapt_ctypes as dpadapt

SEED = 20260612
TOLERANCE = 1e-8    # relative; 1e-10 was seen, and 1e-2 with other signs
COLUMNS = (1, 3, 6, *range(26, 62, 3))  # of more than 25 LAPACK divides the eigenvalues
PROCESSORS = ("PRESCOTT", "NEHALEM")    # whose kernels run on all of x86-64
CHOICES = ({"alpha": "auto"}, {"alpha": 0.5}, {"alpha": 0.5, "loss": "huber"})
PRIVATE = {"private_domain": "target", "epsilon": 5, "delta": 1e-3, "unsafe_seed": 7}


def coefficients():
    """Of every fit, by the kernels of this process."""
    random = np.random.default_rng(SEED)
    for columns in COLUMNS:
        x = random.normal(size=(300, columns))
        y = x @ random.normal(size=columns) + 0.3 * random.normal(size=len(x))
        source, target = (x[:200], y[:200]), (x[200:], y[200:] + 0.5)
        for choice in CHOICES:
            fit = dpadapt.Predictor(source, target, **PRIVATE, **choice)
            yield fit.vector("coefficients", columns).tolist()


def of_processor(name):
    environment = {**os.environ, "OPENBLAS_CORETYPE": name, "OPENBLAS_NUM_THREADS": "1"}
    text = subprocess.run([sys.executable, __file__, "--print"], env=environment, check=True,
                          stdout=subprocess.PIPE).stdout
    return [np.array(fit) for fit in json.loads(text)]


def main():
    if platform.machine() not in ("x86_64", "AMD64"):
        sys.exit(SKIPPED)
    fits = [of_processor(name) for name in PROCESSORS]
    assert len(fits[0]) == len(fits[1]) == len(COLUMNS) * len(CHOICES)
    worst = max(np.linalg.norm(one - other) / np.linalg.norm(one)
                for one, other in zip(*fits))
    print(f"{len(fits[0])} fits differ by {worst:.1e} at most")
    assert worst < TOLERANCE, worst


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        json.dump(list(coefficients()), sys.stdout)
    else:
        main()
