package org.dpadapt;

import java.nio.charset.StandardCharsets;

/** What every failing call of this package throws: a code and one line of text. */
public final class DpaException extends RuntimeException {
    /** Null, an unsuitable buffer, a malformed argument. */
    public static final int INVALID_ARGUMENT = -1;

    /** Sizes that do not fit together. */
    public static final int DIMENSION = -2;

    /** NaN or infinity in public data; rows count from 0. */
    public static final int NONFINITE = -3;

    /** An option out of bounds, or options that contradict each other. */
    public static final int OPTION = -4;

    /** Called too early, or while another call uses the problem. */
    public static final int STATE = -5;

    /** Bytes that are not a saved solution, or are damaged. */
    public static final int FORMAT = -6;

    /** A buffer that is too small: never thrown, as this package makes its own. */
    public static final int BUFFER = -7;

    /** A closed object. */
    public static final int HANDLE = -8;

    /** Zero rows or zero columns. */
    public static final int EMPTY = -9;

    /** A distance between rows that is smaller than a row. */
    public static final int STRIDE = -10;

    /** 2^31 rows or columns, or another size beyond all bounds. */
    public static final int OVERFLOW = -11;

    /** No option, method or setting of this name. */
    public static final int OPTION_NAME = -12;

    /** The option takes values of another type. */
    public static final int OPTION_TYPE = -13;

    /** A public label that is invalid for the loss; rows count from 0. */
    public static final int LABEL = -14;

    /** A factorisation failed or numbers overflowed. */
    public static final int NUMERICAL = -20;

    /** A {@link CancelToken} stopped the call. */
    public static final int CANCELLED = -21;

    /** A callback misbehaved. */
    public static final int CALLBACK = -22;

    /** A ledger could not be read or stored; nothing else was read. */
    public static final int STORE = -23;

    /** Memory exhausted. */
    public static final int NO_MEMORY = -40;

    /** The operating system gave no random bytes. */
    public static final int ENTROPY = -41;

    /** This build, version or method cannot do what was asked. */
    public static final int UNSUPPORTED = -42;

    /** Computed from private records and not released. */
    public static final int NOT_RELEASABLE = -60;

    /** The privacy budget does not cover the call. */
    public static final int BUDGET = -61;

    /** A defect of the library; please report it. */
    public static final int INTERNAL = -90;

    private static final long serialVersionUID = 1L;

    /** The code, as {@link #code()} returns it. */
    private final int code;

    DpaException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** Called by the native glue. */
    static DpaException of(int code, byte[] message) {
        return new DpaException(code, new String(message, StandardCharsets.UTF_8));
    }

    /**
     * What kind of mistake it was.
     *
     * @return one of the constants of this class; treat unknown codes as errors
     */
    public int code() {
        return code;
    }
}
