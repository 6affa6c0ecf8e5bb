package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * How often a collection is asked for: by a collector that counts, and finds what was
 * forgotten.
 */
class OutsideMemoryTest {
    private static final long PART = 8L << 20;
    private static final long PARTS = OutsideMemory.LEAST / PART;

    private int collections;
    private long forgotten;
    private final OutsideMemory memory = new OutsideMemory(this::collect);

    private void collect() {
        collections++;
        for (; forgotten > 0; forgotten--) memory.found(PART);
    }

    @Test
    void whatIsClosedInTimeNeedsNoCollector() {
        for (int i = 0; i < 10 * PARTS; i++) {
            memory.taken(PART);
            memory.released(PART);
        }
        assertEquals(0, collections);
    }

    @Test
    void aLargePeakThatComesAgainNeedsItOnce() {
        for (int cycle = 0; cycle < 100; cycle++) {
            for (int i = 0; i < PARTS + 1; i++) memory.taken(PART);
            for (int i = 0; i < PARTS + 1; i++) memory.released(PART);
        }
        assertEquals(1, collections);
        assertEquals(0, memory.held());
    }

    @Test
    void whatIsInUseNeedsItWhenItHasDoubled() {
        for (int i = 0; i < 256 * PARTS; i++) memory.taken(PART);
        assertTrue(collections <= 9, collections + " times");
    }

    @Test
    void whatIsForgottenIsFoundAtTheLeastBound() {
        for (int i = 0; i < 100 * PARTS; i++) {
            forgotten++;
            memory.taken(PART);
            assertTrue(memory.held() <= OutsideMemory.LEAST);
        }
        assertEquals(100, collections);
    }

    /** The cleaner is a thread of its own, which a busy machine runs later. */
    @Test
    void whatIsFoundLaterIsAwaited() {
        AtomicLong lost = new AtomicLong();
        OutsideMemory[] slow = new OutsideMemory[1];
        Runnable clean =
                () -> {
                    for (long parts = lost.getAndSet(0); parts > 0; parts--) slow[0].found(PART);
                };
        Executor later = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
        slow[0] = new OutsideMemory(() -> later.execute(clean));
        for (int i = 0; i < 10 * PARTS; i++) {
            lost.incrementAndGet();
            slow[0].taken(PART);
            assertTrue(slow[0].held() <= OutsideMemory.LEAST);
        }
    }

    @Test
    void theBoundComesDownAgain() {
        for (int i = 0; i < 16 * PARTS; i++) memory.taken(PART);
        for (int i = 0; i < 16 * PARTS; i++) memory.released(PART);
        long most = 0;
        for (int i = 0; i < 100 * PARTS; i++) {
            forgotten++;
            memory.taken(PART);
            if (i >= 50 * PARTS) most = Math.max(most, memory.held());
        }
        assertTrue(most <= OutsideMemory.LEAST, most + " bytes");
    }
}
