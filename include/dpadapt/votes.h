/** Votes: any model, adapted privately.
 *
 *  The private rows are divided into shards. The caller trains a model on each shard, outside of
 *  the library and by any means: a forest, boosting, a network. These are the teachers; each may
 *  use all public rows as well. Every teacher answers the same public queries, such as rows of the
 *  source. The library releases how many teachers gave each answer, or their mean answer, with
 *  noise. Whatever is computed from these numbers costs nothing further. So a student of any kind
 *  can be fitted to the queries with their released labels.
 *
 *  Why it is private: a record, or a person, is in one shard. Between neighbours one teacher
 *  changes, and with it one answer to each query. This holds if
 *
 *      - shards are those of dpa_votes_shard, or depend on no row's content
 *      - a teacher sees the private rows of its shard, and no others; so bounds and settings of its
 *        model come from public rows or from that shard
 *      - the queries, their number and the number of teachers are public
 *      - nothing else about teachers is published: no teacher's error, no choice among teachers
 *
 *  The library cannot check any of this: it sees the answers alone.
 *
 *  How many: with q queries and K teachers the noise of a mean has the deviation
 *  (high - low) sqrt(q)/(mu K), and that of a count sqrt(2 q)/mu. A student that averages over q
 *  queries is left with noise that hardly depends on q, and falls with K. So take thousands of
 *  queries, and many teachers with few rows each (20 to 100) for a small epsilon. Where a range is
 *  half as wide, so is the noise: let teachers answer how far the label is from the prediction of a
 *  public model, clipped to a small range.
 */
#ifndef DPADAPT_VOTES_H
#define DPADAPT_VOTES_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Which teacher each private row trains: numbers from 0 to teachers - 1.
 *  @param ids       Array of length n: the person of each row. A row's teacher follows from its id
 *                   alone, so all rows of a person have the same one. An id must be the person's
 *                   own, not a place in a list, which may depend on others. Some teachers may have
 *                   no rows, and answer by public rows alone. The result shows which rows share a
 *                   teacher: it is as private as the ids.
 *  @param n         Must equal out_len; or 0: there are no ids. Then rows are divided evenly, by
 *                   their position alone.
 *  @param teachers  From 1 to the number of rows, and at most 2^20.
 *  @param out       Array of length out_len, the number of rows, at most 2^31 - 1.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY for no rows; DPA_E_OVERFLOW;
 *          DPA_E_DIMENSION; DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_votes_shard(const int64_t *ids, size_t n, size_t teachers, double *out,
                                   size_t out_len);

/** Counts the teachers' votes for classes.
 *  @param problem    Whose private records, or persons, the teachers know. It pays: epsilon and
 *                    delta are entered into its ledger before an answer is read, and
 *                    dpa_problem_privacy_report has the promise. Its samples may be absent, if its
 *                    unit is clear from its budget or ledger.
 *  @param answers    One row a teacher, at most 2^20, and one column a query: the number of a
 *                    class, from 0 to classes - 1. Anything else is no vote.
 *  @param classes    From 2 to 1000.
 *  @param options    NULL for the defaults. `private_domain`, `epsilon`, `delta`, `neighbours`,
 *                    `unit`, `unsafe_seed` and `threads` are read. With private_domain = none
 *                    there is no noise and no promise.
 *  @param out        Array of length out_len = queries times classes, at most 2^26: the count of
 *                    class c for query j is out[j * classes + c]. With noise it may be negative.
 *                    Unchanged on failure.
 *  @param deviation  Receives the standard deviation of the noise of each count; may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY; DPA_E_STRIDE;
 *          DPA_E_OVERFLOW; DPA_E_DIMENSION for another out_len; DPA_E_OPTION without a budget, or
 *          where it is too small; DPA_E_STATE; DPA_E_BUDGET; DPA_E_ENTROPY; DPA_E_CANCELLED;
 *          DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_votes_count(dpa_problem *problem, dpa_matrix answers, size_t classes,
                                   const dpa_options *options, double *out, size_t out_len,
                                   double *deviation);

/** The mean of the teachers' answers, numbers in [low, high], to each query. For two classes the
 *  share of votes for one, or the mean probability, is such a number with low = 0 and high = 1.
 *  @param answers  As above, of numbers: they are clipped to the range; NaN counts as its middle.
 *  @param low      Finite. The range must not be looked up in private rows or answers.
 *  @param high     Finite, more than low.
 *  @param out      Array of length out_len, one number a query, at most 2^26. With noise it may be
 *                  outside of the range. Unchanged on failure.
 *  The rest as dpa_votes_count.  Since 0.2. */
DPA_API dpa_status dpa_votes_mean(dpa_problem *problem, dpa_matrix answers, double low, double high,
                                  const dpa_options *options, double *out, size_t out_len,
                                  double *deviation);

DPA_EXTERN_C_END

#endif
