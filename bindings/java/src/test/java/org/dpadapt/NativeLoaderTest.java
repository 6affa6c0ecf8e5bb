package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading happens once in a process, so every case is a process. */
class NativeLoaderTest {
    /** Prints the version. */
    public static final class Main {
        private Main() {}

        /** Loads the library. */
        public static void main(String[] arguments) {
            System.out.println(Dpadapt.version());
        }
    }

    private static String run(String... properties) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(properties));
        command.addAll(
                List.of(
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return output;
    }

    private static Path library() throws Exception {
        String name = System.mapLibraryName("dpadapt_java");
        return Path.of(
                NativeLoader.class
                        .getResource("/native/" + NativeLoader.platform() + "/" + name)
                        .toURI());
    }

    private static String property(Object value) {
        return "-D" + NativeLoader.PROPERTY + "=" + value;
    }

    @Test
    void loadsFromTheJarAndLeavesNothingBehind(@TempDir Path folder) throws Exception {
        assertEquals(Dpadapt.version() + "\n", run("-Djava.io.tmpdir=" + folder));
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void loadsWhatThePropertyNames() throws Exception {
        assertEquals(Dpadapt.version() + "\n", run(property(library())));
        assertEquals(Dpadapt.version() + "\n", run(property(library().getParent())));
    }

    @Test
    void saysInPlainWordsWhatIsMissing(@TempDir Path folder) throws Exception {
        assertContains(run(property(folder)), "dpadapt.native.path names", folder.toString());
        Path file = Files.writeString(folder.resolve("library"), "no library");
        assertContains(run(property(file)), "UnsatisfiedLinkError", file.toString(), "libopenblas0");
        assertContains(run("-Dos.arch=vax"), "for linux-vax", "this jar has none");
        assertContains(
                run("-Djava.io.tmpdir=" + folder.resolve("nowhere")), "cannot unpack", "nowhere");
    }

    private static void assertContains(String text, String... words) {
        for (String word : words) assertTrue(text.contains(word), text);
    }
}
