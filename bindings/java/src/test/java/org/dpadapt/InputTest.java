package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import org.junit.jupiter.api.Test;

/** Input that does not fit: the documented exception, and the problem is as it was. */
class InputTest {
    private static final DoubleBuffer HEAP = DoubleBuffer.wrap(new double[4]);
    private static final DoubleBuffer FOREIGN =
            ByteBuffer.allocateDirect(32)
                    .order(
                            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                                    ? ByteOrder.LITTLE_ENDIAN
                                    : ByteOrder.BIG_ENDIAN)
                    .asDoubleBuffer();

    private static DoubleBuffer unaligned() {
        return ByteBuffer.allocateDirect(40)
                .position(4)
                .slice()
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }

    @Test
    void sizesThatDoNotFit() {
        double[] four = new double[4];
        double[] two = new double[2];
        try (Problem problem = Data.small()) {
            assertCode(DpaException.DIMENSION, () -> problem.source(four, 3, two), "4", "3");
            assertCode(DpaException.DIMENSION, () -> problem.source(four, 2, four), "y has 4");
            assertCode(DpaException.DIMENSION, () -> problem.source(four, 1, four), "2", "1");
            assertCode(DpaException.EMPTY, () -> problem.source(four, 0, two), "columns");
            assertCode(DpaException.EMPTY, () -> problem.source(four, -1, two), "-1");
            assertCode(DpaException.EMPTY, () -> problem.target(new double[0], 2, new double[0]));
            assertCode(DpaException.EMPTY, () -> problem.target(new double[0][], new double[0]));
            assertCode(DpaException.EMPTY, () -> problem.target(new double[2][0], two));
            double[][] ragged = {{1, 2}, {1, 2, 3}};
            assertCode(DpaException.DIMENSION, () -> problem.source(ragged, two), "x[1]", "3");
            assertEquals(6, problem.sourceRows());
            try (Solution solution = problem.solve(Data.notPrivate())) {
                double[] three = new double[3];
                assertCode(DpaException.DIMENSION, () -> solution.predict(three), "3", "2");
                assertCode(DpaException.DIMENSION, () -> solution.predict(Data.direct(three)));
                assertCode(DpaException.DIMENSION, () -> solution.transform(three));
                assertCode(DpaException.DIMENSION, () -> solution.predict(ragged));
            }
        }
    }

    @Test
    void buffersThatTheLibraryCannotRead() {
        DoubleBuffer y = Data.direct(1, 2);
        try (Problem problem = Data.small();
                Solution solution = problem.solve(Data.notPrivate())) {
            DoubleBuffer[] bad = {HEAP, FOREIGN, unaligned(), null};
            String[] words = {"direct", "byte order", "address", "null"};
            for (int i = 0; i < bad.length; i++) {
                DoubleBuffer x = bad[i];
                String word = words[i];
                int code = DpaException.INVALID_ARGUMENT;
                assertCode(code, () -> problem.source(x, 2, y), "x ", word);
                assertCode(code, () -> problem.target(x, 2, y), "x ", word);
                assertCode(code, () -> problem.lendSource(x, 2, y), "x ", word);
                assertCode(code, () -> problem.lendTarget(x, 2, y), "x ", word);
                assertCode(
                        code, () -> problem.lendTarget(Data.direct(1, 2, 3, 4), 1, x), "y ", word);
                assertCode(code, () -> solution.predict(x), "x ", word);
                assertCode(code, () -> solution.transform(x), "x ", word);
            }
            try (Solution again = problem.solve(Data.notPrivate())) {
                assertEquals(solution.objective(), again.objective());
            }
        }
    }

    @Test
    void nulls() {
        double[] y = new double[1];
        int code = DpaException.INVALID_ARGUMENT;
        try (Problem problem = Data.small();
                Solution solution = problem.solve(Data.notPrivate())) {
            assertCode(code, () -> problem.source((double[]) null, 1, y), "x is null");
            assertCode(code, () -> problem.source(y, 1, null), "y is null");
            assertCode(code, () -> problem.source((double[][]) null, y), "x is null");
            assertCode(code, () -> problem.source(new double[][] {null}, y), "x[0] is null");
            assertCode(code, () -> solution.predict((double[]) null), "x is null");
            assertCode(code, () -> solution.setting(null), "name");
            assertCode(code, () -> solution.save(null), "path");
            assertCode(code, () -> solution.privacyReport(null), "form");
            assertCode(code, () -> problem.privacyReport(null), "form");
            assertCode(code, () -> Baseline.solve(null, "kmm", null), "problem");
            assertCode(code, () -> Baseline.solve(problem, null, Data.notPrivate()), "method");
            assertCode(code, () -> Privacy.inspect(null, null), "problem");
            assertCode(code, () -> new Options((Options) null), "other");
            assertCode(code, () -> new Options().set(null, 1), "name");
            assertCode(code, () -> new Options().set("loss", (String) null), "text");
            assertCode(code, () -> new Options().parse("alpha", null), "text");
            assertCode(code, () -> new Options().get(null), "name");
            assertCode(code, () -> new Options().loss(null, 1), "loss");
        }
    }

    @Test
    void badPublicRowsAreNamed() {
        double[] features = Data.SOURCE.clone();
        features[6] = Double.NaN;
        try (Problem problem = Data.small()) {
            problem.source(features, 2, Data.SOURCE_LABELS);
            assertCode(DpaException.NONFINITE, () -> problem.solve(Data.notPrivate()), "3");
            assertCode(
                    DpaException.LABEL,
                    () ->
                            problem.source(Data.SOURCE, 2, Data.SOURCE_LABELS)
                                    .solve(Data.notPrivate().set("loss", "logistic")),
                    "0");
        }
        try (Problem empty = new Problem()) {
            assertCode(DpaException.STATE, () -> empty.solve(Data.notPrivate()));
            assertEquals(0, empty.sourceRows() + empty.targetRows() + empty.features());
        }
    }
}
