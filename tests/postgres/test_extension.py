import json
import os
import re
import sys
import time
import unittest
from pathlib import Path

import numpy as np
from cluster import ROLES, Cluster, Failed, protected

SOURCE_DIR = Path(os.environ["DPADAPT_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE_DIR / "tests/reference"))
import dpadapt_ctypes as library  # noqa: E402

SETUP = ROLES + """
CREATE ROLE stranger LOGIN;
CREATE TABLE source (a float8, "B c" int, d numeric, y float8);
GRANT SELECT ON source TO analyst;
"""
COLUMNS = '(a float8, "B c" int, d numeric, y float8)'
PARALLEL = """
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = off;
"""
SERIAL = "SET max_parallel_workers_per_gather = 0;"
BUDGET = "epsilon=1 delta=1e-6"


def rows(count, shift, seed):
    """Features and labels as the server and the library read them; each kind of number."""
    generator = np.random.default_rng(seed)
    x = generator.normal(shift, 1, (count, 3))
    x[:, 1] = np.round(3 * x[:, 1])
    x[:, 2] = np.round(x[:, 2], 4)
    return x, x @ [2.0, -0.5, 1.0] + shift + generator.normal(0, 0.3, count)


def copy_of(table, x, y):
    lines = ["\t".join("\\N" if np.isnan(v) else
                       repr(int(v)) if j == 1 else repr(float(v)) for j, v in enumerate(row))
             for row in np.column_stack([x, y])]
    return f"COPY {table} FROM STDIN;\n" + "\n".join(lines) + "\n\\.\n"


def fit(name, target="patients", options=BUDGET, source="source", label="y",
        features="'{a,B c,d}'"):
    return (f"SELECT dpadapt.fit('{name}', '{source}', '{target}', '{label}', {features}, "
            f"'{options}');")


class Extension(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.source = rows(2000, 0.0, 1)
        cls.target = rows(3001, 0.5, 2)
        cls.target[0][5, 0] = np.nan
        cls.target[0][17] = np.nan
        cls.target[1][40] = np.nan
        cls.sql(SETUP + copy_of("source", *cls.source))

    @classmethod
    def sql(cls, script, role="postgres"):
        return cls.cluster.sql(script, role)

    def protect(self, table, epsilon=2, options="", more=""):
        """A fresh table of the custodian with the private rows."""
        self.sql(f"CREATE TABLE {table} {COLUMNS}; {copy_of(table, *self.target)}"
                 f"{protected(table, epsilon, options=options, more=more)}", "custodian")

    def budget(self, table):
        return json.loads(self.sql(f"SELECT dpadapt.budget('{table}');", "analyst"))

    def entries(self, table):
        return len(self.budget(table)["entries"])

    def refuse(self, text, script, role="analyst"):
        with self.assertRaisesRegex(Failed, text):
            self.sql(script, role)

    def test_bits_of_the_library_in_any_plan(self):
        self.protect("made_up", 20, "discrepancy_share=0.1", ", locked => false")
        for number, options in enumerate(({}, {"alpha": 0.5, "iterations": 6},
                                          {"loss": "huber"})):
            options |= {"epsilon": 1, "delta": 1e-6, "unsafe_seed": 7}
            text = " ".join(f"{name}={value}" for name, value in options.items())
            wanted = library.Predictor(self.source, self.target, private_domain="target",
                                       discrepancy_noise="laplace", **options)
            for plan, settings in (("serial", SERIAL), ("parallel", PARALLEL)):
                name = f"bits {plan} {number}"
                report = json.loads(self.sql(settings + fit(name, "made_up", text), "analyst"))
                self.assertEqual(report["coefficients"][0], list(wanted.vector("coefficients", 3)))
                self.assertEqual(report["intercepts"], list(wanted.vector("intercept", 1)))
                self.assertEqual(report["features"], ["a", "B c", "d"])
        again = json.loads(self.sql("SELECT dpadapt.report('bits parallel 2');", "analyst"))
        self.assertEqual(again, report)
        plan = self.sql(PARALLEL + "EXPLAIN SELECT dpadapt.pass('', ARRAY[a], y) FROM made_up;",
                        "custodian")
        self.assertIn("Partial Aggregate", plan)

        x = np.random.default_rng(3).normal(0, 2, (50, 3))
        values = ", ".join(f"({i}, ARRAY[{', '.join(map(repr, map(float, row)))}])"
                           for i, row in enumerate(x))
        got = self.sql("SELECT dpadapt.predict('bits serial 2', x) FROM (VALUES "
                       f"{values}) AS r (i, x) ORDER BY i;", "analyst")
        self.assertEqual([float(v) for v in got.split()], list(wanted.predict(x)))

    def test_what_is_rolled_back_is_paid(self):
        self.protect("rolled_back")
        self.assertEqual(self.entries("rolled_back"), 0)
        half = "epsilon=0.8 delta=1e-6"
        shown = self.sql(f"BEGIN; {fit('gone', 'rolled_back', half)} ROLLBACK;", "analyst")
        self.assertIn("coefficients", shown)
        self.refuse('model "gone" does not exist', "SELECT dpadapt.report('gone');")
        self.sql(f"BEGIN; SAVEPOINT s; {fit('gone', 'rolled_back', half)} ROLLBACK TO s; COMMIT;",
                 "analyst")
        self.assertEqual(self.entries("rolled_back"), 2)
        spent = self.budget("rolled_back")
        self.refuse("budget", fit("third", "rolled_back", "epsilon=1.9 delta=1e-6"))
        self.cluster.kill()
        self.cluster.start()
        self.assertEqual(self.budget("rolled_back"), spent)

    def test_a_failed_fit_costs_nothing_before_the_rows_are_read(self):
        self.protect("patients")
        self.sql(fit("taken"), "analyst")
        spent = self.budget("patients")
        for text, script in (
            ('relation "nobody" does not exist', fit("m", "nobody")),
            ('column "z" of relation "patients" does not exist', fit("m", features="'{a,z}'")),
            ('column "z" of relation "patients" does not exist', fit("m", label="z")),
            ('relation "source" is not protected', fit("m", "source")),
            ('"patients" is protected and cannot be a public source', fit("m", source="patients")),
            ("no option.*epsilonn|epsilonn.*option", fit("m", options="epsilonn=1")),
            ('option "alpha" has no value', fit("m", options=f"{BUDGET} alpha")),
            ("private_domain", fit("m", options=f"{BUDGET} private_domain=none")),
            ("unsafe_seed|seed", fit("m", options=f"{BUDGET} unsafe_seed=1")),
            ("paper", fit("m", options=f"{BUDGET} method=paper")),
            ('column "y" is given twice, or as feature', fit("m", features="'{a,y}'")),
            ('column "a" is given twice', fit("m", features="'{a,d,a}'")),
            ("read-only", "SET default_transaction_read_only = on;" + fit("m")),
            ("there are no features", fit("m", features="'{}'")),
            ("feature 2 must not be null", fit("m", features="'{a,NULL}'")),
            ("argument 5 must not be null", fit("m", features="NULL")),
            ('model "taken" exists', fit("taken")),
            ('model "m" does not exist', "SELECT dpadapt.predict('m', ARRAY[1, 2, 3]);"),
            ("has 3 features, not 2", "SELECT dpadapt.predict('taken', ARRAY[1, 2]);"),
        ):
            with self.subTest(script=script):
                self.refuse(text, script)
        self.refuse("protected already", "SELECT dpadapt.protect('patients', 9, 1e-6);",
                    "custodian")
        self.assertEqual(self.budget("patients"), spent)
        nothing = "SELECT dpadapt.predict('taken', ARRAY[1, NULL, 3]) IS NULL;"
        self.assertEqual(self.sql(nothing), "t")

    def test_what_an_analyst_can_and_cannot_do(self):
        self.protect("secret")
        self.sql(fit("allowed", "secret"), "analyst")
        self.refuse("permission denied for table secret", "SELECT * FROM secret;")
        self.sql(f"CREATE TABLE hidden {COLUMNS};")
        self.refuse("permission denied for table hidden", fit("m", "secret", source="hidden"))
        self.refuse("permission denied for aggregate pass",
                    "SELECT dpadapt.pass('', '{1}', 1) FROM source;")
        self.refuse("permission denied for function protect",
                    "SELECT dpadapt.protect('source', 1, 1e-6);")
        self.refuse("permission denied for table models",
                    "UPDATE dpadapt.models SET solution = '';")
        self.refuse("permission denied for schema dpadapt", fit("m", "secret"), "stranger")
        self.refuse("must be owner of table source", "SELECT dpadapt.protect('source', 1, 1e-6);",
                    "custodian")
        self.assertEqual(self.sql("DELETE FROM dpadapt.models RETURNING name;", "custodian"), "")
        self.assertIn("allowed", self.sql("DELETE FROM dpadapt.models WHERE name = 'allowed' "
                                          "RETURNING name;", "analyst"))

    def test_no_error_tells_a_private_value(self):
        self.protect("odd")
        self.sql("ALTER TABLE odd ADD word text; UPDATE odd SET word = 'hidden';"
                 "UPDATE odd SET d = '1e400' WHERE a > 1; UPDATE odd SET d = '1e-400' WHERE a < 0;"
                 "UPDATE odd SET d = 'NaN' WHERE a < -1;"
                 "UPDATE odd SET y = 'Infinity' WHERE a < -2;"
                 "CREATE VIEW risky AS SELECT 1 / a AS a, y FROM odd;", "custodian")
        self.sql(fit("of odd numbers", "odd"), "analyst")
        self.refuse('column "word" of relation "odd" is of type text, not a number',
                    "ALTER TABLE source ADD word float8;" + fit("m", "odd", features="'{word}'"),
                  "postgres")
        self.refuse('"risky" is not a table', "SELECT dpadapt.protect('risky', 1, 1e-6);",
                    "custodian")

    def test_no_code_of_an_analyst_sees_private_rows(self):
        self.protect("watched")
        self.sql("CREATE SCHEMA trap AUTHORIZATION analyst; GRANT USAGE ON SCHEMA trap TO PUBLIC;")
        trap = """
            CREATE FUNCTION trap.{name} AS $$BEGIN RAISE 'seen'; END$$ LANGUAGE plpgsql;
            GRANT EXECUTE ON FUNCTION trap.{name} TO PUBLIC;"""
        names = ("abs(numeric) RETURNS numeric", "round(numeric, int) RETURNS numeric",
                 "less(numeric, numeric) RETURNS boolean")
        self.sql("".join(trap.format(name=name).replace(f"ON FUNCTION trap.{name}",
                                                        f"ON FUNCTION trap.{name.split(' RET')[0]}")
                         for name in names) + """
            CREATE OPERATOR trap.< (FUNCTION = trap.less, LEFTARG = numeric, RIGHTARG = numeric);
            CREATE DOMAIN trap.float8 AS pg_catalog.float8 CHECK (trap.abs(VALUE::numeric) = 0);
            CREATE VIEW trap.source AS SELECT * FROM source WHERE y IS NOT NULL AND
                set_config('search_path', 'trap, pg_catalog', false) IS NOT NULL;""", "analyst")
        self.refuse("seen", "SET search_path = trap, pg_catalog; SELECT abs(1.0);", "custodian")
        self.sql(fit("watching", "watched", source="trap.source"), "analyst")

    def long_fit(self, name):
        return fit(name, "long", "epsilon=0.5 delta=1e-6 iterations=100000")

    def test_a_fit_can_be_stopped(self):
        self.protect("long", 50)
        for number, settings in enumerate((SERIAL, PARALLEL)):
            begin = time.monotonic()
            self.refuse("canceling statement due to statement timeout",
                        f"{settings} SET statement_timeout = 500; {self.long_fit('never')}")
            self.assertLess(time.monotonic() - begin, 30)
            self.assertEqual(self.entries("long"), number + 1)
        for wait in (0.2, 0.5, 1):
            session = self.cluster.psql("analyst")
            session.stdin.write(SERIAL + self.long_fit("never") + "\n")
            session.stdin.flush()
            running = "FROM pg_stat_activity WHERE query LIKE '%long%' AND usename = 'analyst'"
            while self.sql(f"SELECT count(*) {running};") != "1":
                time.sleep(0.05)
            time.sleep(wait)
            self.sql(f"SELECT pg_terminate_backend(pid) {running};")
            self.assertIn("terminating connection", session.communicate()[1])
        self.assertNotIn("terminated by signal", self.cluster.log.read_text())
        self.sql(fit("still here", "long"), "analyst")

    def test_a_fit_is_stopped_while_it_prepares_the_public_rows(self):
        """Many of them, and few private ones: passes take no time."""
        columns = [f"x{j}" for j in range(60)]
        features = "'{" + ",".join(columns) + "}'"
        numbers = ", ".join(f"sin(i * {j + 1.37}) AS {name}" for j, name in enumerate(columns))
        for table, count in (("wide_source", 60000), ("wide_target", 100)):
            self.sql(f"CREATE TABLE {table} AS SELECT {numbers}, sign(cos(i)) AS y "
                     f"FROM generate_series(1, {count}) AS i; GRANT SELECT ON wide_source TO "
                     f"analyst; ALTER TABLE {table} OWNER TO custodian;")
        self.sql(protected("wide_target", 100, 1e-3), "custodian")

        def time_of(name, timeout):
            """Milliseconds, and how it ended."""
            query = fit(name, "wide_target", f"{BUDGET} alpha=0.5 loss=logistic", "wide_source",
                        features=features)
            out = self.sql(f"""\\set ON_ERROR_STOP 0
                SELECT clock_timestamp() AS begun \\gset
                SET statement_timeout = {timeout};
                {query[:-1]} \\g /dev/null
                \\echo :SQLSTATE
                SET statement_timeout = 0;
                SELECT extract(epoch FROM clock_timestamp() - :'begun') * 1000;""", "analyst")
            state, time = out.split()
            return float(time), state

        whole, state = time_of("whole", 0)
        self.assertEqual(state, "00000")
        late = []
        for tenth in range(1, 10):
            timeout = int(whole * tenth / 10)
            time, state = time_of(f"stopped {tenth}", timeout)
            if state == "57014":
                late.append(time - timeout)
        print(f"a fit of {whole:.0f} ms, stopped {len(late)} times, after",
              " ".join(f"{ms:.0f}" for ms in late), "ms")
        self.assertGreater(len(late), 2)
        self.assertLess(sorted(late)[len(late) // 2], 200)  # others use the machine, too
        self.assertLess(max(late), 2000)

    def test_two_sessions_race_for_the_last_share(self):
        self.protect("contested", 1)
        options = "epsilon=0.7 delta=1e-6"
        sessions = [self.cluster.psql("analyst") for _ in range(2)]
        for number, session in enumerate(sessions):
            session.stdin.write(fit(f"racer {number}", "contested", options))
            session.stdin.flush()
        errors = sorted(session.communicate()[1] for session in sessions)
        self.assertEqual(errors[0], "")
        self.assertIn("budget", errors[1])
        self.assertEqual(self.entries("contested"), 1)

    def test_the_example_and_the_page(self):
        page = (SOURCE_DIR / "docs/embedding.md").read_text()
        blocks = re.findall(r"^```sql\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        example = (SOURCE_DIR / "examples/postgres/private_fit.sql").read_text()
        for database, script in (("page", "".join(blocks)), ("example", example)):
            # Roles belong to all databases, and the tests have these already.
            script = re.sub(r"^CREATE ROLE .*\n", "", script, flags=re.MULTILINE)
            with self.subTest(database):
                self.sql(f"CREATE DATABASE {database};")
                self.assertIn("coefficients", self.sql(f"\\c {database}\n{script}"))


if __name__ == "__main__":
    unittest.main()
