package org.dpadapt;

/** Hears now and then from a long call, on the thread that made the call. */
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
