package org.dpadapt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Names and cells of a CSV file. Quotes count within a line, so that no record reaches into another
 * one.
 */
final class CsvFile {
    private static final String DECIMAL_COMMA = "[-+]?\\d*,\\d+([eE][-+]?\\d+)?";

    private final char separator;
    private final List<String> names;
    private final String[][] columns;

    private CsvFile(List<String> lines) {
        String header = lines.isEmpty() ? "" : lines.get(0);
        separator = separator(header);
        names = cells(header);
        columns = new String[names.size()][Math.max(lines.size() - 1, 0)];
        for (int row = 1; row < lines.size(); row++) {
            List<String> cells = cells(lines.get(row));
            if (cells.size() != names.size()) continue;
            for (int k = 0; k < names.size(); k++) columns[k][row - 1] = value(cells.get(k));
        }
    }

    static CsvFile read(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        if (text.startsWith("\uFEFF")) text = text.substring(1);
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        if (lines.get(lines.size() - 1).isEmpty()) lines.remove(lines.size() - 1);
        lines.replaceAll(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
        return new CsvFile(lines);
    }

    int rows() {
        return columns.length == 0 ? 0 : columns[0].length;
    }

    List<String> names() {
        return names;
    }

    /** Null where a line is no record. */
    String[] column(int index) {
        return columns[index];
    }

    /** The one of the three that the header has most of. */
    private static char separator(String header) {
        char best = ',';
        for (char one : new char[] {';', '\t'})
            if (count(header, one) > count(header, best)) best = one;
        return best;
    }

    private static long count(String text, char letter) {
        return text.chars().filter(one -> one == letter).count();
    }

    private String value(String cell) {
        boolean isNumber = separator != ',' && cell.matches(DECIMAL_COMMA);
        return isNumber ? cell.replace(',', '.') : cell;
    }

    private List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int k = 0; k < line.length(); k++) {
            char letter = line.charAt(k);
            boolean again = k + 1 < line.length() && line.charAt(k + 1) == '"';
            if (quoted && letter == '"' && again) cell.append(line.charAt(++k));
            else if (letter == '"' && (quoted || cell.isEmpty())) quoted = !quoted;
            else if (letter == separator && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else cell.append(letter);
        }
        cells.add(cell.toString());
        return cells;
    }
}
