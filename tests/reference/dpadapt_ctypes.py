"""The public C API of dpadapt through ctypes, as much of it as the reference tests call.

The shared library is the file named by the environment variable DPADAPT_LIBRARY.
"""

import ctypes
import json
import os
from dataclasses import dataclass

import numpy as np

ROW_MAJOR = 1
HANDLE = ctypes.c_void_p
DOUBLES = ctypes.POINTER(ctypes.c_double)
SIZE = ctypes.c_size_t
SAMPLE = (DOUBLES, SIZE, SIZE, SIZE, ctypes.c_int32)

SIGNATURES = {
    "dpa_options_create": (ctypes.POINTER(HANDLE),),
    "dpa_options_parse": (HANDLE, ctypes.c_char_p, ctypes.c_char_p),
    "dpa_problem_create": (ctypes.POINTER(HANDLE),),
    "dpa_problem_set_source": (HANDLE, *SAMPLE, DOUBLES, SIZE),
    "dpa_problem_lend_source": (HANDLE, *SAMPLE, DOUBLES, SIZE),
    "dpa_problem_lend_target": (HANDLE, *SAMPLE, DOUBLES, SIZE),
    "dpa_problem_set_target": (HANDLE, *SAMPLE, DOUBLES, SIZE),
    "dpa_problem_set_source_weights": (HANDLE, DOUBLES, SIZE),
    "dpa_problem_set_target_weights": (HANDLE, DOUBLES, SIZE),
    "dpa_problem_set_source_groups": (HANDLE, ctypes.POINTER(ctypes.c_int64), SIZE),
    "dpa_problem_set_target_groups": (HANDLE, ctypes.POINTER(ctypes.c_int64), SIZE),
    "dpa_discrepancy_estimate": (HANDLE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_discrepancy_value": (HANDLE, DOUBLES),
    "dpa_discrepancy_bounds": (HANDLE, DOUBLES, DOUBLES),
    "dpa_discrepancy_maximizer": (HANDLE, DOUBLES, SIZE),
    "dpa_discrepancy_maximizer_intercept": (HANDLE, DOUBLES),
    "dpa_solve": (HANDLE, HANDLE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_baseline_solve": (HANDLE, ctypes.c_char_p, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_solution_coefficients": (HANDLE, DOUBLES, SIZE),
    "dpa_solution_intercept": (HANDLE, DOUBLES, SIZE),
    "dpa_solution_source_weights": (HANDLE, DOUBLES, SIZE),
    "dpa_solution_target_weights": (HANDLE, DOUBLES, SIZE),
    "dpa_solution_objective": (HANDLE, DOUBLES),
    "dpa_solution_duality_gap": (HANDLE, DOUBLES),
    "dpa_solution_setting": (HANDLE, ctypes.c_char_p, DOUBLES),
    "dpa_solution_gradient_mapping": (HANDLE, DOUBLES),
    "dpa_solution_shape": (HANDLE, *[ctypes.POINTER(SIZE)] * 4),
    "dpa_solution_target_estimate": (HANDLE, DOUBLES, SIZE),
    "dpa_solution_covariance": (HANDLE, DOUBLES, SIZE),
    "dpa_solution_intervals": (HANDLE, ctypes.c_double, DOUBLES, SIZE),
    "dpa_solution_domain_difference": (HANDLE, DOUBLES, DOUBLES),
    "dpa_solution_predict": (HANDLE, *SAMPLE, DOUBLES, SIZE),
    "dpa_solution_scores": (HANDLE, *SAMPLE, DOUBLES, SIZE),
    "dpa_solution_privacy_report": (HANDLE, ctypes.c_int32, ctypes.c_char_p, SIZE,
                                    ctypes.POINTER(SIZE)),
    "dpa_plan_forecast": (HANDLE, SIZE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_plan_report": (HANDLE, ctypes.c_int32, ctypes.c_char_p, SIZE, ctypes.POINTER(SIZE)),
}


def _load():
    library = ctypes.CDLL(os.environ["DPADAPT_LIBRARY"])
    for name, arguments in SIGNATURES.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = ctypes.c_int32
    for noun in ("options", "problem", "discrepancy", "solution", "plan"):
        destroy = getattr(library, f"dpa_{noun}_destroy")
        destroy.argtypes = (HANDLE,)
        destroy.restype = None
    library.dpa_last_error.restype = ctypes.c_char_p
    library.dpa_baseline_count.restype = SIZE
    library.dpa_baseline_name.restype = ctypes.c_char_p
    library.dpa_baseline_name.argtypes = (SIZE,)
    return library


LIBRARY = _load()


class Error(RuntimeError):
    """A call that returned something else than DPA_OK; the message is dpa_last_error()."""


def _call(name, *arguments):
    if getattr(LIBRARY, name)(*arguments) != 0:
        raise Error(LIBRARY.dpa_last_error().decode())


class _Handle:
    """Owns one handle: made by `name`, which stores it in its last argument."""

    def __init__(self, noun, name, *arguments):
        self.destroy = getattr(LIBRARY, f"dpa_{noun}_destroy")
        self.value = HANDLE()
        _call(name, *arguments, ctypes.byref(self.value))

    def __del__(self):
        self.destroy(self.value)


def _pointer(array):
    return array.ctypes.data_as(DOUBLES)


def _scalar(name, *arguments):
    value = ctypes.c_double()
    _call(name, *arguments, ctypes.byref(value))
    return value.value


def _vector(name, handle, length):
    out = np.empty(length)
    _call(name, handle, _pointer(out), length)
    return out


def _report(name, handle):
    size = SIZE()
    getattr(LIBRARY, name)(handle.value, 0, None, 0, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    _call(name, handle.value, 0, text, size.value, None)
    return json.loads(text.value)


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _options(settings):
    """Options of a test: nothing is private unless the test says so."""
    options = _Handle("options", "dpa_options_create")
    for name, value in {"private_domain": "none", **settings}.items():
        _call("dpa_options_parse", options.value, name.encode(), _text(value).encode())
    return options


def _problem(source, target=None, groups=None, sources=None, lend=False):
    problem = _Handle("problem", "dpa_problem_create")
    problem.lent = []
    for domain, sample in (("source", source), ("target", target)):
        if sample is None:
            continue
        x, y, *weights = sample
        x, y = np.ascontiguousarray(x, float), np.ascontiguousarray(y, float)
        rows, cols = x.shape
        how = "lend" if lend else "set"
        _call(f"dpa_problem_{how}_{domain}", problem.value, _pointer(x), rows, cols, cols,
              ROW_MAJOR, _pointer(y), len(y))
        if lend:
            problem.lent += [x, y]
        for weight in weights:
            weight = np.ascontiguousarray(weight, float)
            _call(f"dpa_problem_set_{domain}_weights", problem.value, _pointer(weight), len(weight))
    for domain, ids in (("source", sources), ("target", groups)):
        if ids is not None:
            ids = np.ascontiguousarray(ids, np.int64)
            _call(f"dpa_problem_set_{domain}_groups", problem.value,
                  ids.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)), len(ids))
    return problem


@dataclass
class Discrepancy:
    value: float
    lower: float
    upper: float
    maximizer: np.ndarray
    intercept: float


def discrepancy(source, target, **settings):
    """Estimates the discrepancy of two samples, each features and labels, and weights if any."""
    problem, options = _problem(source, target), _options(settings)
    estimate = _Handle("discrepancy", "dpa_discrepancy_estimate", problem.value, options.value)
    lower, upper = ctypes.c_double(), ctypes.c_double()
    _call("dpa_discrepancy_bounds", estimate.value, ctypes.byref(lower), ctypes.byref(upper))
    return Discrepancy(
        value=_scalar("dpa_discrepancy_value", estimate.value),
        lower=lower.value,
        upper=upper.value,
        maximizer=_vector("dpa_discrepancy_maximizer", estimate.value, source[0].shape[1]),
        intercept=_scalar("dpa_discrepancy_maximizer_intercept", estimate.value),
    )


@dataclass
class Solution:
    coefficients: np.ndarray
    intercept: float
    source_weights: np.ndarray
    target_weights: np.ndarray
    objective: float
    gap: float
    handle: _Handle

    def setting(self, name):
        return _scalar("dpa_solution_setting", self.handle.value, name.encode())

    def predict(self, x):
        x = np.ascontiguousarray(x, float)
        rows, cols = x.shape
        out = np.empty(rows)
        _call("dpa_solution_predict", self.handle.value, _pointer(x), rows, cols, cols, ROW_MAJOR,
              _pointer(out), rows)
        return out


def solve(source, target, **settings):
    """Fits a predictor to two samples, each features and labels, and weights if any."""
    problem, options = _problem(source, target), _options(settings)
    solution = _Handle("solution", "dpa_solve", problem.value, None, options.value)
    handle = solution.value
    return Solution(
        coefficients=_vector("dpa_solution_coefficients", handle, source[0].shape[1]),
        intercept=_vector("dpa_solution_intercept", handle, 1)[0],
        source_weights=_vector("dpa_solution_source_weights", handle, len(source[1])),
        target_weights=_vector("dpa_solution_target_weights", handle, len(target[1])),
        objective=_scalar("dpa_solution_objective", handle),
        gap=_scalar("dpa_solution_duality_gap", handle),
        handle=solution,
    )


class Predictor:
    """A fit of any loss, private or not: scores of rows, and the report of its privacy. `groups`
    are persons of the target, `sources` tells of which source each source row is."""

    def __init__(self, source, target, groups=None, sources=None, lend=False, **settings):
        problem, options = _problem(source, target, groups, sources, lend), _options(settings)
        self._keep(_Handle("solution", "dpa_solve", problem.value, None, options.value))

    def _keep(self, handle):
        self.handle = handle
        outputs = SIZE()
        _call("dpa_solution_shape", self.handle.value, None, ctypes.byref(outputs), None, None)
        self.outputs = outputs.value

    def _of_rows(self, name, x, outputs):
        x = np.ascontiguousarray(x, float)
        rows, cols = x.shape
        out = np.empty((outputs, rows))
        _call(name, self.handle.value, _pointer(x), rows, cols, cols, ROW_MAJOR, _pointer(out),
              out.size)
        return out.squeeze(axis=0) if outputs == 1 else out.T

    def __call__(self, x):
        """Scores: one a row, or a column for each class."""
        return self._of_rows("dpa_solution_scores", x, self.outputs)

    def predict(self, x):
        """Labels."""
        return self._of_rows("dpa_solution_predict", x, 1)

    def number(self, name):
        """A scalar of the solution, such as "objective"."""
        return _scalar("dpa_solution_" + name, self.handle.value)

    def vector(self, name, length):
        """An array of the solution, such as "coefficients"."""
        return _vector("dpa_solution_" + name, self.handle.value, length)

    def intervals(self, size, confidence=0.95):
        """Lower and upper ends."""
        out = np.empty((2, size))
        _call("dpa_solution_intervals", self.handle.value, confidence, _pointer(out), out.size)
        return out

    def domain_difference(self):
        """Distance and p-value."""
        distance, p_value = ctypes.c_double(), ctypes.c_double()
        _call("dpa_solution_domain_difference", self.handle.value, ctypes.byref(distance),
              ctypes.byref(p_value))
        return distance.value, p_value.value

    def report(self):
        return _report("dpa_solution_privacy_report", self.handle)


class Baseline(Predictor):
    """A method to compare with."""

    def __init__(self, method, source, target, **settings):
        problem, options = _problem(source, target), _options(settings)
        self._keep(_Handle("solution", "dpa_baseline_solve", problem.value, method.encode(),
                           options.value))


def forecast(source, target_rows, **settings):
    """The report of a plan with a forecast of a private target of that size."""
    problem, options = _problem(source), _options({"private_domain": "target", **settings})
    plan = _Handle("plan", "dpa_plan_forecast", problem.value, target_rows, options.value)
    return _report("dpa_plan_report", plan)


def baselines():
    """Names of the methods that the library knows."""
    return [LIBRARY.dpa_baseline_name(index).decode()
            for index in range(LIBRARY.dpa_baseline_count())]


def baseline(method, source, target, **settings):
    return Baseline(method, source, target, **settings)
