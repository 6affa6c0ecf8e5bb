package org.dpadapt;

/**
 * What a solution promises about the records that it was made from.
 *
 * @param kind whether there is a guarantee
 * @param epsilon of the problem's budget; infinite unless guaranteed, all or in part
 * @param delta of the problem's budget; 1 where epsilon is infinite
 */
public record Protection(Kind kind, double epsilon, double delta) {
    /** Kinds of protection; the order is that of the numbers in C. */
    public enum Kind {
        /** Fitted without privacy. */
        NONE,
        /** (epsilon, delta)-differentially private. */
        GUARANTEED,
        /** NOT PRIVATE: the noise came from {@code unsafe_seed}. */
        SEEDED,
        /**
         * What was released is (epsilon, delta)-differentially private, but something was also
         * taken from the problem without protection; the report tells what.
         */
        IN_PART
    }

    /** Whose difference epsilon is about; the order is that of the numbers in C. */
    public enum Neighbours {
        /** The content of one private record is replaced. */
        REPLACE,
        /** One private record is taken out, and adds nothing to any sum; sizes stay. */
        ZERO_OUT
    }
}
