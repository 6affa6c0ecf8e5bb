"""A private fit of rows of any library that speaks Arrow: pyarrow, DuckDB, Polars and others. Their
tables and readers are handed over by the Arrow PyCapsule interface; nothing becomes a Python
object or an array of NumPy on the way."""

import ctypes

import numpy as np

from passes import _SOURCE, _TARGET, _bytes, _call, _handle, _lib

_address = ctypes.pythonapi.PyCapsule_GetPointer
_address.restype = ctypes.c_void_p
_address.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _pointer(capsule, name):
    return ctypes.c_void_p(_address(capsule, name))


def _names(features):
    """Arguments for the names of columns; None for all but the label."""
    if features is None:
        return None, ctypes.c_size_t(0)
    return ((ctypes.c_char_p * len(features))(*(name.encode() for name in features)),
            ctypes.c_size_t(len(features)))


def give(function, *arguments, rows, more=()):
    """Calls a function that takes a stream. What it refuses, the capsule releases."""
    capsule = rows.__arrow_c_stream__()
    _call(function, *arguments, _pointer(capsule, b"arrow_array_stream"), *more)


def fit(source, target, label, features=None, **options):
    """A solution, to be used by predict and released by dpa_solution_destroy."""
    settings, problem = _handle("dpa_options_create"), _handle("dpa_problem_create")
    try:
        for name, value in options.items():
            _call("dpa_options_parse", settings, name.encode(), str(value).encode())
        columns = (*_names(features), label.encode())
        give("dpa_problem_set_arrow", problem, _SOURCE, rows=source, more=columns)
        give("dpa_problem_set_arrow", problem, _TARGET, rows=target, more=columns)
        return _handle("dpa_solve", problem, None, settings)
    finally:
        _lib.dpa_problem_destroy(problem)
        _lib.dpa_options_destroy(settings)


def _batches(rows):
    """Record batches of what fit takes, too: a frame or table of any library, or a batch itself."""
    if hasattr(rows, "__arrow_c_array__") and hasattr(rows, "num_rows"):
        return [rows]
    import pyarrow

    return pyarrow.RecordBatchReader.from_stream(rows)


def predict(solution, rows, features=None):
    """Labels for the rows of a record batch, or of whatever has __arrow_c_stream__."""
    labels = [np.empty(0)]
    for batch in _batches(rows):
        schema, array = batch.__arrow_c_array__()
        out = np.empty(batch.num_rows)
        _call("dpa_solution_predict_arrow", solution, _pointer(schema, b"arrow_schema"),
              _pointer(array, b"arrow_array"), *_names(features),
              out.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(out)))
        labels.append(out)
    return np.concatenate(labels)


def carry_out(request, batches, label, features=None):
    """For passes: the sum of a request over record batches, as bytes (passes.carry_out)."""
    partial = _handle("dpa_partial_create", request, ctypes.c_size_t(len(request)))
    try:
        for batch in batches:
            schema, array = batch.__arrow_c_array__()
            _call("dpa_partial_add_arrow", partial, _pointer(schema, b"arrow_schema"),
                  _pointer(array, b"arrow_array"), *_names(features), label.encode())
        return _bytes("dpa_partial_serialize", partial)
    finally:
        _lib.dpa_partial_destroy(partial)


def main():
    """Made-up stays: many public ones, fewer private ones of another law, 3 without a label."""
    import duckdb

    db = duckdb.connect()
    tables = {}
    for name, rows, slope in (("public", 20000, 0.05), ("patients", 3000, 0.08)):
        tables[name] = db.sql(f"""
            SELECT age, ward, CASE WHEN i % 1000 > 0 OR '{name}' = 'public'
                                   THEN {slope} * age + ward + (i % 17 - 8) / 8.0 END AS days
            FROM (SELECT i, 20 + i * 7 % 60 AS age, i % 3 AS ward FROM range({rows}) AS t(i))
        """)
    names = ["age", "ward"]
    solution = fit(tables["public"], tables["patients"], "days", names, epsilon=1, delta=1e-6)
    some = db.sql("SELECT * FROM range(20, 80, 20) AS t(age), range(3) AS s(ward)")
    for batch in some.to_arrow_reader(1000):
        days = predict(solution, batch, names)
        for age, ward, stay in zip(*(column.to_pylist() for column in batch.columns), days):
            print(f"age {age}, ward {ward}: {stay:.1f} days")
    _lib.dpa_solution_destroy(solution)


if __name__ == "__main__":
    main()
