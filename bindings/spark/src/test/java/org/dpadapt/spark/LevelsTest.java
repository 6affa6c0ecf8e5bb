package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** The cases that all languages share: which level a cell means. */
class LevelsTest {
    private static final Path CASES = Path.of("../../tests/data/levels/cases.csv");
    private static final String NUMBERS = ", x DOUBLE, y DOUBLE";

    private static Dataset<Row> frame(List<Row> rows, String type) {
        return Rows.session()
                .createDataFrame(rows, StructType.fromDDL("level " + type + NUMBERS))
                .coalesce(1);
    }

    private static Dataset<Row> known(List<String> levels) {
        List<Row> rows = new ArrayList<>();
        for (int k = 0; k < levels.size(); k++)
            for (int i = 0; i < 20 - k; i++)
                rows.add(RowFactory.create(levels.get(k), i % 5.0, 10.0 * k + i % 5));
        return frame(rows, "STRING");
    }

    private static DpaEstimator estimator(List<String> levels) {
        return new DpaEstimator()
                .setSource(known(levels))
                .setFeatureCols("level", "x")
                .setLabelCol("y")
                .setOptions(Map.of("epsilon", "2", "delta", "1e-3", "unsafe_seed", "5"));
    }

    private static List<Double> predicted(DpaModel model, List<?> cells, String type) {
        List<Row> rows = new ArrayList<>();
        for (Object cell : cells) rows.add(RowFactory.create(cell, 0.0, 0.0));
        return model.transform(frame(rows, type)).collectAsList().stream()
                .map(row -> row.getDouble(3))
                .toList();
    }

    @Test
    void cellsMeanWhatTheyMeanInEveryLanguage() throws IOException {
        Map<String, List<String[]>> cases = new LinkedHashMap<>();
        for (String line : Files.readAllLines(CASES).stream().skip(1).toList()) {
            String[] parts = line.split(",");
            cases.computeIfAbsent(parts[1], text -> new ArrayList<>()).add(parts);
        }
        for (Map.Entry<String, List<String[]>> each : cases.entrySet()) {
            List<String> levels = List.of(each.getKey().split("\\|"));
            DpaModel model = estimator(levels).fit(known(levels));
            List<Double> first = predicted(model, levels.subList(0, 2), "STRING");
            assertNotEquals(first.get(0), first.get(1));
            for (String type : List.of("STRING", "BOOLEAN")) {
                List<Object> cells = new ArrayList<>();
                List<String> meanings = new ArrayList<>();
                for (String[] parts : each.getValue()) {
                    boolean word = !parts[2].startsWith("<");
                    Object cell = word ? parts[2] : (Object) parts[2].equals("<true>");
                    if (word != type.equals("STRING")) continue;
                    if (parts[3].equals("refused")) {
                        assertRefused(() -> predicted(model, List.of(cell), type));
                        continue;
                    }
                    cells.add(cell);
                    meanings.add(parts[3].equals("unknown") ? levels.get(0) : parts[3]);
                }
                if (cells.isEmpty()) continue;
                assertEquals(
                        predicted(model, meanings, "STRING"),
                        predicted(model, cells, type),
                        cells.toString());
            }
        }
    }

    @Test
    void aTargetOfBooleansThatCanBeNoLevelIsRefused() {
        List<Row> rows = List.of(RowFactory.create(true, 0.0, 0.0));
        assertRefused(() -> estimator(List.of("red", "blue")).fit(frame(rows, "BOOLEAN")));
    }

    private static void assertRefused(org.junit.jupiter.api.function.Executable call) {
        String why = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(why.contains("column \"level\" is of booleans"), why);
    }
}
