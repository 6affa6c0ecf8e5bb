package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where memory outside the heap ends, a call says so: it does not return as if it had worked. */
class NoMemoryTest {
    private static final String PRELOAD = System.getProperty("dpadapt.no_malloc", "");

    /** Length of an array that no copy is made of, in bytes; nothing else is as large. */
    private static final int BYTES = 12_000_000;

    @Test
    void callsSaySo() throws Exception {
        assumeTrue(!PRELOAD.isEmpty(), "no library to preload");
        Map<String, String> environment =
                Map.of("LD_PRELOAD", PRELOAD, "NO_MALLOC", String.valueOf(BYTES));
        assertEquals(
                "input -40\noutput -40\nsample -40\nlabels -40\nbytes -40\n"
                        + "request -40\nname -40\nvalue -40\naxis -40\ncolumn -40\n",
                Processes.run(environment, Main.class, ""));
    }

    /** Calls with one argument of that length each. */
    public static final class Main {
        private Main() {}

        /** Prints the code that each failed with. */
        public static void main(String[] arguments) {
            int numbers = BYTES / Double.BYTES;
            double[] many = new double[numbers];
            DoubleBuffer rows =
                    ByteBuffer.allocateDirect(2 * BYTES)
                            .order(ByteOrder.nativeOrder())
                            .asDoubleBuffer();
            String text = " ".repeat(BYTES);
            try (Problem problem = Data.small();
                    Solution solution = problem.solve(Data.notPrivate());
                    Search search = new Search()) {
                failure("input", () -> solution.predict(many));
                failure("output", () -> solution.predict(rows));
                failure("sample", () -> problem.target(many, 2, new double[numbers / 2]));
                failure("labels", () -> problem.target(new double[2 * numbers], 2, many));
                byte[] saved = solution.toBytes();
                failure("bytes", () -> Solution.fromBytes(Arrays.copyOf(saved, BYTES)));
                failure("request", () -> new Partial(new byte[BYTES]));
                failure("name", () -> new Options().set(text, 1));
                failure("value", () -> new Options().set("private_domain", "both" + text));
                failure("axis", () -> search.axis("alpha", "0.5" + text));
                failure("column", () -> new Table(1).texts("x", text.substring(1)));
            }
        }

        private static void failure(String what, Runnable call) {
            int code = 0;
            try {
                call.run();
            } catch (DpaException e) {
                code = e.code();
            }
            System.out.println(what + " " + code);
        }
    }
}
