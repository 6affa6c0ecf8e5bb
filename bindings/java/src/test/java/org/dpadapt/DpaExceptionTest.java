package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers that are written in C as well. */
class DpaExceptionTest {
    @Test
    void codesAreThoseOfTheLibrary() throws Exception {
        Set<Integer> codes = new HashSet<>();
        for (Field field : DpaException.class.getFields()) {
            int code = field.getInt(null);
            assertEquals("DPA_E_" + field.getName(), Native.dpa_status_string(code));
            assertTrue(codes.add(code));
        }
        for (int code = -1; code > -200; code--)
            if (!codes.contains(code))
                assertEquals("unknown status", Native.dpa_status_string(code));
    }

    @Test
    void theLibraryKnowsItself() {
        assertEquals(System.getProperty("dpadapt.version"), Dpadapt.version());
        assertTrue(Dpadapt.buildInfo().startsWith("{"));
    }
}
