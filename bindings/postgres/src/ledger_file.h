/* Files of ledgers, in the folder dpadapt of the data directory: no ROLLBACK undoes them. */
#ifndef DPA_POSTGRES_LEDGER_FILE_H
#define DPA_POSTGRES_LEDGER_FILE_H

#include "guest.h"

/** Bytes of a block, which holds the beginning of a ledger or an entry. */
enum { kLedgerBlock = 4096 };

/** Its path, from the data directory, in which every backend works. The file has the ledger's own
 *  id, which copies of a database share. */
char *ledger_file_path(const char *id);

/** Whole blocks of the file; -1: there is none. */
int64 ledger_file_blocks(const char *id);

/** So many blocks of the file from the first on. */
char *ledger_file_read(const char *id, int64 first, int64 count);

/** A new file; one that another session has made meanwhile stays. */
void ledger_file_create(const char *id, const char *blocks, int64 count);

/** Appends blocks to a file of so many, unless another session has appended meanwhile. */
void ledger_file_extend(const char *id, int64 have, const char *blocks, int64 count);

/** What the folder remembers of a database when the extension is dropped there: lines, which are
 *  appended to those of this database, and read in order. */
void ledger_notes_append(char **lines, int count);
typedef void (*ledger_notes_fn)(const char *line, void *user);
void ledger_notes_each(Oid database, ledger_notes_fn each, void *user);

/** The next database of which the folder remembers something; InvalidOid: there is none. */
Oid ledger_notes_next(Oid after);

#endif
