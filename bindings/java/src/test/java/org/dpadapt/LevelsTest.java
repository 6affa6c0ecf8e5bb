package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The cases that all languages share: which level a cell means. */
class LevelsTest {
    private static final Path CASES = Path.of("../../tests/data/levels/cases.csv");
    private static final Options PUBLIC =
            new Options().privateDomain(Options.PrivateDomainChoice.NONE);

    private static Table table(List<String> levels, int... places) {
        return new Table(places.length)
                .texts("level", Arrays.stream(places).mapToObj(levels::get).toArray(String[]::new))
                .numbers("x", IntStream.range(0, places.length).mapToDouble(i -> i % 5).toArray())
                .numbers(
                        "y",
                        IntStream.range(0, places.length)
                                .mapToDouble(i -> 10 * places[i] + i % 5)
                                .toArray());
    }

    private static Table rows(List<String> levels) {
        return table(
                levels,
                IntStream.range(0, levels.size())
                        .flatMap(k -> IntStream.range(0, 20 - k).map(i -> k))
                        .toArray());
    }

    private static Table cell(String cell) {
        Table one = new Table(1).numbers("x", new double[] {0});
        if (!cell.startsWith("<")) return one.texts("level", cell);
        return one.numbers("level", new double[] {cell.equals("<true>") ? 1 : 0})
                .booleans("level");
    }

    @Test
    void cellsMeanWhatTheyMeanInEveryLanguage() throws IOException {
        for (String line : Files.readAllLines(CASES).stream().skip(1).toList()) {
            String[] parts = line.split(",");
            List<String> levels = List.of(parts[1].split("\\|"));
            String means = parts[3];
            int place = levels.indexOf(means);
            try (Table known = rows(levels);
                    Schema schema = Schema.learn(known, "y", null);
                    Table given = cell(parts[2]);
                    Table meant = table(levels, Math.max(place, 0))) {
                if (means.equals("refused")) {
                    assertCode(
                            DpaException.INVALID_ARGUMENT,
                            () -> schema.features(given),
                            "column \"level\" is of booleans");
                    continue;
                }
                assertArrayEquals(schema.features(meant), schema.features(given), line);
                List<String> unfit = schema.inspect(given);
                if (place >= 0) assertEquals(List.of(), unfit, line);
                else
                    assertEquals(
                            List.of(
                                    "level: 1 of 1 row has a level that the schema does not know:"
                                            + " \"" + parts[2] + "\""),
                            unfit,
                            line);
            }
        }
    }

    @Test
    void newLevelsOfAPublicTargetAreCounted() {
        List<String> levels = new ArrayList<>(List.of("A", "B", "C"));
        int[] some = IntStream.range(0, 30).map(i -> i % 3 == 0 ? 2 : 0).toArray();
        try (Table known = rows(levels.subList(0, 2));
                Table other = table(levels, some);
                Schema schema = Schema.learn(known, "y", null);
                Problem problem = new Problem().source(schema, known).target(schema, other);
                Solution told = problem.solve(PUBLIC);
                Solution silent = problem.solve(new Options().epsilon(1).delta(1e-3))) {
            assertEquals(
                    List.of(
                            "(target) level: 10 of 30 rows have a level that the schema does not"
                                    + " know: \"C\""),
                    told.findings());
            assertTrue(silent.findings().stream().noneMatch(line -> line.contains("level")));
        }
    }

    @Test
    void codesWithGapsAreNoClasses() {
        double[] x = IntStream.range(0, 60).mapToDouble(i -> i % 7).toArray();
        double[] y = IntStream.range(0, 60).mapToDouble(i -> 10 + 10 * (i % 3)).toArray();
        Options softmax = new Options(PUBLIC).set("loss", "softmax");
        try (Problem problem = new Problem().source(x, 1, y).target(x, 1, y)) {
            assertCode(
                    DpaException.LABEL,
                    () -> problem.solve(softmax),
                    "no public label is 0, but one is 30");
            problem.solve(softmax.set("classes", 31)).close();
        }
    }

    @Test
    void aCategoryOfTooManyLevelsIsRefusedByName() {
        String[] ids = IntStream.range(0, 3000).mapToObj(i -> "id " + i).toArray(String[]::new);
        double[] y = IntStream.range(0, 3000).mapToDouble(i -> i % 7).toArray();
        try (Table table = new Table(3000).texts("id", ids).numbers("x", y).numbers("y", y)) {
            Schema.learn(table, "y", null).close();
            table.category("id");
            assertCode(
                    DpaException.INVALID_ARGUMENT,
                    () -> Schema.learn(table, "y", null),
                    "\"id\" is no category");
        }
    }
}
