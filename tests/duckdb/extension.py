"""What the tests of the extension share: a DuckDB that has loaded it, and rows of each type."""

import os
import sys

import duckdb
import numpy as np

sys.path.insert(0, os.path.join(os.environ["DPADAPT_SOURCE_DIR"], "tests", "engines"))
import case  # noqa: E402

EXTENSION = os.environ["DPADAPT_DUCKDB_EXTENSION"]
IN_ORDER = "row(a, b, c, d)"  # requests and saved solutions have no names
PASS = f"SELECT dpa_pass($1, {IN_ORDER}, y) FROM "


def connect(**settings):
    db = duckdb.connect(config={"allow_unsigned_extensions": "true", **settings})
    db.execute(f"LOAD '{EXTENSION}'")
    return db


def sums(db, query):
    """For passes.Elsewhere: the sums that the query returns for a request."""

    def carry_out(request):
        rows = db.execute(query, [request]).fetchall()
        return [row[0] for row in rows if row[0] is not None]

    return carry_out


def requests():
    """Those of a fit of the rows of case."""
    seen = []

    def carry_out(request):
        seen.append(request)
        return [case.passes.carry_out(request, [case.target()])]

    case.fit(carry_out)
    return seen


def with_target(db, count=1000):
    """The table of case, in random order, NULL where nothing is known."""
    x, y = case.target(count)
    db.execute("CREATE TABLE target (i INT, a DOUBLE, b DOUBLE, c DOUBLE, d DOUBLE, y DOUBLE)")
    rows = [[i] + [None if np.isnan(v) else float(v) for v in row]
            for i, row in enumerate(np.column_stack([x, y]))]
    db.executemany("INSERT INTO target VALUES (?, ?, ?, ?, ?, ?)", rows)
    db.execute("CREATE TABLE shuffled AS FROM target ORDER BY random()")
    return x, y
