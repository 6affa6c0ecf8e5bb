import copy
import os
import pickle
import signal
import threading
import time
import unittest
import unittest.mock
import warnings

from python_case import BUDGET, ROOT, PythonCase, numbers

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import dpadapt
from dpadapt import AdaptedClassifier, AdaptedRegressor, BudgetError, Ledger, Model, errors


def fit(**settings):
    return AdaptedRegressor(**settings).fit(*numbers(), source=numbers(900, 0, 2))


class Privacy(PythonCase):
    def test_a_private_fit_is_the_default_and_promises(self):
        made = fit(**BUDGET)
        promise = made.solution_
        self.assertEqual((promise.protection, promise.epsilon, promise.delta),
                         ("guaranteed", 1, 1e-5))
        self.assertEqual(made.report_["budget"]["epsilon"], 1)
        self.assertIn("private rows", made.findings_)
        codes = promise.finding_codes()
        self.assertEqual(len(codes), len(made.findings_.splitlines()))
        self.assertIn("note records_that_count", codes)

    def test_the_table_of_relations_is_rounded_up(self):
        text = (ROOT / "docs/privacy.md").read_text(encoding="utf-8")
        rows = [line.strip("| ").split("|") for line in text.splitlines()
                if line.startswith(("| epsilon | 0.25", "| promised with `"))]
        self.assertEqual(len(rows), 3)
        for row, factor in zip(rows[1:], (0.5, 2)):
            for stated, written in zip(rows[0][1:], row[1:]):
                price = dpadapt.accountant.mu(float(stated), 1e-5)
                exact = dpadapt.accountant.epsilon(1e-5, factor * price)
                last_digit = 10.0 ** -len(written.strip().partition(".")[2])
                self.assertGreaterEqual(float(written), exact)
                self.assertLess(float(written), exact + last_digit)

    def test_it_needs_a_budget_and_a_source(self):
        with self.assertRaisesRegex(errors.OptionError, "epsilon and delta"):
            fit()
        with self.assertRaisesRegex(errors.Error, "public source"):
            AdaptedRegressor(**BUDGET).fit(*numbers())

    def test_a_report_has_three_forms(self):
        made = fit(**BUDGET).solution_
        self.assertTrue(made.report_text("html").startswith("<!DOCTYPE html>"))
        self.assertTrue(made.report_text("json").startswith("{"))
        self.assertTrue(made.report_text().startswith("PRIVATE"))
        with self.assertRaises(KeyError):
            made.report_text("pdf")

    def test_steps_that_had_not_arrived_are_told(self):
        def sample(seed, level):
            random = np.random.default_rng(seed)
            x = random.normal(size=(5000, 3))
            return x, random.random(5000) < 1 / (1 + np.exp(-x.sum(axis=1) - level))

        for level, code, termination in ((-5, ["warning not_converged"], "not converged"),
                                         (0, [], "steps")):
            made = AdaptedClassifier(epsilon=20, delta=1e-6, unsafe_seed=2)
            made.fit(*sample(1, level), source=sample(2, 0))
            model = Model.from_bytes(made.solution_.to_bytes())
            self.assertEqual(model.termination, termination)
            found = [line for line in model.finding_codes() if "not_converged" in line]
            self.assertEqual(found, code)
            for text in (model.findings(), made.findings_, model.report_text("html")):
                self.assertEqual("(not converged, as released): more iterations" in text,
                                 bool(code))

    def test_steps_that_have_all_but_arrived_are_not_told(self):
        """They still move by more than noise explains, but not by what matters."""
        def sample(seed, slope):
            random = np.random.default_rng(seed)
            x = random.normal(size=(20000, 10))
            return x, random.random(20000) < 1 / (1 + np.exp(-slope * x.sum(axis=1)))

        for steps, termination in ((8, "not converged"), (20, "steps")):
            made = AdaptedClassifier(epsilon=50, delta=1e-6, unsafe_seed=2, iterations=steps)
            made.fit(*sample(1, -1.2), source=sample(2, 0.6))
            self.assertEqual(made.solution_.termination, termination)

    def test_a_plan_has_the_price_of_the_fit(self):
        made = AdaptedRegressor(**BUDGET).plan(*numbers(), source=numbers(900, 0, 2))
        self.assertLessEqual(made.epsilon(1e-5), 1)
        sizes = dpadapt.plan(900, 400, 3, **BUDGET)
        self.assertEqual(sizes.value("noise_multiplier"), made.value("noise_multiplier"))

    def test_a_ledger_refuses_what_it_cannot_pay(self):
        path = self.folder / "budget"
        Ledger(path, **BUDGET)
        fit(epsilon=0.6, delta=1e-5, ledger=path)
        with self.assertRaises(BudgetError) as caught:
            fit(epsilon=0.9, delta=1e-5, ledger=Ledger(path))
        self.assertEqual(caught.exception.status, "DPA_E_BUDGET")
        report = Ledger(path).report()
        self.assertEqual(len(report["entries"]), 1)
        self.assertTrue(Ledger(path).contains(report["head"]))

    def test_an_old_ledger_stays_what_it_was_made_as(self):
        opened, locked = self.folder / "open", self.folder / "locked"
        Ledger(opened, **BUDGET)
        Ledger(locked, **BUDGET, lock=True, unit="person")
        for path, given, words in (
                (opened, {"lock": True}, "lock is for a new ledger: .* has lock = False"),
                (locked, {"lock": False}, "this file has lock = True"),
                (opened, {"unit": "person"}, "unit is for a new ledger: .* unit = record"),
                (locked, {"neighbours": "zero_out"}, "has neighbours = replace"),
                (opened, {"private_domain": "source"}, "an old one does not tell it"),
                (locked, {"private_domain": "source"}, "has private_domain = target"),
                (locked, {"selection_epsilon": 1}, "an old one does not tell it")):
            with self.subTest(given=given), self.assertRaisesRegex(errors.Error, words):
                Ledger(path, **given)
        Ledger(opened, lock=False, unit="record", neighbours="replace", private_domain="target")
        self.assertTrue(Ledger(locked, lock=True, unit="person").report()["locks"])

    def test_a_ledger_that_locks_refuses_what_protects_nobody(self):
        careless = {"unsafe_seed": 3}, {"private_domain": "source"}, {"neighbours": "zero_out"}
        ledger = Ledger(epsilon=4, delta=1e-4, lock=True)
        for settings in (*careless, {"private_domain": "none"}):
            with self.subTest(settings=settings), self.assertRaisesRegex(
                    errors.Error, "locked|would treat private|neighbours|is for private records"):
                fit(**BUDGET, **settings, ledger=ledger)
        self.assertEqual(ledger.report()["entries"], [])
        self.assertEqual(fit(**BUDGET, ledger=ledger).solution_.protection, "guaranteed")
        opened = Ledger(epsilon=4, delta=1e-4)
        for settings in careless[:2]:
            fit(**BUDGET, **settings, ledger=opened)

    def test_copies_of_a_ledger_pay_from_one_budget(self):
        ledger = Ledger(**BUDGET)
        self.assertIs(copy.deepcopy(ledger), ledger)
        with self.assertRaises(TypeError):
            pickle.dumps(ledger)
        path = self.folder / "budget"
        again = pickle.loads(pickle.dumps(Ledger(path, **BUDGET)))
        self.assertEqual(again.to_bytes(), path.read_bytes())

    def test_a_search_on_private_rows_needs_a_ledger(self):
        estimator = AdaptedRegressor(**BUDGET)
        for search in (lambda: GridSearchCV(estimator, {"alpha": ["auto"]}, error_score="raise")
                       .fit(*numbers(), source=numbers(900, 0, 2)),):
            with self.assertRaisesRegex(errors.StateError, "each fit pays"):
                search()
        self.assertFalse(hasattr(estimator, "solution_"))
        ledger = Ledger(epsilon=4, delta=1e-5)
        paid = AdaptedRegressor(epsilon=1, delta=1e-5, ledger=ledger)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            GridSearchCV(paid, {"alpha": ["auto"]}, cv=2, error_score="raise") \
                .fit(*numbers(), source=numbers(900, 0, 2))
        self.assertTrue(any(one.category is dpadapt.PrivacyWarning for one in told))
        self.assertEqual(len(ledger.report()["entries"]), 3)

    def test_a_pipeline_is_for_public_rows(self):
        for line in (make_pipeline(StandardScaler(), AdaptedRegressor(**BUDGET)),
                     TransformedTargetRegressor(AdaptedRegressor(**BUDGET))):
            with self.assertRaisesRegex(errors.StateError, "without protection"):
                line.fit(*numbers(), **({} if hasattr(line, "regressor") else
                                        {"adaptedregressor__source": numbers(900, 0, 2)}))

    def test_persons_are_protected(self):
        x, y = numbers()
        persons = np.array([f"P{row // 4}" for row in range(len(x))], object)
        made = AdaptedRegressor(**BUDGET).fit(x, y, source=numbers(900, 0, 2), groups=persons)
        self.assertEqual(made.report_["unit"], "person")
        self.assertEqual(made.solution_.target_rows, 100)

    def test_no_private_value_is_an_error(self):
        x, y = numbers()
        broken = x.astype(object)
        broken[3, 0], broken[4, 1], broken[5, 2] = "text", None, 1j
        labels = y.astype(object)
        labels[7] = "no label"
        nulls = x.copy()
        nulls[[3, 4, 5], [0, 1, 2]] = np.nan
        y = y.copy()
        y[7] = np.nan
        settings = {**BUDGET, "unsafe_seed": 5}
        one = AdaptedRegressor(**settings).fit(broken, labels, source=numbers(900, 0, 2))
        two = AdaptedRegressor(**settings).fit(nulls, y, source=numbers(900, 0, 2))
        self.assertEqual(one.solution_.digest, two.solution_.digest)

    def test_a_private_list_has_no_common_type(self):
        x, y = numbers(300)
        truths = [[bool(row[0] > 0), *row[1:]] for row in x.tolist()]
        mixed = [list(row) for row in truths]
        mixed[3][1] = "text"
        numeric = np.array(truths, float)
        numeric[3, 1] = np.nan
        settings = {**BUDGET, "unsafe_seed": 5}
        source = numbers(900, 0, 2)
        one = AdaptedRegressor(**settings).fit(mixed, y.tolist(), source=source)
        two = AdaptedRegressor(**settings).fit(numeric, y, source=source)
        self.assertEqual(one.solution_.digest, two.solution_.digest)

    def test_public_labels_decide_the_classes(self):
        x, y = numbers()
        target = np.where(y > 0, "yes", "no").astype(object)
        target[0] = "maybe"
        xs, ys = numbers(900, 0, 2)
        made = AdaptedClassifier(**BUDGET).fit(x, target,
                                               source=(xs, np.where(ys > 0, "yes", "no")))
        self.assertEqual(made.classes_.tolist(), ["no", "yes"])

    def test_an_interrupt_stops_a_fit(self):
        (x, y), (xs, ys) = numbers(4000), numbers(40000, 0, 2)
        slow = AdaptedRegressor(private_domain="none", baseline="kmm")

        def interrupt():
            while not any(thread.name == "dpadapt" for thread in threading.enumerate()):
                time.sleep(0.001)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            slow.fit(x, y, source=(xs + 1, ys))
        self.assertLess(time.monotonic() - begin, 60)
        self.assertFalse(hasattr(slow, "solution_"))

    def test_an_interrupt_while_the_thread_starts_leaves_none_behind(self):
        """The interpreter would end, and BLAS with it, under its computation."""
        class Interrupted(threading.Thread):
            begins = True

            def start(self):
                if self.begins:
                    super().start()
                raise KeyboardInterrupt

        (x, y), (xs, ys) = numbers(4000), numbers(40000, 0, 2)
        for Interrupted.begins in (True, False):
            slow = AdaptedRegressor(private_domain="none", baseline="kmm")
            with unittest.mock.patch("threading.Thread", Interrupted):
                with self.assertRaises(KeyboardInterrupt):
                    slow.fit(x, y, source=(xs + 1, ys))
            for thread in threading.enumerate():
                if thread.name == "dpadapt":
                    thread.join(1)  # has nothing left to do
                    self.assertFalse(thread.is_alive())


if __name__ == "__main__":
    unittest.main()
