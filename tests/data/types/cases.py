"""The cases of cases.txt for tests in Python, and a model that shows which number a value became:
its prediction is the only feature."""

import ctypes
from pathlib import Path
from typing import NamedTuple


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


def identity(passes):
    """A solution of one feature, of which predictions are a multiple, and its bytes."""
    problem, options = passes._handle("dpa_problem_create"), passes._handle("dpa_options_create")
    x = passes._doubles([[float(i)] for i in range(-4, 5)])
    y = passes._doubles(x[:, 0] * 1.0)
    passes._call("dpa_options_parse", options, b"private_domain", b"none")
    for domain in (passes._SOURCE, passes._TARGET):
        passes._call("dpa_problem_set_sample", problem, domain, *passes._rows(x, y))
    solution = passes._handle("dpa_solve", problem, None, options)
    passes._lib.dpa_problem_destroy(problem)
    passes._lib.dpa_options_destroy(options)
    return solution, passes._bytes("dpa_solution_serialize", solution, ctypes.c_int32(0))


def predicted(passes, solution, number):
    """What the library itself predicts for that number."""
    x, out = passes._doubles([[number]]), passes._doubles([0.0])
    labels = ctypes.c_int32(0)
    passes._call("dpa_solution_predict", solution, labels, *passes._rows(x, out))
    return float(out[0])
