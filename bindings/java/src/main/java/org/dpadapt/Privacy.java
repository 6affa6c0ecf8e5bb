package org.dpadapt;

import java.util.List;
import java.util.function.Consumer;

/**
 * The accountant, plans, and a look at private records. A Laplace release of scale b costs
 * laplaceEpsilon = sensitivity / b; Gaussian releases cost mu with mu^2 = the sum of (sensitivity /
 * sigma)^2. All results are rounded to the safe side.
 */
public final class Privacy {
    /** What the accountant computes with at most. */
    static final double MOST_MU = 50;

    static final double MOST_EPSILON = 300;

    private Privacy() {}

    /**
     * The smallest delta at which releases are (epsilon, delta)-differentially private.
     *
     * @param epsilon in [-600, 600]
     * @param laplaceEpsilon in [0, 300]; 0 without a Laplace release
     * @param mu in [0, 50]; 0 without a Gaussian release
     * @return delta, rounded up
     */
    public static double delta(double epsilon, double laplaceEpsilon, double mu) {
        return number(out -> Native.dpa_privacy_delta(epsilon, laplaceEpsilon, mu, out));
    }

    /**
     * The smallest epsilon at which releases are (epsilon, delta)-differentially private.
     *
     * @param delta in [1e-300, 1), or 0, which only mu = 0 can reach
     * @param laplaceEpsilon in [0, 300]
     * @param mu in [0, 50]
     * @return epsilon, rounded up
     */
    public static double epsilon(double delta, double laplaceEpsilon, double mu) {
        return groupEpsilon(delta, laplaceEpsilon, mu, 0, 1);
    }

    /**
     * The same for several records of one person: mu and the epsilons are so many times as large,
     * which at the same delta is much more than so many times the epsilon.
     *
     * @param delta as above
     * @param laplaceEpsilon of one record, like mu and pureEpsilon
     * @param mu the product with the records in [0, 50]
     * @param pureEpsilon of other pure releases, such as selections
     * @param records at least 1
     * @return epsilon, rounded up
     */
    public static double groupEpsilon(
            double delta, double laplaceEpsilon, double mu, double pureEpsilon, long records) {
        return number(
                out ->
                        Native.dpa_privacy_epsilon(
                                delta, laplaceEpsilon, mu, pureEpsilon, records, out));
    }

    /**
     * The largest mu that a budget leaves for Gaussian releases.
     *
     * @param epsilon in [0, 600]
     * @param delta in [1e-300, 1)
     * @param laplaceEpsilon in [0, 300]
     * @return mu, rounded down
     */
    public static double mu(double epsilon, double delta, double laplaceEpsilon) {
        return number(out -> Native.dpa_privacy_mu(epsilon, delta, laplaceEpsilon, out));
    }

    /**
     * The smallest noise of one Gaussian release of sensitivity 1.
     *
     * @param epsilon in [0, 600]
     * @param delta in [1e-300, 1)
     * @return sigma, rounded up
     */
    public static double sigma(double epsilon, double delta) {
        return Math.nextUp(Math.nextUp(1 / mu(epsilon, delta, 0)));
    }

    /**
     * The price of sums over records that are drawn anew for each of them (Poisson sampling), with
     * Gaussian noise: as private as one Gaussian release of that mu, but for a probability {@code
     * failure} with which nothing is promised.
     *
     * @param noiseMultiplier sigma over the largest norm of a record's part, in [0.1, 1e6]
     * @param rate the probability of a record, in [1e-6, 1]
     * @param steps how many sums, in [1, 1e7]
     * @param neighbours what epsilon is about
     * @param failure in [1e-15, 0.1]
     * @return mu, rounded up
     */
    public static double sampledMu(
            double noiseMultiplier,
            double rate,
            long steps,
            Protection.Neighbours neighbours,
            double failure) {
        return number(
                out ->
                        Native.dpa_privacy_sampled_mu(
                                noiseMultiplier, rate, steps, neighbours.ordinal(), failure, out));
    }

    /**
     * Plans a fit from sizes and options alone, without data; see {@link Problem#plan} too.
     *
     * @param sourceRows number of source records
     * @param targetRows number of target records
     * @param features number of features
     * @param options null for the defaults
     * @return the plan
     */
    public static Plan plan(long sourceRows, long targetRows, long features, Options options) {
        if (sourceRows < 0 || targetRows < 0 || features < 0)
            throw DpaException.make(DpaException.DIMENSION, "a size is negative");
        return Options.with(
                options,
                set ->
                        new Plan(
                                out ->
                                        Native.dpa_plan_create(
                                                sourceRows, targetRows, features, set, out)));
    }

    /**
     * NOT PRIVATE. Counts the private records that a private call would set to zero or clip, and
     * names what looks like a slip between samples in memory: other units, codes, labels or columns
     * turned round, rows in both. It is for the person who holds the records anyway: do not publish
     * or log it, and do not use it to choose options. Every later report of the problem mentions
     * the inspection.
     *
     * @param problem both samples set
     * @param options those of the fit; null for the defaults
     * @return sentences; columns are numbered from 0
     */
    public static List<String> inspect(Problem problem, Options options) {
        return Check.notNull(problem, "problem")
                .call(
                        options,
                        (at, set) ->
                                Handle.textOf(
                                                (out, needed) ->
                                                        Native.dpa_inspect_private(
                                                                at, set, out, needed))
                                        .lines()
                                        .toList());
    }

    private static double number(Consumer<double[]> call) {
        double[] out = new double[1];
        call.accept(out);
        return out[0];
    }
}
