package org.dpadapt.spark;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Many made-up rows of 20 features, which need not be in memory. */
final class Many {
    static final int COLUMNS = 20;
    static final int COUNT = 1_000_000;
    static final int PUBLIC = 20_000;
    static final String[] FEATURES =
            IntStream.range(0, COLUMNS).mapToObj(j -> "x" + j).toArray(String[]::new);

    private Many() {}

    /** Features and label of a row; those of the public rows have negative numbers. */
    static double[] row(long number) {
        SplittableRandom random = new SplittableRandom(number);
        double[] all = new double[COLUMNS + 1];
        double label = random.nextDouble(-1, 1);
        for (int j = 0; j < COLUMNS; j++) {
            all[j] = random.nextDouble(-1, 1);
            label += all[j] * (j % 5 - 2 + (number < 0 ? 0 : 0.5));
        }
        all[COLUMNS] = label;
        return all;
    }

    static Dataset<Row> frame(int partitions) {
        StructType schema = new StructType();
        for (String name : FEATURES) schema = schema.add(name, DataTypes.DoubleType);
        MapFunction<Long, Row> map =
                number -> RowFactory.create(Arrays.stream(row(number)).boxed().toArray());
        return Rows.session()
                .range(0, COUNT, 1, partitions)
                .map(map, Encoders.row(schema.add("y", DataTypes.DoubleType)));
    }

    /** Features, or the label, of some rows. */
    static double[] features(long first, int count) {
        double[] x = new double[count * COLUMNS];
        for (int i = 0; i < count; i++)
            System.arraycopy(row(first + i), 0, x, i * COLUMNS, COLUMNS);
        return x;
    }

    static double[] labels(long first, int count) {
        return IntStream.range(0, count).mapToDouble(i -> row(first + i)[COLUMNS]).toArray();
    }
}
