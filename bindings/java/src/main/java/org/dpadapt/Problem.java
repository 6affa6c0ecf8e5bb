package org.dpadapt;

import java.lang.ref.Reference;
import java.util.Arrays;
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
public final class Problem extends ProblemSamples implements AutoCloseable {
    /** Creates a problem without data. */
    public Problem() {}

    @Override
    Problem problem() {
        return this;
    }

    interface Call<T> {
        T apply(long problem, long options);
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
        return tell(
                options,
                call(
                        options,
                        (at, set) ->
                                new Solution(out -> Native.dpa_solve(at, estimate, set, out))));
    }

    /** Of a public target what does not fit is told; of a private one nothing is. */
    Solution tell(Options options, Solution made) {
        if (options != null && options.get("private_domain").equals("none"))
            made.unfit = targetUnfit;
        return made;
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
     * Calibrates a solution on the target sample of this problem, so that it has prediction
     * intervals. If the target is private, that costs {@code epsilon} and {@code delta}.
     *
     * @param solution one that was fitted on other rows, as in {@link #select}; it stays as it is
     * @param options null for the defaults; those of {@link #evaluate} are used
     * @return a new solution; {@link Solution#calibration()} says what is promised
     */
    public Solution calibrate(Solution solution, Options options) {
        return call(
                options,
                (at, set) ->
                        solution.handle.use(
                                fit ->
                                        new Solution(
                                                out ->
                                                        Native.dpa_solution_calibrate(
                                                                fit, at, set, out))));
    }

    /**
     * Which teacher each of the private rows trains, for {@link #meanVote} and {@link #countVotes}.
     *
     * @param rows their number
     * @param teachers at most that
     * @param ids whose rows they are, so that a person has one teacher; each must be the person's
     *     own number, and not a place in a list. Null: rows are divided evenly
     * @return numbers from 0 to teachers - 1
     */
    public static int[] shards(int rows, int teachers, long[] ids) {
        double[] shards = new double[Math.max(rows, 0)];
        Native.dpa_votes_shard(ids == null ? new long[0] : ids, Math.max(teachers, 0), shards);
        return Arrays.stream(shards).mapToInt(shard -> (int) shard).toArray();
    }

    /**
     * Answers of teachers with noise.
     *
     * @param values mean answers, one a query; or counts, of each query one a class
     * @param deviation standard deviation of the noise of each; 0 without privacy
     */
    public record Votes(double[] values, double deviation) {}

    /**
     * The mean answer of teachers to each query, with noise. The teachers are models of the
     * caller's, fitted to disjoint {@link #shards} of the private rows. If these are private, it
     * costs {@code epsilon} and {@code delta}; the samples of this problem may be absent.
     *
     * @param answers a row for each teacher, a number for each public query
     * @param low of the range to which answers are clipped, chosen without the private rows
     * @param high the other end
     * @param options null for the defaults; {@code private_domain}, {@code epsilon}, {@code delta}
     *     and {@code unit} are used
     * @return a number for each query, from which anything may be computed without a further price
     */
    public Votes meanVote(double[][] answers, double low, double high, Options options) {
        Matrix table = table(answers);
        double[] values = new double[(int) table.columns()], deviation = new double[1];
        return call(
                options,
                (at, set) -> {
                    Native.dpa_votes_mean(at, table, low, high, set, values, deviation);
                    return new Votes(values, deviation[0]);
                });
    }

    /**
     * How many teachers vote for each class, with noise; else as {@link #meanVote}.
     *
     * @param answers a row for each teacher, for each query the number of a class from 0 on; any
     *     other number is no vote
     * @param classes their number, at least 2
     * @param options as above
     * @return of each query the counts of all classes
     */
    public Votes countVotes(double[][] answers, int classes, Options options) {
        Matrix table = table(answers);
        int length = Check.length(table.columns(), Math.max(classes, 0));
        double[] values = new double[length], deviation = new double[1];
        return call(
                options,
                (at, set) -> {
                    Native.dpa_votes_count(at, table, classes, set, values, deviation);
                    return new Votes(values, deviation[0]);
                });
    }

    private static Matrix table(double[][] answers) {
        double[] flat = Check.flat(answers, "answers");
        return new Matrix(flat, answers.length, columns(answers));
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
     * @param form one of the forms
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
     * among them), {@code unsafe_seed}, inspection, another budget or ledger, other samples in
     * place of these, and telling of their rows again (weights, scores, persons) are refused.
     *
     * <p>Fix the budget before, by {@link #budget} or {@link #use}: without one a lock is refused.
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
}
