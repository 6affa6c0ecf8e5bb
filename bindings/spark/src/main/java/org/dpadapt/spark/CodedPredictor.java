package org.dpadapt.spark;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.dpadapt.Schema;
import org.dpadapt.Solution;
import org.dpadapt.Table;

/** The same with a schema, which makes features of columns of texts and numbers. */
final class CodedPredictor extends Predictor {
    private static final long serialVersionUID = 1L;
    private static final int MOST_NAMES = 1000;

    private final byte[] bytes;
    private final String[] names;
    private final Cells.Kind[] kinds;
    private final int[] places;
    private final boolean writesLabels;

    /** Of rows with that schema. */
    CodedPredictor(byte[] bytes, StructType rows, Features features, boolean writesLabels) {
        super(bytes, features);
        this.bytes = bytes;
        this.writesLabels = writesLabels;
        names = features.and();
        places = features.places(rows);
        kinds = Cells.Kind.of(rows, names);
        try (Schema schema = Schema.fromBytes(bytes)) {
            Cells.check(schema, names, kinds);
        }
    }

    @Override
    Batches open() {
        Solution solution = Solution.fromBytes(bytes);
        Schema schema = Schema.fromBytes(bytes);
        Map<Double, String> known = new HashMap<>();
        return new Batches() {
            @Override
            public Object[][] predict(Row[] rows, int count) {
                Cells cells = new Cells(names, kinds);
                for (int i = 0; i < count; i++) cells.add(rows[i], places);
                try (Table table = cells.table()) {
                    double[] labels = solution.predict(schema.features(table));
                    return writesLabels
                            ? new Object[][] {boxed(labels), texts(labels)}
                            : new Object[][] {boxed(labels)};
                }
            }

            private Object[] texts(double[] labels) {
                if (known.size() > MOST_NAMES) known.clear();
                return Arrays.stream(labels).mapToObj(this::text).toArray();
            }

            private String text(double label) {
                return known.computeIfAbsent(
                        label, key -> schema.labelTexts(new double[] {key})[0]);
            }

            @Override
            public void close() {
                schema.close();
                solution.close();
            }
        };
    }
}
