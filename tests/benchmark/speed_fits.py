"""What is timed of fits and predictions. Each case is a function of `quick` and makes rows:
dictionaries of the fields of speed.csv.

Seconds are those of the processor, of one thread, unless a row says otherwise: other programs on
the machine disturb them less. What is compared takes turns."""

import statistics
import time

import numpy as np

import conic
import domains  # noqa: F401 (the folders beside this one)
import dpadapt_ctypes as dpadapt
from timing import available, row, samples, taking_turns, two_samples

SOLVERS = ("ECOS", "CLARABEL", "SCS")
SLOWEST = {"SCS": 20000, "ECOS": 200000, "CLARABEL": 200000}  # rows that take a minute
PRIVATE = {"private_domain": "target", "epsilon": 1, "delta": 1e-6, "threads": 1}
STEPS = 20  # passes over the private rows, besides one for the anchor and one for the moments


def certified(rows, quick):
    """Without privacy, to a certified minimum; the gap is that of the certificate."""
    rows = 500 if quick else rows
    source, target = samples(rows)
    fits = []

    def ours():
        fits.append(dpadapt.solve(source, target, preprocess="none", intercept=False, threads=1,
                                  inference="no", **conic.NUMBERS))
    times = taking_turns({"": ours}, 3 if quick else max(7, 200000 // rows))[""]
    fit = fits[-1]
    yield row("dpadapt", times, note=f"gap {fit.gap / abs(fit.objective):.0e}",
              value=fit.objective)
    if not available("cvxpy"):
        yield {"method": "conic solvers", "note": "not installed"}
        return
    problem = conic.program(source, target)
    for solver in SOLVERS:
        if rows > SLOWEST[solver]:
            yield {"method": solver, "note": "not tried: minutes"}
            continue
        try:
            seconds, value, status = conic.solve(problem, solver, 3 if rows <= 1000 else 1)
        except Exception as failure:  # of a rival
            yield {"method": solver, "note": f"{type(failure).__name__}: {failure}"[:80]}
            continue
        yield row(solver, (min(seconds), statistics.median(seconds)), value=value, note=status)


def private_fit(rows, cols, quick):
    """A private fit with its defaults, and ridge regression of the same rows, which are public."""
    source, target = two_samples(2000 if quick else rows, cols)
    calls = {"dpadapt": lambda: dpadapt.Predictor(source, target, lend=True, **PRIVATE)}
    if available("sklearn"):
        from sklearn.linear_model import Ridge

        x, y = np.concatenate([source[0], target[0]]), np.concatenate([source[1], target[1]])
        calls = {"Ridge of scikit-learn": lambda: Ridge().fit(x, y)} | calls
    times = taking_turns(calls, 2 if quick else max(3, 2000000 // rows))
    for method, of_method in times.items():
        note = ""
        if method == "dpadapt":
            nanoseconds = 1e9 * of_method[0] / len(target[1]) / STEPS
            note = f"{nanoseconds:.0f} ns a private row and step, of the whole call"
        yield row(method, of_method, note=note)


def predictions(quick):
    """Predictions of 20 features."""
    rows = 10000 if quick else 1000000
    fit = dpadapt.Predictor(*samples(2000, 20))
    x = np.random.default_rng(4).normal(size=(rows, 20))
    w = np.ones(20)
    times = taking_turns({"matrix times vector by numpy": lambda: x @ w,
                          "dpadapt": lambda: fit.predict(x)}, 3 if quick else 9)
    for method, of_method in times.items():
        yield row(method, of_method, value=1e9 * of_method[0] / rows, note="value: ns a row")


def growth(quick):
    """Private fits by rows, columns and threads; value: ns a private row and step."""
    shapes = [(3000, 5, 1)] if quick else [
        *((rows, 20, 1) for rows in (3000, 10000, 30000, 100000, 300000, 1000000)),
        *((100000, cols, 1) for cols in (5, 10, 40, 80)), (100000, 20, 2), (1000000, 20, 2)]
    clocks = {1: time.process_time, 2: time.perf_counter}
    for rows, cols, threads in shapes:
        source, target = two_samples(rows, cols)
        least, median = taking_turns(
            {"": lambda: dpadapt.Predictor(source, target, **PRIVATE | {"threads": threads})},
            max(2, 200000 // rows), clocks[threads])[""]
        read = 8 * len(target[1]) * (cols + 1) * (STEPS + 2) / least / 1e9
        yield row(f"{rows} x {cols}, {threads} threads", (least, median),
                  value=1e9 * least / rows / STEPS,
                  note="seconds of the clock; " * (threads > 1) +
                  f"{read:.1f} GB/s of private rows")


def _resident(name):
    """Bytes of this process: VmRSS now, VmHWM at the peak."""
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(name))


def memory(quick):
    """Peak memory of a private fit to lent rows, over those."""
    rows, cols = (20000 if quick else 500000), 50
    source, target = samples(2000, cols)[0], samples(10 * rows // 9, cols, 1)[0]
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak begins anew
    before = _resident("VmRSS")
    dpadapt.Predictor(source, target, lend=True, **PRIVATE)
    more = _resident("VmHWM") - before
    lent = 8 * len(target[1]) * (cols + 1)
    yield {"method": "dpadapt", "value": 1 + more / lent,
           "note": f"{lent / 2**20:.0f} MiB lent, {more / 2**20:.0f} MiB more at the peak"}
