/** Passes: samples that stay where they are, in a database, on a cluster, in files.
 *
 *  A private method asks for exact sums of integers over the private records, a few to a few dozen
 *  times. Each question is a *request*: bytes that define what is computed for a record. It
 *  consists of public and released numbers, so anybody may see it. The answer, a *partial*, is a
 *  sum over some of the records. It is as private as they are: it must stay within the custodian's
 *  trust boundary. Only the library, which adds the noise, may read it.
 *
 *      driver   dpa_problem_set_passes(problem, DPA_TARGET, rows, cols, pass, user), then
 *               dpa_solve, dpa_discrepancy_estimate or dpa_baseline_solve as ever. They call
 *               pass(request, total) once for each question.
 *      worker   in any process on any machine: dpa_partial_create(request), dpa_partial_add for its
 *               rows, dpa_partial_serialize. It needs no problem, options or noise.
 *      driver   in pass: dpa_partial_merge(total, bytes) for each worker, then return 0.
 *
 *  Sums are exact, so the result has the same bits for any partition of the rows, in any order, as
 *  for rows in memory. A partial names its request by a checksum, and a partial of another request
 *  is refused. A total over fewer or more records than announced is DPA_E_CALLBACK, and the price
 *  of the call is spent. Drivers cannot be serialized by design: resuming one twice would release
 *  the same sums twice for one payment.
 *
 *  The number of records is public. A host must count its records by a rule that does not depend on
 *  private values: a row that is unusable is added with NaN, not left out.
 *
 *  Methods that need the numbers of records, or that run code of the caller, are DPA_E_UNSUPPORTED
 *  before anything is paid: method = paper, the baseline noisy_sgd, loss = custom, and a public
 *  target elsewhere.
 *
 *  Where persons have several rows, DPA_PERSONS protects persons. All rows of a person must lie in
 *  one part.
 *
 *  The public source of a private target may be elsewhere, too. One request returns a sample of its
 *  rows, chosen by their contents. With more than 65536 rows a second one returns exact second
 *  moments. The sample holds rows as they are; it is never requested of a private sample. With more
 *  than 65536 rows only fits of losses with linear scores and alpha = auto are possible; other
 *  calls are DPA_E_UNSUPPORTED before anything is paid. Weights of these rows are not released.
 *
 *  A label without meaning is reported without its row. With more than 65536 rows it is detected
 *  only in the sample, or if it is the smallest or the largest. Both passes must read the same rows
 *  in the same columns. A digest of all rows detects a difference, before anything is paid
 *  (DPA_E_CALLBACK).
 */
#ifndef DPADAPT_PASSES_H
#define DPADAPT_PASSES_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Answers a request over all records of a sample, within the thread of the call that asks. It must
 *  not use the problem (DPA_E_STATE).
 *  @param request      Bytes for dpa_partial_create; valid during the call.
 *  @param request_len  Their number.
 *  @param total        Empty: merge the sums of all records into it, or add rows to it. It is gone
 *                      when the function returns.
 *  @param user         As given to dpa_problem_set_passes.
 *  @return 0 when each record is in the total once. Otherwise the call that asked fails with
 *          DPA_E_CALLBACK; what it has paid is spent. */
typedef int32_t (*dpa_pass_fn)(const uint8_t *request, size_t request_len, dpa_partial *total,
                               void *user);

/* Of dpa_problem_set_passes alone, beside DPA_SOURCE and DPA_TARGET: a target of persons. */
#define DPA_PERSONS 2

/** Sets a sample that stays where it is: a private one, or the public source of a private target.
 *  In a public one values that are not finite are DPA_E_NONFINITE when it is used, and rows without
 *  a label (NaN) are left out.
 *
 *  With DPA_PERSONS it is as after dpa_problem_set_groups: from now on private calls on the problem
 *  protect persons, whatever the number of their rows. Workers add the rows with the ids of their
 *  persons (dpa_partial_add), and a total counts persons. The result has the same bits as for rows
 *  in memory if the rows of each person have the same order.
 *  @param domain  DPA_SOURCE, DPA_TARGET or DPA_PERSONS; a target must be private when it is used.
 *  @param rows    Number of records, or of persons, public, from 1 to 2^40. Above 2^32 selections
 *                 and discrepancies of general losses are DPA_E_UNSUPPORTED.
 *  @param cols    Number of features, at least 1; the same as the other sample's if that is set.
 *  @param pass    Answers requests; must not be NULL.
 *  @param user    For pass; must live until the sample is replaced or the problem is destroyed.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY; DPA_E_OVERFLOW;
 *          DPA_E_DIMENSION; DPA_E_STATE, also for persons once something was released about
 *          records, or with a budget or ledger of records; DPA_E_UNSUPPORTED for a source with a
 *          map (dpa_problem_set_source_map); DPA_E_NO_MEMORY. With persons dpa_inspect_private,
 *          which counts rows, is DPA_E_UNSUPPORTED.  Cost O(1).  Since 0.2. */
DPA_API dpa_status dpa_problem_set_passes(dpa_problem *problem, int32_t domain, size_t rows,
                                          size_t cols, dpa_pass_fn pass, void *user);

/** An empty sum for a request.
 *  @param request      Bytes as a dpa_pass_fn received them.
 *  @param request_len  Their number.
 *  @param out          Receives the handle, to be released by dpa_partial_destroy; NULL stored on
 *                      failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_FORMAT for anything but a request that
 *          this version of the library wrote; DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_partial_create(const uint8_t *request, size_t request_len,
                                      dpa_partial **out);

/** Adds rows. Values that are not finite make a null record, which counts as one record and adds
 *  nothing. Only the sum depends on the content of records.
 *
 *  A request about DPA_PERSONS needs the ids of persons. A
 *  person's contribution is clipped as a whole, so all rows of a person must come in one call; they
 *  need not be adjacent. The order of a person's rows decides which are the first
 *  `rows_per_person`, and the last bits of their mean. It must follow from this person's rows
 *  alone, such as their times or a key. The engine's order will not do: the rows of others may
 *  change it.
 *
 *  The custodian must not divide a person's rows. Where this is detected, it is refused:
 *
 *      - a person in two calls on a partial
 *      - two merged partials that share one of the 256 persons whose ids have the smallest hashes
 *      - a total of more or fewer persons than announced; count distinct ids
 *
 *  @param partial  Changed only on success.
 *  @param x        Features in feature units, with the request's number of columns, else
 *                  DPA_E_DIMENSION; zero rows make an empty part. Not kept.
 *  @param y        Labels, an array of length y_len; label units. Not kept.
 *  @param y_len    Must equal the rows.
 *  @param ids      The person of each row, an array of length n; any numbers. Only hashes are kept.
 *                  NULL for a request about records.
 *  @param n        Must equal the rows; 0 where ids is NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY for zero columns;
 *          DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_DIMENSION; DPA_E_STATE when there would be more
 *          records than the request covers, when a person would be added twice, or when ids are
 *          missing or not wanted; DPA_E_NO_MEMORY.
 *          Cost: rows * cols^2 at most, and 16 bytes for each person.  Since 0.2. */
DPA_API dpa_status dpa_partial_add(dpa_partial *partial, dpa_matrix x, const double *y,
                                   size_t y_len, const int64_t *ids, size_t n);

/** Names the records of this partial as a part, for hosts that may compute a part twice: sums that
 *  share a part cannot be merged. The names are in the bytes.
 *  @param part  Any number; the same part must have the same one in every pass.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE when the partial has that part already;
 *          DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_partial_name(dpa_partial *partial, uint64_t part);

/** Adds the sum of other records.
 *  @param partial   Changed only on success.
 *  @param data      Bytes of dpa_partial_serialize.
 *  @param data_len  Their number.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_FORMAT for damaged bytes,
 *          and for the sum of another request; DPA_E_STATE when a part would be added twice, when
 *          hashes show that a person would be, or when more records than the request covers would;
 *          DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_partial_merge(dpa_partial *partial, const uint8_t *data, size_t data_len);

/** The bytes of the sum. As private as the records.
 *  @param needed  Receives the size needed; may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_BUFFER when out_len is too small (out is unchanged);
 *          DPA_E_INVALID_ARGUMENT; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_partial_serialize(const dpa_partial *partial, uint8_t *out, size_t out_len,
                                         size_t *needed);

/** Number of records, or of persons, that have been added.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT.  Since 0.2. */
DPA_API dpa_status dpa_partial_records(const dpa_partial *partial, uint64_t *records);

/** Releases the handle; NULL is accepted and ignored.  Since 0.2. */
DPA_API void dpa_partial_destroy(dpa_partial *partial);

DPA_EXTERN_C_END

#endif
