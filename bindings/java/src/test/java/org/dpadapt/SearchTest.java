package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SearchTest {
    private static double meanSquaredError(Solution solution, double[] x, double[] y) {
        double[] predicted = solution.predict(x);
        double sum = 0;
        for (int i = 0; i < y.length; i++) sum += Math.pow(predicted[i] - y[i], 2);
        return sum / y.length;
    }

    @Test
    void theLeastMeanLossWins() {
        double[] x = Data.random(300, 20);
        double[] y = Data.labels(x, 3, 1, 21);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem validation = new Problem().target(x, 3, y);
                Search search = new Search().axis("alpha", "0,0.5,1").axis("kappa_1", "0.1,1");
                Solution best = search.run(problem, validation, Data.notPrivate())) {
            assertEquals(6, search.candidates());
            long chosen = search.chosen();
            for (int i = 0; i < 6; i++) {
                assertEquals(0, search.failure(i));
                assertTrue(search.loss(chosen) <= search.loss(i));
            }
            assertEquals("0.5", search.setting(2, "alpha"));
            assertEquals("0.1", search.setting(2, "kappa_1"));
            assertEquals(meanSquaredError(best, x, y), search.loss(chosen), 1e-12);
            String alpha = String.valueOf(best.setting("alpha")).replace(".0", "");
            assertEquals(search.setting(chosen, "alpha"), alpha);
            assertCode(DpaException.OPTION_NAME, () -> search.setting(0, "radius"));
            assertCode(DpaException.INVALID_ARGUMENT, () -> search.loss(6));
            assertCode(DpaException.INVALID_ARGUMENT, () -> search.loss(-1));
        }
    }

    @Test
    void whyACandidateWasLeftOutIsSaid() {
        double[] x = Data.random(300, 20);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem validation = new Problem().target(x, 3, Data.labels(x, 3, 1, 21));
                Search search = new Search().axis("lambda_2", "0,1");
                Solution best = search.run(problem, validation, Data.notPrivate())) {
            assertEquals("squared", best.loss());
            assertEquals("", search.reason(0));
            assertEquals(DpaException.OPTION, search.failure(1));
            String reason = search.reason(1);
            assertTrue(reason.contains("lambda_2 belongs to form = general"), reason);
        }
    }

    @Test
    void candidatesCanBeGiven() {
        double[] x = Data.random(300, 20);
        double[] y = Data.labels(x, 3, 1, 21);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem validation = new Problem().target(x, 3, y);
                Solution source = Baseline.solve(problem, "source_only", Data.notPrivate());
                Solution target = Baseline.solve(problem, "target_only", Data.notPrivate())) {
            assertEquals(1, validation.select(List.of(source, target), Data.notPrivate()));
            assertEquals(0, validation.select(List.of(target, source), Data.notPrivate()));
            assertCode(DpaException.EMPTY, () -> validation.select(List.of(), Data.notPrivate()));
            int code = DpaException.INVALID_ARGUMENT;
            assertCode(code, () -> validation.select(null, null), "candidates");
            assertCode(code, () -> validation.select(Arrays.asList(source, null), null), "null");
            Solution closed = Solution.fromBytes(target.toBytes());
            closed.close();
            assertCode(
                    DpaException.HANDLE,
                    () -> validation.select(List.of(source, closed), Data.notPrivate()));
        }
    }

    @Test
    void anyNumberOfCandidatesCanBeGiven() {
        try (Problem problem = Data.small();
                Solution solution = problem.solve(Data.notPrivate())) {
            List<Solution> candidates = Collections.nCopies(100_000, solution);
            assertEquals(0, problem.select(candidates, Data.notPrivate()));
        }
    }

    /** A search that cannot end well does not begin. */
    @Test
    void aCustomLossCannotBeCompared() {
        int[] calls = {0};
        Options options = Data.notPrivate().loss((x, y, theta, losses, gradients) -> calls[0]++, 3);
        try (Problem problem = Data.small();
                Problem validation = Data.small();
                Search search = new Search().axis("alpha", "0.1,0.5")) {
            assertCode(
                    DpaException.UNSUPPORTED, () -> search.run(problem, validation, options));
            assertEquals(0, calls[0]);
        }
    }

    @Test
    void aPrivateChoiceIsPaidFor() {
        Options options =
                Data.notPrivate()
                        .set("private_domain", "target")
                        .set("selection_epsilon", 1)
                        .set("selection_bound", 4);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem validation = Data.problem(200, 100, 3, 2);
                Solution one = Baseline.solve(problem, "source_only", Data.notPrivate())) {
            assertEquals(0, validation.select(List.of(one, one, one), options) / 3);
            assertTrue(validation.privacyReport(Report.TEXT).contains("1"));
            assertCode(DpaException.BUDGET, () -> validation.select(List.of(one), options));
        }
    }

    private static Solution alone(double[] x, double[] y) {
        try (Problem problem = new Problem().source(x, 2, y).target(x, 2, y)) {
            return Baseline.solve(problem, "source_only", Data.notPrivate());
        }
    }

    @Test
    void aPrivateTargetChoosesItsSourceInOneBudget() {
        double[] x = Data.random(400, 1);
        double[] y = Data.labels(x, 2, 1, 2);
        double[] z = Data.random(1000, 3);
        double[] negated = Arrays.stream(y).map(label -> -label).toArray();
        Options choice =
                Data.notPrivate()
                        .set("private_domain", "target")
                        .set("selection_epsilon", 0.3)
                        .set("selection_bound", 4);
        Options rest = Data.withBudget(0.7);
        try (Problem problem = new Problem().target(z, 2, Data.labels(z, 2, 1, 4));
                Solution bad = alone(x, negated);
                Solution good = alone(x, y)) {
            problem.budget(Data.withBudget(1).set("selection_epsilon", 0.3));
            assertEquals(1, problem.select(List.of(bad, good), choice));
            try (Solution fit = problem.source(x, 2, y).solve(rest)) {
                assertEquals(1, fit.intercept()[0], 0.3);
            }
            assertCode(DpaException.BUDGET, () -> problem.solve(rest));
        }
    }

    @Test
    void whatIsNoSearchIsRefused() {
        try (Search search = new Search().axis("alpha", "0,0.25,0.5,0.75,1");
                Problem problem = Data.small()) {
            assertEquals(5, search.candidates());
            assertCode(DpaException.OPTION, () -> search.axis("kappa_1", "-1"));
            assertCode(DpaException.STATE, search::chosen);
            assertCode(
                    DpaException.INVALID_ARGUMENT,
                    () -> search.run(problem, problem, Data.notPrivate()));
            assertCode(DpaException.INVALID_ARGUMENT, () -> search.run(null, problem, null));
            IllegalStateException mine = new IllegalStateException("mine");
            Options options =
                    Data.notPrivate()
                            .listener(
                                    p -> {
                                        throw mine;
                                    });
            try (Problem validation = Data.small()) {
                assertSame(
                        mine,
                        assertThrows(
                                IllegalStateException.class,
                                () -> search.run(problem, validation, options)));
            }
        }
        Search closed = new Search();
        closed.close();
        assertCode(DpaException.HANDLE, closed::candidates, "search is closed");
    }
}
