package org.dpadapt;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * Names and cells of a CSV file of public rows, by the rules of the command for such files: what is
 * wrong is an error that names file, line and column. Quotes may span lines, and blank lines are no
 * rows. The corpus tests/data/odd_csv is read by both.
 */
final class PublicCsv {
    private static final int LONGEST_CELL = 1 << 20;
    private static final int LONGEST_ROW = 1 << 23;
    private static final int BLOCK = 1 << 16;
    private static final int TEXT = 56; // a text besides its letters, and the reference to it
    private static final long ALWAYS = 1 << 24; // bytes that a packed file may always unfold to
    private static final int MOST_TIMES = 100;

    private enum State {
        ROW_BEGINS,
        CELL_BEGINS,
        CELL,
        QUOTE_ENDS
    }

    private final Path file;
    private final long most;
    private final List<String> names = new ArrayList<>();
    private final List<List<String>> columns = new ArrayList<>();
    private final List<String> row = new ArrayList<>();
    private final ByteArrayOutputStream cell = new ByteArrayOutputStream();
    private byte separator;
    private State state = State.ROW_BEGINS;
    private boolean isQuoted;
    private int blanks; // at the end of the cell
    private boolean isHeader = true;
    private long line = 1;
    private long rowLine = 1;
    private long rowSize;
    private boolean afterCr;
    private long memory;

    private PublicCsv(Path file, long most) {
        this.file = file;
        this.most = most;
    }

    static PublicCsv read(Path file) throws IOException {
        // A quarter is left for what the program holds already.
        PublicCsv csv = new PublicCsv(file, Runtime.getRuntime().maxMemory() / 4 * 3);
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            raw.mark(2);
            boolean isGzip = raw.read() == 0x1f && raw.read() == 0x8b;
            raw.reset();
            csv.read(isGzip ? new GZIPInputStream(raw) : raw, isGzip ? Files.size(file) : 0);
        }
        return csv;
    }

    int rows() {
        return columns.get(0).size();
    }

    List<String> names() {
        return names;
    }

    String[] column(int index) {
        return columns.get(index).toArray(String[]::new);
    }

    /** @param packed bytes of the file if it is packed, else 0. */
    private void read(InputStream bytes, long packed) throws IOException {
        byte[] block = bytes.readNBytes(BLOCK);
        String kind = OddFile.kind(block);
        if (kind != null) throw wrong("is " + kind);
        int begin = OddFile.beginsWith(block, 0xEF, 0xBB, 0xBF) ? 3 : 0;
        separator = (byte) CsvFile.separator(firstLine(block, begin));
        long given = 0;
        while (block.length > 0) {
            for (int k = begin; k < block.length; k++) take(block[k]);
            begin = 0;
            given += block.length;
            if (packed > 0 && given > ALWAYS && given / MOST_TIMES > packed)
                throw wrong(
                        "cannot be read: it unfolds to more than 100 times its size; unpack it"
                                + " yourself if that is meant");
            block = bytes.readNBytes(BLOCK);
        }
        finish();
    }

    private static String firstLine(byte[] block, int begin) {
        while (begin < block.length && (isBlank(block[begin]) || isEnd(block[begin]))) begin++;
        int end = begin;
        while (end < block.length && block[end] != '\n') end++;
        return new String(block, begin, end - begin, StandardCharsets.ISO_8859_1);
    }

    private void finish() {
        if (afterCr) throw loneCr();
        if (state == State.CELL && isQuoted)
            throw at(rowLine, "starts a quoted cell that is never closed");
        if (state != State.ROW_BEGINS) {
            endCell();
            endRow();
        }
        if (names.isEmpty())
            throw DpaException.make(DpaException.EMPTY, file + ": the file is empty");
        if (rows() == 0)
            throw DpaException.make(
                    DpaException.EMPTY, file + ": there are no rows below the header");
    }

    private void take(byte letter) {
        if (afterCr && letter != '\n') throw loneCr();
        rowSize++;
        switch (state) {
            case ROW_BEGINS, CELL_BEGINS -> begin(letter);
            case CELL -> inside(letter);
            default -> behindQuote(letter);
        }
        afterCr = letter == '\r' && state == State.ROW_BEGINS;
        if (letter != '\n') return;
        line++;
        if (state == State.ROW_BEGINS) rowLine = line;
    }

    private void begin(byte letter) {
        if (letter == separator) {
            endCell();
        } else if (isEnd(letter)) {
            if (state == State.CELL_BEGINS) endCell();
            endRow();
        } else if (!isBlank(letter)) {
            state = State.CELL;
            isQuoted = letter == '"';
            if (!isQuoted) put(letter);
        }
    }

    private void inside(byte letter) {
        if (isQuoted) {
            if (letter == '"') state = State.QUOTE_ENDS;
            else put(letter);
        } else if (letter == separator) {
            endCell();
        } else if (isEnd(letter)) {
            endCell();
            endRow();
        } else if (letter == '"') {
            throw misplaced();
        } else {
            blanks = isBlank(letter) ? blanks + 1 : 0;
            put(letter);
        }
    }

    private void behindQuote(byte letter) {
        if (letter == separator) {
            endCell();
        } else if (isEnd(letter)) {
            endCell();
            endRow();
        } else if (isBlank(letter)) {
            blanks++;
        } else if (letter == '"' && blanks == 0) {
            put(letter);
            state = State.CELL;
        } else {
            throw misplaced();
        }
    }

    private void put(byte letter) {
        cell.write(letter);
        if (cell.size() > LONGEST_CELL)
            throw at(rowLine, "has a cell longer than 1 MiB; is a closing quote missing?");
        if (rowSize > LONGEST_ROW) throw at(rowLine, "is longer than 8 MiB");
    }

    private void endCell() {
        byte[] letters = cell.toByteArray();
        int size = letters.length - (isQuoted ? 0 : blanks);
        try {
            row.add(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(letters, 0, size))
                            .toString());
        } catch (CharacterCodingException e) {
            throw here(
                    (isHeader ? "the name" : "the cell")
                            + " is not UTF-8 text (iconv -f LATIN1 -t UTF-8, or -f UTF-16, makes"
                            + " such files)");
        }
        memory += 2L * size + TEXT;
        if (memory > most)
            throw DpaException.make(
                    DpaException.NO_MEMORY,
                    "the file unfolds to more than fits into the heap: give it more by -Xmx");
        cell.reset();
        blanks = 0;
        isQuoted = false;
        state = State.CELL_BEGINS;
    }

    private void endRow() {
        state = State.ROW_BEGINS;
        rowSize = 0;
        if (row.isEmpty()) return;
        if (isHeader) {
            endHeader();
        } else if (row.size() != names.size()) {
            throw at(
                    line,
                    "has " + row.size() + " fields, but the header has " + names.size());
        } else {
            for (int k = 0; k < row.size(); k++)
                columns.get(k).add(CsvFile.value(row.get(k), (char) separator));
        }
        row.clear();
    }

    private void endHeader() {
        Set<String> seen = new HashSet<>();
        for (int k = 0; k < row.size(); k++) {
            if (row.get(k).isEmpty())
                throw at(line, ", column " + (k + 1) + ": the column has no name");
        }
        for (String name : row) {
            if (!seen.add(name)) throw at(line, "names two columns \"" + name + '"');
            names.add(name);
            columns.add(new ArrayList<>());
        }
        isHeader = false;
    }

    private static boolean isBlank(byte letter) {
        return letter == ' ' || letter == '\t';
    }

    private static boolean isEnd(byte letter) {
        return letter == '\n' || letter == '\r';
    }

    private DpaException loneCr() {
        return at(line, "has a CR; lines must end by LF or CRLF");
    }

    private DpaException misplaced() {
        return here("misplaced quote");
    }

    private DpaException here(String reason) {
        int column = row.size();
        boolean named = !isHeader && column < names.size();
        return at(
                line,
                ", column "
                        + (column + 1)
                        + (named ? " (" + names.get(column) + ')' : "")
                        + ": "
                        + reason);
    }

    private DpaException at(long place, String rule) {
        return wrong("line " + place + (rule.startsWith(",") ? "" : " ") + rule);
    }

    private DpaException wrong(String reason) {
        return DpaException.make(DpaException.FORMAT, file + ": " + reason);
    }
}
