#include "guest.h"

#include <stdlib.h>
#include <string.h>

guest_blob guest_blob_at(duckdb_vector vector, idx_t row) {
    guest_blob none = {NULL, 0};
    if (!duckdb_validity_row_is_valid(duckdb_vector_get_validity(vector), row)) return none;
    duckdb_string_t *text = (duckdb_string_t *)duckdb_vector_get_data(vector) + row;
    guest_blob blob = {(const uint8_t *)duckdb_string_t_data(text), duckdb_string_t_length(*text)};
    return blob;
}

bool guest_same_blob(guest_blob a, guest_blob b) {
    if (a.size != b.size || (a.data == NULL) != (b.data == NULL)) return false;
    return a.data == b.data || memcmp(a.data, b.data, a.size) == 0;
}

idx_t guest_same_blobs(duckdb_vector vector, idx_t first, idx_t end) {
    const guest_blob blob = guest_blob_at(vector, first);
    const duckdb_string_t *texts = duckdb_vector_get_data(vector);
    const bool valid = duckdb_vector_get_validity(vector) == NULL;
    idx_t i = first + 1;
    for (; i < end; ++i) {
        /* A constant of a query is the same piece of memory in every row. */
        if (valid && memcmp(&texts[i], &texts[first], sizeof *texts) == 0) continue;
        if (!guest_same_blob(blob, guest_blob_at(vector, i))) break;
    }
    return i;
}

void guest_set_null(duckdb_vector result, idx_t row) {
    duckdb_vector_ensure_validity_writable(result);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(result), row);
}

bool guest_bytes(guest_serialize serialize, const void *handle, uint8_t **out, size_t *size) {
    (void)serialize(handle, NULL, 0, size);
    *out = malloc(*size + 1);
    if (*out != NULL && serialize(handle, *out, *size, NULL) == DPA_OK) return true;
    free(*out);
    *out = NULL;
    return false;
}
