package org.dpadapt.spark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.dpadapt.Options;
import org.dpadapt.Partial;
import org.dpadapt.Problem;
import org.dpadapt.Solution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints CPU time of all threads a row, the best of some runs, of rows that come from Parquet. */
class Benchmark {
    private static final int RUNS = 8;

    private static long cpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static double time(String what, double unit, Runnable run) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < RUNS; i++) {
            long begin = cpu();
            run.run();
            best = Math.min(best, cpu() - begin);
        }
        double nanoseconds = (double) best / Many.COUNT;
        System.out.printf(
                "%-40s %6.0f ns a row, ratio %.2f%n", what, nanoseconds,
                nanoseconds / (unit > 0 ? unit : nanoseconds));
        return nanoseconds;
    }

    @Test
    void passesAndPredictions(@TempDir Path folder) throws Exception {
        String file = folder.resolve("rows").toString();
        Many.frame(4).write().parquet(file);
        SparkSession session = Rows.session();
        Dataset<Row> rows = session.read().parquet(file);
        Features features = Features.of(Many.FEATURES, "");
        Dataset<?> needed = features.select(rows, "y");
        RowReader reader = new RowReader.OfNumbers(features, "y", Many.COLUMNS);
        List<byte[]> requests = new ArrayList<>();
        byte[] model;
        try (ClusterRows all = new ClusterRows(rows, reader, false);
                Problem problem = new Problem();
                Solution solution = fit(problem, all, requests)) {
            model = solution.predictorToBytes();
            byte[] request = requests.get(3); // a step
            double scan = time("scan", 0, () -> scan(needed));
            time("pass", scan, () -> all.carryOut(request));
            try (ClusterRows kept = new ClusterRows(rows, reader, true)) {
                kept.count();
                time("pass over rows that are kept", scan, () -> kept.carryOut(request));
            }
            time("what the library needs for a pass", scan, () -> inMemory(request));
        }
        double read = time("rows written to nowhere", 0, () -> write(rows));
        double moved = time("rows through a function, unchanged", read, () -> write(same(rows)));
        DpaModel fitted = new DpaModel("benchmark", model);
        fitted.set(fitted.featureCols(), Many.FEATURES);
        time("rows with predictions", moved, () -> write(fitted.transform(rows)));
    }

    private static Solution fit(Problem problem, ClusterRows all, List<byte[]> requests) {
        problem.source(
                Many.features(-Many.PUBLIC, Many.PUBLIC), Many.COLUMNS,
                Many.labels(-Many.PUBLIC, Many.PUBLIC));
        problem.targetPasses(
                Many.COUNT,
                Many.COLUMNS,
                request -> {
                    requests.add(request);
                    return all.carryOut(request);
                });
        return problem.solve(new Options().epsilon(1).delta(1e-6));
    }

    /** Reads all numbers. */
    private static void scan(Dataset<?> rows) {
        JavaRDD<InternalRow> all = rows.queryExecution().toRdd().toJavaRDD();
        all.mapPartitions(
                        part -> {
                            double sum = 0;
                            while (part.hasNext()) {
                                InternalRow row = part.next();
                                for (int j = 0; j <= Many.COLUMNS; j++) sum += row.getDouble(j);
                            }
                            return List.of(sum).iterator();
                        })
                .collect();
    }

    /** The same number of rows, in memory and on one thread. */
    private static void inMemory(byte[] request) {
        int block = Many.PUBLIC / 20;
        double[] x = Many.features(0, block);
        double[] y = Many.labels(0, block);
        try (Partial sum = new Partial(request)) {
            for (int i = 0; i < Many.COUNT / block; i++) sum.add(x, Many.COLUMNS, y);
        }
    }

    private static Dataset<Row> same(Dataset<Row> rows) {
        MapPartitionsFunction<Row, Row> map = part -> part;
        return rows.mapPartitions(map, Encoders.row(rows.schema()));
    }

    private static void write(Dataset<Row> rows) {
        rows.write().format("noop").mode("overwrite").save();
    }
}
