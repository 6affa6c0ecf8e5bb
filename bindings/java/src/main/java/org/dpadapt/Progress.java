package org.dpadapt;

/**
 * Where a running call is.
 *
 * @param phase "preprocess", "public fit", "discrepancy", "solve", "private steps", "candidates" or
 *     "selection"
 * @param iteration the iteration within the phase, from 0
 * @param limit iterations at which the phase ends at the latest; 0 when unknown
 * @param objective at the iterate, in units of the loss; NaN when there is none
 * @param dualityGap at the iterate, in the same units; NaN when there is none
 */
public record Progress(
        String phase, long iteration, long limit, double objective, double dualityGap) {}
