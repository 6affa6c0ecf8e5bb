/* Which relations are counted in which ledger: a family has a ledger, names and relations. What is
 * added stays whatever becomes of the transaction. All functions need SPI. */
#ifndef DPA_POSTGRES_FAMILY_H
#define DPA_POSTGRES_FAMILY_H

#include "guest.h"

typedef struct ledger_ids {
    int count;
    char **ids;
} ledger_ids;

/** The ledger of a protected relation, NULL for another one. Relations that share rows with it but
 *  are counted in other ledgers are an error. */
char *family_ledger(Oid relation);

/** The same; one that is not protected is an error. */
char *family_open(Oid relation);

/** The ledgers of all protected relations that share rows with that one by what the catalogue
 *  says: inheritance, partitions, views, materialized views, rules. */
ledger_ids family_relatives(Oid relation);

/** The ledgers that a name leads to: of a family, or of a relation that was in one. */
ledger_ids family_named(const char *name);

/** The name of a family, for messages. */
char *family_name(const char *id);

/** The names of all others, separated by commas; NULL: there are none. */
char *family_others(const char *id);

/** An error unless the caller owns all relations of the family that are still there. */
void family_check_owner(const char *id);

/** Adds a relation, with its name of now, to a family, and the name of the family if it is new. */
void family_add(const char *id, const char *family, Oid relation);

/** Appends what the tables know of the family to the notes of this database, unless they know it:
 *  a restored database begins without any. */
void family_note(const char *id);

/** An error if the relation can share rows with a protected one, or with that target. */
void family_refuse_source(Oid source, Oid target);

#endif
