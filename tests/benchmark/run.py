"""Runs the benchmark: FOLDER/cells.csv has every error, FOLDER/README.md is the page.

A run that was stopped goes on. --page makes the page from the cells that are there."""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores

import domains
import cells
import peers
import report

QUICK = ("label", "equal", "label share", "wind")
CASES = {case.name: case for case in domains.everything()}


def measure(task):
    name, index, quick, with_peers, only = task
    return list(cells.measure(CASES[name], index, quick, with_peers, only))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("data", nargs="*", metavar="DATA", help="all: " + ", ".join(CASES))
    parser.add_argument("--quick", action="store_true", help="four domains, 500 rows, seeded")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--renew", action="store_true",
                        help="measure what is there again, but for the other libraries")
    parser.add_argument("--peer", choices=peers.NAMES, default="",
                        help="measure this one of the other libraries again, where the rest is")
    parser.add_argument("--page", action="store_true", help="only the page")
    options = parser.parse_intermixed_args()
    names = options.data or (QUICK if options.quick else list(CASES))
    for name in names:
        if name not in CASES:
            parser.error(f"there is no {name}")

    os.makedirs(options.folder, exist_ok=True)
    path = os.path.join(options.folder, "cells.csv")
    done = cells.finished(path)
    with_peers = not options.quick and not options.renew
    again = options.renew or bool(options.peer)

    def stays(method):
        return method in peers.NAMES if options.renew else method != options.peer
    tasks = [(name, index, options.quick, with_peers, options.peer)
             for index in range(options.splits) for name in names
             if ((name, str(index)) in done) == again]
    with ProcessPoolExecutor(options.processes) as pool:
        for rows in () if options.page else pool.map(measure, tasks):
            if not rows:
                continue
            if again:
                cells.replace(path, (rows[0]["data"], str(rows[0]["index"])), rows, stays)
            else:
                cells.append(path, rows)
            print(rows[0]["data"], rows[0]["index"], flush=True)
    report.write(options.folder, cells.read(path))


if __name__ == "__main__":
    main()
