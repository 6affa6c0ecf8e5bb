"""Private fits of rows that stay where they are, through libdpadapt and ctypes.

A worker calls carry_out(request, batches) where the rows are; the driver calls fit(...) with a
function that has each request carried out and returns the sums. Requests are public; sums are as
private as the rows, until the library has added its noise.
"""

import ctypes
import os

import numpy as np

_lib = ctypes.CDLL(os.environ.get("DPADAPT_LIBRARY", "libdpadapt.so"))
_lib.dpa_last_error.restype = ctypes.c_char_p
_lib.dpa_status_string.restype = ctypes.c_char_p

_PASS = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t, ctypes.c_void_p,
    ctypes.c_void_p,
)
_SOURCE, _TARGET = ctypes.c_int32(0), ctypes.c_int32(1)
_ROW_MAJOR = 1
for _name in ("problem", "options", "solution", "partial"):
    getattr(_lib, f"dpa_{_name}_destroy").argtypes = [ctypes.c_void_p]
    getattr(_lib, f"dpa_{_name}_destroy").restype = None


def _call(function, *arguments):
    """Calls a function of the library; its message is the exception's."""
    if getattr(_lib, function)(*arguments) != 0:
        raise RuntimeError(_lib.dpa_last_error().decode())


def _handle(function, *arguments):
    handle = ctypes.c_void_p()
    _call(function, *arguments, ctypes.byref(handle))
    return handle


def _bytes(function, *arguments):
    """The bytes that a *_serialize writes."""
    needed = ctypes.c_size_t()
    getattr(_lib, function)(*arguments, None, ctypes.c_size_t(0), ctypes.byref(needed))
    out = (ctypes.c_uint8 * needed.value)()
    _call(function, *arguments, out, needed, None)
    return bytes(out)


class _Matrix(ctypes.Structure):
    """A dpa_matrix."""

    _fields_ = [("data", ctypes.c_void_p), ("rows", ctypes.c_size_t), ("cols", ctypes.c_size_t),
                ("leading_dimension", ctypes.c_size_t), ("layout", ctypes.c_int32)]


def _rows(x, y):
    """The arguments of rows; the arrays must stay alive during the call."""
    rows, cols = x.shape
    return (_Matrix(x.ctypes.data, rows, cols, cols, _ROW_MAJOR),
            y.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(y)))


def _doubles(values):
    return np.ascontiguousarray(values, dtype=np.float64)


def carry_out(request, batches, part=None):
    """The sum of a request over batches of rows (features, labels), as bytes. A number for `part`
    names the rows, so that they cannot be counted twice."""
    partial = _handle("dpa_partial_create", request, ctypes.c_size_t(len(request)))
    try:
        if part is not None:
            _call("dpa_partial_name", partial, ctypes.c_uint64(part))
        for x, y in batches:
            x, y = _doubles(x), _doubles(y)
            _call("dpa_partial_add", partial, *_rows(x, y), None, ctypes.c_size_t(0))
        return _bytes("dpa_partial_serialize", partial)
    finally:
        _lib.dpa_partial_destroy(partial)


def fit(source_x, source_y, rows, carry_out_everywhere, **options):
    """Adapts a predictor to `rows` private target records. carry_out_everywhere(request) returns
    the sums of parts that have each record once, in any order. Returns coefficients, intercept and
    the saved predictor."""
    x, y = _doubles(source_x), _doubles(source_y)

    def set_source(problem, _failures):
        _call("dpa_problem_set_sample", problem, _SOURCE, *_rows(x, y))

    return _fit(set_source, x.shape[1], rows, carry_out_everywhere, options)


def fit_to_rows_elsewhere(source_rows, columns, carry_out_source, rows, carry_out_everywhere,
                          **options):
    """The same with a public source of which no row need be here: carry_out_source(request) returns
    the sums of its parts."""
    kept = []  # functions of the problem must live as long as it

    def set_source(problem, failures):
        kept.append(_answer(carry_out_source, failures))
        _call("dpa_problem_set_passes", problem, _SOURCE, ctypes.c_size_t(source_rows),
              ctypes.c_size_t(columns), kept[0], None)

    return _fit(set_source, columns, rows, carry_out_everywhere, options)


def _answer(carry_out_everywhere, failures):
    @_PASS
    def answer(request, size, total, _user):
        try:
            for part in carry_out_everywhere(ctypes.string_at(request, size)):
                _call("dpa_partial_merge", ctypes.c_void_p(total), part, ctypes.c_size_t(len(part)))
            return 0
        except Exception as error:  # must not cross the C frames
            failures.append(error)
            return 1

    return answer


def _fit(set_source, columns, rows, carry_out_everywhere, options):
    failures = []
    answer = _answer(carry_out_everywhere, failures)
    handles = []
    try:
        handles.append(settings := _handle("dpa_options_create"))
        handles.append(problem := _handle("dpa_problem_create"))
        for name, value in options.items():
            _call("dpa_options_parse", settings, name.encode(), str(value).encode())
        set_source(problem, failures)
        _call("dpa_problem_set_passes", problem, _TARGET, ctypes.c_size_t(rows),
              ctypes.c_size_t(columns), answer, None)
        handles.append(solution := _handle("dpa_solve", problem, None, settings))
        coefficients, intercept = np.empty(columns), np.empty(1)
        for name, out in ((b"coefficients", coefficients), (b"intercept", intercept)):
            _call("dpa_solution_array", solution, name, out.ctypes.data_as(ctypes.c_void_p),
                  ctypes.c_size_t(len(out)))
        without_weights = ctypes.c_int32(0)
        return coefficients, intercept[0], _bytes("dpa_solution_serialize", solution,
                                                  without_weights)
    except RuntimeError as error:
        raise (failures or [error])[0] from None
    finally:
        for destroy, handle in zip(("options", "problem", "solution"), handles):
            getattr(_lib, f"dpa_{destroy}_destroy")(handle)
