"""Everything that the library tells of a saved solution, as values that JSON can hold."""

import ctypes
import hashlib

import numpy as np

from dpadapt_ctypes import HANDLE, LIBRARY, PREDICTIONS, SIZE, Matrix

ROWS = np.array([[0.0, 0.0], [1.5, -0.5], [-2.0, 0.25], [0.3, 3.0]])
DOUBLES = ctypes.POINTER(ctypes.c_double)


def _call(name, *arguments):
    return getattr(LIBRARY, name)(*arguments)


def _filled(length, function, *arguments):
    """The status if the call fails, else the numbers."""
    out = np.empty(int(length))
    status = _call(function, *arguments, out.ctypes.data_as(DOUBLES), SIZE(out.size))
    return out.tolist() if status == 0 else status


def _array(name, handle, length):
    return _filled(length, "dpa_solution_array", handle, name.encode())


def _rows(what, handle, width):
    return _filled(len(ROWS) * width, "dpa_solution_predict", handle,
                   ctypes.c_int32(PREDICTIONS[what]), Matrix(ROWS))


def _number(name, handle, of=float):
    value = ctypes.c_double()
    status = _call("dpa_solution_value", handle, name.encode(), ctypes.byref(value))
    return of(value.value) if status == 0 else {"status": status}


def _report(handle, form):
    size = SIZE()
    _call("dpa_solution_privacy_report", handle, ctypes.c_int32(form), None, SIZE(0),
          ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    _call("dpa_solution_privacy_report", handle, ctypes.c_int32(form), text, size, None)
    return hashlib.sha256(text.value).hexdigest()


def _shape(handle):
    sizes = [SIZE() for _ in range(4)]
    _call("dpa_solution_shape", handle, *map(ctypes.byref, sizes))
    return [size.value for size in sizes]


def facts_of_handle(handle, settings):
    features, outputs, source_rows, target_rows = shape = _shape(handle)
    dimension = _number("dimension", handle, of=int)
    count = _number("parameters", handle, of=int)
    promise = [ctypes.c_int32(), ctypes.c_double(), ctypes.c_double()]
    _call("dpa_solution_privacy", handle, *map(ctypes.byref, promise))
    loss = ctypes.create_string_buffer(32)
    _call("dpa_solution_text", handle, b"loss", loss, SIZE(32), None)
    return {
        "loss": loss.value.decode(),
        "shape": shape,
        "dimension": dimension,
        "settings": {name: _number(name, handle) for name in settings},
        **{name: _number(name, handle)
           for name in ("objective", "duality_gap", "gradient_mapping")},
        **{name: _number(name, handle, of=int) for name in ("iterations", "termination")},
        "coefficients": _array("coefficients", handle, features * outputs),
        "intercept": _array("intercept", handle, outputs),
        "parameters": count if isinstance(count, dict) else _array("parameters", handle, count),
        "source_weights": _array("source_weights", handle, source_rows),
        "target_weights": _array("target_weights", handle, target_rows),
        "scores": _rows("scores", handle, outputs),
        "probabilities": _rows("probabilities", handle, outputs),
        "predict": _rows("labels", handle, 1),
        "transform": _rows("coordinates", handle, dimension),
        "privacy": [value.value for value in promise],
        "reports": [_report(handle, form) for form in (0, 1)],
    }


class Unreadable(RuntimeError):
    """The bytes are refused; the message is dpa_last_error()."""


def facts_of_bytes(saved, settings):
    handle = HANDLE()
    if _call("dpa_solution_deserialize", saved, SIZE(len(saved)), ctypes.byref(handle)) != 0:
        raise Unreadable(LIBRARY.dpa_last_error().decode())
    handle = HANDLE(handle.value)
    try:
        return facts_of_handle(handle, settings)
    finally:
        LIBRARY.dpa_solution_destroy(handle)
