"""The public C API of dpadapt through ctypes, as much of it as the reference tests call.

The shared library is the file named by the environment variable DPADAPT_LIBRARY.
"""

import ctypes
import itertools
import json
import os
from dataclasses import dataclass

import numpy as np

ROW_MAJOR = 1
HANDLE = ctypes.c_void_p
DOUBLES = ctypes.POINTER(ctypes.c_double)
SIZE = ctypes.c_size_t
INT = ctypes.c_int32
NAME = ctypes.c_char_p
DOMAINS = {"source": 0, "target": 1}
PREDICTIONS = {"labels": 0, "scores": 1, "probabilities": 2, "coordinates": 3}


class Matrix(ctypes.Structure):
    """A dpa_matrix of rows without gaps; the array must stay alive during the call."""

    _fields_ = [("data", DOUBLES), ("rows", SIZE), ("cols", SIZE), ("leading_dimension", SIZE),
                ("layout", INT)]

    def __init__(self, x):
        rows, cols = x.shape
        super().__init__(x.ctypes.data_as(DOUBLES), rows, cols, cols, ROW_MAJOR)


SIGNATURES = {
    "dpa_options_create": (ctypes.POINTER(HANDLE),),
    "dpa_options_parse": (HANDLE, ctypes.c_char_p, ctypes.c_char_p),
    "dpa_problem_create": (ctypes.POINTER(HANDLE),),
    "dpa_problem_set_sample": (HANDLE, INT, Matrix, DOUBLES, SIZE),
    "dpa_problem_lend_sample": (HANDLE, INT, Matrix, DOUBLES, SIZE),
    "dpa_problem_set_weights": (HANDLE, INT, DOUBLES, SIZE),
    "dpa_problem_set_groups": (HANDLE, INT, ctypes.POINTER(ctypes.c_int64), SIZE),
    "dpa_discrepancy_estimate": (HANDLE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_discrepancy_value": (HANDLE, NAME, DOUBLES),
    "dpa_discrepancy_maximizer": (HANDLE, DOUBLES, SIZE),
    "dpa_solve": (HANDLE, HANDLE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_baseline_solve": (HANDLE, ctypes.c_char_p, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_solution_array": (HANDLE, NAME, DOUBLES, SIZE),
    "dpa_solution_value": (HANDLE, NAME, DOUBLES),
    "dpa_solution_shape": (HANDLE, *[ctypes.POINTER(SIZE)] * 4),
    "dpa_solution_intervals": (HANDLE, ctypes.c_double, DOUBLES, SIZE),
    "dpa_solution_predict": (HANDLE, INT, Matrix, DOUBLES, SIZE),
    "dpa_solution_calibrate": (HANDLE, HANDLE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_solution_predict_interval": (HANDLE, ctypes.c_double, Matrix, DOUBLES, SIZE),
    "dpa_solution_survival": (HANDLE, ctypes.c_double, Matrix, DOUBLES, SIZE, DOUBLES, SIZE),
    "dpa_solution_privacy_report": (HANDLE, ctypes.c_int32, ctypes.c_char_p, SIZE,
                                    ctypes.POINTER(SIZE)),
    "dpa_votes_shard": (ctypes.POINTER(ctypes.c_int64), SIZE, SIZE, DOUBLES, SIZE),
    "dpa_votes_mean": (HANDLE, Matrix, ctypes.c_double, ctypes.c_double, HANDLE, DOUBLES, SIZE,
                       DOUBLES),
    "dpa_evaluate": (HANDLE, ctypes.POINTER(HANDLE), SIZE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_evaluation_report": (HANDLE, ctypes.c_int32, ctypes.c_char_p, SIZE,
                              ctypes.POINTER(SIZE)),
    "dpa_select": (HANDLE, ctypes.POINTER(HANDLE), SIZE, HANDLE, ctypes.POINTER(SIZE)),
    "dpa_plan_forecast": (HANDLE, SIZE, HANDLE, ctypes.POINTER(HANDLE)),
    "dpa_inspect_private": (HANDLE, HANDLE, ctypes.c_char_p, SIZE, ctypes.POINTER(SIZE)),
    "dpa_plan_report": (HANDLE, ctypes.c_int32, ctypes.c_char_p, SIZE, ctypes.POINTER(SIZE)),
}


def _load():
    library = ctypes.CDLL(os.environ["DPADAPT_LIBRARY"])
    for name, arguments in SIGNATURES.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = ctypes.c_int32
    for noun in ("options", "problem", "discrepancy", "solution", "plan", "evaluation"):
        destroy = getattr(library, f"dpa_{noun}_destroy")
        destroy.argtypes = (HANDLE,)
        destroy.restype = None
    library.dpa_last_error.restype = ctypes.c_char_p
    library.dpa_baseline_text.restype = NAME
    library.dpa_baseline_text.argtypes = (SIZE, NAME)
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


def _scalar(function, handle, name):
    value = ctypes.c_double()
    _call(function, handle, name.encode(), ctypes.byref(value))
    return value.value


def _vector(function, handle, *name, length):
    out = np.empty(length)
    _call(function, handle, *(one.encode() for one in name), _pointer(out), length)
    return out


def _predict(handle, what, x, outputs):
    """One number a row, or a column for each output."""
    x = np.ascontiguousarray(x, float)
    out = np.empty((outputs, len(x)))
    _call("dpa_solution_predict", handle, PREDICTIONS[what], Matrix(x), _pointer(out), out.size)
    return out.squeeze(axis=0) if outputs == 1 else out.T


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
        how = "lend" if lend else "set"
        _call(f"dpa_problem_{how}_sample", problem.value, DOMAINS[domain], Matrix(x), _pointer(y),
              len(y))
        if lend:
            problem.lent += [x, y]
        for weight in weights:
            weight = np.ascontiguousarray(weight, float)
            _call("dpa_problem_set_weights", problem.value, DOMAINS[domain], _pointer(weight),
                  len(weight))
    for domain, ids in (("source", sources), ("target", groups)):
        if ids is not None:
            ids = np.ascontiguousarray(ids, np.int64)
            _call("dpa_problem_set_groups", problem.value, DOMAINS[domain],
                  ids.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)), len(ids))
    return problem


@dataclass
class Discrepancy:
    value: float
    lower: float
    upper: float
    maximizer: np.ndarray
    intercept: float


def labelled_bound(source, target_x, disagreement, **settings):
    """Of the labelled discrepancy by the unlabelled one, the value of that, and its noise."""
    target = target_x, np.full(len(target_x), np.nan)
    problem = _problem(source, target)
    options = _options({"discrepancy_kind": "unlabelled",
                        "labelling_disagreement": repr(float(disagreement)), **settings})
    estimate = _Handle("discrepancy", "dpa_discrepancy_estimate", problem.value, options.value)
    return [_scalar("dpa_discrepancy_value", estimate.value, name)
            for name in ("labelled_bound", "value", "deviation")]


def discrepancy(source, target, **settings):
    """Estimates the discrepancy of two samples, each features and labels, and weights if any."""
    problem, options = _problem(source, target), _options(settings)
    estimate = _Handle("discrepancy", "dpa_discrepancy_estimate", problem.value, options.value)
    numbers = {name: _scalar("dpa_discrepancy_value", estimate.value, name)
               for name in ("value", "lower", "upper", "intercept")}
    return Discrepancy(
        maximizer=_vector("dpa_discrepancy_maximizer", estimate.value, length=source[0].shape[1]),
        **numbers,
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
        return _scalar("dpa_solution_value", self.handle.value, name)

    def predict(self, x):
        return _predict(self.handle.value, "labels", x, 1)


def solve(source, target, **settings):
    """Fits a predictor to two samples, each features and labels, and weights if any."""
    problem, options = _problem(source, target), _options(settings)
    solution = _Handle("solution", "dpa_solve", problem.value, None, options.value)
    handle = solution.value

    def array(name, length):
        return _vector("dpa_solution_array", handle, name, length=length)

    return Solution(
        coefficients=array("coefficients", source[0].shape[1]),
        intercept=array("intercept", 1)[0],
        source_weights=array("source_weights", len(source[1])),
        target_weights=array("target_weights", len(target[1])),
        objective=_scalar("dpa_solution_value", handle, "objective"),
        gap=_scalar("dpa_solution_value", handle, "duality_gap"),
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

    def __call__(self, x):
        """Scores: one a row, or a column for each class."""
        return _predict(self.handle.value, "scores", x, self.outputs)

    def predict(self, x):
        """Labels."""
        return _predict(self.handle.value, "labels", x, 1)

    def number(self, name):
        """A scalar of the solution, such as "objective"."""
        return _scalar("dpa_solution_value", self.handle.value, name)

    def vector(self, name, length):
        """An array of the solution, such as "coefficients"."""
        return _vector("dpa_solution_array", self.handle.value, name, length=length)

    def intervals(self, size, confidence=0.95):
        """Lower and upper ends."""
        out = np.empty((2, size))
        _call("dpa_solution_intervals", self.handle.value, confidence, _pointer(out), out.size)
        return out

    def calibrated(self, rows, source=None, **settings):
        """The same with prediction intervals, from rows that it has not seen."""
        problem, options = _problem(source, rows), _options(settings)
        made = Predictor.__new__(Predictor)
        made._keep(_Handle("solution", "dpa_solution_calibrate", self.handle.value, problem.value,
                           options.value))
        return made

    def predict_interval(self, x, level):
        """Lower and upper ends; of classes a row for each."""
        x = np.ascontiguousarray(x, float)
        out = np.empty((max(self.outputs, 2), len(x)))
        _call("dpa_solution_predict_interval", self.handle.value, level, Matrix(x), _pointer(out),
              out.size)
        return out

    def survival(self, x, times, confidence=0.0):
        """Probabilities, a row for each time; with a confidence lower and upper ends of them."""
        x, times = np.ascontiguousarray(x, float), np.ascontiguousarray(times, float)
        out = np.empty(((2,) if confidence else ()) + (len(times), len(x)))
        _call("dpa_solution_survival", self.handle.value, confidence, Matrix(x), _pointer(times),
              len(times), _pointer(out), out.size)
        return out

    def domain_difference(self):
        """Distance and p-value."""
        return self.number("domain_distance"), self.number("domain_p_value")

    def report(self):
        return _report("dpa_solution_privacy_report", self.handle)

    def findings(self):
        """Sentences about what the private rows did."""
        size = SIZE()
        LIBRARY.dpa_solution_findings(self.handle.value, None, None, SIZE(0), ctypes.byref(size))
        out = ctypes.create_string_buffer(size.value)
        _call("dpa_solution_findings", self.handle.value, None, out, size, None)
        return out.value.decode().splitlines()


def evaluate(fits, rows, source=None, **settings):
    """The report of the fits' errors on rows, features and labels, and weights if any."""
    problem, options = _problem(source, rows), _options(settings)
    handles = (HANDLE * len(fits))(*[fit.handle.value for fit in fits])
    return _report("dpa_evaluation_report", _Handle(
        "evaluation", "dpa_evaluate", problem.value, handles, len(fits), options.value))


def select(fits, rows, **settings):
    """Index of the best of the fits by these rows."""
    problem, options = _problem(None, rows), _options(settings)
    handles = (HANDLE * len(fits))(*[fit.handle.value for fit in fits])
    chosen = SIZE()
    _call("dpa_select", problem.value, handles, len(fits), options.value, ctypes.byref(chosen))
    return chosen.value


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


def slips(source, target, **settings):
    """What an inspection by the custodian finds."""
    problem, options = _problem(source, target), _options(settings)
    out = ctypes.create_string_buffer(1 << 20)
    _call("dpa_inspect_private", problem.value, options.value, out, len(out), None)
    return out.value.decode().splitlines()


def shards(rows, teachers):
    """The teacher of each row."""
    out = np.empty(rows)
    _call("dpa_votes_shard", None, 0, teachers, _pointer(out), rows)
    return out


def mean_votes(answers, low, high, **settings):
    """The mean answer of teachers, a row each, to each query, with noise."""
    answers, options = np.ascontiguousarray(answers, float), _options(settings)
    problem, out = _Handle("problem", "dpa_problem_create"), np.empty(answers.shape[1])
    _call("dpa_votes_mean", problem.value, Matrix(answers), low, high, options.value, _pointer(out),
          out.size, None)
    return out


def baselines():
    """Names of the methods that the library knows."""
    names = (LIBRARY.dpa_baseline_text(index, b"name") for index in itertools.count())
    return [name.decode() for name in itertools.takewhile(bool, names)]


def baseline(method, source, target, **settings):
    return Baseline(method, source, target, **settings)
