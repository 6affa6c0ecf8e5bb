package org.dpadapt;

/**
 * Memory outside the heap, which the garbage collector does not see. When what is held has doubled
 * since it was least, and by 256 MB at least, a collection is asked for, as the virtual machine does
 * it for direct buffers: objects that were forgotten instead of closed are found before memory ends.
 */
final class OutsideMemory {
    /** What a handle needs besides data, roughly. */
    static final long HANDLE = 4096;

    private static final long STEP = 256L << 20;
    private static long held;
    private static long least;

    private OutsideMemory() {}

    static void taken(long bytes) {
        if (isMuch(bytes)) System.gc();
    }

    private static synchronized boolean isMuch(long bytes) {
        held += bytes;
        if (held - least < Math.max(STEP, least)) return false;
        least = held;
        return true;
    }

    static synchronized void released(long bytes) {
        held -= bytes;
        least = Math.min(least, held);
    }
}
