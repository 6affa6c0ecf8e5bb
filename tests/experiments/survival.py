"""Times of recurrence or death after breast cancer: concordance of private proportional hazards beside Cox's fits.

Source and target are rotterdam and gbsg of R's package survival, as in `hospital`, here with every patient's own time."""

import functools

import numpy as np

import hospital
from fits import dpadapt, private

EPSILONS = (0.5, 1, 2, 4)
TIMES = (365.25, 3 * 365.25, 5 * 365.25)


def tasks(count, quick):
    return list(range(count))


@functools.cache
def domains():
    """Features, and times with the sign of their event."""
    return [(x, np.where(event == 1, day, -day).astype(float)) for x, day, event in hospital.patients()]


def concordance(score, y):
    """Harrell's, of all pairs."""
    comparable = (np.abs(y)[:, None] < np.abs(y)) & (y > 0)[:, None]
    ahead = score[:, None] - score
    return (np.sum(ahead[comparable] > 0) + 0.5 * np.sum(ahead[comparable] == 0)) / np.sum(comparable)


def kaplan_meier(y, time):
    """Share without an event."""
    share = 1.0
    for t in np.unique(y[(y > 0) & (y <= time)]):
        share *= 1 - np.sum(y == t) / np.sum(np.abs(y) >= t)
    return share


def measure(index):
    source, (x, y) = domains()
    order = np.random.default_rng(index).permutation(len(y))
    train, test = np.split(order, [int(hospital.TRAINING * len(y))])
    target = x[train], y[train]
    fits = {("source only", "none"): dpadapt.Baseline("source_only", source, target, loss="survival"),
            ("target only", "none"): dpadapt.Baseline("target_only", source, target, loss="survival"),
            ("adapted", "none"): dpadapt.Predictor(source, target, loss="survival")}
    for epsilon in EPSILONS:
        fits["adapted", epsilon] = private(source, target, epsilon, hospital.DELTA, loss="survival")
    known = np.array([kaplan_meier(y[test], time) for time in TIMES])
    for (method, epsilon), fit in fits.items():
        off = np.abs(fit.survival(x[test], TIMES).mean(axis=1) - known).max()
        for quantity, value in (("concordance", concordance(fit(x[test]), y[test])), ("off", 100 * off)):
            yield {"data": f"gbsg, n = {len(train)}", "method": method, "epsilon": epsilon, "quantity": quantity,
                   "value": value}
