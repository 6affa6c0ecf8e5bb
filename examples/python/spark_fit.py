"""A private fit of a Spark DataFrame: each request goes to the partitions, their sums come back.

mapInArrow works on a cluster and over Spark Connect alike. Workers need passes.py and the shared
library: send the first with addPyFile (addArtifacts over Connect), install the second.
"""

import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import passes

FEATURES = ["age", "ward"]
LABEL = "days"


def stays(spark, rows, slope, missing):
    """Made-up stays; some labels may be missing."""
    noise = (F.col("id") % 17 - 8) / 8
    days = slope * F.col("age") + F.col("ward") + noise
    return (
        spark.range(rows)
        .withColumn("age", 20 + F.col("id") * 7 % 60)
        .withColumn("ward", F.col("id") % 3)
        .withColumn("days", F.when(F.col("id") % 1000 >= missing, days))
    )


def table(batch):
    """Features and label, the last column. NULL becomes NaN: a record that counts for nothing."""
    columns = [c.cast(pa.float64()).to_numpy(zero_copy_only=False) for c in batch.columns]
    return np.stack(columns[:-1], axis=1), columns[-1]


def collect(frame):
    """The rows of a DataFrame, features and label; by Arrow where PySpark has it, from 4.0 on."""
    if hasattr(frame, "toArrow"):
        rows = frame.toArrow()
    else:
        rows = pa.Table.from_pandas(frame.toPandas(), preserve_index=False)
    return table(rows.combine_chunks().to_batches()[0])


def carry_out_on(frame):
    """The function that fit() asks: one sum for each partition."""

    def everywhere(request):
        def worker(batches):
            total = passes.carry_out(request, map(table, batches))
            yield pa.RecordBatch.from_pydict({"sum": [total]})

        return [bytes(row["sum"]) for row in frame.mapInArrow(worker, "sum binary").collect()]

    return everywhere


def main():
    spark = SparkSession.builder.master("local[2]").appName("private fit").getOrCreate()
    public = stays(spark, 20000, 0.05, 0).select(*FEATURES, LABEL)
    patients = stays(spark, 3000, 0.08, 1).select(*FEATURES, LABEL).repartition(5).cache()
    coefficients, intercept, _model = passes.fit(
        *collect(public), patients.count(), carry_out_on(patients),
        epsilon=1, delta=1e-6,
    )
    print("days =", *(f"{c:.3f} {name} +" for c, name in zip(coefficients, FEATURES)),
          f"{intercept:.3f}")
    spark.stop()


if __name__ == "__main__":
    main()
