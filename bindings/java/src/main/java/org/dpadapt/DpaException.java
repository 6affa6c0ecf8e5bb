package org.dpadapt;

import java.nio.charset.StandardCharsets;

/**
 * What every failing call of this package throws: a code and one line of text. Mistakes that a
 * program may want to catch have classes of their own.
 */
public sealed class DpaException extends RuntimeException
        permits BudgetException, CancelledException, InputException, StateException {
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

    /** The codes, for {@code switch}. */
    public enum Code {
        /** Null, an unsuitable buffer, a malformed argument. */
        INVALID_ARGUMENT(DpaException.INVALID_ARGUMENT),
        /** Sizes that do not fit together. */
        DIMENSION(DpaException.DIMENSION),
        /** NaN or infinity in public data; rows count from 0. */
        NONFINITE(DpaException.NONFINITE),
        /** An option out of bounds, or options that contradict each other. */
        OPTION(DpaException.OPTION),
        /** Called too early, or while another call uses the problem. */
        STATE(DpaException.STATE),
        /** Bytes that are not a saved solution, or are damaged. */
        FORMAT(DpaException.FORMAT),
        /** A buffer that is too small: never thrown, as this package makes its own. */
        BUFFER(DpaException.BUFFER),
        /** A closed object. */
        HANDLE(DpaException.HANDLE),
        /** Zero rows or zero columns. */
        EMPTY(DpaException.EMPTY),
        /** A distance between rows that is smaller than a row. */
        STRIDE(DpaException.STRIDE),
        /** 2^31 rows or columns, or another size beyond all bounds. */
        OVERFLOW(DpaException.OVERFLOW),
        /** No option, method or setting of this name. */
        OPTION_NAME(DpaException.OPTION_NAME),
        /** The option takes values of another type. */
        OPTION_TYPE(DpaException.OPTION_TYPE),
        /** A public label that is invalid for the loss; rows count from 0. */
        LABEL(DpaException.LABEL),
        /** A factorisation failed or numbers overflowed. */
        NUMERICAL(DpaException.NUMERICAL),
        /** A {@link CancelToken} stopped the call. */
        CANCELLED(DpaException.CANCELLED),
        /** A callback misbehaved. */
        CALLBACK(DpaException.CALLBACK),
        /** A ledger could not be read or stored; nothing else was read. */
        STORE(DpaException.STORE),
        /** Memory exhausted. */
        NO_MEMORY(DpaException.NO_MEMORY),
        /** The operating system gave no random bytes. */
        ENTROPY(DpaException.ENTROPY),
        /** This build, version or method cannot do what was asked. */
        UNSUPPORTED(DpaException.UNSUPPORTED),
        /** Computed from private records and not released. */
        NOT_RELEASABLE(DpaException.NOT_RELEASABLE),
        /** The privacy budget does not cover the call. */
        BUDGET(DpaException.BUDGET),
        /** A defect of the library; please report it. */
        INTERNAL(DpaException.INTERNAL),
        /** A code that this version does not know. */
        UNKNOWN(0);

        private final int number;

        Code(int number) {
            this.number = number;
        }

        private static Code of(int number) {
            for (Code code : values()) if (code.number == number) return code;
            return UNKNOWN;
        }
    }

    private static final long serialVersionUID = 1L;

    /** The code, as {@link #code()} returns it. */
    private final int code;

    DpaException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** The exception of the code's own class. */
    static DpaException make(int code, String message) {
        if (code == BUDGET) return new BudgetException(message);
        if (code == CANCELLED) return new CancelledException(message);
        if (code == STATE || code == HANDLE) return new StateException(code, message);
        boolean input = code <= INVALID_ARGUMENT && code >= LABEL;
        return input ? new InputException(code, message) : new DpaException(code, message);
    }

    /** Called by the native glue. */
    static DpaException of(int code, byte[] message) {
        return make(code, new String(message, StandardCharsets.UTF_8));
    }

    /**
     * What kind of mistake it was, for {@code switch}.
     *
     * @return the code
     */
    public Code kind() {
        return Code.of(code);
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
