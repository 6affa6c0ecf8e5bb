package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Fits of times, and their curves. */
class SurvivalTest {
    private static final double[] ROWS = {-1, 0, 0, 0, 1, 1};

    /** Two features; times are censored at 2. */
    private static Problem problem() {
        Random random = new Random(3);
        Problem problem = new Problem();
        for (int rows : new int[] {900, 500}) {
            double[] x = random.doubles(2L * rows, -1.7, 1.7).toArray();
            double[] times = new double[rows];
            boolean[] events = new boolean[rows];
            for (int i = 0; i < rows; i++) {
                double time = -Math.log(random.nextDouble()) * Math.exp(-0.7 * x[2 * i]);
                events[i] = time <= 2;
                times[i] = Math.min(time, 2);
            }
            double[] labels = EventTimes.labels(times, events);
            if (rows == 900) problem.source(x, 2, labels);
            else problem.target(x, 2, labels);
        }
        return problem;
    }

    @Test
    void curvesFallAndHaveIntervals() {
        Options options = Data.withBudget(4).set("loss", "survival").set("inference", "yes");
        try (Problem problem = problem();
                Solution solution = problem.solve(options)) {
            double[] curve = solution.survival(ROWS, 0, 0.5, 1, 9);
            double[] ends = solution.survivalInterval(0.9, ROWS, 0.5, 1);
            assertEquals(12, curve.length);
            assertEquals(12, ends.length);
            for (int i = 0; i < 3; i++) {
                assertEquals(1, curve[i]);
                assertTrue(curve[6 + i] < curve[3 + i] && curve[3 + i] < 1);
                assertTrue(Double.isNaN(curve[9 + i]));
            }
            for (int i = 0; i < 6; i++) assertTrue(0 < ends[i] && ends[i] < ends[6 + i]);
            try (Solution again = Solution.fromBytes(solution.toBytes())) {
                assertArrayEquals(curve, again.survival(ROWS, 0, 0.5, 1, 9));
            }
            assertCode(DpaException.INVALID_ARGUMENT, () -> solution.survival(ROWS, -1), "times");
            for (double sure : new double[] {0, 1, Double.NaN})
                assertCode(
                        DpaException.INVALID_ARGUMENT,
                        () -> solution.survivalInterval(sure, ROWS, 1),
                        "confidence");
        }
    }

    @Test
    void otherLossesHaveNone() {
        try (Problem problem = Data.problem(60, 40, 2, 5);
                Solution solution = problem.solve(Data.notPrivate())) {
            assertCode(DpaException.UNSUPPORTED, () -> solution.survival(ROWS, 1), "survival");
        }
    }

    @Test
    void labelsHaveTheSignsOfEvents() {
        double[] times = {2, 3, 0, -1, Double.NaN, Double.POSITIVE_INFINITY};
        boolean[] events = {true, false, true, true, true, true};
        double none = Double.NaN;
        assertArrayEquals(
                new double[] {2, -3, none, none, none, none}, EventTimes.labels(times, events));
        assertThrows(
                IllegalArgumentException.class, () -> EventTimes.labels(times, new boolean[2]));
    }
}
