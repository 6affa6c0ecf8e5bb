package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrivacyTest {
    @Test
    void accountantKnowsPublishedValues() {
        // Laplace alone: 1 - e^((epsilon - l)/2).
        assertEquals(1 - Math.exp(-0.5), Privacy.delta(1, 2, 0), 1e-12);
        assertEquals(2, Privacy.epsilon(0, 2, 0), 1e-12);
        // The analytic Gaussian mechanism (Balle and Wang 2018) at epsilon = 1, delta = 1e-5.
        assertEquals(3.7306316348159418, Privacy.sigma(1, 1e-5), 1e-10);
        // Of every record in each of four sums it is the price of plain releases.
        double all = Privacy.sampledMu(2, 1, 4, Protection.Neighbours.ZERO_OUT, 1e-9);
        double few = Privacy.sampledMu(2, 0.1, 4, Protection.Neighbours.ZERO_OUT, 1e-9);
        assertTrue(all >= 1 && all < 1.05 && few < 0.3, all + " and " + few);
        assertEquals(1 / 3.7306316348159418, Privacy.mu(1, 1e-5, 0), 1e-10);
        assertTrue(Privacy.delta(1, 0, Privacy.mu(1, 1e-5, 0)) <= 1e-5);
        assertCode(DpaException.INVALID_ARGUMENT, () -> Privacy.delta(Double.NaN, 0, 1));
        assertCode(DpaException.INVALID_ARGUMENT, () -> Privacy.epsilon(2, 0, 1));
    }

    @Test
    void planTellsThePriceOfTheFit() {
        Options options = Data.withBudget(1);
        try (Problem problem = Data.problem(300, 200, 3, 5);
                Plan before = Privacy.plan(300, 200, 3, options);
                Plan plan = problem.plan(options)) {
            assertTrue(plan.value("mu") > 0 && plan.value("mu") <= Privacy.mu(1, 1e-5, 0));
            assertEquals(plan.value("mu"), before.value("mu"));
            assertTrue(plan.holds(1, 1e-5));
            assertFalse(plan.holds(0.5, 1e-5));
            assertTrue(plan.delta(1) <= 1e-5 && plan.epsilon(1e-5) <= 1);
            assertTrue(plan.report(Report.JSON).startsWith("{"));
            assertTrue(plan.report(Report.TEXT).contains("\nreleases:\n"));
            assertCode(DpaException.OPTION_NAME, () -> plan.value("nu"), "nu");
        }
        assertCode(DpaException.DIMENSION, () -> Privacy.plan(-1, 2, 3, options));
        assertCode(DpaException.EMPTY, () -> Privacy.plan(0, 2, 3, options));
        assertCode(DpaException.OVERFLOW, () -> Privacy.plan((1L << 40) + 1, 2, 3, options));
    }

    @Test
    void aPrivateFitKeepsItsSecretsAndSpendsItsBudget() {
        try (Problem problem = Data.problem(300, 200, 3, 5);
                Solution solution = problem.solve(Data.withBudget(1))) {
            assertEquals(
                    new Protection(Protection.Kind.GUARANTEED, 1, 1e-5), solution.protection());
            // The shift is many deviations of the labels' noise: in some runs steps end on the way.
            assertTrue(
                    solution.termination() == Termination.STEPS
                            || solution.termination() == Termination.NOT_CONVERGED);
            assertCode(DpaException.NOT_RELEASABLE, solution::targetWeights);
            assertCode(DpaException.NOT_RELEASABLE, solution::objective);
            assertCode(DpaException.NOT_RELEASABLE, solution::dualityGap);
            assertTrue(solution.privacyReport(Report.TEXT).contains("epsilon"));
            String page = solution.privacyReport(Report.PAGE);
            assertTrue(page.startsWith("<!DOCTYPE html>") && page.endsWith("</html>\n"));
            assertTrue(problem.privacyReport(Report.JSON).contains("\"delta\""));
            assertEquals(1, problem.budgetNumber("epsilon"));
            assertTrue(problem.budgetNumber("spent_epsilon") <= 1);
            assertTrue(problem.budgetNumber("spent_mu") > 0);
            assertEquals(problem.budgetNumber("mu"), problem.budgetNumber("spent_mu"), 1e-6);
            assertCode(DpaException.OPTION_NAME, () -> problem.budgetNumber("nu"), "nu");
            assertCode(DpaException.BUDGET, () -> problem.solve(Data.withBudget(1)));
        }
    }

    @Test
    void aForecastNeedsTheSourceAlone() {
        Options options = Data.withBudget(2).set("forecast_repeats", 2);
        try (Problem problem = Data.problem(300, 1, 3, 5);
                Plan plan = problem.forecast(400, options)) {
            assertEquals(4, plan.value("forecasts"));
            for (int cell = 0; cell < 4; cell++) {
                assertEquals(400, plan.forecast(cell, "target_rows"));
                assertEquals(2, plan.forecast(cell, "epsilon"));
                double error = plan.forecast(cell, "private");
                assertTrue(plan.forecast(cell, "private_lower") <= error);
                assertTrue(plan.forecast(cell, "private_upper") >= error);
            }
            assertTrue(plan.forecast(3, "rows_to_beat_source") >= 40);
            assertCode(DpaException.INVALID_ARGUMENT, () -> plan.forecast(4, "private"));
            assertCode(DpaException.OPTION_NAME, () -> plan.forecast(0, "public"));
            assertEquals(0, problem.budgetNumber("spent_mu"));
            assertEquals(0, plan.value("theorem"));
        }
    }

    /** Writes a number of rows into saved bytes, with the right checksum. */
    private static byte[] forged(byte[] saved, int place, long rows) {
        byte[] bytes = saved.clone();
        ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        numbers.putLong(place, rows);
        long hash = 0xcbf29ce484222325L;
        for (int k = 0; k < bytes.length - 8; k++)
            hash = (hash ^ (bytes[k] & 0xff)) * 0x100000001b3L;
        numbers.putLong(bytes.length - 8, hash);
        return bytes;
    }

    private static int placeOf(byte[] saved, long first, long second) {
        ByteBuffer numbers = ByteBuffer.wrap(saved).order(ByteOrder.LITTLE_ENDIAN);
        int place = 0;
        while (numbers.getLong(place) != first || numbers.getLong(place + 8) != second) place += 8;
        return place + 8;
    }

    /** The number of rows is all that a file says of weights that were not released. */
    @Test
    void aForgedNumberOfRowsTakesNoMemory() {
        try (Problem problem = Data.problem(300, 200, 3, 5);
                Solution solution = problem.solve(Data.withBudget(1))) {
            assertEquals(300, solution.sourceRows());
            assertEquals(200, solution.targetRows());
            byte[] saved = solution.toBytes();
            int place = placeOf(saved, 300, 200);
            for (long rows : new long[] {0, (1L << 40) + 1, Long.MAX_VALUE / 8 + 2, -1})
                assertCode(
                        DpaException.FORMAT, () -> Solution.fromBytes(forged(saved, place, rows)));
            long before = OutsideMemory.ALL.held();
            try (Solution read =
                    Solution.fromBytes(forged(saved, place, 1L << 40))) {
                long more = OutsideMemory.ALL.held() - before;
                assertTrue(more <= OutsideMemory.HANDLE + saved.length, more + " bytes");
                assertEquals(1L << 40, read.targetRows());
                assertCode(DpaException.NOT_RELEASABLE, read::targetWeights);
                assertArrayEquals(solution.sourceWeights(), read.sourceWeights());
            }
        }
    }

    @Test
    void withoutBudgetNothingPrivateIsDone() {
        try (Problem problem = Data.small()) {
            assertCode(DpaException.OPTION, problem::solve, "epsilon");
            assertCode(DpaException.OPTION, () -> problem.discrepancy(null), "epsilon");
        }
    }

    @Test
    void aBudgetCanBeSplit() {
        Options budget = Data.withBudget(2).set("discrepancy_share", 0.5);
        try (Problem problem = Data.problem(300, 200, 3, 6).budget(budget);
                Discrepancy estimate = problem.discrepancy(budget)) {
            assertTrue(estimate.value() >= 0);
            assertCode(DpaException.NOT_RELEASABLE, estimate::bounds);
            assertCode(DpaException.NOT_RELEASABLE, estimate::maximizer);
            Options rest = Data.withBudget(1).set("alpha", 0.5);
            try (Solution solution = problem.solve(rest, estimate)) {
                assertEquals(estimate.value(), solution.setting("discrepancy"));
            }
            assertCode(DpaException.STATE, () -> problem.budget(budget));
        }
    }

    @Test
    void theRelationIsPartOfThePromise() {
        Options options = Data.withBudget(1).set("neighbours", "zero_out");
        try (Problem problem = Data.problem(300, 200, 3, 5);
                Solution solution = problem.solve(options)) {
            assertEquals(Protection.Neighbours.ZERO_OUT, solution.neighbours());
            assertEquals(1, problem.budgetNumber("neighbours"));
            assertCode(DpaException.STATE, () -> problem.solve(Data.withBudget(1)));
        }
        try (Problem problem = Data.problem(300, 200, 3, 5);
                Solution solution = problem.solve(Data.withBudget(1))) {
            assertEquals(Protection.Neighbours.REPLACE, solution.neighbours());
        }
    }

    @Test
    void seedsAreFlagged() {
        Options options = Data.withBudget(1).set("unsafe_seed", 7);
        try (Problem one = Data.problem(300, 200, 3, 5);
                Problem two = Data.problem(300, 200, 3, 5);
                Solution first = one.solve(options);
                Solution second = two.solve(options)) {
            assertEquals(Protection.Kind.SEEDED, first.protection().kind());
            assertArrayEquals(first.coefficients(), second.coefficients());
            assertTrue(first.privacyReport(Report.TEXT).contains("NOT PRIVATE"));
        }
    }

    @Test
    void theCustodianMayLook() {
        double[] x = {1, 0, Double.NaN, 1, 1, 1, 1e6, 0, 1, 1};
        double[] y = {2, 1, 3, 2, 1e9};
        Options options =
                Data.withBudget(1)
                        .set("preprocess", "none")
                        .set("feature_radius", 10)
                        .set("label_bound", 10);
        try (Problem problem =
                new Problem().source(Data.SOURCE, 2, Data.SOURCE_LABELS).target(x, 2, y)) {
            List<String> found = Privacy.inspect(problem, options);
            assertEquals(3, found.size(), found.toString());
            assertTrue(found.get(0).startsWith("Target: 1 of 5 records count as zeros"));
            assertTrue(found.get(1).startsWith("Target: 1 of 5 records have features beyond"));
            assertTrue(found.get(2).startsWith("Target: 1 of 5 records have a label beyond"));
            assertTrue(problem.privacyReport(Report.JSON).contains("inspect"));
        }
    }

    @Test
    void aBoundNeedsNoTargetLabels() {
        Options options =
                Data.notPrivate()
                        .set("discrepancy_kind", "unlabelled")
                        .set("labelling_disagreement", 100.0);
        try (Problem problem = Data.problem(100, 50, 3, 4);
                Discrepancy labelled = problem.discrepancy(Data.notPrivate());
                Discrepancy unlabelled = problem.discrepancy(options)) {
            assertTrue(unlabelled.labelledBound() >= labelled.value());
        }
    }

    @Test
    void theDiscrepancyHasAProof() {
        try (Problem problem = Data.problem(100, 50, 3, 4);
                Discrepancy estimate = problem.discrepancy(Data.notPrivate())) {
            Discrepancy.Bounds bounds = estimate.bounds();
            assertTrue(bounds.lower() <= estimate.value() && estimate.value() <= bounds.upper());
            assertTrue(bounds.upper() - bounds.lower() <= 1e-6 * estimate.value());
            assertEquals(3, estimate.features());
            assertEquals(3, estimate.maximizer().length);
            assertTrue(Double.isFinite(estimate.maximizerIntercept()));
            try (Solution solution = problem.solve(Data.notPrivate(), estimate)) {
                assertEquals(estimate.value(), solution.setting("discrepancy"));
            }
        }
    }

    @Test
    void rowsMayBelongToPersons() {
        long[] ids = new long[40];
        for (int i = 0; i < ids.length; i++) ids[i] = Long.MIN_VALUE + i % 10;
        try (Problem problem = Data.problem(60, 40, 2, 5).groups(ids);
                Solution solution = problem.solve(Data.withBudget(2))) {
            assertEquals(10, solution.targetRows());
            assertCode(DpaException.STATE, () -> problem.groups(ids));
        }
        try (Problem problem = Data.problem(60, 40, 2, 5)) {
            assertCode(DpaException.DIMENSION, () -> problem.groups(new long[3]));
        }
    }
}
