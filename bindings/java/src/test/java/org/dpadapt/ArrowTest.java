package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Columns of Apache Arrow, exported by its own library. */
class ArrowTest {
    private static final int COLUMNS = 2;
    private static final int ROWS = 100;
    private static final double[] X = Data.random(ROWS * COLUMNS, 1);
    private static final double[] Y = Data.labels(X, COLUMNS, 1, 2);
    private static final double[] PUBLIC = Data.random(400 * COLUMNS, 3);
    private static final double[] PUBLIC_LABELS = Data.labels(PUBLIC, COLUMNS, 0, 4);

    static {
        X[6] = Double.NaN;
        Y[7] = Double.NaN;
    }

    private final ArrowColumns arrow = new ArrowColumns();

    @AfterEach
    void nothingIsLeaked() {
        arrow.close();
    }

    private static double[] column(double[] x, int j) {
        return IntStream.range(0, x.length / COLUMNS)
                .mapToDouble(i -> x[i * COLUMNS + j])
                .toArray();
    }

    /** The label first, so that features are found by their names. */
    private FieldVector[] columns(double[] x, double[] y) {
        return new FieldVector[] {
            arrow.doubles("y", y),
            arrow.doubles("b", column(x, 1)),
            arrow.doubles("a", column(x, 0))
        };
    }

    private static Options options() {
        return Data.withBudget(5).set("unsafe_seed", 3);
    }

    private static double[] fit(Problem problem, Options options) {
        try (problem; Solution solution = problem.solve(options)) {
            double[] all = Arrays.copyOf(solution.coefficients(), COLUMNS + 1);
            all[COLUMNS] = solution.intercept()[0];
            return all;
        }
    }

    private static double[] fitToArrays() {
        return fit(
                new Problem().source(PUBLIC, COLUMNS, PUBLIC_LABELS).target(X, COLUMNS, Y),
                options());
    }

    @Test
    void streamsGiveTheBitsOfArrays() throws Exception {
        double[] expected = fitToArrays();
        for (int rows : new int[] {7, 64, 1000}) {
            Problem problem = new Problem();
            arrow.closed = 0;
            arrow.batches(
                    rows,
                    at -> problem.sourceArrow(at, "y", "a", "b"),
                    columns(PUBLIC, PUBLIC_LABELS));
            assertEquals(1, arrow.closed, "released once, and by now");
            arrow.batches(rows, at -> problem.targetArrow(at, "y", "a", "b"), columns(X, Y));
            assertEquals(2, arrow.closed);
            assertArrayEquals(expected, fit(problem, options()), rows + " rows");
        }
    }

    @Test
    void otherNumbersAreReadAsTheDoublesThatTheyAre() {
        double[] single = new double[X.length / 2];
        double[] whole = new double[single.length];
        double[] x = new double[3 * single.length];
        boolean[] odd = new boolean[single.length];
        double[] y = new double[single.length];
        for (int i = 0; i < single.length; i++) {
            x[3 * i] = (float) (0.1 * (i % 13));
            x[3 * i + 1] = whole[i] = i % 7 - 3;
            x[3 * i + 2] = i % 2;
            odd[i] = i % 2 == 1;
            y[i] = x[3 * i] + 0.5 * whole[i] - x[3 * i + 2] + 0.01 * (i % 5);
            single[i] = 0.1 * (i % 13);
        }
        Options options = Data.notPrivate();
        Problem problem = new Problem().source(x, 3, y);
        LongConsumer set = at -> problem.targetArrow(at, "y");
        long[] integers = Arrays.stream(whole).mapToLong(v -> (long) v).toArray();
        arrow.oneBatch(
                set,
                arrow.floats("single", single),
                arrow.integers("whole", integers),
                arrow.booleans("odd", odd),
                arrow.doubles("y", y));
        Problem arrays = new Problem().source(x, 3, y).target(x, 3, y);
        try (problem; arrays;
                Solution found = problem.solve(options); Solution one = arrays.solve(options)) {
            assertArrayEquals(one.coefficients(), found.coefficients());
            assertArrayEquals(one.targetWeights(), found.targetWeights());
        }
    }

    @Test
    void oneListColumnIsKeptUntilTheProblemIsClosed() {
        double[] x = X.clone();
        x[6] = 0.5;
        Problem arrays = new Problem().source(PUBLIC, COLUMNS, PUBLIC_LABELS).target(x, COLUMNS, Y);
        double[] expected = fit(arrays, options());
        Problem problem = new Problem().source(PUBLIC, COLUMNS, PUBLIC_LABELS);
        LongConsumer set = at -> problem.targetArrow(at, "y", "x");
        arrow.oneBatch(set, arrow.lists("x", COLUMNS, x), arrow.doubles("y", Y));
        long held = arrow.allocator.getAllocatedMemory();
        assertTrue(held >= 8 * x.length, held + " bytes");
        arrow.oneBatch(set, arrow.lists("x", COLUMNS, x), arrow.doubles("y", Y));
        assertEquals(held, arrow.allocator.getAllocatedMemory(), "the first one was replaced");
        assertArrayEquals(expected, fit(problem, options()));
        assertEquals(0, arrow.allocator.getAllocatedMemory());
    }

    @Test
    void partialSumsAndPredictionsBorrowABatch() {
        Pass pass =
                request -> {
                    try (Partial sum = new Partial(request)) {
                        arrow.batch(
                                (schema, batch) -> sum.addArrow(schema, batch, "y", "a", "b"),
                                columns(X, Y));
                        assertEquals(ROWS, sum.records());
                        return sum.serialize();
                    }
                };
        Problem problem = new Problem().source(PUBLIC, COLUMNS, PUBLIC_LABELS);
        assertArrayEquals(fitToArrays(), fit(problem.targetPasses(ROWS, COLUMNS, pass), options()));
        try (Problem small = Data.small(); Solution fit = small.solve(Data.notPrivate())) {
            arrow.batch(
                    (schema, batch) -> {
                        double[] found = fit.predictArrow(schema, batch, ROWS, "a", "b");
                        assertArrayEquals(fit.predict(X), found);
                        assertTrue(Double.isNaN(found[3]), "a null");
                        for (int rows : new int[] {ROWS - 1, ROWS + 1, -1})
                            assertCode(
                                    DpaException.DIMENSION,
                                    () -> fit.predictArrow(schema, batch, rows, "a", "b"));
                        assertCode(
                                DpaException.DIMENSION,
                                () -> fit.predictArrow(schema, batch, ROWS), "features");
                    },
                    columns(X, Y));
        }
    }

    @Test
    void dictionariesAndTextsGoThroughASchema() throws Exception {
        int rows = 60;
        String[] wards = new String[rows];
        String[] answers = new String[rows];
        double[] ages = new double[rows];
        int[] codes = new int[rows];
        for (int i = 0; i < rows; i++) {
            codes[i] = i % 4 == 3 ? -1 : i % 4;
            wards[i] = codes[i] < 0 ? null : "1" + codes[i];
            answers[i] = i * 7 % 31 + i % 3 * 5 > 20 ? "yes" : "no";
            ages[i] = i % 9 == 0 ? Double.NaN : 20 + i * 7 % 31;
        }
        Dictionary levels =
                new Dictionary(
                        arrow.texts("levels", "10", "11", "12"),
                        new DictionaryEncoding(1, false, null));
        arrow.dictionaries.put(levels);
        Table[] read = new Table[1];
        try (VarCharVector texts = arrow.texts("ward", wards);
                FieldVector encoded = (FieldVector) DictionaryEncoder.encode(texts, levels)) {
            arrow.batches(
                    25,
                    at -> read[0] = Table.readArrow(at),
                    arrow.doubles("age", ages), encoded, arrow.texts("answer", answers));
        } finally {
            levels.getVector().close();
        }
        assertEquals(1, arrow.closed);
        Options options = new Options().loss(Options.LossChoice.LOGISTIC);
        try (Table found = read[0];
                Table made = new Table(rows).numbers("age", ages)
                        .levels("ward", codes, "10", "11", "12").texts("answer", answers);
                Schema schema = Schema.learn(found, "answer", options);
                Schema same = Schema.learn(made, "answer", options)) {
            assertEquals(rows, found.rows());
            assertTrue(schema.featureNames().containsAll(List.of("ward=11", "ward=12")));
            assertEquals(same.featureNames(), schema.featureNames());
            assertArrayEquals(same.apply(made).x(), schema.apply(found).x());
            assertArrayEquals(same.apply(made).y(), schema.apply(found).y());
        }
    }

    private void assertRefused(
            Problem problem, int code, String word, String label, String... features) {
        arrow.closed = 0;
        arrow.isLeft = false;
        assertCode(
                code,
                () -> arrow.batches(
                        9, at -> problem.sourceArrow(at, label, features), columns(X, Y)),
                word);
        assertTrue(arrow.isLeft);
        assertEquals(1, arrow.closed);
        assertEquals(6, problem.sourceRows());
    }

    @Test
    void aFailureLeavesTheStreamToTheCaller() {
        try (Problem problem = Data.small()) {
            assertCode(DpaException.INVALID_ARGUMENT, () -> problem.sourceArrow(0, "y"));
            assertCode(DpaException.INVALID_ARGUMENT, () -> Table.readArrow(0));
            assertCode(DpaException.INVALID_ARGUMENT, () -> Arrow.stream(0, 0, 0));
            assertRefused(problem, DpaException.INVALID_ARGUMENT, "lost", "y", "lost");
            assertRefused(problem, DpaException.INVALID_ARGUMENT, "lost", "lost", "a", "b");
            assertRefused(problem, DpaException.DIMENSION, "", "y", "a");
            assertRefused(problem, DpaException.INVALID_ARGUMENT, "NUL", "y", "a\0");
            assertRefused(problem, DpaException.INVALID_ARGUMENT, "null", "y", "a", null);
            arrow.failure = "the row of Alice";
            assertRefused(problem, DpaException.CALLBACK, "", "y", "a", "b");
        }
    }

    @Test
    void whatAnotherMistakeSaysQuotesNoRow() {
        arrow.failure = "the row of Alice";
        DpaException e =
                assertThrows(
                        DpaException.class,
                        () -> arrow.batches(
                                9, at -> new Problem().targetArrow(at, "y"), columns(X, Y)));
        assertFalse(e.getMessage().contains("Alice"), e.getMessage());
        assertCode(
                DpaException.UNSUPPORTED,
                () -> arrow.oneBatch(
                        at -> new Problem().targetArrow(at, null), arrow.texts("a", "Alice")),
                "a");
    }
}
