"""Calls of the library: statuses become errors, handles are released, buffers have the size that
the library asks for."""

import ctypes
import os
from ctypes import byref
from numbers import Real

import numpy as np

from . import errors
from ._library import DOUBLE, INT, LIBRARY, SIZE, Matrix

ROW_MAJOR = 1
BUFFER = -7
JSON, TEXT, PAGE = 0, 1, 3
SOURCE, TARGET = 0, 1


def call(name, *arguments):
    """Calls a function that returns a status; texts are given as str."""
    check(_status(name, *arguments))


def _status(name, *arguments):
    function = getattr(LIBRARY, name)
    try:
        return function(*map(_converted, function.argtypes, arguments))
    except ctypes.ArgumentError as error:
        raise errors.Error(f"an argument has the wrong type: {error}") from None


def _converted(kind, value):
    if kind is ctypes.c_char_p and isinstance(value, (str, os.PathLike)):
        value = value.encode() if isinstance(value, str) else os.fsencode(value)
        if b"\0" in value:
            raise errors.Error(f"a text must not contain the letter NUL, but is {value!r}")
    if kind is SIZE and isinstance(value, Real):  # ctypes would take -1 for the largest
        if not 0 <= value < 2**63 or value != int(value):
            raise errors.Error(f"a number of rows or columns, or a place, must be whole and at "
                               f"least 0, but is {value}")
        value = int(value)
    return value


def check(status):
    """Raises the latest failure of this thread, unless all went well."""
    if status != 0:
        raise errors.make(LIBRARY.dpa_status_string(status).decode(),
                          LIBRARY.dpa_last_error().decode(errors="replace"))


class Handle:
    """Owns what the function `maker` stores in its last argument. May be used by the thread that
    has it, one at a time unless the header says otherwise. Never copied or pickled."""

    def __init__(self, noun, maker, *arguments):
        self.value = ctypes.c_void_p()
        self._destroy = getattr(LIBRARY, f"dpa_{noun}_destroy")
        call(maker, *arguments, byref(self.value))

    @property
    def _as_parameter_(self):
        return self.value

    def __reduce__(self):
        raise TypeError("a handle of the library cannot be copied")

    def __del__(self):
        value, destroy = getattr(self, "value", None), getattr(self, "_destroy", None)
        if value and destroy:
            destroy(value)


def filled(name, *arguments):
    """The text or bytes that a function writes into (out, out_len, needed)."""
    size = SIZE()
    status = _status(name, *arguments, None, 0, byref(size))
    while status == BUFFER:  # a report may have grown meanwhile
        buffer = ctypes.create_string_buffer(max(1, size.value))
        status = _status(name, *arguments, buffer, size.value, byref(size))
    check(status)
    return buffer.raw[:size.value]


def text(name, *arguments):
    """Such text without its final zero."""
    return filled(name, *arguments)[:-1].decode()


def number(name, *arguments, kind=DOUBLE):
    """The number that a function stores in its last argument."""
    value = kind()
    call(name, *arguments, byref(value))
    return value.value


def array(name, *arguments, length):
    """The doubles that a function writes into (out, out_len)."""
    out = np.empty(length)
    call(name, *arguments, pointer(out), length)
    return out


def pointer(values):
    """Address of an array, which must live during the call."""
    return None if values is None else values.ctypes.data_as(ctypes.c_void_p)


def matrix(x):
    """A dpa_matrix of a C-ordered array of doubles, which must live during the call."""
    return Matrix(pointer(x), x.shape[0], x.shape[1], max(1, x.shape[1]), ROW_MAJOR)


def texts_until_none(name, *arguments):
    """Static texts by an index that counts from 0."""
    found = []
    while (one := getattr(LIBRARY, name)(len(found), *arguments)) is not None:
        found.append(one.decode())
    return found


__all__ = ["Handle", "INT", "JSON", "PAGE", "SIZE", "SOURCE", "TARGET", "TEXT", "array", "call",
           "filled", "matrix", "number", "pointer", "text", "texts_until_none"]
