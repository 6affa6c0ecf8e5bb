package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved is the old file or the new one, and a private one for its owner. */
class NewFileTest {
    @TempDir Path folder;
    private Path model;

    @BeforeEach
    void anOldModel() throws IOException {
        model = folder.resolve("model");
        Files.writeString(model, "old");
    }

    private static Solution open() {
        try (Problem problem = Data.small()) {
            return problem.solve(Data.notPrivate());
        }
    }

    private static Solution secret() {
        try (Problem problem = Data.problem(200, 50, 5, 1)) {
            return problem.solve(
                    new Options().set("epsilon", 1).set("delta", 1e-6).set("alpha", 0.5));
        }
    }

    /** With five features. */
    private static Table numbers() {
        Table table = new Table(20);
        double[] values = new double[20];
        for (String name : List.of("a", "b", "c", "d", "e", "y")) {
            for (int row = 0; row < values.length; row++)
                values[row] = row * (name.charAt(0) - 80) % 11;
            table.numbers(name, values);
        }
        return table;
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private void isPosix() throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "no modes");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aReaderKeepsTheOldFile() throws IOException {
        Path reader = Files.createLink(folder.resolve("reader"), model);
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("model"));
        try (Solution solution = open()) {
            solution.save(link);
            assertEquals("old", Files.readString(reader));
            assertArrayEquals(solution.toBytes(), Files.readAllBytes(model));
            assertTrue(Files.isSymbolicLink(link));
        }
        assertEquals(List.of("link", "model", "reader"), files());
    }

    @Test
    void aPrivateModelIsForItsOwner() throws IOException {
        isPosix();
        Path fresh = folder.resolve("fresh");
        Path text = folder.resolve("model.json");
        try (Solution solution = secret();
                Table table = numbers();
                Schema schema = Schema.learn(table, "y", Data.notPrivate())) {
            solution.save(fresh);
            assertEquals("rw-------", mode(fresh));
            schema.save(solution, text);
            assertEquals("rw-------", mode(text));
            Files.setPosixFilePermissions(model, PosixFilePermissions.fromString("rw-r-----"));
            solution.save(model);
            assertEquals("rw-r-----", mode(model));
            try (Solution read = Solution.load(text)) {
                assertArrayEquals(solution.coefficients(), read.coefficients());
            }
        }
        Path other = Files.createFile(folder.resolve("other"));
        Path open = folder.resolve("open");
        try (Solution solution = open()) {
            solution.save(open);
        }
        assertEquals(mode(other), mode(open)); // by the umask
    }

    @Test
    void noLinkOfAnotherUserIsFollowedWhereAllMayWrite() throws IOException {
        isPosix();
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path link = Files.createSymbolicLink(shared.resolve("link"), model);
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Solution solution = open()) {
            if (Files.getOwner(link).getName().equals("root")) { // who alone can make such a link
                Files.setAttribute(link, "unix:uid", 12345, LinkOption.NOFOLLOW_LINKS);
                assertThrows(IOException.class, () -> solution.save(link));
                assertEquals("old", Files.readString(model));
                Files.setAttribute(link, "unix:uid", 0, LinkOption.NOFOLLOW_LINKS);
            }
            solution.save(link);
            assertArrayEquals(solution.toBytes(), Files.readAllBytes(model));
        }
        assertEquals(List.of("model", "shared"), files());
    }

    @Test
    void aFailureLeavesTheOldFile() throws IOException {
        try (Solution solution = open()) {
            assertThrows(
                    IOException.class, () -> solution.save(folder.resolve("no/folder")));
            Files.createDirectories(folder.resolve("full/of"));
            assertThrows(IOException.class, () -> solution.save(folder.resolve("full")));
        }
        assertEquals("old", Files.readString(model));
        assertEquals(List.of("full", "model"), files());
    }
}
