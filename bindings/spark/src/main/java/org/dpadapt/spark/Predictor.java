package org.dpadapt.spark;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.util.TaskCompletionListener;
import org.dpadapt.Solution;

/** Adds predictions to the rows of a partition, many in a call of the library. */
class Predictor implements MapPartitionsFunction<Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final int BATCH = 512;

    private final byte[] bytes;
    private final Features features;

    Predictor(byte[] bytes, Features features) {
        this.bytes = bytes;
        this.features = features;
    }

    /** What predicts, for the rows of one partition. */
    interface Batches extends AutoCloseable {
        /** New cells of the first rows, column after column. */
        Object[][] predict(Row[] rows, int count);

        @Override
        void close();
    }

    Batches open() {
        Solution solution = Solution.fromBytes(bytes);
        return new Batches() {
            @Override
            public Object[][] predict(Row[] rows, int count) {
                int columns = solution.features();
                double[] x = new double[count * columns];
                for (int i = 0; i < count; i++) features.read(rows[i], x, i * columns, columns);
                return new Object[][] {boxed(solution.predict(x))};
            }

            @Override
            public void close() {
                solution.close();
            }
        };
    }

    static Object[] boxed(double[] values) {
        return Arrays.stream(values).boxed().toArray();
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        Batches batches = open();
        TaskCompletionListener end = task -> batches.close();
        TaskContext.get().addTaskCompletionListener(end);
        return new Predicted(rows, batches);
    }

    private static final class Predicted implements Iterator<Row> {
        private final Iterator<Row> rows;
        private final Batches batches;
        private final Row[] batch = new Row[BATCH];
        private Object[][] made = {{}};
        private int next;

        Predicted(Iterator<Row> rows, Batches batches) {
            this.rows = rows;
            this.batches = batches;
        }

        @Override
        public boolean hasNext() {
            return next < made[0].length || rows.hasNext();
        }

        @Override
        public Row next() {
            if (next == made[0].length) predict();
            Row row = batch[next];
            Object[] cells = new Object[row.size() + made.length];
            for (int j = 0; j < row.size(); j++) cells[j] = row.get(j);
            for (int j = 0; j < made.length; j++) cells[row.size() + j] = made[j][next];
            next++;
            return RowFactory.create(cells);
        }

        private void predict() {
            int count = 0;
            while (count < BATCH && rows.hasNext()) batch[count++] = rows.next();
            made = batches.predict(batch, count);
            next = 0;
        }
    }
}
