package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SearchTest {
    private static final String[] SHARES = {"0", "0.5", "0.99"};
    private static final String[] RADII = {"0.1", "10"};
    private static final double[] ROWS = Data.random(120, 21);
    private static final double[] LABELS = Data.labels(ROWS, 3, 1, 22);

    /** The target alone: the library needs no source for validation rows. */
    private static Problem validation() {
        return new Problem().target(ROWS, 3, LABELS);
    }

    private static Search grid() {
        return new Search().axis("alpha", SHARES).axis("radius", RADII);
    }

    private static double meanLoss(Solution solution) {
        double[] predicted = solution.predict(ROWS);
        double sum = 0;
        for (int i = 0; i < LABELS.length; i++) sum += Math.pow(predicted[i] - LABELS[i], 2);
        return sum / LABELS.length;
    }

    private static Solution fit(Problem problem, String alpha, String radius) {
        return problem.solve(Data.notPrivate().parse("alpha", alpha).parse("radius", radius));
    }

    @Test
    void publicRowsChooseAsALoopDoes() {
        try (Problem problem = Data.problem(60, 40, 3, 11);
                Problem validation = validation();
                Search search = grid();
                Solution best = search.run(problem, validation, Data.notPrivate())) {
            assertEquals(6, search.count());
            List<Solution> fits = new ArrayList<>();
            for (String alpha : SHARES) for (String radius : RADII) fits.add(fit(problem, alpha, radius));
            double[] losses = fits.stream().mapToDouble(SearchTest::meanLoss).toArray();
            for (int i = 0; i < losses.length; i++) {
                assertEquals(losses[i], search.loss(i), 1e-9 * losses[i]);
                assertEquals(0, search.status(i));
                assertEquals(SHARES[i / 2], search.setting(i, "alpha"));
                assertEquals(RADII[i % 2], search.setting(i, "radius"));
            }
            int least = search.chosen();
            assertEquals(Arrays.stream(losses).min().getAsDouble(), losses[least]);
            assertArrayEquals(fits.get(least).coefficients(), best.coefficients());
            assertEquals(least, Search.choose(validation, fits, Data.notPrivate()));
            assertTrue(losses[least] < Arrays.stream(losses).max().getAsDouble());
            fits.forEach(Solution::close);
            assertCode(
                    DpaException.HANDLE,
                    () -> Search.choose(validation, fits, Data.notPrivate()),
                    "solution is closed");
        }
    }

    @Test
    void aSeedDrawsTheSamePoints() {
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (Problem problem = Data.problem(60, 40, 3, 11);
                    Problem validation = validation();
                    Search search = grid().draw(2, -5);
                    Solution best =
                            search.run(
                                    problem, validation, "target_only", Data.notPrivate())) {
                assertEquals(3, best.features());
                for (int j = 0; j < search.count(); j++)
                    drawn.add(search.setting(j, "alpha") + " " + search.setting(j, "radius"));
            }
        }
        assertEquals(4, drawn.size());
        assertEquals(drawn.subList(0, 2), drawn.subList(2, 4));
    }

    @Test
    void privateRowsGiveTheIndexOnly() {
        Options options = Data.withBudget(0.5).set("selection_epsilon", 1.0).set("selection_bound", 4.0);
        try (Problem problem = Data.problem(60, 40, 3, 11).budget(new Options().set("epsilon", 3.0).set("delta", 1e-4));
                Problem validation = validation();
                Search search = new Search().axis("shrinkage", "2", "3");
                Solution best = search.run(problem, validation, options)) {
            assertEquals(Protection.Kind.GUARANTEED, best.protection().kind());
            assertTrue(search.chosen() >= 0 && search.chosen() < 2);
            assertCode(DpaException.NOT_RELEASABLE, () -> search.loss(0));
            assertTrue(validation.privacyReport(Report.TEXT).contains("epsilon = 1"));
            assertCode(DpaException.BUDGET, () -> search.run(problem, validation, options));
        }
    }

    @Test
    void privateRowsNeedAPriceAndABound() {
        try (Problem problem = Data.problem(60, 40, 3, 11);
                Problem validation = validation();
                Solution fit = problem.solve(Data.withBudget(1))) {
            List<Solution> fits = List.of(fit);
            Options price = new Options().set("selection_epsilon", 1.0);
            Options bound = new Options().set("selection_bound", 4.0);
            assertCode(
                    DpaException.OPTION,
                    () -> Search.choose(validation, fits, price),
                    "selection_bound");
            assertCode(
                    DpaException.OPTION,
                    () -> Search.choose(validation, fits, bound),
                    "selection_epsilon");
            assertEquals(0, Search.choose(validation, fits, price.set("selection_bound", 4.0)));
        }
    }

    @Test
    void mistakes() {
        try (Problem problem = Data.small();
                Problem validation = validation();
                Search search = new Search()) {
            Options options = Data.notPrivate();
            assertCode(DpaException.EMPTY, () -> Search.choose(validation, List.of(), options));
            assertCode(DpaException.INVALID_ARGUMENT, () -> Search.choose(validation, null, options));
            assertCode(DpaException.INVALID_ARGUMENT, () -> Search.choose(null, List.of(), options));
            assertCode(DpaException.INVALID_ARGUMENT, () -> search.run(problem, null, options));
            assertCode(DpaException.INVALID_ARGUMENT, () -> search.run(problem, problem, options));
            assertCode(DpaException.DIMENSION, () -> search.run(problem, validation, options));
            assertCode(DpaException.OPTION_NAME, () -> search.axis("magic", "1"), "magic");
            assertCode(DpaException.OPTION, () -> search.axis("private_domain", "none"));
            assertCode(DpaException.INVALID_ARGUMENT, () -> search.axis("alpha", "0", null));
            assertCode(DpaException.INVALID_ARGUMENT, () -> search.draw(-1, 1));
            assertCode(DpaException.STATE, search::chosen);
            assertCode(DpaException.STATE, () -> search.loss(0));
        }
    }

    @Test
    void useAfterClose() {
        Search search = grid();
        search.close();
        search.close();
        int code = DpaException.HANDLE;
        try (Problem problem = Data.small();
                Problem validation = validation()) {
            assertCode(code, () -> search.run(problem, validation, null), "search is closed");
        }
        assertCode(code, () -> search.axis("mu", "1"));
        assertCode(code, () -> search.draw(1, 1));
        assertCode(code, search::count);
        assertCode(code, search::chosen);
        assertCode(code, () -> search.setting(0, "alpha"));
        assertCode(code, () -> search.status(0));
        assertCode(code, () -> search.loss(0));
        Problem closed = validation();
        closed.close();
        assertCode(code, () -> Search.choose(closed, List.of(), null), "problem is closed");
    }
}
