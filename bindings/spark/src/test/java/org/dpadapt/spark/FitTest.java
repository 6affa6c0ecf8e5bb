package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.dpadapt.BudgetException;
import org.dpadapt.DpaException;
import org.dpadapt.InputException;
import org.dpadapt.Ledger;
import org.dpadapt.Options;
import org.dpadapt.Solution;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fits on a real Spark. */
class FitTest {
    private static final AtomicInteger TASKS = new AtomicInteger();
    private static byte[] expected;

    @BeforeAll
    static void fitInMemory() {
        expected = Rows.fitInMemory();
    }

    private static DpaEstimator estimator() {
        return new DpaEstimator()
                .setSource(Rows.source())
                .setFeatureCols(Rows.FEATURES)
                .setLabelCol("days")
                .setOptions(Map.of("epsilon", "2", "delta", "1e-6", "unsafe_seed", "5"));
    }

    private static void assertFit(DpaEstimator estimator, Dataset<Row> target) {
        assertArrayEquals(expected, Rows.coefficients(estimator.fit(target)));
    }

    @Test
    void anyPartitionsGiveTheBitsOfRowsInMemory() {
        for (int partitions : new int[] {1, 2, 7}) assertFit(estimator(), Rows.target(partitions));
    }

    /** More partitions than rows are mostly empty; sums of many are merged by tasks. */
    @Test
    @Tag("nightly")
    void manyEmptyPartitionsDoToo() {
        Dataset<Row> few = Rows.target(2).filter("id < 10").repartition(100);
        Dataset<Row> one = few.coalesce(1);
        DpaEstimator estimator = estimator();
        assertArrayEquals(
                Rows.coefficients(estimator.fit(one)), Rows.coefficients(estimator.fit(few)));
    }

    @Test
    @Tag("nightly")
    void rowsNeedNotBeKeptOrCounted() {
        assertFit(estimator().setPersist(false).setRows(Rows.COUNT), Rows.target(3).persist());
        assertEquals(1, Rows.session().sparkContext().getPersistentRDDs().size());
        Rows.session().sharedState().cacheManager().clearCache();
    }

    @Test
    @Tag("nightly")
    void namesMayHaveDots() {
        String[] names = Rows.FEATURES.clone();
        names[0] = "age.of `them`";
        Dataset<Row> target = Rows.target(2).withColumnRenamed("age", names[0]);
        Dataset<Row> source = Rows.source().withColumnRenamed("age", names[0]);
        assertFit(estimator().setSource(source).setFeatureCols(names), target);
    }

    @Test
    @Tag("nightly")
    void aFitKeepsNothing() {
        estimator().fit(Rows.target(2));
        assertTrue(Rows.session().sparkContext().getPersistentRDDs().isEmpty());
        assertThrows(SparkException.class, () -> estimator().setRows(3).fit(Rows.target(2)));
        assertTrue(Rows.session().sparkContext().getPersistentRDDs().isEmpty());
    }

    /** Each partition fails once, after all its rows were added to a sum. */
    @Test
    void tasksThatFailAreRepeatedAndCountOnce() {
        Dataset<Row> rows = Rows.changed(Rows.target(3), FitTest::failOnceAtTheEnd);
        TASKS.set(0);
        assertFit(estimator().setPersist(false).setRows(Rows.COUNT), rows);
        assertTrue(TASKS.get() > 20, TASKS + " tasks failed");
    }

    private static Iterator<Row> failOnceAtTheEnd(Iterator<Row> rows) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (rows.hasNext()) return true;
                if (TaskContext.get().attemptNumber() > 0) return false;
                TASKS.incrementAndGet();
                throw new IllegalStateException("the first attempt fails");
            }

            @Override
            public Row next() {
                return rows.next();
            }
        };
    }

    @Test
    void rowsThatChangeBetweenPassesAreRefused() {
        Dataset<Row> rows = Rows.changed(Rows.target(1), FitTest::otherLabels);
        DpaEstimator estimator = estimator().setPersist(false).setRows(Rows.COUNT);
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> estimator.fit(rows));
        assertTrue(e.getMessage().contains("changed"), e.getMessage());
        estimator.setPersist(true).fit(rows);
    }

    /** The label of one row is another one each time. */
    private static Iterator<Row> otherLabels(Iterator<Row> rows) {
        int task = TASKS.incrementAndGet();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Row next() {
                Row row = rows.next();
                if (row.getLong(0) != 17) return row;
                Object[] cells = new Object[row.size()];
                for (int j = 0; j < cells.length; j++) cells[j] = row.get(j);
                cells[5] = (double) task;
                return RowFactory.create(cells);
            }
        };
    }

    @Test
    @Tag("nightly")
    void aCancelledJobGroupStopsAFit() throws Exception {
        SparkContext context = Rows.session().sparkContext();
        Dataset<Row> rows = Rows.changed(Rows.target(2), FitTest::endless);
        ExecutorService other = Executors.newSingleThreadExecutor();
        TASKS.set(0);
        try {
            Future<?> fit =
                    other.submit(
                            () -> {
                                context.setJobGroup("fit", "a fit", true);
                                DpaEstimator estimator = estimator().setRows(Rows.COUNT);
                                SparkException e =
                                        assertThrows(
                                                SparkException.class, () -> estimator.fit(rows));
                                assertTrue(e.getMessage().contains("cancelled"), e.getMessage());
                            });
            while (TASKS.get() < 2 && !fit.isDone()) Thread.sleep(20);
            context.cancelJobGroup("fit");
            fit.get();
        } finally {
            other.shutdown();
        }
    }

    private static Iterator<Row> endless(Iterator<Row> rows) {
        TASKS.incrementAndGet();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                while (!TaskContext.get().isInterrupted()) Thread.onSpinWait();
                throw new IllegalStateException("stopped");
            }

            @Override
            public Row next() {
                return rows.next();
            }
        };
    }

    @Test
    @Tag("nightly")
    void anotherNumberOfRowsIsRefused() {
        DpaException e =
                assertThrows(
                        DpaException.class,
                        () -> estimator().setRows(Rows.COUNT + 1).fit(Rows.target(2)));
        assertEquals(DpaException.CALLBACK, e.code());
        IllegalArgumentException none =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> estimator().fit(Rows.target(2).filter("id < 0")));
        assertEquals("the target has no rows", none.getMessage());
    }

    @Test
    void predictionsAreThoseOfTheLibrary() {
        DpaModel model = estimator().setPredictionCol("guess").fit(Rows.target(2));
        List<Row> rows = Rows.stays(1500, 0.08, true);
        List<Row> found =
                model.transform(Rows.frame(rows, 2)).orderBy("id").collectAsList();
        assertEquals("stay 7", found.get(7).getString(6));
        try (Solution solution = model.solution()) {
            double[] wanted = solution.predict(Rows.features(rows));
            assertArrayEquals(wanted, found.stream().mapToDouble(r -> r.getDouble(7)).toArray());
        }
        assertTrue(Double.isNaN(found.get(5).getDouble(7)));
        assertThrows(
                IllegalArgumentException.class,
                () -> model.transform(model.transform(Rows.target(1))));
    }

    @Test
    @Tag("nightly")
    void sourceRowsMayBeArrays() {
        List<Row> source = Rows.source().collectAsList();
        double[] x = Rows.features(source);
        double[] y = Rows.labels(source);
        assertFit(estimator().setSource(x, Rows.FEATURES.length, y), Rows.target(2));
        assertThrows(
                IllegalArgumentException.class,
                () -> estimator().setSource(x, 2, new double[x.length / 2]).fit(Rows.target(2)));
    }

    @Test
    @Tag("nightly")
    void fitsArePaidFromALedger(@TempDir Path folder) {
        Path file = folder.resolve("budget");
        Ledger.create(file, new Options().epsilon(2.5).delta(1e-6), false).close();
        DpaEstimator estimator = estimator().setLedger(file);
        assertFit(estimator, Rows.target(2));
        assertThrows(BudgetException.class, () -> estimator.fit(Rows.target(2)));
    }

    @Test
    void aPublicSourceMayStayInItsPartitions() {
        Dataset<Row> source = Rows.source();
        DpaEstimator estimator = estimator().setLargeSource(source);
        byte[] whole = Rows.coefficients(estimator.fit(Rows.target(2)));
        estimator.setLargeSource(source.repartition(5));
        assertArrayEquals(whole, Rows.coefficients(estimator.fit(Rows.target(3))));
        DoubleBuffer found = ByteBuffer.wrap(whole).asDoubleBuffer();
        DoubleBuffer collected = ByteBuffer.wrap(expected).asDoubleBuffer();
        // Which thousand rows tell what clips leave depends on their order.
        while (found.hasRemaining()) assertEquals(collected.get(), found.get(), 1e-4);
        Dataset<Row> gaps = source.withColumn("ward", functions.lit(Double.NaN));
        DpaException e =
                assertThrows(
                        DpaException.class,
                        () -> estimator().setLargeSource(gaps).fit(Rows.target(2)));
        assertEquals(DpaException.NONFINITE, e.code());
    }

    @Test
    void mistakesAreFoundBeforeRowsAreRead() {
        Dataset<Row> broken =
                Rows.target(1).withColumn("days", functions.raise_error(functions.lit("read")));
        Dataset<Row> numbers = broken.withColumn("days", functions.col("days").cast("double"));
        assertThrows(
                InputException.class,
                () -> estimator().setOptions(Map.of("epslion", "1")).fit(numbers));
        for (String option : List.of("method=paper", "private_domain=source")) {
            String[] parts = option.split("=");
            Map<String, String> options =
                    Map.of("epsilon", "1", "delta", "1e-6", parts[0], parts[1]);
            DpaEstimator estimator = estimator().setRows(Rows.COUNT).setOptions(options);
            DpaException e = assertThrows(DpaException.class, () -> estimator.fit(numbers));
            assertEquals(DpaException.UNSUPPORTED, e.code(), option);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> estimator().setLabelCol("nothing").fit(numbers));
        assertThrows(
                IllegalArgumentException.class,
                () -> estimator().setFeatureCols().setFeaturesCol("age").fit(numbers));
        assertThrows(
                IllegalArgumentException.class,
                () -> new DpaEstimator().setFeatureCols("age").setLabelCol("ward").fit(numbers));
        for (String[] names : new String[][] {{"age", "days"}, {"age", "age"}}) {
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> estimator().setFeatureCols(names).fit(numbers));
            assertTrue(e.getMessage().contains("is given twice"), e.getMessage());
        }
    }
}
