"""CPU time a row of passes and predictions, against a transition that only reads the array and
against plain scans; ctest -V prints it. Each round measures all of them, so that a busy machine is
slow for all."""

import os
import shutil
import sys
import unittest
from pathlib import Path

import numpy as np
from cluster import Cluster, Session

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/engines")))
import case  # noqa: E402

FEATURES = 20
ROWS = 200_000
ROUNDS = 9
NAMES = [f"x{j}" for j in range(FEATURES)]
ARRAY = f"ARRAY[{', '.join(NAMES)}]"
BUDGET = "epsilon=1 delta=1e-6"
SETUP = f"""
CREATE EXTENSION dpadapt;
CREATE FUNCTION read_step(float8, float8[], float8) RETURNS float8
    AS '{{module}}', 'read_array_step' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE AGGREGATE reading(float8[], float8) (SFUNC = read_step, STYPE = float8, INITCOND = 0);
CREATE UNLOGGED TABLE columns AS
    SELECT {', '.join(f'random() - 0.5 AS {name}' for name in NAMES)}, random() AS y
    FROM generate_series(1, {ROWS});
CREATE UNLOGGED TABLE arrays AS SELECT {ARRAY} AS x, y FROM columns;
CREATE TABLE source AS SELECT * FROM columns LIMIT 5000;
VACUUM ANALYZE columns, arrays;
SELECT dpadapt.protect('columns', 1, 1e-6);
SELECT dpadapt.fit('model', 'source', 'columns', 'y', '{{{{{', '.join(NAMES)}}}}}', '{BUDGET}');
"""


def requests():
    """Of a default fit: its first one, for second moments, and its last one, for gradients."""
    random = np.random.default_rng(1)
    seen = []

    def carry_out(request):
        seen.append(request)
        x = random.uniform(-0.5, 0.5, (ROWS, FEATURES))
        return [case.passes.carry_out(request, [(x, x.sum(axis=1))])]

    x = random.uniform(-0.5, 0.5, (5000, FEATURES))
    case.passes.fit(x, x.sum(axis=1), ROWS, carry_out, epsilon=1, delta=1e-6)
    return seen[0], seen[-1]


def queries():
    first, last = (f"'\\x{request.hex()}'" for request in requests())
    for table, x in (("arrays", "x"), ("columns", ARRAY)):
        yield f"{table} scan", f"SELECT sum(y) FROM {table}"
        yield f"{table} transition", f"SELECT reading({x}, y) FROM {table}"
        yield f"{table} moments", f"SELECT length(dpadapt.pass({first}, {x}, y)) FROM {table}"
        yield f"{table} gradients", f"SELECT length(dpadapt.pass({last}, {x}, y)) FROM {table}"
        yield f"{table} predict", f"SELECT sum(dpadapt.predict('model', {x})) FROM {table}"
    yield "columns row", "SELECT sum(dpadapt.predict('model', c)) FROM columns AS c"


class Speed(unittest.TestCase):
    def test_ratios(self):
        cluster = Cluster()
        self.addCleanup(cluster.stop)
        module = shutil.copy(os.environ["DPADAPT_READ_ARRAY"], cluster.root)
        cluster.sql(SETUP.format(module=module))
        session = Session(cluster, "postgres")
        session.run("SET max_parallel_workers_per_gather = 0; SET jit = off;")
        times = {name: [] for name, _ in queries()}
        work = list(queries())
        for _ in range(ROUNDS):
            for name, query in work:
                before = session.cpu()
                session.run(f"{query};")
                times[name].append((session.cpu() - before) / ROWS)
        session.close()

        ratios = {}
        print("CPU ns a row: least, median; ratios of them")
        for name, values in times.items():
            table, what = name.split()
            to = "scan" if what in ("predict", "row") else "transition"
            base = times[f"{table} {to}"]
            ratios[name] = np.min(values) / np.min(base), np.median(values) / np.median(base)
            print(f"{name:20} {1e9 * np.min(values):6.0f} {1e9 * np.median(values):6.0f}"
                  f"   {ratios[name][0]:.2f} {ratios[name][1]:.2f} of the {to}")
        for name, most in (("columns gradients", 1.7), ("arrays gradients", 2.6),
                           ("arrays predict", 3), ("columns predict", 4.5), ("columns row", 6)):
            self.assertLess(ratios[name][0], most, name)


if __name__ == "__main__":
    unittest.main()
