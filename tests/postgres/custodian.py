"""A server with public and private rows, and a watched ledger: after each fit, however it ended,
the spent budget has grown by the fit's price or not at all, and is within the cap."""

import itertools
import json
import time

from cluster import ROLES, Cluster, Failed, protected

SETUP = ROLES + """
CREATE TABLE source AS SELECT sin(i) AS a, cos(3 * i) AS b, sin(i) + sin(7 * i) AS y
    FROM generate_series(1, 2000) AS i;
GRANT SELECT ON source TO analyst;
"""
ROWS = """SELECT sin(i) AS a, cos(5 * i) AS b, sin(i) + sin(11 * i) AS y
    FROM generate_series(1, 3000) AS i"""
BUDGET = "epsilon=0.1 delta=1e-8"
CAP = 1  # about a hundred fits
NAMES = map("fit {}".format, itertools.count())


def fit(target, options=BUDGET, source="source", label="y", features="{a,b}", name=None):
    """A statement, under a new name where none is given."""
    return (f"SELECT dpadapt.fit('{name or next(NAMES)}', '{source}', '{target}', '{label}', "
            f"'{features}', '{options}') IS NOT NULL AS fitted;")


def server(add_cleanup):
    cluster = Cluster()
    add_cleanup(cluster.stop)
    cluster.sql(SETUP)
    return cluster


def memory(session, kind="RssAnon"):
    """MB of its backend; by default those that are its own."""
    with open(f"/proc/{session.pid}/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return int(lines[kind].split()[0]) / 1024


def stop(control, session, script, how, wait):
    """What the session printed, and seconds from the request to the end."""
    session.begin(script)
    time.sleep(wait)
    begin = time.monotonic()
    control.run(f"SELECT {how}({session.pid});")
    try:
        out = session.end()
    except Failed as failed:  # the session is over
        out = str(failed)
    return out, time.monotonic() - begin


class Ledger:
    """That of a table, and of a new one when its budget is spent."""

    def __init__(self, test, cluster):
        self.test, self.cluster = test, cluster
        self.number = 0
        self.price = None
        self.open()

    def open(self):
        self.number += 1
        self.table = f"private_{self.number}"
        self.cluster.sql(f"CREATE TABLE {self.table} AS {ROWS};"
                         f"{protected(self.table, CAP)}", "custodian")
        self.spent = self.read()

    def read(self, session=None):
        run = session.run if session else self.cluster.sql
        budget = json.loads(run(f"SELECT dpadapt.budget('{self.table}');"))
        unit = "mu_square_units_of_2^-80"
        self.left = int(budget["left"][unit])
        self.test.assertGreaterEqual(self.left, 0)
        self.test.assertEqual(int(budget["spent"][unit]) + self.left,
                              int(budget["budget"]["cap"][unit]))
        return int(budget["spent"][unit])

    def is_short(self):
        """Of the price of two fits."""
        return self.left < 2 * self.price

    def check(self, done, session=None):
        """After a fit that was paid if it was done. Returns whether it was paid."""
        spent = self.read(session)
        more = spent - self.spent
        self.test.assertGreaterEqual(more, 0)
        if done and self.price is None:
            self.test.assertGreater(more, 0)
            self.price = more
        self.test.assertIn(more, [self.price] if done else [0, self.price])
        self.spent = spent
        return more > 0
