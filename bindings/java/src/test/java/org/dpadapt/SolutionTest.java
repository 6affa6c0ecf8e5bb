package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SolutionTest {
    @Test
    void fitsAndPredicts() {
        try (Problem problem = Data.small();
                Solution solution = problem.solve(Data.notPrivate())) {
            double[] w = solution.coefficients();
            double b = solution.intercept()[0];
            assertEquals(2, w.length);
            assertTrue(solution.dualityGap() <= 1e-6);
            double[] predicted = solution.predict(Data.TARGET);
            for (int i = 0; i < predicted.length; i++)
                assertEquals(
                        w[0] * Data.TARGET[2 * i] + w[1] * Data.TARGET[2 * i + 1] + b,
                        predicted[i],
                        1e-14 * 10);
            try (Solution read = Solution.fromBytes(solution.toBytes())) {
                assertArrayEquals(w, read.coefficients());
                assertArrayEquals(predicted, read.predict(Data.TARGET));
            }
        }
    }
}
