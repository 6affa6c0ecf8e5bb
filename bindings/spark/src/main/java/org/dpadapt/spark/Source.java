package org.dpadapt.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.dpadapt.Problem;

/** Public rows, which go to the driver. */
interface Source {
    /** Makes them the source of a problem. Returns the number of features. */
    int into(Problem problem, Features features, String label);

    /** Rows that are there. */
    record OfArrays(double[] x, int columns, double[] y) implements Source {
        @Override
        public int into(Problem problem, Features features, String label) {
            problem.source(x, columns, y);
            return columns;
        }
    }

    /** Rows to be collected. */
    record OfDataset(Dataset<?> rows) implements Source {
        @Override
        public int into(Problem problem, Features features, String label) {
            features.check(rows.schema());
            Features.checkNumber(rows.schema(), label);
            JavaRDD<InternalRow> all =
                    features.select(rows, label).queryExecution().toRdd().toJavaRDD();
            List<Integer> counts = all.map(features::count).take(1);
            int columns = counts.isEmpty() ? 1 : counts.get(0);
            List<Block> blocks =
                    all.mapPartitions(part -> Block.of(part, features, columns)).collect();
            int count = blocks.stream().mapToInt(block -> block.y.length).reduce(0, Math::addExact);
            double[] x = new double[Math.multiplyExact(count, columns)];
            double[] y = new double[count];
            int begin = 0;
            for (Block block : blocks) {
                System.arraycopy(block.x, 0, x, begin * columns, block.x.length);
                System.arraycopy(block.y, 0, y, begin, block.y.length);
                begin += block.y.length;
            }
            problem.source(x, columns, y);
            return columns;
        }
    }
}
