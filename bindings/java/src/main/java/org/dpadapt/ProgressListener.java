package org.dpadapt;

/**
 * Hears now and then from a long call, on the thread that made the call. A call does not heed {@link
 * Thread#interrupt} by itself; a listener that throws when {@link Thread#interrupted} is true makes
 * it.
 */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Called now and then. What it throws stops the call and comes back from it unchanged; the
     * problem stays usable.
     *
     * @param progress where the call is
     */
    void onProgress(Progress progress);
}
