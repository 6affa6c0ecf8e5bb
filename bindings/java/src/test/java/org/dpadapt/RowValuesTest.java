package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Numbers that go with the rows: weights, scores of a given model, the source of each row. */
class RowValuesTest {
    private static final double[] X = Data.random(120, 1);
    private static final double[] Y = Data.labels(X, 2, 0, 2);
    private static final double[] Z = Data.random(80, 3);
    private static final double[] T = Data.labels(Z, 2, 1, 4);

    private static double[] coefficients(Problem problem, Options options) {
        try (problem;
                Solution solution = problem.solve(options)) {
            return solution.coefficients();
        }
    }

    private static Problem problem() {
        return new Problem().source(X, 2, Y).target(Z, 2, T);
    }

    @Test
    void aSavedPredictorWeighsRowsAsTheFitDid() {
        double[] weights = new double[60];
        Arrays.setAll(weights, i -> 1 + i % 3);
        Options options = Data.notPrivate().set("kappa_1", 0.001).set("alpha", 0.5);
        try (Problem problem = problem().sourceWeights(weights);
                Solution solution = problem.solve(options);
                Solution slim = Solution.fromBytes(solution.predictorToBytes())) {
            assertArrayEquals(
                    solution.sourceWeights(), slim.weighSource(X, Y, weights), 1e-12);
            assertArrayEquals(solution.targetWeights(), slim.weighTarget(Z, T), 1e-12);
            assertCode(DpaException.DIMENSION, () -> slim.weighTarget(Z, new double[3]));
            assertCode(DpaException.DIMENSION, () -> slim.weighTarget(Z, T, 1));
        }
    }

    @Test
    void rowsOfWeightTwoCountLikeTwoRows() {
        double[] weights = new double[60];
        Arrays.setAll(weights, i -> i < 30 ? 2 : 1);
        double[] x = Arrays.copyOf(X, 180);
        double[] y = Arrays.copyOf(Y, 90);
        System.arraycopy(X, 0, x, 120, 60);
        System.arraycopy(Y, 0, y, 60, 30);
        Options options = Data.notPrivate().set("alpha", 0.5).set("tolerance", 1e-14);
        double[] expected = coefficients(new Problem().source(x, 2, y).target(Z, 2, T), options);
        assertArrayEquals(
                expected, coefficients(problem().sourceWeights(weights), options), 1e-9);
        double[] ones = new double[40];
        Arrays.fill(ones, 3);
        assertArrayEquals(
                coefficients(problem(), options),
                coefficients(problem().targetWeights(ones), options), 1e-12);
        try (Problem problem = problem().targetWeights(ones)) {
            assertCode(DpaException.UNSUPPORTED, () -> problem.solve(Data.withBudget(1)));
            assertCode(DpaException.DIMENSION, () -> problem.sourceWeights(ones));
        }
    }

    @Test
    void weightsOfPrivateRowsAreClippedToTheirBound() {
        double[] weights = new double[40];
        Arrays.setAll(weights, i -> i % 3);
        double[] beyond = weights.clone();
        beyond[2] = 1e300;
        beyond[3] = Double.NaN;
        Options options = Data.withBudget(1).set("unsafe_seed", 1).set("row_weight_bound", 2);
        assertArrayEquals(
                coefficients(problem().targetWeights(weights), options),
                coefficients(problem().targetWeights(beyond), options));
        try (Problem problem = problem()) {
            assertCode(DpaException.OPTION, () -> problem.solve(options));
        }
    }

    @Test
    void scoresAreTakenFromTheLabels() {
        double[] ofSource = Data.random(60, 5);
        double[] ofTarget = Data.random(40, 6);
        double[] y = new double[60];
        double[] t = new double[40];
        Arrays.setAll(y, i -> Y[i] - ofSource[i]);
        Arrays.setAll(t, i -> T[i] - ofTarget[i]);
        assertArrayEquals(
                coefficients(new Problem().source(X, 2, y).target(Z, 2, t), Data.notPrivate()),
                coefficients(problem().scores(ofSource, ofTarget), Data.notPrivate()));
    }

    @Test
    void theSourceIsMappedToTheColumnsOfTheTarget() {
        double[][] map = {{2, 0, -1}, {0, 0.5, 0}};
        double[] offset = {1, -3};
        double[] wide = Data.random(180, 7);
        double[] x = new double[120];
        for (int i = 0; i < 60; i++) {
            x[2 * i] = offset[0] + 2 * wide[3 * i] + -1 * wide[3 * i + 2];
            x[2 * i + 1] = offset[1] + 0.5 * wide[3 * i + 1];
        }
        Options options = Data.notPrivate();
        double[] expected = coefficients(new Problem().source(x, 2, Y).target(Z, 2, T), options);
        Problem mapped = new Problem().sourceMap(map, offset).source(wide, 3, Y).target(Z, 2, T);
        assertArrayEquals(expected, coefficients(mapped, options));
        double[] centred = new double[120];
        Arrays.setAll(centred, i -> x[i] - offset[i % 2]);
        assertArrayEquals(
                coefficients(new Problem().source(centred, 2, Y).target(Z, 2, T), options),
                coefficients(
                        new Problem().sourceMap(map, null).source(wide, 3, Y).target(Z, 2, T),
                        options),
                1e-12);
        try (Problem problem = problem()) {
            assertCode(DpaException.STATE, () -> problem.sourceMap(map, offset));
        }
        try (Problem problem = new Problem().sourceMap(map, offset)) {
            assertCode(DpaException.DIMENSION, () -> problem.source(X, 2, Y));
            assertCode(
                    DpaException.DIMENSION,
                    () -> new Problem().sourceMap(map, new double[] {1}).close());
        }
    }

    @Test
    void aPoisonedSourceHasNoWeight() {
        double[] x = Arrays.copyOf(X, 240);
        double[] y = Arrays.copyOf(Y, 120);
        long[] ids = new long[120];
        for (int i = 0; i < 60; i++) {
            ids[60 + i] = 1;
            y[60 + i] = -Y[i];
        }
        System.arraycopy(X, 0, x, 120, 120);
        try (Problem problem = new Problem().source(x, 2, y).target(Z, 2, T).sources(ids);
                Solution solution = problem.solve(Data.notPrivate())) {
            double[] weights = solution.sourceWeights();
            assertEquals(0, Arrays.stream(weights, 60, 120).sum());
            assertCode(DpaException.UNSUPPORTED, () -> problem.solve(Data.withBudget(1)));
        }
    }
}
