"""What the tests of engines share: the library by ctypes as examples/python has it, rows, and a fit
of rows in memory to compare with."""

import os
import pathlib
import sys

import numpy as np

EXAMPLES = pathlib.Path(os.environ["DPADAPT_SOURCE_DIR"], "examples", "python")
sys.path.insert(0, str(EXAMPLES))

import passes  # noqa: E402

OPTIONS = {"epsilon": 1, "delta": 1e-6, "unsafe_seed": 5}
FEATURES = 4


def rows(seed, count, slope):
    """Features and labels; a target has null records: no label, or no feature."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(count, FEATURES))
    y = x @ (slope * np.arange(1, FEATURES + 1)) + random.normal(size=count)
    return x, y


def source():
    return rows(1, 3000, 1.0)


def target(count=1000):
    x, y = rows(2, count, 1.5)
    y[7::100] = np.nan
    x[3, 1] = np.nan
    return x, y


def spark_frame(spark, count):
    """The target as a DataFrame, with NULL where nothing is known."""
    rows = [
        tuple(None if np.isnan(v) else float(v) for v in row)
        for row in np.column_stack(target(count))
    ]
    return spark.createDataFrame(rows, "a double, b double, c double, d double, y double")


def fit(everywhere, count=1000):
    """Coefficients and intercept as bytes, to be compared bit by bit."""
    coefficients, intercept, _model = passes.fit(*source(), count, everywhere, **OPTIONS)
    return np.append(coefficients, intercept).tobytes()


def fit_in_memory(count=1000):
    """By dpa_problem_set_sample, without a pass."""
    x, y = map(passes._doubles, target(count))
    real = passes._call

    def call(function, *arguments):
        if function == "dpa_problem_set_passes" and arguments[1] is passes._TARGET:
            return real("dpa_problem_set_sample", *arguments[:2], *passes._rows(x, y))
        return real(function, *arguments)

    passes._call = call
    try:
        return fit(None, count)
    finally:
        passes._call = real
