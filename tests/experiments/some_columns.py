"""Wind where the source has every second station only: a column that it lacks has a typical constant there."""

import numpy as np

import references
from datasets import Wind, resampled, split
from fits import DELTA, dpadapt

SHARED = slice(None, None, 2)  # 6 of 11
TYPICAL = 10.0  # knots, whatever the station
REGRESSED = {"own_columns": "regressed", "own_spread": 5}  # knots as well
OTHER_PAIRS = [(month, station) for month in (3, 7, 10, 12)  # nothing was chosen by looking at them
               for station in ("ROS", "SHA", "CLA", "MUL", "CLO", "BEL")]
OTHER_SPLITS = 5
TRAIN = 158
PRIVATE_ROWS = 1000
EPSILON = 1
RIVALS = ("ada_ssp", "joint_ssp", "noisy_sgd")  # know the units of all columns, in their favour


def shared(sample):
    return sample[0][:, SHARED], sample[1]


def filled(sample):
    x = np.full_like(sample[0], TYPICAL)
    x[:, SHARED] = sample[0][:, SHARED]
    return x, sample[1]


def fits(source, train, **private):
    """(method, fit, whether it sees all columns): the target has all of them."""
    yield "shared columns", dpadapt.Predictor(shared(source), shared(train), **private), False
    yield "adapted", dpadapt.Predictor(filled(source), train, **private), True
    yield "regressed", dpadapt.Predictor(filled(source), train, **REGRESSED, **private), True
    yield "all columns in the source", dpadapt.Predictor(source, train, **private), True
    if private:
        yield "alpha = 0", dpadapt.Predictor(filled(source), train, alpha=0, **private), True
        yield from ((method, dpadapt.Baseline(method, source, train, **private), True) for method in RIVALS)
    else:
        yield "target only", references.ridge(train), True
        yield "target only, least squares", references.least_squares(train), True


def tasks(count, quick):
    pairs = OTHER_PAIRS[:1] if quick else OTHER_PAIRS
    splits = count if quick else OTHER_SPLITS
    return [(1, "MAL", index) for index in range(count if quick else 2 * count)] + [
        (*pair, index) for pair in pairs for index in range(splits)]


def errors(month, station, index):
    """(n, epsilon, method, squared error)."""
    case = Wind().case(month, station, train=TRAIN)
    train, test = split(case, index)
    private = {"private_domain": "target", "epsilon": EPSILON, "delta": DELTA}
    for epsilon, sample, settings in (("", train, {}),
                                      (EPSILON, resampled(train, PRIVATE_ROWS, (index, 0)), private)):
        for method, fit, all_columns in fits(case.source, sample, **settings):
            yield (len(sample[1]), epsilon, method,
                   references.error(fit, test if all_columns else shared(test)))


def measure(task):
    """Squared errors; of the other pairs over that of the shared columns."""
    month, station, index = task
    is_first = (month, station) == (1, "MAL")
    unit = {}
    for n, epsilon, method, error in errors(month, station, index):
        unit.setdefault(epsilon, error)  # the shared columns come first
        yield {"data": "January, MAL" if is_first else "other pairs", "n": n, "epsilon": epsilon,
               "method": method, "value": error if is_first else error / unit[epsilon]}
