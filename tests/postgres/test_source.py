"""A public source that is larger than dpadapt.source_memory is read anew by each pass: the bits of
the library's own passes, and the results of rows in memory but for rounding; errors of a later
reading are PostgreSQL's."""

import json
import os
import sys
import time
import unittest
from pathlib import Path

import numpy as np
from cluster import Session, protected
from custodian import ROWS, fit, memory, server

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/engines")))
import case  # noqa: E402

ANEW = "SET dpadapt.source_memory = 1;"  # kB
BUDGET = "epsilon=1 delta=1e-6"
SEEDED = f"{BUDGET} unsafe_seed=3"


class Source(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = server(cls.addClassCleanup)
        cls.cluster.sql(f"""
            CREATE TABLE private AS {ROWS};
            {protected("private", 40, more=", locked => false")}""", "custodian")

    def setUp(self):
        self.analyst = Session(self.cluster, "analyst")

    def tearDown(self):
        self.analyst.close()

    def make(self, name, rows):
        self.cluster.sql(f"CREATE TABLE {name} AS {rows}; GRANT SELECT ON {name} TO analyst;")

    def entries(self):
        return len(json.loads(self.cluster.sql("SELECT dpadapt.budget('private');"))["entries"])

    def coefficients(self, name):
        report = json.loads(self.analyst.run(f"SELECT dpadapt.report('{name}');"))
        return [*report["coefficients"][0], *report["intercepts"]]

    def refuse(self, text, script):
        """Nothing is paid, and the session goes on."""
        before = self.entries()
        self.assertRegex(self.analyst.run(script), text)
        self.assertEqual(self.entries(), before)

    def test_the_results_of_rows_in_memory(self):
        for number, options in enumerate(("", " alpha=0.5 iterations=6", " loss=huber")):
            for name, settings in (("kept", "RESET dpadapt.source_memory;"), ("anew", ANEW)):
                self.assertEqual(
                    self.analyst.run(settings + fit("private", SEEDED + options,
                                                    name=f"{name} {number}")), "t")
            np.testing.assert_allclose(self.coefficients(f"anew {number}"),
                                       self.coefficients(f"kept {number}"), rtol=1e-6, atol=1e-6)

    def test_a_bad_row_is_told_by_number_only(self):
        self.make("holes", "SELECT nullif(a, max(a) OVER ()) AS a, b, y FROM source")
        self.refuse("source row [0-9]+: column 0", fit("private", BUDGET, "holes"))
        self.refuse("(?i)1 .*finite", ANEW + fit("private", BUDGET, "holes"))

    def test_the_bits_of_the_library_for_more_rows_than_it_keeps(self):
        count, target = 70000, 3000
        rows = ROWS.replace("3000", str(count)).replace("11", "13")
        self.make("large", rows)
        self.make("shuffled", "SELECT * FROM large ORDER BY sin(12345 * y)")
        for name in ("large", "shuffled"):
            script = f"{ANEW} {fit('private', SEEDED, name, name=name)}"
            self.assertEqual(self.analyst.run(script), "t")
        self.assertEqual(self.coefficients("shuffled"), self.coefficients("large"))

        def columns(table):
            text = self.cluster.sql(f"SELECT a, b, y FROM {table};")
            values = np.array([line.split("|") for line in text.splitlines()], dtype=float)
            return values[:, :2], values[:, 2]

        x, y = columns("large")
        private = columns("private")
        public = case.passes.Elsewhere(
            count, 2, lambda request: [case.passes.carry_out(request, [(x, y)])])
        wanted = case.model(lambda request: [case.passes.carry_out(request, [private])], target,
                            public, unsafe_seed=3)
        self.assertEqual(self.coefficients("large"),
                         [*wanted.array("coefficients")[0], *wanted.array("intercept")])
        self.refuse("alpha", ANEW + fit("private", f"{BUDGET} alpha=0.5", "large"))

    def test_what_fails_in_a_later_reading(self):
        """The rows are counted first, and asked for again when the library has them."""
        self.cluster.sql("""
            CREATE SEQUENCE readings; GRANT USAGE ON readings TO analyst;
            CREATE FUNCTION fails(a float8) RETURNS float8 LANGUAGE plpgsql AS
                $$BEGIN RETURN a / (2 - nextval('public.readings')); END$$;
            CREATE VIEW failing AS SELECT CASE WHEN row_number() OVER () = 1 THEN fails(a) ELSE a
                END AS a, b, y FROM source;
            CREATE VIEW slow AS SELECT CASE WHEN row_number() OVER () = 1 AND
                pg_sleep(0.5) IS NOT NULL THEN a ELSE a END AS a, b, y FROM source;
            GRANT SELECT ON failing, slow TO analyst;""")
        self.refuse("division by zero", ANEW + fit("private", BUDGET, "failing"))
        self.refuse("canceling statement due to statement timeout",
                    f"{ANEW} SET statement_timeout = 750; {fit('private', BUDGET, 'slow')}"
                    " SET statement_timeout = 0;")
        self.assertEqual(self.analyst.run(ANEW + fit("private", BUDGET)), "t")
        self.assertNotIn("terminated by signal", self.cluster.log.read_text())

    def test_a_fit_within_a_reading(self):
        """A view runs the analyst's own code, which may fit; both are paid."""
        self.cluster.sql(f"""
            CREATE SEQUENCE counted; GRANT USAGE ON counted TO analyst;
            CREATE FUNCTION fits(a float8) RETURNS float8 LANGUAGE plpgsql AS $$BEGIN
                IF nextval('public.counted') = 2 THEN
                    PERFORM dpadapt.fit('inner', 'public.source', 'public.private', 'y', '{{a,b}}',
                                        '{SEEDED}');
                END IF;
                RETURN a; END$$;
            CREATE VIEW nested AS SELECT CASE WHEN row_number() OVER () = 1 THEN fits(a) ELSE a
                END AS a, b, y FROM source;
            GRANT SELECT ON nested TO analyst;""")
        before = self.entries()
        script = ANEW + fit("private", SEEDED, "nested", name="outer")
        self.assertRegex(self.analyst.run(script),
                         r'\ANOTICE:  the catalogue cannot tell whose rows "nested" has\n'
                         r"DETAIL:  It reads public.fits\(double precision\).*\nHINT:.*\nt\Z")
        self.assertEqual(self.entries(), before + 2)
        self.assertEqual(self.coefficients("inner"), self.coefficients("outer"))

    def test_memory(self):
        rows = 2_000_000
        self.make("long", ROWS.replace("3000", str(rows)))
        peaks, seconds = [], []
        for settings in ("", "SET dpadapt.source_memory = '8MB';"):
            session = Session(self.cluster, "analyst")
            before = memory(session, "VmHWM")
            begin = time.monotonic()
            self.assertEqual(session.run(settings + fit("private", BUDGET, "long")), "t")
            seconds.append(time.monotonic() - begin)
            peaks.append(memory(session, "VmHWM") - before)
            session.close()
        size = rows * 3 * 8 / 2**20
        print(f"{size:.0f} MB of public rows: the backend's peak is {peaks[0]:.0f} MB more in "
              f"memory, {peaks[1]:.0f} MB more anew; {seconds[0]:.1f} s and {seconds[1]:.1f} s")
        self.assertLess(peaks[1], peaks[0] - size / 3)


if __name__ == "__main__":
    unittest.main()
