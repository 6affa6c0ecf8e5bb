package org.dpadapt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Loads the native library: from the file or folder that the system property
 * {@code dpadapt.native.path} names, else from the jar.
 */
final class NativeLoader {
    static final String PROPERTY = "dpadapt.native.path";
    private static final String NAME = System.mapLibraryName("dpadapt_java");

    private NativeLoader() {}

    static void load() {
        String override = System.getProperty(PROPERTY);
        try {
            if (override != null) loadFile(override);
            else loadResource("/native/" + platform() + "/" + NAME);
        } catch (IOException e) {
            throw failure("cannot unpack it into " + System.getProperty("java.io.tmpdir") + ": " + e);
        }
    }

    /** Such as linux-x86_64; the same words as in CMake's target java-native. */
    static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String family =
                os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : os;
        String arch = System.getProperty("os.arch");
        return family + "-" + (arch.equals("amd64") ? "x86_64" : arch);
    }

    private static void loadFile(String override) {
        Path path = Path.of(override);
        if (Files.isDirectory(path)) path = path.resolve(NAME);
        if (!Files.isRegularFile(path))
            throw failure("the property " + PROPERTY + " names " + path + ", which is no file");
        link(path);
    }

    private static void loadResource(String resource) throws IOException {
        try (InputStream library = NativeLoader.class.getResourceAsStream(resource)) {
            if (library == null)
                throw failure(
                        "this jar has none for this platform (" + resource + "); build it here and"
                                + " name it by the property " + PROPERTY);
            Path folder = Files.createTempDirectory("dpadapt");
            Path file = folder.resolve(NAME);
            try {
                Files.copy(library, file);
                link(file);
            } finally {
                remove(file);
                remove(folder);
            }
        }
    }

    /** Where a loaded library cannot be removed, the virtual machine removes it when it ends. */
    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }

    private static void link(Path file) {
        try {
            System.load(file.toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
            throw failure(
                    e.getMessage() + " (it needs OpenBLAS and libsodium: on Debian the packages"
                            + " libopenblas0 and libsodium23)");
        }
    }

    private static UnsatisfiedLinkError failure(String why) {
        return new UnsatisfiedLinkError(
                "dpadapt: no native library " + NAME + " for " + platform() + ": " + why);
    }
}
