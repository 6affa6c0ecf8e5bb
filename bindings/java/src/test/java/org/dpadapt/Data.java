package org.dpadapt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.SplittableRandom;

/** Samples for tests: labels 2 a + b in the source, 2 a + b + 1 in the target. */
final class Data {
    static final double[] SOURCE = {1, 0, 0, 1, 1, 1, 2, 1, 1, 2, 3, 1};
    static final double[] SOURCE_LABELS = {2, 1, 3, 5, 4, 7};
    static final double[] TARGET = {1, 1, 2, 0, 0, 2, 2, 2, 1, 1};
    static final double[] TARGET_LABELS = {4, 5, 3, 7, 4};

    private Data() {}

    static Problem small() {
        return new Problem().source(SOURCE, 2, SOURCE_LABELS).target(TARGET, 2, TARGET_LABELS);
    }

    static Options notPrivate() {
        return new Options().set("private_domain", "none");
    }

    static Options withBudget(double epsilon) {
        return new Options().set("epsilon", epsilon).set("delta", 1e-5);
    }

    static double[] random(int length, long seed) {
        return new SplittableRandom(seed).doubles(length, -1, 1).toArray();
    }

    /** Labels linear in the features, and noise. */
    static double[] labels(double[] x, int columns, double shift, long seed) {
        double[] y = random(x.length / columns, seed);
        for (int i = 0; i < y.length; i++) {
            y[i] = shift + 0.1 * y[i];
            for (int j = 0; j < columns; j++) y[i] += x[i * columns + j] * (j % 3 - 0.5);
        }
        return y;
    }

    static Problem problem(int sourceRows, int targetRows, int columns, long seed) {
        double[] x = random(sourceRows * columns, seed);
        double[] z = random(targetRows * columns, seed + 1);
        return new Problem()
                .source(x, columns, labels(x, columns, 0, seed + 2))
                .target(z, columns, labels(z, columns, 1, seed + 3));
    }

    static DoubleBuffer direct(double... values) {
        DoubleBuffer buffer =
                ByteBuffer.allocateDirect(8 * values.length)
                        .order(ByteOrder.nativeOrder())
                        .asDoubleBuffer();
        return buffer.put(values).flip();
    }
}
