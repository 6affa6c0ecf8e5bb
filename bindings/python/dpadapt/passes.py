"""Private fits of rows that stay where they are: in a database, on a cluster, in files.

A fit asks for exact sums over the rows, a few dozen times, and who has the rows answers each
request by carry_out(). Requests are public; sums are as private as the rows, until the library has
added its noise. The page docs/embedding.md has examples; dpadapt.duckdb and dpadapt.spark fit whole
relations.
"""

import ctypes

import numpy as np

from . import _options, _problem, errors
from ._call import Handle, call, filled, matrix, pointer
from ._cells import column, numbers, private_matrix
from ._library import PASS
from ._running import solve
from ._tables import refuse_names
from .model import Model


class Elsewhere:
    """Rows that are not here: their number, which is public, and that of their features.

    answer(request) returns sums of carry_out() that have each row once, in any order.
    """

    def __init__(self, rows, columns, answer):
        self.rows, self.columns, self.answer, self.failure = rows, columns, answer, None

    def set_on(self, problem, domain, _is_private):
        """Makes the rows a sample of the problem."""
        @PASS
        def answer(request, size, total, _user):
            try:
                for part in self.answer(ctypes.string_at(request, size)):
                    call("dpa_partial_merge", total, part, len(part))
                return 0
            except BaseException as error:  # must not cross the frames of C
                self.failure = error
                return 1

        problem.kept = (*getattr(problem, "kept", ()), answer)  # lives as long as the problem
        call("dpa_problem_set_passes", problem, domain, self.rows, self.columns, answer, None)


def carry_out(request, batches, part=None, schema=None):
    """The sum of a request over batches of rows, as bytes.

    A batch is (features, labels), arrays in the order of the fit, or with a Schema a table or batch
    of Arrow that has the columns.
    A number for `part` names the rows, so that they cannot be counted twice.
    """
    partial = Handle("partial", "dpa_partial_create", request, len(request))
    if part is not None:
        call("dpa_partial_name", partial, part)
    for batch in batches:
        x, y = schema.rows_of_types(batch) if schema else _arrays(*batch)
        call("dpa_partial_add", partial, matrix(x), pointer(y), len(y), None, 0)
    return filled("dpa_partial_serialize", partial)


def fit(source, target, *, baseline=None, ledger=None, verbose=False, **settings):
    """A Model of a private target, an Elsewhere, with the help of a public source: (X, y) or
    (X, y, weights), arrays of numbers, or an Elsewhere as well."""
    _options.refuse_unknown(settings, "fit")
    if not isinstance(source, Elsewhere):
        refuse_names(source[0])
        source = _problem.Sample(*_arrays(np.asarray(source[0]), source[1]), *source[2:])
    return Model(solution(source, target, _options.make(settings), settings.get("private_domain"),
                          baseline, ledger, verbose))


def solution(source, target, options, private_domain, baseline, ledger, verbose):
    """The handle of a fit's solution. The exception of an answer comes out as it is."""
    problem = _problem.make(source, target, None, ledger, _problem.private_sides(private_domain))
    try:
        return solve(problem, options, baseline, verbose)
    except errors.Error:
        for sample in (source, target):
            if getattr(sample, "failure", None) is not None:
                raise sample.failure from None
        raise


def _arrays(x, y):
    refuse_names(x)
    return private_matrix(x, None), np.ascontiguousarray(numbers(column(y, "y")))
