package org.dpadapt.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.dpadapt.Options;
import org.dpadapt.Problem;

/** Public rows, which go to the driver or stay in their partitions. */
interface Source {
    /** How the rows of the target are read, and what a problem has of these until it is closed. */
    record Given(RowReader reader, AutoCloseable rows) implements AutoCloseable {
        @Override
        public void close() {
            try {
                rows.close();
            } catch (Exception e) {
                throw new IllegalStateException(e); // nothing that is closed here throws
            }
        }
    }

    /** Of Java's own class, which PySpark translates. */
    static void checkRows(long count, String sample) {
        if (count == 0) throw new IllegalArgumentException("the " + sample + " has no rows");
    }

    /** Makes them the source of a problem. */
    Given into(Problem problem, Features features, String label, Options options);

    /** Rows that are there. */
    record OfArrays(double[] x, int columns, double[] y) implements Source {
        @Override
        public Given into(
                Problem problem, Features features, String label, Options options) {
            problem.source(x, columns, y);
            return new Given(new RowReader.OfNumbers(features, label, columns), () -> {});
        }
    }

    /** Rows to be collected, or not. */
    record OfDataset(Dataset<?> rows, boolean collects) implements Source {
        @Override
        public Given into(
                Problem problem, Features features, String label, Options options) {
            boolean isOfTwoClasses = options.get("loss").equals("logistic");
            if (features.needSchema(rows.schema(), label, isOfTwoClasses))
                return new Given(code(problem, features, label, options), () -> {});
            features.checkNumbers(rows.schema(), label);
            Dataset<?> needed = features.select(rows, label);
            JavaRDD<InternalRow> all = needed.queryExecution().toRdd().toJavaRDD();
            List<Integer> counts = all.map(features::count).take(1);
            int columns = counts.isEmpty() ? 1 : counts.get(0);
            RowReader reader = new RowReader.OfNumbers(features, label, columns);
            if (!collects) return stay(problem, reader);
            collect(problem, all, features, columns);
            return new Given(reader, () -> {});
        }

        private CodedRows code(
                Problem problem, Features features, String label, Options options) {
            if (!collects)
                throw new IllegalArgumentException(
                        "columns of texts need a schema, which is learnt from a source that is"
                                + " collected: use setSource, with fewer rows if need be");
            return CodedRows.of(rows, features.and(label), options, problem);
        }

        /** Few passes: what they read is not kept. */
        private Given stay(Problem problem, RowReader reader) {
            ClusterRows all = new ClusterRows(rows, reader, false);
            checkRows(all.count(), "source");
            problem.sourcePasses(all.count(), reader.columns(), all);
            return new Given(reader, all);
        }

        private static void collect(
                Problem problem, JavaRDD<InternalRow> all, Features features, int columns) {
            List<Block> blocks =
                    all.mapPartitions(part -> Block.of(part, features, columns)).collect();
            int count = blocks.stream().mapToInt(block -> block.y.length).reduce(0, Math::addExact);
            checkRows(count, "source");
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
