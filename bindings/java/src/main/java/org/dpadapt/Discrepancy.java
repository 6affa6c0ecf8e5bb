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
        return number("value");
    }

    /**
     * Noise in the value.
     *
     * @return its standard deviation; 0 without privacy
     */
    public double deviation() {
        return number("deviation");
    }

    /**
     * Bounds of the maximum.
     *
     * @return proven bounds; {@link DpaException#NOT_RELEASABLE} for a private estimate
     */
    public Bounds bounds() {
        return new Bounds(number("lower"), number("upper"));
    }

    /**
     * Bound of the labelled discrepancy, of an unlabelled one with the option {@code
     * labelling_disagreement}.
     *
     * @return an upper bound; of private records it holds with probability {@code confidence}
     */
    public double labelledBound() {
        return number("labelled_bound");
    }

    /**
     * Number of features of the samples.
     *
     * @return at least 1
     */
    public int features() {
        return (int) number("features");
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
        return number("intercept");
    }

    private double number(String name) {
        return handle.number((at, out) -> Native.dpa_discrepancy_value(at, name, out));
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
