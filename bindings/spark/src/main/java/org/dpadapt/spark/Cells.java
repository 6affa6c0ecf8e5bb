package org.dpadapt.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.dpadapt.DpaException;
import org.dpadapt.Schema;
import org.dpadapt.Table;

/** Rows as they are, column by column: numbers, where NaN is none, or texts, where null is none. */
final class Cells implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Of a text no more is read: a longer one must not fill the memory. */
    static final int LETTERS = 1000;

    private static final int MOST_LETTERS = 1 << 20;

    /** What a column holds, by its type. */
    enum Kind {
        NUMBERS,
        BOOLEANS,
        TEXTS;

        static Kind[] of(StructType schema, String... names) {
            return Arrays.stream(names)
                    .map(name -> of(schema.apply(name).dataType()))
                    .toArray(Kind[]::new);
        }

        /** Of all columns. */
        static Kind[] of(StructType schema) {
            return Arrays.stream(schema.fields())
                    .map(field -> of(field.dataType()))
                    .toArray(Kind[]::new);
        }

        private static Kind of(DataType type) {
            if (type instanceof StringType) return TEXTS;
            return type instanceof BooleanType ? BOOLEANS : NUMBERS;
        }
    }

    private final String[] names;
    private final Kind[] kinds;
    private final double[][] numbers; // null for a column of texts
    private final String[][] texts; // null for a column of numbers
    private int rows;
    private long letters;

    Cells(String[] names, Kind[] kinds) {
        this.names = names;
        this.kinds = kinds;
        numbers = new double[names.length][];
        texts = new String[names.length][];
        for (int j = 0; j < names.length; j++)
            if (kinds[j] == Kind.TEXTS) texts[j] = new String[1];
            else numbers[j] = new double[1];
    }

    int rows() {
        return rows;
    }

    /** Whether there are so many rows, or so long texts. */
    boolean has(int most) {
        return rows >= most || letters > MOST_LETTERS;
    }

    /** Adds a row of these columns, doubles and texts that are short enough. */
    void add(InternalRow row) {
        grow(rows + 1);
        for (int j = 0; j < names.length; j++) {
            if (numbers[j] != null) numbers[j][rows] = Features.number(row, j);
            else if (!row.isNullAt(j)) put(j, row.getUTF8String(j).toString());
        }
        rows++;
    }

    /** Adds a row of any columns. */
    void add(Row row, int[] places) {
        grow(rows + 1);
        for (int j = 0; j < names.length; j++) {
            Object cell = row.get(places[j]);
            if (numbers[j] != null) numbers[j][rows] = Features.number(cell);
            else if (cell != null) put(j, cut((String) cell));
        }
        rows++;
    }

    /** As SQL cuts it. */
    private static String cut(String text) {
        if (text.length() <= LETTERS || text.codePointCount(0, text.length()) <= LETTERS)
            return text;
        return text.substring(0, text.offsetByCodePoints(0, LETTERS));
    }

    private void put(int column, String text) {
        texts[column][rows] = text;
        letters += text.length();
    }

    private void grow(int needed) {
        for (int j = 0; j < names.length; j++) {
            if (numbers[j] != null && numbers[j].length < needed)
                numbers[j] = Arrays.copyOf(numbers[j], 2 * needed);
            if (texts[j] != null && texts[j].length < needed)
                texts[j] = Arrays.copyOf(texts[j], 2 * needed);
        }
    }

    /** All rows of several with the same columns. */
    static Cells all(Cells empty, List<Cells> parts) {
        empty.grow(parts.stream().mapToInt(Cells::rows).reduce(0, Math::addExact));
        for (Cells part : parts) {
            for (int j = 0; j < empty.names.length; j++)
                if (part.texts[j] == null)
                    System.arraycopy(part.numbers[j], 0, empty.numbers[j], empty.rows, part.rows);
                else System.arraycopy(part.texts[j], 0, empty.texts[j], empty.rows, part.rows);
            empty.rows += part.rows;
        }
        return empty;
    }

    /** For a schema; to be closed. */
    Table table() {
        Table table = new Table(rows);
        for (int j = 0; j < names.length; j++) {
            if (texts[j] == null) table.numbers(names[j], Arrays.copyOf(numbers[j], rows));
            else table.texts(names[j], Arrays.copyOf(texts[j], rows));
            if (kinds[j] == Kind.BOOLEANS) table.booleans(names[j]);
        }
        return table;
    }

    /** Refuses, by their types alone, booleans that no level of the schema can be. */
    static void check(Schema schema, String[] names, Kind[] kinds) {
        Cells nothing = new Cells(names, kinds);
        nothing.grow(1);
        nothing.rows = 1;
        try (Table table = nothing.table()) {
            schema.inspect(table);
        } catch (DpaException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
