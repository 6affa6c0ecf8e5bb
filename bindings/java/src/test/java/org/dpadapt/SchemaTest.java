package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.DoubleBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Columns of texts and blanks become features and labels, each record by itself. */
class SchemaTest {
    private static final int ROWS = 60;
    private static final Options LOGISTIC =
            new Options()
                    .loss(Options.LossChoice.LOGISTIC)
                    .privateDomain(Options.PrivateDomainChoice.NONE);

    @TempDir Path folder;

    /** Ages of which some are missing, three colours, answers no and yes. */
    private static Table people() {
        return new Table(ROWS)
                .numbers(
                        "age",
                        IntStream.range(0, ROWS)
                                .mapToDouble(k -> k % 5 == 4 ? Double.NaN : 20 + k * 7 % 31)
                                .toArray())
                .texts("colour", texts("red", "green", "blue"))
                .levels("zone", IntStream.range(0, ROWS).map(k -> k % 2).toArray(), "1", "2")
                .texts("answer", texts("no", "yes", "yes", "no", "no"));
    }

    private static String[] texts(String... words) {
        return IntStream.range(0, ROWS)
                .mapToObj(k -> words[k % words.length])
                .toArray(String[]::new);
    }

    private static Table odd(String age, String colour, String answer) {
        return new Table(3)
                .texts("answer", "no", answer, "yes")
                .texts("unused", null, age, null)
                .texts("zone", "1", null, "7")
                .texts("colour", "GREEN", colour, "red")
                .texts("age", "30", age, " 32 ");
    }

    @Test
    void columnsBecomeFeatures() {
        try (Table table = people(); Schema schema = Schema.learn(table, "answer", LOGISTIC)) {
            assertEquals(
                    List.of("age", "age=(missing)", "colour=green", "colour=red", "zone=2"),
                    schema.featureNames());
            Schema.Rows rows = schema.apply(table);
            assertArrayEquals(new double[] {20, 0, 0, 1, 0}, java.util.Arrays.copyOf(rows.x(), 5));
            assertEquals(-1, rows.y()[0]);
            assertArrayEquals(rows.x(), schema.features(table));
            assertArrayEquals(
                    new String[] {"no", "yes"}, schema.labelTexts(new double[] {-1, 1}));
            assertTrue(schema.describe().contains("zone: category"));
            assertTrue(schema.toString().startsWith("Schema[age, age=(missing)"));
            assertEquals("Table[60 rows, 4 columns]", table.toString());
            assertEquals(ROWS, table.rows());
        }
    }

    @Test
    void oneOddRecordChangesOnlyItsOwn() {
        try (Table table = people();
                Schema schema = Schema.learn(table, "answer", LOGISTIC);
                Table clean = odd("31", "blue", "yes");
                Table strange = odd("4\"5", "gr\0n \uD800 \uD83D\uDE00", "maybe")) {
            Schema.Rows one = schema.apply(clean);
            Schema.Rows other = schema.apply(strange);
            int width = schema.features();
            for (int k = 0; k < width; k++) {
                assertEquals(one.x()[k], other.x()[k]);
                assertEquals(one.x()[2 * width + k], other.x()[2 * width + k]);
            }
            assertEquals(1, other.x()[width + 1]);
            assertEquals(1, one.x()[2], "levels are the same in capital letters");
            assertArrayEquals(new double[] {-1, Double.NaN, 1}, other.y());
        }
    }

    @Test
    void modelsHoldSchemaAndPredictor() throws IOException {
        Path file = folder.resolve("model.json");
        try (Table table = people();
                Schema schema = Schema.learn(table, "answer", LOGISTIC);
                Problem problem = new Problem().source(schema, table).target(schema, table);
                Solution solution = problem.solve(LOGISTIC)) {
            schema.save(solution, file);
            double[] expected = solution.predict(schema.features(table));
            try (Schema again = Schema.load(file); Solution predictor = Solution.load(file)) {
                assertArrayEquals(expected, predictor.predict(again.features(table)));
                assertArrayEquals(schema.toBytes(), again.toBytes());
                assertEquals(Files.readString(file), again.model(predictor) + "\n");
            }
            try (Schema again = Schema.fromBytes(schema.toBytes())) {
                assertEquals(schema.describe(), again.describe());
            }
            byte[] damaged = schema.toBytes();
            damaged[20]++;
            assertCode(DpaException.FORMAT, () -> Schema.fromBytes(damaged));
            byte[] text = "{\"model\": \"A\"}".getBytes(StandardCharsets.UTF_8);
            assertCode(DpaException.FORMAT, () -> Solution.fromBytes(text));
            try (Solution small = Data.small().solve(Data.notPrivate())) {
                assertCode(DpaException.DIMENSION, () -> schema.model(small));
            }
        }
    }

    @Test
    void damagedModelsAreRefusedByMember() throws IOException {
        Path files = Path.of("../../tests/data/models/damaged");
        List<String> cases = Files.readAllLines(files.resolve("cases.txt"));
        assertTrue(cases.size() >= 20);
        for (String line : cases) {
            String[] words = line.split(" ");
            Path file = files.resolve(words[0]);
            for (Executable load :
                    List.<Executable>of(() -> Schema.load(file), () -> Solution.load(file))) {
                DpaException refused = assertThrows(DpaException.class, load, words[0]);
                assertEquals(DpaException.FORMAT, refused.code());
                assertTrue(refused.getMessage().contains(words[1]), refused.getMessage());
            }
        }
    }

    private Table csv(String text) throws IOException {
        Path file = folder.resolve("table.csv");
        Files.writeString(file, text);
        return Table.readCsv(file);
    }

    @Test
    void filesAreReadLineByLine() throws IOException {
        StringBuilder lines = new StringBuilder("\uFEFF\"a;1\";b;y\r\n");
        for (int k = 0; k < 30; k++)
            lines.append("%d,5;\"x \"\"%d\";%d\r\n".formatted(k % 7, k % 2, k % 3));
        try (Table known = csv(lines.toString()); Schema schema = Schema.learn(known, "y", null)) {
            assertEquals(List.of("a;1", "b=x \"1"), schema.featureNames());
            assertEquals(0.5, schema.apply(known).x()[0]);
            // a line that is no record, a quote without an end, a blank line, and no line end
            try (Table rows = csv("a;1\tb\ty\n1\t2\n\"1\tx\"1\t3\n\n2\tx \"1\t1")) {
                assertEquals(4, rows.rows());
                assertCode(DpaException.INVALID_ARGUMENT, () -> schema.apply(odd("1", "a", "b")));
                Schema.Rows found = schema.apply(rows);
                assertTrue(Double.isNaN(found.y()[0]) && Double.isNaN(found.y()[2]));
                assertEquals(2, found.x()[2 * 3]);
                assertEquals(1, found.x()[2 * 3 + 1]);
                assertEquals(1, found.y()[3]);
            }
        }
        assertCode(DpaException.EMPTY, () -> csv(""));
        assertCode(DpaException.EMPTY, () -> csv(" \n\t\n"));
        assertCode(DpaException.FORMAT, () -> csv("a,\"b\"c\n1,2\n"), "quote");
        assertCode(DpaException.FORMAT, () -> csv("a,,b\n1,2,3\n"), "no name");
        assertCode(DpaException.INVALID_ARGUMENT, () -> csv("a,a\n1,2\n"), "\"a\"");
    }

    @Test
    void hintsAreFollowed() {
        try (Table table = people().missing("green").positive("no").ignore("age").category("zone");
                Schema schema = Schema.learn(table, "answer", LOGISTIC)) {
            assertEquals(
                    List.of("colour=red", "colour=(missing)", "zone=2"), schema.featureNames());
            assertArrayEquals(new String[] {"no"}, schema.labelTexts(new double[] {1}));
            assertTrue(schema.knownLabels().startsWith("yes or no (also "));
            table.ignore("answer");
            assertCode(
                    DpaException.INVALID_ARGUMENT,
                    () -> Schema.learn(table, "answer", LOGISTIC),
                    "\"answer\" is the label");
            assertCode(DpaException.INVALID_ARGUMENT, () -> table.missing(null));
        }
    }

    @Test
    void severalThreadsMayFillATable() {
        double[] numbers = IntStream.range(0, ROWS).mapToDouble(k -> k * 7 % 31).toArray();
        try (Table table = people()) {
            IntStream.range(0, 400)
                    .parallel()
                    .forEach(k -> table.numbers("number " + k, numbers).missing("word " + k));
            assertEquals("Table[60 rows, 404 columns]", table.toString());
            try (Schema schema = Schema.learn(table, "answer", LOGISTIC)) {
                assertEquals(405, schema.features());
            }
        }
    }

    @Test
    void whatDoesNotFitIsCounted() {
        try (Table table = people();
                Schema schema = Schema.learn(table, "answer", LOGISTIC);
                Table strange = odd("old", "pink", "maybe")) {
            assertEquals(List.of(), schema.inspect(table));
            List<String> found = schema.inspect(strange);
            assertEquals("age: 1 of 3 rows has a value that is no number: \"old\"", found.get(0));
            assertTrue(found.get(1).startsWith("colour: 1 of 3 rows has a level"));
            String label = "(label) answer: 1 of 3 rows has a label that is not no or yes";
            assertTrue(found.get(3).startsWith(label));
            assertCode(DpaException.INVALID_ARGUMENT, () -> schema.inspect(null));
        }
    }

    @Test
    void labelsTellTheLoss() {
        Options open = new Options().privateDomain(Options.PrivateDomainChoice.NONE);
        Options softmax = new Options(open).loss(Options.LossChoice.SOFTMAX);
        try (Table table = people();
                Schema two = Schema.learn(table, "answer", LOGISTIC);
                Schema three = Schema.learn(table, "colour", softmax);
                Problem problem = new Problem().source(two, table).target(two, table);
                Problem several = new Problem().source(three, table).target(three, table);
                Solution solution = problem.solve(open);
                Solution classes = several.solve(open);
                Solution explicit = problem.solve(LOGISTIC)) {
            assertEquals("logistic", solution.loss());
            assertEquals("softmax", classes.loss());
            assertArrayEquals(explicit.coefficients(), solution.coefficients());
            assertEquals(List.of(), solution.findings(two));
            double[] x = two.features(table);
            double[] y = two.apply(table).y();
            problem.source(x, two.features(), y).target(x, two.features(), y);
            try (Solution numbers = problem.solve(open)) {
                assertEquals("squared", numbers.loss(), "arrays say nothing about a loss");
            }
            DoubleBuffer rows = Data.direct(x);
            DoubleBuffer labels = Data.direct(y);
            problem.source(two, table).target(two, table);
            problem.source(rows, two.features(), labels).target(rows, two.features(), labels);
            try (Solution numbers = problem.solve(open)) {
                assertEquals("squared", numbers.loss(), "nor do buffers");
            }
            problem.source(two, table).target(two, table);
            problem.lendSource(rows, two.features(), labels);
            problem.lendTarget(rows, two.features(), labels);
            try (Solution numbers = problem.solve(open)) {
                assertEquals("squared", numbers.loss(), "nor do lent ones");
            }
        }
    }

    @Test
    void aSchemaGivesTheLossThatItWasLearntFor() {
        Options open = new Options().privateDomain(Options.PrivateDomainChoice.NONE);
        Options pinball =
                new Options().loss(Options.LossChoice.PINBALL).set("quantile_level", 0.9);
        double[] ages = IntStream.range(0, ROWS).mapToDouble(k -> 20 + k * 7 % 31).toArray();
        try (Table table =
                        new Table(ROWS).texts("colour", texts("red", "green")).numbers("age", ages);
                Schema learnt = Schema.learn(table, "age", pinball);
                Schema schema = Schema.fromBytes(learnt.toBytes());
                Problem problem = new Problem().source(schema, table).target(schema, table);
                Solution solution = problem.solve(open);
                Schema ofModel = Schema.fromBytes(schema.model(solution).getBytes());
                Problem second = new Problem().source(ofModel, table).target(ofModel, table);
                Solution again = second.solve(open);
                Solution squared =
                        problem.solve(new Options(open).loss(Options.LossChoice.SQUARED))) {
            assertEquals("pinball", solution.loss());
            assertEquals(0.9, solution.setting("quantile_level"));
            assertArrayEquals(solution.coefficients(), again.coefficients());
            assertEquals("squared", squared.loss());
        }
    }

    @Test
    void labelsOfAPrivateTargetMayBeMissing() {
        Options options = new Options().epsilon(8).delta(1e-4);
        try (Table table = people();
                Schema schema = Schema.learn(table, "answer", LOGISTIC);
                Table bare =
                        new Table(ROWS)
                                .numbers("age", new double[ROWS])
                                .texts("colour", texts("red"))
                                .texts("zone", texts("1"));
                Problem problem = new Problem().source(schema, table)) {
            DpaException error =
                    assertThrows(DpaException.class, () -> problem.target(schema, bare));
            assertTrue(error.getMessage().contains("need it, with missing cells alone"));
            problem.target(schema, bare.texts("answer", new String[ROWS])).solve(options).close();
        }
    }

    @Test
    void findingsHaveTheNamesOfTheSchema() {
        Options options = new Options().epsilon(8).delta(1e-4).unsafeSeed(3);
        double[] heights =
                IntStream.range(0, ROWS).mapToDouble(k -> k < 3 ? 999 : Math.cos(k)).toArray();
        try (Table table = people().numbers("height", heights);
                Schema schema = Schema.learn(table, "answer", LOGISTIC);
                Problem problem = new Problem().source(schema, table).target(schema, table);
                Solution solution = problem.solve(options)) {
            String found = String.join("\n", solution.findings(schema));
            assertTrue(found.contains("Public source, height: "), found);
            String page = solution.privacyReport(Report.PAGE, schema);
            assertTrue(page.contains("Public source, height: "), page);
            assertTrue(page.contains("its label is no or yes"), page);
        }
    }

    @Test
    void rowsElsewhereSayNothingAboutALoss() {
        try (Table table = people();
                Schema two = Schema.learn(table, "answer", LOGISTIC);
                Problem problem = new Problem().source(two, table).target(two, table)) {
            double[] x = two.features(table);
            double[] y = two.apply(table).y();
            Pass pass = request -> {
                try (Partial all = new Partial(request)) {
                    return all.add(x, two.features(), y).serialize();
                }
            };
            problem.source(x, two.features(), y).targetPasses(y.length, two.features(), pass);
            try (Solution numbers = problem.solve(new Options().epsilon(8).delta(1e-4))) {
                assertEquals("squared", numbers.loss());
            }
        }
    }

    @Test
    void privateRecordsWithOtherLabelsAreNotCalledUsed() {
        Options options = new Options().epsilon(8).delta(1e-4).unsafeSeed(3);
        String[] other = texts("1.5", "2.5", "2.5", "1.5", "1.5");
        try (Table table = people();
                Schema schema = Schema.learn(table, "answer", LOGISTIC);
                Problem problem = new Problem();
                Table secret = new Table(ROWS)) {
            secret.numbers("age", new double[ROWS]).texts("colour", texts("red"));
            secret.texts("zone", texts("1")).texts("answer", other);
            problem.source(schema, table).target(schema, secret);
            try (Solution solution = problem.solve(options)) {
                List<String> found = solution.findings(schema);
                assertTrue(found.stream().noneMatch(line -> line.contains("rows were used")));
                assertTrue(found.get(1).contains("its label is no or yes (also"), found.get(1));
                assertTrue(solution.findings().get(1).contains("its label is -1 or 1;"));
                assertEquals(found.size(), solution.findingCodes().size());
                assertTrue(solution.findingCodes().get(1).endsWith(" records_that_count"));
                assertTrue(solution.privacyReport(Report.TEXT).contains("counts only if"));
            }
        }
    }

    @Test
    void mistakesAreNamed() {
        Table table = people();
        int argument = DpaException.INVALID_ARGUMENT;
        assertCode(DpaException.EMPTY, () -> new Table(0));
        assertCode(argument, () -> table.numbers("age", new double[ROWS]), "\"age\"");
        assertCode(argument, () -> table.numbers(null, new double[ROWS]));
        assertCode(argument, () -> table.numbers("x", null));
        assertCode(argument, () -> table.texts("x", (String[]) null));
        assertCode(argument, () -> table.levels("x", null, "a"));
        assertCode(DpaException.DIMENSION, () -> table.texts("x", "a", "b"));
        assertCode(DpaException.DIMENSION, () -> table.levels("x", new int[3], "a"));
        assertCode(argument, () -> Schema.learn(null, "answer", null));
        assertCode(argument, () -> Schema.learn(table, "nothing", null), "\"nothing\"");
        assertCode(DpaException.LABEL, () -> Schema.learn(table, "colour", null), "\"red\"");
        assertCode(argument, () -> Schema.fromBytes(null));
        Schema schema = Schema.learn(table, "answer", LOGISTIC);
        assertCode(argument, () -> schema.apply(null));
        assertCode(argument, () -> schema.features(null));
        assertCode(argument, () -> schema.model(null));
        assertCode(argument, () -> new Problem().source((Schema) null, table));
        table.close();
        schema.close();
        assertCode(DpaException.HANDLE, () -> table.texts("x", "a"), "table is closed");
        assertCode(DpaException.HANDLE, schema::describe, "schema is closed");
        assertCode(DpaException.HANDLE, () -> schema.apply(people()));
        assertEquals("Table[closed]", table.toString());
        assertEquals("Schema[closed]", schema.toString());
    }
}
