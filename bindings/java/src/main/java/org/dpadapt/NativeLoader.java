package org.dpadapt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads the native library: from the file or folder that the system property
 * {@code dpadapt.native.path} names, else from the jar. Where that fails, every use says why.
 */
final class NativeLoader {
    static final String PROPERTY = "dpadapt.native.path";

    private static final String NAME = System.mapLibraryName("dpadapt_java");

    /** The file beside the library that lists what must be loaded before it. */
    private static final String LIST = "libraries";

    /** Why there is no library; null if there is one. */
    private static final String FAILURE = load();

    private NativeLoader() {}

    /** Comes before every call of the library. */
    static void require() {
        if (FAILURE != null) throw new UnsatisfiedLinkError(FAILURE);
    }

    private static String load() {
        String platform = NativePlatform.here();
        String override = System.getProperty(PROPERTY, "");
        try {
            if (override.isBlank()) loadResources(folderOf(platform));
            else loadFile(override);
            return null;
        } catch (UnsatisfiedLinkError e) {
            return "dpadapt: no native library "
                    + NAME
                    + " for "
                    + platform
                    + ": "
                    + e.getMessage();
        }
    }

    private static String folderOf(String platform) {
        return "native/" + platform + "/";
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
        for (String name : neededBy(file)) linkOnce(file.resolveSibling(name));
        if (!linkOnce(file)) linkCopy(file);
        checkVersion(file);
    }

    private static List<String> neededBy(Path file) {
        try (InputStream list = Files.newInputStream(file.resolveSibling(LIST))) {
            return NativeFiles.needed(list);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** False: the file belongs to another class loader of the process; a copy is another file. */
    private static boolean linkOnce(Path file) {
        try {
            link(file);
            return true;
        } catch (UnsatisfiedLinkError e) {
            if (!e.getMessage().contains("already loaded in another classloader")) throw e;
            return false;
        }
    }

    private static void linkCopy(Path file) {
        try (InputStream library = Files.newInputStream(file);
                NativeFiles files = new NativeFiles()) {
            link(files.unpack(library, NAME));
        } catch (IOException e) {
            throw notUnpacked(e);
        }
    }

    private static void loadResources(String folder) {
        if (!NativeFiles.has(folder + NAME))
            throw failure(
                    "this jar has " + there() + "; build it here and name it by the property "
                            + PROPERTY);
        try (InputStream list = NativeFiles.open(folder + LIST);
                NativeFiles files = new NativeFiles()) {
            List<String> needed = NativeFiles.needed(list);
            List<Path> libraries = new ArrayList<>();
            for (String name : needed) libraries.add(unpack(files, folder, name));
            Path library = unpack(files, folder, NAME);
            libraries.forEach(NativeLoader::link);
            link(library);
            checkVersion(library);
        } catch (IOException e) {
            throw notUnpacked(e);
        }
    }

    private static Path unpack(NativeFiles files, String folder, String name) throws IOException {
        try (InputStream content = NativeFiles.open(folder + name)) {
            if (content == null) throw failure("this jar has no " + folder + name);
            return files.unpack(content, name);
        }
    }

    /** What platforms the jar has a library for. */
    private static String there() {
        List<String> names =
                NativePlatform.ALL.stream().filter(NativeLoader::hasLibraryFor).toList();
        return names.isEmpty() ? "none" : "those for " + String.join(", ", names);
    }

    private static boolean hasLibraryFor(String platform) {
        String name =
                platform.startsWith("windows-")
                        ? "dpadapt_java.dll"
                        : platform.startsWith("macos-")
                                ? "libdpadapt_java.dylib"
                                : "libdpadapt_java.so";
        return NativeFiles.has(folderOf(platform) + name);
    }

    private static UnsatisfiedLinkError notUnpacked(IOException e) {
        return failure(
                "cannot unpack it into " + System.getProperty("java.io.tmpdir") + ": " + e);
    }

    private static void link(Path file) {
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw failure(e.getMessage() + remedy(e.getMessage()));
        }
    }

    private static void checkVersion(Path file) {
        String version = versionOf(file);
        if (!version.equals(Native.VERSION))
            throw failure(
                    file + " has the version " + version + ", but these classes are of version "
                            + Native.VERSION);
    }

    /** By the words of the dynamic linker of Linux; those of others speak for themselves. */
    private static String remedy(String message) {
        if (message.contains("cannot open shared object file"))
            return "; it needs that library (OpenBLAS and libsodium are Debian's packages"
                    + " libopenblas0 and libsodium23)";
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
