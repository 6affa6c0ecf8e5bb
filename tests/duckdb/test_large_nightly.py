"""Out of core: rows of ten times DuckDB's memory in Parquet are fitted in as much memory as a tenth
of them, in the same bits for one thread and two; and what a pass and a prediction cost."""

import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

import extension
from extension import case, connect, sums

MEMORY = 64  # MB, of DuckDB
FEATURES = 20
ROWS = 4_000_000
NAMES = [f"x{j}" for j in range(FEATURES)]
IN_ORDER = f"row({', '.join(NAMES)})"


def write(path, rows):
    db = connect(memory_limit=f"{2 * MEMORY}MB")
    columns = ", ".join(f"random() - 0.5 AS {name}" for name in NAMES)
    db.execute(f"COPY (SELECT {columns}, CASE WHEN i % 50 > 0 THEN random() END AS y "
               f"FROM range({rows}) AS t(i)) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 20480)")


def fit(db, path, rows):
    random = np.random.default_rng(1)
    x = random.uniform(-0.5, 0.5, (5000, FEATURES))
    y = x.sum(axis=1) + random.normal(size=len(x))
    carry_out = sums(db, f"SELECT dpa_pass($1, {IN_ORDER}, y) FROM '{path}'")
    return case.model(carry_out, rows, (x, y))


def peak_of(path, rows, threads):
    """In a process of its own: coefficients, and the peak of its memory in bytes."""
    out = subprocess.run([sys.executable, __file__, path, str(rows), str(threads)], check=True,
                         capture_output=True, text=True).stdout.split()
    return out[0], 1024 * int(out[1])


def cpu(work):
    best = np.inf
    for _ in range(3):
        before = time.process_time()
        work()
        best = min(best, time.process_time() - before)
    return best


class Large(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def test_memory_does_not_grow_with_the_rows(self):
        small, large = self.path / "small.parquet", self.path / "large.parquet"
        write(small, ROWS // 10)
        write(large, ROWS)
        self.assertGreater(large.stat().st_size, 10e6 * MEMORY)
        _, peak_of_small = peak_of(small, ROWS // 10, 2)
        bits, peak = peak_of(large, ROWS, 2)
        print(f"peak {peak / 1e6:.0f} MB, of a tenth of the rows {peak_of_small / 1e6:.0f} MB")
        self.assertLess(peak, 1.2 * peak_of_small)
        self.assertEqual(peak_of(large, ROWS, 1)[0], bits)

    def test_speed(self):
        path, rows = self.path / "rows.parquet", 500_000
        write(path, rows)
        db = connect(threads="1")
        model = fit(db, path, rows).to_bytes()
        requests = []
        carry_out = sums(db, f"SELECT dpa_pass($1, {IN_ORDER}, y) FROM '{path}'")

        def remember(request):
            requests.append(request)
            return carry_out(request)

        random = np.random.default_rng(1)
        x = random.uniform(-0.5, 0.5, (5000, FEATURES))
        case.model(remember, rows, (x, x.sum(axis=1)))
        every = " + ".join(f"sum({name})" for name in [*NAMES, "y"])
        scan = cpu(lambda: db.execute(f"SELECT {every} FROM '{path}'").fetchall()) / rows
        step = cpu(lambda: carry_out(requests[-1])) / rows  # a gradient, as most are
        predict = cpu(lambda: db.execute(
            f"SELECT sum(dpa_predict($1, {IN_ORDER})) FROM '{path}'",
            [model]).fetchall()) / rows
        print(f"CPU ns a row: scan {1e9 * scan:.0f}, pass {1e9 * step:.0f}, "
              f"predict {1e9 * predict:.0f}")
        self.assertLess(step, 3 * scan)
        self.assertLess(predict - scan, 60e-9)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        database = connect(memory_limit=f"{MEMORY}MB", threads=sys.argv[3])
        model = fit(database, sys.argv[1], int(sys.argv[2]))
        status = pathlib.Path("/proc/self/status").read_text()  # of this program alone
        peak = int(status.split("VmHWM:")[1].split()[0])
        print(case.bits(model).hex(), peak)
    else:
        unittest.main()
