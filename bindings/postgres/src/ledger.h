/* The ledger of a protected relation is a file in the data directory, outside all transactions. */
#ifndef DPA_POSTGRES_LEDGER_H
#define DPA_POSTGRES_LEDGER_H

#include "guest.h"

/** Its path, from the data directory, in which every backend works. */
char *ledger_path(Oid relation);

bool ledger_exists(Oid relation);

/** Opens it into the handles; an error when the relation is not protected. */
void ledger_open(Oid relation, guest_handles *handles);

#endif
