package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The corpus of odd CSV files of public rows, which the command's test odd_csv reads, too. */
class OddCsvTest {
    private static final Path CASES = Path.of("../../tests/data/odd_csv/cases.txt");

    @TempDir Path folder;

    private static byte[] unescaped(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) != '\\') {
                out.write(text.charAt(at));
                continue;
            }
            char what = text.charAt(++at);
            if (what == 'x') {
                out.write(Integer.parseInt(text.substring(at + 1, at + 3), 16));
                at += 2;
            } else {
                out.write(what == 'n' ? '\n' : what == 'r' ? '\r' : '\t');
            }
        }
        return out.toByteArray();
    }

    private static String answer(Path file) throws IOException {
        try {
            PublicCsv csv = PublicCsv.read(file);
            List<String> rows = new ArrayList<>();
            for (int i = 0; i < csv.rows(); i++) {
                List<String> cells = new ArrayList<>();
                for (int k = 0; k < csv.names().size(); k++) cells.add(csv.column(k)[i]);
                rows.add(String.join("|", cells));
            }
            return "rows: " + String.join(" / ", rows);
        } catch (DpaException e) {
            return "error: " + e.getMessage();
        }
    }

    @Test
    void eachFileHasItsRowsOrItsError() throws Exception {
        int seen = 0;
        for (String line : Files.readAllLines(CASES)) {
            if (line.startsWith("#")) continue;
            String[] parts = line.split(" \\|\\| ", -1);
            String wanted = new String(unescaped(parts[2]), StandardCharsets.UTF_8);
            byte[] content = unescaped(parts[1]);
            Path plain = Files.write(folder.resolve("odd.csv"), content);
            Path packed = folder.resolve("odd.csv.gz");
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
                out.write(content);
            }
            for (Path file : List.of(plain, packed)) {
                String got = answer(file);
                if (wanted.startsWith("rows:")) assertEquals(wanted, got, parts[0]);
                else
                    assertTrue(
                            got.startsWith("error:") && got.contains(wanted.substring(7)),
                            parts[0] + ": " + got);
            }
            seen++;
        }
        assertTrue(seen > 35);
    }

    @Test
    void aTableOfThemIsWhatTheCommandReads() throws Exception {
        Path file = folder.resolve("public.csv");
        Files.writeString(file, "a;y\n\"1,5\";1\n\n2;2\n\n");
        try (Table table = Table.readPublicCsv(file)) {
            assertEquals(2, table.rows());
        }
        Files.writeString(file, "a,y\n1,2,3\n");
        DpaException refused = assertThrows(DpaException.class, () -> Table.readPublicCsv(file));
        assertEquals(DpaException.FORMAT, refused.code());
        try (Table table = Table.readCsv(file)) {
            assertEquals(1, table.rows()); // of private rows nothing is said
        }
    }

    @Test
    void whatIsTooLongIsRefused() throws Exception {
        Path file = folder.resolve("long.csv");
        Files.writeString(file, "a,b\n1,\"" + "x".repeat((1 << 20) + 1) + "\n");
        assertTrue(answer(file).contains("line 2 has a cell longer than 1 MiB"), answer(file));
        Files.writeString(file, "a,b\n" + ("y".repeat(1 << 19) + ",").repeat(18) + "\n");
        assertTrue(answer(file).contains("line 2 is longer than 8 MiB"), answer(file));
        Files.write(file, new byte[] {'a', ',', 'b', '\n', '1', ',', (byte) 0xFC, '\n'});
        assertTrue(
                answer(file).contains("line 2, column 2 (b): the cell is not UTF-8"), answer(file));
    }
}
