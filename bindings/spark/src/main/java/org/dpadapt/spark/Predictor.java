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
final class Predictor implements MapPartitionsFunction<Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final int BATCH = 512;

    private final byte[] bytes;
    private final Features features;

    Predictor(byte[] bytes, Features features) {
        this.bytes = bytes;
        this.features = features;
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        Solution solution = Solution.fromBytes(bytes);
        TaskCompletionListener end = task -> solution.close();
        TaskContext.get().addTaskCompletionListener(end);
        return new Predicted(rows, solution);
    }

    private final class Predicted implements Iterator<Row> {
        private final Iterator<Row> rows;
        private final Solution solution;
        private final Row[] batch = new Row[BATCH];
        private double[] predictions = {};
        private int next;

        Predicted(Iterator<Row> rows, Solution solution) {
            this.rows = rows;
            this.solution = solution;
        }

        @Override
        public boolean hasNext() {
            return next < predictions.length || rows.hasNext();
        }

        @Override
        public Row next() {
            if (next == predictions.length) predict();
            Row row = batch[next];
            Object[] cells = new Object[row.size() + 1];
            for (int j = 0; j < row.size(); j++) cells[j] = row.get(j);
            cells[row.size()] = predictions[next++];
            return RowFactory.create(cells);
        }

        private void predict() {
            int columns = solution.features();
            double[] x = new double[BATCH * columns];
            int count = 0;
            for (; count < BATCH && rows.hasNext(); count++) {
                batch[count] = rows.next();
                features.read(batch[count], x, count * columns, columns);
            }
            predictions = solution.predict(Arrays.copyOf(x, count * columns));
            next = 0;
        }
    }
}
