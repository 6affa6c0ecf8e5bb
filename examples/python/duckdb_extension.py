"""A private fit of a table in DuckDB by the extension, larger than memory if need be: each pass is
one query, and no row leaves DuckDB. The first argument is the file of the extension."""

import sys

import duckdb
import numpy as np

import passes

FEATURES = ["age", "ward"]
LABEL = "days"

db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
db.execute(f"LOAD '{sys.argv[1]}'")
# Made-up stays: many public ones, fewer private ones of another law, 3 of them without a label.
for table, rows, slope in (("public_stays", 20000, 0.05), ("patients", 3000, 0.08)):
    db.execute(f"""
        CREATE TABLE {table} AS
        SELECT age, ward, CASE WHEN i % 1000 > 0 OR '{table}' = 'public_stays'
                               THEN {slope} * age + ward + (i % 17 - 8) / 8.0 END AS days
        FROM (SELECT i, 20 + i * 7 % 60 AS age, i % 3 AS ward FROM range({rows}) AS t(i))
    """)

features = "{" + ", ".join(f"'{name}': {name}" for name in FEATURES) + "}"
in_order = "row(" + ", ".join(FEATURES) + ")"  # a saved predictor has no names of features
public = db.execute(f"SELECT {', '.join(FEATURES)}, {LABEL} FROM public_stays").fetchnumpy()
# Public: it must not depend on what the rows hold.
((count,),) = db.execute("SELECT count(*) FROM patients").fetchall()


def carry_out(request):
    """The sum of all records; it is as private as they are. No rows have none."""
    query = f"SELECT dpa_pass($1, {features}, {LABEL}) FROM patients"
    return [row[0] for row in db.execute(query, [request]).fetchall()]


coefficients, intercept, model = passes.fit(
    np.stack([public[name] for name in FEATURES], axis=1), public[LABEL], count, carry_out,
    epsilon=1, delta=1e-6,
)
terms = [f"{c:.3f} {name} +" for c, name in zip(coefficients, FEATURES)]
print("days =", *terms, f"{intercept:.3f}")

((predictions,),) = db.execute(
    f"SELECT count(dpa_predict($1, {in_order})) FROM public_stays", [model]
).fetchall()
print(predictions, "predictions")
