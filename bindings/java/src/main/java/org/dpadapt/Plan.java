package org.dpadapt;

/**
 * What a private call would release, computed from sizes, options and public data alone. Made by
 * {@link Privacy#plan} and {@link Problem#plan}; never changes.
 */
public final class Plan implements AutoCloseable {

    /** A factor that is more than any rounding. */
    private static final double ABOVE = 1 + 0x1p-50;

    private final Handle handle;

    Plan(Handle.Create create) {
        handle = new Handle("plan", Native::dpa_plan_destroy, create);
    }

    /**
     * A number of the plan.
     *
     * @param name "mu", "laplace_epsilon", "pure_epsilon", "steps", "passes", "bytes", "seconds",
     *     "noise_multiplier", "sigma", "sensitivity", "laplace_scale", "discrepancy_deviation",
     *     "discrepancy_sensitivity", "tau"; "forecasts", the number of cells of a forecast; of
     *     method = paper "theorem" (1 or 4), "theorem_steps", "theorem_error",
     *     "theorem_error_by_predictor",
     *     "theorem_error_by_private_weights", "theorem_error_by_rest" and "theorem_trivial_error"
     * @return the number; 0 where nothing of that kind is released
     */
    public double value(String name) {
        return handle.number((at, out) -> Native.dpa_plan_value(at, name, out));
    }

    /**
     * A number of a forecast.
     *
     * @param cell from 0, less than {@code value("forecasts")}: one for every epsilon and shift
     * @param name "target_rows", "epsilon", "delta", "shift", "source_only", "private" or
     *     "target_only", the last three also with "_lower" or "_upper" behind; or
     *     "rows_to_beat_source", the rows beyond which the private error is below the source's
     * @return the number
     */
    public double forecast(long cell, String name) {
        return handle.number((at, out) -> Native.dpa_plan_forecast_value(at, cell, name, out));
    }

    /**
     * The delta of the plan at an epsilon.
     *
     * @param epsilon as in {@link Privacy#delta}
     * @return delta, rounded up
     */
    public double delta(double epsilon) {
        // Pure releases besides cost at most a shift of epsilon.
        double others =
                Privacy.delta(
                        epsilon - value("pure_epsilon"), value("laplace_epsilon"), value("mu"));
        double failure = value("failure");
        return failure == 0 ? others : Math.min(1, (others + failure) * ABOVE);
    }

    /**
     * The epsilon of the plan at a delta.
     *
     * @param delta as in {@link Privacy#epsilon}
     * @return epsilon, rounded up
     */
    public double epsilon(double delta) {
        return handle.number((at, out) -> Native.dpa_plan_epsilon(at, delta, out));
    }

    /**
     * Whether the plan is proven to be (epsilon, delta)-differentially private.
     *
     * @param epsilon the epsilon to check
     * @param delta the delta to check
     * @return true if it is
     */
    public boolean holds(double epsilon, double delta) {
        return value("mu") <= Privacy.MOST_MU
                && value("laplace_epsilon") <= Privacy.MOST_EPSILON
                && delta(epsilon) <= delta;
    }

    /**
     * The plan with every release, its noise, and the curve of epsilon and delta.
     *
     * @param form JSON or text
     * @return the report
     */
    public String report(Report form) {
        int number = Check.notNull(form, "form").ordinal();
        return handle.text(
                (at, out, needed) -> Native.dpa_plan_report(at, number, out, needed));
    }

    /** The price. */
    @Override
    public String toString() {
        return Handle.shown("Plan", () -> "mu = " + value("mu") + ", Laplace epsilon = "
                + value("laplace_epsilon"));
    }

    /** Releases the plan. */
    @Override
    public void close() {
        handle.close();
    }
}
