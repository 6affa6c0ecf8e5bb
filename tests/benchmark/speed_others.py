"""What is timed of passes over the data and of kernel mean matching; as in speed_fits.py."""

import functools
import json
import os
import subprocess
import time

import numpy as np

import domains  # noqa: F401 (the folders beside this one)
import dpadapt_ctypes as dpadapt
from timing import available, row, taking_turns


def passes(quick):
    """A pass for value and gradient, and reading the same rows once; 1000000 x 100."""
    program = os.path.join(os.environ["DPADAPT_BENCH"], "bench_pass")
    arguments = ["--smoke"] if quick else ["--benchmark_filter=pass"]
    told = subprocess.run([program, *arguments, "--benchmark_format=json"], check=True,
                          capture_output=True, text=True).stdout
    if quick:
        yield {"method": "one pass", "note": "runs"}
        return
    for run in json.loads(told)["benchmarks"]:
        if run["name"].startswith("pass/"):
            threads = run["name"].split("/")[1]
            for method, key in (("one read", "read_s"), ("one pass", "pass_s")):
                yield row(f"{method}, {threads} threads", (run[key], np.nan),
                          note="seconds of the clock")


def matching(quick):
    """Kernel mean matching of two distributions. adapt divides its rows into batches of 1000,
    which is another, easier problem; `max_size` makes it solve this one."""
    rows = 300 if quick else 2000
    random = np.random.default_rng(3)
    source, target = random.normal(size=(rows, 5)), random.normal(size=(rows, 5)) + 0.5
    zeros = np.zeros(rows)
    fits = []

    def ours():
        fits.append(dpadapt.baseline("kmm", (source, zeros), (target, zeros), preprocess="none",
                                     kernel_gamma=0.1, threads=1))
    calls = {"dpadapt": ours}
    rivals = {"KMM of adapt, the same problem": rows, "KMM of adapt, batches": 1000}
    for name, most in rivals.items() if available("adapt") else ():
        from adapt.instance_based import KMM

        rival = KMM(kernel="rbf", gamma=0.1, verbose=0, max_size=most)
        calls[name] = functools.partial(rival.fit_weights, source, target)
    notes = {"dpadapt": lambda: f"gap {fits[-1].number('duality_gap'):.1e}"}
    for method, call in calls.items():
        repeats = 3 if method == "dpadapt" else 1
        yield row(method, taking_turns({"": call}, repeats)[""],
                  note=notes.get(method, str)())


def large_matching(quick):
    """The same of one distribution."""
    rows = 500 if quick else 16000
    random = np.random.default_rng(3)
    source, target = random.normal(size=(rows, 5)), random.normal(size=(rows, 5))
    zeros = np.zeros(rows)
    start, processor = time.perf_counter(), time.process_time()
    fit = dpadapt.baseline("kmm", (source, zeros), (target, zeros), preprocess="none",
                           kernel_gamma=0.1)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    yield row("dpadapt", (seconds, seconds), value=processor,
              note="seconds of the clock; value: of the processors; "
              f"gap {fit.number('duality_gap'):.1e}")
