package org.dpadapt.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * Where the features of a row are: in one column of vectors, or in columns of numbers. What is null
 * or a vector of another length is NaN, never an error, which would tell of a private record.
 */
final class Features implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final byte SPARSE = 0;

    private final boolean isVector;
    private final String[] names;
    private int[] places = {};

    private Features(boolean isVector, String... names) {
        this.isVector = isVector;
        this.names = names;
    }

    /** As the stage names them; no names of columns mean the vector. */
    static Features of(String[] columns, String vector) {
        return columns.length > 0 ? new Features(false, columns) : new Features(true, vector);
    }

    /** Refuses columns whose values could not be read as numbers, by their types alone. */
    void checkNumbers(StructType schema, String... others) {
        for (String name : names)
            if (isVector) checkVector(schema, name);
            else checkNumber(schema, name, "numbers or booleans");
        for (String name : others) checkNumber(schema, name, "numbers or booleans");
    }

    /** The same for what a schema may read, too: columns of texts, but beside vectors. */
    void check(StructType schema, String... others) {
        checkUses(others);
        if (isVector) checkNumbers(schema, others);
        else
            for (String name : and(others))
                if (!isText(schema, name))
                    checkNumber(schema, name, "numbers, booleans or texts");
    }

    /** A label that is a feature predicts itself: a fit of it would be paid in vain. */
    private void checkUses(String... others) {
        Set<String> seen = new HashSet<>();
        for (String name : and(others))
            if (!seen.add(name))
                throw new IllegalArgumentException(
                        "column \"" + name + "\" is given twice, or as feature and label");
    }

    static void checkNumber(StructType schema, String name, String kind) {
        DataType type = schema.apply(name).dataType();
        if (!(type instanceof NumericType) && !(type instanceof BooleanType))
            throw wrong(name, kind, type);
    }

    private static void checkVector(StructType schema, String name) {
        DataType type = schema.apply(name).dataType();
        if (!type.equals(SQLDataTypes.VectorType())) throw wrong(name, "vectors", type);
    }

    static boolean isText(StructType schema, String name) {
        return schema.apply(name).dataType() instanceof StringType;
    }

    /** Whether a schema must make features and label: of texts, and of a truth for two classes. */
    boolean needSchema(StructType schema, String label, boolean isOfTwoClasses) {
        return !isVector
                && (Arrays.stream(and(label)).anyMatch(name -> isText(schema, name))
                        || isOfTwoClasses
                                && schema.apply(label).dataType() instanceof BooleanType);
    }

    /** The names of the columns, and others. */
    String[] and(String... others) {
        return Stream.concat(Arrays.stream(names), Arrays.stream(others)).toArray(String[]::new);
    }

    private static IllegalArgumentException wrong(String name, String kind, DataType type) {
        return new IllegalArgumentException(
                name + " must be a column of " + kind + ", but is " + type.catalogString());
    }

    /** Refuses another number of columns than there are features. */
    Features count(int features) {
        if (!isVector && names.length != features)
            throw new IllegalArgumentException(
                    names.length + " columns of features, but there are " + features
                            + " features");
        return this;
    }

    /** The features, then others as numbers. */
    Dataset<?> select(Dataset<?> data, String... others) {
        List<Column> columns = new ArrayList<>();
        for (String name : names)
            columns.add(isVector ? column(data, name) : number(data, name));
        for (String name : others) columns.add(number(data, name));
        return data.toDF().select(columns.toArray(Column[]::new));
    }

    private static Column number(Dataset<?> data, String name) {
        return column(data, name).cast("double");
    }

    /** Of that very name, dots and all. */
    static Column column(Dataset<?> data, String name) {
        return data.col("`" + name.replace("`", "``") + "`");
    }

    /** Where the columns are in rows of that schema. */
    int[] places(StructType schema) {
        return Arrays.stream(names).mapToInt(schema::fieldIndex).toArray();
    }

    /** How many columns they are in. */
    int width() {
        return names.length;
    }

    /** For rows of that schema. */
    Features in(StructType schema) {
        Features made = new Features(isVector, names);
        made.places = places(schema);
        return made;
    }

    /** Reads those of a row of that schema. */
    void read(Row row, double[] to, int begin, int count) {
        if (isVector) vector((Vector) row.get(places[0]), to, begin, count);
        else for (int j = 0; j < count; j++) to[begin + j] = number(row.get(places[j]));
    }

    static double number(Object cell) {
        if (cell instanceof Number number) return number.doubleValue();
        return cell == null ? Double.NaN : (Boolean) cell ? 1 : 0;
    }

    private static void vector(Vector vector, double[] to, int begin, int count) {
        if (vector == null || vector.size() != count)
            Arrays.fill(to, begin, begin + count, Double.NaN);
        else System.arraycopy(vector.toArray(), 0, to, begin, count);
    }

    /** Reads those of a row that select made. */
    void read(InternalRow row, double[] to, int begin, int count) {
        if (isVector) vector(row, to, begin, count);
        else if (row.anyNull()) for (int j = 0; j < count; j++) to[begin + j] = number(row, j);
        else for (int j = 0; j < count; j++) to[begin + j] = row.getDouble(j);
    }

    static double number(InternalRow row, int place) {
        return row.isNullAt(place) ? Double.NaN : row.getDouble(place);
    }

    /**
     * Spark keeps a vector as (type, size, indices, values), and does not look at what a file says
     * there: what is no vector of that size is missing, and touches no other row.
     */
    private static void vector(InternalRow row, double[] to, int begin, int count) {
        InternalRow vector = row.isNullAt(0) ? null : row.getStruct(0, 4);
        if (vector == null || !copy(vector, to, begin, count))
            Arrays.fill(to, begin, begin + count, Double.NaN);
    }

    private static boolean copy(InternalRow vector, double[] to, int begin, int count) {
        ArrayData values = vector.isNullAt(3) ? null : vector.getArray(3);
        if (values == null || hasNull(values) || count != size(vector, values)) return false;
        if (vector.getByte(0) != SPARSE) {
            for (int j = 0; j < count; j++) to[begin + j] = values.getDouble(j);
            return true;
        }
        ArrayData places = vector.isNullAt(2) ? null : vector.getArray(2);
        if (places == null || hasNull(places) || places.numElements() != values.numElements())
            return false;
        Arrays.fill(to, begin, begin + count, 0);
        for (int k = 0; k < values.numElements(); k++) {
            int place = places.getInt(k);
            if (place < 0 || place >= count) return false;
            to[begin + place] = values.getDouble(k);
        }
        return true;
    }

    private static boolean hasNull(ArrayData array) {
        for (int k = 0; k < array.numElements(); k++) if (array.isNullAt(k)) return true;
        return false;
    }

    /** How many features a row that select made has. */
    int count(InternalRow row) {
        if (!isVector) return names.length;
        if (row.isNullAt(0) || row.getStruct(0, 4).isNullAt(3)) return 0;
        return size(row.getStruct(0, 4), row.getStruct(0, 4).getArray(3));
    }

    private static int size(InternalRow vector, ArrayData values) {
        return vector.getByte(0) == SPARSE ? vector.getInt(1) : values.numElements();
    }
}
