/** Ledgers that outlive a process: one budget for several problems, processes and days.
 *
 *  A ledger begins with its budget, which is fixed. It has one entry for each private call that was
 *  paid from it: the time, the price, the releases with their noise, the sizes of the samples, and
 *  the options that differ from the defaults.
 *
 *  It holds nothing that depends on the content of a private record. It has no fingerprint of the
 *  records that anybody could compute: with all records but one, an attacker could try values of
 *  the last one until it fits. The mark of a job is one under a secret key. So the custodian
 *  decides which problems are about the people of a ledger.
 *
 *  An entry is on the disk before the noise of its call is drawn and before anything that the call
 *  releases is computed from a private record. The price is spent even if the call, the process or
 *  the machine fails. Prices add up over calls, whichever sample is private, so a person may be in
 *  samples of several problems.
 *
 *  Two options fix the meaning of epsilon when a ledger is created: its unit, records or persons
 *  (`unit`), and how neighbouring data sets differ (`neighbours`). Calls of another unit, or with
 *  other neighbours, are refused before they pay.
 *
 *  The bytes of a ledger are blocks of 4096: a header, then the entries. Each block ends with the
 *  BLAKE2b hash of the previous block's hash and of its own content. So a changed, missing, doubled
 *  or moved block is detected, and so is a file that ends within one. Two things cannot be detected
 *  from the bytes alone: blocks cut off at the end, and a ledger written anew from the first block.
 *  For these keep the last hash (`head` in the report) elsewhere and ask dpa_ledger_contains.
 */
#ifndef DPADAPT_LEDGER_H
#define DPADAPT_LEDGER_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** A new ledger without entries, in a file or in memory. Several processes can pay from a file. In
 *  a forked child a ledger in memory is a copy, and refuses to pay (DPA_E_STATE).
 *  @param path     Of a new file, which only its user may read and write. NULL: in memory.
 *  @param options  As in dpa_problem_set_budget: `epsilon` and `delta` are the budget,
 *                  `discrepancy_share` and `selection_epsilon` its parts for discrepancies and
 *                  selections. `unit` (auto: record) and `neighbours` define its meaning.
 *  @param locks    1: every problem that uses it is locked (dpa_problem_lock) with the
 *                  `private_domain` of `options`. 0: problems are not locked; then the ledger does
 *                  not record results without protection, and seeded noise breaks its promise.
 *  @param out      Receives the handle, to be released by dpa_ledger_destroy; NULL stored on
 *                  failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for other values of locks; DPA_E_OPTION;
 *          DPA_E_STORE when the file exists or cannot be written; DPA_E_ENTROPY; DPA_E_NO_MEMORY.
 *          Any thread.  Since 0.2. */
DPA_API dpa_status dpa_ledger_create(const char *path, const dpa_options *options, int32_t locks,
                                     dpa_ledger **out);

/** The ledger in that file. Any number of handles, threads and processes may use one file at once.
 *  Each charge locks the file (flock), reads new entries, compares the price with what is left,
 *  adds its entry and waits until it is on the disk (fsync). The lock must work between all
 *  processes that use the file; not all network file systems promise that. Reading a ledger needs
 *  no permission to write. If an entry cannot be written, the call fails with DPA_E_STORE before it
 *  reads a private record. Then all that the file holds counts as spent.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_STORE when the file cannot be read; DPA_E_FORMAT
 *          when it is not a ledger, or damaged; DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_ledger_open(const char *path, dpa_ledger **out);

/** The ledger from bytes of dpa_ledger_serialize, in memory, without a store. Two handles from the
 *  same bytes are independent: each can spend what is left, unless a store refuses the second entry
 *  of a number. Like any ledger in memory it pays only in the process that made it.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_FORMAT; DPA_E_NO_MEMORY.  Any thread.  Since 0.2.
 */
DPA_API dpa_status dpa_ledger_deserialize(const uint8_t *data, size_t data_len, dpa_ledger **out);

/** The bytes of the ledger: those of its file, if it has one.
 *  @param needed  Receives the size needed; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT; as dpa_ledger_open for a file.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_ledger_serialize(const dpa_ledger *ledger, uint8_t *out, size_t out_len,
                                        size_t *needed);

/** Releases the handle; NULL is accepted and ignored. Problems that use the ledger keep using it.
 *  Since 0.2. */
DPA_API void dpa_ledger_destroy(dpa_ledger *ledger);

/** Stores an entry where the host keeps its ledger, such as a table whose key is the number. It
 *  runs after a call has been planned and its price is within the budget, and before a private
 *  record is read. It must return only when the entry will survive a crash: a transaction of the
 *  host that can still be rolled back is not enough.
 *  @param sequence   Number of the entry, from 1. A store that has another entry of that number
 *                    must refuse: another process has paid meanwhile.
 *  @param entry      Bytes that dpa_ledger_serialize appends to the earlier ones.
 *  @param entry_len  Their number.
 *  @param user       As given to dpa_ledger_set_store.
 *  @return 0 if it is stored. Otherwise the call fails with DPA_E_STORE and reads nothing. The
 *          charge stands in this ledger, which refuses further ones (DPA_E_STATE): load it again
 *          from the store. dpa_problem_budget counts it neither as left nor as spent by the
 *          problem. */
typedef int32_t (*dpa_ledger_store_fn)(uint64_t sequence, const uint8_t *entry, size_t entry_len,
                                       void *user);

/** Calls the function at every later charge; NULL stops that. If the ledger has a file, the entry
 *  is written there first.
 *  @param ledger  Charges of other threads wait while the function runs; one from within it is
 *                 refused (DPA_E_STATE).
 *  @param user    Must live until the ledger and the problems that use it are destroyed.
 *  @return DPA_OK; DPA_E_HANDLE.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_ledger_set_store(dpa_ledger *ledger, dpa_ledger_store_fn store, void *user);

/** From now on every charge of the ledger is also charged to the parent, which must have enough
 *  left: a call is paid from both or from none. If the entry of the ledger cannot be stored, the
 *  parent's stands. So a ledger can be a part of a budget that others share. Its own reports show
 *  its own budget.
 *  @param parent  Lives as long as the ledger. DPA_E_STATE if the ledger has another parent
 *                 already, or if this one has a parent, another unit, other neighbours or another
 *                 lock. It may get a parent later, which then pays all charges of both, too.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_ledger_set_parent(dpa_ledger *ledger, dpa_ledger *parent);

/** The report of the ledger: budget, unit, neighbours, whether it locks, what is spent and left,
 *  the last hash (`head`), and all entries, which no other report has. Form, buffer and errors as
 *  dpa_plan_report, and as dpa_ledger_open for a file. It is meant for the custodian, but nothing
 *  in it depends on the content of a private record.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_ledger_report(const dpa_ledger *ledger, int32_t form, char *out,
                                     size_t out_len, size_t *needed);

/** Whether the ledger still has the block with that hash. Then everything up to this block is
 *  unchanged since `head` had that value.
 *  @param head      64 hexadecimal digits, in small letters.
 *  @param contains  Receives 1 or 0.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; as dpa_ledger_open for a file.  Any
 *          thread.  Since 0.2. */
DPA_API dpa_status dpa_ledger_contains(const dpa_ledger *ledger, const char *head,
                                       int32_t *contains);

/** From now on the private calls on that problem are paid from the ledger, whose budget is the
 *  problem's. In dpa_problem_budget "left" is what the ledger has left, and "spent" is what this
 *  problem has spent. Several problems may use one ledger. If the ledger locks, first set the
 *  samples with their weights, scores and persons: the lock closes them.
 *  @param problem  Its budget must not be fixed yet, else DPA_E_STATE; so a locked problem takes no
 *                  other ledger. If the unit is persons, a target must have persons
 *                  (dpa_problem_set_groups, DPA_PERSONS), and later
 *                  targets must have them before they are read. If the ledger locks, a later target
 *                  can have them by DPA_PERSONS alone. If the unit is records, a target must have
 *                  none.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE, also when the unit is another, or a locking ledger
 *          has another private domain than the problem.  Since 0.2. */
DPA_API dpa_status dpa_problem_use_ledger(dpa_problem *problem, dpa_ledger *ledger);

/** As dpa_problem_use_ledger, for calls that are paid once, even if the process is killed and they
 *  are made again. The noise of each call, and a mark in its entry (`job=NAME/0:` ...), follow
 *  from the key. A call whose mark the ledger has already pays nothing: with the same key it makes
 *  the same releases again. One whose name the ledger has with another mark is refused
 *  (DPA_E_STATE).
 *
 *  The promise holds if the key is secret and random. The noise is computed from the key and from
 *  all that the call reads: rows, options (also `threads`), method, grid, models, answers and
 *  discrepancy. With the same key, another input has other noise, and is refused under that name.
 *  So `loss` = custom is DPA_E_UNSUPPORTED: the library does not know what its function reads. A
 *  search needs a job on both problems. The noise is the same in every version of the library: use
 *  another key for each version. The command makes the key by keyed BLAKE2b of all files (`--job`).
 *  Whoever has the key and the results can compute the noise: keep it where private rows may be,
 *  and only until the result is safe.
 *  @param problem  Its calls are counted from 0, and must come in the same order each time.
 *  @param name     Of the job: 1 to 64 letters, digits, '.', '-' and '_'. Entries show it.
 *  @param key      32 bytes, copied.
 *  @param key_len  Must be 32.
 *  @return As dpa_problem_use_ledger; DPA_E_INVALID_ARGUMENT for other names and sizes. Calls with
 *          `unsafe_seed` are DPA_E_OPTION then, or DPA_E_STATE if the ledger locks.  Since 0.2. */
DPA_API dpa_status dpa_problem_use_ledger_for_job(dpa_problem *problem, dpa_ledger *ledger,
                                                  const char *name, const uint8_t *key,
                                                  size_t key_len);

/** Locks the problem for good. From now on these are DPA_E_STATE:
 *
 *      - another `private_domain` than now, none among them
 *      - `unsafe_seed`, dpa_inspect_private, and `loss` = custom, whose function sees rows
 *      - another budget or ledger
 *      - replacing a sample that is set
 *      - setting weights, scores, persons or sources of a sample that is set
 *
 *  The budget protects private rows and persons, so these must not change. Private calls within the
 *  budget remain possible, as do functions that return sizes, plans and reports. A sample that is
 *  not set yet may be set once. Locking again with the same `private_domain` changes nothing.
 *
 *  It serves a custodian who hands the problem to others in the same process. Set the samples and
 *  their weights, scores and persons, fix the budget, lock, hand over. It restricts calls only; it
 *  does not stop code that reads the memory of the process.
 *  @param problem  Its budget must be fixed by dpa_problem_set_budget or dpa_problem_use_ledger,
 *                  else DPA_E_STATE: otherwise the first caller would choose it.
 *  @param options  Only `private_domain` is read: the sample that stays private. none is
 *                  DPA_E_OPTION. NULL: the target.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_OPTION; DPA_E_STATE without a budget, and when the problem
 *          has had another private domain.  Since 0.2. */
DPA_API dpa_status dpa_problem_lock(dpa_problem *problem, const dpa_options *options);

DPA_EXTERN_C_END

#endif
