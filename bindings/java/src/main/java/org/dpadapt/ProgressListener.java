package org.dpadapt;

/**
 * Is called now and then by a long call, on the thread that made it. A call does not react to
 * {@link Thread#interrupt} by itself; a listener that throws when {@link Thread#interrupted} is
 * true stops it.
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
