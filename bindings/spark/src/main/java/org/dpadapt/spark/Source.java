package org.dpadapt.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.dpadapt.Problem;

/** Public rows, which go to the driver or stay in their partitions. */
interface Source {
    /** What a problem has of them until it is closed. */
    record Given(int columns, AutoCloseable rows) implements AutoCloseable {
        @Override
        public void close() {
            try {
                rows.close();
            } catch (Exception e) {
                throw new IllegalStateException(e); // nothing that is closed here throws
            }
        }
    }

    /** Makes them the source of a problem. */
    Given into(Problem problem, Features features, String label);

    /** Rows that are there. */
    record OfArrays(double[] x, int columns, double[] y) implements Source {
        @Override
        public Given into(Problem problem, Features features, String label) {
            problem.source(x, columns, y);
            return new Given(columns, () -> {});
        }
    }

    /** Rows to be collected, or not. */
    record OfDataset(Dataset<?> rows, boolean collects) implements Source {
        @Override
        public Given into(Problem problem, Features features, String label) {
            features.check(rows.schema());
            Features.checkNumber(rows.schema(), label);
            Dataset<?> needed = features.select(rows, label);
            JavaRDD<InternalRow> all = needed.queryExecution().toRdd().toJavaRDD();
            List<Integer> counts = all.map(features::count).take(1);
            int columns = counts.isEmpty() ? 1 : counts.get(0);
            if (collects) collect(problem, all, features, columns);
            else return stay(problem, needed, features, columns);
            return new Given(columns, () -> {});
        }

        /** Few passes: what they read is not kept. */
        private static Given stay(
                Problem problem, Dataset<?> needed, Features features, int columns) {
            ClusterRows all = new ClusterRows(needed, features, columns, false);
            problem.sourcePasses(all.count(), columns, all);
            return new Given(columns, all);
        }

        private static void collect(
                Problem problem, JavaRDD<InternalRow> all, Features features, int columns) {
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
        }
    }
}
