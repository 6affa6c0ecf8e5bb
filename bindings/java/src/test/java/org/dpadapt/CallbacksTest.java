package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class CallbacksTest {
    /** In raw features without intercept, theta are the coefficients. */
    private static Options raw() {
        return Data.notPrivate()
                .set("preprocess", "none")
                .set("intercept", false)
                .set("form", "general")
                .set("radius", 5)
                .set("alpha", 0.8);
    }

    private static void squared(
            double[] x, double[] y, double[] theta, double[] losses, double[] gradients) {
        int d = theta.length;
        for (int i = 0; i < y.length; i++) {
            double residual = -y[i];
            for (int j = 0; j < d; j++) residual += theta[j] * x[i * d + j];
            losses[i] = residual * residual;
            if (gradients != null)
                for (int j = 0; j < d; j++) gradients[i * d + j] = 2 * residual * x[i * d + j];
        }
    }

    @Test
    void aListenerHearsEveryPhase() {
        List<Progress> heard = new ArrayList<>();
        Thread caller = Thread.currentThread();
        Options options =
                Data.notPrivate()
                        .set("alpha", 0.8)
                        .listener(
                                progress -> {
                                    assertSame(caller, Thread.currentThread());
                                    heard.add(progress);
                                });
        try (Problem problem = Data.problem(200, 50, 5, 1);
                Solution solution = problem.solve(options)) {
            assertNotNull(solution);
            for (String phase : List.of("preprocess", "choose alpha", "discrepancy", "solve"))
                assertTrue(heard.stream().anyMatch(p -> p.phase().equals(phase)), phase);
            assertTrue(heard.stream().anyMatch(p -> p.objective() > 0 && p.dualityGap() >= 0));
            assertTrue(heard.stream().allMatch(p -> p.iteration() >= 0 && p.limit() >= 0));
        }
    }

    @Test
    void whatAListenerThrowsComesBackUnchanged() {
        Throwable[] thrown = {
            new IllegalStateException("enough"),
            new AssertionError("enough"),
            new OutOfMemoryError("enough"),
            new DpaException(DpaException.CANCELLED, "mine")
        };
        try (Problem problem = Data.problem(200, 50, 5, 1);
                Solution expected = problem.solve(Data.notPrivate())) {
            for (Throwable t : thrown) {
                Options options = Data.notPrivate().listener(p -> CallbacksTest.raise(t));
                assertSame(t, assertThrows(Throwable.class, () -> problem.solve(options)));
                assertSame(t, assertThrows(Throwable.class, () -> problem.discrepancy(options)));
                try (Solution again = problem.solve(options.listener(null))) {
                    assertArrayEquals(expected.toBytes(), again.toBytes());
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Throwable t) throws E {
        throw (E) t;
    }

    @Test
    void aStackOverflowInAListenerIsAnError() {
        try (Problem problem = Data.problem(200, 50, 5, 1)) {
            Options options = Data.notPrivate().listener(p -> endless(0));
            assertThrows(StackOverflowError.class, () -> problem.solve(options));
            problem.solve(options.listener(null)).close();
        }
    }

    private static int endless(int n) {
        return endless(n + 1) + 1;
    }

    @Test
    void aTokenStopsACallFromAnotherThread() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Problem problem = Data.problem(200, 50, 5, 1);
                CancelToken token = new CancelToken()) {
            Options options =
                    Data.notPrivate()
                            .cancel(token)
                            .listener(
                                    p -> {
                                        running.countDown();
                                        await(cancelled);
                                    });
            Future<?> fit =
                    executor.submit(
                            () -> assertCode(DpaException.CANCELLED, () -> problem.solve(options)));
            running.await();
            token.cancel();
            cancelled.countDown();
            fit.get();
            assertCode(DpaException.CANCELLED, () -> problem.solve(options));
            try (CancelToken other = new CancelToken()) {
                problem.solve(options.cancel(other)).close();
            }
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void aFutureCanBeCancelledThroughTheListener() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Problem problem = Data.problem(200, 50, 5, 1)) {
            Options options =
                    Data.notPrivate()
                            .listener(
                                    p -> {
                                        running.countDown();
                                        while (!Thread.interrupted()) Thread.onSpinWait();
                                        throw new CancellationException();
                                    });
            Future<?> fit =
                    executor.submit(
                            () -> {
                                assertThrows(
                                        CancellationException.class, () -> problem.solve(options));
                                stopped.countDown();
                            });
            running.await();
            fit.cancel(true);
            stopped.await();
        } finally {
            executor.shutdown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCallbackCannotChangeTheProblemThatIsInUse() {
        try (Problem problem = Data.small()) {
            Options options =
                    Data.notPrivate()
                            .listener(p -> problem.source(Data.SOURCE, 2, Data.SOURCE_LABELS));
            assertCode(DpaException.STATE, () -> problem.solve(options));
        }
    }

    @Test
    void aProblemClosedByACallbackLivesUntilTheCallReturns() {
        Problem problem = Data.problem(200, 50, 5, 1);
        try (Solution solution =
                problem.solve(Data.notPrivate().listener(p -> problem.close()))) {
            assertTrue(solution.objective() > 0);
        }
        assertCode(DpaException.HANDLE, problem::features, "problem", "closed");
    }

    @Test
    void aLossInJavaFitsLikeTheOneInside() {
        try (Problem problem = Data.problem(200, 50, 4, 2);
                Solution expected = problem.solve(raw());
                Solution solution = problem.solve(raw().loss(CallbacksTest::squared, 4))) {
            assertEquals("custom", solution.loss());
            assertEquals(0, solution.outputs());
            assertArrayEquals(expected.coefficients(), solution.parameters(), 1e-5);
            assertEquals(expected.objective(), solution.objective(), 1e-8 * expected.objective());
            assertCode(DpaException.UNSUPPORTED, solution::coefficients);
            assertCode(DpaException.UNSUPPORTED, () -> solution.predict(new double[4]));
            double[] rows = {1, 2, 3, 4};
            assertArrayEquals(rows, solution.transform(rows));
            try (Solution read = Solution.fromBytes(solution.toBytes())) {
                assertArrayEquals(solution.parameters(), read.parameters());
            }
        }
    }

    /**
     * In a process of its own: classes that are first needed where the stack ends stay
     * unusable.
     */
    @Test
    void aLossWithoutRoomOnTheStackIsAnError() throws Exception {
        String output = Processes.run(EndOfStack.class, "", "-Xint");
        assertEquals("only errors\n", output);
    }

    /** Calls that begin near the end of the stack, where callbacks have no room left. */
    public static final class EndOfStack {
        private EndOfStack() {}

        /** Prints what fits failed with, if that was no error of the virtual machine. */
        public static void main(String[] arguments) throws InterruptedException {
            try (Problem problem = Data.problem(200, 50, 4, 2)) {
                Options options = raw().loss(CallbacksTest::squared, 4);
                problem.solve(options).close();
                List<Throwable> failures = new ArrayList<>();
                BooleanSupplier fit =
                        () -> {
                            try (Solution solution = problem.solve(options)) {
                                return solution.features() == 4;
                            } catch (Throwable e) {
                                failures.add(e);
                                return false;
                            }
                        };
                Thread thread = new Thread(null, () -> recur(0, fit), "deep", 1 << 20);
                thread.start();
                thread.join();
                failures.stream()
                        .filter(e -> !(e instanceof Error))
                        .findFirst()
                        .ifPresentOrElse(
                                System.out::println,
                                () ->
                                        System.out.println(
                                                failures.isEmpty() ? "none" : "only errors"));
            }
        }

        /** Recurs until the stack ends; on the way back tries until a fit is made. */
        private static boolean recur(int depth, BooleanSupplier fit) {
            boolean fitted = false;
            try {
                fitted = recur(depth + 1, fit);
            } catch (StackOverflowError e) {
                if (depth % 8 != 0) throw e;
            }
            return fitted || depth % 8 == 0 && fit.getAsBoolean();
        }
    }

    @Test
    void whatALossThrowsOnPublicRecordsComesBackUnchanged() {
        RuntimeException mine = new IllegalStateException("mine");
        try (Problem problem = Data.problem(200, 50, 4, 2)) {
            Options options = raw().loss((x, y, theta, losses, gradients) -> raise(mine), 4);
            assertSame(mine, assertThrows(RuntimeException.class, () -> problem.solve(options)));
            problem.solve(options.loss(CallbacksTest::squared, 4)).close();
            assertEquals("huber", options.set("loss", "huber").get("loss"));
            problem.solve(options).close();
        }
    }

    /** A loss that fails on private records is not heard, or its failing would be a release. */
    @Test
    void whatALossThrowsOnPrivateRecordsStaysUnseen() {
        double[] far = {100, 100, 100, 100};
        boolean[] failed = {false};
        Loss loss =
                (x, y, theta, losses, gradients) -> {
                    if (y[0] == 100) {
                        failed[0] = true;
                        throw new IllegalStateException("a private record");
                    }
                    squared(x, y, theta, losses, gradients);
                };
        Options options =
                Data.withBudget(1)
                        .set("preprocess", "none")
                        .set("intercept", false)
                        .set("radius", 2)
                        .set("alpha", 0.5)
                        .set("discrepancy", 0)
                        .loss(loss, 2, 10, 10, 4);
        try (Problem problem =
                        new Problem()
                                .source(Data.SOURCE, 2, Data.SOURCE_LABELS)
                                .target(far, 1 + 1, new double[] {100, 100});
                Solution solution = problem.solve(options)) {
            assertTrue(failed[0]);
            assertEquals(Protection.Kind.GUARANTEED, solution.protection().kind());
        }
    }

    @Test
    void resultsLeftUnwrittenAreNoFit() {
        try (Problem problem = Data.small()) {
            Options options = raw().loss((x, y, theta, losses, gradients) -> {}, 2);
            assertCode(DpaException.NUMERICAL, () -> problem.solve(options));
        }
    }

    @Test
    void boundsOfALossAreChecked() {
        Options options = new Options();
        double inf = Double.POSITIVE_INFINITY;
        assertCode(DpaException.DIMENSION, () -> options.loss(CallbacksTest::squared, 0), "0");
        assertCode(DpaException.OPTION, () -> options.loss(CallbacksTest::squared, 2, 0, inf, inf));
        assertCode(
                DpaException.OPTION,
                () -> options.loss(CallbacksTest::squared, 2, inf, Double.NaN, inf));
        int most = Integer.MAX_VALUE;
        assertCode(
                DpaException.OVERFLOW,
                () -> options.loss(CallbacksTest::squared, most),
                "parameters", "16777216");
        assertEquals("squared", options.get("loss"));
    }
}
