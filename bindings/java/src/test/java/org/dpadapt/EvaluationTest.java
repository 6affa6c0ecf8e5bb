package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvaluationTest {
    private static final double[] X = Data.random(3000, 20);
    private static final double[] Y = Data.labels(X, 3, 1, 21);

    private static double meanSquare(Solution solution) {
        double[] predicted = solution.predict(X);
        double sum = 0;
        for (int i = 0; i < Y.length; i++) sum += Math.pow(predicted[i] - Y[i], 2);
        return sum / Y.length;
    }

    @Test
    void withoutPrivacyItIsTheOrdinaryError() {
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem rows = new Problem().target(X, 3, Y);
                Solution one = problem.solve(Data.notPrivate());
                Solution other = problem.solve(Data.notPrivate().set("radius", 0.1));
                Evaluation both = rows.evaluate(List.of(one, other), Data.notPrivate())) {
            List<Evaluation.Measure> measures = both.measures();
            Evaluation.Measure first = measures.get(0);
            assertEquals("squared_error", first.name());
            assertEquals(0, first.solution());
            assertEquals(meanSquare(one), first.estimate(), 1e-12);
            assertTrue(first.lower() < first.estimate() && first.estimate() < first.upper());
            Evaluation.Measure gap =
                    measures.stream()
                            .filter(each -> each.name().equals("squared_error_difference"))
                            .findFirst()
                            .orElseThrow();
            assertEquals(1, gap.solution());
            assertEquals(meanSquare(other) - meanSquare(one), gap.estimate(), 1e-9);
            assertTrue(both.report(Report.JSON).contains("\"measures\""));
        }
    }

    @Test
    void errorsFollowTheWeightsOfPublicRows() {
        double[] weights = new double[Y.length];
        Arrays.setAll(weights, i -> i < 400 ? 1 : 0);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem rows = new Problem().target(X, 3, Y).targetWeights(weights);
                Problem part =
                        new Problem().target(Arrays.copyOf(X, 1200), 3, Arrays.copyOf(Y, 400));
                Solution fit = problem.solve(Data.notPrivate());
                Evaluation weighted = rows.evaluate(List.of(fit), Data.notPrivate());
                Evaluation plain = part.evaluate(List.of(fit), Data.notPrivate())) {
            double expected = plain.measures().get(0).estimate();
            List<Evaluation.Measure> measures = weighted.measures();
            assertEquals(expected, measures.get(0).estimate(), 1e-12 * expected);
            assertEquals("effective_rows", measures.get(measures.size() - 1).name());
            assertEquals(400, measures.get(measures.size() - 1).estimate(), 1e-9);
        }
    }

    @Test
    void aCalibratedSolutionHasPredictionIntervals() {
        Options paid = new Options().set("epsilon", 4).set("delta", 1e-5);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem rows = new Problem().target(X, 3, Y);
                Solution fit = problem.solve(Data.notPrivate());
                Solution sure = rows.calibrate(fit, paid);
                Solution read = Solution.fromBytes(sure.toBytes())) {
            assertEquals("", fit.calibration());
            assertTrue(sure.calibration().contains("private with epsilon = 4"));
            assertCode(DpaException.UNSUPPORTED, () -> fit.predictInterval(X, 0.9));
            double[] ends = sure.predictInterval(X, 0.9);
            int covered = 0;
            for (int i = 0; i < Y.length; i++)
                if (ends[i] <= Y[i] && Y[i] <= ends[Y.length + i]) covered++;
            assertTrue(covered > 0.88 * Y.length && covered < 0.94 * Y.length);
            assertTrue(Arrays.equals(ends, read.predictInterval(X, 0.9)));
        }
    }

    @Test
    void errorsBeyondTheBoundAreToldFirst() {
        Options options = new Options().set("epsilon", 100).set("delta", 1e-5);
        options.set("evaluation_bound", 0.1).set("unsafe_seed", 1);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem rows = new Problem().target(X, 3, Y);
                Solution fit = problem.solve(Data.notPrivate());
                Evaluation evaluation = rows.evaluate(List.of(fit), options)) {
            List<String> notes = evaluation.notes();
            assertEquals(1, notes.size());
            assertTrue(notes.get(0).startsWith("Solution 0: About "));
            assertTrue(evaluation.toString().contains(notes.get(0)));
            Evaluation.Measure squares = evaluation.measures().get(0);
            assertTrue(squares.lower() <= meanSquare(fit) && meanSquare(fit) <= squares.upper());
        }
    }

    @Test
    void twoClassesHaveCalibration() {
        double[] signs = Arrays.stream(Y).map(y -> y > 0 ? 1 : -1).toArray();
        Options options = Data.notPrivate().set("loss", "logistic");
        try (Problem problem = new Problem().source(X, 3, signs).target(X, 3, signs);
                Solution fit = problem.solve(options);
                Evaluation found = problem.evaluate(List.of(fit), options)) {
            double rows = found.calibration().stream().mapToDouble(one -> one.rows()).sum();
            assertEquals(signs.length, rows, 1e-9);
            assertTrue(found.calibration().stream().allMatch(one -> one.from() <= one.to()));
            assertTrue(found.measures().stream().allMatch(one -> one.rows() == 0));
            assertEquals(List.of(), found.notes());
        }
    }

    @Test
    void privateRowsPayOnce() {
        Options options = new Options().set("epsilon", 2).set("delta", 1e-5);
        try (Problem problem = Data.problem(200, 100, 3, 1);
                Problem rows = new Problem().target(X, 3, Y);
                Solution fit = problem.solve(Data.notPrivate());
                Evaluation evaluation = rows.evaluate(List.of(fit), options)) {
            assertTrue(evaluation.report(Report.TEXT).contains("guaranteed"));
            assertCode(DpaException.BUDGET, () -> rows.evaluate(List.of(fit), options));
            assertCode(DpaException.EMPTY, () -> rows.evaluate(List.of(), options));
        }
    }
}
