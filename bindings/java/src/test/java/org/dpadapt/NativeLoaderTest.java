package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Loading happens once in a process, so every case is a process. */
class NativeLoaderTest {
    /** Prints the version, or why there is none: both uses of the library say the same. */
    public static final class Main {
        private Main() {}

        /** Loads the library. */
        public static void main(String[] arguments) {
            String first = use(Dpadapt::version);
            String second = use(() -> new Problem().getClass().getName());
            System.out.println(first);
            if (!first.equals(second) && !second.equals("org.dpadapt.Problem"))
                System.out.println("then " + second);
        }

        private static String use(Supplier<String> library) {
            try {
                return library.get();
            } catch (LinkageError e) {
                return e.toString();
            }
        }
    }

    /** The version as three class loaders have it, as applications of one server do. */
    public static final class ManyLoaders {
        private ManyLoaders() {}

        /** Loads the classes three times. */
        public static void main(String[] arguments) throws Exception {
            List<URL> places = new ArrayList<>();
            for (String place : System.getProperty("java.class.path").split(File.pathSeparator))
                places.add(Path.of(place).toUri().toURL());
            for (int k = 0; k < 3; k++) {
                ClassLoader own = new URLClassLoader(places.toArray(new URL[0]), null);
                Class<?> library = own.loadClass("org.dpadapt.Dpadapt");
                System.out.println(library.getMethod("version").invoke(null));
            }
        }
    }

    private static String run(String... properties) throws Exception {
        return Processes.run(Main.class, "", properties);
    }

    private static Path library() throws Exception {
        String name = System.mapLibraryName("dpadapt_java");
        return Path.of(
                NativeLoader.class
                        .getResource("/native/" + NativePlatform.here() + "/" + name)
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
    void everyClassLoaderOfAProcessLoadsWhatThePropertyNames(@TempDir Path folder)
            throws Exception {
        String versions = (Dpadapt.version() + "\n").repeat(3);
        String temporary = "-Djava.io.tmpdir=" + folder;
        assertEquals(
                versions,
                Processes.run(ManyLoaders.class, "", property(library()), temporary));
        assertEquals(versions, Processes.run(ManyLoaders.class, "", temporary));
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void anEmptyPropertyCountsAsNotSet() throws Exception {
        assertEquals(Dpadapt.version() + "\n", run(property("")));
        assertEquals(Dpadapt.version() + "\n", run(property(" ")));
    }

    @Test
    void saysInPlainWordsWhatIsMissing(@TempDir Path folder) throws Exception {
        assertFailure(run(property(folder)), "dpadapt.native.path names", folder.toString());
        Path file = Files.writeString(folder.resolve("library"), "no library");
        String output = assertFailure(run(property(file)), file.toString());
        assertFalse(output.contains("libopenblas0"), output);
        String there = "this jar has those for " + NativePlatform.here() + "; build it here";
        assertFailure(run("-Dos.arch=vax"), "for linux-vax", there);
        assertFailure(run("-Dos.name=Windows 11", "-Dos.arch=aarch64"), "windows-aarch64", there);
        assertFailure(
                run("-Djava.io.tmpdir=" + folder.resolve("nowhere")), "cannot unpack", "nowhere");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesThePackagesOfAMissingLibrary(@TempDir Path folder) throws Exception {
        Path other = changed(folder, "libsodium.so", "libsodjum.so");
        assertFailure(
                run(property(other)), "libsodjum.so", "OpenBLAS and libsodium", "libsodium23");
    }

    @Test
    void refusesAnotherLibrary() throws Exception {
        String name = System.mapLibraryName("prefs");
        Path other = Path.of(System.getProperty("java.home"), "lib", name);
        assumeTrue(Files.exists(other), "no library at hand");
        assertFailure(run(property(other)), other + " is a library, but not ");
    }

    @Test
    void refusesAnotherVersion(@TempDir Path folder) throws Exception {
        String version = Dpadapt.version();
        String another = version.replaceFirst("\\d", "9");
        Path other = changed(folder, version + "\0", another + "\0");
        assertFailure(run(property(other)), "the version " + another, "of version " + version);
    }

    /** Jars that are packed into one, or come before this one, may have files of the same names. */
    @Test
    void nothingOnTheClassPathHidesWhatBelongsToTheClasses(@TempDir Path folder) throws Exception {
        Path library = folder.resolve("native").resolve(NativePlatform.here());
        Files.createDirectories(library);
        Files.writeString(library.resolve(System.mapLibraryName("dpadapt_java")), "another");
        Files.writeString(folder.resolve("native/version"), "99.1.2\n");
        assertEquals(Dpadapt.version() + "\n", Processes.run(Main.class, folder));
    }

    /** The library with another text of the same length. */
    private static Path changed(Path folder, String from, String to) throws Exception {
        String bytes = Files.readString(library(), StandardCharsets.ISO_8859_1);
        assertTrue(bytes.contains(from), from);
        return Files.writeString(
                folder.resolve("other"), bytes.replace(from, to), StandardCharsets.ISO_8859_1);
    }

    /** The first use and the second one say what is wrong. */
    private static String assertFailure(String output, String... words) {
        assertContains(output, "java.lang.UnsatisfiedLinkError: dpadapt: no native library");
        assertContains(output, words);
        assertFalse(output.contains("then "), output);
        return output;
    }

    private static void assertContains(String text, String... words) {
        for (String word : words) assertTrue(text.contains(word), text);
    }
}
