package org.dpadapt;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * One of the two samples of a problem, whose handle keeps what is lent from the garbage collector.
 */
final class Sample {
    interface Setter {
        void set(
                long problem, Object x, long rows, long columns, long distance, int layout,
                Object y, long length);
    }

    interface ArrowSetter {
        void set(long problem, long rows, byte[] features, String label);
    }

    interface PassesSetter {
        void set(long passes, long problem, long rows, long columns);
    }

    private final Handle handle;
    private final int place;
    private final Setter copy;
    private final Setter lend;
    private final ArrowSetter consume;
    private final PassesSetter ask;
    private long copied;
    private volatile Passes passes;

    /** Of the problem with that handle: 0 is the source, 1 the target. */
    Sample(
            Handle handle, int place, Setter copy, Setter lend, ArrowSetter consume,
            PassesSetter ask) {
        this.handle = handle;
        this.place = place;
        this.copy = copy;
        this.lend = lend;
        this.consume = consume;
        this.ask = ask;
    }

    void copy(double[] x, int columns, double[] y) {
        Check.notNull(x, "x");
        Check.notNull(y, "y");
        set(copy, x, x.length, columns, y, y.length);
    }

    void copy(DoubleBuffer x, int columns, DoubleBuffer y) {
        set(copy, x, x.remaining(), columns, y, y.remaining());
    }

    void lend(DoubleBuffer x, int columns, DoubleBuffer y) {
        set(lend, x, x.remaining(), columns, y, y.remaining());
    }

    private void set(Setter setter, Object x, int length, int columns, Object y, int labels) {
        int rows = Check.rows(length, columns, "x");
        Check.same(labels, rows, "y");
        synchronized (handle) {
            handle.run(
                    at -> {
                        Object data = setter == lend ? List.of(x, y) : null;
                        replace(
                                data,
                                () ->
                                        setter.set(
                                                at, x, rows, columns, columns,
                                                Check.ROW_MAJOR, y, labels));
                        hold(data != null ? 0 : (long) Double.BYTES * (length + labels));
                        passes = null;
                    });
        }
    }

    /** Its memory is counted as if all of it had been copied. */
    void consume(long stream, String label, String... features) {
        byte[] names = Check.names(features, "features");
        synchronized (handle) {
            handle.run(
                    at -> {
                        replace(null, () -> consume.set(at, stream, names, label));
                        long[][] shape = new long[3][1];
                        Native.dpa_problem_shape(at, shape[0], shape[1], shape[2]);
                        hold(Double.BYTES * shape[place][0] * (shape[2][0] + 1));
                        passes = null;
                    });
        }
    }

    void stay(long rows, int columns, Pass pass) {
        stay(rows, columns, pass, ask);
    }

    void stay(long rows, int columns, Pass pass, PassesSetter ask) {
        Passes made = new Passes(pass);
        synchronized (handle) {
            handle.run(
                    at ->
                            made.handle.run(
                                    user ->
                                            replace(
                                                    made.handle,
                                                    () -> ask.set(user, at, rows, columns))));
            hold(0);
            passes = made;
        }
    }

    /** Null where the rows are here. */
    Passes passes() {
        return passes;
    }

    private void hold(long bytes) {
        handle.holds(-copied);
        copied = bytes;
        handle.holds(copied);
    }

    /**
     * Keeps the old and the new data while either may be in use: an error of the virtual
     * machine, which can come between any two steps, leaves both.
     */
    private void replace(Object data, Runnable set) {
        Object old = handle.kept(place);
        handle.keeps(place, Arrays.asList(old, data));
        try {
            set.run();
        } catch (DpaException e) { // nothing has changed
            handle.keeps(place, old);
            throw e;
        }
        handle.keeps(place, data);
    }
}
