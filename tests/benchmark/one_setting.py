"""Rivals as a user would have them: with one setting for all data, the best on the seen ones."""

from collections import defaultdict

import numpy as np

from methods import OURS
from verdicts import LEAST_ROWS


def _errors(rows):
    """{(data, n, epsilon): {(method, setting): mean error}} with a private target."""
    values = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["private"] == "target" and row["error"] and int(row["n"]) >= LEAST_ROWS:
            cell = row["data"], int(row["n"]), row["epsilon"]
            values[cell][row["method"], row["setting"]].append(float(row["error"]))
    return {cell: {key: np.mean(errors) for key, errors in by_key.items()}
            for cell, by_key in values.items()}


def _ratios(errors, table, seen, key, loss):
    """Logarithms of our error over that of a method with a setting."""
    found = [(by_key[OURS, ""], by_key[key]) for cell, by_key in errors.items()
             if table.seen[cell[0]] == seen and table.loss[cell[0]] == loss and key in by_key]
    return [np.log(ours / theirs) for ours, theirs in found if min(ours, theirs) > 0]


def _chosen(errors, table, loss):
    """{method: its setting, the best on seen data}"""
    candidates = {}
    for key in sorted({key for by_key in errors.values() for key in by_key if key[0] != OURS}):
        logs = _ratios(errors, table, True, key, loss)
        if logs:
            candidates.setdefault(key[0], []).append((-np.mean(logs), key))
    return {method: min(found)[1] for method, found in candidates.items()}


def comparisons(rows, table):
    """(loss, method, setting, cells, our mean error over its, cells won), on unseen data."""
    errors = _errors(rows)
    for loss in sorted(set(table.loss.values())):
        for method, key in _chosen(errors, table, loss).items():
            logs = _ratios(errors, table, False, key, loss)
            if logs:
                yield (loss, method, key[1], len(logs), float(np.exp(np.mean(logs))),
                       sum(log <= 0 for log in logs))


def our_ranks(rows, table):
    """Our rank among the methods with these settings in each unseen cell."""
    errors = _errors(rows)
    chosen = {loss: _chosen(errors, table, loss).values() for loss in set(table.loss.values())}
    for (data, *_), by_key in errors.items():
        rivals = [by_key[key] for key in chosen[table.loss[data]] if key in by_key]
        if rivals and not table.seen[data]:
            yield 1 + sum(error < by_key[OURS, ""] for error in rivals)
