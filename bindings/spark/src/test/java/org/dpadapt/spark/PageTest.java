package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the pages do what the pages say. */
class PageTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path EXAMPLE = ROOT.resolve("examples/spark/Stays.java");

    @TempDir Path folder;

    private static Matcher found(String page, String pattern) throws IOException {
        Matcher found =
                Pattern.compile(pattern, Pattern.MULTILINE | Pattern.DOTALL)
                        .matcher(Files.readString(ROOT.resolve(page)));
        assertTrue(found.find());
        return found;
    }

    @Test
    void theExampleRuns() throws Exception {
        Matcher page =
                found(
                        "docs/embedding.md",
                        "^```java spark\n(.*?public class Stays.*?)^```$.*?^```text\n(.*?)^```$");
        assertEquals(page.group(1), Files.readString(EXAMPLE));
        assertEquals(page.group(2), printed("Stays", EXAMPLE));
    }

    /** What the program prints that these files are compiled to. */
    private String printed(String program, Path... sources) throws Exception {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        arguments.addAll(List.of("-d", folder.toString()));
        for (Path source : sources) arguments.add(source.toString());
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, arguments.toArray(String[]::new)));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader classes = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            thread.setContextClassLoader(classes);
            return printed(classes.loadClass(program));
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
