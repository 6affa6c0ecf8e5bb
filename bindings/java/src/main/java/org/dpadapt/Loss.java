package org.dpadapt;

/**
 * Your own loss, l(theta; x, y) of one record; see {@link Options#loss(Loss, int)}. It is called on
 * the thread that made the call, with a batch of records. If several calls with the same options
 * run at once, it is called from several threads at once.
 *
 * <p>Only the author of a custom loss can interpret its parameters. A solution has {@link
 * Solution#parameters()} and {@link Solution#transform}, and can be saved; predictions, scores,
 * probabilities, {@link Problem#select} and a {@link Search} throw {@link
 * DpaException#UNSUPPORTED}.
 *
 * <p>An exception on public records stops the call and is thrown by it unchanged. A public result
 * that is not finite, or left unwritten, counts as an infinite loss.
 *
 * <p>Private records are given one by one. Results are clipped before they are added up. A result
 * that is not finite counts as zero; an exception on a private record is ignored and counts as
 * zero, too. So the privacy guarantee does not depend on what is computed, as long as the function
 * remembers nothing about records from one call to the next and publishes nothing itself.
 */
@FunctionalInterface
public interface Loss {
    /**
     * Computes losses, and gradients if they are wanted.
     *
     * @param x records, row after row, in preprocessed coordinates; the number of rows is that of
     *     the labels. All arrays are valid during the call only
     * @param labels one for each record, as they were given
     * @param theta the parameters
     * @param losses to be filled with the loss of each record, which must be at least 0; this is
     *     not checked
     * @param gradients to be filled, record after record, with the gradients by theta; null when
     *     they are not wanted
     */
    void evaluate(
            double[] x, double[] labels, double[] theta, double[] losses, double[] gradients);
}
