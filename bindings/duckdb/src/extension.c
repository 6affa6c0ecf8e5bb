/* What DuckDB calls when it loads the extension. */
#define DUCKDB_EXTENSION_NAME dpadapt
#include "guest.h"

/* The macro below defines it without a prototype. */
DUCKDB_EXTENSION_API bool dpadapt_init_c_api(duckdb_extension_info info,
                                             struct duckdb_extension_access *access);

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access) {
    if (guest_register_fit(connection) && guest_register_pass(connection) &&
        guest_register_predict(connection) && guest_register_intervals(connection))
        return true;
    access->set_error(info, "dpadapt: its functions cannot be registered");
    return false;
}
