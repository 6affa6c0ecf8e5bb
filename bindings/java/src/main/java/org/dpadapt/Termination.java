package org.dpadapt;

/** Why a solver stopped; the order is that of the numbers in C. */
public enum Termination {
    /** The duality gap is within {@code tolerance}. */
    CONVERGED,
    /** No further progress in double precision; the duality gap says how near the minimum is. */
    PRECISION,
    /** All {@code iterations} were used. */
    ITERATIONS,
    /** kappa_1 = 0: the minimum is 0 with all weights 0, for every predictor. */
    DEGENERATE,
    /** A private fit: the planned steps were made. */
    STEPS,
    /** The same, but the last steps still lead elsewhere by more than noise explains. */
    NOT_CONVERGED
}
