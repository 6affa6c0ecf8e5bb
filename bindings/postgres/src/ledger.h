/* The ledger of a family of relations: a file, which is written before rows are read and outside of
 * all transactions, and a copy in tables, which dumps, upgrades and replicas carry. All functions
 * need SPI. */
#ifndef DPA_POSTGRES_LEDGER_H
#define DPA_POSTGRES_LEDGER_H

#include "guest.h"

/** Opens the ledger of that id into the handles. What only the tables have comes back to the file;
 *  two histories of one ledger are an error. */
void ledger_open(const char *id, guest_handles *handles);

/** Copies to the tables what only the file has, if rows can be added now. */
void ledger_keep(const char *id);

/** A ledger in memory, of records of targets. Persons are an error: whose rows these are is not
 *  told. */
void ledger_make(guest_handles *handles, const char *options, double epsilon, double delta,
                 bool locks);

/** A new ledger, which is in memory yet, gets its file and its copy. Returns its id. */
char *ledger_store(const dpa_ledger *ledger);

/** What its report says under that key, as text. */
char *ledger_tells(const dpa_ledger *ledger, const char *key);

#endif
