package org.dpadapt;

import java.nio.DoubleBuffer;

/**
 * The exact sum that a request asks for, over some of the private records: what a worker makes of
 * its rows, and sends to the {@link Pass} that asked. It carries no noise, and is as private as the
 * records: it must stay within the custodian's trust boundary. A worker needs no problem, no
 * options and no budget.
 *
 * <p>Sums are integers, so the fit has the same bits for any parts, merged in any order.
 *
 * <p>Changes only on success. Any thread may use it, one at a time; others wait.
 */
public final class Partial implements AutoCloseable {
    private final Handle handle;

    /**
     * An empty sum.
     *
     * @param request as a {@link Pass} received it; {@link DpaException#FORMAT} for anything but a
     *     request of this version of the library
     */
    public Partial(byte[] request) {
        Check.notNull(request, "request");
        handle =
                new Handle(
                        "partial",
                        Native::dpa_partial_destroy,
                        out -> Native.dpa_partial_create(request, out));
    }

    /**
     * Adds rows. One with a value that is not finite is a null record: it counts, and adds nothing.
     *
     * @param x features, row after row; none are a part, too
     * @param columns number of features
     * @param y labels, one a row
     * @return this sum; {@link DpaException#STATE} when there would be more records than were
     *     announced
     */
    public Partial add(double[] x, int columns, double[] y) {
        int length = Check.notNull(y, "y").length;
        return add(x, Check.notNull(x, "x").length, columns, y, length, null);
    }

    /**
     * Adds rows of persons, for a target that {@link ProblemSamples#targetGroupPasses} has set. All
     * rows of a person must be in one call, in an order that follows from these rows alone.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @param ids whose each row is
     * @return this sum; {@link DpaException#STATE} for a person who was added before, and for a
     *     request about records
     */
    public Partial addGroups(double[] x, int columns, double[] y, long[] ids) {
        int length = Check.notNull(y, "y").length;
        int rows = Check.rows(Check.notNull(x, "x").length, columns, "x");
        Check.same(Check.notNull(ids, "ids").length, rows, "ids");
        return add(x, x.length, columns, y, length, ids);
    }

    /**
     * Adds rows without a copy of them.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this sum
     */
    public Partial add(DoubleBuffer x, int columns, DoubleBuffer y) {
        DoubleBuffer rows = Check.direct(x, "x");
        DoubleBuffer labels = Check.direct(y, "y");
        return add(rows, rows.remaining(), columns, labels, labels.remaining(), null);
    }

    /**
     * Adds rows of single precision, which are read as the doubles that they are.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this sum
     */
    public Partial add(float[] x, int columns, float[] y) {
        return add(wide(x, "x"), columns, wide(y, "y"));
    }

    /**
     * Adds the rows of a batch of Arrow, which is borrowed as {@link Arrow} tells.
     *
     * @param schema address of the ArrowSchema of the batch
     * @param batch address of an ArrowArray
     * @param label name of the column of labels
     * @param features names of the columns of features, in their order; none for all but the label
     * @return this sum
     */
    public synchronized Partial addArrow(
            long schema, long batch, String label, String... features) {
        byte[] names = Check.names(features, "features");
        handle.run(at -> Native.dpa_partial_add_arrow(at, schema, batch, names, label));
        return this;
    }

    private synchronized Partial add(
            Object x, int length, int columns, Object y, int labels, long[] ids) {
        int rows = Check.rows(length, columns, "x");
        Check.same(labels, rows, "y");
        Matrix matrix = new Matrix(x, rows, columns);
        handle.run(at -> Native.dpa_partial_add(at, matrix, y, labels, ids));
        return this;
    }

    private static double[] wide(float[] values, String name) {
        double[] wide = new double[Check.notNull(values, name).length];
        for (int i = 0; i < wide.length; i++) wide[i] = values[i];
        return wide;
    }

    /**
     * Names the records of this sum as a part, for hosts that may carry out a part twice: sums that
     * share a part cannot be merged. The names travel with the bytes.
     *
     * @param part any number, the same one for the same records in every pass
     * @return this sum; {@link DpaException#STATE} if it has that part already
     */
    public synchronized Partial name(long part) {
        handle.run(at -> Native.dpa_partial_name(at, part));
        return this;
    }

    /**
     * Adds the sum of other records.
     *
     * @param bytes of {@link #serialize}
     * @return this sum; {@link DpaException#FORMAT} for damaged bytes and for the sum of another
     *     request, {@link DpaException#STATE} when a part would be there twice, or more records
     *     than were announced
     */
    public synchronized Partial merge(byte[] bytes) {
        Check.notNull(bytes, "bytes");
        handle.run(at -> Native.dpa_partial_merge(at, bytes));
        return this;
    }

    /**
     * Number of records that have been added.
     *
     * @return null records among them
     */
    public synchronized long records() {
        return handle.fill(new long[1], Native::dpa_partial_records)[0];
    }

    /**
     * The bytes of the sum, as private as the records.
     *
     * @return for {@link #merge} and {@link Pass#carryOut}
     */
    public synchronized byte[] serialize() {
        return handle.bytes(Native::dpa_partial_serialize);
    }

    /** How many records it has, and nothing of what they hold. */
    @Override
    public String toString() {
        return Handle.shown("Partial", () -> records() + " records");
    }

    /** Releases the sum. */
    @Override
    public void close() {
        handle.close();
    }
}
