"""What the tests of engines share: the package of Python, rows, and fits of rows in memory to
compare with."""

import os
import pathlib
import re
import sys

import numpy as np

ROOT = pathlib.Path(os.environ["DPADAPT_SOURCE_DIR"])
PACKAGE = ROOT / "bindings" / "python"
sys.path.insert(0, str(PACKAGE))

from dpadapt import AdaptedRegressor, passes  # noqa: E402

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


def model(everywhere, count=1000, public=None, **options):
    """Of passes, whose requests a function answers."""
    public = source() if public is None else public
    columns = getattr(public, "columns", None) or public[0].shape[1]
    elsewhere = passes.Elsewhere(count, columns, everywhere)
    return passes.fit(public, elsewhere, **{**OPTIONS, **options})


def bits(fitted):
    """Coefficients and intercept, to be compared bit by bit."""
    return np.append(fitted.array("coefficients"), fitted.array("intercept")).tobytes()


def fit(everywhere, count=1000):
    return bits(model(everywhere, count))


def fit_in_memory(count=1000):
    """Without a pass."""
    return bits(AdaptedRegressor(**OPTIONS).fit(*target(count), source=source()).solution_)


def stays(count, slope, without_end):
    """Columns of made-up stays in wards, some of which are not over yet."""
    i = np.arange(count)
    age, ward = 20 + i * 7 % 60, i % 3
    days = slope * age + ward + (i % 17 - 8) / 8
    return {"age": age, "ward": np.array(["A", "B", "C"])[ward],
            "days": np.where(i % 100 < without_end, np.nan, days)}


def stays_in_memory(public, private):
    """The model of a fit of two data frames."""
    fitted = AdaptedRegressor(**OPTIONS)
    fitted.fit(private[["age", "ward"]], private["days"],
               source=(public[["age", "ward"]], public["days"]))
    return fitted.solution_


def spark_frame(spark, frame):
    """With NULL where nothing is known."""
    rows = [(int(age), ward, None if np.isnan(days) else float(days))
            for age, ward, days in frame.itertuples(index=False)]
    return spark.createDataFrame(rows, "age long, ward string, days double")


def program(language):
    """A program of the page, and what it prints."""
    page = (ROOT / "docs" / "embedding.md").read_text()
    block = rf"^```{language}\n(.*?)^```$.*?^```text\n(.*?)^```$"
    return re.search(block, page, re.MULTILINE | re.DOTALL).groups()
