/* What roles may spend of a ledger: each has a ledger of its own, whose charges are charges of the
 * family's ledger, too. All functions need SPI. */
#ifndef DPA_POSTGRES_SHARE_H
#define DPA_POSTGRES_SHARE_H

#include "guest.h"

/** The id of what the role may spend of that ledger; NULL: nothing. */
char *share_of(const char *ledger, Oid role);

/** Opens what the caller may spend of the relation's ledger: a share, or all of it for who owns the
 *  relation. The ledger of the family and the share, if there is one, are in `ids`, which has two
 *  places; NULL stands for none. */
void share_open(Oid relation, guest_handles *handles, const char **ids);

/** A jsonb list of the shares of that ledger: role, budget, spent and left. */
char *share_list(const char *ledger);

#endif
