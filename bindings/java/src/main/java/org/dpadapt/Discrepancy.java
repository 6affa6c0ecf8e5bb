package org.dpadapt;

/**
 * An estimate of the discrepancy between the samples of a problem: the largest difference of their
 * losses over a ball of predictors. Made by {@link Problem#discrepancy}; never changes.
 */
public final class Discrepancy implements AutoCloseable {
    final Handle handle;

    Discrepancy(Handle.Create create) {
        handle = new Handle("discrepancy", Native::dpa_discrepancy_destroy, create);
    }

    /**
     * Interval of the maximum.
     *
     * @param lower the loss difference at a feasible predictor, less a bound on rounding
     * @param upper the dual value, with a bound on rounding
     */
    public record Bounds(double lower, double upper) {}

    /**
     * The estimate.
     *
     * @return at least 0, in squared label units or units of the loss
     */
    public double value() {
        return handle.number(Native::dpa_discrepancy_value);
    }

    /**
     * Noise in the value.
     *
     * @return its standard deviation; 0 without privacy
     */
    public double deviation() {
        return handle.number(Native::dpa_discrepancy_deviation);
    }

    /**
     * Bounds of the maximum.
     *
     * @return proven bounds; {@link DpaException#NOT_RELEASABLE} for a private estimate
     */
    public Bounds bounds() {
        double[] upper = new double[1];
        double lower =
                handle.number((at, out) -> Native.dpa_discrepancy_bounds(at, out, upper));
        return new Bounds(lower, upper[0]);
    }

    /**
     * Number of features of the samples.
     *
     * @return at least 1
     */
    public int features() {
        return (int) handle.fill(new long[1], Native::dpa_discrepancy_features)[0];
    }

    /**
     * The predictor that attains the value.
     *
     * @return one coefficient for each feature, in label units per feature unit; {@link
     *     DpaException#NOT_RELEASABLE} for a private estimate
     */
    public double[] maximizer() {
        return handle.array(features(), Native::dpa_discrepancy_maximizer);
    }

    /**
     * The intercept of that predictor.
     *
     * @return in label units
     */
    public double maximizerIntercept() {
        return handle.number(Native::dpa_discrepancy_maximizer_intercept);
    }

    /** The value. */
    @Override
    public String toString() {
        return Handle.shown("Discrepancy", () -> String.valueOf(value()));
    }

    /** Releases the estimate. */
    @Override
    public void close() {
        handle.close();
    }
}
