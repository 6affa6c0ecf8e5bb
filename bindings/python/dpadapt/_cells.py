"""Values one by one. A reader of files chooses the type of a column by all of its values, so the
type of a private column decides nothing: each value becomes what it is by itself."""

import hashlib
import math
from decimal import Decimal
from fractions import Fraction
from numbers import Number

import numpy as np

from . import errors

TRUTHS = {"true": 1, "false": 0}
WAYS = {"M": "write days since 1970-01-01, or what you mean: month, age, time since admission",
        "m": "write a number in a unit that you choose", "c": "write the numbers that you mean",
        "V": "write the numbers or texts that you mean"}


def refuse_kind(values, name, kinds="mMcV"):
    """Types without an evident number are refused in public data by name."""
    dtype = getattr(values, "dtype", None)
    kind = getattr(dtype, "kind", "O")
    if kind in kinds:
        raise errors.UnsupportedError(f"{name} is of type {dtype}, which has no evident number: "
                                      f"{WAYS[kind]}")


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
            return float(TRUTHS[value.strip().lower()])
        if isinstance(value, np.timedelta64):  # NumPy's are integers
            return math.nan
        if isinstance(value, (str, bytes, Number, np.bool_, Decimal)):
            found = float(value)
            return math.nan if isinstance(value, (str, bytes)) and b"_" in _bytes(value) else found
    except (ArithmeticError, ValueError, TypeError):
        pass
    return math.nan


def _bytes(value):
    return value if isinstance(value, bytes) else value.encode(errors="replace")


def unmasked(values):
    """The values of an array with a mask or of one of pyarrow, None where one is missing."""
    if hasattr(values, "to_pylist"):  # NumPy takes a null of a dictionary for its last word
        return values.to_pylist()
    if not isinstance(values, np.ma.MaskedArray):
        return values
    found = values.data.astype(object)
    found[np.ma.getmaskarray(values)] = None
    return found


def plain(values):
    """An array. Of a list the values keep their types: NumPy would choose one by all of them. What
    is masked or a time is missing."""
    if getattr(getattr(values, "dtype", None), "kind", "O") in "mM":
        return np.full(np.shape(values), None, object)
    values = unmasked(values)
    found = np.asarray(values, object if isinstance(values, (list, tuple)) else None)
    return plain(found) if found.dtype.kind in "mM" else found


def one_a_row(values, name):
    """An array of the shape (n,), also of (n, 1); others are refused."""
    if values.ndim == 2 and values.shape[1] == 1:
        return values[:, 0]
    if values.ndim != 1:
        raise errors.make("DPA_E_DIMENSION", f"{name} must have one value for each row, but its "
                          f"shape is {values.shape}")
    return values


def column(values, name):
    """One value for each row, as it is by itself: of a list it may be anything."""
    if not isinstance(values, (list, tuple)):
        return one_a_row(plain(values), name)
    found = np.empty(len(values), object)
    for place, value in enumerate(values):
        found[place] = _single(value)
    return found


def _single(value):
    if isinstance(value, np.ndarray):  # as np.ma.masked is
        return plain(value).item() if value.size == 1 else value.tolist()
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def own_type(values):
    """An array with the type of its values, where more values had a say before."""
    if values.dtype.kind == "O":
        try:
            found = np.array(values.tolist())
        except ValueError:
            return values
        is_typed = found.dtype.kind in "biuf" or all(isinstance(one, str) for one in values.flat)
        values = found if is_typed and found.shape == values.shape else values
    is_whole = values.dtype.kind == "f" and (values == np.floor(values)).all()
    return values.astype(np.int64) if is_whole and (abs(values) < 2**53).all() else values


def numbers(values):
    """Doubles of an array of any type, each by itself."""
    values = plain(values)
    with np.errstate(all="ignore"):  # a warning would tell of a value
        if values.dtype.kind in "biuf":
            return np.ascontiguousarray(values, float)
        found = [number(value) for value in values.ravel().tolist()]
    return np.array(found, float).reshape(values.shape)


def private_matrix(rows, width):
    """Doubles of private rows: nothing that a row holds is an error. Of a list, a row of another
    length than `width` is one of missing values."""
    if not isinstance(rows, (list, tuple)):
        found = numbers(rows)
        if found.ndim != 2:
            raise errors.make("DPA_E_DIMENSION", "Expected 2D array of features. Reshape your "
                              "data.")
        return np.ascontiguousarray(found)
    if width is None:
        raise errors.UnsupportedError("with both samples private no public row tells how long a "
                                      "row of a list is: give arrays")
    found = np.full((len(rows), width), np.nan)
    for place, row in enumerate(rows):
        cells = column(row, "") if isinstance(row, (list, tuple)) else plain(row)
        if cells.shape == (width,):
            found[place] = numbers(cells)
    return found


def spelling(value):
    """One text for all spellings of a value: of 1, 1.0, True and "1"; None where it is missing."""
    if is_missing(value):
        return None
    found = number(value)
    if isinstance(value, (str, bytes)) and not math.isfinite(found):
        return (value.decode(errors="replace") if isinstance(value, bytes) else value).strip() \
            or None
    return None if math.isnan(found) else f"{found + 0:.17g}"


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
    return np.array([places.get(spelling(value), -1) for value in values.tolist()], int)


def person_ids(values):
    """A number for each person. Ids that differ by blanks at their ends, capitals or the notation
    of a number are one person's, and so are all that are missing: both are protected."""
    if getattr(getattr(values, "dtype", None), "kind", "O") in "mM":
        values = np.asarray(values).astype(str)
    ids = {}
    return np.array([ids.setdefault(_person(value), len(ids))
                     for value in column(values, "groups").tolist()], np.int64)


def _own_text(person):
    """The same for all that are equal."""
    if isinstance(person, tuple):
        return b"(" + b",".join(map(_own_text, person)) + b")"
    exact = Fraction(person) if isinstance(person, (int, Decimal)) else person
    return repr(exact).encode(errors="surrogatepass")


def own_ids(values):
    """The same persons, each by a number that follows from the id alone."""
    if getattr(getattr(values, "dtype", None), "kind", "O") in "mM":
        values = np.asarray(values).astype(str)
    hashes = (hashlib.blake2b(_own_text(_person(value)), digest_size=8)
              for value in column(values, "groups").tolist())
    return np.array([int.from_bytes(one.digest(), "little", signed=True) for one in hashes],
                    np.int64)


def _person(value):
    """Equal for all spellings of an id, and for no others: numbers are exact."""
    if is_missing(value):
        return None
    if isinstance(value, (int, np.integer)) and not isinstance(value, np.timedelta64):
        return int(value)
    if isinstance(value, (list, tuple)):
        return tuple(map(_person, value))
    try:
        word = value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)
    except Exception:  # of a class of the caller
        return None
    word = word.strip().lower()
    try:
        found = Decimal(TRUTHS.get(word, "_" if "_" in word else word))
        return found if math.isfinite(float(found)) else word
    except (ArithmeticError, ValueError):
        return word or None
