package org.dpadapt;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Set;

/** Files that have their old content until the new one is complete and on the disk. */
final class NewFile {
    private static final int MOST_LINKS = 40;
    private static final SecureRandom NAMES = new SecureRandom();
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rw-------");

    private NewFile() {}

    /**
     * Replaces the file's content, through links; pipes and devices are written as they are.
     *
     * @param isPrivate a file that is new is for its owner alone; else the umask tells
     */
    static void write(Path file, byte[] content, boolean isPrivate) throws IOException {
        Path path = withoutLinks(file);
        boolean exists = Files.exists(path);
        if (exists && !Files.isRegularFile(path)) {
            Files.write(path, content);
            return;
        }
        // The folder's permission would be enough to replace a file that is protected.
        if (exists && !Files.isWritable(path)) throw new AccessDeniedException(path.toString());
        Path folder = path.toAbsolutePath().getParent();
        // Not by the file store: a chroot has no table of mounts to find it in.
        boolean isPosix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        Path name = folder.resolve(".dpadapt-" + Long.toHexString(NAMES.nextLong()));
        try {
            fill(name, content, isPosix && (exists || isPrivate));
            if (isPosix) refusePlanted(file, Files.getOwner(name));
            if (exists && isPosix)
                Files.setPosixFilePermissions(name, Files.getPosixFilePermissions(path));
            Files.move(
                    name,
                    path,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(name);
        }
        if (isPosix && Files.isReadable(folder)) flush(folder);
    }

    /** The path with its last part no symbolic link; it need not exist. */
    private static Path withoutLinks(Path path) throws IOException {
        for (int k = 0; k < MOST_LINKS && Files.isSymbolicLink(path); k++)
            path = path.resolveSibling(Files.readSymbolicLink(path));
        return path;
    }

    /**
     * Nobody else may choose by a link, in a folder that all may write to, what is replaced. The
     * kernel sees to it (fs.protected_symlinks), but not for those who read links themselves.
     */
    private static void refusePlanted(Path file, UserPrincipal self) throws IOException {
        Path link = file;
        for (int k = 0; k < MOST_LINKS && Files.isSymbolicLink(link); k++) {
            Path folder = link.toAbsolutePath().getParent();
            UserPrincipal owner = Files.getOwner(link, LinkOption.NOFOLLOW_LINKS);
            if (Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE)
                    && !owner.equals(self)
                    && !owner.equals(Files.getOwner(folder)))
                throw new AccessDeniedException(
                        link.toString(), null, "a link of another user, where all may write");
            link = link.resolveSibling(Files.readSymbolicLink(link));
        }
    }

    private static void fill(Path name, byte[] content, boolean forOwner) throws IOException {
        FileAttribute<?>[] mode =
                forOwner
                        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                        : new FileAttribute<?>[0];
        Set<StandardOpenOption> isNew =
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(name, isNew, mode)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) channel.write(rest);
            channel.force(true);
        }
    }

    /** A new name is on the disk when its folder is. */
    private static void flush(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
