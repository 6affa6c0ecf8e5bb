package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void everyOptionIsListedAndReadsItsDefaultBack() {
        Set<String> names = new HashSet<>();
        for (Option option : Options.all()) {
            assertTrue(names.add(option.name()), option.name());
            assertTrue(
                    Set.of("real", "integer", "boolean", "choice", "vector")
                            .contains(option.type()));
            assertTrue(!option.doc().isEmpty() && !option.values().isEmpty(), option.name());
            String preset = new Options().get(option.name());
            assertEquals(preset, new Options().parse(option.name(), preset).get(option.name()));
        }
        assertTrue(names.contains("epsilon") && names.contains("alpha"));
    }

    @Test
    void valuesAreCheckedWhenTheyAreSet() {
        Options options = new Options().set("alpha", 0.25);
        assertCode(DpaException.OPTION, () -> options.set("alpha", 1.5), "alpha", "[0, 1]", "1.5");
        assertCode(DpaException.OPTION, () -> options.set("alpha", Double.NaN), "nan");
        assertCode(DpaException.OPTION_NAME, () -> options.set("alfa", 0.5), "alfa");
        assertCode(DpaException.OPTION_TYPE, () -> options.set("alpha", true));
        assertCode(DpaException.OPTION_TYPE, () -> options.set("intercept", 2));
        assertCode(DpaException.OPTION_TYPE, () -> options.set("intercept", 0.5));
        assertCode(DpaException.OPTION_TYPE, () -> options.set("iterations", 2.5));
        assertCode(DpaException.OPTION, () -> options.set("loss", "cubic"), "cubic");
        assertEquals("0.25", options.get("alpha"));
        assertEquals("1", options.set("alpha", 1).get("alpha"));
        assertEquals("auto", options.set("alpha", "auto").get("alpha"));
        assertEquals("false", options.set("intercept", false).get("intercept"));
        assertEquals("whiten", options.parse("preprocess", "whiten").get("preprocess"));
        assertEquals("0.1", options.set("alpha", 0.1).get("alpha"));
        assertEquals("auto", options.reset().get("alpha"));
    }

    /** In UTF-8, not in the one of JNI, which has pairs of three bytes and a zero of two. */
    @Test
    void textTravelsInAnyLetters() {
        Options options = new Options();
        for (String text : List.of("\u00e4", "\u4e2d\u6587", "\ud83d\ude00")) {
            assertCode(DpaException.OPTION_NAME, () -> options.set(text, 0.5), '"' + text + '"');
            assertCode(DpaException.OPTION, () -> options.set("loss", text), '"' + text + '"');
            assertCode(DpaException.OPTION_NAME, () -> options.get(text), '"' + text + '"');
        }
        int code = DpaException.INVALID_ARGUMENT;
        assertCode(code, () -> options.set("alpha\0", 0.5), "name", "NUL");
        assertCode(code, () -> options.set("loss", "squared\0"), "text", "NUL");
        assertCode(code, () -> options.parse("loss", "\0"), "text", "NUL");
        assertCode(code, () -> options.set(null, 0.5), "name");
    }

    @Test
    void copiesAreIndependent() {
        Options options = new Options().set("alpha", 0.25);
        Options copy = new Options(options).set("alpha", 0.75);
        assertEquals("0.25", options.get("alpha"));
        assertEquals("0.75", copy.get("alpha"));
    }

    @Test
    void optionsReachTheFit() {
        Options options =
                Data.notPrivate().set("alpha", 0.3).set("kappa_1", 2).set("radius", 1.5);
        try (Problem problem = Data.small();
                Solution solution = problem.solve(options)) {
            for (String name : Solution.settingNames())
                assertFalse(Double.isNaN(solution.setting(name)), name);
            assertEquals(0.3, solution.setting("alpha"));
            assertEquals(2, solution.setting("kappa_1"));
            assertEquals(1.5, solution.setting("radius"));
        }
    }

    @Test
    void longMessagesAreCutBetweenOrWithinLetters() {
        for (int length = 900; length < 1040; length++) {
            String name = "\u20ac".repeat(length / 3) + "x".repeat(length % 3);
            DpaException e =
                    assertThrows(DpaException.class, () -> new Options().set(name, 1.0));
            assertEquals(DpaException.OPTION_NAME, e.code());
            assertTrue(e.getMessage().endsWith("\u20ac...\"") && e.getMessage().length() < 200);
        }
    }
}
