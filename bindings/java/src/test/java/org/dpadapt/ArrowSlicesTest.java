package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A slice of Arrow is the rows that it shows, wherever it begins, also between two bytes. */
class ArrowSlicesTest {
    private static final int COLUMNS = 2;
    private static final int ROWS = 100;

    private final ArrowColumns arrow = new ArrowColumns();

    @AfterEach
    void nothingIsLeaked() {
        arrow.close();
    }

    private void assertSlices(
            Solution fit, double[] x, Supplier<FieldVector[]> columns, String... features) {
        double[] all = fit.predict(x);
        for (int begin : new int[] {0, 1, 7, 8, 13, 64, 99})
            for (int rows : new int[] {0, 1, 9, ROWS - begin}) {
                if (begin + rows > ROWS) continue;
                double[] expected = Arrays.copyOfRange(all, begin, begin + rows);
                ArrowColumns.Batch predict =
                        (schema, batch) ->
                                assertArrayEquals(
                                        expected, fit.predictArrow(schema, batch, rows, features),
                                        rows + " rows from " + begin);
                arrow.slice(begin, rows, false, predict, columns.get());
                arrow.slice(begin, rows, true, predict, columns.get());
                arrow.batch(predict, arrow.parts(begin, rows, columns.get()));
            }
    }

    @Test
    void numbersOfEachTypeAndNulls() {
        double[] x = Data.random(ROWS * COLUMNS, 1);
        boolean[] odd = new boolean[ROWS];
        long[] whole = new long[ROWS];
        double[] types = new double[ROWS * COLUMNS];
        double[] single = new double[ROWS];
        double[] mixed = new double[ROWS * COLUMNS];
        double[] a = new double[ROWS];
        double[] b = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            if (i % 5 == 2) x[2 * i] = Double.NaN;
            a[i] = x[2 * i];
            b[i] = x[2 * i + 1];
            types[2 * i] = (odd[i] = i * i % 3 == 1) ? 1 : 0;
            types[2 * i + 1] = whole[i] = i % 7 - 3;
            mixed[2 * i] = (float) (single[i] = 0.1 * (i % 13));
            mixed[2 * i + 1] = b[i];
        }
        try (Problem small = Data.small(); Solution fit = small.solve(Data.notPrivate())) {
            assertSlices(
                    fit, x,
                    () -> new FieldVector[] {arrow.doubles("b", b), arrow.doubles("a", a)},
                    "a", "b");
            assertSlices(
                    fit, types,
                    () ->
                            new FieldVector[] {
                                arrow.booleans("odd", odd), arrow.integers("whole", whole)
                            });
            assertSlices(
                    fit, mixed,
                    () -> new FieldVector[] {arrow.floats("f", single), arrow.doubles("b", b)});
            double[] finite = Data.random(ROWS * COLUMNS, 2);
            assertSlices(fit, finite, () -> new FieldVector[] {arrow.lists("x", COLUMNS, finite)});
        }
    }

    @Test
    void sumsOfSlicesAreTheSumOfAllRows() {
        double[] x = Data.random(ROWS * COLUMNS, 1);
        double[] y = Data.labels(x, COLUMNS, 1, 2);
        x[6] = y[7] = Double.NaN;
        double[] a = new double[ROWS];
        double[] b = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            a[i] = x[2 * i];
            b[i] = x[2 * i + 1];
        }
        Supplier<FieldVector[]> columns =
                () ->
                        new FieldVector[] {
                            arrow.doubles("y", y), arrow.doubles("a", a), arrow.doubles("b", b)
                        };
        Pass pass =
                request -> {
                    try (Partial sum = new Partial(request)) {
                        ArrowColumns.Batch add =
                                (schema, batch) -> sum.addArrow(schema, batch, "y", "a", "b");
                        arrow.slice(0, 7, true, add, columns.get());
                        arrow.slice(7, 57, false, add, columns.get());
                        arrow.batch(add, arrow.parts(64, 36, columns.get()));
                        assertEquals(ROWS, sum.records());
                        return sum.serialize();
                    }
                };
        double[] source = Data.random(400 * COLUMNS, 3);
        double[] labels = Data.labels(source, COLUMNS, 0, 4);
        Options options = Data.withBudget(5).set("unsafe_seed", 3);
        try (Problem arrays = new Problem().source(source, COLUMNS, labels).target(x, COLUMNS, y);
                Problem slices =
                        new Problem()
                                .source(source, COLUMNS, labels)
                                .targetPasses(ROWS, COLUMNS, pass);
                Solution expected = arrays.solve(options);
                Solution found = slices.solve(options)) {
            assertArrayEquals(expected.coefficients(), found.coefficients());
            assertArrayEquals(expected.intercept(), found.intercept());
        }
    }

    @Test
    void dictionariesAndTexts() {
        int rows = 60;
        String[] wards = new String[rows];
        String[] answers = new String[rows];
        for (int i = 0; i < rows; i++) {
            wards[i] = i % 4 == 3 ? null : "1" + i % 4;
            answers[i] = i * 7 % 31 + i % 3 * 5 > 20 ? "yes" : "no";
        }
        int begin = 5;
        Dictionary levels =
                new Dictionary(
                        arrow.texts("levels", "10", "11", "12"),
                        new DictionaryEncoding(1, false, null));
        arrow.dictionaries.put(levels);
        Options options = new Options().loss(Options.LossChoice.LOGISTIC);
        try (Table made =
                        new Table(rows - 9)
                                .texts("ward", Arrays.copyOfRange(wards, begin, rows - 4))
                                .texts("answer", Arrays.copyOfRange(answers, begin, rows - 4));
                Schema schema = Schema.learn(made, "answer", options)) {
            for (boolean byColumn : new boolean[] {false, true})
                try (VarCharVector texts = arrow.texts("ward", wards)) {
                    FieldVector encoded = (FieldVector) DictionaryEncoder.encode(texts, levels);
                    arrow.slice(
                            begin, rows - 9, byColumn,
                            (schemaAt, batch) -> {
                                try (Table found = read(schemaAt, batch)) {
                                    Schema.Rows expected = schema.apply(made);
                                    assertArrayEquals(expected.x(), schema.apply(found).x());
                                    assertArrayEquals(expected.y(), schema.apply(found).y());
                                }
                            },
                            encoded, arrow.texts("answer", answers));
                }
        } finally {
            levels.getVector().close();
        }
    }

    private Table read(long schema, long batch) {
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(arrow.allocator)) {
            Arrow.stream(schema, batch, stream.memoryAddress());
            return Table.readArrow(stream.memoryAddress());
        }
    }
}
