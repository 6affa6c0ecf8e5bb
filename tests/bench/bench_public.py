"""Processor time of a fit without privacy, on one thread, by one library or several.

Usage: bench_public.py [--quick] LIBRARY...
"""

import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = ((10000, 50), (100000, 50), (100000, 20))  # rows of each sample, columns
REPEATS = 6


def least(rows, columns, repeats):
    sys.path[:0] = [os.path.join(HERE, "..", "reference"), os.path.join(HERE, "..", "benchmark")]
    import dpadapt_ctypes as dpadapt
    from timing import two_samples

    source, target = two_samples(rows, columns)
    seconds = []
    for _ in range(repeats + 1):  # the first warms up
        start = time.process_time()
        dpadapt.Predictor(source, target, private_domain="none", threads=1)
        seconds.append(time.process_time() - start)
    return min(seconds[1:])


def main(arguments):
    quick = "--quick" in arguments
    for rows, columns in SHAPES[:1] if quick else SHAPES:
        found = []
        for library in [name for name in arguments if name != "--quick"]:
            environment = os.environ | {"DPADAPT_LIBRARY": library, "OPENBLAS_NUM_THREADS": "1"}
            call = [sys.executable, __file__, "--case", str(rows // (10 if quick else 1)),
                    str(columns), str(1 if quick else REPEATS)]
            found.append(float(subprocess.check_output(call, env=environment, text=True)))
        times = " ".join(f"{1e3 * seconds:8.1f} ms" for seconds in found)
        ratios = " ".join(f"{seconds / found[0]:.2f}" for seconds in found)
        print(f"{rows} + {rows} x {columns}: {times}, ratios {ratios}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--case":
        print(least(*map(int, sys.argv[2:])))
    else:
        main(sys.argv[1:])
