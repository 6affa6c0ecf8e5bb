package org.dpadapt;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * One of the two samples of a problem, whose handle keeps what is lent from the garbage collector.
 */
final class Sample {
    private interface Setter {
        void set(long problem, int domain, Matrix x, Object y, long length);
    }

    interface PassesSetter {
        void set(long passes, long problem, long rows, long columns);
    }

    private final Handle handle;
    private final int domain;
    private long copied;
    private volatile Passes passes;

    /** Of the problem with that handle. */
    Sample(Handle handle, int domain) {
        this.handle = handle;
        this.domain = domain;
    }

    void copy(double[] x, int columns, double[] y) {
        Check.notNull(x, "x");
        Check.notNull(y, "y");
        set(false, x, x.length, columns, y, y.length);
    }

    void copy(DoubleBuffer x, int columns, DoubleBuffer y) {
        set(false, x, x.remaining(), columns, y, y.remaining());
    }

    void lend(DoubleBuffer x, int columns, DoubleBuffer y) {
        set(true, x, x.remaining(), columns, y, y.remaining());
    }

    private void set(boolean isLent, Object x, int length, int columns, Object y, int labels) {
        int rows = Check.rows(length, columns, "x");
        Check.same(labels, rows, "y");
        Setter setter = isLent ? Native::dpa_problem_lend_sample : Native::dpa_problem_set_sample;
        Matrix matrix = new Matrix(x, rows, columns);
        synchronized (handle) {
            handle.run(
                    at -> {
                        replace(
                                isLent ? List.of(x, y) : null,
                                () -> setter.set(at, domain, matrix, y, labels));
                        hold(isLent ? 0 : (long) Double.BYTES * (length + labels));
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
                        replace(
                                null,
                                () ->
                                        Native.dpa_problem_set_arrow(
                                                at, domain, stream, names, label));
                        long[][] shape = new long[3][1];
                        Native.dpa_problem_shape(at, shape[0], shape[1], shape[2]);
                        hold(Double.BYTES * shape[domain][0] * (shape[2][0] + 1));
                        passes = null;
                    });
        }
    }

    void stay(long rows, int columns, Pass pass) {
        stay(
                rows,
                columns,
                pass,
                (passes, problem, count, width) ->
                        Native.java_passes_set(passes, problem, domain, count, width));
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
        Object old = handle.kept(domain);
        handle.keeps(domain, Arrays.asList(old, data));
        try {
            set.run();
        } catch (DpaException e) { // nothing has changed
            handle.keeps(domain, old);
            throw e;
        }
        handle.keeps(domain, data);
    }
}
