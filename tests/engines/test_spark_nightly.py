"""Spark: a DataFrame in any number of partitions gives the bits of rows in memory, and the example
runs."""

import os
import subprocess
import sys
import unittest

import case

os.environ["PYTHONPATH"] = str(case.EXAMPLES)  # of the workers
os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402

import spark_fit  # noqa: E402


class Spark(unittest.TestCase):
    def test_partitions_give_the_bits_of_rows_in_memory(self):
        spark = SparkSession.builder.master("local[2]").getOrCreate()
        self.addCleanup(spark.stop)
        frame = case.spark_frame(spark, 200)
        wanted = case.fit_in_memory(200)
        for partitions in (2, 5, 13):
            with self.subTest(partitions=partitions):
                parts = frame.repartition(partitions).cache()
                self.assertEqual(case.fit(spark_fit.carry_out_on(parts), 200), wanted)

    def test_the_example(self):
        result = subprocess.run(
            [sys.executable, case.EXAMPLES / "spark_fit.py"], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"days = 0\.0[678]\d* age \+ ")


if __name__ == "__main__":
    unittest.main()
