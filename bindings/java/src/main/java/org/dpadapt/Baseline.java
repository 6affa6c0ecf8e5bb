package org.dpadapt;

import java.util.List;
import java.util.stream.LongStream;

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
        return LongStream.range(0, Native.dpa_baseline_count())
                .mapToObj(
                        i -> new Baseline(Native.dpa_baseline_name(i), Native.dpa_baseline_doc(i)))
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
                .call(
                        options,
                        (at, set) ->
                                new Solution(
                                        out -> Native.dpa_baseline_solve(at, name, set, out)));
    }

    /**
     * Plans a private baseline: what {@link #solve} with the same arguments would charge.
     *
     * @param problem both samples set; of the target only the size is used
     * @param name of the method; {@link DpaException#OPTION} for one that protects nobody
     * @param options null for the defaults, which have no budget
     * @return the plan
     */
    public static Plan plan(Problem problem, String name, Options options) {
        return Check.notNull(problem, "problem")
                .call(
                        options,
                        (at, set) ->
                                new Plan(out -> Native.dpa_baseline_plan(at, name, set, out)));
    }
}
