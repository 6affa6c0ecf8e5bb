package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Threads give the same bits as one thread. */
class ThreadsTest {
    private static final int THREADS = 8;

    private static void together(List<Callable<Void>> tasks) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            for (Future<Void> done : executor.invokeAll(tasks)) done.get();
        } finally {
            executor.shutdown();
        }
    }

    private static byte[] fit(long seed, Options options) {
        try (Problem problem = Data.problem(300, 100, 6, seed);
                Solution solution = problem.solve(options)) {
            return solution.toBytes();
        }
    }

    @Test
    void ownProblemsAndCommonOptions() throws Exception {
        Options options = Data.notPrivate();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long seed = 100 + i;
            byte[] expected = fit(seed, options);
            tasks.add(
                    () -> {
                        for (int k = 0; k < 20; k++)
                            assertArrayEquals(expected, fit(seed, options));
                        return null;
                    });
        }
        together(tasks);
    }

    @Test
    void oneProblem() throws Exception {
        try (Problem problem = Data.problem(300, 100, 6, 1);
                Solution expected = problem.solve(Data.notPrivate())) {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < 4 * THREADS; i++)
                tasks.add(
                        () -> {
                            try (Solution solution = problem.solve(Data.notPrivate())) {
                                assertArrayEquals(expected.toBytes(), solution.toBytes());
                            }
                            return null;
                        });
            together(tasks);
        }
    }

    @Test
    void oneSolution() throws Exception {
        double[] x = Data.random(6000, 2);
        try (Problem problem = Data.problem(300, 100, 6, 1);
                Solution solution = problem.solve(Data.notPrivate())) {
            double[] expected = solution.predict(x);
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < 4 * THREADS; i++)
                tasks.add(
                        () -> {
                            for (int k = 0; k < 50; k++)
                                assertArrayEquals(expected, solution.predict(x));
                            return null;
                        });
            together(tasks);
        }
    }
}
