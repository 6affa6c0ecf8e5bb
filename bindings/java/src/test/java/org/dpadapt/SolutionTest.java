package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SolutionTest {
    private static final double[] ROWS = {0.5, -1, 2, 3, 0, 0};

    /** Source and target lie on planes, so ridge-free fits of one sample find them. */
    private static Solution plane(String sample) {
        try (Problem problem = Data.small()) {
            return Baseline.solve(problem, sample, Data.notPrivate().set("ridge", 0));
        }
    }

    @Test
    void findsThePlanesOfTheSamples() {
        try (Solution source = plane("source_only");
                Solution target = plane("target_only")) {
            assertArrayEquals(new double[] {2, 1}, source.coefficients(), 1e-6);
            assertArrayEquals(new double[] {0}, source.intercept(), 1e-6);
            assertArrayEquals(new double[] {2, 1}, target.coefficients(), 1e-6);
            assertArrayEquals(new double[] {1}, target.intercept(), 1e-6);
            assertArrayEquals(new double[] {0, 7, 0}, source.predict(ROWS), 1e-5);
            assertArrayEquals(new double[] {1, 8, 1}, target.predict(ROWS), 1e-5);
        }
    }

    @Test
    void certifiesTheMinimum() {
        try (Problem problem = Data.problem(200, 50, 5, 1);
                Solution solution = problem.solve(Data.notPrivate().set("alpha", 0.7))) {
            assertEquals("squared", solution.loss());
            assertEquals(Termination.CONVERGED, solution.termination());
            assertTrue(solution.iterations() > 0);
            assertTrue(solution.dualityGap() >= 0);
            assertTrue(solution.dualityGap() <= 1e-6 * solution.objective());
            assertEquals(0.7, solution.setting("alpha"));
            assertEquals(5, solution.features());
            assertEquals(1, solution.outputs());
            assertEquals(6, solution.dimension());
            double[] source = solution.sourceWeights();
            double[] target = solution.targetWeights();
            assertEquals(200, source.length);
            assertEquals(50, target.length);
            for (double q : source) assertTrue(q > 0 && q <= 0.7 / 200 * (1 + 1e-15));
            for (double q : target) assertTrue(q > 0 && q <= 0.3 / 50 * (1 + 1e-14));
            assertEquals(Protection.Kind.NONE, solution.protection().kind());
            assertEquals(Double.POSITIVE_INFINITY, solution.protection().epsilon());
            assertCode(DpaException.UNSUPPORTED, solution::gradientMapping);
            assertCode(DpaException.UNSUPPORTED, solution::parameters);
            assertCode(DpaException.UNSUPPORTED, () -> solution.probabilities(new double[5]));
            assertCode(DpaException.OPTION_NAME, () -> solution.setting("alfa"), "alfa");
        }
    }

    @Test
    void everyFormOfInputGivesTheSame() {
        double[] x = Data.random(300, 7);
        double[] z = Data.random(60, 8);
        double[] y = Data.labels(x, 3, 0, 9);
        double[] t = Data.labels(z, 3, 1, 10);
        double[][] rows = new double[100][];
        for (int i = 0; i < rows.length; i++)
            rows[i] = java.util.Arrays.copyOfRange(x, 3 * i, 3 * i + 3);
        try (Problem arrays = new Problem().source(x, 3, y).target(z, 3, t);
                Problem nested = new Problem().source(rows, y).target(z, 3, t);
                Problem buffers =
                        new Problem()
                                .source(Data.direct(x), 3, Data.direct(y))
                                .target(Data.direct(z), 3, Data.direct(t));
                Problem lent =
                        new Problem()
                                .lendSource(Data.direct(x), 3, Data.direct(y))
                                .lendTarget(Data.direct(z), 3, Data.direct(t));
                Solution expected = arrays.solve(Data.notPrivate())) {
            for (Problem problem : new Problem[] {nested, buffers, lent}) {
                System.gc(); // what is lent must survive it
                assertEquals(100, problem.sourceRows());
                assertEquals(20, problem.targetRows());
                assertEquals(3, problem.features());
                try (Solution solution = problem.solve(Data.notPrivate())) {
                    assertArrayEquals(expected.toBytes(), solution.toBytes());
                }
            }
            double[] predicted = expected.predict(x);
            assertArrayEquals(predicted, expected.predict(rows));
            assertArrayEquals(predicted, expected.predict(Data.direct(x)));
            assertArrayEquals(predicted, expected.scores(x));
            assertArrayEquals(predicted, expected.scores(rows));
            assertArrayEquals(expected.transform(x), expected.transform(rows));
            assertArrayEquals(predicted, expected.scores(Data.direct(x)));
            assertArrayEquals(expected.transform(x), expected.transform(Data.direct(x)));
            assertEquals(400, expected.transform(x).length);
            assertEquals(0, expected.predict(new double[0]).length);
            double[][] wide = {java.util.Arrays.copyOf(x, 2 * expected.features())};
            Failures.assertCode(DpaException.DIMENSION, () -> expected.predict(wide), "columns");
            Failures.assertCode(
                    DpaException.DIMENSION, () -> expected.predict(new double[3][0]), "columns");
        }
    }

    @Test
    void buffersCountFromPositionToLimit() {
        double[] padded = {9, 9, 0.5, -1, 2, 3, 0, 0, 9};
        try (Solution solution = plane("source_only")) {
            assertArrayEquals(
                    solution.predict(ROWS),
                    solution.predict(Data.direct(padded).position(2).limit(8)));
        }
    }

    @Test
    void classesHaveProbabilities() {
        double[] x = Data.random(200, 3);
        double[] y = new double[100];
        for (int i = 0; i < y.length; i++) y[i] = x[2 * i] > 0.3 ? 2 : x[2 * i + 1] > 0 ? 1 : 0;
        try (Problem problem = new Problem().source(x, 2, y).target(x, 2, y);
                Solution solution =
                        problem.solve(Data.notPrivate().set("loss", "softmax").set("classes", 3))) {
            assertEquals(3, solution.outputs());
            assertEquals(6, solution.coefficients().length);
            double[] p = solution.probabilities(x);
            double[] predicted = solution.predict(x);
            assertArrayEquals(p, solution.probabilities(Data.direct(x)));
            double[][] pair = {{x[0], x[1]}, {x[2], x[3]}};
            assertArrayEquals(
                    solution.probabilities(java.util.Arrays.copyOf(x, 4)),
                    solution.probabilities(pair));
            for (int i = 0; i < 100; i++) {
                assertEquals(1, p[i] + p[100 + i] + p[200 + i], 1e-12);
                double chosen = p[100 * (int) predicted[i] + i];
                assertEquals(Math.max(p[i], Math.max(p[100 + i], p[200 + i])), chosen);
            }
            assertTrue(solution.gradientMapping() >= 0);
        }
    }

    @Test
    void savedSolutionsReturnEverythingAgain(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("model");
        try (Solution solution = plane("target_only")) {
            solution.save(file);
            assertArrayEquals(solution.toBytes(), Files.readAllBytes(file));
            try (Solution read = Solution.load(file)) {
                assertArrayEquals(solution.coefficients(), read.coefficients());
                assertArrayEquals(solution.intercept(), read.intercept());
                assertArrayEquals(solution.predict(ROWS), read.predict(ROWS));
                assertEquals(solution.objective(), read.objective());
                assertEquals(
                        solution.privacyReport(Report.JSON), read.privacyReport(Report.JSON));
                assertArrayEquals(solution.toBytes(), read.toBytes());
            }
            byte[] damaged = solution.toBytes();
            damaged[damaged.length / 2] ^= 1;
            assertCode(DpaException.FORMAT, () -> Solution.fromBytes(damaged));
            assertCode(DpaException.FORMAT, () -> Solution.fromBytes(new byte[0]));
            assertCode(DpaException.INVALID_ARGUMENT, () -> Solution.fromBytes(null));
        }
    }
}
