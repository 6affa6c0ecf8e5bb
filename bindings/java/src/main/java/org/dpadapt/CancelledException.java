package org.dpadapt;

/** A {@link CancelToken} or a listener stopped the call. */
public final class CancelledException extends DpaException {
    private static final long serialVersionUID = 1L;

    CancelledException(String message) {
        super(CANCELLED, message);
    }
}
