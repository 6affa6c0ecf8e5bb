"""Frames of polars and pyarrow: the bits of pandas, no warning, columns by their names, and one
sentence about what has no rows in memory. Names of Spark's columns, by a frame that stands for
Spark's."""

import os
import sys
import unittest
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars
import pyarrow

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests", "python")))
from python_case import BUDGET, numbers, people  # noqa: E402

from dpadapt import (AdaptedClassifier, AdaptedRegressor, Ledger, errors, evaluate,  # noqa: E402
                     spark)

KINDS = polars.from_pandas, pyarrow.Table.from_pandas
SETTINGS = {**BUDGET, "unsafe_seed": 7}, {"private_domain": "none"}


def frame(rows=400, seed=1):
    """Numbers and labels in one frame."""
    x, y = numbers(rows, 0, seed)
    return pd.DataFrame(np.column_stack([x, y]), columns=[*"abcy"])


class SparkFrame:
    """As Spark's: a column is found without its capitals, unless the session says otherwise, and
    comes by the name that was asked for."""

    storageLevel = SimpleNamespace(useMemory=True, useDisk=False)

    def __init__(self, table, case_sensitive="false"):
        self.table, self.columns = table, table.column_names
        conf = {"spark.sql.caseSensitive": case_sensitive}
        self.sparkSession = SimpleNamespace(conf=conf)

    def select(self, quoted):
        has_case = self.sparkSession.conf["spark.sql.caseSensitive"] == "true"
        folded = str if has_case else str.lower
        names = [name.strip("`") for name in quoted]
        places = [list(map(folded, self.columns)).index(folded(name)) for name in names]
        return SparkFrame(self.table.select(places).rename_columns(names))

    def mapInArrow(self, work, _schema):
        parts = [value for batch in work(iter(self.table.to_batches())) for value in batch["value"]]
        return SimpleNamespace(collect=lambda: [{"value": part.as_py()} for part in parts])


class SparkNames(unittest.TestCase):
    def fit(self, private, public, **settings):
        return spark.fit(SparkFrame(pyarrow.Table.from_pandas(private), *self.case),
                         source=public, **{**BUDGET, "label": "y", **settings})

    def test_a_column_that_is_not_used_is_told(self):
        self.case = ()
        public, private = (rows.assign(kind=[f"k{i}" for i in range(len(rows))])
                           for rows in (frame(900, 2), frame()))
        with self.assertWarnsRegex(UserWarning, "not used:\nkind"):
            self.fit(private, public)

    def test_names_that_are_no_columns_are_refused_before_payment(self):
        public, private, ledger = frame(900, 2), frame(), Ledger(epsilon=9, delta=1e-4)
        both = private.assign(A=private["b"])
        for self.case, rows, settings, words in (
                ((), private, {"label": "Y"}, 'source is called "Y": write "y"'),
                ((), private, {"features": ["a", "Y"]}, '"Y": write "y"'),
                ((), private, {"features": ["a", "A"]}, '"A": write "a"'),
                ((), private.rename(columns={"a": "A"}), {}, 'target is called "a": write "A"'),
                ((), both, {"features": ["a"]}, '2 columns of the target are called "a"'),
                (("true",), private, {"features": ["a", "A"]}, '"A": write "a"'),
                (("true",), private.drop(columns="a"), {}, 'target is called "a"$')):
            for source in (public, SparkFrame(pyarrow.Table.from_pandas(public), *self.case)):
                with self.subTest(settings=settings), self.assertRaisesRegex(
                        errors.Error, words):
                    self.fit(rows, source, **settings, ledger=ledger)
        self.assertEqual(ledger.report()["entries"], [])
        self.case = ("true",)
        public = public.assign(A=public["b"])
        model = self.fit(both, public, features=["a", "A"], unsafe_seed=3)
        np.testing.assert_allclose(model.array("coefficients")[0], [1, 2], atol=0.5)


class Frames(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("error")
        self.addCleanup(warnings.resetwarnings)

    def test_other_frames_give_the_same_bits(self):
        public, private, dates = people(2000), people(1000, 3), people(1000, 3)
        dates["age"] = pd.Timestamp("2020-01-01")
        columns = ["age", "smoker"]
        for target, settings in ((private, SETTINGS[0]), (private, SETTINGS[1]),
                                 (dates, SETTINGS[0])):
            ours = AdaptedClassifier(**settings).fit(
                target[columns], target["outcome"], source=(public[columns], public["outcome"]))
            for other in KINDS:
                x, xs = other(target[columns]), other(public[columns])
                y, ys = other(target[["outcome"]]), other(public[["outcome"]])
                fit = AdaptedClassifier(**settings).fit(x, y["outcome"], source=(xs, ys["outcome"]))
                self.assertEqual(fit.solution_.digest, ours.solution_.digest)
                if target is private:
                    wanted = ours.predict(target[columns]).tolist()
                    self.assertEqual(fit.predict(x).tolist(), wanted)
                    self.assertEqual(fit.solution_.predict(other(target)).tolist(), wanted)

    def test_columns_have_the_targets_order_and_other_names_are_refused(self):
        public, private = frame(900, 2), frame()
        for settings in SETTINGS:
            for other in KINDS:
                x = other(private[[*"abc"]])
                fit = AdaptedRegressor(**settings).fit(
                    x, private["y"], source=(other(public[[*"cab"]]), public["y"]))
                self.assertEqual(fit.feature_names_in_.tolist(), [*"abc"])
                self.assertEqual(fit.n_features_in_, 3)
                np.testing.assert_allclose(fit.coef_, [1, 2, 3], atol=0.5)
                self.assertEqual(fit.predict(x).tolist(),
                                 fit.predict(private[[*"abc"]]).tolist())
                for names in ([*"acb"], [*"ab"], [*"aby"]):
                    with self.assertRaisesRegex(ValueError, "feature names should match .*a, b, c"):
                        fit.predict(other(private[names]))
                turned = other(private[[*"bca"]])
                self.assertEqual(fit.solution_.predict(turned).tolist(), fit.predict(x).tolist())

    def test_names_are_refused_where_places_count(self):
        private = frame()
        fit = AdaptedRegressor(private_domain="none").fit(private[[*"abc"]].to_numpy(),
                                                          private["y"].to_numpy())
        batch = pyarrow.RecordBatch.from_pandas(private[[*"abc"]])
        for rows in (*(other(private[[*"abc"]]) for other in KINDS), batch):
            for predict in (fit.predict, fit.solution_.predict):
                with self.assertRaisesRegex(errors.UnsupportedError, "give an array"):
                    predict(rows)

    def test_the_label_among_the_features_is_found_by_its_name(self):
        private = polars.from_pandas(frame())
        with self.assertRaisesRegex(errors.Error, '"y" is given as feature and as label'):
            AdaptedRegressor(private_domain="none").fit(private, private["y"])

    def test_what_has_no_rows_in_memory_says_what_to_give(self):
        private, ledger = frame(), Ledger(epsilon=9, delta=1e-4)
        x, y = private[[*"abc"]], private["y"]
        lazy = lambda: polars.from_pandas(x).lazy()
        reader = lambda: pyarrow.Table.from_pandas(x).to_reader()
        fits = [AdaptedRegressor(private_domain="none").fit(rows, y) for rows in (x, x.to_numpy())]
        for make, words in ((lazy, r"LazyFrame has no rows yet: give its collect\(\)"),
                            (reader, r"RecordBatchReader is a stream, .* by pyarrow.table\(\)")):
            fit = AdaptedRegressor(**BUDGET, ledger=ledger).fit
            calls = [lambda: fit(make(), y, source=(x, y)), lambda: fit(x, y, source=(make(), y)),
                     lambda: evaluate(fits[0], make(), y, **BUDGET, ledger=ledger)]
            for made in fits:
                calls += [lambda made=made: made.predict(make()),
                          lambda made=made: made.solution_.predict(make())]
            for call in calls:
                with self.assertRaisesRegex(errors.UnsupportedError, words):
                    call()
        self.assertEqual(ledger.report()["entries"], [])
        self.assertEqual(fits[0].solution_.predict(pyarrow.table(reader())).tolist(),
                         fits[0].solution_.predict(lazy().collect()).tolist())
        batch = pyarrow.RecordBatch.from_pandas(x)
        self.assertEqual(fits[0].predict(batch).tolist(), fits[0].predict(x).tolist())


if __name__ == "__main__":
    unittest.main()
