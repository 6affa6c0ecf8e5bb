package org.dpadapt;

import java.util.List;

/**
 * Chooses one of several predictors by labelled rows that none of them was fitted on, and searches a
 * grid of options for the best fit. For one thread at a time.
 *
 * <pre>{@code
 * try (Search search = new Search().axis("alpha", "0", "0.5").axis("radius", "1", "auto");
 *         Solution best = search.run(problem, validation, options)) {
 *     String alpha = search.setting(search.chosen(), "alpha");
 * }
 * }</pre>
 *
 * <p>Public rows choose the least mean loss. Private rows choose by permute-and-flip at the price of the
 * option {@code selection_epsilon}, with losses clipped to {@code selection_bound}; nothing but the index
 * leaves them. The loss is named by the option {@code selection_loss}.
 */
public final class Search implements AutoCloseable {
    private final Handle handle =
            new Handle("search", Native::dpa_search_destroy, Native::dpa_search_create);

    /** Creates a search without axes: its one candidate has the options of the run. */
    public Search() {}

    /**
     * Chooses one of the candidates.
     *
     * @param validation its target sample are the rows; its source is not read and may be absent
     * @param candidates solutions of any method, with the features of the rows; those fitted to private
     *     records must be private themselves
     * @param options null for the defaults; {@code private_domain}, {@code unsafe_seed} and those named
     *     selection_... are read
     * @return the index
     */
    public static int choose(Problem validation, List<Solution> candidates, Options options) {
        List<Handle> handles =
                Check.notNull(candidates, "candidates").stream()
                        .map(each -> Check.notNull(each, "a candidate").handle)
                        .toList();
        long[] chosen = new long[1];
        return Check.notNull(validation, "validation")
                .call(
                        options,
                        (rows, set) ->
                                Handle.useAll(
                                        handles,
                                        each -> {
                                            Native.dpa_select(rows, each, set, chosen);
                                            return (int) chosen[0];
                                        }));
    }

    /**
     * Adds an axis to the grid. The candidates are the product of the axes, the first one varying
     * slowest. An earlier run is forgotten.
     *
     * @param option its name; not {@code private_domain}, {@code unsafe_seed} or one named selection_...
     * @param values texts as of {@link Options#parse}; numbers within a value are separated by blanks
     * @return this search
     */
    public Search axis(String option, String... values) {
        for (String value : Check.notNull(values, "values")) Check.notNull(value, "a value");
        handle.run(at -> Native.dpa_search_add(at, option, String.join(",", values)));
        return this;
    }

    /**
     * Keeps some points of the grid, drawn at the run with public random numbers, instead of all. An
     * earlier run is forgotten.
     *
     * @param count at most the points of the grid so far; 0 keeps all
     * @param seed the same seed and axes give the same points
     * @return this search
     */
    public Search draw(long count, long seed) {
        handle.run(at -> Native.dpa_search_draw(at, count, seed));
        return this;
    }

    /**
     * Number of candidates.
     *
     * @return at least 1
     */
    public long count() {
        return handle.fill(new long[1], Native::dpa_search_count)[0];
    }

    /**
     * Fits every candidate as {@link Problem#solve} does, and chooses one.
     *
     * @param problem both samples set: what candidates are fitted on
     * @param validation another problem, whose target sample are the validation rows
     * @param options null for the defaults: those of every candidate, but for its point of the grid, and
     *     those of the selection
     * @return the chosen fit
     */
    public Solution run(Problem problem, Problem validation, Options options) {
        return run(problem, validation, null, options);
    }

    /**
     * Fits every candidate by a baseline, and chooses one.
     *
     * <p>Without privacy a candidate whose fit fails is left out, see {@link #status}. With privacy every
     * fit pays from the budget of {@code problem}, which {@link Problem#budget} must have fixed where
     * there are two candidates or more, and the selection from that of {@code validation}. {@link
     * DpaException#BUDGET} costs nothing; another failure refunds nothing.
     *
     * @param problem both samples set: what candidates are fitted on
     * @param validation another problem, whose target sample are the validation rows
     * @param method name of a baseline, or null for {@link Problem#solve}
     * @param options null for the defaults
     * @return the chosen fit
     */
    public Solution run(Problem problem, Problem validation, String method, Options options) {
        Check.notNull(validation, "validation");
        return Check.notNull(problem, "problem")
                .call(
                        options,
                        (at, set) ->
                                validation.call(
                                        null, (rows, none) -> run(at, rows, method, set)));
    }

    private Solution run(long problem, long rows, String method, long options) {
        return handle.use(
                at ->
                        new Solution(
                                out ->
                                        Native.dpa_search_run(
                                                at, problem, rows, method, options, out)));
    }

    /**
     * Index of the chosen candidate.
     *
     * @return in [0, {@link #count()}); {@link DpaException#STATE} before a run
     */
    public int chosen() {
        return (int) handle.fill(new long[1], Native::dpa_search_chosen)[0];
    }

    /**
     * Value of an axis at a candidate.
     *
     * @param index of the candidate
     * @param option name of the axis
     * @return the text that {@link #axis} was given; {@link DpaException#STATE} before a run
     */
    public String setting(int index, String option) {
        return handle.text(
                (at, out, needed) -> Native.dpa_search_setting(at, index, option, out, needed));
    }

    /**
     * Why the fit of a candidate was left out.
     *
     * @param index of the candidate
     * @return 0 if it was not, else a constant of {@link DpaException}; {@link DpaException#STATE} before
     *     a run
     */
    public int status(int index) {
        return handle.fill(new int[1], (at, out) -> Native.dpa_search_status(at, index, out))[0];
    }

    /**
     * Mean loss of a candidate on the validation rows.
     *
     * @param index of the candidate
     * @return infinite where it is not finite, NaN of a fit that was left out; {@link
     *     DpaException#NOT_RELEASABLE} of private rows, {@link DpaException#STATE} before a run
     */
    public double loss(int index) {
        return handle.number((at, out) -> Native.dpa_search_loss(at, index, out));
    }

    /** Releases the search; calls that are running keep it until they return. */
    @Override
    public void close() {
        handle.close();
    }
}
