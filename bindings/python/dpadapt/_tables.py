"""Data frames as tables of the library: pandas by its columns, polars, pyarrow and others by the
Arrow C stream."""

import ctypes

import numpy as np

from . import errors
from ._call import SIZE, Handle, call, number, pointer, text
from ._cells import cell, plain, refuse_kind

POINTER = ctypes.pythonapi.PyCapsule_GetPointer
POINTER.restype, POINTER.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
TRUTHS = (("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("T", "F"), ("1", "0"))


def is_frame(data):
    """Has it columns with names?"""
    return is_pandas(data) or hasattr(data, "__arrow_c_stream__")


def is_pandas(data):
    return hasattr(data, "iloc") and hasattr(data, "columns")


def names(frame):
    """Names of the columns, as texts."""
    found = getattr(frame, "column_names", None)  # pyarrow's columns are arrays
    return [str(name) for name in (frame.columns if found is None else found)]


def rows_of(frame, keep):
    """The rows where `keep` is true."""
    if is_pandas(frame):
        return frame[keep]
    if hasattr(frame, "filter"):
        try:
            return frame.filter(keep)
        except TypeError:
            import pyarrow

            return frame.filter(pyarrow.array(keep))
    raise errors.UnsupportedError(f"rows of a {type(frame).__name__} cannot be chosen: give "
                                  "source=(X, y)")


def add_label(table, name, labels, schema=None, private=False):
    """The labels as a further column."""
    labels = plain(labels) if private else np.asarray(labels)
    _add(table, name, labels, schema, None, private)


def make_table(frame, schema=None, private=False):
    """A table of all columns. Private columns are read cell by cell; `schema` tells how it spells
    true and false."""
    if not is_pandas(frame):
        capsule = frame.__arrow_c_stream__()
        return Handle("table", "dpa_table_create_arrow", POINTER(capsule, b"arrow_array_stream"))
    table = Handle("table", "dpa_table_create", len(frame))
    known = names(frame)
    for place, name in enumerate(known):
        _add(table, name, frame.iloc[:, place], schema, known, private)
    return table


def _add(table, name, values, schema, known, private):
    dtype = values.dtype
    if getattr(dtype, "categories", None) is not None and not private:
        return _add_levels(table, name, values.cat)
    kind = getattr(dtype, "kind", "O")
    if not private:
        refuse_kind(values, f"column {name}")
    if kind in "iuf" or kind == "b" and not private:
        if not isinstance(values, np.ndarray):
            values = values.to_numpy(dtype=float, na_value=np.nan)
        values = np.ascontiguousarray(values, float)
        call("dpa_table_add_numbers", table, name, pointer(values), len(values))
        return None
    cells = np.asarray(values, object).tolist()
    truth = TRUTHS[0]
    if private and schema is not None and known and any(isinstance(one, bool) for one in cells):
        truth = _known_spelling(schema, known, name)
    _add_texts(table, name, [cell(one, truth) for one in cells])
    return None


def _add_texts(table, name, cells):
    call("dpa_table_add_texts", table, name, _texts(cells), len(cells))


def _texts(words):
    encoded = [None if word is None else word.encode(errors="replace") for word in words]
    return (ctypes.c_char_p * max(1, len(words)))(*encoded)


def _add_levels(table, name, category):
    codes = np.ascontiguousarray(category.codes, np.int32)
    levels = [cell(level, ("True", "False")) or "" for level in category.categories]
    call("dpa_table_add_levels", table, name, pointer(codes), len(codes), _texts(levels),
         len(levels))


def _known_spelling(schema, known, name):
    """True and False as a column of the schema spells them: the first pair that is no odd cell.
    Which of a column's values are truths depends on each of them alone."""

    def findings(word):
        table = Handle("table", "dpa_table_create", 1)
        for other in known:
            _add_texts(table, other, [word if other == name else None])
        return text("dpa_inspect_table", schema, table)

    usual = findings(None)
    for pair in TRUTHS:
        if all(findings(word) == usual for word in pair):
            return pair
    return TRUTHS[0]


def count(table):
    """Number of its rows."""
    return number("dpa_table_row_count", table, kind=SIZE)
