package org.dpadapt.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** How rows become features and labels. */
interface RowReader extends Serializable {
    /** Number of features. */
    int columns();

    /** The columns that are read, and no others; refuses types that cannot be. */
    Dataset<?> select(Dataset<?> data);

    /** For rows that were selected, of that schema. */
    default RowReader in(StructType selected) {
        return this;
    }

    /** The rows of a partition, which come one by one and are not kept. */
    Iterator<Block> blocks(Iterator<InternalRow> rows);

    /** Features and label are numbers. */
    record OfNumbers(Features features, String label, int columns) implements RowReader {
        @Override
        public Dataset<?> select(Dataset<?> data) {
            features.count(columns).checkNumbers(data.schema(), label);
            return features.select(data, label);
        }

        @Override
        public Iterator<Block> blocks(Iterator<InternalRow> rows) {
            return Block.of(rows, features, columns);
        }
    }
}
