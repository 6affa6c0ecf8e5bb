/**
 * Private fits and predictions on Spark: {@link org.dpadapt.spark.DpaEstimator} and {@link
 * org.dpadapt.spark.DpaModel}, stages of Spark ML. The private rows stay in their partitions; exact
 * sums over them travel to the driver, where the noise is added.
 */
package org.dpadapt.spark;
