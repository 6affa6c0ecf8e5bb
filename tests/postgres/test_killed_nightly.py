"""kill -9 of the backend, of the postmaster or of both in the middle of fits: after recovery the
ledger has all that was spent, and later fits work."""

import os
import signal
import time
import unittest

import numpy as np
from cluster import Failed, Session
from custodian import Ledger, fit, server

KILLS = 25  # of each kind


class Killed(unittest.TestCase):
    def setUp(self):
        self.cluster = server(self.addCleanup)
        self.ledger = Ledger(self, self.cluster)
        self.random = np.random.default_rng(11)
        self.counts = dict.fromkeys(("done", "killed", "paid and killed"), 0)
        self.times = []
        for _ in range(5):
            self.fit_again()

    def fit_again(self):
        begin = time.monotonic()
        self.assertEqual(self.cluster.sql(fit(self.ledger.table), "analyst"), "t")
        self.times.append(time.monotonic() - begin)
        self.ledger.check(True)

    def wait_for_server(self):
        """Until it has recovered from the end of a process."""
        for _ in range(600):
            try:
                return self.cluster.sql("SELECT 1;")
            except Failed:
                time.sleep(0.05)
        raise Failed(self.cluster.log.read_text())

    def kill_in_a_fit(self, kill, name):
        for _ in range(KILLS):
            session = Session(self.cluster, "analyst")
            session.begin(fit(self.ledger.table))
            time.sleep(self.random.uniform(0, np.median(self.times[-5:])))
            kill(session)
            try:
                done = session.end() == "t"
            except Failed:
                done = False
            session.close()
            self.wait_for_server()
            paid = self.ledger.check(done)
            self.counts["done" if done else "paid and killed" if paid else "killed"] += 1
            self.fit_again()
            if self.ledger.is_short():
                self.ledger.open()
        print(name, *(f"{count} {what}," for what, count in self.counts.items()))
        return self.counts["paid and killed"]

    def test_backend(self):
        def kill(session):
            os.kill(session.pid, signal.SIGKILL)

        self.assertGreater(self.kill_in_a_fit(kill, "backend:"), KILLS / 5)
        self.assertIsNone(self.cluster.server.poll())

    def test_backend_and_postmaster(self):
        def kill(session):
            self.cluster.server.kill()
            os.kill(session.pid, signal.SIGKILL)
            self.cluster.server.wait()
            self.cluster.start()

        self.assertGreater(self.kill_in_a_fit(kill, "both:"), KILLS / 5)

    def test_postmaster(self):
        """The fit goes on to its end, and the next server waits for that."""

        def kill(_session):
            self.cluster.kill()
            self.cluster.start()

        self.kill_in_a_fit(kill, "postmaster:")


if __name__ == "__main__":
    unittest.main()
