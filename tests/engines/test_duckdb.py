"""DuckDB: a table in any order, pieces and number of threads gives the bits of rows in memory, and
the example runs."""

import subprocess
import sys
import unittest

import duckdb
import numpy as np
import pyarrow as pa

import case
from case import passes


class DuckDB(unittest.TestCase):
    def setUp(self):
        x, y = case.target()
        columns = [pa.array(c, mask=np.isnan(c)) for c in (*x.T, y)]  # NULL where nothing is known
        rows = pa.table(dict(zip([*"abcd", "y"], columns)))
        self.db = duckdb.connect()
        self.db.register("arrow_rows", rows)
        self.db.execute("CREATE TABLE target AS SELECT * FROM arrow_rows ORDER BY random()")

    def batches(self, size):
        for batch in self.db.sql("SELECT a, b, c, d, y FROM target").to_arrow_reader(size):
            columns = [c.to_numpy(zero_copy_only=False) for c in batch.columns]
            yield np.stack(columns[:-1], axis=1), columns[-1]

    def test_a_table_gives_the_bits_of_rows_in_memory(self):
        wanted = case.fit_in_memory()
        for threads, size in ((1, 1000), (2, 64)):
            self.db.execute(f"SET threads = {threads}")
            with self.subTest(threads=threads, size=size):
                got = case.fit(lambda request: [passes.carry_out(request, self.batches(size))])
                self.assertEqual(got, wanted)

    def test_the_example(self):
        result = subprocess.run(
            [sys.executable, case.EXAMPLES / "duckdb_fit.py"], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^days = 0\.0[678]\d* age \+ ")


if __name__ == "__main__":
    unittest.main()
