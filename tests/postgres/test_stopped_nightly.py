"""A thousand fits that are cancelled or terminated, and a thousand that fail: the server stays,
backends do not grow, and ledgers hold."""

import re
import time
import unittest

import numpy as np
from cluster import Session
from custodian import Ledger, fit, memory, server, stop

STOPS = 500  # each by cancelling and by terminating
FAILURES = 1000


class Stopped(unittest.TestCase):
    def setUp(self):
        self.cluster = server(self.addCleanup)
        self.control = Session(self.cluster, "postgres")
        self.random = np.random.default_rng(7)
        self.addCleanup(self.check_server)

    def check_server(self):
        """One postmaster from begin to end, and no process of it was ended by a signal."""
        self.control.close()
        self.assertIsNone(self.cluster.server.poll())
        for words in ("terminated by signal", "PANIC", "abnormal"):
            self.assertNotIn(words, self.cluster.log.read_text())

    def test_a_thousand_stops(self):
        ledger = Ledger(self, self.cluster)
        session = Session(self.cluster, "analyst")
        times = []
        for _ in range(10):
            begin = time.monotonic()
            self.assertEqual(session.run(fit(ledger.table)), "t")
            times.append(time.monotonic() - begin)
            ledger.check(True)
        longest = 1.2 * np.median(times)

        for how, error in (("pg_cancel_backend", "canceling statement due to user request"),
                           ("pg_terminate_backend", "terminating connection")):
            counts = dict.fromkeys(("done", "stopped", "paid and stopped", "refused"), 0)
            first = None
            for number in range(STOPS):
                wait = self.random.uniform(0, longest)
                out, _ = stop(self.control, session, fit(ledger.table), how, wait)
                done = re.search("^t$", out, re.MULTILINE) is not None
                refused = "budget" in out
                self.assertTrue(done or refused or error in out, out)
                paid = ledger.check(done, self.control)
                self.assertFalse(paid and refused)
                counts["done" if done else "refused" if refused else
                       "paid and stopped" if paid else "stopped"] += 1
                if refused:
                    ledger.open()
                if how == "pg_terminate_backend":
                    session.close()
                    session = Session(self.cluster, "analyst")
                elif number == STOPS // 10:
                    first = memory(session)
            if first is not None:
                grown = memory(session) - first
                print(f"the cancelled backend grew by {grown:.1f} MB to {memory(session):.1f} MB")
                self.assertLess(grown, 4)
            print(how, *(f"{count} {what}," for what, count in counts.items()))
            self.assertGreater(counts["stopped"], 0)
            self.assertGreater(counts["paid and stopped"], STOPS / 10)
        ledger.open()
        self.assertEqual(session.run(fit(ledger.table)), "t")
        ledger.check(True)
        session.close()

    def test_a_thousand_failures(self):
        ledger = Ledger(self, self.cluster)
        self.cluster.sql("""
            CREATE TABLE secret AS TABLE source;
            CREATE TABLE empty AS SELECT * FROM source WHERE false;
            CREATE TABLE holes AS SELECT nullif(a, max(a) OVER ()) AS a, b, y FROM source;
            CREATE TABLE dates AS SELECT a, now()::date AS b, y FROM source;
            CREATE TABLE words AS SELECT a, 'ward ' || i % 3 AS b, 'word ' || i AS y
                FROM source, generate_series(1, 1) AS i;
            GRANT SELECT ON empty, holes, dates, words TO analyst;""")
        session = Session(self.cluster, "analyst")
        self.assertEqual(session.run(fit(ledger.table, name="taken")), "t")
        ledger.check(True)
        table = ledger.table
        ways = (
            ("no option", fit(table, "epsilonn=1")),
            ("(?i)budget", fit(table, "epsilon=100 delta=1e-6")),
            ("paper", fit(table, "epsilon=0.1 delta=1e-8 method=paper")),
            ("private_domain", fit(table, "epsilon=0.1 delta=1e-8 private_domain=none")),
            ("must be finite", fit(table, source="holes")),
            ("finite", f"SET dpadapt.source_memory = 1; {fit(table, source='holes')}"
             " RESET dpadapt.source_memory;"),
            ("not a number", fit(table, source="dates")),
            ("is no number", fit(table, source="words")),
            ("left as a feature", fit(table, source="words",
                                      options="epsilon=0.1 delta=1e-8 loss=softmax",
                                      features="{b}")),
            ("has no rows", fit(table, source="empty")),
            ('column "z"', fit(table, label="z")),
            ('model "taken" exists', fit(table, name="taken")),
            ("permission denied", fit(table, source="secret")),
            ("not protected", fit("source")),
            ("division by zero", f"BEGIN; SAVEPOINT s; {fit(table, 'epsilonn=1')} ROLLBACK TO s; "
             "SELECT 1 / 0; ROLLBACK;"),
        )
        first = None
        for number in range(FAILURES):
            text, script = ways[number % len(ways)]
            self.assertRegex(session.run(script), text)
            if number == FAILURES // 10:
                first = memory(session)
        self.assertFalse(ledger.check(False))
        grown = memory(session) - first
        print(f"the failing backend grew by {grown:.1f} MB to {memory(session):.1f} MB")
        self.assertLess(grown, 4)
        self.assertEqual(session.run(fit(table)), "t")
        ledger.check(True)
        session.close()


if __name__ == "__main__":
    unittest.main()
