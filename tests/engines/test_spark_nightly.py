"""Spark Connect: a client without a JVM of its own fits without a jar, in the bits of data frames
in memory. PySpark 3.5 fetches its server from Maven Central."""

import os
import sys
import unittest

import pandas as pd
import pyspark

import case

os.environ["PYTHONPATH"] = str(case.PACKAGE)  # of the workers
os.environ["PYSPARK_PYTHON"] = sys.executable
if pyspark.__version__.startswith("3."):
    server = f"org.apache.spark:spark-connect_2.12:{pyspark.__version__}"
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--packages {server} pyspark-shell"

from pyspark.sql import SparkSession  # noqa: E402

from dpadapt import Ledger, errors  # noqa: E402
from dpadapt.spark import DpaEstimator, fit  # noqa: E402


class SparkConnect(unittest.TestCase):
    def test_a_client_gets_the_bits_of_frames_in_memory(self):
        spark = SparkSession.builder.remote("local[2]").getOrCreate()  # starts a server
        self.addCleanup(spark.stop)
        self.assertIn(".connect.", type(spark).__module__)
        public = pd.DataFrame(case.stays(3000, 0.05, 0))
        private = pd.DataFrame(case.stays(200, 0.08, 3))
        wanted = case.stays_in_memory(public, private).to_bytes()
        target = case.spark_frame(spark, private).repartition(3)
        for source in (public, case.spark_frame(spark, public)):
            model = fit(target, source=source, label="days", **case.OPTIONS)
            self.assertEqual(model.to_bytes(), wanted)

        ledger = Ledger(epsilon=1, delta=1e-5)
        odd = target.selectExpr("age", "current_date() AS ward", "days")
        with self.assertRaisesRegex(errors.UnsupportedError, '"ward".*date'):
            fit(odd, source=public, label="days", ledger=ledger, epsilon=1, delta=1e-6)
        doubled = target.selectExpr("age", "days AS AGE", "ward", "days")
        for rows, settings, words in ((target, {"label": "Days"}, 'write "days"'),
                                      (target, {"features": ["age", "Days"]}, 'write "days"'),
                                      (doubled, {}, '2 columns of the target are called "age"')):
            with self.assertRaisesRegex(errors.Error, words):
                fit(rows, source=public, **{"label": "days", **settings}, ledger=ledger, epsilon=1,
                    delta=1e-6)
        self.assertEqual(ledger.report()["entries"], [])
        spark.conf.set("spark.sql.caseSensitive", True)
        model = fit(doubled, source=public, label="days", **case.OPTIONS)
        self.assertEqual(model.to_bytes(), wanted)
        with self.assertRaisesRegex(errors.StateError, "dpadapt.spark.fit"):
            DpaEstimator()


if __name__ == "__main__":
    unittest.main()
