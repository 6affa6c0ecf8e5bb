import static org.apache.spark.sql.functions.*;

import java.util.Map;
import org.apache.spark.sql.*;
import org.dpadapt.Schema;
import org.dpadapt.Solution;
import org.dpadapt.spark.*;

public class Stays {
    /** Made-up stays, some of them not over yet. */
    static Dataset<Row> stays(SparkSession spark, long rows, double slope, long open) {
        Column days = expr(slope + " * age + id % 3 + (id % 17 - 8) / 8");
        return spark.range(rows)
                .withColumn("age", expr("20 + id * 7 % 60"))
                .withColumn("ward", expr("element_at(array('A', 'B', 'C'), int(id % 3 + 1))"))
                .withColumn("days", when(expr("id % 1000 >= " + open), days));
    }

    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().master("local[2]").getOrCreate();
        Dataset<Row> patients = stays(spark, 5000, 0.08, 3);
        DpaModel model = new DpaEstimator()
                .setSource(stays(spark, 20000, 0.05, 0))
                .setFeatureCols("age", "ward")
                .setLabelCol("days")
                .setOptions(Map.of("epsilon", "1", "delta", "1e-6"))
                .fit(patients);
        try (Solution solution = model.solution(); Schema schema = model.schema()) {
            System.out.printf("%s: %.0f day more than A, %s%n", schema.featureNames().get(1),
                              solution.coefficients()[1], solution.protection().kind());
        }
        long predictions = model.transform(patients).filter("prediction > 0").count();
        System.out.println(predictions + " predictions");
        spark.stop();
    }
}
