"""A hospital's few patients beside those of another one: recurrence of breast cancer or death within five years.

Source and target are rotterdam and gbsg of R's package survival. The ridge of two classes was chosen with them in view."""

import functools

import numpy as np

from counts import from_r
from curves import wrong
from fits import dpadapt, private

DELTA = 1e-4
EPSILONS = (0.5, 1, 2, 4)
DAYS = 5 * 365.25
TRAINING = 0.7
EACH = 10  # draws of training patients and of noise in a split


def tasks(count, quick):
    return list(range(EACH * count))


def outcome(day, event):
    """1 for an event within five years, -1 for none; 0 where it is not known."""
    return np.where((event == 1) & (day <= DAYS), 1.0, np.where(day > DAYS, -1.0, 0.0))


def patients():
    """What both tables have, the day that is known, and whether it is one of recurrence or death."""
    there, here = (from_r("survival", name, "cancer") for name in ("rotterdam", "gbsg"))
    relapsed = there["recur"] == 1
    for table, day, event, small, large in (
            (there, np.where(relapsed, there["rtime"], there["dtime"]),
             np.where(relapsed, 1, there["death"]), there["size2050"] == 0, there["size50"] == 1),
            (here, here["rfstime"], here["status"], here["size"] <= 20, here["size"] > 50)):
        small = small & ~large
        x = np.column_stack([table["age"], table["meno"], small, large, table["grade"] >= 3,
                             table["nodes"], table["pgr"], table["er"], table["hormon"]])
        yield x, day, event


@functools.cache
def domains():
    """Patients whose outcome is known."""
    known = [(x, outcome(day, event)) for x, day, event in patients()]
    return [(x[y != 0], y[y != 0]) for x, y in known]


def log_loss(fit, test):
    x, y = test
    return np.mean(np.logaddexp(0, -y * fit(x)))


def measure(index):
    source, (x, y) = domains()
    order = np.random.default_rng(index).permutation(len(y))
    train, test = np.split(order, [int(TRAINING * len(y))])
    target, unseen = (x[train], y[train]), (x[test], y[test])
    fits = {("source only", "none"): dpadapt.Baseline("source_only", source, target, loss="logistic"),
            ("target only", "none"): dpadapt.Baseline("target_only", source, target, loss="logistic")}
    for epsilon in EPSILONS:
        fits["adapted", epsilon] = private(source, target, epsilon, DELTA, loss="logistic")
        fits["noisy_sgd", epsilon] = dpadapt.Baseline(
            "noisy_sgd", source, target, loss="logistic", private_domain="target", epsilon=epsilon,
            delta=DELTA)
    for (method, epsilon), fit in fits.items():
        for quantity, value in (("log loss", log_loss(fit, unseen)), ("wrong", wrong(fit, unseen))):
            yield {"data": f"gbsg, n = {len(train)}", "method": method, "epsilon": epsilon,
                   "quantity": quantity, "value": value}
