"""Values one by one. A reader of files chooses the type of a column by all of its values, so the
type of a private column decides nothing: each value becomes what it is by itself."""

import math
from decimal import Decimal
from numbers import Number

import numpy as np

from . import errors

TRUTHS = {"true": 1.0, "false": 0.0}
WAYS = {"M": "write days since 1970-01-01, or what you mean: month, age, time since admission",
        "m": "write a number in a unit that you choose", "c": "write the numbers that you mean",
        "V": "write the numbers or texts that you mean"}


def refuse_kind(values, name):
    """Types without an evident number are refused in public data by name."""
    kind = getattr(values.dtype, "kind", "V")
    if kind in WAYS:
        raise errors.UnsupportedError(f"{name} is of type {values.dtype}, which has no evident "
                                      f"number: {WAYS[kind]}")


def is_missing(value):
    """None, NaN and the like; never an error."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def number(value):
    """The number that a value is or that its text spells, else NaN; never an error."""
    try:
        if isinstance(value, (complex, np.complexfloating)):
            return float(value.real) if value.imag == 0 else math.nan
        if isinstance(value, str) and value.strip().lower() in TRUTHS:
            return TRUTHS[value.strip().lower()]
        if isinstance(value, (str, bytes, Number, np.bool_, Decimal)):
            found = float(value)
            return math.nan if isinstance(value, (str, bytes)) and b"_" in _bytes(value) else found
    except (ValueError, OverflowError, TypeError):
        pass
    return math.nan


def _bytes(value):
    return value if isinstance(value, bytes) else value.encode(errors="replace")


def plain(values):
    """An array. Of a list the values keep their types: NumPy would choose one by all of them."""
    return np.asarray(values, object if isinstance(values, (list, tuple)) else None)


def numbers(values):
    """Doubles of an array of any type, each by itself."""
    values = plain(values)
    if values.dtype.kind in "biuf":
        return np.ascontiguousarray(values, float)
    found = [number(value) for value in values.ravel().tolist()]
    return np.array(found, float).reshape(values.shape)


def spelling(value):
    """One text for all spellings of a value: of 1, 1.0, True and "1"; None where it is missing."""
    if is_missing(value):
        return None
    found = number(value)
    if not math.isnan(found):
        return f"{found + 0:.17g}"
    if isinstance(value, (str, bytes)):
        return (value.decode(errors="replace") if isinstance(value, bytes) else value).strip() \
            or None
    return None


def cell(value, truth=("1", "0")):
    """The text of a cell, as a file would have it; None where it is missing."""
    if is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return truth[0] if value else truth[1]
    if isinstance(value, str):
        return value
    found = number(value)
    return None if math.isnan(found) or math.isinf(found) else f"{found:.17g}"


def positions(values, known):
    """Of each value its place among the known ones, -1 for others."""
    places = {spelling(value): place for place, value in reversed(list(enumerate(known)))}
    places.pop(None, None)
    return np.array([places.get(spelling(value), -1) for value in plain(values).tolist()], int)


def person_ids(values):
    """A number for each person. Ids that differ by blanks at their ends, capitals or the notation
    of a number are one person's, and so are all that are missing: both are protected."""
    words = [spelling(value) for value in np.asarray(values, object).tolist()]
    numbers_of = {}
    ids = [numbers_of.setdefault(word and word.lower(), len(numbers_of)) for word in words]
    return np.array(ids, np.int64)
