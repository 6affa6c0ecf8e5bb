package org.dpadapt;

/** An argument, an option or public data that the call cannot use. */
public final class InputException extends DpaException {
    private static final long serialVersionUID = 1L;

    InputException(int code, String message) {
        super(code, message);
    }
}
