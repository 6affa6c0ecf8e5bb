#define _GNU_SOURCE /* locales of a thread */
#include "columns.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool columns_open(columns *c, duckdb_vector vector) {
    c->all = NULL;
    c->count = 0;
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);
    bool is_struct = duckdb_get_type_id(type) == DUCKDB_TYPE_STRUCT;
    idx_t count = is_struct ? duckdb_struct_type_child_count(type) : 0;
    if (count > 0) c->all = calloc(count, sizeof *c->all);
    snprintf(c->message, sizeof c->message, "%s",
             is_struct ? "no memory" : "features must be a struct, such as {'age': age}");
    for (idx_t j = 0; c->all != NULL && j < count; ++j) {
        duckdb_logical_type of_child = duckdb_struct_type_child_type(type, j);
        c->all[j].name = duckdb_struct_type_child_name(type, j);
        c->all[j].type = duckdb_get_type_id(of_child);
        c->all[j].values = duckdb_struct_vector_get_child(vector, j);
        c->all[j].whole = vector;
        c->count = j + 1;
        duckdb_destroy_logical_type(&of_child);
    }
    duckdb_destroy_logical_type(&type);
    return c->all != NULL;
}

void columns_close(columns *c) {
    for (size_t j = 0; j < c->count; ++j) duckdb_free(c->all[j].name);
    free(c->all);
    c->all = NULL;
    c->count = 0;
}

duckdb_type columns_type_of(duckdb_vector vector) {
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);
    duckdb_type id = duckdb_get_type_id(type);
    duckdb_destroy_logical_type(&type);
    return id;
}

bool columns_is_number(duckdb_type type) {
    switch (type) {
        case DUCKDB_TYPE_BOOLEAN:
        case DUCKDB_TYPE_TINYINT:
        case DUCKDB_TYPE_SMALLINT:
        case DUCKDB_TYPE_INTEGER:
        case DUCKDB_TYPE_BIGINT:
        case DUCKDB_TYPE_UTINYINT:
        case DUCKDB_TYPE_USMALLINT:
        case DUCKDB_TYPE_UINTEGER:
        case DUCKDB_TYPE_UBIGINT:
        case DUCKDB_TYPE_FLOAT:
        case DUCKDB_TYPE_DOUBLE:
        case DUCKDB_TYPE_SQLNULL:
            return true;
        default:
            return false;
    }
}

/* Bytes of a name for a message, which must end between two letters. */
int columns_letters(const char *name) {
    size_t size = strlen(name);
    if (size > 100) size = 100;
    while (size > 0 && ((unsigned char)name[size] & 0xc0) == 0x80) --size;
    return (int)size;
}

bool columns_check_numbers(columns *c) {
    for (size_t j = 0; j < c->count; ++j) {
        if (columns_is_number(c->all[j].type)) continue;
        snprintf(c->message, sizeof c->message,
                 "feature \"%.*s\" is no number: write TRY_CAST(... AS DOUBLE)",
                 columns_letters(c->all[j].name), c->all[j].name);
        return false;
    }
    return true;
}

static void write_nulls(duckdb_vector vector, idx_t first, idx_t count, double *to) {
    uint64_t *valid = duckdb_vector_get_validity(vector);
    for (idx_t i = 0; valid != NULL && i < count; ++i)
        if (!duckdb_validity_row_is_valid(valid, first + i)) to[i] = NAN;
}

/** NaN for a text that is no number, or a long one. */
static double number_in(guest_blob text, locale_t plain) {
    char copy[64], *end;
    if (text.data == NULL || text.size == 0 || text.size >= sizeof copy) return NAN;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    double number = strtod_l(copy, &end, plain);
    return end == copy + text.size ? number : NAN;
}

/** The host's locale decides nothing. */
static void read_texts(duckdb_vector vector, idx_t first, idx_t count, double *to) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (idx_t i = 0; i < count; ++i)
        to[i] = plain == (locale_t)0 ? NAN : number_in(guest_blob_at(vector, first + i), plain);
    if (plain != (locale_t)0) freelocale(plain);
}

#define READ_AS(type) \
    for (idx_t i = 0; i < count; ++i) to[i] = (double)((const type *)data)[first + i]

void columns_read(const column *from, idx_t first, idx_t count, double *to) {
    const void *data = duckdb_vector_get_data(from->values);
    switch (from->type) {
        case DUCKDB_TYPE_BOOLEAN:
            READ_AS(bool);
            break;
        case DUCKDB_TYPE_TINYINT:
            READ_AS(int8_t);
            break;
        case DUCKDB_TYPE_SMALLINT:
            READ_AS(int16_t);
            break;
        case DUCKDB_TYPE_INTEGER:
            READ_AS(int32_t);
            break;
        case DUCKDB_TYPE_BIGINT:
            READ_AS(int64_t);
            break;
        case DUCKDB_TYPE_UTINYINT:
            READ_AS(uint8_t);
            break;
        case DUCKDB_TYPE_USMALLINT:
            READ_AS(uint16_t);
            break;
        case DUCKDB_TYPE_UINTEGER:
            READ_AS(uint32_t);
            break;
        case DUCKDB_TYPE_UBIGINT:
            READ_AS(uint64_t);
            break;
        case DUCKDB_TYPE_FLOAT:
            READ_AS(float);
            break;
        case DUCKDB_TYPE_DOUBLE:
            memcpy(to, (const double *)data + first, count * sizeof *to);
            break;
        case DUCKDB_TYPE_VARCHAR:
            read_texts(from->values, first, count, to);
            break;
        default:
            for (idx_t i = 0; i < count; ++i) to[i] = NAN;
            return;
    }
    write_nulls(from->values, first, count, to);
    if (from->whole != NULL) write_nulls(from->whole, first, count, to);
}
