package org.dpadapt;

import java.util.List;

import java.nio.DoubleBuffer;

/** What {@link Problem} knows of its two samples: rows, labels, and what is told of the rows. */
abstract sealed class ProblemSamples permits Problem {
    final Handle handle =
            new Handle("problem", Native::dpa_problem_destroy, Native::dpa_problem_create);

    /** The domains, as in C. */
    static final int SOURCE = 0;

    static final int TARGET = 1;

    final Sample source = new Sample(handle, SOURCE);
    final Sample target = new Sample(handle, TARGET);

    /** A copy of what made its rows, which tells the loss for its labels; null where none did. */
    volatile Schema schema;

    /** What of the target's table does not fit the schema: told where the target is public. */
    volatile List<String> targetUnfit = List.of();

    ProblemSamples() {}

    abstract Problem problem();

    /**
     * Sets the source sample by copying it, replacing an earlier one.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem source(double[] x, int columns, double[] y) {
        source.copy(x, columns, y);
        schema = null;
        return problem();
    }

    /**
     * Sets the source sample by copying it.
     *
     * @param x the rows of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem source(double[][] x, double[] y) {
        return source(Check.flat(x, "x"), columns(x), y);
    }

    /**
     * Sets the source sample by copying it.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem source(DoubleBuffer x, int columns, DoubleBuffer y) {
        source.copy(Check.direct(x, "x"), columns, Check.direct(y, "y"));
        schema = null;
        return problem();
    }

    /**
     * Sets the target sample by copying it, replacing an earlier one.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem target(double[] x, int columns, double[] y) {
        target.copy(x, columns, y);
        schema = null;
        targetUnfit = List.of();
        return problem();
    }

    /**
     * Sets the target sample by copying it.
     *
     * @param x the rows of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem target(double[][] x, double[] y) {
        return target(Check.flat(x, "x"), columns(x), y);
    }

    /**
     * Sets the target sample by copying it.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem target(DoubleBuffer x, int columns, DoubleBuffer y) {
        target.copy(Check.direct(x, "x"), columns, Check.direct(y, "y"));
        schema = null;
        targetUnfit = List.of();
        return problem();
    }

    /**
     * Sets the source sample to what a schema makes of a table. Calls whose loss is for numbers
     * take the one that its labels are for: logistic for two classes, softmax for several.
     *
     * @param schema learnt from public rows
     * @param table with labels
     * @return this problem
     */
    public Problem source(Schema schema, Table table) {
        Schema.Rows rows = Check.notNull(schema, "schema").apply(table);
        source(rows.x(), schema.features(), rows.y());
        this.schema = Schema.fromBytes(schema.toBytes());
        return problem();
    }

    /**
     * Sets the target sample to what a schema makes of a table, as {@link #source(Schema, Table)}.
     *
     * @param schema learnt from public rows
     * @param table with labels
     * @return this problem
     */
    public Problem target(Schema schema, Table table) {
        Schema.Rows rows = Check.notNull(schema, "schema").apply(table);
        target(rows.x(), schema.features(), rows.y());
        this.schema = Schema.fromBytes(schema.toBytes());
        targetUnfit = schema.inspect(table);
        return problem();
    }

    /**
     * Sets the source sample from a stream of Arrow; {@link Arrow} tells who releases it.
     *
     * @param stream address of an ArrowArrayStream, which is consumed
     * @param label name of the column of labels; null for none
     * @param features names of the columns of features, in their order; none for all but the label
     * @return this problem
     */
    public Problem sourceArrow(long stream, String label, String... features) {
        source.consume(stream, label, features);
        schema = null;
        return problem();
    }

    /**
     * Sets the target sample from a stream of Arrow, as {@link #sourceArrow}. A record with a null
     * counts and adds nothing if the target is private.
     *
     * @param stream address of an ArrowArrayStream, which is consumed
     * @param label name of the column of labels; null for none
     * @param features names of the columns of features, in their order; none for all but the label
     * @return this problem
     */
    public Problem targetArrow(long stream, String label, String... features) {
        target.consume(stream, label, features);
        schema = null;
        targetUnfit = List.of();
        return problem();
    }

    /**
     * Sets the source sample without copying it. The buffers must stay unchanged, and their memory
     * valid, until they are replaced or the problem is closed, and no call on it is running.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem lendSource(DoubleBuffer x, int columns, DoubleBuffer y) {
        source.lend(Check.direct(x, "x"), columns, Check.direct(y, "y"));
        schema = null;
        return problem();
    }

    /**
     * Sets the target sample without copying it. The buffers must stay unchanged, and their memory
     * valid, until they are replaced or the problem is closed, and no call on it is running.
     *
     * @param x features, row after row
     * @param columns number of features
     * @param y labels, one a row
     * @return this problem
     */
    public Problem lendTarget(DoubleBuffer x, int columns, DoubleBuffer y) {
        target.lend(Check.direct(x, "x"), columns, Check.direct(y, "y"));
        schema = null;
        targetUnfit = List.of();
        return problem();
    }

    /**
     * Sets a private target sample that stays where it is. What needs its records by their number,
     * or runs your code on them, throws {@link DpaException#UNSUPPORTED} before anything is paid.
     *
     * @param rows number of records, which is public: a record that is unusable counts, too
     * @param columns number of features
     * @param pass computes sums over all its records; the problem keeps it
     * @return this problem
     */
    public Problem targetPasses(long rows, int columns, Pass pass) {
        target.stay(rows, columns, pass);
        schema = null;
        targetUnfit = List.of();
        return problem();
    }

    /**
     * Sets a private target sample of persons, whose rows stay where they are. From now on private
     * calls on this problem protect persons. Workers add rows by {@link Partial#addGroups}.
     *
     * @param persons their number, which is public
     * @param columns number of features
     * @param pass computes sums over all rows of all persons; the problem keeps it
     * @return this problem
     */
    public Problem targetGroupPasses(long persons, int columns, Pass pass) {
        target.stay(persons, columns, pass, Native::java_passes_set_persons);
        schema = null;
        targetUnfit = List.of();
        return problem();
    }

    /**
     * Sets a source sample that stays where it is, as {@link #targetPasses}: a private one, or the
     * public one of a private target. Of that one requests bring moments, and some rows as they
     * are. With more than 65536 of them only fits of losses with linear scores and alpha = auto are
     * possible.
     *
     * @param rows number of records
     * @param columns number of features
     * @param pass computes sums over all its records
     * @return this problem
     */
    public Problem sourcePasses(long rows, int columns, Pass pass) {
        source.stay(rows, columns, pass);
        schema = null;
        return problem();
    }

    /**
     * Number of source records.
     *
     * @return 0 while there is no source
     */
    public long sourceRows() {
        return shape()[0];
    }

    /**
     * Number of target records. Of persons it is the number of their rows, which is private; of a
     * locked problem it is the number of persons.
     *
     * @return 0 while there is no target
     */
    public long targetRows() {
        return shape()[1];
    }

    /**
     * Number of features.
     *
     * @return 0 while there are no samples
     */
    public int features() {
        return (int) shape()[2];
    }

    /**
     * Tells which rows of the target belong to the same person. From now on private calls protect
     * persons, not records: all rows of one person together.
     *
     * @param ids one for each row of the target, any numbers
     * @return this problem; {@link DpaException#UNSUPPORTED} comes from calls that can protect
     *     records only
     */
    public Problem groups(long[] ids) {
        Check.notNull(ids, "ids");
        handle.run(at -> Native.dpa_problem_set_groups(at, TARGET, ids));
        return problem();
    }

    /**
     * Tells that the source is made of several sources, and which of them each row is of. A fit
     * without privacy takes those that help; the others have weight 0.
     *
     * @param ids one for each row of the source, any numbers, the same for rows of one source
     * @return this problem; {@link DpaException#UNSUPPORTED} comes from private fits
     */
    public Problem sources(long[] ids) {
        Check.notNull(ids, "ids");
        handle.run(at -> Native.dpa_problem_set_groups(at, SOURCE, ids));
        return problem();
    }

    /**
     * Tells how rows of the source, which live in other columns, are mapped to the target's:
     * column j becomes offset[j] plus the sum of matrix[j][k] x[k]. Comes before the source, whose
     * rows have as many columns as the matrix from then on.
     *
     * @param matrix public numbers, a row for each column of the target
     * @param offset one for each column of the target; null for zeros
     * @return this problem
     */
    public Problem sourceMap(double[][] matrix, double[] offset) {
        double[] factors = Check.flat(matrix, "matrix");
        double[] offsets = offset == null ? new double[matrix.length] : offset;
        Matrix map = new Matrix(factors, matrix.length, columns(matrix));
        handle.run(at -> Native.dpa_problem_set_source_map(at, map, offsets, offsets.length));
        return problem();
    }

    /**
     * Gives each row a score of a model that exists already, whatever it is: from now on a fit is a
     * linear correction, which the caller adds to the model's scores.
     *
     * @param ofSource one for each row of the source
     * @param ofTarget one for each row of the target, as private as its label
     * @return this problem
     */
    public Problem scores(double[] ofSource, double[] ofTarget) {
        Check.notNull(ofSource, "ofSource");
        Check.notNull(ofTarget, "ofTarget");
        handle.run(
                at -> {
                    Native.dpa_problem_set_scores(at, SOURCE, ofSource, ofSource.length);
                    Native.dpa_problem_set_scores(at, TARGET, ofTarget, ofTarget.length);
                });
        return problem();
    }

    /**
     * Gives the source rows weights: one of weight 2 counts like two rows. Only ratios count.
     *
     * Those of private rows are clipped to the option {@code row_weight_bound}, and count as 0
     * where they are negative, NaN or infinite.
     *
     * @param weights one for each row of the source; of a public one none negative
     * @return this problem; {@link DpaException#UNSUPPORTED} comes from calls for which the source
     *     is private, without that option, or that cannot follow weights
     */
    public Problem sourceWeights(double[] weights) {
        Check.notNull(weights, "weights");
        handle.run(at -> Native.dpa_problem_set_weights(at, SOURCE, weights, weights.length));
        return problem();
    }

    /**
     * Gives the target rows weights, as {@link #sourceWeights}.
     *
     * @param weights one for each row of the target; of a public one none negative
     * @return this problem
     */
    public Problem targetWeights(double[] weights) {
        Check.notNull(weights, "weights");
        handle.run(at -> Native.dpa_problem_set_weights(at, TARGET, weights, weights.length));
        return problem();
    }

    private long[] shape() {
        long[] source = new long[1];
        long[] target = new long[1];
        long[] features = new long[1];
        handle.run(at -> Native.dpa_problem_shape(at, source, target, features));
        return new long[] {source[0], target[0], features[0]};
    }

    static int columns(double[][] x) {
        return x.length == 0 ? 1 : x[0].length;
    }
}
