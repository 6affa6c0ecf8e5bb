"""Values one by one. A reader of files chooses the type of a column by all of its values, so the
type of a private column decides nothing: each value becomes what it is by itself."""

import hashlib
import math
import re
import string
from decimal import Decimal
from numbers import Number

import numpy as np

from . import errors

TRUTHS = {"true": 1, "false": 0}
BLANKS = (" \t\n\v\f\r\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
          "\u2009\u200a\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff")
SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
NO, YES = ("-1", "0", "no", "n", "false", "f"), ("1", "yes", "y", "true", "t")
TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d.*)?$")  # what readers make a time of
MISSING = ("", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", ".", "?")
NOBODY = {word.lower() for word in MISSING}
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
        if isinstance(value, str):
            value = value.strip(BLANKS)
            value = TRUTHS.get(value.translate(SMALL), value)
        if isinstance(value, str) and value.count(",") == 1 and "." not in value:
            value = value.replace(",", ".")  # as a reader with a decimal comma
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
        raise errors.UnsupportedError("no public row tells how long a private row of a list is: "
                                      "give arrays")
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
    if isinstance(value, (str, bytes)):
        word = _text(value).strip(BLANKS)
        if not math.isfinite(found) or word.translate(SMALL) in TRUTHS:
            return word or None
    return None if math.isnan(found) else f"{found + 0:.17g}"


def _text(value):
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def cell(value, truth=("1", "0")):
    """The text of a cell, as a file would have it; None where it is missing."""
    if is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return truth[0] if value else truth[1]
    if isinstance(value, str):
        word = value.strip(BLANKS).translate(SMALL)
        if word in TRUTHS and truth[0] == "1":  # other columns know the words
            return truth[0] if TRUTHS[word] else truth[1]
        return None if TIME.match(word) else value
    if type(value).__name__ == "Interval":  # of pandas.cut
        return str(value)
    found = number(value)
    return None if math.isnan(found) or math.isinf(found) else f"{found:.17g}"


def positions(values, known):
    """Of each value its place among the known ones, -1 for others, by the rule of all languages
    (Tables in docs/command.md)."""
    place_of = _Places(known)
    return np.array([place_of(value) for value in values.tolist()], int)


class _Places:
    """The same spelling; else the only one that differs in capitals alone; else, where two mean no
    and yes, a usual word for one of them."""

    def __init__(self, known):
        known = list(known)
        words = [spelling(value) for value in known]
        self.exact = {word: place for place, word in reversed(list(enumerate(words)))}
        self.exact.pop(None, None)
        self.folded, self.signs = {}, {}
        texts = [str(_text(value)).strip(BLANKS).translate(SMALL) for value in known]
        for place, (word, text) in enumerate(zip(words, texts)):
            for one in {(word or "").translate(SMALL), text}:
                self.folded.setdefault(one, set()).add(place)
        signs = [_sign(text) for text in texts]
        usual = [place for place, sign in enumerate(signs) if sign]
        whole = all(len(texts[place]) > 1 and texts[place][0] != "-" for place in usual)
        if sorted(signs[place] for place in usual) == [-1, 1] and (whole or len(known) == 2):
            self.signs = {signs[place]: place for place in usual}

    def __call__(self, value):
        word = spelling(value)
        if word is None or word in self.exact:
            return self.exact.get(word, -1)
        small = word.translate(SMALL)
        if small in self.folded:
            return min(self.folded[small]) if len(self.folded[small]) == 1 else -1
        return self.signs.get(_sign(small), -1)


def _sign(word):
    return (word in YES) - (word in NO)


def person_ids(values):
    """A number for each person. Ids that differ by blanks at their ends, capitals A to Z or the
    notation of a number are one person's, and so are all that are missing, in whatever word."""
    ids = {}
    return np.array([ids.setdefault(person, len(ids)) for person in _persons(values)], np.int64)


def own_ids(values):
    """The same persons, each by a number that follows from the id alone."""
    hashes = (hashlib.blake2b(repr(person).encode(), digest_size=8) for person in _persons(values))
    return np.array([int.from_bytes(one.digest(), "little", signed=True) for one in hashes],
                    np.int64)


def _persons(values):
    if getattr(getattr(values, "dtype", None), "kind", "O") in "mM":
        values = np.asarray(values).astype(str)
    return map(_person, column(values, "groups").tolist())


def _person(value):
    """Equal for all spellings of an id. A number is its double: a reader of files makes doubles of
    all ids where one of them is missing."""
    if is_missing(value):
        return None
    if isinstance(value, (list, tuple)):
        return tuple(map(_person, value))
    try:
        word = value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)
    except Exception:  # of a class of the caller
        return None
    word = word.strip(BLANKS).translate(SMALL)
    if word in NOBODY:
        return None
    found = number(value if isinstance(value, Number) else word)
    return f"{found + 0:.17g}" if math.isfinite(found) else word
