package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * What a value of each type of Spark becomes: the number that tests/data/types/cases.txt says, or a
 * refusal that names column and type; in sources, targets and predictions alike.
 */
class TypesTest {
    private static final Path CASES = Path.of("../../tests/data/types/cases.txt");
    private static final Map<String, String> SQL =
            Map.ofEntries(
                    Map.entry("int8", "TINYINT"), Map.entry("int16", "SMALLINT"),
                    Map.entry("int32", "INT"), Map.entry("int64", "BIGINT"),
                    Map.entry("uint64", "DECIMAL(38,0)"), Map.entry("float32", "FLOAT"),
                    Map.entry("float64", "DOUBLE"), Map.entry("boolean", "BOOLEAN"),
                    Map.entry("text", "STRING"), Map.entry("date", "DATE"),
                    Map.entry("timestamp", "TIMESTAMP_NTZ"),
                    Map.entry("timestamp_zone", "TIMESTAMP"), Map.entry("bytes", "BINARY"));
    private static final Map<String, String> OTHER =
            Map.of(
                    "null", "CAST(NULL AS DECIMAL(9,2))",
                    "duration", "INTERVAL '86400' SECOND",
                    "interval", "INTERVAL '1' MONTH",
                    "list", "array(1)",
                    "struct", "named_struct('x', 1)",
                    "map", "map(1, 1)");

    private static String expression(String type, String value) {
        if (OTHER.containsKey(type)) return OTHER.get(type);
        if (type.equals("decimal")) {
            int scale = value.contains(".") ? value.length() - value.indexOf('.') - 1 : 0;
            return "CAST('" + value + "' AS DECIMAL(38," + scale + "))";
        }
        return SQL.containsKey(type) ? "CAST('" + value + "' AS " + SQL.get(type) + ")" : null;
    }

    private static Dataset<Row> numbers(SparkSession spark) {
        return spark.range(0, 200, 1, 2)
                .selectExpr("CAST(id % 9 - 4 AS DOUBLE) AS it", "CAST(id % 9 AS DOUBLE) AS y");
    }

    private static DpaEstimator estimator(Dataset<Row> source) {
        return new DpaEstimator()
                .setSource(source)
                .setFeatureCols("it")
                .setLabelCol("y")
                .setOptions(Map.of("epsilon", "1", "delta", "1e-6", "unsafe_seed", "5"));
    }

    @Test
    void eachValueIsItsNumberOrRefusedByName() throws Exception {
        SparkSession spark = Rows.session();
        Dataset<Row> plain = numbers(spark);
        DpaModel model = estimator(plain).fit(plain);
        int seen = 0;
        for (String line : Files.readAllLines(CASES)) {
            if (line.startsWith("#")) continue;
            String[] one = line.split(" ");
            String value = expression(one[0], one[1]);
            if (value == null) continue;
            seen++;
            Dataset<Row> odd = spark.range(1).selectExpr(value + " AS it", "1.0D AS y");
            if (one[2].equals("text") || one[2].equals("refused")) {
                IllegalArgumentException e =
                        assertThrows(IllegalArgumentException.class, () -> model.transform(odd));
                assertTrue(e.getMessage().startsWith("it must be a column of"), e.getMessage());
                if (one[2].equals("text")) continue; // a schema reads them
                for (boolean isSource : new boolean[] {true, false}) {
                    DpaEstimator made = estimator(isSource ? odd : plain);
                    e =
                            assertThrows(
                                    IllegalArgumentException.class,
                                    () -> made.fit(isSource ? plain : odd), line);
                    assertTrue(e.getMessage().startsWith("it must be a column of"), line);
                }
                continue;
            }
            String number = one[2].equals("missing") ? "CAST(NULL AS DOUBLE)" : one[2] + "D";
            Dataset<Row> wanted =
                    spark.range(1).selectExpr("CAST(" + number + " AS DOUBLE) AS it");
            assertEquals(predicted(model, wanted), predicted(model, odd.select("it")), line);
        }
        assertTrue(seen > 20, seen + " cases");
    }

    private static List<Row> predicted(DpaModel model, Dataset<Row> rows) {
        return model.transform(rows).select("prediction").collectAsList();
    }

    @Test
    void samplesWithoutRowsAreTold() {
        Dataset<Row> plain = numbers(Rows.session());
        Dataset<Row> none = plain.filter("y > 100");
        for (boolean isLarge : new boolean[] {true, false}) {
            DpaEstimator estimator = estimator(none);
            if (isLarge) estimator.setLargeSource(none);
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> estimator.fit(plain));
            assertEquals("the source has no rows", e.getMessage());
        }
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> estimator(plain).fit(none));
        assertEquals("the target has no rows", e.getMessage());
    }
}
