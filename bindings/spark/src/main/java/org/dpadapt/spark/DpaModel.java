package org.dpadapt.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.dpadapt.Schema;
import org.dpadapt.Solution;

/** A fitted predictor. Predictions have the same bits as those of its {@link #solution}. */
public class DpaModel extends Model<DpaModel> implements MLWritable {
    private static final long serialVersionUID = 1L;
    private static final String FILE = "solution.dpadapt";

    private final String uid;
    private final Param<String> featuresCol;
    private final StringArrayParam featureCols;
    private final Param<String> predictionCol;
    private final Param<String> predictedLabelCol;
    private byte[] bytes;

    /**
     * Creates an empty model, as Spark does when it loads one.
     *
     * @param uid its name
     */
    public DpaModel(String uid) {
        this(uid, new byte[0]);
    }

    DpaModel(String uid, byte[] bytes) {
        this.uid = uid;
        this.bytes = bytes;
        featuresCol = Columns.featuresCol(this);
        featureCols = Columns.featureCols(this);
        predictionCol = Columns.predictionCol(this);
        predictedLabelCol = Columns.predictedLabelCol(this);
        setDefault(featuresCol, "features");
        setDefault(featureCols, new String[0]);
        setDefault(predictionCol, "prediction");
    }

    /** {@inheritDoc} */
    @Override
    public String uid() {
        return uid;
    }

    /**
     * The predictor with its settings and its privacy report.
     *
     * @return a solution of the caller's own, to be closed
     */
    public Solution solution() {
        return Solution.fromBytes(bytes);
    }

    /**
     * How the columns of texts and numbers become the features of the {@link #solution}, learnt
     * from the source.
     *
     * @return a schema of the caller's own, to be closed; null if all columns were numbers
     */
    public Schema schema() {
        return hasSchema() ? Schema.fromBytes(bytes) : null;
    }

    /** Whether the bytes are a model file, which is JSON. */
    private boolean hasSchema() {
        return bytes.length > 0 && bytes[0] == '{';
    }

    /**
     * Adds the column of predictions: NaN for a row with a null or NaN among its features, but with
     * a {@link #schema}, which tells what stands for them. With {@link
     * DpaEstimator#setPredictedLabelCol} labels as texts, too.
     *
     * @param rows with the features of the fit
     * @return all columns, and the predictions
     */
    @Override
    public Dataset<Row> transform(Dataset<?> rows) {
        StructType schema = transformSchema(rows.schema());
        Predictor predictor =
                hasSchema()
                        ? new CodedPredictor(
                                bytes, rows.schema(), features(), isSet(predictedLabelCol))
                        : new Predictor(bytes, features().count(width()).in(rows.schema()));
        return rows.toDF().mapPartitions(predictor, Encoders.row(schema));
    }

    private int width() {
        try (Solution solution = solution()) {
            return solution.features();
        }
    }

    private Features features() {
        return Features.of(getOrDefault(featureCols), getOrDefault(featuresCol));
    }

    /** {@inheritDoc} */
    @Override
    public StructType transformSchema(StructType schema) {
        if (hasSchema()) features().check(schema);
        else features().checkNumbers(schema);
        StructType with = Columns.with(schema, getOrDefault(predictionCol), DataTypes.DoubleType);
        return isSet(predictedLabelCol)
                ? Columns.with(with, getOrDefault(predictedLabelCol), DataTypes.StringType)
                : with;
    }

    /** {@inheritDoc} */
    @Override
    public DpaModel copy(ParamMap extra) {
        return copyValues(new DpaModel(uid, bytes), extra).setParent(parent());
    }

    /**
     * Writes parameters as Spark does, and the solution as any language reads it: with a schema, a
     * model file.
     */
    @Override
    public MLWriter write() {
        return new DefaultParamsWriter(this) {
            @Override
            public void saveImpl(String path) {
                super.saveImpl(path);
                Path file = new Path(path, FILE);
                try (FSDataOutputStream to = files(file, sparkSession()).create(file)) {
                    to.write(bytes);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    /**
     * The reader of saved models.
     *
     * @return the reader
     */
    public static MLReader<DpaModel> read() {
        return new DefaultParamsReader<>() {
            @Override
            public DpaModel load(String path) {
                DpaModel model = super.load(path);
                Path file = new Path(path, FILE);
                try (FSDataInputStream from = files(file, sparkSession()).open(file)) {
                    model.bytes = from.readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                model.solution().close(); // says what is wrong with it
                if (model.hasSchema()) model.schema().close();
                return model;
            }
        };
    }

    private static FileSystem files(Path file, SparkSession session) throws IOException {
        return file.getFileSystem(session.sparkContext().hadoopConfiguration());
    }

    /**
     * Reads a saved model.
     *
     * @param path where it was saved
     * @return the model
     */
    public static DpaModel load(String path) {
        return read().load(path);
    }

    /**
     * The parameter of {@link DpaEstimator#setFeaturesCol}.
     *
     * @return the parameter
     */
    public Param<String> featuresCol() {
        return featuresCol;
    }

    /**
     * The parameter of {@link DpaEstimator#setFeatureCols}.
     *
     * @return the parameter
     */
    public StringArrayParam featureCols() {
        return featureCols;
    }

    /**
     * The parameter of {@link DpaEstimator#setPredictedLabelCol}.
     *
     * @return the parameter
     */
    public Param<String> predictedLabelCol() {
        return predictedLabelCol;
    }

    /**
     * The parameter of {@link DpaEstimator#setPredictionCol}.
     *
     * @return the parameter
     */
    public Param<String> predictionCol() {
        return predictionCol;
    }
}
