"""CPU time a row of passes and predictions, against a transition that only reads the array and
against plain scans; ctest -V prints it. Each round measures all of them, so that a busy machine is
slow for all."""

import base64
import json
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
TEXTS = 4  # of the columns of a table that needs a schema
ROWS = 200_000
ROUNDS = 9
NAMES = [f"x{j}" for j in range(FEATURES)]
MIXED = NAMES[:-TEXTS] + [f"t{j}" for j in range(TEXTS)]
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
CREATE UNLOGGED TABLE mixed AS SELECT {', '.join(MIXED)}, y FROM columns, LATERAL (SELECT
    {', '.join(f"'level ' || abs(1000 * x{j})::int % {j + 4} AS t{j}" for j in range(TEXTS))}) AS t;
CREATE TABLE source AS SELECT * FROM columns LIMIT 5000;
VACUUM ANALYZE columns, arrays, mixed;
SELECT dpadapt.protect('columns', 1, 1e-6);
SELECT dpadapt.fit('model', 'source', 'columns', 'y', '{{{{{', '.join(NAMES)}}}}}', '{BUDGET}');
CREATE TABLE mixed_source AS SELECT * FROM mixed LIMIT 5000;
SELECT dpadapt.protect('mixed', 1, 1e-6);
SELECT dpadapt.fit('mixed', 'mixed_source', 'mixed', 'y', '{{{{{', '.join(MIXED)}}}}}', '{BUDGET}');
"""


def requests(features=FEATURES):
    """Of a default fit: its first one, for second moments, and its last one, for gradients."""
    random = np.random.default_rng(1)
    seen = []

    def carry_out(request):
        seen.append(request)
        x = random.uniform(-0.5, 0.5, (ROWS, features))
        return [case.passes.carry_out(request, [(x, x.sum(axis=1))])]

    x = random.uniform(-0.5, 0.5, (5000, features))
    case.model(carry_out, ROWS, (x, x.sum(axis=1)), unsafe_seed=None)
    return seen[0], seen[-1]


def mixed_queries(cluster):
    """With a schema, which the model has."""
    model = json.loads(cluster.sql("SELECT convert_from(solution, 'UTF8') FROM dpadapt.models "
                                   "WHERE name = 'mixed';"))
    schema = base64.b64decode(model["schema"]).hex()
    request = requests(len(model["features"]))[-1].hex()
    columns = ", ".join([*NAMES[:-TEXTS], *(f"left(t{j}, 1000) AS t{j}" for j in range(TEXTS))])
    yield "mixed gradients", (
        f"SELECT length(dpadapt.pass_rows('\\x{request}', '\\x{schema}', r.*)) "
        f"FROM (SELECT {columns}, y FROM mixed) AS r")
    yield "mixed row", "SELECT sum(dpadapt.predict('mixed', m)) FROM mixed AS m"


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
        work = [*queries(), *mixed_queries(cluster)]
        times = {name: [] for name, _ in work}
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
            base = times[f"{table.replace('mixed', 'columns')} {to}"]
            ratios[name] = np.min(values) / np.min(base), np.median(values) / np.median(base)
            print(f"{name:20} {1e9 * np.min(values):6.0f} {1e9 * np.median(values):6.0f}"
                  f"   {ratios[name][0]:.2f} {ratios[name][1]:.2f} of the {to}")
        for name, most in (("columns gradients", 1.7), ("arrays gradients", 1.7),
                           ("arrays predict", 3), ("columns predict", 4.5), ("columns row", 6),
                           ("mixed gradients", 8)):
            self.assertLess(ratios[name][0], most, name)


if __name__ == "__main__":
    unittest.main()
