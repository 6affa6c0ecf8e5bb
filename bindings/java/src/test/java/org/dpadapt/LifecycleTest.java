package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LifecycleTest {
    private static final int CYCLES = Integer.getInteger("dpadapt.cycles");
    private static final Options FAST = Data.notPrivate().set("discrepancy", 0).set("alpha", 0.5);

    /** Memory of this process in MB. */
    private static long resident() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .sum();
    }

    private interface Cycle {
        void run() throws Exception;
    }

    /** MB that all cycles but the first tenth need more. */
    private static long grown(int cycles, Cycle cycle) throws Exception {
        long before = 0;
        for (int i = 0; i < cycles; i++) {
            if (i == cycles / 10) before = resident();
            cycle.run();
        }
        return resident() - before;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void closedCyclesNeedNoMemory() throws Exception {
        long grown =
                grown(
                        CYCLES,
                        () -> {
                            try (Problem problem = Data.small();
                                    Solution solution = problem.solve(FAST)) {
                                assertEquals(2, solution.features());
                            }
                        });
        assertTrue(grown < 20, grown + " MB more");
    }

    /** A problem and a solution hold some 5 kB outside the heap; half of them may be left. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void forgottenCyclesAreCleaned() throws Exception {
        long grown = grown(CYCLES, () -> assertEquals(2, Data.small().solve(FAST).features()));
        assertTrue(grown < CYCLES / 400, grown + " MB more");
    }

    /** 3 GB outside the heap, forgotten: the heap alone would not ask for a collection in time. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void forgottenSamplesAreCleaned() throws Exception {
        DoubleBuffer x =
                ByteBuffer.allocateDirect(8 << 20).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        DoubleBuffer y = x.slice(0, x.capacity() / 64);
        long grown = grown(400, () -> assertEquals(64, new Problem().source(x, 64, y).features()));
        assertTrue(grown < 900, grown + " MB more");
    }

    /** 700 MB outside the heap, forgotten: an axis needs more than its text. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void forgottenSearchesAreCleaned() throws Exception {
        String values = "0.1" + ",0.1".repeat(200_000);
        long grown =
                grown(
                        100,
                        () ->
                                assertEquals(
                                        200_001,
                                        new Search().axis("alpha", values).candidates()));
        assertTrue(grown < 400, grown + " MB more");
    }

    /** 800 MB outside the heap, forgotten. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void forgottenSolutionsAreCleaned() throws Exception {
        int parameters = 1 << 20;
        Loss loss =
                (x, labels, theta, losses, gradients) -> {
                    Arrays.fill(losses, 1);
                    if (gradients != null) Arrays.fill(gradients, 0);
                };
        double[] one = {1};
        byte[] saved;
        try (Problem problem = new Problem().source(one, 1, one).target(one, 1, one);
                Solution solution =
                        problem.solve(new Options(FAST).loss(loss, parameters, 1, 1, 1))) {
            saved = solution.toBytes();
        }
        long grown = grown(100, () -> assertEquals(1, Solution.fromBytes(saved).features()));
        assertTrue(grown < 400, grown + " MB more");
    }

    /** What was lent can be collected after close(), though the problem can still be reached. */
    @Test
    void closedProblemsKeepNothing() throws Exception {
        Problem problem = new Problem();
        WeakReference<ByteBuffer> lent = lend(problem);
        System.gc();
        assertNotNull(lent.get());
        problem.close();
        for (int i = 0; i < 100 && lent.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(lent.get());
        assertCode(DpaException.HANDLE, problem::features);
    }

    private static WeakReference<ByteBuffer> lend(Problem problem) {
        ByteBuffer memory = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
        DoubleBuffer x = memory.asDoubleBuffer();
        problem.lendSource(x, 2, x.slice(0, 2)).lendTarget(x, 2, x.slice(0, 2));
        return new WeakReference<>(memory);
    }

    @Test
    void useAfterClose() {
        Problem problem = Data.problem(300, 200, 3, 5);
        Discrepancy discrepancy = problem.discrepancy(Data.notPrivate());
        Solution solution = problem.solve(Data.notPrivate());
        Plan plan = problem.plan(Data.withBudget(1));
        CancelToken token = new CancelToken();
        for (int i = 0; i < 2; i++) { // twice is as good as once
            discrepancy.close();
            solution.close();
            plan.close();
            token.close();
        }
        int code = DpaException.HANDLE;
        assertCode(code, () -> problem.solve(Data.notPrivate(), discrepancy), "discrepancy");
        assertCode(code, () -> problem.solve(Data.notPrivate().cancel(token)), "cancel token");
        problem.close();
        problem.close();
        double[] y = {1};
        assertCode(code, problem::solve, "problem is closed");
        assertCode(code, () -> problem.source(y, 1, y));
        assertCode(code, () -> problem.lendTarget(Data.direct(y), 1, Data.direct(y)));
        assertCode(code, () -> problem.plan(null));
        assertCode(code, () -> problem.budget(null));
        assertCode(code, () -> problem.discrepancy(null));
        assertCode(code, () -> problem.budgetNumber("epsilon"));
        assertCode(code, () -> problem.privacyReport(Report.JSON));
        assertCode(code, problem::targetRows);
        assertCode(code, () -> Baseline.solve(problem, "kmm", null));
        assertCode(code, () -> Privacy.inspect(problem, null));
        assertCode(code, discrepancy::value, "discrepancy is closed");
        assertCode(code, discrepancy::bounds);
        assertCode(code, discrepancy::maximizer);
        assertCode(code, () -> plan.value("mu"), "plan is closed");
        assertCode(code, () -> plan.report(Report.JSON));
        assertCode(code, () -> plan.holds(1, 1e-5));
        assertCode(code, token::cancel, "cancel token is closed");
        assertCode(code, solution::coefficients, "solution is closed");
        assertCode(code, solution::sourceWeights);
        assertCode(code, solution::loss);
        assertCode(code, solution::termination);
        assertCode(code, solution::protection);
        assertCode(code, solution::toBytes);
        assertCode(code, () -> solution.predict(new double[3]));
        assertCode(code, () -> solution.privacyReport(Report.TEXT));
    }

    /** Closing races with calls: each call works or says that the object is closed. */
    @Test
    void closeWhileOthersUseIt() throws Exception {
        double[] x = Data.random(3000, 1);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (Problem problem = Data.problem(300, 200, 3, 5)) {
            for (int i = 0; i < 300; i++) {
                Solution solution = problem.solve(FAST);
                double[] expected = solution.predict(x);
                CountDownLatch started = new CountDownLatch(1);
                Future<?> user =
                        executor.submit(
                                () -> {
                                    try {
                                        while (true) {
                                            assertArrayEquals(expected, solution.predict(x));
                                            started.countDown();
                                        }
                                    } catch (DpaException e) {
                                        assertEquals(DpaException.HANDLE, e.code());
                                    }
                                });
                started.await();
                solution.close();
                user.get();
            }
        } finally {
            executor.shutdown();
        }
    }
}
