package org.dpadapt;

/**
 * Stops running calls, from any thread: those whose {@link Options#cancel options name it} throw
 * {@link DpaException#CANCELLED}. It stays set: calls that may run need another token.
 */
public final class CancelToken implements AutoCloseable {
    final Handle handle =
            new Handle("cancel token", Native::dpa_cancel_destroy, Native::dpa_cancel_create);

    /** Creates a token that stops nothing yet. */
    public CancelToken() {}

    /** Asks the calls that use this token to stop, and those that will use it. */
    public void cancel() {
        handle.run(Native::dpa_cancel_request);
    }

    /** Nothing but the type: a token does not tell whether it was used. */
    @Override
    public String toString() {
        return "CancelToken";
    }

    /** Releases the token; calls that are running keep it until they return. */
    @Override
    public void close() {
        handle.close();
    }
}
