package org.dpadapt;

import java.nio.DoubleBuffer;

/** What {@link Solution} makes of rows of features. */
abstract sealed class SolutionPredictions permits Solution {
    final Handle handle;
    final int features;
    final int outputs;

    SolutionPredictions(Handle.Create create) {
        handle = new Handle("solution", Native::dpa_solution_destroy, create);
        long[] columns = new long[1];
        long[] scores = new long[1];
        handle.run(
                at -> Native.dpa_solution_shape(at, columns, scores, new long[1], new long[1]));
        features = (int) columns[0];
        outputs = (int) scores[0];
    }

    /**
     * Number of features.
     *
     * @return at least 1
     */
    public int features() {
        return features;
    }

    /**
     * Number of scores of a row.
     *
     * @return 1, or one for each class; 0 for a custom loss
     */
    public int outputs() {
        return outputs;
    }

    /**
     * Predicts labels: scores where labels are numbers, -1 or +1 for logistic, the class for
     * softmax; for perceptron by its output loss.
     *
     * @param x features of any number of rows, row after row; if a score is NaN, because of a NaN
     *     or of infinities that cancel, the label is NaN
     * @return one label for each row; {@link DpaException#UNSUPPORTED} for a custom loss, whose
     *     author predicts with {@link Solution#parameters()} and {@link #transform}
     */
    public double[] predict(double[] x) {
        return rows(Kind.LABELS, x, 1);
    }

    /**
     * Predicts labels.
     *
     * @param x the rows of features
     * @return one label a row
     */
    public double[] predict(double[][] x) {
        return predict(flat(x));
    }

    /**
     * Predicts labels.
     *
     * @param x features of any number of rows, row after row
     * @return one label a row
     */
    public double[] predict(DoubleBuffer x) {
        return rows(Kind.LABELS, x, 1);
    }

    /**
     * Predicts labels for a batch of Arrow, which is borrowed as {@link Arrow} tells.
     *
     * @param schema address of the ArrowSchema of the batch
     * @param batch address of an ArrowArray
     * @param rows number of rows of the batch
     * @param features names of the columns of features, in the order of the fit; none for all
     * @return one label for each row, NaN for one with a null
     */
    public double[] predictArrow(long schema, long batch, int rows, String... features) {
        byte[] names = Check.names(features, "features");
        return handle.array(
                Math.max(rows, 0),
                (at, out) -> Native.dpa_solution_predict_arrow(at, schema, batch, names, out));
    }

    /**
     * Scores of rows.
     *
     * @param x features of any number of rows, row after row
     * @return the first score of every row, then the second of every row, and so on
     */
    public double[] scores(double[] x) {
        return rows(Kind.SCORES, x, outputs);
    }

    /**
     * Scores of rows.
     *
     * @param x the rows of features
     * @return the first score of every row, then the second of every row, and so on
     */
    public double[] scores(double[][] x) {
        return scores(flat(x));
    }

    /**
     * Scores of rows.
     *
     * @param x features of any number of rows, row after row
     * @return the first score of every row, then the second of every row, and so on
     */
    public double[] scores(DoubleBuffer x) {
        return rows(Kind.SCORES, x, outputs);
    }

    /**
     * Probabilities as the loss models them: of the label +1 for logistic, of each class for
     * softmax.
     *
     * @param x features of any number of rows, row after row
     * @return the first probability of every row, then the second of every row, and so on
     */
    public double[] probabilities(double[] x) {
        return rows(Kind.PROBABILITIES, x, outputs);
    }

    /**
     * Probabilities as the loss models them.
     *
     * @param x the rows of features
     * @return the first probability of every row, then the second of every row, and so on
     */
    public double[] probabilities(double[][] x) {
        return probabilities(flat(x));
    }

    /**
     * Probabilities as the loss models them.
     *
     * @param x features of any number of rows, row after row
     * @return the first probability of every row, then the second of every row, and so on
     */
    public double[] probabilities(DoubleBuffer x) {
        return rows(Kind.PROBABILITIES, x, outputs);
    }

    /**
     * Number of preprocessed coordinates.
     *
     * @return the number of features, plus one if there is an intercept
     */
    public int dimension() {
        return (int) value("dimension");
    }

    /**
     * Rows in the coordinates in which the loss sees them.
     *
     * @param x features of any number of rows, row after row
     * @return {@link #dimension()} numbers a row, row after row
     */
    public double[] transform(double[] x) {
        return rows(Kind.COORDINATES, x, dimension());
    }

    /**
     * Rows in the coordinates in which the loss sees them.
     *
     * @param x the rows of features
     * @return {@link #dimension()} numbers a row, row after row
     */
    public double[] transform(double[][] x) {
        return transform(flat(x));
    }

    /**
     * Rows in the coordinates in which the loss sees them.
     *
     * @param x features of any number of rows, row after row
     * @return {@link #dimension()} numbers a row, row after row
     */
    public double[] transform(DoubleBuffer x) {
        return rows(Kind.COORDINATES, x, dimension());
    }

    /**
     * Predicts intervals, or of classes sets of labels, that hold the labels of single rows, as
     * {@link Solution#calibration()} promises.
     *
     * @param x features of any number of rows, row after row
     * @param level in (0, 1)
     * @return of numbers the lower ends of all rows, then the upper ones; of classes, one class
     *     after the other (of one score -1, then +1), 1 for a label in the row's set; {@link
     *     DpaException#UNSUPPORTED} for a solution that {@link Problem#calibrate} did not make
     */
    public double[] predictInterval(double[] x, double level) {
        Check.notNull(x, "x");
        return rows(
                (at, rows, out) -> Native.dpa_solution_predict_interval(at, level, rows, out),
                x,
                x.length,
                Math.max(outputs, 2));
    }

    /**
     * The probability to be without an event up to each time, of fits by loss = survival.
     *
     * @param x features of any number of rows, row after row
     * @param times at least 0, in the units of the fit's times
     * @return for one time after the other a number for each row; NaN after the last public event;
     *     {@link DpaException#UNSUPPORTED} for other losses
     */
    public double[] survival(double[] x, double... times) {
        return survival(0, x, times);
    }

    /**
     * Intervals of {@link #survival}, around the target's own estimate; the public rows' estimate
     * of the baseline has a part in their width.
     *
     * @param confidence in (0, 1)
     * @param x features of any number of rows, row after row
     * @param times as those of {@link #survival}
     * @return all lower ends as {@link #survival} orders them, then the upper ones; {@link
     *     DpaException#NOT_RELEASABLE} for a private fit without inference = yes
     */
    public double[] survivalInterval(double confidence, double[] x, double... times) {
        if (!(confidence > 0))
            throw DpaException.make(
                    DpaException.INVALID_ARGUMENT,
                    "confidence must be in (0, 1), but is " + confidence);
        return survival(confidence, x, times);
    }

    private double[] survival(double confidence, double[] x, double[] times) {
        Check.notNull(times, "times");
        return rows(
                (at, rows, out) ->
                        Native.dpa_solution_survival(
                                at, confidence, rows, times, times.length, out),
                Check.notNull(x, "x"),
                x.length,
                Check.length(confidence == 0 ? 1 : 2, times.length));
    }

    /**
     * Weighs rows as source records: those of the fit as the fit did, others as it would have. A
     * predictor that was saved without the weights of its records can, too.
     *
     * @param x features of any number of rows, row after row
     * @param y a label for each row, NaN where there is none
     * @param weights those that the rows have in {@link Problem#sourceWeights}; none: 1 each
     * @return a weight for each row, 0 without a label; {@link DpaException#NOT_RELEASABLE} for a
     *     private fit, {@link DpaException#UNSUPPORTED} for most baselines and custom losses
     */
    public double[] weighSource(double[] x, double[] y, double... weights) {
        return weigh(ProblemSamples.SOURCE, x, y, weights);
    }

    /**
     * Weighs rows as target records.
     *
     * @param x features of any number of rows, row after row
     * @param y a label for each row, NaN where there is none
     * @param weights those that the rows have in {@link Problem#targetWeights}; none: 1 each
     * @return as {@link #weighSource}
     */
    public double[] weighTarget(double[] x, double[] y, double... weights) {
        return weigh(ProblemSamples.TARGET, x, y, weights);
    }

    private double[] weigh(int domain, double[] x, double[] y, double[] weights) {
        Check.notNull(x, "x");
        Check.notNull(y, "y");
        Check.notNull(weights, "weights");
        return rows(
                (at, rows, out) ->
                        Native.dpa_solution_weigh(
                                at, domain, rows, y, y.length, weights, weights.length, out),
                x,
                x.length,
                1);
    }

    /** What is computed for each row, in the order of C. */
    private enum Kind {
        LABELS,
        SCORES,
        PROBABILITIES,
        COORDINATES;

        void fill(long solution, Matrix x, double[] out) {
            Native.dpa_solution_predict(solution, ordinal(), x, out);
        }
    }

    private interface Rows {
        void fill(long solution, Matrix x, double[] out);
    }

    /** A number of the solution. */
    double value(String name) {
        return handle.number((at, out) -> Native.dpa_solution_value(at, name, out));
    }

    private double[] flat(double[][] x) {
        double[] flat = Check.flat(x, "x");
        if (x.length > 0 && x[0].length != features)
            throw DpaException.make(
                    DpaException.DIMENSION,
                    "x has "
                            + x[0].length
                            + " columns, the solution has "
                            + features
                            + " features");
        return flat;
    }

    private double[] rows(Kind kind, double[] x, int width) {
        return rows(kind::fill, Check.notNull(x, "x"), x.length, width);
    }

    private double[] rows(Kind kind, DoubleBuffer x, int width) {
        DoubleBuffer slice = Check.direct(x, "x");
        return rows(kind::fill, slice, slice.remaining(), width);
    }

    private double[] rows(Rows call, Object x, int length, int width) {
        int rows = Check.rows(length, features, "x");
        double[] out = new double[Check.length(rows, width)];
        Matrix matrix = new Matrix(x, rows, features);
        return handle.fill(out, (at, to) -> call.fill(at, matrix, to));
    }
}
