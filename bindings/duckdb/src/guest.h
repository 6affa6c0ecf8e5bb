/* How the library is a guest of DuckDB: its failures are errors of SQL, its numbers columns. */
#ifndef DPA_DUCKDB_GUEST_H
#define DPA_DUCKDB_GUEST_H

#include <dpadapt/dpadapt.h>
#include <duckdb_extension.h>
#include <stdbool.h>

DUCKDB_EXTENSION_EXTERN

enum { GUEST_MESSAGE = 400 };

/** A blob of a row; NULL for none. Valid as long as the vector. */
typedef struct guest_blob {
    const uint8_t *data;
    size_t size;
} guest_blob;

guest_blob guest_blob_at(duckdb_vector vector, idx_t row);
bool guest_same_blob(guest_blob a, guest_blob b);

/** The end of the rows first <= i < end that have the same blob as the first of them. */
idx_t guest_same_blobs(duckdb_vector vector, idx_t first, idx_t end);

/** NULL for a row. */
void guest_set_null(duckdb_vector result, idx_t row);

/** Bytes of a handle in memory of their own, by a function of the form of dpa_schema_serialize;
 *  false without memory, or when the function fails. */
typedef dpa_status (*guest_serialize)(const void *handle, uint8_t *out, size_t size,
                                      size_t *needed);
bool guest_bytes(guest_serialize serialize, const void *handle, uint8_t **out, size_t *size);

/** Functions of SQL, registered with a connection; false when DuckDB refuses. */
bool guest_register_fit(duckdb_connection connection);
bool guest_register_pass(duckdb_connection connection);
bool guest_register_predict(duckdb_connection connection);
bool guest_register_intervals(duckdb_connection connection);

#endif
