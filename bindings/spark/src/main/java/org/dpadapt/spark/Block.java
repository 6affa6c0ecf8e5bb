package org.dpadapt.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.dpadapt.Schema;

/** Some rows as the library takes them: features, row after row, and labels. */
final class Block implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Numbers of a block: few enough for a cache of the processor and for a young heap. */
    private static final int NUMBERS = 1 << 15;

    final double[] x;
    final double[] y;

    private Block(double[] x, double[] y) {
        this.x = x;
        this.y = y;
    }

    /** Rows that a schema has coded. */
    static Block of(Schema.Rows rows) {
        return new Block(rows.x(), rows.y());
    }

    /** All rows of a partition, which come one by one and are not kept. */
    static Iterator<Block> of(Iterator<InternalRow> rows, Features features, int columns) {
        int most = Math.max(1, NUMBERS / (columns + 1));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Block next() {
                double[] x = new double[most * columns];
                double[] y = new double[most];
                int count = 0;
                for (; count < most && rows.hasNext(); count++) {
                    InternalRow row = rows.next();
                    features.read(row, x, count * columns, columns);
                    y[count] = Features.number(row, features.width());
                }
                return count == most
                        ? new Block(x, y)
                        : new Block(
                                Arrays.copyOf(x, count * columns), Arrays.copyOf(y, count));
            }
        };
    }

    /**
     * A number that the same rows have in any order and partition, and others hardly: the sum of a
     * hash of each row.
     */
    long digest() {
        int columns = x.length / y.length;
        long[] keys = new long[columns];
        for (int j = 0; j < columns; j++) keys[j] = mixed(j + 1) | 1;
        long sum = 0;
        for (int i = 0; i < y.length; i++) {
            long hash = Double.doubleToRawLongBits(y[i]);
            for (int j = 0; j < columns; j++) {
                long bits = Double.doubleToRawLongBits(x[i * columns + j]);
                hash += (bits ^ bits >>> 32) * keys[j];
            }
            sum += mixed(hash);
        }
        return sum;
    }

    /** The last steps of SplittableRandom. */
    private static long mixed(long z) {
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
