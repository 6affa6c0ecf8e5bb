"""The bars that the benchmark must meet on unseen data, and the cells that are lost."""

from collections import defaultdict

import numpy as np
from scipy import stats

import ranks
from methods import OURS

LEAST_ROWS = 500
WORST = 1.02  # over source only
PRICE = 1.015  # of privacy with 10000 records at epsilon = 1
DATA_SETS = 0.9  # share of them within it
HINDSIGHT = 1.005  # over the best method without privacy, in the mean


def _geometric(values):
    return float(np.exp(np.mean(np.log(values))))


def _contests(table):
    """(cell, errors) of a private target with enough records."""
    return [(cell, errors) for cell, errors in table.of("target", False)
            if cell[2] >= LEAST_ROWS and len(errors) > 1]


def _ranks(table):
    by_epsilon = defaultdict(list)
    for cell, errors in _contests(table):
        names = list(errors)
        order = stats.rankdata([errors[name] for name in names], method="min")
        by_epsilon[cell[3]].append(order[names.index(OURS)])
    for epsilon, found in sorted(by_epsilon.items(), key=lambda pair: float(pair[0])):
        won = sum(rank == 1 for rank in found)
        yield (f"mean rank among private methods, n >= {LEAST_ROWS}, epsilon = {epsilon}",
               f"{np.mean(found):.2f}; {won} of {len(found)} cells won", "1",
               np.mean(found) == 1)


def bars(table):
    """(what, measured, bar, met)"""
    yield from _ranks(table)
    worst = ranks.ratios(table, "target", False, ranks.source_only)
    if worst:
        cell = max(worst, key=worst.get)
        yield ("worst cell with a private target, over source only",
               f"{worst[cell]:.3f} ({cell[0]}, n = {cell[2]}, epsilon = {cell[3]})",
               f"at most {WORST}", worst[cell] <= WORST)
    price = {cell[0]: ratio for cell, ratio in
             ranks.ratios(table, "target", False, ranks.same_without_privacy).items()
             if cell[2] == 10000 and cell[3] == "1"}
    if price:
        within = sum(ratio <= PRICE for ratio in price.values())
        yield ("n = 10000, epsilon = 1: data sets within 1.5 % of the same without privacy",
               f"{within} of {len(price)}", "9 of 10", within >= DATA_SETS * len(price))
    hindsight = list(ranks.ratios(table, "none", False, ranks.best_free).values())
    if hindsight:
        mean = _geometric(hindsight)
        yield ("without privacy, over the best method in hindsight, mean", f"{mean:.4f}",
               f"at most {HINDSIGHT}", mean <= HINDSIGHT)


def lost(table):
    """(data, n, epsilon, best rival, our error over its) of the contests that a rival wins."""
    for cell, errors in _contests(table):
        rival = min((name for name in errors if name != OURS), key=errors.get)
        if errors[rival] < errors[OURS]:
            yield cell[0], cell[2], cell[3], rival, errors[OURS] / errors[rival]


def lead(table):
    """Our error over the best rival's, geometric mean over contests: (ratio, cells, how many of
    them are won or lost by at most 1 %)."""
    found = [errors[OURS] / min(error for name, error in errors.items() if name != OURS)
             for _, errors in _contests(table)
             if min(errors.values()) > 0]
    if not found:
        return np.nan, 0, 0
    return _geometric(found), len(found), sum(ratio <= 1.01 for ratio in found)
