package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.dpadapt.Solution;
import org.junit.jupiter.api.Test;

/**
 * A table larger than memory: rows that each pass makes anew in their partitions, 9 GB in all, by a
 * virtual machine of 1 GB. Takes minutes, so only {@code -Dtest=LargeFit} runs it.
 */
class LargeFit {
    private static final int COLUMNS = 10;
    private static final long ROWS = Long.getLong("dpadapt.rows", 100_000_000);
    private static final double MINUTES = 30;
    private static final String[] FEATURES =
            IntStream.range(0, COLUMNS).mapToObj(j -> "x" + j).toArray(String[]::new);

    /** Of public rows the truth has the shift 0. */
    private static double truth(int j, double shift) {
        return j % 5 - 2 + shift;
    }

    /** Uniform numbers between -1 and 1 that depend on the row's number alone. */
    private static String uniform(int j) {
        return "hash(id, " + j + ") / 2147483648D";
    }

    private static Dataset<Row> rows(long first, long count, int partitions, double shift) {
        StringBuilder label = new StringBuilder(uniform(COLUMNS));
        for (int j = 0; j < COLUMNS; j++)
            label.append(" + ").append(truth(j, shift)).append("D * ").append(uniform(j));
        Stream<String> features =
                IntStream.range(0, COLUMNS).mapToObj(j -> uniform(j) + " AS x" + j);
        return Rows.session()
                .range(first, first + count, 1, partitions)
                .selectExpr(
                        Stream.concat(features, Stream.of(label + " AS y"))
                                .toArray(String[]::new));
    }

    private static double[] fit(long count, int partitions) {
        DpaModel model =
                new DpaEstimator()
                        .setSource(rows(-20_000, 20_000, 1, 0))
                        .setFeatureCols(FEATURES)
                        .setLabelCol("y")
                        .setPersist(false)
                        .setOptions(Map.of("epsilon", "1", "delta", "1e-6", "unsafe_seed", "5"))
                        .fit(rows(0, count, partitions, 0.5));
        try (Solution solution = model.solution()) {
            return solution.coefficients();
        }
    }

    private static double cpuSeconds() {
        return 1e-9
                * ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime();
    }

    @Test
    void manyRowsThatAreNotKeptFindTheTruth() {
        assertArrayEquals(fit(100_000, 3), fit(100_000, 8), "other partitions of the first rows");
        double begin = cpuSeconds();
        long start = System.nanoTime();
        double[] found = fit(ROWS, 64);
        double seconds = cpuSeconds() - begin;
        System.out.printf(
                "%d rows: %.0f s of CPU, %.0f s%n",
                ROWS, seconds, 1e-9 * (System.nanoTime() - start));
        // A coefficient has a standard error of 1/sqrt(rows).
        for (int j = 0; j < COLUMNS; j++)
            assertEquals(truth(j, 0.5), found[j], 10 / Math.sqrt(ROWS), "x" + j);
        assertTrue(seconds < 60 * MINUTES, seconds + " s");
    }
}
