"""A private fit of a table in DuckDB, larger than memory if need be: no row is kept in Python."""

import duckdb
import numpy as np

import passes

FEATURES = ["age", "ward"]
LABEL = "days"

# Made-up stays: many public ones, fewer private ones of another law, 3 of them without a label.
db = duckdb.connect()
db.execute("SET preserve_insertion_order = false")
for table, rows, slope in (("public_stays", 20000, 0.05), ("patients", 3000, 0.08)):
    db.execute(f"""
        CREATE TABLE {table} AS
        SELECT age, ward, CASE WHEN i % 1000 > 0 OR '{table}' = 'public_stays'
                               THEN {slope} * age + ward + (i % 17 - 8) / 8.0 END AS days
        FROM (SELECT i, 20 + i * 7 % 60 AS age, i % 3 AS ward FROM range({rows}) AS t(i))
    """)


def batches(table):
    """Rows of the table in pieces of any size and order. NULL becomes NaN: a record that counts."""
    columns = ", ".join(f"CAST({name} AS DOUBLE) AS {name}" for name in FEATURES + [LABEL])
    for batch in db.sql(f"SELECT {columns} FROM {table}").to_arrow_reader(1000):
        arrays = [column.to_numpy(zero_copy_only=False) for column in batch.columns]
        yield np.stack(arrays[:-1], axis=1), arrays[-1]


public = list(batches("public_stays"))
# Public: it must not depend on what the rows hold.
((count,),) = db.execute("SELECT count(*) FROM patients").fetchall()
coefficients, intercept, model = passes.fit(
    np.concatenate([x for x, _ in public]), np.concatenate([y for _, y in public]), count,
    lambda request: [passes.carry_out(request, batches("patients"))],
    epsilon=1, delta=1e-6,
)
terms = [f"{c:.3f} {name} +" for c, name in zip(coefficients, FEATURES)]
print("days =", *terms, f"{intercept:.3f}")
