package org.dpadapt.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import org.dpadapt.Options;
import org.dpadapt.Problem;
import org.dpadapt.Schema;
import org.dpadapt.Table;

/** A schema makes features and label of columns of numbers and texts. */
final class CodedRows implements RowReader {
    private static final long serialVersionUID = 1L;

    /** Of a block, whose texts take room until they are coded. */
    private static final int ROWS = 1024;

    private static final int NUMBERS = 1 << 15;

    private final String[] names; // of the features, then the label
    private final byte[] schema;
    private final int columns;
    private final Cells.Kind[] kinds; // of the rows that are read

    private CodedRows(String[] names, byte[] schema, int columns, Cells.Kind[] kinds) {
        this.names = names;
        this.schema = schema;
        this.columns = columns;
        this.kinds = kinds;
    }

    /** Makes public rows, which are collected, the source, and learns the schema from them. */
    static CodedRows of(Dataset<?> source, String[] names, Options options, Problem problem) {
        Dataset<?> needed = selected(source, names);
        Cells.Kind[] kinds = Cells.Kind.of(source.schema(), names);
        JavaRDD<InternalRow> all = needed.queryExecution().toRdd().toJavaRDD();
        List<Cells> parts =
                all.mapPartitions(
                                part -> {
                                    Cells cells = new Cells(names, kinds);
                                    while (part.hasNext()) cells.add(part.next());
                                    return List.of(cells).iterator();
                                })
                        .collect();
        int label = names.length - 1;
        Cells cells = Cells.all(new Cells(names, kinds), parts);
        Source.checkRows(cells.rows(), "source");
        try (Table table = cells.table()) {
            // A text is a category, whatever it looks like.
            for (int j = 0; j < label; j++)
                if (kinds[j] == Cells.Kind.TEXTS) table.text(names[j]);
            try (Schema schema = Schema.learn(table, names[label], options)) {
                problem.source(schema, table);
                return new CodedRows(names, schema.toBytes(), schema.features(), kinds);
            }
        }
    }

    /** The same columns, numbers as doubles and the first letters of texts. */
    private static Dataset<?> selected(Dataset<?> data, String[] names) {
        List<Column> columns = new ArrayList<>();
        for (String name : names) {
            Column column = Features.column(data, name);
            boolean isText = Features.isText(data.schema(), name);
            if (!isText) Features.checkNumber(data.schema(), name, "numbers, booleans or texts");
            columns.add(
                    isText
                            ? functions.substring(column, 1, Cells.LETTERS)
                            : column.cast("double"));
        }
        return data.toDF().select(columns.toArray(Column[]::new));
    }

    byte[] schema() {
        return schema.clone();
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public Dataset<?> select(Dataset<?> data) {
        Dataset<?> needed = selected(data, names);
        try (Schema coding = Schema.fromBytes(schema)) {
            Cells.check(coding, names, Cells.Kind.of(data.schema(), names));
        }
        return needed;
    }

    @Override
    public RowReader in(StructType selected) {
        return new CodedRows(names, schema, columns, Cells.Kind.of(selected));
    }

    @Override
    public Iterator<Block> blocks(Iterator<InternalRow> rows) {
        Schema coding = Schema.fromBytes(schema);
        TaskCompletionListener end = task -> coding.close();
        TaskContext.get().addTaskCompletionListener(end);
        int most = Math.max(1, Math.min(ROWS, NUMBERS / (columns + 1)));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Block next() {
                Cells cells = new Cells(names, kinds);
                while (rows.hasNext() && !cells.has(most)) cells.add(rows.next());
                try (Table table = cells.table()) {
                    return Block.of(coding.apply(table));
                }
            }
        };
    }
}
