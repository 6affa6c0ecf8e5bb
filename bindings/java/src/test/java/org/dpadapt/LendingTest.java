package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import org.junit.jupiter.api.Test;

/**
 * Lending where the stack ends, in a process of its own: classes first needed there stay
 * unusable.
 */
class LendingTest {
    @Test
    void anErrorLeavesWhatIsInUse() throws Exception {
        assertEquals("all kept\n", Processes.run(Main.class, "", "-Xint"));
    }

    /** Many times, each with another room left on the stack. */
    public static final class Main {
        private static final int TIMES = 40;

        private final Problem problem = new Problem();
        private DoubleBuffer buffer;
        private boolean isLent;
        private boolean hasFailed;

        private Main() {}

        /** Prints whether the target that the problem has was kept, whatever lending it threw. */
        public static void main(String[] arguments) throws InterruptedException {
            Main test = new Main();
            test.lend(1); // classes are needed once
            test.step();
            test.problem.targetRows();
            int lost = 0;
            for (int i = 0; i < TIMES; i++) {
                WeakReference<ByteBuffer> memory = test.lend(2 + i);
                int room = i;
                Thread thread = new Thread(null, () -> test.begin(room), "deep", 300_000);
                thread.start();
                thread.join();
                test.buffer = null;
                System.gc();
                if (memory.get() == null) lost++;
            }
            System.out.println(lost == 0 ? "all kept" : lost + " of " + TIMES + " lost");
        }

        private WeakReference<ByteBuffer> lend(int rows) {
            ByteBuffer memory = ByteBuffer.allocateDirect(8 * rows).order(ByteOrder.nativeOrder());
            buffer = memory.asDoubleBuffer();
            isLent = hasFailed = false;
            return new WeakReference<>(memory);
        }

        private void begin(int room) {
            if (room > 0) begin(room - 1);
            else recur();
        }

        private void recur() {
            try {
                recur();
            } catch (StackOverflowError e) {
                // on the way back there is more and more room
            }
            if (!isLent) step();
        }

        /** Lends, unless the last time did in spite of its error. */
        private void step() {
            try {
                if (hasFailed) isLent = problem.targetRows() == buffer.capacity();
                hasFailed = true;
                if (isLent) return;
                problem.lendTarget(buffer, 1, buffer);
                isLent = true;
            } catch (StackOverflowError e) {
                // looked at in the next step
            }
        }
    }
}
