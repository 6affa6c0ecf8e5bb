"""What is done with models beside fitting them: a plan pays nothing and tells the price, an
evaluation pays and tells errors with intervals, predictions find columns by their names."""

import json
import unittest

from cluster import Failed, Session, protected
from custodian import BUDGET, ROWS, fit, server

PARALLEL = """
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = off;
"""
SEEDED = f"{BUDGET} unsafe_seed=5"


class Models(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = server(cls.addClassCleanup)
        cls.cluster.sql(f"""
            CREATE TABLE private AS {ROWS};
            CREATE TABLE held AS {ROWS.replace('5 * i', '13 * i')}
                UNION ALL VALUES (1, NULL::float8, 2);
            {protected("private", 10)}
            {protected("held", 10, more=", locked => false")}""", "custodian")
        for name, features, more in (("both", "{a,b}", ""), ("other", "{a,b}", " alpha=0.5"),
                                     ("turned", "{b,a}", "")):
            cls.cluster.sql(fit("private", "epsilon=2 delta=1e-7" + more, features=features,
                                name=name), "analyst")

    def setUp(self):
        self.analyst = Session(self.cluster, "analyst")
        self.addCleanup(self.analyst.close)

    def budget(self, table):
        return json.loads(self.cluster.sql(f"SELECT dpadapt.budget('{table}');"))

    def refuse(self, text, script, table="held"):
        """Nothing is paid, and the session goes on."""
        before = self.budget(table)
        self.assertRegex(self.analyst.run(script), text)
        self.assertEqual(self.budget(table), before)

    def evaluate(self, models="{both}", options=SEEDED, table="held", settings=""):
        return f"{settings} SELECT dpadapt.evaluate('{models}', '{table}', 'y', '{options}');"

    def test_a_plan_is_what_a_fit_pays(self):
        arguments = "'source', 'private', 'y', '{a,b}', "
        plan = f"SELECT dpadapt.plan({arguments}'{BUDGET} iterations=7');"
        before = self.budget("private")
        told = json.loads(self.analyst.run(plan))
        self.assertEqual(self.budget("private"), before)
        made = json.loads(self.analyst.run(
            f"SELECT dpadapt.fit('planned', {arguments}'{BUDGET} iterations=7');"))
        paid = [entry["release"] for entry in made["privacy"]["releases"]]
        for release in told["releases"]:  # a plan says two numbers more
            del release["dimension"], release["tau"]
        self.assertEqual(told["releases"], paid[-len(told["releases"]):])
        for text, script in (
            ("no option.*epsilonn|epsilonn.*option", plan.replace("epsilon=", "epsilonn=")),
            ('column "z" of relation "private" does not exist', plan.replace("a,b", "a,z")),
            ('relation "source" is not protected', plan.replace("'private'", "'source'")),
            ("is protected and cannot be a public source", plan.replace("'source'", "'held'")),
            ("argument 4 must not be null", plan.replace("'{a,b}'", "NULL")),
        ):
            with self.subTest(script):
                self.refuse(text, script, "private")
        with self.assertRaisesRegex(Failed, "permission denied for function plan"):
            self.cluster.sql(plan, "custodian")

    def test_intervals_that_are_paid_are_shown_and_what_the_private_rows_did(self):
        fitted = json.loads(self.analyst.run(fit("private", f"{BUDGET} inference=yes", name="shown")
                                             .replace(" IS NOT NULL AS fitted", "")))
        self.assertEqual(json.loads(self.analyst.run("SELECT dpadapt.report('shown');")), fitted)
        inference = fitted["inference"]
        self.assertEqual(inference["confidence"], 0.95)
        for low, middle, high in zip(inference["lower"], inference["estimate"], inference["upper"],
                                     strict=True):
            self.assertTrue(low < middle < high)
        self.assertEqual(len(inference["lower"]), 3)
        self.assertTrue(fitted["notes"])
        self.assertIn("private_rows_used", fitted["privacy"]["call"])
        plain = json.loads(self.analyst.run("SELECT dpadapt.report('both');"))
        self.assertNotIn("inference", plain)
        self.assertTrue(plain["notes"])

    def test_a_model_holds_its_own_entries_of_the_ledger(self):
        """However many there are: in bytes, and in those that the table stores, compressed."""
        tiny, sizes = "epsilon=0.05 delta=1e-9", []
        for name in ("early", "late"):
            self.cluster.sql(fit("private", tiny, features="{a}", name=name), "analyst")
            sizes.append([int(size) for size in self.cluster.sql(
                "SELECT length(solution), pg_column_size(solution) FROM dpadapt.models "
                f"WHERE name = '{name}';").split("|")])
            report = json.loads(self.cluster.sql(f"SELECT dpadapt.report('{name}');"))
            shared = report["privacy"]["shared_ledger"]
            self.assertEqual((len(shared["own_entries"]), "entries" in shared), (1, False))
            for _ in range(30):
                self.cluster.sql(fit("private", tiny), "analyst")
        print("bytes of a model, and stored, before and after 30 entries:", *sizes)
        self.assertLess(abs(sizes[1][0] - sizes[0][0]), 200)
        self.assertLess(sizes[1][0], 8192 + 2 * 100)

    def test_errors_of_models_are_paid_and_cover_the_truth(self):
        before = len(self.budget("held")["entries"])
        report = json.loads(self.analyst.run(self.evaluate("{both,other}")))
        again = json.loads(self.analyst.run(self.evaluate("{both,other}", settings=PARALLEL)))
        self.assertEqual(again["measures"], report["measures"])
        self.assertEqual((report["models"], report["rows"], report["protection"]),
                         (["both", "other"], 3001, "seeded"))
        entries = self.budget("held")["entries"]
        self.assertEqual(len(entries) - before, 2 * len(report["privacy"]["releases"]))
        truth = float(self.cluster.sql("SELECT avg((y - dpadapt.predict('both', h)) ^ 2) "
                                       "FROM held AS h;", "custodian"))
        self.assertEqual(report["measures"][0]["name"], "squared_error")
        self.assertLess(abs(report["measures"][0]["estimate"] / truth - 1), 0.5)
        names = {measure["name"] for measure in report["measures"]}
        self.assertIn("squared_error_difference", names)

    def test_an_evaluation_that_is_rolled_back_is_paid(self):
        before = len(self.budget("held")["entries"])
        self.analyst.run(f"BEGIN; {self.evaluate(options=BUDGET)} ROLLBACK;")
        self.assertGreater(len(self.budget("held")["entries"]), before)

    def test_evaluations_that_are_refused_cost_nothing(self):
        for text, script in (
            ('model "none" does not exist', self.evaluate("{none}")),
            ("there are no models", self.evaluate("{}")),
            ("the name of model 2 must not be null", self.evaluate("{both,NULL}")),
            ('models "both" and "turned" have different features', self.evaluate("{both,turned}")),
            ('relation "source" is not protected', self.evaluate(table="source")),
            ("budget", self.evaluate(options="epsilon=20 delta=1e-7")),
            ("private_domain", self.evaluate(options=f"{BUDGET} private_domain=none")),
            ("option \"alpha\" has no value", self.evaluate(options="alpha")),
        ):
            with self.subTest(script):
                self.refuse(text, script)
        self.refuse('column "a" is given twice, or as feature',
                    self.evaluate().replace("'y'", "'a'"))
        self.refuse("read-only", f"BEGIN READ ONLY; {self.evaluate()} ROLLBACK;")
        with self.assertRaisesRegex(Failed, "permission denied for function evaluate"):
            self.cluster.sql(self.evaluate(), "custodian")

    def test_rows_that_a_model_has_seen_are_told(self):
        out = self.analyst.run(self.evaluate(table="private", options=BUDGET))
        self.assertIn('WARNING:  model "both" was fitted to relation "private"', out)
        self.assertIn('"models": ["both"]', out)

    def test_predictions_by_names(self):
        one = self.analyst.run
        many = "SELECT {} FROM source AS s ORDER BY a, b LIMIT 20;"
        wanted = one(many.format("dpadapt.predict('both', ARRAY[a, b])"))
        self.assertEqual(len(wanted.split()), 20)
        self.assertEqual(one(many.format("dpadapt.predict('both', s)")), wanted)
        self.assertEqual(one("SELECT dpadapt.predict('both', r) FROM (SELECT 'text' AS t, b, y, a "
                             "FROM source ORDER BY a, b LIMIT 20) AS r;"), wanted)
        self.assertEqual(one(f"SELECT sum(dpadapt.predict('both', s))::numeric(20, 8) "
                             "FROM source AS s;"),
                         one(f"{PARALLEL} SELECT sum(dpadapt.predict('both', ARRAY[a, b]))"
                             "::numeric(20, 8) FROM source;"))

    def test_numbers_of_every_kind_are_read_by_names(self):
        wanted = self.analyst.run("SELECT dpadapt.predict('both', ARRAY[1, -2]);")
        for kinds in ("1::{0} AS a, -2::{0} AS b", "-2::{0} AS b, 1::{0} AS a"):
            for kind in ("int2", "int4", "int8", "float4", "float8", "numeric"):
                row = "SELECT " + kinds.format(kind)
                self.assertEqual(
                    self.analyst.run(f"SELECT dpadapt.predict('both', r) FROM ({row}) AS r;"),
                    wanted, kind)
        self.assertEqual(
            self.analyst.run("SELECT dpadapt.predict('both', r) FROM (SELECT true AS a, "
                             "-2 AS b) AS r;"), wanted)
        self.assertEqual(
            self.analyst.run("""CREATE TEMP TABLE odd (gone int, a numeric, b float8);
                ALTER TABLE odd DROP COLUMN gone;
                INSERT INTO odd VALUES (1, NULL), (1e400, -2), (NULL, -2), ('NaN', -2), (1, 'NaN'),
                                       (1, -2);
                SELECT coalesce(dpadapt.predict('both', o)::text, 'null') FROM odd AS o;"""),
            "null\n" * 5 + wanted)
        # Rows of two kinds at one place, one after the other.
        self.assertEqual(
            self.analyst.run("""CREATE TYPE pg_temp.of_int AS (a int, b int);
                CREATE TYPE pg_temp.of_double AS (b float8, c text, a float8);
                CREATE FUNCTION pg_temp.of(record) RETURNS float8 LANGUAGE plpgsql AS
                    $$BEGIN RETURN dpadapt.predict('both', $1); END$$;
                SELECT CASE WHEN i % 2 = 0
                            THEN pg_temp.of(ROW(1, -2)::pg_temp.of_int)
                            ELSE pg_temp.of(ROW(-2, 'c', 1)::pg_temp.of_double) END
                FROM generate_series(1, 6) AS i;"""), "\n".join([wanted] * 6))

    def test_the_name_of_a_deleted_model_stays_with_its_role(self):
        self.analyst.run(fit("private", BUDGET, name="mine"))
        gone = "DELETE FROM dpadapt.models WHERE name = 'mine';"
        self.analyst.run(gone)
        self.cluster.sql("""CREATE ROLE rival LOGIN; GRANT USAGE ON SCHEMA dpadapt TO rival;
            GRANT EXECUTE ON FUNCTION dpadapt.fit, dpadapt.calibrate TO rival;
            GRANT SELECT ON source TO rival;""")
        for script in (fit("private", BUDGET, name="mine"),
                       f"SELECT dpadapt.calibrate('mine', 'both', 'held', 'y', '{BUDGET}');"):
            with self.assertRaisesRegex(Failed, 'the name "mine" belongs to another role'):
                self.cluster.sql(script, "rival")
        self.assertEqual(self.analyst.run(fit("private", BUDGET, name="mine")), "t")
        self.analyst.run(gone)
        self.cluster.sql("ALTER ROLE analyst RENAME TO renamed;")
        self.addCleanup(self.cluster.sql, "ALTER ROLE renamed RENAME TO analyst;")
        self.assertEqual(self.cluster.sql(fit("private", BUDGET, name="mine"), "renamed"), "t")

    def test_a_model_belongs_to_the_role_and_not_to_its_name(self):
        self.analyst.run(fit("private", BUDGET, name="kept"))
        self.cluster.sql("""ALTER ROLE analyst RENAME TO maker; CREATE ROLE analyst LOGIN;
            GRANT USAGE ON SCHEMA dpadapt TO analyst;""")
        self.addCleanup(self.cluster.sql, "DROP OWNED BY analyst; DROP ROLE analyst;"
                        "ALTER ROLE maker RENAME TO analyst;")
        gone = "DELETE FROM dpadapt.models WHERE name = 'kept' RETURNING name;"
        self.assertEqual(self.cluster.sql(gone, "analyst"), "")
        self.assertEqual(self.cluster.sql(gone, "maker"), "kept")

    def test_rows_that_do_not_fit_are_refused(self):
        for text, row in (
            ('needs the column "b", which the row does not have', "1 AS a"),
            ('column "b" of the row is of type text, not a number', "1 AS a, 'x' AS b"),
        ):
            self.assertIn(text, self.analyst.run(
                f"SELECT dpadapt.predict('both', r) FROM (SELECT {row}) AS r;"))
        self.assertIn("HINT:  Give the alias of a table or subquery, whose columns have names.",
                      self.analyst.run("SELECT dpadapt.predict('both', ROW(1, 2));"))
        self.assertEqual(self.analyst.run("SELECT dpadapt.predict('both', NULL::record) IS NULL;"),
                         "t")


if __name__ == "__main__":
    unittest.main()
