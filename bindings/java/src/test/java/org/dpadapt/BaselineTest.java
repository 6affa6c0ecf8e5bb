package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BaselineTest {
    private static Solution solve(String name, Options options) {
        double[] x = Data.random(120, 3);
        double[] z = Data.random(80, 4);
        try (Problem problem = new Problem().source(x, 2, signs(x)).target(z, 2, signs(z))) {
            return Baseline.solve(problem, name, options);
        }
    }

    /** Labels of two classes, which every loss understands. */
    private static double[] signs(double[] x) {
        double[] y = new double[x.length / 2];
        for (int i = 0; i < y.length; i++) y[i] = x[2 * i] + 0.3 * x[2 * i + 1] > 0 ? 1 : -1;
        return y;
    }

    private static Options options(String name) {
        Options options = Data.notPrivate();
        if (name.equals("best")) options.set("form", "general").set("lambda_1", 1);
        if (name.equals("gapboost") || name.equals("tradaboost")) options.set("loss", "logistic");
        return options;
    }

    @Test
    void everyBaselineFitsOrSaysThatItIsPrivate() {
        int fitted = 0;
        for (Baseline baseline : Baseline.all()) {
            String name = baseline.name();
            assertFalse(baseline.doc().isEmpty());
            try (Solution solution = solve(name, options(name))) {
                assertEquals(2, solution.features());
                assertEquals(Protection.Kind.NONE, solution.protection().kind());
                fitted++;
            } catch (DpaException e) {
                assertEquals(DpaException.OPTION, e.code(), e.getMessage());
                try (Solution solution = solve(name, Data.withBudget(1))) {
                    assertEquals(Protection.Kind.GUARANTEED, solution.protection().kind());
                }
            }
        }
        assertTrue(fitted >= 10, "only " + fitted);
    }

    @Test
    void plansOfPrivateOnes() {
        try (Problem problem = Data.problem(60, 40, 2, 3);
                Plan plan = Baseline.plan(problem, "joint_ssp", Data.withBudget(1))) {
            assertTrue(plan.holds(1, 1e-5));
            assertCode(
                    DpaException.OPTION,
                    () -> Baseline.plan(problem, "kmm", Data.withBudget(1)));
        }
    }

    /** Sums over sampled records have a failure, which is a part of delta. */
    @Test
    void plansOfSampledOnes() {
        Options options = Data.withBudget(2).set("delta", 1e-4).set("batch_size", 10);
        try (Problem problem = Data.problem(100, 100, 2, 3);
                Plan plan = Baseline.plan(problem, "noisy_sgd", options)) {
            double without = Privacy.epsilon(1e-4, 0, plan.value("mu"));
            double epsilon = plan.epsilon(1e-4);
            assertTrue(without < epsilon && epsilon <= 2, without + " " + epsilon);
            assertTrue(plan.holds(2, 1e-4));
            assertFalse(plan.holds(without, 1e-4));
            assertEquals(1e-4, plan.delta(epsilon), 1e-14);
            assertTrue(plan.delta(600) > 1e-8);
        }
    }

    @Test
    void unknownNames() {
        try (Problem problem = Data.small()) {
            assertCode(
                    DpaException.OPTION_NAME,
                    () -> Baseline.solve(problem, "magic", Data.notPrivate()),
                    "magic");
        }
    }
}
