"""No private value decides how another record is read, and none is an error or in one."""

import datetime
import io
import unittest
import uuid
import warnings
from decimal import Decimal

from python_case import BUDGET, PythonCase, numbers

import numpy as np
import pandas as pd
from sklearn.linear_model import RANSACRegressor

from dpadapt import (AdaptedClassifier, AdaptedRegressor, _cells, _options, errors, evaluate,
                     passes, votes)
from dpadapt._cells import person_ids, positions
from dpadapt.schema import Schema

SECRET = "secret"
DAY = datetime.date(2020, 1, 2)
OTHERS = (True, np.bool_(False), 1, np.int8(0), 2**60 + 1, 10**400, 1.5, np.float32(0.1), -0.0,
          np.longdouble("1e4000"), np.inf, np.nan, None, pd.NA, pd.NaT, "True", "no", "1", SECRET,
          "a\0b", "\ud800", b"1", b"\xff", Decimal("1.5"), Decimal("sNaN"), 1j, DAY,
          pd.Timestamp(DAY), np.datetime64("2020-01-02"), np.timedelta64(3, "D"),
          pd.Timedelta("3D"), uuid.UUID(int=5), [1, 2], (1,), {"a": 1}, np.ma.masked,
          np.array([1.0, 2.0]), object())
# Of each public column what it has, and lists of private cells whose type pandas chooses.
COLUMNS = {"number": [1, 2.5, 3], "whole": [0, 1, 2], "truth": [True, False, True],
           "pair": ["yes", "no", "yes"], "words": ["True", "False", "other"],
           "letters": ["T", "F", "U"], "texts": ["a", "1", "0.1"]}
CELLS = ([True, False, True], [np.bool_(True), False, True], [np.bool_(True)] * 3, [1, 0, 2],
         [0.1, 1.0, 2.0], ["yes", "T", "a"], [None, True, 1], [pd.Timestamp(DAY)] * 3, [DAY] * 3)
FITTED = {"private_domain": "none"}
SEEDED = {**BUDGET, "unsafe_seed": 5}


def series(cells):
    """As a reader of files chooses the type."""
    try:
        return pd.Series(list(cells))
    except (TypeError, ValueError, OverflowError):
        return objects(cells)


def objects(cells):
    found = pd.Series([None] * len(cells), dtype=object)
    for place, value in enumerate(cells):
        found.iat[place] = value
    return found


def public_fit(labels):
    """Thirty public rows of every kind of column."""
    frame = pd.DataFrame({name: cells * 10 for name, cells in COLUMNS.items()})
    labels = np.resize(np.array(labels), 30)
    kind = AdaptedRegressor if labels.dtype.kind == "f" else AdaptedClassifier
    return kind(**FITTED, categories="texts").fit(frame, labels).solution_


class PrivateCells(PythonCase):
    def test_a_cell_of_any_type_leaves_the_other_records_alone(self):
        schema = public_fit([0.5, 1.5]).schema
        for cells in CELLS:
            frame = pd.DataFrame({name: series(cells) for name in COLUMNS})
            wanted = schema.rows(frame, private=True)[0][:2]
            for other in OTHERS:
                for made in (series, objects):
                    values = made([*cells[:2], other])
                    frame = pd.DataFrame({name: values for name in COLUMNS})
                    found = schema.rows(frame, private=True)[0]
                    np.testing.assert_array_equal(found[:2], wanted, f"{cells} {type(other)}")

    def test_a_label_of_any_type_leaves_the_other_records_alone(self):
        frame = pd.DataFrame({name: [None] * 3 for name in COLUMNS})
        for known in ([0.5, 1.5], [False, True], [0, 1], ["no", "yes"], ["True", "x", "False"]):
            schema = public_fit(known).schema
            for cells in CELLS:
                wanted = schema.rows(frame, series(cells), private=True)[1][:2]
                for other in OTHERS:
                    for made in (series, objects, list):
                        found = schema.rows(frame, made([*cells[:2], other]), private=True)[1]
                        np.testing.assert_array_equal(found[:2], wanted, f"{known} {type(other)}")

    def test_truths_of_public_labels_are_truths_of_private_ones(self):
        frame = pd.DataFrame({name: [None] * 2 for name in COLUMNS})
        for known, wanted in (([False, True], [-1, 1]), ([0.0, 1.0], [0, 1]), ([0, 1], [-1, 1]),
                              (["no", "yes"], [-1, 1])):
            schema = public_fit(known).schema
            self.assertEqual(schema.rows(frame, [False, True], private=True)[1].tolist(), wanted)

    def test_a_private_value_of_any_type_is_its_own_rows_matter(self):
        (x, y), source = numbers(40), numbers(900, 0, 2)
        fit = AdaptedRegressor(**SEEDED)
        lists = x.tolist()
        missing = [*lists[:-1], [np.nan] * 3]
        wanted = fit.fit(missing, y.tolist(), source=source).solution_.digest
        no_label = fit.fit(lists, [*y[:-1], np.nan], source=source).solution_.digest
        for other in OTHERS[17:]:
            for row in (other, [other], [*lists[-1], other], [SECRET] * 3, np.ma.masked_all(3)):
                rows = [*lists[:-1], row]
                self.assertEqual(fit.fit(rows, y.tolist(), source=source).solution_.digest, wanted)
        for label in (SECRET, None, [1, 2], (), np.ones(2), np.ma.masked, DAY, 1j, 10**400):
            found = fit.fit(lists, [*y[:-1], label], source=source)
            self.assertEqual(found.solution_.digest, no_label)
        evaluate(fit, [*lists[:-1], [1.0]], [*y[:-1], (1, 2)], **BUDGET)

    def test_no_warning_tells_of_a_private_value(self):
        x, y = numbers(40)
        x, y = x.astype(np.longdouble), y.astype(np.longdouble)
        x[3, 0] = y[5] = np.longdouble("1e4000")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            AdaptedRegressor(**SEEDED).fit(x, y, source=numbers(900, 0, 2))
            evaluate(AdaptedRegressor(**FITTED).fit(*numbers(40)), x, y, **BUDGET)

    def test_both_private_samples_are_arrays(self):
        (x, y), (xs, ys) = numbers(400), numbers(400, 0, 2)
        fit = AdaptedRegressor(**BUDGET, private_domain="both")
        with self.assertRaisesRegex(errors.UnsupportedError, "give arrays"):
            fit.fit(x.tolist(), y, source=(xs, ys))


class OneTable(PythonCase):
    """sample_domain: public and private rows stand in one table."""

    def setUp(self):
        self.x, self.y = numbers(1000)
        self.domain = np.where(np.arange(1000) < 700, 1, -1)

    def fit(self, kind, x, y, **more):
        return kind(**SEEDED).fit(x, y, sample_domain=self.domain, **more)

    def test_a_private_value_is_no_error_and_decides_no_type(self):
        wanted = self.x.copy()
        wanted[999] = np.nan
        wanted = self.fit(AdaptedRegressor, wanted, self.y).solution_.digest
        for row in ([SECRET] * 3, [1.0], SECRET, None):
            x = [*self.x.tolist()[:-1], row]
            self.assertEqual(self.fit(AdaptedRegressor, x, self.y).solution_.digest, wanted)

    def test_a_private_label_decides_no_class(self):
        labels = (self.y > 0).astype(int).tolist()
        for other in (None, np.nan, 2.5, SECRET, True):
            changed = [*labels[:-1], other]
            for y in (changed, objects(changed), objects(changed).to_numpy(), series(changed)):
                found = self.fit(AdaptedClassifier, self.x, y)
                self.assertEqual(found.classes_.dtype, int)
                self.assertEqual(found.classes_.tolist(), [0, 1])

    def test_a_private_cell_decides_no_feature(self):
        frame = pd.DataFrame({"truth": self.x[:, 0] > 0, "whole": np.arange(1000) % 7,
                              "number": self.x[:, 1]})
        wanted = self.fit(AdaptedRegressor, frame, self.y).solution_.schema
        for name in frame:
            for other in (None, SECRET, 1.5, True, DAY):
                found = self.fit(AdaptedRegressor, frame.assign(
                    **{name: series([*frame[name].tolist()[:-1], other])}), self.y).solution_
                self.assertEqual(str(found.schema), str(wanted))

    def test_an_odd_cell_in_a_file_changes_no_other(self):
        """Whatever type a reader gives a column that has it, or has it not."""
        public = pd.DataFrame({"number": np.arange(60) / 2.0, "words": ["a", "b", "true"] * 20,
                               "pair": ["yes", "no"] * 30})
        schema = Schema.learn(public, np.arange(60.0), "y", _options.make({}), [])
        asked = 0
        for word, settings in (("True", {}), ("false", {}), ("TRUE", {}), ("1e-400", {}),
                               ("0.5", {}), (" 7 ", {}), ("1,5", {"decimal": ","}), ("1e400", {}),
                               ("nan", {}), ("2024-01-05", {"parse_dates": [0, 1, 2]})):
            found = []
            for odd in ("odd", word):
                lines = ["number;words;pair"] + 3 * [";".join(3 * [word])] + [";".join(3 * [odd])]
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    frame = pd.read_csv(io.StringIO("\n".join(lines)), sep=";", **settings)
                x, _ = schema.rows(frame, np.zeros(4), private=True)
                labels = schema.rows(frame, frame["number"], private=True)[1]
                arrays = [_cells.numbers(frame[name]) for name in frame.columns]
                found.append([x[:3], labels[:3]] + [column[:3] for column in arrays])
            for one, other in zip(*found):
                np.testing.assert_array_equal(one, other, word)
                asked += 1
        self.assertEqual(asked, 50)

    def test_private_weights_and_persons_of_any_type(self):
        weights, persons = [1.0] * 999 + [[SECRET] * 2], [*range(999), (SECRET, 1)]
        AdaptedRegressor(**SEEDED, row_weight_bound=1).fit(
            self.x, self.y, weights, sample_domain=self.domain)
        self.fit(AdaptedRegressor, self.x, self.y, groups=persons)

    def test_each_row_needs_a_domain(self):
        for domain in ([*self.domain[:-1], np.nan], self.domain[:-1], self.domain.reshape(2, -1),
                       [*self.domain[:-1], None]):
            with self.assertRaises(errors.Error):
                AdaptedRegressor(**SEEDED).fit(self.x, self.y, sample_domain=domain)


class Missing(PythonCase):
    def test_a_mask_hides_values(self):
        (x, y), source = numbers(), numbers(900, 0, 2)
        hidden = np.ma.array(x, mask=np.arange(x.size).reshape(x.shape) == 7)
        hidden_y = np.ma.array(y, mask=np.arange(len(y)) == 9)
        wanted_x, wanted_y = hidden.filled(np.nan), hidden_y.filled(np.nan)
        fit = AdaptedRegressor(**SEEDED)
        self.assertEqual(fit.fit(hidden, hidden_y, source=source).solution_.digest,
                         fit.fit(wanted_x, wanted_y, source=source).solution_.digest)
        public = AdaptedRegressor(**FITTED)
        for careless in (lambda: public.fit(hidden, y), lambda: public.fit(x, hidden_y),
                         lambda: public.fit(x, y).predict(hidden)):
            with self.assertRaisesRegex(ValueError, "NaN"):
                careless()

    def test_times_have_no_number(self):
        (x, y), source = numbers(), numbers(900, 0, 2)
        days = np.arange(len(y)).astype("M8[ns]")
        fit, public = AdaptedRegressor(**SEEDED), AdaptedRegressor(**FITTED).fit(x, y)
        none = np.full(len(y), np.nan)
        for times in (days, days - days[0], pd.Series(days)):
            self.assertEqual(fit.fit(x, times, source=source).solution_.digest,
                             fit.fit(x, none, source=source).solution_.digest)
            with self.assertRaisesRegex(errors.UnsupportedError, "no evident number"):
                AdaptedRegressor(**FITTED).fit(x, times)
            with self.assertRaisesRegex(errors.UnsupportedError, "no evident number"):
                AdaptedRegressor(**FITTED).fit(x, y, times)
            with self.assertRaisesRegex(errors.UnsupportedError, "no evident number"):
                evaluate(public, x, times, **FITTED)
        with self.assertRaisesRegex(errors.UnsupportedError, "no evident number"):
            AdaptedClassifier(**FITTED).fit(x, np.resize(days[:2], len(y)))


class LabelWords(PythonCase):
    def test_arrays_and_frames_find_the_same_label(self):
        """By the rule of all languages, which the core applies to frames."""
        values = ["yes", "Yes", "YES", " no", "n", "t", "TRUE", "1", "0", "-1", "1.0", "f", "A",
                  "a", "b", "b\u200b", "", "NA", "other", "Maybe", "2", "é", "É"]
        for known in (["no", "yes"], ["No", "YES"], ["0", "1"], ["-1", "1"], ["False", "True"],
                      ["a", "b"], ["a", "A"], ["f", "t", "u"], ["no", "yes", "maybe"],
                      ["1", "2", "3"], ["False", "True", "other"], ["é", "b"]):
            frame = pd.DataFrame({"x": np.arange(30) % 7.0})
            labels = np.resize(known, 30)
            model = AdaptedClassifier(**FITTED).fit(frame, labels).solution_
            x = pd.DataFrame({"x": np.zeros(len(values))})
            codes = model.schema.rows(x, values, True)[1]
            place = {code: place for place, code in enumerate(model.codes.tolist())}
            wanted = [-1 if np.isnan(code) else place[int(code)] for code in codes]
            found = positions(np.array(values, object), model.classes)
            self.assertEqual(dict(zip(values, found.tolist())), dict(zip(values, wanted)), known)

    def test_private_labels_of_arrays_may_be_spelled_otherwise(self):
        x = np.random.default_rng(5).normal(size=(900, 2))
        public, private = np.where(x[:, 0] > 0, "yes", "no"), np.where(x[:, 0] > 0, "YES", "No")
        fit = AdaptedClassifier(epsilon=4, delta=1e-5).fit(x, private, source=(x, public))
        measured = evaluate(fit, x, private, epsilon=4, delta=1e-5)
        self.assertGreater(measured["accuracy"].estimate, 0.8)

    def test_a_public_label_that_reads_as_missing_is_refused(self):
        x = np.arange(20.0)[:, None]
        with self.assertRaisesRegex(errors.LabelError, "'NA' reads as a missing value"):
            AdaptedClassifier(**FITTED).fit(x, np.resize(["NA", "x"], 20))

    def test_missing_public_labels_are_left_out(self):
        frame = pd.DataFrame({"a": np.arange(60) % 5.0})
        for missing in (None, np.nan, pd.NA):
            labels = pd.Series(["a", missing, "b"] * 20, dtype=object)
            for target in (["a", "b", "b"] * 20, labels):
                fit = AdaptedClassifier(epsilon=1, delta=1e-3).fit(frame, target,
                                                                   source=(frame, labels))
                self.assertEqual(fit.classes_.tolist(), ["a", "b"])


class Persons(PythonCase):
    def assert_persons(self, values, wanted):
        self.assertEqual(person_ids(values).tolist(), wanted)

    def test_different_ids_are_different_persons(self):
        for one, two in ((2**53 - 1, 2**53), ("1e999", "2e999"), ("Müller", "MÜLLER"),
                         (DAY, datetime.date(2020, 1, 3)), (uuid.UUID(int=1), uuid.UUID(int=2)),
                         ((1, 2), (1, 3)), (Decimal("0.1"), Decimal("0.2")),
                         (pd.Timestamp("2020-01-02"), pd.Timestamp("2020-01-02 01:00")),
                         (b"\xff", b"\xfe"), ("12e99999", "12e88888")):
            self.assert_persons([one, two, one], [0, 1, 0])
            self.assert_persons(objects([one, two, one]), [0, 1, 0])
        days = np.array(["2020-01-01", "2020-01-02", "2020-01-01"], "M8[ns]")
        for values in (days, pd.Series(days), days - days[0], days.tolist()):
            self.assert_persons(values, [0, 1, 0])

    def test_spellings_of_an_id_are_one_person(self):
        self.assert_persons([1, 1.0, "1", " 1.0 ", np.int8(1), True, "TRUE", Decimal(1), b"1",
                             np.float32(1), np.bool_(True)], [0] * 11)
        self.assert_persons(["a ", "A", b"a", "a\u200b", "\ufeffa\xa0"], [0] * 5)
        self.assert_persons([None, np.nan, "", pd.NA, "b"], [0, 0, 0, 0, 1])
        self.assert_persons([(np.int64(1), "A"), (1, "a")], [0, 0])
        self.assert_persons([2**53, 2**53 + 1, str(2**53 + 1), float(2**53)], [0] * 4)

    def test_whoever_has_no_id_is_one_person(self):
        self.assert_persons(["", "NA", " n/a", ".", "NULL", "?", "nan", None, "x"], [0] * 8 + [1])

    def test_a_missing_id_leaves_the_other_persons_alone(self):
        """Of such a column pandas makes doubles."""
        ids = 123456789012345600 + np.arange(100)
        text = "\n".join(["id", *map(str, ids)])
        whole = pd.read_csv(io.StringIO(text)).id
        missing = pd.read_csv(io.StringIO(text.replace(str(ids[3]), "")),
                              skip_blank_lines=False).id
        self.assertEqual((whole.dtype, missing.dtype), (np.int64, np.float64))
        found = [person_ids(values) for values in (whole, missing)]
        same = [one[:, None] == one for one in found]
        np.testing.assert_array_equal(*(np.delete(np.delete(one, 3, 0), 3, 1) for one in same))

    def test_numbers_of_any_length_have_a_teacher(self):
        for wild in ("1e-5000", 10**5000, "1e-30000000", Decimal("1e999999")):
            self.assertEqual(len(votes.shards(3, 2, groups=["a", "b", wild])), 3)

    def test_columns_of_one_are_vectors_and_other_shapes_are_refused(self):
        ids = np.array([[3], [4], [3]])
        for values in (ids, ids.tolist(), pd.DataFrame(ids), pd.DataFrame(ids)[0]):
            self.assert_persons(values, [0, 1, 0])
        for values in (np.ones((3, 2)), np.ones((1, 3)), np.ones(())):
            with self.assertRaisesRegex(errors.Error, "one value for each row"):
                person_ids(values)


class Sourced(AdaptedRegressor):
    """One for frameworks that pass no source on."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y, sample_weight, source=numbers(900, 0, 2))


class Repeated(PythonCase):
    def test_whatever_scikit_learn_repeats_needs_a_ledger(self):
        from sklearn.experimental import enable_iterative_imputer  # noqa: F401
        from sklearn.impute import IterativeImputer

        x, y = numbers()
        holes = np.where(np.arange(x.size).reshape(x.shape) % 50 == 7, np.nan, x)
        for outer in (RANSACRegressor(Sourced(**BUDGET), min_samples=100),
                      IterativeImputer(Sourced(**BUDGET))):
            with self.assertRaisesRegex(errors.StateError, "each fit pays"):
                outer.fit(x if isinstance(outer, RANSACRegressor) else holes, y)


if __name__ == "__main__":
    unittest.main()
