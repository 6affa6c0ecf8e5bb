/* Lists of names, as callers give them. */
#ifndef DPA_POSTGRES_NAMES_H
#define DPA_POSTGRES_NAMES_H

#include "guest.h"

/** The texts of an array, and how many there are. None, and nulls, are an error; `what` is what one
 *  of them names, for the message. */
int names_of(Datum array, const char *what, char ***names);

#endif
