package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import org.dpadapt.DpaException;
import org.dpadapt.Options;
import org.dpadapt.Problem;
import org.dpadapt.Schema;
import org.dpadapt.Solution;
import org.dpadapt.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of texts: the bits of the library's own schema on the same rows. */
class CategoriesTest {
    private static final String[] FEATURES = {"age", "ward", "urgent", "code"};
    private static final StructType SCHEMA =
            StructType.fromDDL(
                    "age INT, ward STRING, urgent BOOLEAN, code STRING, days DOUBLE, fate STRING,"
                            + " back BOOLEAN");
    private static final int TEXTS = 3; // fate, after code and ward
    private static final String LONG = "x".repeat(1 << 20);

    private static Row stay(int i, double slope) {
        SplittableRandom random = new SplittableRandom(i);
        int age = random.nextInt(20, 80);
        String ward = List.of("A", "B", "North wing").get(random.nextInt(3));
        boolean urgent = random.nextBoolean();
        String code = List.of("1", "02", "x9").get(random.nextInt(3));
        double days = slope * age + (ward.equals("B") ? 2 : 0) + (urgent ? 1 : 0)
                + random.nextDouble();
        String fate = days > 5 ? "home" : days > 3 ? "care" : "other";
        return RowFactory.create(age, ward, urgent, code, days, fate, days > 4);
    }

    private static List<Row> source() {
        return IntStream.range(0, 2000).mapToObj(i -> stay(i, 0.05)).toList();
    }

    /** Some with what no public row has. */
    private static List<Row> target() {
        Row[] rows = IntStream.range(0, 600).mapToObj(i -> stay(-i, 0.08)).toArray(Row[]::new);
        rows[3] = with(rows[3], 1, null);
        rows[4] = with(rows[4], 1, "unknown");
        rows[5] = with(rows[5], 1, "nORTH WING");
        rows[6] = with(rows[6], 3, LONG);
        rows[7] = with(rows[7], 3, "");
        rows[8] = with(rows[8], 3, "2");
        rows[9] = with(rows[9], 0, null);
        rows[10] = with(rows[10], 4, null);
        rows[11] = with(rows[11], 5, LONG);
        rows[12] = with(rows[12], 3, "zero\0inside");
        rows[13] = with(rows[13], 3, "x9" + " ".repeat(2000) + "which is not read");
        return List.of(rows);
    }

    private static Row with(Row row, int place, Object cell) {
        Object[] cells = IntStream.range(0, row.size()).mapToObj(row::get).toArray();
        cells[place] = cell;
        return RowFactory.create(cells);
    }

    private static Dataset<Row> frame(List<Row> rows, int partitions) {
        Dataset<Row> frame = Rows.session().createDataFrame(rows, SCHEMA);
        return partitions == 1 ? frame.coalesce(1) : frame.repartition(partitions);
    }

    private static DpaEstimator estimator(String label, String loss) {
        return new DpaEstimator()
                .setSource(frame(source(), 1))
                .setFeatureCols(FEATURES)
                .setLabelCol(label)
                .setOptions(
                        Map.of("epsilon", "2", "delta", "1e-6", "unsafe_seed", "5", "loss", loss));
    }

    private static Table table(List<Row> rows, String label) {
        Table table = new Table(rows.size());
        for (String name : new String[] {"age", "ward", "urgent", "code", label}) {
            int place = SCHEMA.fieldIndex(name);
            if (SCHEMA.apply(place).dataType().catalogString().equals("string"))
                table.texts(
                        name,
                        rows.stream().map(r -> begin(r.getString(place))).toArray(String[]::new));
            else table.numbers(
                    name, rows.stream().mapToDouble(r -> Features.number(r.get(place))).toArray());
        }
        return table.text("ward").text("code");
    }

    private static String begin(String text) {
        return text == null ? null : text.substring(0, Math.min(1000, text.length()));
    }

    /** What a fit of rows in memory is asked for. */
    private interface Use {
        void of(Schema schema, Solution solution, Table target);
    }

    private static void inMemory(List<Row> target, String label, String loss, Use use) {
        Options options = new Options().epsilon(2).delta(1e-6).set("unsafe_seed", 5)
                .set("loss", loss);
        try (Table known = table(source(), label);
                Table secret = table(target, label);
                Schema schema = Schema.learn(known, label, options);
                Problem problem = new Problem().source(schema, known).target(schema, secret);
                Solution solution = problem.solve(options)) {
            use.of(schema, solution, secret);
        }
    }

    private static void assertSame(Schema schema, Solution wanted, DpaModel model) {
        try (Solution solution = model.solution(); Schema own = model.schema()) {
            assertArrayEquals(wanted.coefficients(), solution.coefficients());
            assertArrayEquals(wanted.intercept(), solution.intercept());
            assertArrayEquals(schema.toBytes(), own.toBytes());
        }
    }

    @Test
    void anyPartitionsGiveTheBitsOfTheLibrary() {
        inMemory(target(), "days", "squared", (schema, wanted, rows) -> {
            assertEquals(6, schema.features());
            for (int partitions : new int[] {1, 5})
                assertSame(
                        schema, wanted,
                        estimator("days", "squared").fit(frame(target(), partitions)));
            // A number that is written as a text is that number.
            Dataset<Row> other = frame(target(), 2)
                    .withColumn("age", functions.col("age").cast("string"));
            DpaModel model = estimator("days", "squared").fit(other);
            assertSame(schema, wanted, model);
            List<Row> found = model.transform(frame(target(), 1)).collectAsList();
            assertArrayEquals(
                    wanted.predict(schema.features(rows)),
                    found.stream().mapToDouble(r -> r.getDouble(7)).toArray());
        });
    }

    @Test
    void aModelWithClassesIsSavedAndLoaded(@TempDir Path folder) throws Exception {
        inMemory(target(), "fate", "softmax", (schema, wanted, table) -> {
            DpaModel model = estimator("fate", "softmax")
                    .setPredictedLabelCol("expected")
                    .fit(frame(target(), 2));
            assertSame(schema, wanted, model);
            String path = folder.resolve("model").toString();
            assertWrites(model, path);
            DpaModel loaded = DpaModel.load(path);
            assertSame(schema, wanted, loaded);
            double[] labels = wanted.predict(schema.features(table));
            List<Row> found = loaded.transform(frame(target(), 1)).collectAsList();
            assertArrayEquals(
                    labels, found.stream().mapToDouble(r -> r.getDouble(7)).toArray());
            assertArrayEquals(
                    schema.labelTexts(labels),
                    found.stream().map(r -> r.getString(8)).toArray());
            assertEquals(TEXTS, Arrays.stream(schema.labelTexts(labels)).distinct().count());
            // A model file as the command and all languages read it.
            try (Schema file = load(folder.resolve("model/solution.dpadapt"))) {
                assertArrayEquals(schema.toBytes(), file.toBytes());
            }
        });
    }

    private static void assertWrites(DpaModel model, String path) {
        try {
            model.save(path);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Schema load(Path file) {
        try {
            return Schema.load(file);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Texts of many letters, unknown levels and nulls count as records like any other. */
    @Test
    void oddPrivateTextsAreNoErrorAndChangeNoCount() {
        List<Row> rows = target();
        List<Row> odd = IntStream.range(0, rows.size())
                .mapToObj(
                        i -> {
                            Row row = with(rows.get(i), 1, i % 2 == 0 ? "odd " + i : null);
                            return with(row, 3, i % 60 == 0 ? LONG : null);
                        })
                .toList();
        inMemory(odd, "days", "squared", (schema, wanted, table) -> {
            DpaModel model = estimator("days", "squared").fit(frame(odd, 2));
            assertSame(schema, wanted, model);
            try (Solution solution = model.solution()) {
                assertEquals(odd.size(), solution.targetRows());
            }
        });
    }

    @Test
    @Tag("nightly")
    void aBooleanIsOneOfTwoClasses() {
        DpaModel model = estimator("back", "logistic")
                .setFeatureCols("age", "urgent")
                .setPredictedLabelCol("expected")
                .fit(frame(target(), 2));
        List<Row> found = model.transform(frame(target(), 1)).select("expected").distinct()
                .orderBy("expected").collectAsList();
        assertEquals(List.of("0", "1"), found.stream().map(r -> r.getString(0)).toList());
    }

    @Test
    void mistakesAreFoundBeforeRowsAreRead() {
        Dataset<Row> unread = frame(target(), 1)
                .withColumn("ward", functions.raise_error(functions.lit("read")).cast("string"));
        DpaException e = assertThrows(
                DpaException.class, () -> estimator("fate", "squared").fit(unread));
        assertEquals(DpaException.LABEL, e.code());
        IllegalArgumentException large = assertThrows(
                IllegalArgumentException.class,
                () -> estimator("days", "squared").setLargeSource(frame(source(), 2)).fit(unread));
        assertTrue(large.getMessage().contains("setSource"), large.getMessage());
        IllegalArgumentException type = assertThrows(
                IllegalArgumentException.class,
                () -> estimator("days", "squared")
                        .fit(unread.withColumn("code", functions.current_date())));
        assertTrue(type.getMessage().contains("code must be"), type.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> estimator("days", "squared").setFeatureCols("age")
                        .setPredictedLabelCol("expected").fit(unread));
        assertThrows(
                IllegalArgumentException.class,
                () -> estimator("days", "squared").setSource(new double[] {1, 2}, 1, new double[2])
                        .setFeatureCols("ward").fit(unread));
        DpaModel numbers = estimator("days", "squared").setFeatureCols("age", "urgent")
                .fit(frame(target(), 1));
        assertNull(numbers.schema());
        assertFalse(numbers.isSet(numbers.predictedLabelCol()));
    }
}
