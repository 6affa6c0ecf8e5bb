"""The cases of cases.txt for tests in Python, and a model that shows which number a value became:
its prediction is the only feature."""

from pathlib import Path
from typing import NamedTuple

import numpy as np


class Case(NamedTuple):
    type: str
    value: str
    answer: str

    def number(self):
        """The number, or None for a missing one."""
        return None if self.answer == "missing" else float(self.answer)

    def is_number(self):
        return self.answer not in ("text", "refused")


def cases():
    lines = Path(__file__).with_name("cases.txt").read_text().splitlines()
    return [Case(*line.split(" ")) for line in lines if line and not line.startswith("#")]


def identity():
    """A model of one feature, of which predictions are a multiple."""
    from dpadapt import AdaptedRegressor

    x = np.arange(-4.0, 5)[:, None]
    fit = AdaptedRegressor(private_domain="none").fit(x, x[:, 0], source=(x, x[:, 0]))
    return fit.solution_


def predicted(model, number):
    """What the library itself predicts for that number."""
    return float(model.apply("labels", np.array([[number]], float))[0])
