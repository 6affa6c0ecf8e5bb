package org.dpadapt;

/**
 * A grid of options, and after a run the table of its candidates. For one thread at a time.
 *
 * <pre>{@code
 * try (Search search = new Search().axis("alpha", "0.1,0.5,0.9").axis("kappa_1", "1,10");
 *         Solution best = search.run(problem, validation, options)) {
 *     System.out.println(search.setting(search.chosen(), "alpha"));
 * }
 * }</pre>
 */
public final class Search implements AutoCloseable {
    private final Handle handle =
            new Handle("search", Native::dpa_search_destroy, Native::dpa_search_create);

    /** What a value needs outside the heap besides its text, roughly. */
    private static final long VALUE = 32;

    /** Creates a search whose one candidate has the options of its run. */
    public Search() {}

    /**
     * Adds an axis to the grid, the first one varying slowest.
     *
     * @param option its name; not an option that concerns all candidates
     * @param values as in {@link Options#parse}, separated by commas
     * @return this search
     */
    public Search axis(String option, String values) {
        handle.run(at -> Native.dpa_search_add(at, option, values));
        long count = 1 + values.chars().filter(letter -> letter == ',').count();
        handle.holds(values.length() + VALUE * count);
        return this;
    }

    /**
     * Number of candidates.
     *
     * @return at least 1
     */
    public long candidates() {
        return (long) value("candidates", 0);
    }

    /**
     * Fits every candidate and chooses the one that does best on validation rows; see {@link
     * Problem#select}. Every private fit costs its price, so set their problem's {@link
     * Problem#budget} first. Fits with a custom {@link Loss} cannot be compared: {@link
     * DpaException#UNSUPPORTED}, before any fit.
     *
     * @param problem both samples set
     * @param validation another problem, whose target sample are the validation rows
     * @param options null for the defaults
     * @return the chosen fit
     */
    public Solution run(Problem problem, Problem validation, Options options) {
        return run(problem, validation, null, options);
    }

    /**
     * Fits every candidate by a baseline, and chooses as {@link #run(Problem, Problem, Options)}
     * does.
     *
     * @param problem both samples set
     * @param validation another problem, whose target sample are the validation rows
     * @param baseline name of a {@link Baseline}; null for {@link Problem#solve}
     * @param options null for the defaults
     * @return the chosen fit
     */
    public Solution run(Problem problem, Problem validation, String baseline, Options options) {
        Check.notNull(problem, "problem");
        Check.notNull(validation, "validation");
        Solution best =
                handle.use(
                        search ->
                                validation.call(
                                        null,
                                        (rows, none) ->
                                                problem.call(
                                                        options,
                                                        (at, set) ->
                                                                new Solution(
                                                                        out ->
                                                                        Native.dpa_search_run(
                                                                                        search, at,
                                                                                        rows,
                                                                                        baseline,
                                                                                        set,
                                                                                        out)))));
        return problem.tell(options, best);
    }

    /**
     * Index of the chosen candidate.
     *
     * @return from 0; {@link DpaException#STATE} before a run, like the rest of the table
     */
    public long chosen() {
        return (long) value("chosen", 0);
    }

    /**
     * Value of an axis at a candidate.
     *
     * @param candidate its index
     * @param option name of the axis
     * @return as it was given
     */
    public String setting(long candidate, String option) {
        return handle.text(
                (at, out, needed) ->
                        Native.dpa_search_setting(at, candidate, option, out, needed));
    }

    /**
     * Why the fit of a candidate was left out.
     *
     * @param candidate its index
     * @return a code of {@link DpaException}, 0 if it was not
     */
    public int failure(long candidate) {
        return handle.fill(
                new int[1],
                (at, out) ->
                        Native.dpa_search_reason(at, candidate, out, new byte[0], new long[1]))[0];
    }

    /**
     * Why the fit of a candidate was left out, in words.
     *
     * @param candidate its index
     * @return empty if it was not
     */
    public String reason(long candidate) {
        return handle.text(
                (at, out, needed) ->
                        Native.dpa_search_reason(at, candidate, new int[1], out, needed));
    }

    /**
     * Mean loss of a candidate on the validation rows.
     *
     * @param candidate its index
     * @return NaN for a fit that was left out; {@link DpaException#NOT_RELEASABLE} for private rows
     */
    public double loss(long candidate) {
        return value("loss", candidate);
    }

    private double value(String name, long candidate) {
        return handle.number((at, out) -> Native.dpa_search_value(at, name, candidate, out));
    }

    /** How many candidates it has. */
    @Override
    public String toString() {
        return Handle.shown("Search", () -> candidates() + " candidates");
    }

    /** Releases the search. */
    @Override
    public void close() {
        handle.close();
    }
}
