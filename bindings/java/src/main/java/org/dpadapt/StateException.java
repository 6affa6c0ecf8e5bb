package org.dpadapt;

/** Called too early, on a closed object, or while another call uses it. */
public final class StateException extends DpaException {
    private static final long serialVersionUID = 1L;

    StateException(int code, String message) {
        super(code, message);
    }
}
