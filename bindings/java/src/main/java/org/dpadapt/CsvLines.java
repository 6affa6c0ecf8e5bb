package org.dpadapt;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The lines of a file, plain or gzip, which may unfold to any size: a line beyond the longest is
 * dropped while it is read, and lines whose cells would not fit into the heap are refused before
 * they fill it. How strongly the file is packed is no reason, since its rows may be private.
 */
final class CsvLines {
    private static final int LONGEST = 1 << 23; // bytes, as for the command
    private static final int BUFFER = 1 << 16;
    private static final int REFERENCE = 8;
    private static final int TEXT = 48; // a text besides its letters

    private final long most;
    private final List<String> lines = new ArrayList<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isFirst = true;
    private boolean isTooLong;
    private long columns = 1;
    private long total;
    private boolean hasHeader;

    private CsvLines(long most) {
        this.most = most;
    }

    /**
     * The header, which is the first line that is not blank, and the lines below it; null stands
     * for one that is too long.
     *
     * @param most bytes of the heap that they and their cells may take
     */
    static List<String> read(Path file, long most) throws IOException {
        CsvLines all = new CsvLines(most);
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            raw.mark(2);
            boolean isGzip = raw.read() == 0x1f && raw.read() == 0x8b;
            raw.reset();
            all.read(isGzip ? new GZIPInputStream(raw) : raw);
        }
        if (!all.hasHeader) throw DpaException.make(DpaException.EMPTY, "the file is empty");
        return all.lines;
    }

    private void read(InputStream bytes) throws IOException {
        byte[] buffer = new byte[BUFFER];
        boolean isOpen = false; // a line without LF
        for (int count = bytes.read(buffer); count >= 0; count = bytes.read(buffer)) {
            int begin = 0;
            for (int at = 0; at < count; at++) {
                if (buffer[at] != '\n') continue;
                append(buffer, begin, at);
                end();
                begin = at + 1;
            }
            append(buffer, begin, count);
            isOpen = count == 0 ? isOpen : begin < count;
        }
        if (isOpen) end();
    }

    private void append(byte[] buffer, int begin, int end) {
        isTooLong |= line.size() + (end - begin) > LONGEST;
        if (isTooLong) line.reset();
        else line.write(buffer, begin, end - begin);
    }

    private void end() {
        String text = line.toString(StandardCharsets.UTF_8);
        if (isFirst && text.startsWith("\uFEFF")) text = text.substring(1);
        isFirst = false;
        if (text.endsWith("\r")) text = text.substring(0, text.length() - 1);
        total += memory(line.size());
        line.reset();
        if (!hasHeader) {
            if (isTooLong)
                throw DpaException.make(DpaException.FORMAT, "the header is longer than 8 MiB");
            if (CsvFile.withoutBlanks(text).isEmpty()) return;
            hasHeader = true;
            columns += text.chars().filter(CsvLines::separates).count();
        }
        lines.add(isTooLong ? null : text);
        isTooLong = false;
        if (total > most)
            throw DpaException.make(
                    DpaException.NO_MEMORY,
                    "the file unfolds to more than fits into the heap: give it more by -Xmx");
    }

    /** A line and its cells; each but the last has a separator, and a letter or no text. */
    private long memory(int letters) {
        long texts = 1 + Math.min(columns, letters / 2 + 1);
        return 2L * letters + texts * TEXT + (1 + columns) * REFERENCE;
    }

    private static boolean separates(int letter) {
        return letter == ',' || letter == ';' || letter == '\t';
    }
}
