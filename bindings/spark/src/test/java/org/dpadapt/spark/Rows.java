package org.dpadapt.spark;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.dpadapt.Options;
import org.dpadapt.Problem;
import org.dpadapt.Solution;

/** Made-up stays, on Spark and in memory, and fits of both. */
final class Rows {
    static final String[] FEATURES = {"age", "ward", "cost", "urgent"};
    static final StructType SCHEMA =
            StructType.fromDDL(
                    "id BIGINT, age INT, ward DOUBLE, cost DECIMAL(9,2), urgent BOOLEAN,"
                            + " days DOUBLE, name STRING");
    static final int COUNT = 500;
    static final int PUBLIC = 3000;

    private Rows() {}

    /** One session for all tests: a task may fail three times. */
    static SparkSession session() {
        SparkSession session =
                SparkSession.builder()
                        .master("local[2,4]")
                        .config("spark.ui.enabled", false)
                        .config("spark.sql.shuffle.partitions", 2)
                        .getOrCreate();
        session.sparkContext().setLogLevel("OFF");
        return session;
    }

    /** Private rows have cells without a value. */
    static List<Row> stays(int count, double slope, boolean hasGaps) {
        return IntStream.range(0, count).mapToObj(i -> stay(i, slope, hasGaps)).toList();
    }

    private static Row stay(int i, double slope, boolean hasGaps) {
        SplittableRandom random = new SplittableRandom(i);
        int age = random.nextInt(20, 80);
        double ward = random.nextDouble(-1, 1);
        BigDecimal cost = BigDecimal.valueOf(random.nextInt(1000), 2);
        boolean urgent = random.nextBoolean();
        double days =
                slope * age + ward + cost.doubleValue() / 5 + (urgent ? 2 : 0)
                        + random.nextDouble();
        boolean isGap = hasGaps && i % 97 == 5;
        return RowFactory.create(
                (long) i, isGap ? null : age, hasGaps && i % 101 == 3 ? Double.NaN : ward, cost,
                urgent, hasGaps && i % 89 == 7 ? null : days, "stay " + i);
    }

    static Dataset<Row> frame(List<Row> rows, int partitions) {
        return session().createDataFrame(rows, SCHEMA).repartition(partitions);
    }

    static Dataset<Row> target(int partitions) {
        return frame(stays(COUNT, 0.08, true), partitions);
    }

    /** In one partition, so that its order is that in memory. */
    static Dataset<Row> source() {
        return frame(stays(PUBLIC, 0.05, false), 1);
    }

    static double[] features(List<Row> rows) {
        double[] x = new double[rows.size() * FEATURES.length];
        for (int i = 0; i < rows.size(); i++)
            for (int j = 0; j < FEATURES.length; j++)
                x[i * FEATURES.length + j] = number(rows.get(i).get(j + 1));
        return x;
    }

    static double[] labels(List<Row> rows) {
        return rows.stream().mapToDouble(row -> number(row.get(5))).toArray();
    }

    private static double number(Object cell) {
        if (cell instanceof Boolean is) return is ? 1 : 0;
        return cell == null ? Double.NaN : ((Number) cell).doubleValue();
    }

    static Options options() {
        return new Options().epsilon(2).delta(1e-6).set("unsafe_seed", 5);
    }

    /** The predictor of a fit of rows in memory. */
    static byte[] fitInMemory() {
        List<Row> source = source().collectAsList();
        List<Row> target = stays(COUNT, 0.08, true);
        try (Problem problem =
                        new Problem()
                                .source(features(source), FEATURES.length, labels(source))
                                .target(features(target), FEATURES.length, labels(target));
                Solution solution = problem.solve(options())) {
            return coefficients(solution);
        }
    }

    static byte[] coefficients(Solution solution) {
        java.nio.ByteBuffer all = java.nio.ByteBuffer.allocate(8 * (FEATURES.length + 1));
        for (double c : solution.coefficients()) all.putDouble(c);
        return all.putDouble(solution.intercept()[0]).array();
    }

    static byte[] coefficients(DpaModel model) {
        try (Solution solution = model.solution()) {
            return coefficients(solution);
        }
    }

    /** What happens to the rows of a partition on their way. */
    interface Change extends Serializable {
        Iterator<Row> of(Iterator<Row> rows);
    }

    static Dataset<Row> changed(Dataset<Row> rows, Change change) {
        MapPartitionsFunction<Row, Row> map = change::of;
        return rows.mapPartitions(map, Encoders.row(rows.schema()));
    }
}
