package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the page does what the page says. */
class PageTest {
    private static final Pattern EXAMPLE =
            Pattern.compile(
                    "^```java spark\n(.*?public class (\\w+).*?)^```$.*?^```text\n(.*?)^```$",
                    Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void theExampleRuns(@TempDir Path folder) throws Exception {
        Matcher found = EXAMPLE.matcher(Files.readString(Path.of("../../docs/embedding.md")));
        assertTrue(found.find());
        Path source = folder.resolve(found.group(2) + ".java");
        Files.writeString(source, found.group(1));
        String path = System.getProperty("java.class.path");
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-cp", path, source.toString()));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader classes = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            thread.setContextClassLoader(classes);
            assertEquals(found.group(3), printed(classes.loadClass(found.group(2))));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static String printed(Class<?> program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        try (PrintStream own = new PrintStream(to, true, StandardCharsets.UTF_8)) {
            System.setOut(own);
            program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return to.toString(StandardCharsets.UTF_8);
    }
}
