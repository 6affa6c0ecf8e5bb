/* PostgreSQL asks every module for the version that it was compiled for. */
#include "guest.h"

PG_MODULE_MAGIC;
