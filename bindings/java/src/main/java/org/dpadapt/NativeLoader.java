package org.dpadapt;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Loads the native library: from the file or folder that the system property
 * {@code dpadapt.native.path} names, else from the jar. Where that fails, every use says why.
 */
final class NativeLoader {
    static final String PROPERTY = "dpadapt.native.path";

    private static final String NAME = System.mapLibraryName("dpadapt_java");

    /** Why there is no library; null if there is one. */
    private static final String FAILURE = load();

    private NativeLoader() {}

    /** Comes before every call of the library. */
    static void require() {
        if (FAILURE != null) throw new UnsatisfiedLinkError(FAILURE);
    }

    private static String load() {
        String override = System.getProperty(PROPERTY, "");
        try {
            if (override.isBlank()) loadResource("native/" + platform() + "/" + NAME);
            else loadFile(override);
            return null;
        } catch (UnsatisfiedLinkError e) {
            return "dpadapt: no native library "
                    + NAME
                    + " for "
                    + platform()
                    + ": "
                    + e.getMessage();
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
        Path path;
        try {
            path = Path.of(override);
        } catch (InvalidPathException e) {
            throw failure("the property " + PROPERTY + " is no path: " + e.getMessage());
        }
        if (Files.isDirectory(path)) path = path.resolve(NAME);
        if (!Files.isRegularFile(path))
            throw failure("the property " + PROPERTY + " names " + path + ", which is no file");
        Path file = path.toAbsolutePath();
        try {
            link(file);
        } catch (UnsatisfiedLinkError e) {
            // The file belongs to one class loader of the process; a copy is another file.
            if (!e.getMessage().contains("already loaded in another classloader")) throw e;
            linkCopy(file);
        }
    }

    private static void linkCopy(Path file) {
        try (InputStream library = Files.newInputStream(file)) {
            unpack(library);
        } catch (IOException e) {
            throw notUnpacked(e);
        }
    }

    private static void loadResource(String resource) {
        try (InputStream library = open(resource)) {
            if (library == null)
                throw failure(
                        "this jar has none for this platform (" + resource + "); build it here and"
                                + " name it by the property " + PROPERTY);
            unpack(library);
        } catch (IOException e) {
            throw notUnpacked(e);
        }
    }

    private static void unpack(InputStream library) throws IOException {
        Path folder = Files.createTempDirectory("dpadapt");
        Path file = folder.resolve(NAME);
        try {
            Files.copy(library, file);
            link(file.toAbsolutePath());
        } finally {
            remove(file);
            remove(folder);
        }
    }

    private static UnsatisfiedLinkError notUnpacked(IOException e) {
        return failure(
                "cannot unpack it into " + System.getProperty("java.io.tmpdir") + ": " + e);
    }

    /**
     * Of the jar of this class if it can be told, else the first of the class path; null if there
     * is none.
     */
    private static InputStream open(String resource) {
        try {
            URL here = NativeLoader.class.getResource("NativeLoader.class");
            URLConnection own = new URL(here, "../../" + resource).openConnection();
            own.setUseCaches(false); // the jar would stay open
            return own.getInputStream();
        } catch (IOException e) {
            return NativeLoader.class.getResourceAsStream("/" + resource);
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
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw failure(e.getMessage() + remedy(e.getMessage()));
        }
        String version = versionOf(file);
        if (!version.equals(Native.VERSION))
            throw failure(
                    file + " has the version " + version + ", but these classes are of version "
                            + Native.VERSION);
    }

    /** By the words of the dynamic linker of Linux; those of others speak for themselves. */
    private static String remedy(String message) {
        if (message.contains("cannot open shared object file"))
            return "; it needs that library: OpenBLAS and libsodium are Debian's packages"
                    + " libopenblas0 and libsodium23";
        if (message.contains("failed to map segment"))
            return "; its folder may forbid programs: name another one by the property"
                    + " java.io.tmpdir";
        return "";
    }

    private static String versionOf(Path file) {
        try {
            return Check.string(NativeJNI.dpa_version());
        } catch (UnsatisfiedLinkError e) {
            throw failure(file + " is a library, but not " + NAME);
        }
    }

    private static UnsatisfiedLinkError failure(String why) {
        return new UnsatisfiedLinkError(why);
    }
}
