package org.dpadapt;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.AclEntry;
import java.nio.file.attribute.AclEntryFlag;
import java.nio.file.attribute.AclEntryPermission;
import java.nio.file.attribute.AclEntryType;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Files of the jar in a folder for this user alone, which is removed once they are loaded. */
final class NativeFiles implements AutoCloseable {
    private static final String PREFIX = "dpadapt-native-";

    private final Path folder;
    private final List<Path> files = new ArrayList<>();

    NativeFiles() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        folder = newFolder(temporary).toAbsolutePath();
        if (NativePlatform.isWindows()) removeOld(temporary, Files.getOwner(folder));
    }

    /** Null if there is no such file in the jar. */
    static InputStream open(String resource) {
        try {
            // Of the jar of this class if it can be told, else the first of the class path.
            URL here = NativeFiles.class.getResource("NativeFiles.class");
            URLConnection own = new URL(here, "../../" + resource).openConnection();
            own.setUseCaches(false); // the jar would stay open
            return own.getInputStream();
        } catch (IOException e) {
            return NativeFiles.class.getResourceAsStream("/" + resource);
        }
    }

    static boolean has(String resource) {
        try (InputStream file = open(resource)) {
            return file != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** What must be loaded before the library, first things first; nothing if no list is there. */
    static List<String> needed(InputStream list) throws IOException {
        if (list == null) return List.of();
        String text = new String(list.readAllBytes(), StandardCharsets.UTF_8);
        return text.lines().filter(name -> !name.isBlank()).toList();
    }

    Path unpack(InputStream content, String name) throws IOException {
        Path file = folder.resolve(name);
        files.add(file);
        Files.copy(content, file);
        return file;
    }

    /** Windows keeps a file that is loaded: a later process removes it. */
    @Override
    public void close() {
        files.forEach(NativeFiles::remove);
        remove(folder);
    }

    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit(); // should it be free by then
        }
    }

    /** A name of this process and moment; a folder that is there already is never taken. */
    private static Path newFolder(Path parent) throws IOException {
        for (int count = 0; ; count++) {
            String name = ProcessHandle.current().pid() + "-" + System.nanoTime() + "-" + count;
            try {
                return newFolderForOwner(parent.resolve(PREFIX + name));
            } catch (FileAlreadyExistsException e) {
                continue;
            }
        }
    }

    private static Path newFolderForOwner(Path path) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            FileAttribute<?> mode =
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------"));
            return Files.createDirectory(path, mode);
        }
        Files.createDirectory(path);
        AclFileAttributeView access = Files.getFileAttributeView(path, AclFileAttributeView.class);
        if (access != null) access.setAcl(List.of(everythingForOwner(access)));
        return path;
    }

    private static AclEntry everythingForOwner(AclFileAttributeView access) throws IOException {
        return AclEntry.newBuilder()
                .setType(AclEntryType.ALLOW)
                .setPrincipal(access.getOwner())
                .setPermissions(EnumSet.allOf(AclEntryPermission.class))
                .setFlags(AclEntryFlag.FILE_INHERIT, AclEntryFlag.DIRECTORY_INHERIT)
                .build();
    }

    /** Of processes of this user that have ended; a folder of today may still be filled. */
    private static void removeOld(Path temporary, UserPrincipal user) {
        Instant old = Instant.now().minus(Duration.ofDays(1));
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, PREFIX + "*")) {
            for (Path folder : folders) if (isFolderOf(user, folder, old)) empty(folder);
        } catch (IOException | DirectoryIteratorException e) {
            return; // another process removes them
        }
    }

    /** What others may have put there, such as a link to another folder, is none. */
    private static boolean isFolderOf(UserPrincipal user, Path folder, Instant old)
            throws IOException {
        BasicFileAttributes found =
                Files.readAttributes(
                        folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return found.isDirectory()
                && !found.isOther()
                && found.lastModifiedTime().toInstant().isBefore(old)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user);
    }

    private static void empty(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) Files.delete(file);
        }
        Files.delete(folder);
    }
}
