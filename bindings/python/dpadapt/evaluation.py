"""Errors of models on labelled rows, public or private, with intervals."""

import ctypes
import itertools
import json
from collections import namedtuple

from . import _options, _problem, errors
from ._call import JSON, TEXT, TARGET, Handle, call, text
from ._library import Measure as _Measure
from ._running import run
from .model import Model

Measure = namedtuple("Measure", "name solution estimate lower upper")
Bin = namedtuple("Bin", "solution from_ to rows estimate lower upper")


class Evaluation:
    """Made by evaluate()."""

    def __init__(self, handle, problem):
        self.handle, self.problem = handle, problem

    def _all(self):
        for place in itertools.count():
            one = _Measure()
            call("dpa_evaluation_measure", self.handle, place, ctypes.byref(one))
            if one.name is None:
                return
            yield one

    @property
    def measures(self):
        """All measures of all models, each with its interval."""
        return [Measure(one.name.decode(), one.solution, one.estimate, one.lower, one.upper)
                for one in self._all() if one.name not in (b"calibration", b"clipped_share")]

    @property
    def calibration(self):
        """Of two classes: the share of positive labels in bins of the predicted probability."""
        return [Bin(one.solution, one.from_, one.to, one.rows, one.estimate, one.lower, one.upper)
                for one in self._all() if one.name == b"calibration"]

    @property
    def notes(self):
        """What readers must know first, a sentence for each model that it is about."""
        return [f"Model {one.solution}: {one.note.decode()}" for one in self._all() if one.note]

    def __getitem__(self, name):
        """The measure of that name of the first model."""
        measures = self.measures
        for one in measures:
            if one.name == name:
                return one
        raise KeyError(f"no measure is called {name!r}: there are "
                       f"{', '.join(dict.fromkeys(one.name for one in measures))}")

    def report(self):
        return json.loads(text("dpa_evaluation_report", self.handle, JSON))

    def privacy_report(self):
        """What the evaluation has cost."""
        return json.loads(text("dpa_problem_privacy_report", self.problem, JSON))

    def __str__(self):
        return text("dpa_evaluation_report", self.handle, TEXT)


def _unseen_rows(model, X, y, groups, ledger, settings, weights=None):
    """A problem with the rows as target, and the options of a call about them."""
    private = _problem.private_sides(settings["private_domain"])
    _options.refuse_unread(settings, "evaluations", private)
    x, codes = model.rows(X, y, TARGET in private)
    problem = _problem.make(None, _problem.Sample(x, codes, weights), groups, ledger, private)
    return problem, _options.make(settings)


def calibrate(model, X, y, *, private_domain="target", ledger=None, groups=None, verbose=False,
              **settings):
    """A Model with prediction intervals, from a fitted estimator or Model and rows that it was not
    fitted on.

    Private rows (the default) need epsilon and delta; numbers of rows by the size of their error
    are released with noise. Model.calibration says what is promised.
    """
    _options.refuse_unknown(settings, "calibrate")
    found = getattr(model, "solution_", model)
    if not isinstance(found, Model):
        raise TypeError("model must be a fitted estimator of dpadapt, or a Model")
    problem, made = _unseen_rows(found, X, y, groups, ledger,
                                 {**settings, "private_domain": private_domain})
    handle = run(lambda: Handle("solution", "dpa_solution_calibrate", found.handle, problem, made),
                 made, verbose)
    return Model(handle, found.schema, found.classes, found.codes)


def evaluate(models, X, y, sample_weight=None, *, private_domain="target", ledger=None,
             groups=None, verbose=False, **settings):
    """Errors of a fitted estimator or Model, or of several, on rows that none was fitted on.

    Private rows (the default) need epsilon and delta; the errors are released with noise.
    sample_weight, of public rows, makes the errors weighted means.
    """
    _options.refuse_unknown(settings, "evaluate")
    several = models if isinstance(models, (list, tuple)) else [models]
    if not several:
        raise errors.make("DPA_E_EMPTY", "there are no models")
    found = [getattr(one, "solution_", one) for one in several]
    if not all(isinstance(one, Model) for one in found):
        raise TypeError("models must be fitted estimators of dpadapt, or Models")
    first = found[0].schema
    if any((one.schema and str(one.schema)) != (first and str(first)) for one in found):
        raise errors.Error("these models read columns differently: evaluate them one by one")
    if any(one.meaning_of_labels != found[0].meaning_of_labels for one in found):
        raise errors.Error("these models have different classes: evaluate them one by one")
    problem, made = _unseen_rows(found[0], X, y, groups, ledger,
                                 {**settings, "private_domain": private_domain}, sample_weight)
    handles = (ctypes.c_void_p * len(found))(*[one.handle.value for one in found])
    handle = run(lambda: Handle("evaluation", "dpa_evaluate", problem, handles, len(found), made),
                 made, verbose)
    return Evaluation(handle, problem)
