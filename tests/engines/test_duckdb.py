"""DuckDB: relations in any order and number of threads give the model of data frames in memory;
what is wrong is refused before anything is paid, and the program of the page runs."""

import os
import subprocess
import sys
import tempfile
import unittest

import duckdb
import pandas as pd

import case
from dpadapt import BudgetError, Ledger, Model, errors
from dpadapt.duckdb import fit

PUBLIC, PRIVATE = "FROM public;", "FROM private"


class DuckDB(unittest.TestCase):
    def setUp(self):
        self.public = pd.DataFrame(case.stays(3000, 0.05, 0))
        self.private = pd.DataFrame(case.stays(40000, 0.08, 3))
        self.db = duckdb.connect()
        for name, rows in (("public", self.public), ("private", self.private)):
            self.db.register("rows", rows)
            self.db.execute(f"CREATE TABLE {name} AS FROM rows")
        self.db.execute("UPDATE private SET days = NULL WHERE isnan(days)")
        self.db.execute("CREATE TABLE shuffled AS FROM private ORDER BY random()")

    def fit(self, source=PUBLIC, target=PRIVATE, **settings):
        return fit(self.db, source=source, target=target, label="days",
                   **{**case.OPTIONS, **settings})

    def test_relations_give_the_model_of_frames_in_memory(self):
        wanted = case.stays_in_memory(self.public, self.private).to_bytes()
        for threads, source, target in (
                (1, PUBLIC, PRIVATE), (2, self.db.table("public"), "FROM shuffled"),
                (2, self.public, "SELECT DATE '2020-01-01' AS unused, * FROM private")):
            self.db.execute(f"SET threads = {threads}")
            with self.subTest(threads=threads, target=target):
                self.assertEqual(self.fit(source, target).to_bytes(), wanted)

    def test_classes_are_those_of_the_public_texts(self):
        fate = "SELECT age, ward, CASE WHEN days > 4 THEN 'long' ELSE 'short' END AS days FROM "
        model = self.fit(fate + "public", fate + "private", loss="logistic")
        self.assertEqual((model.loss, model.classes.tolist()), ("logistic", ["long", "short"]))
        self.assertEqual(set(model.predict(self.public)), {"long", "short"})

    def test_the_model_is_a_file_with_a_report(self):
        model = self.fit(unsafe_seed=None)
        with tempfile.TemporaryDirectory() as folder:
            model.save(os.path.join(folder, "model.json"))
            self.assertEqual(Model.load(os.path.join(folder, "model.json")).digest, model.digest)
        self.assertEqual((model.protection, model.report()["budget"]["epsilon"]), ("guaranteed", 1))

    def test_what_is_wrong_costs_nothing(self):
        ledger = Ledger(epsilon=1, delta=1e-5)
        odd = "SELECT age, ward, {} AS days FROM private"
        for kind, words, settings in (
                (errors.UnsupportedError, '"days".*date', {"target": odd.format("current_date")}),
                (errors.UnsupportedError, '"days"', {"target": odd.format("[1]")}),
                (errors.Error, 'target is called "ward"',
                 {"target": "SELECT age, days FROM private"}),
                (errors.Error, '"Days": write "days"', {"features": ["age", "Days"]}),
                (errors.Error, '"WARD": write "ward"', {"features": ["WARD", "ward"]}),
                (errors.Error, 'target is called "age": write "AGE"',
                 {"target": "SELECT age AS AGE, ward, days FROM private"}),
                (errors.Error, '2 columns of the source are called "age"',
                 {"source": "SELECT age, days AS AGE, ward, days FROM public"}),
                (errors.Error, "at least 1", {"target": "FROM private WHERE age < 0"}),
                (errors.OptionError, "must be target", {"private_domain": "none"}),
                (errors.Error, "twice", {"features": ["age", "days"]}),
                (TypeError, "epsilon", {"epslion": 1})):
            with self.subTest(settings=settings), self.assertRaisesRegex(kind, words):
                self.fit(ledger=ledger, unsafe_seed=None, **settings)
        self.assertEqual(ledger.report()["entries"], [])

    def test_a_ledger_pays_and_the_caller_keeps_the_transaction(self):
        ledger = Ledger(epsilon=1, delta=1e-5)
        self.db.begin()
        self.fit(ledger=ledger, unsafe_seed=None)
        with self.assertRaises(BudgetError):
            self.fit(ledger=ledger, unsafe_seed=None, epsilon=2)
        self.db.commit()
        self.assertEqual(len(ledger.report()["entries"]), 1)

    def test_the_program_of_the_page(self):
        source, printed = case.program("python duckdb")
        result = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True,
                                env={**os.environ, "PYTHONPATH": str(case.PACKAGE)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, printed)


if __name__ == "__main__":
    unittest.main()
