package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import org.dpadapt.Options;
import org.dpadapt.Problem;
import org.dpadapt.Solution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A million rows, which take 160 MB, by a virtual machine of 1 GB. */
class ManyRowsTest {
    @Test
    @Timeout(90)
    void aMillionRowsGiveTheBitsOfRowsInMemory() {
        double[] x = Many.features(-Many.PUBLIC, Many.PUBLIC);
        double[] y = Many.labels(-Many.PUBLIC, Many.PUBLIC);
        DpaModel model =
                new DpaEstimator()
                        .setSource(x, Many.COLUMNS, y)
                        .setFeatureCols(Many.FEATURES)
                        .setLabelCol("y")
                        .setOptions(Map.of("epsilon", "1", "delta", "1e-6", "unsafe_seed", "5"))
                        .fit(Many.frame(7));
        Options options = new Options().epsilon(1).delta(1e-6).set("unsafe_seed", 5);
        try (Problem problem =
                        new Problem()
                                .source(x, Many.COLUMNS, y)
                                .target(
                                        Many.features(0, Many.COUNT), Many.COLUMNS,
                                        Many.labels(0, Many.COUNT));
                Solution expected = problem.solve(options);
                Solution found = model.solution()) {
            assertArrayEquals(expected.coefficients(), found.coefficients());
        }
    }
}
