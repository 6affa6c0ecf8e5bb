package org.dpadapt;

import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Arguments, checked before they reach the library. */
final class Check {
    private Check() {}

    static <T> T notNull(T value, String name) {
        if (value == null)
            throw DpaException.make(DpaException.INVALID_ARGUMENT, name + " is null");
        return value;
    }

    static <T> List<T> noNulls(List<T> values, String name) {
        for (T value : notNull(values, name)) notNull(value, "an element of " + name);
        return values;
    }

    /** Text as C takes it, in UTF-8 with a zero at its end. */
    static byte[] text(String value, String name) {
        if (value == null) return null;
        if (value.indexOf(0) >= 0)
            throw DpaException.make(
                    DpaException.INVALID_ARGUMENT, name + " must not contain the character NUL");
        return (value + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Texts as the glue takes them, each with a zero at its end; null is empty. */
    static byte[] texts(String[] values, String name) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String value : notNull(values, name)) {
            // A cell may be private, so what it holds is no error.
            String text = value == null ? "" : value.replace('\0', '\uFFFD');
            byte[] letters = text.getBytes(StandardCharsets.UTF_8);
            all.write(letters, 0, letters.length);
            all.write(0);
        }
        return all.toByteArray();
    }

    /** Names as the glue takes them; null for none, which stands for all. */
    static byte[] names(String[] values, String name) {
        for (String value : notNull(values, name))
            text(notNull(value, "an element of " + name), name);
        return values.length == 0 ? null : texts(values, name);
    }

    /** A text of the library, null beyond the last one. */
    interface Texts {
        String at(long index, String what);
    }

    /** The rows of a table of the library, each with these texts. */
    static Stream<String[]> rowsOf(Texts texts, String... what) {
        return LongStream.iterate(0, i -> texts.at(i, what[0]) != null, i -> i + 1)
                .mapToObj(i -> Arrays.stream(what).map(w -> texts.at(i, w)).toArray(String[]::new));
    }

    /** Text as C returns it, without that zero. */
    static String string(byte[] text) {
        return text == null ? null : new String(text, StandardCharsets.UTF_8);
    }

    /** The doubles between position and limit of a buffer that the library can read. */
    static DoubleBuffer direct(DoubleBuffer buffer, String name) {
        notNull(buffer, name);
        if (!buffer.isDirect())
            throw DpaException.make(
                    DpaException.INVALID_ARGUMENT,
                    name + " must be a direct buffer, but is one on the heap");
        if (buffer.order() != ByteOrder.nativeOrder())
            throw DpaException.make(
                    DpaException.INVALID_ARGUMENT,
                    name + " must have the native byte order, " + ByteOrder.nativeOrder()
                            + ", but has " + buffer.order());
        return buffer.slice();
    }

    /** Number of rows of a matrix. */
    static int rows(int length, int columns, String name) {
        if (columns < 1)
            throw DpaException.make(
                    DpaException.EMPTY, "columns must be at least 1, but is " + columns);
        if (length % columns != 0)
            throw DpaException.make(
                    DpaException.DIMENSION,
                    name + " has " + length + " numbers, which are no rows of " + columns);
        return length / columns;
    }

    static void same(int length, int rows, String name) {
        if (length != rows)
            throw DpaException.make(
                    DpaException.DIMENSION, rows + " rows, but " + name + " has " + length);
    }

    /** Row after row; all rows must have the length of the first. */
    static double[] flat(double[][] x, String name) {
        notNull(x, name);
        int columns = x.length == 0 ? 0 : notNull(x[0], name + "[0]").length;
        long size = (long) x.length * columns;
        if (size > Integer.MAX_VALUE - 8)
            throw DpaException.make(
                    DpaException.OVERFLOW, name + " has more than 2^31 numbers; lend buffers");
        double[] flat = new double[(int) size];
        for (int i = 0; i < x.length; i++) {
            if (notNull(x[i], name + "[" + i + "]").length != columns)
                throw DpaException.make(
                        DpaException.DIMENSION,
                        name + "[" + i + "] has " + x[i].length + " columns, the first row has "
                                + columns);
            System.arraycopy(x[i], 0, flat, i * columns, columns);
        }
        return flat;
    }

    /** The length of an array, which Java bounds. */
    static int length(long rows, long columns) {
        if (rows * columns > Integer.MAX_VALUE - 8)
            throw DpaException.make(
                    DpaException.OVERFLOW, "the result has more than 2^31 numbers; use fewer rows");
        return (int) (rows * columns);
    }
}
