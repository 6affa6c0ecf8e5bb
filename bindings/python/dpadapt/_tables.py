"""Data frames as tables of the library: pandas by its columns, polars, pyarrow and others by the
Arrow C stream. Of private frames each cell is read by itself."""

import ctypes

import numpy as np

from . import errors
from ._call import SIZE, Handle, call, number, pointer, text
from ._cells import cell, column, is_missing, numbers, one_a_row, plain, refuse_kind, unmasked

POINTER = ctypes.pythonapi.PyCapsule_GetPointer
POINTER.restype, POINTER.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
TRUTHS = (("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("T", "F"), ("1", "0"))


def is_frame(data):
    """Has it columns with names? What has no rows in memory is refused."""
    if hasattr(data, "lazy") and hasattr(data, "collect"):  # of polars
        raise errors.UnsupportedError(f"a {type(data).__name__} has no rows yet: give its "
                                      "collect()")
    if is_pandas(data) or not hasattr(data, "__arrow_c_stream__"):
        return is_pandas(data)
    has_names = hasattr(data, "columns") or hasattr(data, "column_names")
    if not has_names and not hasattr(data, "__len__"):
        raise errors.UnsupportedError(f"a {type(data).__name__} is a stream, whose rows are read "
                                      "once: give a table of it, by pyarrow.table()")
    return has_names


def is_pandas(data):
    return hasattr(data, "iloc") and hasattr(data, "columns")


def names(frame):
    """Names of the columns, as texts."""
    return list(map(str, _own_names(frame)))


def _own_names(frame):
    found = getattr(frame, "column_names", None)  # pyarrow's columns are arrays
    return list(frame.columns if found is None else found)


def refuse_names(data):
    """Where features are told apart by their places, names would promise more. The columns of
    pandas may be numbered only."""
    if is_frame(data) and any(isinstance(name, str) for name in _own_names(data)):
        raise errors.UnsupportedError("features are read by their places here, and names of "
                                      "columns are not: give an array, in the order of the fit")


def name_of(labels):
    """What a column of labels is called, else None."""
    found = _own_names(labels) if is_frame(labels) else [getattr(labels, "name", None)]
    return found[0] if len(found) == 1 and isinstance(found[0], str) and found[0] else None


def refuse_label(data, labels):
    """A label among the features predicts itself."""
    name = name_of(labels)
    if name is not None and is_frame(data) and name in names(data):
        raise errors.Error(f'the column "{name}" is given as feature and as label')


def in_order(frame, wanted):
    """The frame with its columns in the order of these names, and others behind them."""
    known = names(frame)
    place_of = {name: place for place, name in enumerate(wanted)}
    places = sorted(range(len(known)), key=lambda k: place_of.get(known[k], len(wanted)))
    if places == list(range(len(known))):
        return frame
    if is_pandas(frame):
        return frame.iloc[:, places]
    if hasattr(frame, "lazy"):  # polars
        return frame.select([known[place] for place in places])
    import pyarrow

    return pyarrow.table(frame).select(places)


def rows_of(frame, keep, is_public):
    """The rows where `keep` is true. Public columns of pandas get a type by themselves."""
    if is_pandas(frame):
        return frame[keep].infer_objects() if is_public else frame[keep]
    if hasattr(frame, "filter"):
        try:
            return frame.filter(keep)
        except TypeError:
            import pyarrow

            return frame.filter(pyarrow.array(keep))
    raise errors.UnsupportedError(f"rows of a {type(frame).__name__} cannot be chosen: give "
                                  "source=(X, y)")


def add_label(table, name, labels):
    """Public labels as a further column."""
    _add(table, name, one_a_row(np.asarray(unmasked(labels)), name))


def make_table(frame):
    """A table of all columns of a public frame, read by their types."""
    if not is_pandas(frame):
        capsule = frame.__arrow_c_stream__()
        return Handle("table", "dpa_table_create_arrow", POINTER(capsule, b"arrow_array_stream"))
    table = Handle("table", "dpa_table_create", len(frame))
    for place, name in enumerate(names(frame)):
        _add(table, name, frame.iloc[:, place])
    return table


def make_private_table(frame, labels, label, truths_of):
    """A table of private rows, whose types decide nothing: their names alone tell how true and
    false are spelled, and which columns are numbers."""
    known = names(frame)
    every = known + ([] if labels is None else [label])
    if len(set(every)) < len(every):
        raise errors.Error("two columns have the same name, or one has that of the labels")
    table = Handle("table", "dpa_table_create", len(frame))
    columns = {name: _column(frame, place, name) for place, name in enumerate(known)}
    if labels is not None:
        columns[label] = column(labels, label)
    spelled = truths_of(tuple(columns))
    for name, values in columns.items():
        values = plain(values)
        if values.dtype.kind in "iuf" or spelled[name] is None:
            _add_numbers(table, name, numbers(values))
        else:
            _add_texts(table, name, [cell(one, spelled[name]) for one in values.tolist()])
    return table


def _column(frame, place, name):
    if is_pandas(frame):
        return frame.iloc[:, place]
    try:
        return plain(frame[name])
    except (TypeError, KeyError):
        raise errors.UnsupportedError(f"private rows of a {type(frame).__name__} cannot be read "
                                      "one by one: give pandas, polars or pyarrow") from None


def _add(table, name, values):
    dtype = values.dtype
    if getattr(dtype, "categories", None) is not None:
        return _add_levels(table, name, values.cat)
    refuse_kind(values, f"column {name}")
    if getattr(dtype, "kind", "O") in "iufb":
        if not isinstance(values, np.ndarray):
            values = values.to_numpy(dtype=float, na_value=np.nan)
        return _add_numbers(table, name, np.ascontiguousarray(values, float))
    cells = np.asarray(values, object).tolist()
    return _add_texts(table, name, [_public_cell(one, name) for one in cells])


def _public_cell(value, name):
    """Values without an evident text or number are refused in public rows, by name."""
    found = value if isinstance(value, str) else cell(value, TRUTHS[0])
    if found is None and not is_missing(value) and not isinstance(value, (float, np.floating)):
        raise errors.UnsupportedError(
            f"column {name} has values of type {type(value).__name__}, which has no evident "
            "number: write the numbers or texts that you mean")
    return found


def _add_numbers(table, name, values):
    call("dpa_table_add_numbers", table, name, pointer(values), len(values))


def _add_texts(table, name, cells):
    call("dpa_table_add_texts", table, name, _texts(cells), len(cells))


def _texts(words):
    """What is no text, half of a pair or NUL, becomes bytes that the library refuses in public
    rows; in private ones they are a level that nobody knows."""
    encoded = [None if word is None else
               word.encode(errors="surrogatepass").replace(b"\0", b"\xff") for word in words]
    return (ctypes.c_char_p * max(1, len(words)))(*encoded)


def _add_levels(table, name, category):
    codes = np.ascontiguousarray(category.codes, np.int32)
    levels = [_public_cell(level, name) or "" for level in category.categories]
    call("dpa_table_add_levels", table, name, pointer(codes), len(codes), _texts(levels),
         len(levels))


def truths(schema, columns):
    """For each column True and False as the schema spells them, the first pair that it finds no
    odd cells; None for numbers."""

    def odd_columns(word):
        table = Handle("table", "dpa_table_create", 1)
        for name in columns:
            _add_texts(table, name, [word])
        lines = text("dpa_inspect_table", schema, table).splitlines()
        odd = {line.rpartition(": 1 of 1 row")[0] for line in lines}
        return {name for name in columns if name in odd or f"(label) {name}" in odd}

    odd = odd_columns("0.123456789")
    found = {name: None for name in columns if name not in odd}
    for pair in TRUTHS:
        odd = odd_columns(pair[0]) | odd_columns(pair[1])
        for name in columns:
            if name not in odd:
                found.setdefault(name, pair)
    return {name: found.get(name, TRUTHS[0]) for name in columns}


def count(table):
    """Number of its rows."""
    return number("dpa_table_row_count", table, kind=SIZE)
