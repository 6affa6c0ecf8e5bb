"""What would be wrong in silence is refused before anything is paid, by an error of the package."""

import datetime
import unittest
import uuid
import warnings

from python_case import BUDGET, PythonCase, numbers, parted, people

import numpy as np
import pandas as pd

import dpadapt
from dpadapt import AdaptedClassifier, AdaptedRegressor, Ledger, Model, errors, evaluate, passes
from dpadapt._tables import is_frame

PUBLIC = {"private_domain": "none"}


def classes(words, **settings):
    x, y = numbers()
    return AdaptedClassifier(**PUBLIC, **settings).fit(x, np.where(y > 0, *words))


class Stream:
    """A column of polars or of pandas 3."""

    def __init__(self, values):
        self.values = values

    def __arrow_c_stream__(self, requested_schema=None):
        raise AssertionError("read as a frame")

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)

    def __len__(self):
        return len(self.values)


class Refusals(PythonCase):
    def test_texts_in_an_array_are_refused_with_the_way(self):
        x, y = numbers()
        texts = np.column_stack([x, np.where(y > 0, "a", "b")])
        with self.assertRaisesRegex(ValueError, "could not convert .*read from a data frame"):
            AdaptedRegressor(**PUBLIC).fit(x, y, source=(texts, y))

    def test_models_with_other_classes_are_not_judged_together(self):
        x, y = numbers()
        labels = np.where(y > 0, "yes", "no")
        one, same = classes(("yes", "no")), classes(("yes", "no"), alpha=0.5)
        self.assertEqual(len({found.solution for found in
                              evaluate([one, same], x, labels, **PUBLIC).measures}), 2)
        for other in (classes(("a", "b")), classes((1, 0)),
                      classes(("yes", "no"), loss="softmax"),
                      AdaptedRegressor(**PUBLIC).fit(x, y)):
            for models in ([one, other], [other, one]):
                with self.assertRaisesRegex(errors.Error, "different classes"):
                    evaluate(models, x, labels, **PUBLIC)
        numbered = classes((1, 0))
        read = Model(numbered.solution_.handle, None, ["0", "1"], numbered.solution_.codes)
        evaluate([numbered, read], x, np.where(y > 0, 1, 0), **PUBLIC)

    def test_a_public_label_that_reads_as_missing_is_refused_before_payment(self):
        source, target = people(900), people(300)
        source["outcome"] = np.resize(["dead", "live", "NA"], 900)
        ledger = Ledger(epsilon=2, delta=1e-5)
        fit = AdaptedClassifier(**BUDGET, ledger=ledger)
        with self.assertRaisesRegex(errors.LabelError, "'NA' reads as a missing value"):
            fit.fit(*parted(target), source=parted(source))
        source["outcome"] = np.resize(["dead", "live", "unknown"], 900)
        with self.assertRaisesRegex(errors.LabelError, "'unknown' as a missing value"):
            fit.set_params(missing="unknown").fit(*parted(target), source=parted(source))
        self.assertEqual(ledger.report()["entries"], [])

    def test_a_refit_that_fails_and_a_plan_change_nothing(self):
        x, y = numbers()
        fit = classes(("yes", "no"))
        before = dict(vars(fit))
        wanted = fit.predict(x)
        other = np.where(y > 0, "a", "b")
        for careless in (lambda: fit.set_params(alpha=-1).fit(x[:, :2], other),
                         lambda: fit.set_params(alpha=None, baseline="none").fit(x, other)):
            with self.assertRaises(errors.Error):
                careless()
        fit.set_params(baseline=None, **BUDGET, private_domain="target")
        fit.plan(x[:, :2], other, source=(x[:, :2], other))
        fit.set_params(epsilon=None, delta=None, private_domain="none")
        self.assertEqual(vars(fit).keys(), before.keys())
        self.assertTrue(all(vars(fit)[name] is before[name] for name in before
                            if name.endswith("_")))
        self.assertEqual(fit.predict(x).tolist(), wanted.tolist())

    def test_a_column_alone_is_no_frame(self):
        x, y = numbers()
        self.assertFalse(is_frame(Stream(y)))
        domain = np.where(np.arange(len(y)) < 200, 1, -1)
        fit = AdaptedRegressor(**PUBLIC)
        wanted = fit.fit(x, y, np.ones(len(y)), sample_domain=domain).solution_.digest
        found = fit.fit(x, Stream(y), Stream(np.ones(len(y))), sample_domain=domain)
        self.assertEqual(found.solution_.digest, wanted)
        with self.assertRaises(ValueError):
            fit.fit(Stream(y), y)

    def test_labels_and_weights_have_one_value_for_each_row(self):
        x, y = numbers()
        private, source = AdaptedRegressor(**BUDGET), numbers(900, 0, 2)
        weighed = AdaptedRegressor(**BUDGET, row_weight_bound=1)
        public = AdaptedRegressor(**PUBLIC)
        fit = public.fit(x, y)
        half = y.reshape(2, -1)
        frame = pd.DataFrame(x, columns=["a", "b", "c"])
        of_frame = AdaptedRegressor(**PUBLIC).fit(frame, y)
        for shaped in (half, half.T, np.c_[y, y], y.reshape(1, -1)):
            for careless in (lambda: private.fit(x, shaped, source=source),
                             lambda: weighed.fit(x, y, shaped, source=source),
                             lambda: public.fit(x, y, abs(shaped)),
                             lambda: evaluate(fit, x, shaped, **PUBLIC),
                             lambda: evaluate(of_frame, frame, shaped, **PUBLIC),
                             lambda: evaluate(of_frame, frame, shaped, **BUDGET)):
                with self.assertRaisesRegex(errors.Error, "one value for each row|rows, but"):
                    careless()
        column, seeded = y.reshape(-1, 1), {**BUDGET, "unsafe_seed": 5}
        for shaped in (column, pd.DataFrame(column), column.tolist()):
            found = [AdaptedRegressor(**seeded).fit(rows, labels, source=(given, source[1]))
                     for rows, given in ((x, source[0]),
                                         (frame, pd.DataFrame(source[0], columns=[*"abc"])))
                     for labels in (y, shaped)]
            digests = [one.solution_.digest for one in found]
            self.assertEqual(digests[::2], digests[1::2])
            evaluate(of_frame, frame, shaped, **PUBLIC)

    def test_a_label_among_the_features_is_refused_before_payment(self):
        (x, y), ledger = numbers(), Ledger(**BUDGET)
        frame = pd.DataFrame(x, columns=[*"aby"])
        other = frame.rename(columns={"y": "c"})
        label, unnamed = pd.Series(y, name="y"), (frame, y)
        for source, target in (((frame, label), (frame, label)), (unnamed, (frame, label)),
                               (unnamed, (frame, label.to_frame())), ((frame, label), unnamed)):
            for settings in ({**BUDGET, "ledger": ledger}, PUBLIC):
                for call in (AdaptedRegressor.fit, AdaptedRegressor.plan):
                    with self.assertRaisesRegex(errors.Error, '"y" is given as feature and as'):
                        call(AdaptedRegressor(**settings), *target, source=source)
        with self.assertRaisesRegex(errors.Error, '"y" is given as feature and as label'):
            AdaptedRegressor(**BUDGET, ledger=ledger).fit(
                frame, label, sample_domain=np.where(np.arange(len(y)) < 200, 1, -1))
        self.assertEqual(ledger.report()["entries"], [])
        for rows, labels in ((other, label), (frame, y), (x, label)):
            AdaptedRegressor(**PUBLIC).fit(rows, labels)

    def test_names_are_refused_where_places_count(self):
        (x, y), ledger = numbers(), Ledger(**BUDGET)
        frame, numbered = pd.DataFrame(x, columns=[*"abc"]), pd.DataFrame(x)
        model = AdaptedRegressor(**PUBLIC).fit(x, y).solution_
        requests = []

        def answer(request):
            requests.append(request)
            return [passes.carry_out(request, [(x, y)])]

        whole = passes.Elsewhere(len(y), 3, answer)
        passes.fit((x, y), whole, **BUDGET)
        for careless in (lambda: model.predict(frame),
                         lambda: evaluate(model, frame, y, **BUDGET, ledger=ledger),
                         lambda: dpadapt.calibrate(model, frame, y, **BUDGET, ledger=ledger),
                         lambda: AdaptedRegressor(**BUDGET, ledger=ledger).fit(
                             x, y, source=(frame, y)),
                         lambda: passes.fit((frame, y), whole, **BUDGET, ledger=ledger),
                         lambda: passes.carry_out(requests[0], [(frame, y)])):
            with self.assertRaisesRegex(errors.UnsupportedError, "give an array"):
                careless()
        self.assertEqual(ledger.report()["entries"], [])
        self.assertEqual(model.predict(numbered).tolist(), model.predict(x).tolist())

    def test_a_source_is_a_pair(self):
        x, y = numbers()
        for source in (5, (x,), np.c_[x, y], "ab", pd.DataFrame(x)):
            with self.assertRaisesRegex(errors.Error, "source must be"):
                AdaptedRegressor(**BUDGET).fit(x, y, source=source)


class Arguments(PythonCase):
    def test_texts_are_not_cut(self):
        fit = AdaptedRegressor(**PUBLIC).fit(pd.DataFrame({"a": np.arange(9.0)}), np.arange(9.0))
        for careless in (lambda: fit.save(self.folder / "a\0b"),
                         lambda: Ledger(self.folder / "a\0b", **BUDGET),
                         lambda: Ledger(str(self.folder / "a\0b")),
                         lambda: fit.solution_.value("alpha\0b"),
                         lambda: dpadapt.plan(9, 9, 1, **BUDGET, loss="squared\0b"),
                         lambda: AdaptedRegressor(**PUBLIC).fit(
                             pd.DataFrame({"a\0b": np.arange(9.0)}), np.arange(9.0)),
                         lambda: AdaptedRegressor(**PUBLIC).fit(
                             pd.DataFrame({"a": ["x\0y", "x\0z", "x"] * 20}), np.arange(60.0)),
                         lambda: AdaptedRegressor(**PUBLIC).fit(
                             pd.DataFrame({"a": ["x\udc80", "x?", "x"] * 20}, dtype=object),
                             np.arange(60.0))):
            with self.assertRaises(errors.Error):
                careless()
        self.assertEqual(list(self.folder.iterdir()), [])
        odd = self.folder / "\udcff.json"  # bytes that are no UTF-8
        fit.save(odd)
        Model.load(odd)
        Ledger(self.folder / "\udcff", **BUDGET)

    def test_bytes_of_any_kind_are_read(self):
        model = AdaptedRegressor(**PUBLIC).fit(pd.DataFrame({"a": np.arange(9.0)}),
                                               np.arange(9.0)).solution_
        data, ledger = model.to_bytes(), Ledger(**BUDGET)
        for kind in (bytes, bytearray, memoryview):
            for before in (b"", b"\n  "):
                self.assertEqual(Model.from_bytes(kind(before + data)).schema.features, ["a"])
            self.assertEqual(Ledger.from_bytes(kind(ledger.to_bytes())).report(), ledger.report())

    def test_numbers_of_rows_are_whole(self):
        wanted = dpadapt.plan(2000, 500, 1, **BUDGET).report()
        for rows in (2e3, np.int32(2000), np.float64(2000)):
            self.assertEqual(dpadapt.plan(rows, 500, 1, **BUDGET).report(), wanted)
        for rows in (-1, 2.5, np.nan, np.inf, 2**64 + 1, "2000", None):
            with self.assertRaises(errors.Error):
                dpadapt.plan(rows, 500, 1, **BUDGET)
        with self.assertRaises(errors.Error):
            dpadapt.forecast(numbers(), -5, **BUDGET)

    def test_words_are_among_the_known_ones(self):
        x, y = numbers()
        fit = AdaptedRegressor(**PUBLIC).fit(x, y)
        for careless in (lambda: fit.solution_.weigh("nope", x, y),
                         lambda: fit.solution_.apply("nope", x),
                         lambda: AdaptedRegressor(private_domain=["none"]).fit(x, y),
                         lambda: AdaptedRegressor(private_domain="nope").fit(x, y),
                         lambda: evaluate(fit, x, y, private_domain=["none"]),
                         lambda: dpadapt.accountant.sampled_mu(1, 0.1, 5, "nope")):
            with self.assertRaisesRegex(errors.OptionError, "must be one of"):
                careless()
        for careless in (lambda: dpadapt.plan(9, 9, 1, epsilon=10**400),
                         lambda: dpadapt.plan(9, 9, 1, epsilon={}),
                         lambda: dpadapt.accountant.delta("x", 1),
                         lambda: fit.solution_.intervals("x")):
            with self.assertRaises(errors.Error):
                careless()

    def test_options_of_other_calls_are_refused(self):
        x, y = numbers()
        fit = AdaptedRegressor(**PUBLIC).fit(x, y)
        for careless, words in (
                (lambda: evaluate(fit, x, y, alpha=1, **BUDGET), "alpha is for .*private eval"),
                (lambda: dpadapt.calibrate(fit, x, y, ridge=3, **BUDGET), "ridge is for"),
                (lambda: dpadapt.release_votes([[0, 1]], classes=2, ridge=3, **BUDGET), "ridge"),
        ):
            with self.assertRaisesRegex(errors.OptionError, words):
                careless()

    def test_an_unknown_measure_is_a_key_error_with_the_known_ones(self):
        fit = AdaptedRegressor(**PUBLIC).fit(*numbers())
        with self.assertRaisesRegex(KeyError, "root_mean_squared_error"):
            evaluate(fit, *numbers(), **PUBLIC)["nope"]

    def test_the_help_names_numbers_that_there_are(self):
        found = dpadapt.forecast(numbers(), 500, **BUDGET)
        for name in dpadapt.plans.Plan.forecast_value.__doc__.split('"')[1::2]:
            try:
                found.forecast_value(0, name)
            except errors.OptionError as error:
                self.fail(error)
            except errors.Error:
                pass  # no number of rows is enough

    def test_public_columns_without_an_evident_text_are_refused_by_name(self):
        x, y = parted(people(60))
        for odd in (datetime.date(2020, 1, 2), pd.Timestamp("2020-01-02"), uuid.UUID(int=1), (1, 2),
                    {"a": 1}, b"a", 1j, pd.Period("2020-01")):
            for column in (pd.Series([odd] * 60, dtype=object), pd.Series([None, odd] * 30)):
                with self.assertRaisesRegex(errors.UnsupportedError, "column day"):
                    AdaptedClassifier(private_domain="none").fit(x.assign(day=column), y)
        bands = pd.cut(pd.Series(np.arange(60)), [-1, 20, 60])
        fit = AdaptedClassifier(private_domain="none").fit(x.assign(day=bands), y)
        self.assertIn("day=(-1, 20]", fit.solution_.schema.features)

    def test_public_cells_that_cannot_be_read_are_told(self):
        x, y = parted(people(60))
        odd = x.astype({"age": object})
        odd.loc[3:5, "age"] = "old"
        fit = AdaptedClassifier(private_domain="none")
        with self.assertWarnsRegex(UserWarning, 'age: 3 of 60 rows .* "old"'):
            fit.fit(odd, y, source=(x, y))
        with self.assertWarnsRegex(UserWarning, 'age: 3 of 60 rows .* "old"'):
            fit.predict(odd)
        with self.assertWarnsRegex(UserWarning, '5 of 60 rows .* "maybe"'):
            fit.fit(x, np.where(np.arange(60) < 5, "maybe", y), source=(x, y))
        with warnings.catch_warnings():  # private ones are not
            warnings.simplefilter("error")
            AdaptedClassifier(**BUDGET).fit(odd, y, source=(x, y))


if __name__ == "__main__":
    unittest.main()
