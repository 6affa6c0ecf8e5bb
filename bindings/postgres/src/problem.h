/* What a fit is made of, and a plan: a public source and a protected target. */
#ifndef DPA_POSTGRES_PROBLEM_H
#define DPA_POSTGRES_PROBLEM_H

#include "target.h"

typedef struct problem_facts {
    Oid source, target;
    Datum label, features, options; /* text, text[], text */
} problem_facts;

/** Makes ledger, options and problem of the handles; the library reads the target by passes, which
 *  are found possible. Nothing is paid. Needs SPI. */
target_rows *problem_open(guest_handles *handles, const problem_facts *facts);

#endif
