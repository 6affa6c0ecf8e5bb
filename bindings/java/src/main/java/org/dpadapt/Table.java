package org.dpadapt;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Columns of numbers and texts, public or private, which a {@link Schema} makes features and labels
 * of. Columns are copied. Several threads may use the same table.
 */
public final class Table implements AutoCloseable {
    /** What a text needs outside the heap, roughly. */
    private static final long TEXT = 16;

    final Handle handle;
    private final int rows;
    private int columns;

    /**
     * Creates a table without columns.
     *
     * @param rows number of records
     */
    public Table(int rows) {
        this(out -> Native.dpa_table_create(Math.max(rows, 0), out));
    }

    private Table(Handle.Create create) {
        handle = new Handle("table", Native::dpa_table_destroy, create);
        rows = (int) handle.fill(new long[1], Native::dpa_table_row_count)[0];
    }

    /**
     * Reads a stream of Arrow, whose columns are copied: numbers and booleans, texts, dictionaries
     * of texts as categories, nulls as missing values.
     *
     * @param stream address of an ArrowArrayStream, which is consumed as {@link Arrow} tells
     * @return the table
     */
    public static Table readArrow(long stream) {
        Table table = new Table(out -> Native.dpa_table_create_arrow(stream, out));
        table.handle.holds(table.rows * TEXT);
        return table;
    }

    /**
     * Reads a CSV file of private rows with a header, plain or gzip, as the command reads private
     * files; {@link #readPublicCsv} is for public ones. Commas,
     * semicolons or tabs separate cells, as the header shows; where commas do not, 1,5 is 1.5.
     * Every line below the header is a record, whatever it holds; one with too few or too many
     * cells, or longer than 8 MiB, is a record of missing values. Nothing is said about what a cell
     * holds, so the rows may be private.
     *
     * @param file the file, in UTF-8; {@link DpaException#NO_MEMORY} for one that unfolds to more
     *     than fits into three quarters of the heap
     * @return the table; every cell is read as {@link #texts} does
     * @throws IOException if the file cannot be read
     */
    public static Table readCsv(Path file) throws IOException {
        CsvFile csv = CsvFile.read(Check.notNull(file, "file"));
        return of(csv.rows(), csv.names(), csv::column);
    }

    /**
     * Reads a CSV file of public rows with a header, plain or gzip, as the command reads public
     * files: what is wrong is an error that names file, line and column, and may show what a cell
     * holds. Never read private rows so. Quotes may span lines, and blank lines are no rows.
     *
     * @param file the file, in UTF-8; {@link DpaException#FORMAT} for a line with too few or too
     *     many cells, a quote that is misplaced or never closed, a column without a name or two of
     *     one name, a cell longer than 1 MiB and a row longer than 8 MiB; {@link
     *     DpaException#EMPTY} without rows; {@link DpaException#NO_MEMORY} as {@link #readCsv}
     * @return the table; every cell is read as {@link #texts} does
     * @throws IOException if the file cannot be read
     */
    public static Table readPublicCsv(Path file) throws IOException {
        PublicCsv csv = PublicCsv.read(Check.notNull(file, "file"));
        return of(csv.rows(), csv.names(), csv::column);
    }

    private static Table of(int rows, List<String> names, IntFunction<String[]> column) {
        Table table = new Table(rows);
        try {
            for (int k = 0; k < names.size(); k++) table.texts(names.get(k), column.apply(k));
            return table;
        } catch (DpaException e) {
            table.close();
            throw e;
        }
    }

    /**
     * Adds a column of numbers.
     *
     * @param name another one than the columns before
     * @param values one a record; NaN and infinity stand for a missing value
     * @return this table
     */
    public Table numbers(String name, double[] values) {
        Check.notNull(values, "values");
        return added(
                (long) values.length * Double.BYTES,
                at -> Native.dpa_table_add_numbers(at, name, values));
    }

    /**
     * Adds a column of texts, which are read like the cells of a file: a text that is a number is a
     * number; null, an empty one, NA or nan is a missing value.
     *
     * @param name another one than the columns before
     * @param values one a record
     * @return this table
     */
    public Table texts(String name, String... values) {
        byte[] all = Check.texts(values, "values");
        return added(values.length * TEXT, at -> Native.dpa_table_add_texts(at, name, all));
    }

    /**
     * Adds a category by the numbers of its levels, which may look like numbers.
     *
     * @param name another one than the columns before
     * @param codes one a record; what is no index of a level is a missing value
     * @param levels the texts of the levels
     * @return this table
     */
    public Table levels(String name, int[] codes, String... levels) {
        Check.notNull(codes, "codes");
        byte[] all = Check.texts(levels, "levels");
        return added(
                codes.length * TEXT, at -> Native.dpa_table_add_levels(at, name, codes, all));
    }

    /**
     * A column that is no feature of schemas that are learnt from this table.
     *
     * @param column its name
     * @return this table
     */
    public Table ignore(String column) {
        return hint("ignore", column);
    }

    /**
     * A column that is a category in schemas that are learnt from this table, even if it holds
     * numbers; of up to 1000 levels that 10 rows have, else {@link Schema#learn} refuses it.
     *
     * @param column its name
     * @return this table
     */
    public Table category(String column) {
        return hint("category", column);
    }

    /**
     * A column of texts in schemas that are learnt from this table, even if all look like numbers:
     * a category, unless it has too many levels.
     *
     * @param column its name
     * @return this table
     */
    public Table text(String column) {
        return hint("text", column);
    }

    /**
     * Says that the type of a column of numbers is boolean: 0 is no, 1 is yes. A schema refuses it
     * by name where it knows the column as texts that do not mean no and yes.
     *
     * @param column its name
     * @return this table
     */
    public Table booleans(String column) {
        return hint("boolean", column);
    }

    /**
     * A word for a missing value, beside the usual ones, in every table that a schema learnt from
     * this one is applied to.
     *
     * @param word such as "nk"
     * @return this table
     */
    public Table missing(String word) {
        return hint("missing", word);
    }

    /**
     * The label that is +1 in schemas that are learnt from this table, of two classes.
     *
     * @param label as the table writes it
     * @return this table
     */
    public Table positive(String label) {
        return hint("positive", label);
    }

    /**
     * A feature that is computed from columns of each row, beside those of the columns, in schemas
     * that are learnt from this table. {@code schema.h} has the grammar.
     *
     * @param feature such as "bmi = weight / height^2"
     * @return this table
     */
    public Table compute(String feature) {
        return hint("compute", feature);
    }

    private synchronized Table hint(String what, String value) {
        handle.run(at -> Native.dpa_table_hint(at, what, value));
        return this;
    }

    /**
     * Number of records.
     *
     * @return at least 1
     */
    public int rows() {
        return rows;
    }

    /** The numbers of records and columns. */
    @Override
    public synchronized String toString() {
        return Handle.shown(
                "Table", () -> handle.use(at -> rows + " rows, " + columns + " columns"));
    }

    /** Releases the table. */
    @Override
    public void close() {
        handle.close();
    }

    private synchronized Table added(long bytes, LongConsumer add) {
        handle.run(add);
        handle.holds(bytes);
        columns++;
        return this;
    }
}
