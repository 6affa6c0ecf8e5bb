package org.dpadapt;

import java.lang.ref.Reference;
import java.nio.DoubleBuffer;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The labelled source sample and the labelled target sample, with one privacy budget and one
 * ledger.
 *
 * <pre>{@code
 * try (Problem problem = new Problem().source(x, 2, y).target(z, 2, t);
 *         Solution solution = problem.solve(options)) {
 *     double[] predicted = solution.predict(rows);
 * }
 * }</pre>
 */
public final class Problem implements AutoCloseable {
    final Handle handle =
            new Handle("problem", Native::dpa_problem_destroy, Native::dpa_problem_create);

    private final Sample source =
            new Sample(
                    handle,
                    0,
                    Native::dpa_problem_set_source,
                    Native::dpa_problem_lend_source,
                    Native::dpa_problem_set_source_arrow,
                    Native::java_passes_set_source);
    private final Sample target =
            new Sample(
                    handle,
                    1,
                    Native::dpa_problem_set_target,
                    Native::dpa_problem_lend_target,
                    Native::dpa_problem_set_target_arrow,
                    Native::java_passes_set_target);

    /** A copy of what made its rows, which tells the loss for its labels; null where none did. */
    private volatile Schema schema;

    /** Creates a problem without data. */
    public Problem() {}

    interface Call<T> {
        T apply(long problem, long options);
    }

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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
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
        return this;
    }

    /**
     * Number of source records.
     *
     * @return 0 while there is no source
     */
    public int sourceRows() {
        return (int) shape()[0];
    }

    /**
     * Number of target records.
     *
     * @return 0 while there is no target
     */
    public int targetRows() {
        return (int) shape()[1];
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
        handle.run(at -> Native.dpa_problem_set_target_groups(at, ids));
        return this;
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
        handle.run(at -> Native.dpa_problem_set_source_groups(at, ids));
        return this;
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
        int read = columns(matrix);
        handle.run(
                at ->
                        Native.dpa_problem_set_source_map(
                                at, factors, matrix.length, read, read, Check.ROW_MAJOR, offsets,
                                offsets.length));
        return this;
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
                    Native.dpa_problem_set_source_scores(at, ofSource, ofSource.length);
                    Native.dpa_problem_set_target_scores(at, ofTarget, ofTarget.length);
                });
        return this;
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
        handle.run(at -> Native.dpa_problem_set_source_weights(at, weights, weights.length));
        return this;
    }

    /**
     * Gives the target rows weights, as {@link #sourceWeights}.
     *
     * @param weights one for each row of the target; of a public one none negative
     * @return this problem
     */
    public Problem targetWeights(double[] weights) {
        Check.notNull(weights, "weights");
        handle.run(at -> Native.dpa_problem_set_target_weights(at, weights, weights.length));
        return this;
    }

    /**
     * Fits a predictor with the defaults. By default the target is private, and a private fit needs
     * {@code epsilon} and {@code delta}, so set these with {@link #solve(Options)}.
     *
     * @return the solution
     */
    public Solution solve() {
        return solve(null, null);
    }

    /**
     * Fits a predictor.
     *
     * @param options null for the defaults
     * @return the solution
     */
    public Solution solve(Options options) {
        return solve(options, null);
    }

    /**
     * Fits a predictor and uses the value of an estimate as discrepancy. A private fit accepts only
     * an estimate that was released privately from this problem's budget. If it runs out of memory
     * or is cancelled, its price is spent all the same.
     *
     * @param options null for the defaults
     * @param discrepancy null: the option {@code discrepancy} decides
     * @return the solution
     */
    public Solution solve(Options options, Discrepancy discrepancy) {
        if (discrepancy == null) return fit(options, 0);
        return discrepancy.handle.use(estimate -> fit(options, estimate));
    }

    private Solution fit(Options options, long estimate) {
        return call(
                options,
                (at, set) -> new Solution(out -> Native.dpa_solve(at, estimate, set, out)));
    }

    /**
     * Estimates the discrepancy of the two samples.
     *
     * @param options null for the defaults
     * @return the estimate
     */
    public Discrepancy discrepancy(Options options) {
        return call(
                options,
                (at, set) ->
                        new Discrepancy(out -> Native.dpa_discrepancy_estimate(at, set, out)));
    }

    /**
     * Chooses the candidate that does best on the target sample of this problem; the source is not
     * read. If the target is private, the choice is a release and costs {@code selection_epsilon}.
     *
     * @param candidates solutions that were fitted on other rows; those fitted to private records
     *     must be private fits; {@link DpaException#UNSUPPORTED} for one of a custom loss
     * @param options null for the defaults; {@code private_domain} and those named selection_...
     *     are used
     * @return index of the chosen one
     */
    public int select(List<Solution> candidates, Options options) {
        List<Handle> all =
                Check.noNulls(candidates, "candidates").stream().map(each -> each.handle).toList();
        return call(
                options,
                (at, set) ->
                        Handle.useAll(
                                all,
                                addresses -> {
                                    long[] chosen = new long[1];
                                    Native.dpa_select(at, addresses, set, chosen);
                                    return (int) chosen[0];
                                }));
    }

    /**
     * Measures the errors of solutions on the target sample of this problem, with intervals. If
     * the target is private, that costs {@code epsilon} and {@code delta}.
     *
     * @param candidates solutions that were fitted on other rows, as in {@link #select}
     * @param options null for the defaults; {@code private_domain}, {@code epsilon}, {@code delta},
     *     {@code confidence} and {@code evaluation_bound} are used
     * @return the evaluation
     */
    public Evaluation evaluate(List<Solution> candidates, Options options) {
        List<Handle> all =
                Check.noNulls(candidates, "candidates").stream().map(each -> each.handle).toList();
        return call(
                options,
                (at, set) ->
                        Handle.useAll(
                                all,
                                addresses ->
                                        new Evaluation(
                                                out ->
                                                        Native.dpa_evaluate(
                                                                at, addresses, set, out))));
    }

    /**
     * Plans a fit with the bounds that the public sample gives: what {@link #solve(Options)} would
     * charge.
     *
     * @param options null for the defaults
     * @return the plan
     */
    public Plan plan(Options options) {
        return call(
                options, (at, set) -> new Plan(out -> Native.dpa_plan_for_problem(at, set, out)));
    }

    /**
     * Plans a fit to a private target of that size, which nobody has read yet, and forecasts its
     * error by fits to rows of the source that play the target. A target is not needed.
     *
     * @param targetRows records of the target
     * @param options null for the defaults; without {@code epsilon} it is for several
     * @return the plan; {@link Plan#forecast} has the numbers
     */
    public Plan forecast(long targetRows, Options options) {
        return call(
                options,
                (at, set) ->
                        new Plan(out -> Native.dpa_plan_forecast(at, targetRows, set, out)));
    }

    /**
     * Fixes the budget: all private calls on this problem together are (epsilon,
     * delta)-differentially private. Without this the first private call fixes the budget and
     * spends all of it.
     *
     * @param options {@code epsilon}, {@code delta}, {@code private_domain}, {@code
     *     discrepancy_share}
     * @return this problem
     */
    public Problem budget(Options options) {
        return call(
                options,
                (at, set) -> {
                    Native.dpa_problem_set_budget(at, set);
                    return this;
                });
    }

    /**
     * A number of the budget, of what is spent or of what is left.
     *
     * @param name "epsilon", "delta", "mu", "laplace_epsilon" or "pure_epsilon" of the budget;
     *     "spent_epsilon" at its delta; "spent_mu", "left_mu" and so on
     * @return the number; {@link DpaException#STATE} while there is no budget, but for the parts of
     *     what is spent
     */
    public double budgetNumber(String name) {
        return handle.number((at, out) -> Native.dpa_problem_budget(at, name, out));
    }

    /**
     * Everything that was released about the private records.
     *
     * @param form JSON or text
     * @return the report
     */
    public String privacyReport(Report form) {
        int number = Check.notNull(form, "form").ordinal();
        return handle.text(
                (at, out, needed) -> Native.dpa_problem_privacy_report(at, number, out, needed));
    }

    /**
     * From now on the private calls on this problem are paid from the ledger, whose budget is the
     * problem's.
     *
     * @param ledger may be closed before the problem
     */
    public void use(Ledger ledger) {
        Check.notNull(ledger, "ledger").pays(handle);
    }

    /**
     * From now on, and for good, another {@code private_domain} than that of the options (none
     * among them), {@code unsafe_seed}, inspection and other samples in place of these are refused.
     *
     * @param options null for the default, the target
     */
    public void lock(Options options) {
        call(
                options,
                (at, set) -> {
                    Native.dpa_problem_lock(at, set);
                    return null;
                });
    }

    /** Sizes and, once it is fixed, the budget. */
    @Override
    public String toString() {
        return Handle.shown("Problem", () -> sourceRows() + " source rows, " + targetRows()
                + " target rows, " + features() + " features" + budgetInWords());
    }

    private String budgetInWords() {
        try {
            return ", epsilon = " + budgetNumber("epsilon") + ", delta = " + budgetNumber("delta")
                    + ", spent mu = " + budgetNumber("spent_mu");
        } catch (StateException e) {
            return "";
        }
    }

    /** Releases the problem; calls that are running keep it until they return. */
    @Override
    public void close() {
        handle.close();
    }

    <T> T call(Options options, Call<T> call) {
        try {
            return handle.use(at -> withLoss(options, set -> call.apply(at, set)));
        } catch (DpaException e) {
            throw Options.<RuntimeException>unchanged(
                    Passes.cause(e, source.passes(), target.passes()));
        } finally {
            Reference.reachabilityFence(this); // the library knows the passes, and keeps nothing
        }
    }

    private <T> T withLoss(Options options, LongFunction<T> call) {
        Schema labels = schema;
        if (labels == null) return Options.with(options, call);
        return Options.with(
                options == null ? new Options() : options,
                set -> {
                    labels.setLoss(set);
                    return call.apply(set);
                });
    }

    private long[] shape() {
        long[] source = new long[1];
        long[] target = new long[1];
        long[] features = new long[1];
        handle.run(at -> Native.dpa_problem_shape(at, source, target, features));
        return new long[] {source[0], target[0], features[0]};
    }

    private static int columns(double[][] x) {
        return x.length == 0 ? 1 : x[0].length;
    }
}
