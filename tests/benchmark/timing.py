"""How the comparison of speeds measures: calls that take turns, and made-up samples."""

import importlib.util
import statistics
import time

import numpy as np

COLUMNS = 11  # those of wind


def available(module):
    return importlib.util.find_spec(module) is not None


def taking_turns(calls, repeats, clock=time.process_time):
    """{name: (minimum, median)} of the seconds of calls, after one that warms up."""
    seconds = {name: [] for name in calls}
    for name in [name for _ in range(repeats + 1) for name in calls]:
        start = clock()
        calls[name]()
        seconds[name].append(clock() - start)
    return {name: (min(all_[1:]), statistics.median(all_[1:])) for name, all_ in seconds.items()}


def samples(rows, cols=COLUMNS, seed=0):
    random = np.random.default_rng(seed)
    w = random.normal(size=cols)

    def sample(count, shift):
        x = random.normal(size=(count, cols)) + shift
        return np.ascontiguousarray(x), x @ w + 0.2 * shift + random.normal(size=count)
    return sample(rows - rows // 10, 0.0), sample(rows // 10, 0.5)


def two_samples(rows, cols):
    """As many rows of either domain."""
    return samples(10 * rows // 9, cols)[0], samples(10 * rows // 9, cols, 1)[0]


def row(method, times, **others):
    return {"method": method, "minimum": times[0], "median": times[1], **others}
