"""Plans: what a private call would release, at which price. No private row is read."""

import json

import numpy as np

from . import _options, _problem, errors
from ._call import JSON, TEXT, Handle, number, text
from ._cells import numbers
from ._running import run


class Plan:
    """Made by plan(), forecast() or an estimator's plan(). Immutable: threads may share it."""

    def __init__(self, handle):
        self.handle = handle

    def value(self, name):
        """A number, such as "mu", "steps" or "noise_multiplier"."""
        return number("dpa_plan_value", self.handle, name)

    def epsilon(self, delta):
        """The smallest epsilon at that delta."""
        return number("dpa_plan_epsilon", self.handle, float(delta))

    def report(self):
        return json.loads(text("dpa_plan_report", self.handle, JSON))

    def forecast_value(self, cell, name):
        """A number of a forecast's cell, such as "private" or "rows_to_beat_source"."""
        return number("dpa_plan_forecast_value", self.handle, cell, name)

    def __str__(self):
        return text("dpa_plan_report", self.handle, TEXT)


def plan(source_rows, target_rows, features, **settings):
    """What a private fit of these sizes would release.

    >>> round(plan(2000, 2000, 1, epsilon=1, delta=1e-5).value("noise_multiplier"), 1)
    17.8
    """
    _options.refuse_unknown(settings, "plan")
    return Plan(Handle("plan", "dpa_plan_create", source_rows, target_rows, features,
                       _options.make(settings)))


def forecast(source, target_rows, verbose=False, **settings):
    """The error of a private fit to so many target rows, by simulation on a public source of
    numbers, (X, y)."""
    _options.refuse_unknown(settings, "forecast")
    x, y = (np.ascontiguousarray(numbers(part)) for part in source)
    if x.ndim != 2:
        raise errors.make("DPA_E_DIMENSION", "features must be a matrix")
    problem = _problem.make(_problem.Sample(x, y), None)
    made = _options.make(settings)
    return Plan(run(lambda: Handle("plan", "dpa_plan_forecast", problem, target_rows, made), made,
                    verbose))
