package org.dpadapt;

/**
 * What a solution promises about the records that it was made from.
 *
 * @param kind whether there is a guarantee
 * @param epsilon of the problem's budget; infinite unless guaranteed
 * @param delta of the problem's budget; 1 unless guaranteed
 */
public record Protection(Kind kind, double epsilon, double delta) {
    /** Kinds of protection; the order is that of the numbers in C. */
    public enum Kind {
        /** Fitted without privacy. */
        NONE,
        /** (epsilon, delta)-differentially private. */
        GUARANTEED,
        /** NOT PRIVATE: the noise came from {@code unsafe_seed}. */
        SEEDED
    }
}
