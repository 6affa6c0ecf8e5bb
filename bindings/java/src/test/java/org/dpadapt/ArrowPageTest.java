package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the page that needs Arrow does what the page says. */
class ArrowPageTest {
    private static final Pattern EXAMPLE =
            Pattern.compile(
                    "^```java arrow\n(.*?public class (\\w+).*?)^```$.*?^```text\n(.*?)^```$",
                    Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void theExampleRuns(@TempDir Path folder) throws Exception {
        Matcher found = EXAMPLE.matcher(Files.readString(Path.of("../../docs/java.md")));
        assertTrue(found.find());
        Path source = folder.resolve(found.group(2) + ".java");
        Files.writeString(source, found.group(1));
        Path errors = folder.resolve("errors");
        Process program =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                                "-Duser.language=en",
                                "-cp",
                                System.getProperty("java.class.path"),
                                source.toString())
                        .redirectError(errors.toFile())
                        .start();
        String printed =
                new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, program.waitFor(), Files.readString(errors));
        assertEquals(found.group(3), printed);
    }
}
