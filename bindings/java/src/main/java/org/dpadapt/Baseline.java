package org.dpadapt;

import java.util.List;

/**
 * A method that domain adaptation is compared with.
 *
 * @param name its name, such as "kmm"
 * @param doc its meaning
 */
public record Baseline(String name, String doc) {
    /**
     * All baselines of the library.
     *
     * @return name and meaning of each
     */
    public static List<Baseline> all() {
        return Check.rowsOf(Native::dpa_baseline_text, "name", "meaning")
                .map(text -> new Baseline(text[0], text[1]))
                .toList();
    }

    /**
     * Computes a baseline.
     *
     * @param problem both samples set
     * @param name of the method
     * @param options null for the defaults; methods without privacy need {@code private_domain} =
     *     none, private ones target, {@code epsilon} and {@code delta}
     * @return the solution
     */
    public static Solution solve(Problem problem, String name, Options options) {
        return Check.notNull(problem, "problem")
                .tell(
                        options,
                        problem.call(
                                options,
                                (at, set) ->
                                        new Solution(
                                                out ->
                                                        Native.dpa_baseline_solve(
                                                                at, name, set, out))));
    }

    /**
     * Plans a private baseline: what {@link #solve} would charge.
     *
     * @param problem both samples set
     * @param name of the method
     * @param options {@code epsilon} and {@code delta} are needed
     * @return the plan; {@link DpaException#OPTION} for a method that protects nobody
     */
    public static Plan plan(Problem problem, String name, Options options) {
        return Check.notNull(problem, "problem")
                .call(
                        options,
                        (at, set) -> new Plan(out -> Native.dpa_baseline_plan(at, name, set, out)));
    }
}
