"""A calibration in the server: it is paid, and its intervals and sets are those of the command,
which reads the model."""

import csv
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

from cluster import ROLES, Cluster, Failed, protected

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests", "engines")))
from calibrated import Calibrated  # noqa: E402

PUBLIC = """SELECT i % 50 AS age, 'w' || i % 3 AS ward,
    i % 50 + 3 * (i % 3) + 5 * sin({0} * i) AS days,
    CASE WHEN i % 50 + 30 * sin({0} * i) > 25 THEN 'yes' ELSE 'no' END AS back
    FROM generate_series(1, {1}) AS i"""
BUDGET = "epsilon=1 delta=1e-7"


class Calibrate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.sql(f"""{ROLES}
            CREATE TABLE source AS {PUBLIC.format(7, 2000)}; GRANT SELECT ON source TO analyst;""")
        for table, seed in (("private", 11), ("later", 13)):
            cls.cluster.sql(f"CREATE TABLE {table} AS {PUBLIC.format(seed, 3000)};"
                            f"{protected(table, 20)}", "custodian")
        cls.cluster.sql("ALTER TABLE later RENAME days TO stay;", "custodian")
        for name, label, options in (("days", "days", ""), ("back", "back", " loss=logistic")):
            cls.sql(f"SELECT dpadapt.fit('{name}', 'source', 'private', '{label}', '{{age,ward}}', "
                    f"'{BUDGET}{options}');")

    @classmethod
    def sql(cls, script, role="analyst"):
        return cls.cluster.sql(script, role)

    def entries(self):
        return json.loads(self.sql("SELECT dpadapt.budget('later') -> 'entries';"))

    @staticmethod
    def calibrate(name, model, label, options=BUDGET, target="later"):
        return f"SELECT dpadapt.calibrate('{name}', '{model}', '{target}', '{label}', '{options}');"

    def command(self, model, columns):
        """The command reads the model and rows of the server."""
        saved = self.sql(f"SELECT convert_from(solution, 'UTF8') FROM dpadapt.models "
                         f"WHERE name = '{model}';")
        with tempfile.TemporaryDirectory() as folder:
            path, data = Path(folder, "model.json"), Path(folder, "rows.csv")
            path.write_text(saved)
            data.write_text(self.sql("COPY source TO STDOUT (FORMAT csv, HEADER);") + "\n")
            out = Calibrated.run("predict", "--model", path, "--data", data, "--interval", 0.9)
        rows_ = list(csv.DictReader(out.splitlines()))
        return [tuple(row[column] for column in columns) for row in rows_]

    def test_intervals_are_paid_and_cover_and_are_those_of_the_command(self):
        before = self.entries()
        report = json.loads(self.sql(self.calibrate("sure", "days", "stay")))
        paid = self.entries()[len(before):]
        self.assertIn("for prediction intervals", json.dumps(paid))
        self.assertIn("An interval of level L holds the label", report["intervals"])
        self.assertEqual(json.loads(self.sql("SELECT dpadapt.report('sure');")), report)
        inside = self.sql("SELECT avg((stay BETWEEN lower AND upper)::int) FROM later AS l, "
                          "dpadapt.predict_interval('sure', l, 0.9);", "custodian")
        self.assertTrue(0.9 <= float(inside) < 0.99, inside)
        got = self.sql("SELECT lower, upper FROM source AS s, "
                       "dpadapt.predict_interval('sure', s, 0.9);").splitlines()
        for line, wanted in zip(got, self.command("sure", ("lower", "upper")), strict=True):
            for one, other in zip(line.split("|"), wanted):
                self.assertAlmostEqual(float(one), float(other), delta=1e-9)
        self.assertEqual(self.sql("SELECT dpadapt.predict('days', s) FROM source AS s LIMIT 9;"),
                         self.sql("SELECT dpadapt.predict('sure', s) FROM source AS s LIMIT 9;"))

    def test_sets_of_classes(self):
        self.sql(self.calibrate("sets", "back", "back"))
        got = [json.loads(line) for line in self.sql(
            "SELECT to_json(dpadapt.predict_set('sets', s, 0.9)) FROM source AS s;").splitlines()]
        wanted = self.command("sets", ("set_no", "set_yes"))
        self.assertEqual([tuple(str(int(label in one)) for label in ("no", "yes")) for one in got],
                         wanted)
        self.assertEqual(set(map(len, got)), {1, 2})

    def test_refusals_cost_nothing_and_a_rollback_is_paid(self):
        before = len(self.entries())
        for words, call in (
            ('model "back" exists', self.calibrate("back", "days", "stay")),
            ('model "none" does not exist', self.calibrate("new", "none", "stay")),
            ('column "z" of relation "later" does not exist', self.calibrate("new", "days", "z")),
            ('relation "source" is not protected',
             self.calibrate("new", "days", "days", target="source")),
            ("budget", self.calibrate("new", "days", "stay", "epsilon=50 delta=1e-7")),
            ("private_domain", self.calibrate("new", "days", "stay",
                                              f"{BUDGET} private_domain=none")),
            ("argument 2 must not be null", self.calibrate("new", "days", "stay").replace(
                "'days'", "NULL")),
            ("read-only", f"BEGIN READ ONLY; {self.calibrate('new', 'days', 'stay')}"),
        ):
            with self.subTest(call=call), self.assertRaisesRegex(Failed, words):
                self.sql(call)
        with self.assertRaisesRegex(Failed, "permission denied for function calibrate"):
            self.sql(self.calibrate("new", "days", "stay"), "custodian")
        self.assertEqual(len(self.entries()), before)
        self.sql(f"BEGIN; {self.calibrate('new', 'days', 'stay')} ROLLBACK;")
        self.assertGreater(len(self.entries()), before)
        self.assertEqual(self.sql("SELECT count(*) FROM dpadapt.models WHERE name = 'new';"), "0")


if __name__ == "__main__":
    unittest.main()
