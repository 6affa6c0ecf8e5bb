package org.dpadapt;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Names and cells of a CSV file, plain or gzip, by the rules of the command for private files. The
 * first line that is not blank is the header. Every line below it is a record; lines end by LF or
 * CRLF, and an LF at the end begins no other. Quotes count within a line, so that no record reaches
 * into another one.
 */
final class CsvFile {
    private static final String DECIMAL_COMMA = "[-+]?(\\d+,\\d*|,\\d+)([eE][-+]?\\d+)?";

    private final char separator;
    private final List<String> names;
    private final String[][] columns;

    private CsvFile(String header, List<String> lines) {
        separator = separator(header);
        names = new ArrayList<>();
        if (header.indexOf('\r') >= 0 || !split(header, names))
            throw DpaException.make(
                    DpaException.FORMAT, "the header has a CR, or a quote that is misplaced");
        if (names.contains(""))
            throw DpaException.make(DpaException.FORMAT, "a column of the header has no name");
        columns = new String[names.size()][lines.size()];
        for (int row = 0; row < lines.size(); row++) {
            List<String> cells = new ArrayList<>();
            if (lines.get(row) != null) split(lines.get(row), cells);
            if (cells.size() != names.size()) continue;
            for (int k = 0; k < names.size(); k++) columns[k][row] = value(cells.get(k), separator);
        }
    }

    static CsvFile read(Path file) throws IOException {
        // A quarter is left for what the program holds already.
        List<String> lines = CsvLines.read(file, Runtime.getRuntime().maxMemory() / 4 * 3);
        return new CsvFile(lines.get(0), lines.subList(1, lines.size()));
    }

    int rows() {
        return columns[0].length;
    }

    List<String> names() {
        return names;
    }

    /** Null where a line is no record. */
    String[] column(int index) {
        return columns[index];
    }

    /** The one of the three that the header has most of, outside quotes. */
    static char separator(String header) {
        char best = ',';
        for (char one : new char[] {';', '\t'})
            if (count(header, one) > count(header, best)) best = one;
        return best;
    }

    private static int count(String text, char separator) {
        boolean quoted = false;
        int found = 0;
        for (char letter : text.toCharArray()) {
            if (letter == '"') quoted = !quoted;
            if (letter == separator && !quoted) found++;
        }
        return found;
    }

    static String value(String cell, char separator) {
        boolean isNumber = separator != ',' && cell.matches(DECIMAL_COMMA);
        return isNumber ? cell.replace(',', '.') : cell;
    }

    private static boolean isBlank(char letter) {
        return letter == ' ' || letter == '\t';
    }

    static String withoutBlanks(String text) {
        int begin = 0;
        int end = text.length();
        while (begin < end && isBlank(text.charAt(begin))) begin++;
        while (end > begin && isBlank(text.charAt(end - 1))) end--;
        return text.substring(begin, end);
    }

    /**
     * Adds the cells of a line. A cell in quotes may hold separators, and a doubled quote for one;
     * a quote that does not stand like this is a letter like any other.
     *
     * @return whether there is no such letter
     */
    private boolean split(String line, List<String> cells) {
        boolean proper = true;
        int at = 0;
        do {
            StringBuilder text = new StringBuilder();
            int end = quotedEnd(line, at, text);
            if (end >= 0) {
                cells.add(text.toString());
            } else {
                end = line.indexOf(separator, at);
                if (end < 0) end = line.length();
                cells.add(withoutBlanks(line.substring(at, end)));
                proper &= cells.get(cells.size() - 1).indexOf('"') < 0;
            }
            at = end + 1; // behind the separator
        } while (at <= line.length());
        return proper;
    }

    /** Where a cell in quotes ends: at a separator or at the end of the line; -1 for no such. */
    private int quotedEnd(String line, int begin, StringBuilder text) {
        int at = skipBlanks(line, begin);
        if (at == line.length() || line.charAt(at) != '"') return -1;
        for (at++; at < line.length(); at++) {
            if (line.charAt(at) == '"' && !line.startsWith("\"\"", at)) break;
            if (line.charAt(at) == '"') at++;
            text.append(line.charAt(at));
        }
        if (at == line.length()) return -1;
        at = skipBlanks(line, at + 1);
        return at == line.length() || line.charAt(at) == separator ? at : -1;
    }

    /** A tab may be the separator itself. */
    private int skipBlanks(String line, int at) {
        while (at < line.length() && line.charAt(at) != separator && isBlank(line.charAt(at))) at++;
        return at;
    }
}
