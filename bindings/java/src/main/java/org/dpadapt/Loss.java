package org.dpadapt;

/**
 * A loss of the caller's, l(theta; x, y) of one record; see {@link Options#loss(Loss, int)}. Called on
 * the thread that made the call, with a batch of records; several calls at once with the same options
 * call it at once.
 *
 * <p>What theta predicts, the author alone knows: a solution has {@link Solution#parameters()} and
 * {@link Solution#transform}, and can be saved, but predictions, scores and probabilities, {@link
 * Problem#select} and a {@link Search} are {@link DpaException#UNSUPPORTED}, a search before it fits.
 *
 * <p>What it throws on public records stops the call and comes back from it unchanged. A public
 * result that is not finite, or left unwritten, counts as an infinite loss.
 *
 * <p>Private records are given one by one. Results that are not finite count as zero, and so does an
 * exception, which nobody will see; results are clipped before they are added up. So the privacy
 * guarantee does not rest on what is computed, as long as the function keeps nothing about records
 * from one call to the next and publishes nothing itself.
 */
@FunctionalInterface
public interface Loss {
    /**
     * Computes losses, and gradients if they are wanted.
     *
     * @param x records, row after row, in preprocessed coordinates; the number of rows is that of the
     *     labels. All arrays are valid during the call only
     * @param labels one a record, as they were given
     * @param theta the parameters
     * @param losses to be filled with the loss of each record: at least 0, which is presumed and not
     *     checked
     * @param gradients to be filled, record after record, with the gradients by theta; null when they
     *     are not wanted
     */
    void evaluate(
            double[] x, double[] labels, double[] theta, double[] losses, double[] gradients);
}
