package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Expected failures. */
final class Failures {
    private Failures() {}

    /** The call throws DpaException with that code and a message that has these words. */
    static void assertCode(int code, Executable call, String... words) {
        DpaException e = assertThrows(DpaException.class, call);
        assertEquals(code, e.code(), e.getMessage());
        for (String word : words) assertTrue(e.getMessage().contains(word), e.getMessage());
    }
}
