package org.dpadapt;

/**
 * NOT PRIVATE: how many private records a private call would set to zero or clip; see {@link
 * Privacy#inspect}.
 *
 * @param nonfinite records with NaN, infinity or an invalid label, which count as zero
 * @param scaled records with features beyond {@code feature_radius}, which are scaled down
 * @param clamped records with a label beyond {@code label_bound}, which is clamped
 */
public record Inspection(long nonfinite, long scaled, long clamped) {}
