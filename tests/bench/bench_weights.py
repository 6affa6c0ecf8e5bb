"""Seconds and memory of the baselines that find weights by optimization, at the sizes of real data,
to their certificates; and beside cvxopt's general solvers, in the same run, at sizes that these can
do. Every case runs in a process of its own.

Usage: bench_weights.py [--quick]
Environment: DPADAPT_LIBRARY, DPADAPT_DATA_DIR (else wind only)
"""

import argparse
import multiprocessing
import os
import resource
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "reference"), os.path.join(HERE, "..", "experiments")]

from prerequisites import require

require("numpy", "cvxopt")

import numpy as np

import dpadapt_ctypes as dpadapt
import regression
import test_baselines as independent
from datasets import Wind, airline, gas, split
from references import median_distance

KERNELS = [(gamma, bound) for gamma in (0.5, 2) for bound in (10, 1000)]
SMALL = {"kmm": 1500, "dm": 1000}  # source rows beside cvxopt


def features(case):
    """Of source and target, in units in which the source has variance 1."""
    train, _ = split(case, 0)
    return [x for x, _ in regression.standardized(case.source, train)]


def weights(method, source, target, **settings):
    """Seconds, and the certificate relative to the size of the optimum."""
    start = time.perf_counter()
    fit = dpadapt.baseline(method, (source, np.zeros(len(source))), (target, np.zeros(len(target))),
                           preprocess="none", **settings)
    seconds = time.perf_counter() - start
    size = abs(fit.number("objective"))
    if method == "dm":
        size = np.linalg.norm(target.T @ target / len(target), 2)
    return seconds, fit.number("duality_gap") / size


def in_own_process(function, *arguments):
    """The result of the function, and the peak of memory in GB."""
    def run(pipe):
        pipe.send((function(*arguments), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6))

    receiver, sender = multiprocessing.Pipe(False)
    process = multiprocessing.get_context("fork").Process(target=run, args=(sender,))
    process.start()
    found = receiver.recv()
    process.join()
    return found


def report(name, found):
    (seconds, gap), memory = found
    print(f"{name:44} {seconds:8.2f} s   relative gap {gap:7.1e}   {memory:5.2f} GB", flush=True)


def of_case(case):
    source, target = features(case)
    shape = f"{case.name} {len(source)} x {source.shape[1]}"
    report(f"dm  {shape}", in_own_process(dm, source, target))
    scale = median_distance(target[:1000])
    for gamma, bound in KERNELS:
        report(f"kmm {shape} gamma {gamma}/median, B {bound}",
               in_own_process(kmm, source, target, gamma / scale, bound))


def kmm(source, target, gamma, bound):
    return weights("kmm", source, target, kernel_gamma=gamma, weight_bound=bound)


def dm(source, target):
    return weights("dm", source, target)


def beside_cvxopt(rows):
    """Ratios of seconds on the first rows of wind."""
    source, target = features(Wind().case())
    gamma = 1 / median_distance(target)
    for method, ours, theirs in (
            ("kmm", lambda x: kmm(x, target, gamma, 10),
             lambda x: independent.matching(x, target, gamma, 10, 1 - len(x) ** -0.5)),
            ("dm", lambda x: dm(x[:, :5], target[:, :5]),
             lambda x: independent.discrepancy(x[:, :5], target[:, :5]))):
        x = source[:rows[method]]
        own = ours(x)[0]
        start = time.perf_counter()
        theirs(x)
        print(f"{method} of {len(x)} rows of wind: {own:.3f} s, "
              f"cvxopt / dpadapt {(time.perf_counter() - start) / own:.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small part of wind only")
    if parser.parse_args().quick:
        beside_cvxopt({"kmm": 200, "dm": 100})
        return 0
    beside_cvxopt(SMALL)
    of_case(Wind().case())
    if os.path.isdir(os.environ.get("DPADAPT_DATA_DIR", "")):
        of_case(gas(7))
        of_case(airline(16000))
    return 0


if __name__ == "__main__":
    sys.exit(main())
