"""dpa_fit: one statement from two relations to a model and its report."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from extension import connect

ROWS = """CREATE TABLE {name} AS
    SELECT 20 + i * 7 % 60 AS age, (['A', 'B', 'C'])[1 + i % 3] AS ward, (i % 5 = 0)::INT AS urgent,
           {slope} * age + i % 3 + (i % 17 - 8) / 8 AS days
    FROM range({rows}) AS t(i)"""
COLUMNS = "{'age': age, 'ward': ward, 'urgent': urgent, 'days': days}"
BOTH = "(SELECT false AS private, * FROM elsewhere UNION ALL SELECT true, * FROM patients)"
OPTIONS = "{'epsilon': 1, 'delta': 1e-6, 'unsafe_seed': 7}"


def statement(options=OPTIONS, columns=COLUMNS, label="'days'", rows=BOTH, group=""):
    return (f"SELECT unnest(dpa_fit(private, {columns}, {label}, {options})) "
            f"FROM {rows} {group}")


class Fit(unittest.TestCase):
    def setUp(self):
        self.db = connect(threads=4)
        self.db.execute(ROWS.format(name="elsewhere", slope=0.05, rows=20000))
        self.db.execute(ROWS.format(name="patients", slope=0.08, rows=5000))

    def refused(self, words, *arguments, **options):
        with self.assertRaisesRegex(Exception, words):
            self.db.execute(statement(*arguments, **options)).fetchall()

    def test_the_command_finds_the_same(self):
        model, report, findings = self.db.execute(statement()).fetchone()
        self.assertIn("The private rows were used", findings)
        self.assertIn("epsilon", report)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for table in ("elsewhere", "patients"):
                self.db.execute(f"COPY {table} TO '{folder / table}.csv' (HEADER)")
            (folder / "model.json").write_bytes(model)
            rows = folder / "patients.csv"
            subprocess.run(
                [os.environ["DPADAPT_CLI"], "fit", "--source", folder / "elsewhere.csv",
                 "--target", rows, "--label", "days", "--epsilon", "1", "--delta", "1e-6",
                 "--set", "unsafe_seed=7", "--output", folder / "same.json"],
                check=True, capture_output=True)
            predicted = [
                [float(line) for line in subprocess.run(
                    [os.environ["DPADAPT_CLI"], "predict", "--model", folder / file, "--data",
                     rows], check=True, capture_output=True, text=True).stdout.split()[1:]]
                for file in ("model.json", "same.json")]
        self.assertEqual(len(predicted[0]), 5000)
        for one, other in zip(*predicted):
            self.assertAlmostEqual(one, other, delta=1e-6)
        here = self.db.execute("SELECT dpa_predict($1, p) FROM patients AS p", [model]).fetchall()
        self.assertAlmostEqual(here[0][0], predicted[0][0], delta=1e-9)

    def test_classes_by_their_words(self):
        both = BOTH.replace("*", "*, if(days > 4, 'long', 'short') AS stay", 2)
        columns = COLUMNS.replace("'days': days", "'stay': stay")
        model, _, findings = self.db.execute(
            statement(OPTIONS.replace("}", ", 'loss': 'logistic'}"), columns, "'stay'",
                      both)).fetchone()
        self.assertRegex(findings, "long or short")
        shares = self.db.execute(
            "SELECT avg(((dpa_predict($1, p) < 0) = (days > 4))::INT) FROM patients AS p",
            [model]).fetchone()
        self.assertGreater(shares[0], 0.8)

    def test_each_group_is_a_fit(self):
        without = COLUMNS.replace("'ward': ward, ", "")
        fits = self.db.execute(statement(columns=without, group="GROUP BY ward")).fetchall()
        self.assertEqual(len(fits), 3)
        nothing = self.db.execute(statement(rows=BOTH + " WHERE false")).fetchall()
        self.assertEqual(nothing, [(None, None, None)])

    def test_a_ledger_pays_until_it_is_empty(self):
        with tempfile.TemporaryDirectory() as folder:
            ledger = os.path.join(folder, "ledger")
            subprocess.run([os.environ["DPADAPT_CLI"], "ledger", "init", ledger, "--epsilon", "1.2",
                            "--delta", "1e-6"], check=True, capture_output=True)
            options = OPTIONS.replace("}", f", 'ledger': '{ledger}'}}").replace(
                ", 'unsafe_seed': 7", "")
            report = self.db.execute(statement(options)).fetchone()[1]
            self.assertIn("Others share this budget", report)
            self.refused("budget", options)
            self.refused("absent", options.replace(ledger, ledger + "/absent"))

    def test_refusals(self):
        self.refused('no option "epsilom"', "{'epsilom': 1}")
        self.refused("options must be a struct", "'epsilon=1'")
        self.refused("an option must not be NULL", "{'epsilon': NULL, 'delta': 1e-6}")
        self.refused("delta", "{'epsilon': 1}")
        self.refused("no column", label="'stay'")
        self.refused("name of the label must not be NULL", label="NULL")
        self.refused("the struct needs names", columns="row(age, days)")
        self.refused("features must be a struct", columns="age")
        self.refused("is of type DATE|is no number, but of type DATE",
                     columns="{'age': age, 'day': DATE '2026-01-01', 'days': days}")
        self.refused("private must not be NULL", rows=BOTH.replace("true,", "NULL::BOOLEAN,"))
        self.refused("row", rows="(SELECT true AS private, * FROM patients)")


if __name__ == "__main__":
    unittest.main()
