"""A fit over many rows ends soon after the request to cancel it."""

import unittest

import numpy as np
from cluster import Session, protected
from custodian import fit, server, stop

ROWS = 1_000_000
PARALLEL = """
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
"""
SERIAL = "SET max_parallel_workers_per_gather = 0;"


class Cancelled(unittest.TestCase):
    def test_at_random_moments(self):
        cluster = server(self.addCleanup)
        control = Session(cluster, "postgres")
        self.addCleanup(control.close)
        random = np.random.default_rng(7)
        features = [f"x{j}" for j in range(20)]
        numbers = ", ".join(f"sin(i * {j + 1.37}) AS {name}" for j, name in enumerate(features))
        cluster.sql(f"""
            CREATE UNLOGGED TABLE many AS SELECT {numbers}, cos(i) AS y
                FROM generate_series(1, {ROWS}) AS i;
            CREATE TABLE few AS SELECT * FROM many LIMIT 20000;
            GRANT SELECT ON few TO analyst; ALTER TABLE many OWNER TO custodian; ANALYZE many;
            {protected("many", 10)}""")
        for settings, name in ((SERIAL, "one process"), (PARALLEL, "workers")):
            session = Session(cluster, "analyst")
            session.run(settings)
            late = []
            for _ in range(20):
                script = fit("many", source="few", features="{" + ",".join(features) + "}",
                             options="epsilon=0.05 delta=1e-8 iterations=200")
                out, seconds = stop(control, session, script, "pg_cancel_backend",
                                    random.uniform(0, 4))
                self.assertIn("canceling statement", out)
                late.append(seconds)
            session.close()
            print(f"{ROWS} x 20, {name}: ended {1000 * np.median(late):.0f} ms after the request, "
                  f"at most {1000 * np.max(late):.0f} ms")
            self.assertLess(np.median(late), 0.2)
            self.assertLess(np.max(late), 2)  # others use the machine, too


if __name__ == "__main__":
    unittest.main()
