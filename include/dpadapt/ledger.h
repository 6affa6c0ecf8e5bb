/** Ledgers that outlive a process: one budget for several problems, processes and days.
 *
 *  A ledger begins with its budget, which nobody can change, and has one entry for each private
 *  call that was paid from it: when, at which price, what is released with which noise, the sizes
 *  of the samples, and the options that are not the default ones. It holds nothing that depends on
 *  the content of a private record: no fingerprint of the records either, because whoever knows all
 *  but one of them could try values of the last one until the fingerprint fits. So the custodian
 *  decides which problems are about the people of a ledger.
 *
 *  An entry is stored, and on the disk, before the noise of its call is drawn and before the call
 *  reads a private record. Whatever becomes of the call, the process or the machine then, the price
 *  is spent. Prices add up over calls, whichever sample is the private one, so a person may be in
 *  samples of several problems.
 *
 *  What epsilon is about is fixed when a ledger is made, by two options: its unit, records or
 *  persons (`unit`), and what neighbours differ in (`neighbours`). Calls of another unit, or of
 *  other neighbours, are refused before they pay.
 *
 *  The bytes of a ledger are blocks of 4096: a header, then the entries. Each block ends with the
 *  BLAKE2b hash of the previous block's hash and of its own content. So a changed, missing, doubled
 *  or moved block is found, and so is a file that ends within one. Blocks that were cut off at the
 *  end, and a ledger that was written anew from the first block on, cannot be found from the bytes
 *  alone: keep the last hash (`head` in the report) elsewhere and ask dpa_ledger_contains.
 */
#ifndef DPADAPT_LEDGER_H
#define DPADAPT_LEDGER_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** A new ledger in memory, without entries.
 *  @param options  As in dpa_problem_set_budget: `epsilon` and `delta` are the budget,
 *                  `discrepancy_share` and `selection_epsilon` what it keeps for them, `unit`
 *                  (auto: record) and `neighbours` what it is about.
 *  @param locks    1: every problem that uses it is locked (dpa_problem_lock) with the option
 *                  `private_domain` of now; 0: it is not. A ledger that does not lock knows nothing
 *                  of results without protection, and seeded noise breaks its promise.
 *  @param out      Receives the handle, to be released by dpa_ledger_destroy; NULL stored on
 *                  failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for other values of locks; DPA_E_OPTION;
 *          DPA_E_ENTROPY; DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_ledger_create(const dpa_options *options, int32_t locks, dpa_ledger **out);

/** A new ledger in a new file, which only its user may read and write.
 *  @param path  Must not exist.
 *  @return as dpa_ledger_create; DPA_E_STORE when the file exists or cannot be written.  Since 0.1.
 */
DPA_API dpa_status dpa_ledger_create_file(const char *path, const dpa_options *options,
                                          int32_t locks, dpa_ledger **out);

/** The ledger in that file. Any number of handles, threads and processes may use one file at once:
 *  each charge locks it (flock), reads what others have added, compares the price with what is
 *  left, adds its entry and waits until it is on the disk (fsync). The lock must work between all
 *  who use the file, which network file systems do not always promise. Reading a ledger needs no
 *  permission to write. Where an entry cannot be written, the call fails with DPA_E_STORE before it
 *  reads a private record, and what the file then holds counts as spent.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_STORE when the file cannot be read; DPA_E_FORMAT
 *          when it is not a ledger, or damaged; DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_ledger_open(const char *path, dpa_ledger **out);

/** The ledger from bytes of dpa_ledger_serialize, in memory, without a store. Two handles from the
 *  same bytes know nothing of each other: each can spend what is left, unless a store refuses the
 *  second entry of a number.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_FORMAT; DPA_E_NO_MEMORY.  Any thread.  Since 0.1.
 */
DPA_API dpa_status dpa_ledger_deserialize(const uint8_t *data, size_t data_len, dpa_ledger **out);

/** The bytes of the ledger: those of its file, if it has one.
 *  @param needed  Receives the size needed; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT; as dpa_ledger_open for a file.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_ledger_serialize(const dpa_ledger *ledger, uint8_t *out, size_t out_len,
                                        size_t *needed);

/** Releases the handle; NULL is accepted and ignored. Problems that use the ledger go on to do so.
 *  Since 0.1. */
DPA_API void dpa_ledger_destroy(dpa_ledger *ledger);

/** Stores an entry where the host keeps its ledger, such as a table whose key is the number. It is
 *  called when a call has been planned and its price is within the budget, before a private record
 *  is read. It must return only when the entry will survive a crash: a transaction of the host that
 *  can still be rolled back is not enough.
 *  @param sequence   Number of the entry, from 1. A store that has another entry of that number
 *                    must refuse: another process has paid meanwhile.
 *  @param entry      Bytes that dpa_ledger_serialize appends to the earlier ones.
 *  @param entry_len  Their number.
 *  @param user       As given to dpa_ledger_set_store.
 *  @return 0 if it is stored. Otherwise the call fails with DPA_E_STORE and reads nothing; the
 *          charge stands in this ledger, which makes no further ones (DPA_E_STATE): load it again
 *          from what is stored. */
typedef int32_t (*dpa_ledger_store_fn)(uint64_t sequence, const uint8_t *entry, size_t entry_len,
                                       void *user);

/** Calls that function at every charge from now on; NULL: no longer. A file stays the ledger's file
 *  and has the entry before.
 *  @param ledger  Charges of other threads wait while the function runs; one from within it is
 *                 refused (DPA_E_STATE).
 *  @param user    Must live until the ledger and the problems that use it are destroyed.
 *  @return DPA_OK; DPA_E_HANDLE.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_ledger_set_store(dpa_ledger *ledger, dpa_ledger_store_fn store, void *user);

/** Budget, unit, neighbours, whether it locks, what is spent and left, the last hash (`head`) and
 *  all entries, which no other report has; form, buffer and errors as dpa_plan_report, and as
 *  dpa_ledger_open for a file. For the custodian, but nothing in it depends on the content of a
 *  private record.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_ledger_report(const dpa_ledger *ledger, int32_t form, char *out,
                                     size_t out_len, size_t *needed);

/** Whether the ledger still has the block with that hash: then everything up to it is as it was
 *  when `head` was that.
 *  @param head      64 hexadecimal digits.
 *  @param contains  Receives 1 or 0.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; as dpa_ledger_open for a file.  Any
 *          thread.  Since 0.1. */
DPA_API dpa_status dpa_ledger_contains(const dpa_ledger *ledger, const char *head,
                                       int32_t *contains);

/** From now on the private calls on that problem are paid from the ledger, whose budget is the
 *  problem's: what dpa_problem_budget calls left is what is left in the ledger, what it calls spent
 *  was spent by this problem. Several problems may use one ledger.
 *  @param problem  Its budget must not be fixed yet, else DPA_E_STATE. If the ledger is about
 *                  persons and there is a target, it must have them (dpa_problem_set_target_groups,
 *                  dpa_problem_set_target_group_passes); targets that come later must have them
 *                  before they are read. If it is about records, there can be none.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE, also when the unit is another, or a locking ledger
 *          has another private domain than the problem.  Since 0.1. */
DPA_API dpa_status dpa_problem_use_ledger(dpa_problem *problem, dpa_ledger *ledger);

/** For good, on that problem: another `private_domain` than now (none among them), `unsafe_seed`,
 *  dpa_inspect_private and replacing a sample that is set are refused (DPA_E_STATE). For a
 *  custodian who hands the problem to others in the same process.
 *  @param options  Its `private_domain` is what stays private; none is DPA_E_OPTION. NULL: the
 *                  target.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_OPTION; DPA_E_STATE when the problem has had another private
 *          domain.  Since 0.1. */
DPA_API dpa_status dpa_problem_lock(dpa_problem *problem, const dpa_options *options);

DPA_EXTERN_C_END

#endif
