package org.dpadapt.spark;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.dpadapt.Ledger;
import org.dpadapt.Options;
import org.dpadapt.Problem;
import org.dpadapt.Schema;
import org.dpadapt.Solution;

/**
 * Fits a predictor for a private dataset, the target, with the help of a public one, the source.
 *
 * <pre>{@code
 * DpaModel model = new DpaEstimator()
 *         .setSource(publicStays)
 *         .setFeatureCols("age", "ward")
 *         .setLabelCol("days")
 *         .setOptions(Map.of("epsilon", "1", "delta", "1e-6"))
 *         .fit(patients);
 * }</pre>
 *
 * <p>The target's rows stay in their partitions; the model has the same bits for any partition. A
 * row with a null or NaN is a null record: it counts, and adds nothing. Sums without noise travel
 * through executors and driver, which therefore belong to the custodian, as the rows do.
 *
 * <p>Public are the number of the target's rows, and its schema. What comes before this stage must
 * not make them, or the features, depend on private rows: no filter on a private column, no stage
 * that was fitted to the target, such as a scaler or an indexer. Fit those to the source.
 *
 * <p>Each fit pays, also each one of a cross-validation: without a {@link #setLedger ledger} each
 * has the whole budget of its options, and what several fits tell together is not bounded.
 */
public class DpaEstimator extends Estimator<DpaModel> implements DefaultParamsWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final Param<String> featuresCol;
    private final StringArrayParam featureCols;
    private final Param<String> predictionCol;
    private final Param<String> predictedLabelCol;
    private final Param<String> labelCol;
    private final StringArrayParam options;
    private final Param<String> ledger;
    private final LongParam rows;
    private final BooleanParam persist;
    private transient Source source;

    /** Creates an estimator that has neither source nor options. */
    public DpaEstimator() {
        this(Identifiable.randomUID("dpa"));
    }

    /**
     * Creates an estimator with a name of its own, as Spark does when it loads one.
     *
     * @param uid the name
     */
    public DpaEstimator(String uid) {
        this.uid = uid;
        featuresCol = Columns.featuresCol(this);
        featureCols = Columns.featureCols(this);
        predictionCol = Columns.predictionCol(this);
        predictedLabelCol = Columns.predictedLabelCol(this);
        labelCol = new Param<>(this, "labelCol", "label column");
        options = new StringArrayParam(this, "options", "options of the library, name=value");
        ledger = new Param<>(this, "ledger", "file of the ledger that pays, on the driver");
        rows = new LongParam(this, "rows", "number of rows of the target, which is public");
        persist = new BooleanParam(this, "persist", "whether a fit keeps the rows it has read");
        setDefault(featuresCol, "features");
        setDefault(featureCols, new String[0]);
        setDefault(predictionCol, "prediction");
        setDefault(labelCol, "label");
        setDefault(options, new String[0]);
        setDefault(persist, true);
    }

    /** {@inheritDoc} */
    @Override
    public String uid() {
        return uid;
    }

    /**
     * The public rows, which a fit collects to the driver. They are no parameter: a saved estimator
     * has none.
     *
     * @param source with the columns of features and labels that the target has
     * @return this estimator
     */
    public DpaEstimator setSource(Dataset<?> source) {
        this.source = new Source.OfDataset(source, true);
        return this;
    }

    /**
     * The public rows, which stay in their partitions, however many they are: a fit reads them a
     * few times, and has the same bits for any partition. With more than 65536 of them the loss
     * must have linear scores and {@code alpha} be auto. Rows with a null are an error, but for
     * nulls of the label: such rows are left out. There may be no texts: a schema needs {@link
     * #setSource(Dataset)}.
     *
     * @param source with the columns of features and labels that the target has
     * @return this estimator
     */
    public DpaEstimator setLargeSource(Dataset<?> source) {
        this.source = new Source.OfDataset(source, false);
        return this;
    }

    /**
     * The public rows as arrays.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this estimator
     */
    public DpaEstimator setSource(double[] x, int columns, double[] y) {
        this.source = new Source.OfArrays(x, columns, y);
        return this;
    }

    /**
     * The column of vectors that has the features; of {@code VectorAssembler}, which must keep
     * invalid rows.
     *
     * @param name "features" by default
     * @return this estimator
     */
    public DpaEstimator setFeaturesCol(String name) {
        set(featuresCol, name);
        return this;
    }

    /**
     * Columns of numbers, booleans or texts that are the features, in place of a column of vectors.
     *
     * <p>A text is a category. As soon as the source has one among features or label, or the label
     * is a boolean and the loss logistic, a {@link org.dpadapt.Schema} is learnt from the source:
     * it makes a feature of each level, and tells what stands for a value that is missing or that
     * the source does not have.
     *
     * @param names none by default
     * @return this estimator
     */
    public DpaEstimator setFeatureCols(String... names) {
        set(featureCols, names.clone());
        return this;
    }

    /**
     * The column of the labels: numbers, or texts for the losses logistic and softmax.
     *
     * @param name "label" by default
     * @return this estimator
     */
    public DpaEstimator setLabelCol(String name) {
        set(labelCol, name);
        return this;
    }

    /**
     * The column to which the model writes predictions.
     *
     * @param name "prediction" by default
     * @return this estimator
     */
    public DpaEstimator setPredictionCol(String name) {
        set(predictionCol, name);
        return this;
    }

    /**
     * A column of texts to which the model writes the predicted labels as the source writes its
     * own, such as the names of classes; for fits whose features or labels need a {@link
     * DpaModel#schema schema}.
     *
     * @param name none by default
     * @return this estimator
     */
    public DpaEstimator setPredictedLabelCol(String name) {
        set(predictedLabelCol, name);
        return this;
    }

    /**
     * Options of the library, in place of all that were set: {@code epsilon} and {@code delta} at
     * least.
     *
     * @param values texts by the names of {@link Options#all}
     * @return this estimator
     */
    public DpaEstimator setOptions(Map<String, String> values) {
        set(options, Columns.texts(values));
        parsed(); // says what is wrong with them
        return this;
    }

    /**
     * The ledger from which fits are paid, so that all of them together keep its budget.
     *
     * @param file on the driver, made by {@link Ledger#create}
     * @return this estimator
     */
    public DpaEstimator setLedger(Path file) {
        set(ledger, file.toString());
        return this;
    }

    /**
     * The number of rows of the target, so that they need not be counted. It is published, counted
     * or not; with another number than there are a fit fails, and is paid.
     *
     * @param count at least 1
     * @return this estimator
     */
    public DpaEstimator setRows(long count) {
        set(rows, (Object) count);
        return this;
    }

    /**
     * Whether a fit keeps the features and labels that it has read in the executors' memory, or on
     * their disks, until it ends: passes are then faster, and rows cannot change between them. A
     * dataset that is persisted already is not kept twice.
     *
     * @param on true by default
     * @return this estimator
     */
    public DpaEstimator setPersist(boolean on) {
        set(persist, (Object) on);
        return this;
    }

    /**
     * Fits to a private target.
     *
     * @param target private rows
     * @return the model
     * @throws IllegalArgumentException for a column of a type that is no number and no text, and
     *     for samples without rows
     * @throws IllegalStateException if the rows changed between passes: what is paid is spent
     */
    @Override
    public DpaModel fit(Dataset<?> target) {
        transformSchema(target.schema());
        if (source == null) throw new IllegalArgumentException("set the public source first");
        Options options = parsed();
        boolean keeps = (Boolean) getOrDefault(persist)
                && target.storageLevel().equals(StorageLevel.NONE());
        try (Problem problem = new Problem();
                Ledger budget = isSet(ledger) ? Ledger.open(Path.of(getOrDefault(ledger))) : null;
                Source.Given given =
                        source.into(problem, features(), getOrDefault(labelCol), options)) {
            RowReader reader = given.reader();
            if (isSet(predictedLabelCol)) Columns.checkLabels(reader);
            if (budget != null) problem.use(budget);
            try (ClusterRows all = new ClusterRows(target, reader, keeps)) {
                long count = isSet(rows) ? (Long) getOrDefault(rows) : all.count();
                Source.checkRows(count, "target");
                problem.targetPasses(count, reader.columns(), all);
                try (Solution solution = problem.solve(options)) {
                    DpaModel model = new DpaModel(uid, bytes(reader, solution));
                    return copyValues(model.setParent(this), extractParamMap());
                }
            }
        }
    }

    /** With the schema, if there is one, as a model file. */
    private static byte[] bytes(RowReader reader, Solution solution) {
        if (!(reader instanceof CodedRows coded)) return solution.predictorToBytes();
        try (Schema schema = Schema.fromBytes(coded.schema())) {
            return schema.model(solution).getBytes(StandardCharsets.UTF_8);
        }
    }

    private Features features() {
        return Features.of(getOrDefault(featureCols), getOrDefault(featuresCol));
    }

    private Options parsed() {
        Options all = new Options();
        for (String text : getOrDefault(options)) {
            int end = text.indexOf('=');
            if (end < 0) throw new IllegalArgumentException("an option is name=value: " + text);
            all.parse(text.substring(0, end), text.substring(end + 1));
        }
        return all;
    }

    /** {@inheritDoc} */
    @Override
    public StructType transformSchema(StructType schema) {
        features().check(schema, getOrDefault(labelCol));
        StructType with = Columns.with(schema, getOrDefault(predictionCol), DataTypes.DoubleType);
        return isSet(predictedLabelCol)
                ? Columns.with(with, getOrDefault(predictedLabelCol), DataTypes.StringType)
                : with;
    }

    /** {@inheritDoc} */
    @Override
    public DpaEstimator copy(ParamMap extra) {
        DpaEstimator made = copyValues(new DpaEstimator(uid), extra);
        made.source = source;
        return made;
    }

    /**
     * Reads a saved estimator.
     *
     * @param path where it was saved
     * @return the estimator, without a source
     */
    public static DpaEstimator load(String path) {
        return read().load(path);
    }

    /**
     * The reader of saved estimators.
     *
     * @return the reader
     */
    public static MLReader<DpaEstimator> read() {
        return new DefaultParamsReader<>();
    }

    /**
     * The parameter of {@link #setFeaturesCol}.
     *
     * @return the parameter
     */
    public Param<String> featuresCol() {
        return featuresCol;
    }

    /**
     * The parameter of {@link #setFeatureCols}.
     *
     * @return the parameter
     */
    public StringArrayParam featureCols() {
        return featureCols;
    }

    /**
     * The parameter of {@link #setLabelCol}.
     *
     * @return the parameter
     */
    public Param<String> labelCol() {
        return labelCol;
    }

    /**
     * The parameter of {@link #setPredictionCol}.
     *
     * @return the parameter
     */
    public Param<String> predictionCol() {
        return predictionCol;
    }

    /**
     * The parameter of {@link #setPredictedLabelCol}.
     *
     * @return the parameter
     */
    public Param<String> predictedLabelCol() {
        return predictedLabelCol;
    }

    /**
     * The parameter of {@link #setOptions}.
     *
     * @return the parameter
     */
    public StringArrayParam options() {
        return options;
    }

    /**
     * The parameter of {@link #setLedger}.
     *
     * @return the parameter
     */
    public Param<String> ledger() {
        return ledger;
    }

    /**
     * The parameter of {@link #setRows}.
     *
     * @return the parameter
     */
    public LongParam rows() {
        return rows;
    }

    /**
     * The parameter of {@link #setPersist}.
     *
     * @return the parameter
     */
    public BooleanParam persist() {
        return persist;
    }
}
