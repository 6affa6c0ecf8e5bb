/* Which relations are counted in which ledger: a family has a ledger, names and relations. What is
 * added stays whatever becomes of the transaction. All functions need SPI. */
#ifndef DPA_POSTGRES_FAMILY_H
#define DPA_POSTGRES_FAMILY_H

#include "tables.h"

enum { kIdLetters = 32 }; /* of the id of a ledger */

/** The ledger of a protected relation, NULL for another one. Relations that share rows with it but
 *  are counted in other ledgers are an error. */
char *family_ledger(Oid relation);

/** The same; one that is not protected is an error. */
char *family_open(Oid relation);

/** The ledgers of all protected relations that share rows with that one by what the catalogue
 *  says (inheritance, partitions, views, materialized views, rules, parsed functions), and those
 *  that have counted one of them, or one of its name, before. */
text_list family_relatives(Oid relation);

/** An error if the relation reads what the owner of a reader may not read: it is counted in no
 *  ledger of the caller's. */
void family_check_rights(Oid relation);

/** The ledgers that a name leads to: of a family, or of a relation that was in one. */
text_list family_named(const char *name);

/** The name of a family, for messages. */
char *family_name(const char *id);

/** The names of all others, separated by commas; NULL: there are none. */
char *family_others(const char *id);

/** An error unless the caller owns all relations of the family that are still there. */
void family_check_owner(const char *id);

/** Adds a relation to a family, and the name of the family if it is new. */
void family_add(const char *id, const char *family, Oid relation);

/** Keeps that the ledger counts the relation and all that share rows with it now, by identifiers
 *  and by the names of now: later they may be detached, swapped or renamed, and a materialized view
 *  may have rows of before its definition changed. */
void family_keep(const char *id, Oid relation);

/** A notice if the relation reads rows that the catalogue does not know. */
void family_tell_unknown(Oid relation);

/** A notice if a ledger of another database of the server has counted a relation of that name. */
void family_tell_elsewhere(const char *id, Oid relation);

/** Appends what the tables know of the family to the notes of this database, unless they know it:
 *  a restored database begins without any. */
void family_note(const char *id);

/** An error if the relation can share rows with a protected one, or with that target. */
void family_refuse_source(Oid source, Oid target);

#endif
