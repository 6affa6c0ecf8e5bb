"""Any model, adapted privately: teachers on disjoint shards, and their answers with noise. The page
docs/python.md has an example."""

import ctypes
import json
from collections import namedtuple

import numpy as np

from . import _options, _problem
from ._call import JSON, call, pointer, text
from ._cells import numbers, own_ids
from ._running import run

Votes = namedtuple("Votes", "values deviation privacy")
Votes.__doc__ = "Made by release_votes()."
Votes.values.__doc__ = "Mean answers, one a query; or counts, a row a query and a column a class."
Votes.deviation.__doc__ = "Standard deviation of the noise of each of these numbers."
Votes.privacy.__doc__ = "The privacy report: what is promised, and what it has cost."


def shards(rows, teachers, groups=None):
    """Which of so many teachers each of the private rows trains, counted from 0.

    With groups, which tell whose rows they are, a person has one teacher.
    """
    ids = None if groups is None else own_ids(groups)
    if ids is not None and len(ids) != rows:
        raise ValueError(f"groups must have {rows} entries, but have {len(ids)}")
    out = np.empty(rows)
    known = 0 if ids is None else len(ids)
    call("dpa_votes_shard", pointer(ids), known, teachers, pointer(out), rows)
    return out.astype(int)


def release_votes(answers, *, classes=None, low=None, high=None, private_domain="target",
                  ledger=None, verbose=False, **settings):
    """The answers of teachers, a row for each and a column for each public query, with noise.

    Either the number of classes is given, and answers are numbers of classes from 0 on, or low and
    high, between which all answers are. Private rows (the default) need epsilon and delta. With
    unit="person" the promise is about persons: then shards need groups.
    """
    _options.refuse_unknown(settings, "release_votes")
    if (classes is None) == (low is None or high is None):
        raise TypeError("release_votes needs either classes, or low and high")
    private = _problem.private_sides(private_domain)
    _options.refuse_unread(settings, "votes", private)
    made = _options.make({**settings, "private_domain": private_domain})
    problem = _problem.make(None, None, None, ledger, private)
    table = np.ascontiguousarray(numbers(answers))
    if table.ndim != 2:
        raise ValueError("answers must have a row for each teacher and a column for each query")
    queries = table.shape[1]
    out = np.empty(queries if classes is None else (queries, classes))
    deviation = ctypes.c_double()

    def release():
        kind = ("dpa_votes_mean", low, high) if classes is None else ("dpa_votes_count", classes)
        call(kind[0], problem, _problem.matrix(table), *kind[1:], made, pointer(out), out.size,
             ctypes.byref(deviation))

    run(release, made, verbose)
    report = json.loads(text("dpa_problem_privacy_report", problem, JSON))
    return Votes(out, deviation.value, report)
