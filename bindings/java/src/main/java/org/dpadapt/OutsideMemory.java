package org.dpadapt;

/**
 * Memory outside the heap, which the garbage collector does not see. When more is held than a
 * bound, a collection is asked for, so that objects that were forgotten instead of closed are found
 * before memory ends. The bound then is twice what is held: objects that are in use, or closed in
 * time, cost few collections however many there are. It comes down again when the collector finds
 * forgotten ones. They are released by a thread of their own: who asked waits a little for it, as a
 * busy machine would run it too late.
 */
final class OutsideMemory {
    /** That of this process. */
    static final OutsideMemory ALL = new OutsideMemory(System::gc);

    /** What a handle needs besides data, roughly. */
    static final long HANDLE = 4096;

    /** The least bound. */
    static final long LEAST = 256L << 20;

    /** How long one who takes waits for what was forgotten, in milliseconds. */
    private static final long PATIENCE = 200;

    private final Runnable collector;
    private long held;
    private long bound = LEAST;

    OutsideMemory(Runnable collector) {
        this.collector = collector;
    }

    void taken(long bytes) {
        if (!isTooMuch(bytes)) return;
        collector.run();
        awaitRelease();
    }

    /** Until half of what was held is released, which takes no longer than the patience. */
    private synchronized void awaitRelease() {
        long half = bound / 4;
        long end = System.nanoTime() + PATIENCE * 1_000_000;
        try {
            for (long left = PATIENCE; held > half && left > 0; ) {
                wait(left);
                left = (end - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized long held() {
        return held;
    }

    private synchronized boolean isTooMuch(long bytes) {
        held += bytes;
        if (held < bound) return false;
        bound = 2 * held;
        return true;
    }

    /** By whom it was held. */
    synchronized void released(long bytes) {
        held -= bytes;
        notifyAll();
    }

    /** As the collector found nobody who holds it. */
    synchronized void found(long bytes) {
        held -= bytes;
        bound = Math.min(bound, Math.max(LEAST, 2 * held));
        notifyAll();
    }
}
