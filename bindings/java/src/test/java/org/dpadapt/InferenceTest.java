package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Intervals of coefficients. */
class InferenceTest {
    @Test
    void intervalsLieAroundTheTargetsOwnEstimate() {
        try (Problem problem = Data.problem(60, 40, 2, 5);
                Solution solution = problem.solve(Data.notPrivate())) {
            double[] estimate = solution.targetEstimate();
            double[] covariance = solution.covariance();
            double[] ends = solution.intervals(0.95);
            assertEquals(3, estimate.length);
            assertEquals(9, covariance.length);
            for (int k = 0; k < 3; k++) {
                assertEquals(estimate[k], (ends[k] + ends[3 + k]) / 2, 1e-12);
                double half = (ends[3 + k] - ends[k]) / 2; // 2.0262 is t of 37 degrees of freedom
                assertEquals(2.0262 * Math.sqrt(covariance[k * 3 + k]), half, 1e-4 * half);
            }
            assertTrue(solution.domainDifference() < 1e-6); // the intercepts differ by 1
            assertCode(DpaException.INVALID_ARGUMENT, () -> solution.intervals(1), "confidence");
        }
    }

    @Test
    void privateIntervalsNeedTheirRelease() {
        try (Problem problem = Data.problem(200, 100, 2, 5);
                Solution plain = problem.solve(Data.withBudget(4))) {
            assertCode(DpaException.NOT_RELEASABLE, plain::covariance, "inference = yes");
        }
        try (Problem problem = Data.problem(200, 100, 2, 5);
                Solution solution =
                        problem.solve(Data.withBudget(4).set("inference", "yes"))) {
            double[] ends = solution.intervals(0.5);
            for (int k = 0; k < 3; k++) assertTrue(ends[k] < ends[3 + k]);
            assertEquals(9, Solution.fromBytes(solution.toBytes()).covariance().length);
        }
    }
}
