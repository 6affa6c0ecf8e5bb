"""Everything that the library tells of a saved solution, as values that JSON can hold."""

import ctypes
import hashlib

import numpy as np

from dpadapt_ctypes import HANDLE, LIBRARY, ROW_MAJOR, SIZE

ROWS = np.array([[0.0, 0.0], [1.5, -0.5], [-2.0, 0.25], [0.3, 3.0]])
DOUBLES = ctypes.POINTER(ctypes.c_double)


def _call(name, *arguments):
    return getattr(LIBRARY, name)(*arguments)


def _array(name, handle, length, *arguments):
    """The status if the call fails, else the numbers."""
    out = np.empty(length)
    status = _call(name, handle, *arguments, out.ctypes.data_as(DOUBLES), SIZE(length))
    return out.tolist() if status == 0 else status


def _number(name, handle, *arguments, of=ctypes.c_double):
    value = of()
    status = _call(name, handle, *arguments, ctypes.byref(value))
    return value.value if status == 0 else {"status": status}


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
    dimension = _number("dpa_solution_dimension", handle, of=SIZE)
    sample = (ROWS.ctypes.data_as(DOUBLES), SIZE(len(ROWS)), SIZE(features), SIZE(features),
              ctypes.c_int32(ROW_MAJOR))
    count = _number("dpa_solution_parameter_count", handle, of=SIZE)
    promise = [ctypes.c_int32(), ctypes.c_double(), ctypes.c_double()]
    _call("dpa_solution_privacy", handle, *map(ctypes.byref, promise))
    LIBRARY.dpa_solution_loss.restype = ctypes.c_char_p
    return {
        "loss": LIBRARY.dpa_solution_loss(handle).decode(),
        "shape": shape,
        "dimension": dimension,
        "settings": {name: _number("dpa_solution_setting", handle, name.encode())
                     for name in settings},
        **{name: _number("dpa_solution_" + name, handle)
           for name in ("objective", "duality_gap", "gradient_mapping")},
        "iterations": _number("dpa_solution_iterations", handle, of=ctypes.c_int64),
        "termination": _number("dpa_solution_termination", handle, of=ctypes.c_int32),
        "coefficients": _array("dpa_solution_coefficients", handle, features * outputs),
        "intercept": _array("dpa_solution_intercept", handle, outputs),
        "parameters": count if isinstance(count, dict)
        else _array("dpa_solution_parameters", handle, count),
        "source_weights": _array("dpa_solution_source_weights", handle, source_rows),
        "target_weights": _array("dpa_solution_target_weights", handle, target_rows),
        "scores": _array("dpa_solution_scores", handle, len(ROWS) * outputs, *sample),
        "probabilities": _array("dpa_solution_probabilities", handle, len(ROWS) * outputs, *sample),
        "predict": _array("dpa_solution_predict", handle, len(ROWS), *sample),
        "transform": _array("dpa_solution_transform", handle, len(ROWS) * dimension, *sample),
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
