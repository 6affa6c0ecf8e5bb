"""Spark Connect: a client without a JVM of its own gets the bits of rows in memory."""

import os
import sys
import unittest

import case

os.environ["PYTHONPATH"] = str(case.EXAMPLES)  # of the workers
os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402

import spark_fit  # noqa: E402


class SparkConnect(unittest.TestCase):
    def test_a_client_gets_the_bits_of_rows_in_memory(self):
        spark = SparkSession.builder.remote("local[2]").getOrCreate()  # starts a server
        self.addCleanup(spark.stop)
        self.assertIn(".connect.", type(spark).__module__)
        parts = case.spark_frame(spark, 200).repartition(3).cache()
        self.assertEqual(
            case.fit(spark_fit.carry_out_on(parts), 200), case.fit_in_memory(200)
        )


if __name__ == "__main__":
    unittest.main()
