package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Private samples that stay where they are. */
class PassesTest {
    private static final int COLUMNS = 3;
    private static final int ROWS = 100;
    private static final double[] X = Data.random(ROWS * COLUMNS, 1);
    private static final double[] Y = Data.labels(X, COLUMNS, 1, 2);
    private static final double[] PUBLIC = Data.random(400 * COLUMNS, 3);
    private static final double[] PUBLIC_LABELS = Data.labels(PUBLIC, COLUMNS, 0, 4);

    static {
        Y[7] = Double.NaN; // a null record
    }

    private static Options options() {
        return Data.withBudget(5).set("unsafe_seed", 3);
    }

    private static byte[] part(byte[] request, int begin, int end) {
        double[] x = Arrays.copyOfRange(X, begin * COLUMNS, end * COLUMNS);
        double[] y = Arrays.copyOfRange(Y, begin, end);
        try (Partial sum = new Partial(request)) {
            sum.name(begin);
            // Arrays and buffers in turn, and two calls for one part.
            if (begin % 2 == 0) return sum.add(x, COLUMNS, y).serialize();
            int half = y.length / 2;
            sum.add(Data.direct(Arrays.copyOf(x, half * COLUMNS)), COLUMNS,
                    Data.direct(Arrays.copyOf(y, half)));
            sum.add(Arrays.copyOfRange(x, half * COLUMNS, x.length), COLUMNS,
                    Arrays.copyOfRange(y, half, y.length));
            assertEquals(y.length, sum.records());
            return sum.serialize();
        }
    }

    /** Merged from the last part to the first. */
    private static Pass inParts(int parts) {
        return request -> {
            try (Partial total = new Partial(request)) {
                for (int k = parts - 1; k >= 0; k--)
                    total.merge(part(request, k * ROWS / parts, (k + 1) * ROWS / parts));
                assertEquals("Partial[" + ROWS + " records]", total.toString());
                return total.serialize();
            }
        };
    }

    /** Persons with one to three rows each, in two parts of whole persons. */
    @Test
    void personsInPartsAreThoseInMemory() {
        long[] ids = new long[ROWS];
        for (int i = 0; i < ROWS; i++) ids[i] = i * 7L % 40 - 20;
        Pass pass = request -> {
            try (Partial total = new Partial(request)) {
                for (int k = 0; k < 2; k++) {
                    int part = k;
                    int[] of = java.util.stream.IntStream.range(0, ROWS)
                            .filter(i -> (ids[i] & 1) == part).toArray();
                    double[] x = new double[of.length * COLUMNS];
                    double[] y = new double[of.length];
                    long[] whose = new long[of.length];
                    for (int r = 0; r < of.length; r++) {
                        System.arraycopy(X, of[r] * COLUMNS, x, r * COLUMNS, COLUMNS);
                        y[r] = Y[of[r]];
                        whose[r] = ids[of[r]];
                    }
                    try (Partial sum = new Partial(request)) {
                        assertCode(DpaException.STATE, () -> sum.add(x, COLUMNS, y));
                        sum.addGroups(x, COLUMNS, y, whose);
                        assertCode(
                                DpaException.STATE, () -> sum.addGroups(x, COLUMNS, y, whose));
                        assertEquals(20, sum.records());
                        total.merge(sum.serialize());
                    }
                }
                return total.serialize();
            }
        };
        Problem here = new Problem().source(PUBLIC, COLUMNS, PUBLIC_LABELS).target(X, COLUMNS, Y);
        here.groups(ids);
        Problem there =
                new Problem()
                        .source(PUBLIC, COLUMNS, PUBLIC_LABELS)
                        .targetGroupPasses(40, COLUMNS, pass);
        assertArrayEquals(fit(here, options()), fit(there, options()));
    }

    private static Problem with(Pass pass) {
        return new Problem()
                .source(PUBLIC, COLUMNS, PUBLIC_LABELS)
                .targetPasses(ROWS, COLUMNS, pass);
    }

    private static double[] fit(Problem problem, Options options) {
        try (Solution solution = problem.solve(options)) {
            double[] all = Arrays.copyOf(solution.coefficients(), COLUMNS + 1);
            all[COLUMNS] = solution.intercept()[0];
            return all;
        } finally {
            problem.close();
        }
    }

    @Test
    void anyPartsGiveTheBitsOfRowsInMemory() {
        Problem inMemory =
                new Problem().source(PUBLIC, COLUMNS, PUBLIC_LABELS).target(X, COLUMNS, Y);
        double[] expected = fit(inMemory, options());
        for (int parts : new int[] {1, 2, 7, ROWS})
            assertArrayEquals(expected, fit(with(inParts(parts)), options()), parts + " parts");
    }

    @Test
    void aPrivateSourceCanStayToo() {
        Options options = options().set("private_domain", "source").set("label_bound", 4.0);
        Problem inMemory =
                new Problem().source(X, COLUMNS, Y).target(PUBLIC, COLUMNS, PUBLIC_LABELS);
        Problem elsewhere =
                new Problem()
                        .target(PUBLIC, COLUMNS, PUBLIC_LABELS)
                        .sourcePasses(ROWS, COLUMNS, inParts(7));
        assertArrayEquals(fit(inMemory, options), fit(elsewhere, options));
    }

    /** In blocks of that many rows. */
    private static Pass blocks(double[] x, double[] y, int rows) {
        return request -> {
            try (Partial total = new Partial(request)) {
                for (int begin = 0; begin < y.length; begin += rows) {
                    int end = Math.min(y.length, begin + rows);
                    total.add(Arrays.copyOfRange(x, begin * COLUMNS, end * COLUMNS), COLUMNS,
                            Arrays.copyOfRange(y, begin, end));
                }
                return total.serialize();
            }
        };
    }

    private static Problem publicElsewhere(double[] x, double[] y, int rows) {
        return new Problem()
                .sourcePasses(y.length, COLUMNS, blocks(x, y, rows))
                .targetPasses(ROWS, COLUMNS, inParts(7));
    }

    @Test
    void aPublicSourceCanStayToo() {
        double[] few = fit(publicElsewhere(PUBLIC, PUBLIC_LABELS, 150), options());
        assertArrayEquals(fit(publicElsewhere(PUBLIC, PUBLIC_LABELS, 7), options()), few);
        assertArrayEquals(fit(with(inParts(7)), options()), few, 1e-6);
        double[] x = Data.random(70000 * COLUMNS, 5);
        double[] y = Data.labels(x, COLUMNS, 0, 6);
        double[] many = fit(publicElsewhere(x, y, 70000), options());
        assertArrayEquals(many, fit(publicElsewhere(x, y, 3000), options()));
        x[5] = Double.NaN;
        assertCode(
                DpaException.NONFINITE, () -> fit(publicElsewhere(x, y, 70000), options()));
        x[5] = 0;
        assertCode(
                DpaException.UNSUPPORTED,
                () -> fit(publicElsewhere(x, y, 70000), options().set("alpha", 0.5)));
    }

    @Test
    void singlePrecisionIsReadAsTheDoublesThatItIs() {
        float[] x = new float[X.length];
        float[] y = new float[Y.length];
        for (int i = 0; i < x.length; i++) x[i] = (float) X[i];
        for (int i = 0; i < y.length; i++) y[i] = (float) Y[i];
        double[] wideX = new double[x.length];
        double[] wideY = new double[y.length];
        for (int i = 0; i < x.length; i++) wideX[i] = x[i];
        for (int i = 0; i < y.length; i++) wideY[i] = y[i];
        Pass floats =
                request -> {
                    try (Partial sum = new Partial(request)) {
                        return sum.add(x, COLUMNS, y).serialize();
                    }
                };
        Problem inMemory =
                new Problem().source(PUBLIC, COLUMNS, PUBLIC_LABELS).target(wideX, COLUMNS, wideY);
        assertArrayEquals(fit(inMemory, options()), fit(with(floats), options()));
    }

    private static List<byte[]> requests() {
        List<byte[]> requests = new ArrayList<>();
        fit(with(request -> {
            requests.add(request);
            return inParts(1).carryOut(request);
        }), options());
        assertTrue(requests.size() > 10);
        return requests;
    }

    @Test
    void sumsOfSomethingElseAreRefused() {
        List<byte[]> requests = requests();
        byte[] first = requests.get(0);
        byte[] sum = part(first, 0, 50);
        byte[] damaged = sum.clone();
        damaged[damaged.length / 2] ^= 1;
        byte[] other = part(requests.get(1), 0, 50);
        try (Partial total = new Partial(first)) {
            assertCode(DpaException.FORMAT, () -> total.merge(damaged));
            assertCode(DpaException.FORMAT, () -> total.merge(other));
            assertCode(DpaException.FORMAT, () -> total.merge(new byte[0]));
            assertCode(DpaException.INVALID_ARGUMENT, () -> total.merge(null));
            assertEquals(0, total.records());
            total.merge(sum);
            assertCode(DpaException.STATE, () -> total.merge(sum), "twice");
            assertCode(DpaException.STATE, () -> total.name(0));
            assertCode(DpaException.STATE, () -> total.merge(part(first, 10, 70)));
            assertCode(DpaException.DIMENSION, () -> total.add(X, COLUMNS, new double[1]));
            assertCode(DpaException.DIMENSION, () -> total.add(new double[4], 2, new double[2]));
            assertCode(DpaException.EMPTY, () -> total.add(X, 0, Y));
            assertCode(
                    DpaException.DIMENSION, () -> total.add(new float[3], COLUMNS, new float[2]));
            assertCode(DpaException.INVALID_ARGUMENT, () -> total.add(X, COLUMNS, null));
            assertEquals(50, total.records());
        }
        Partial closed = new Partial(first);
        closed.close();
        assertCode(DpaException.HANDLE, closed::records);
        assertEquals("Partial[closed]", closed.toString());
        assertCode(DpaException.FORMAT, () -> new Partial(damaged));
        assertCode(DpaException.INVALID_ARGUMENT, () -> new Partial(null));
    }

    @Test
    void aMissingPartIsRefused() {
        Pass most = request -> part(request, 0, ROWS - 1);
        assertCode(
                DpaException.CALLBACK, () -> fit(with(most), options()), "each record once");
    }

    @Test
    void aSumThatIsNoneIsAnError() {
        assertCode(DpaException.FORMAT, () -> fit(with(request -> request), options()));
        assertCode(DpaException.INVALID_ARGUMENT, () -> fit(with(request -> null), options()));
        assertCode(DpaException.INVALID_ARGUMENT, () -> with(null));
        assertCode(
                DpaException.EMPTY, () -> new Problem().targetPasses(0, 2, request -> request));
        assertCode(
                DpaException.OVERFLOW,
                () -> new Problem().targetPasses(-1, COLUMNS, request -> request));
    }

    @Test
    void whatAPassThrowsComesBackUnchanged() {
        Throwable[] thrown = {
            new IOException("no such table"),
            new OutOfMemoryError("enough"),
            new DpaException(DpaException.CALLBACK, "mine")
        };
        Throwable[] next = {null};
        Pass pass =
                request -> {
                    if (next[0] == null) return inParts(2).carryOut(request);
                    throw Options.<Exception>unchanged(next[0]);
                };
        for (Throwable t : thrown)
            try (Problem problem = with(pass)) {
                next[0] = t;
                assertSame(t, assertThrows(Throwable.class, () -> problem.solve(options())));
                next[0] = null; // the price of the call that failed is spent
                assertCode(DpaException.BUDGET, () -> problem.solve(options()));
            }
    }

    @Test
    void validationRowsCanStayAndFailToo() {
        IOException mine = new IOException("mine");
        Options options = options().set("selection_epsilon", 2.0).set("selection_bound", 9.0);
        try (Problem problem = with(inParts(1));
                Problem rows = with(request -> { throw mine; });
                Search search = new Search().axis("shrinkage", "2,3")) {
            problem.budget(Data.withBudget(20));
            assertSame(
                    mine,
                    assertThrows(IOException.class, () -> search.run(problem, rows, options)));
        }
    }

    @Test
    void aPassCannotUseTheProblem() {
        Problem[] own = {null};
        own[0] = with(request -> new byte[own[0].solve(options()).features()]);
        assertCode(DpaException.STATE, () -> fit(own[0], options()));
    }

    @Test
    void aTokenStopsAFitBetweenPasses() {
        int[] asked = {0};
        try (CancelToken token = new CancelToken()) {
            Pass pass =
                    request -> {
                        if (++asked[0] == 3) token.cancel();
                        return inParts(2).carryOut(request);
                    };
            assertCode(
                    DpaException.CANCELLED, () -> fit(with(pass), options().cancel(token)));
            assertEquals(3, asked[0]);
        }
    }

    @Test
    void whatPassesCannotDoIsRefusedBeforeItIsPaid() {
        try (Problem problem = with(inParts(1))) {
            problem.budget(Data.withBudget(1));
            assertCode(
                    DpaException.UNSUPPORTED,
                    () -> problem.solve(Data.withBudget(1).set("method", "paper")));
            assertEquals(0, problem.budgetNumber("spent_mu"));
        }
    }

    @Test
    void rowsReplaceAPass() {
        Problem problem = with(request -> { throw new IOException("asked"); });
        double[] expected = fit(with(inParts(1)), options());
        assertArrayEquals(expected, fit(problem.target(X, COLUMNS, Y), options()));
    }

    /** A pass that refers to its problem keeps neither of them from the collector. */
    @Test
    void forgottenPassesAreCleaned() throws Exception {
        WeakReference<Problem> forgotten = selfish();
        for (int i = 0; i < 100 && forgotten.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertNull(forgotten.get());
    }

    private static WeakReference<Problem> selfish() {
        Problem problem = new Problem();
        problem.targetPasses(ROWS, COLUMNS, request -> {
            throw new IllegalStateException(problem.toString());
        });
        return new WeakReference<>(problem);
    }

    /** While a call runs, its pass is kept even if nothing else refers to the problem. */
    @Test
    void aPassIsKeptWhileItsCallRuns() {
        Pass collecting =
                request -> {
                    System.gc();
                    return inParts(2).carryOut(request);
                };
        double[] found = with(collecting).solve(options()).coefficients();
        double[] expected = fit(with(inParts(1)), options());
        assertArrayEquals(Arrays.copyOf(expected, COLUMNS), found);
    }
}
