"""Speed side by side: every rival in the same run, on the same rows, by ratios.

    speed.py FOLDER [--quick]    leaves FOLDER/speed.csv and FOLDER/speed.md

Each time is the minimum and the median of repeated calls after one that warms up, with one thread.
What a rival does to prepare a problem (cvxpy's modelling) is not counted, in its favour."""

import argparse
import csv
import os
import statistics
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

import domains  # noqa: F401 (the folders beside this one)
import dpadapt_ctypes as dpadapt

FEATURES = 11  # those of wind
SOLVERS = ("ECOS", "CLARABEL", "SCS")
MOST_CONIC = 20000  # rows that the conic solvers do in minutes


def times(call, repeats):
    """(minimum, median, result) of the seconds of a call."""
    result = call()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    return min(seconds), statistics.median(seconds), result


def samples(rows, cols=FEATURES, seed=0):
    random = np.random.default_rng(seed)
    w = random.normal(size=cols)

    def sample(count, shift):
        x = random.normal(size=(count, cols)) + shift
        return np.ascontiguousarray(x), x @ w + 0.2 * shift + random.normal(size=count)
    return sample(rows - rows // 10, 0.0), sample(rows // 10, 0.5)


NUMBERS = {"alpha": 0.5, "kappa_1": 2.0, "kappa_inf": 50.0, "discrepancy": 0.3, "radius": 100.0}


def conic(source, target):
    """The objective of the certified fit as a second-order-cone program of cvxpy."""
    import cvxpy as cp

    (xs, ys), (xt, yt) = source, target
    x, y = np.concatenate([xs, xt]), np.concatenate([ys, yt])
    p = np.repeat([NUMBERS["alpha"] / len(ys), (1 - NUMBERS["alpha"]) / len(yt)],
                  [len(ys), len(yt)])
    d = np.repeat([NUMBERS["discrepancy"], 0.0], [len(ys), len(yt)])
    n = len(y)
    w, z, v, t, h = cp.Variable(x.shape[1]), cp.Variable(n), cp.Variable(n), cp.Variable(n), \
        cp.Variable()
    rows = [cp.SOC(z + v, cp.vstack([2 * (x @ w - y), 2 * np.sqrt(d), z - v]), axis=0),
            cp.SOC(v + t, cp.vstack([2 * np.ones(n), v - t]), axis=0)]
    rest = [v >= 1, n * cp.multiply(p, t) <= h, cp.norm(w) <= NUMBERS["radius"]]
    cost = cp.sum(cp.multiply(p, z)) + NUMBERS["kappa_1"] * cp.sum(cp.multiply(p, v - 1)) \
        + NUMBERS["kappa_inf"] / n * h
    return cp.Problem(cp.Minimize(cost), rows + rest)


def certified(quick):
    """A certified optimum against conic solvers."""
    for rows in (500,) if quick else (1000, 10000, 100000):
        source, target = samples(rows)
        least, median, fit = times(
            lambda: dpadapt.solve(source, target, preprocess="none", intercept=False, **NUMBERS),
            3 if rows > 10000 else 7)
        ours = {"case": f"certified optimum, {rows} rows", "method": "dpadapt", "minimum": least,
                "median": median, "ratio": 1.0, "value": fit.objective,
                "note": f"gap {fit.gap / abs(fit.objective):.1e}"}
        yield ours
        problem = conic(source, target) if rows <= MOST_CONIC else None
        for solver in SOLVERS:
            row = {"case": ours["case"], "method": solver}
            if problem is None:
                yield row | {"note": "not tried: minutes and GiB"}
                continue
            try:
                settings = {"eps_abs": 1e-8, "eps_rel": 1e-8, "max_iters": 100000} \
                    if solver == "SCS" else {}
                problem.solve(solver=solver, **settings)
            except Exception as failure:
                yield row | {"note": f"{type(failure).__name__}: {failure}"[:80]}
                continue
            told = problem.solver_stats
            seconds = told.solve_time + (told.setup_time or 0.0)
            yield row | {"minimum": seconds, "median": seconds, "ratio": seconds / least,
                         "value": problem.value, "note": problem.status}


def private_fit(quick):
    """A private fit against scikit-learn's ridge on the same rows."""
    from sklearn.linear_model import Ridge

    for rows, cols in ((20000, 10),) if quick else ((100000, 10), (100000, 20), (1000000, 20)):
        source, target = samples(rows, cols)
        target = samples(10 * rows // 9, cols, 1)[0]
        x, y = np.concatenate([source[0], target[0]]), np.concatenate([source[1], target[1]])
        ridge, ridge_median, _ = times(lambda: Ridge().fit(x, y), 5)
        ours, median, _ = times(
            lambda: dpadapt.Predictor(source, target, private_domain="target", epsilon=1,
                                      delta=1e-6, threads=1), 5)
        case = f"private fit, {len(y)} x {cols}"
        yield {"case": case, "method": "Ridge of scikit-learn", "minimum": ridge,
               "median": ridge_median, "ratio": 1.0}
        yield {"case": case, "method": "dpadapt", "minimum": ours, "median": median,
               "ratio": ours / ridge}


def mean_matching(quick):
    """Kernel mean matching against adapt."""
    from adapt.instance_based import KMM

    rows = 300 if quick else 2000
    random = np.random.default_rng(3)
    source, target = random.normal(size=(rows, 5)), random.normal(size=(rows, 5)) + 0.5
    zeros = np.zeros(rows)
    ours, median, fit = times(
        lambda: dpadapt.baseline("kmm", (source, zeros), (target, zeros), preprocess="none",
                                 kernel_gamma=0.1), 3)
    rival = KMM(kernel="rbf", gamma=0.1, verbose=0)
    theirs, their_median, _ = times(lambda: rival.fit_weights(source, target), 1 if quick else 2)
    case = f"kernel mean matching, {rows} + {rows} rows"
    yield {"case": case, "method": "dpadapt", "minimum": ours, "median": median, "ratio": 1.0,
           "note": f"gap {fit.number('duality_gap'):.1e}"}
    yield {"case": case, "method": "KMM of adapt", "minimum": theirs, "median": their_median,
           "ratio": theirs / ours}


def predictions(quick):
    """Predictions against a product of matrices by numpy."""
    rows = 10000 if quick else 1000000
    source, target = samples(2000, 20)
    fit = dpadapt.Predictor(source, target)
    x = np.random.default_rng(4).normal(size=(rows, 20))
    w = np.ones(20)
    product, product_median, _ = times(lambda: x @ w, 7)
    ours, median, _ = times(lambda: fit.predict(x), 7)
    case = f"predictions, {rows} x 20"
    yield {"case": case, "method": "matrix times vector by numpy", "minimum": product,
           "median": product_median, "ratio": 1.0}
    yield {"case": case, "method": "dpadapt", "minimum": ours, "median": median,
           "ratio": ours / product, "note": f"{1e9 * ours / rows:.0f} ns a row"}


FIELDS = ("case", "method", "minimum", "median", "ratio", "value", "note")


def page(rows):
    head = "# Speed beside others\n\nMade by `cmake/benchmark.sh --speed`; one run, one thread, " \
        "seconds; the ratio is over the first row of a case, by minima.\n"
    lines = [head, "| case | method | minimum | median | ratio | |", "|---|---|---|---|---|---|"]
    for row in rows:
        numbers = [f"{row[name]:.3g}" if name in row else "" for name in FIELDS[2:5]]
        lines.append("| " + " | ".join([row["case"], row["method"], *numbers,
                                        row.get("note", "")]) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rows = []
    for part in (certified, private_fit, mean_matching, predictions):
        try:
            for row in part(options.quick):
                rows.append(row)
                print(row, flush=True)
        except ImportError as missing:
            print(f"{part.__doc__} needs {missing.name}", file=sys.stderr)
    os.makedirs(options.folder, exist_ok=True)
    with open(os.path.join(options.folder, "speed.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with open(os.path.join(options.folder, "speed.md"), "w") as file:
        file.write(page(rows))


if __name__ == "__main__":
    main()
