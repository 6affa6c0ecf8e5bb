package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files that unfold to large ones do not end the virtual machine. */
class CsvLinesTest {
    private static final long ENOUGH = 1 << 20;

    @TempDir Path folder;

    /** The header, as many times the text, and the end, packed. */
    private Path packed(String name, String text, int times, String end) throws IOException {
        Path file = folder.resolve(name);
        byte[] part = text.repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("a,b\n".getBytes(StandardCharsets.UTF_8));
            for (int k = 0; k < times; k++) out.write(part);
            out.write(end.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    @Test
    void aHeapThatIsTooSmallSaysSo() throws Exception {
        Path many = packed("many.csv.gz", "1,2\n", 400, "");
        Path one = packed("one.csv.gz", "x", 2000, "\n3,4\n");
        assertTrue(Files.size(many) < ENOUGH && Files.size(one) < ENOUGH);
        assertEquals(
                "code -40\nrows 2\n",
                Processes.run(
                        Main.class, "", "-Xmx64m", "-Dmany=" + many, "-Done=" + one));
    }

    /** Reads both in a small heap. */
    public static final class Main {
        private Main() {}

        /** Prints how many rows they have, or with which code they are refused. */
        public static void main(String[] arguments) throws IOException {
            for (String name : List.of("many", "one")) {
                try (Table table = Table.readCsv(Path.of(System.getProperty(name)))) {
                    System.out.print("rows " + table.rows() + "\n");
                } catch (DpaException e) {
                    System.out.print("code " + e.code() + "\n");
                }
            }
        }
    }

    @Test
    void aLongLineIsNoRecord() throws IOException {
        Path file = packed("long.csv.gz", "x", 200, "\n3,4");
        List<String> lines = CsvLines.read(file, ENOUGH);
        assertEquals(3, lines.size());
        assertEquals(null, lines.get(1));
        assertEquals("3,4", lines.get(2));
        Path header = folder.resolve("header.csv");
        Files.writeString(header, "x".repeat((1 << 23) + 1) + "\n1\n");
        DpaException refused =
                assertThrows(DpaException.class, () -> CsvLines.read(header, Long.MAX_VALUE));
        assertEquals(DpaException.FORMAT, refused.code());
    }

    @Test
    void linesEndAnywhereInABuffer() throws IOException {
        for (int length : new int[] {65534, 65535, 65536, 65537}) {
            Path file = folder.resolve("lines.csv");
            String line = "y".repeat(length - 4);
            Files.writeString(file, "a,b\n" + line + "\r\n\n1,2\n");
            assertEquals(List.of("a,b", line, "", "1,2"), CsvLines.read(file, ENOUGH));
            Files.writeString(file, "\uFEFF \n\na,b\n" + line);
            assertEquals(List.of("a,b", line), CsvLines.read(file, ENOUGH));
        }
    }
}
