"""Problems: both samples as the library takes them. A problem is used by one thread at a time."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _options, errors
from ._call import SOURCE, TARGET, Handle, call, matrix, pointer
from ._cells import numbers, person_ids
from .ledger import opened

PRIVATE = {"target": (TARGET,), "source": (SOURCE,), "both": (SOURCE, TARGET), "none": ()}


@dataclass
class Sample:
    """Rows of one domain as the caller gave them: `x` and `y` become arrays later."""

    x: Any
    y: Any = None
    weights: Any = None

    def set_on(self, problem, domain, is_private):
        """Lends the arrays to the problem."""
        call("dpa_problem_lend_sample", problem, domain, matrix(self.x), pointer(self.y),
             0 if self.y is None else len(self.y))
        if self.weights is None:
            return
        weights = np.ascontiguousarray(numbers(self.weights))
        if not is_private and weights.size and not weights.any():
            raise errors.Error("the weights of a public sample are all zero")
        call("dpa_problem_set_weights", problem, domain, pointer(weights), weights.size)


def private_sides(private_domain):
    """Which samples are private, by the option's word; None is its default."""
    word = "target" if private_domain is None else private_domain
    return PRIVATE[_options.choice("private_domain", word, PRIVATE)]


def make(source, target, groups=None, ledger=None, private=()):
    """The handle of a problem. Weights, persons and a ledger come after the samples."""
    problem = Handle("problem", "dpa_problem_create")
    problem.samples = source, target  # the arrays that it reads
    for domain, sample in ((SOURCE, source), (TARGET, target)):
        if sample is not None:
            sample.set_on(problem, domain, domain in private)
    if groups is not None:
        if private != (TARGET,):
            raise errors.Error("groups protect persons of the target: private_domain must be "
                               "target")
        ids = person_ids(groups)
        call("dpa_problem_set_groups", problem, TARGET, pointer(ids), len(ids))
    if ledger is not None:
        if not private:
            raise errors.Error("a ledger is for private records, but private_domain is none")
        call("dpa_problem_use_ledger", problem, opened(ledger).handle)
    return problem
