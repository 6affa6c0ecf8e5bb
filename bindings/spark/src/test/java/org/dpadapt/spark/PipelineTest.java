package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.dpadapt.Solution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages among those of Spark ML. */
@Tag("nightly")
class PipelineTest {
    private static final Map<String, String> OPTIONS =
            Map.of("epsilon", "2", "delta", "1e-6", "unsafe_seed", "5");

    private static VectorAssembler assembler() {
        return new VectorAssembler()
                .setInputCols(Rows.FEATURES)
                .setOutputCol("features")
                .setHandleInvalid("keep");
    }

    @Test
    void aPipelineIsFittedSavedAndLoaded(@TempDir Path folder) throws Exception {
        DpaEstimator estimator =
                new DpaEstimator()
                        .setSource(assembler().transform(Rows.source()))
                        .setLabelCol("days")
                        .setOptions(OPTIONS);
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {assembler(), estimator});
        PipelineModel model = pipeline.fit(Rows.target(3));
        DpaModel fitted = (DpaModel) model.stages()[1];
        assertArrayEquals(Rows.fitInMemory(), Rows.coefficients(fitted));
        assertEquals(estimator.uid(), fitted.parent().uid());

        String path = folder.resolve("model").toString();
        model.save(path);
        PipelineModel loaded = PipelineModel.load(path);
        Dataset<Row> rows = Rows.target(2).orderBy("id");
        List<Row> wanted = model.transform(rows).select("id", "prediction").collectAsList();
        assertEquals(
                wanted, loaded.transform(rows).select("id", "prediction").collectAsList());
        DpaModel second = (DpaModel) loaded.stages()[1];
        assertEquals(fitted.uid(), second.uid());
        try (Solution solution = second.solution()) {
            assertEquals(Rows.PUBLIC, solution.sourceRows());
        }

        pipeline.save(folder.resolve("pipeline").toString());
        DpaEstimator again =
                (DpaEstimator) Pipeline.load(folder.resolve("pipeline").toString()).getStages()[1];
        assertEquals("days", again.getOrDefault(again.labelCol()));
        again.setSource(assembler().transform(Rows.source()));
        assertArrayEquals(
                Rows.fitInMemory(),
                Rows.coefficients(again.fit(assembler().transform(Rows.target(1)))));
    }

    @Test
    void aDamagedModelIsRefused(@TempDir Path folder) throws Exception {
        DpaModel model =
                new DpaEstimator()
                        .setSource(Rows.source())
                        .setFeatureCols("age")
                        .setLabelCol("days")
                        .setOptions(OPTIONS)
                        .fit(Rows.target(1));
        Path saved = folder.resolve("saved");
        model.write().overwrite().save(saved.toString());
        Path file = saved.resolve("solution.dpadapt");
        try (Solution solution = Solution.load(file)) {
            assertArrayEquals(Files.readAllBytes(file), solution.toBytes());
        }
        Files.delete(saved.resolve(".solution.dpadapt.crc"));
        Files.write(file, new byte[] {1, 2, 3});
        assertThrows(RuntimeException.class, () -> DpaModel.load(saved.toString()));
    }

    /** Vectors that are sparse, missing, or of another length, which only their row notices. */
    @Test
    void allVectorsAreRead() {
        StructType schema =
                new StructType()
                        .add("features", SQLDataTypes.VectorType(), true)
                        .add("label", DataTypes.DoubleType, true);
        List<Row> dense = List.of(
                RowFactory.create(Vectors.dense(0, 2, 0), 1.0),
                RowFactory.create(Vectors.dense(1, 0, 3), 2.0),
                RowFactory.create(Vectors.dense(Double.NaN, 0, 0), 3.0),
                RowFactory.create(Vectors.dense(0, 0, Double.NaN), 3.0));
        List<Row> mixed = List.of(
                RowFactory.create(Vectors.sparse(3, new int[] {1}, new double[] {2}), 1.0),
                RowFactory.create(Vectors.dense(1, 0, 3), 2.0),
                RowFactory.create(null, 3.0),
                RowFactory.create(Vectors.dense(1, 2), 3.0));
        double[] x = new double[900];
        double[] y = new double[300];
        for (int i = 0; i < x.length; i++) x[i] = i * 7 % 11 - 5;
        for (int i = 0; i < y.length; i++) y[i] = x[3 * i] - x[3 * i + 2] + i % 5;
        DpaEstimator estimator = new DpaEstimator().setSource(x, 3, y).setOptions(OPTIONS);
        DpaModel model = estimator.fit(Rows.session().createDataFrame(dense, schema));
        Dataset<Row> rows = Rows.session().createDataFrame(mixed, schema);
        assertArrayEquals(coefficients(model), coefficients(estimator.fit(rows)));
        List<Row> found = model.transform(rows).collectAsList();
        try (Solution solution = model.solution()) {
            double[] wanted = solution.predict(new double[] {0, 2, 0, 1, 0, 3});
            for (int i = 0; i < 2; i++) assertEquals(wanted[i], found.get(i).getDouble(2));
            for (int i = 2; i < 4; i++) assertEquals(Double.NaN, found.get(i).getDouble(2));
        }
    }

    private static double[] coefficients(DpaModel model) {
        try (Solution solution = model.solution()) {
            return solution.coefficients();
        }
    }
}
