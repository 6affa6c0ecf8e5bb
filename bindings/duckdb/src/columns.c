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
    snprintf(
        c->message, sizeof c->message, "%s",
        is_struct ? "no memory" : "features must be a struct, such as {'age': age} or row(age)");
    for (idx_t j = 0; c->all != NULL && j < count; ++j) {
        c->all[j] = columns_single(duckdb_struct_vector_get_child(vector, j),
                                   duckdb_struct_type_child_name(type, j));
        c->all[j].whole = vector;
        c->all[j].number = j + 1;
        c->count = j + 1;
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

column columns_single(duckdb_vector vector, char *name) {
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);
    column c = {name, 0, duckdb_get_type_id(type), DUCKDB_TYPE_INVALID, 0, vector, NULL};
    if (c.type == DUCKDB_TYPE_DECIMAL) {
        c.stored = duckdb_decimal_internal_type(type);
        c.scale = duckdb_decimal_scale(type);
    }
    duckdb_destroy_logical_type(&type);
    return c;
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
        case DUCKDB_TYPE_HUGEINT:
        case DUCKDB_TYPE_UHUGEINT:
        case DUCKDB_TYPE_DECIMAL:
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

typedef struct type_name {
    duckdb_type type;
    const char *name;
} type_name;

static const type_name kTypes[] = {
    {DUCKDB_TYPE_DATE, "DATE"},
    {DUCKDB_TYPE_TIME, "TIME"},
    {DUCKDB_TYPE_TIME_TZ, "TIME_TZ"},
    {DUCKDB_TYPE_TIMESTAMP, "TIMESTAMP"},
    {DUCKDB_TYPE_TIMESTAMP_S, "TIMESTAMP_S"},
    {DUCKDB_TYPE_TIMESTAMP_MS, "TIMESTAMP_MS"},
    {DUCKDB_TYPE_TIMESTAMP_NS, "TIMESTAMP_NS"},
    {DUCKDB_TYPE_TIMESTAMP_TZ, "TIMESTAMP_TZ"},
    {DUCKDB_TYPE_INTERVAL, "INTERVAL"},
    {DUCKDB_TYPE_VARCHAR, "VARCHAR"},
    {DUCKDB_TYPE_ENUM, "ENUM"},
    {DUCKDB_TYPE_BLOB, "BLOB"},
    {DUCKDB_TYPE_UUID, "UUID"},
    {DUCKDB_TYPE_BIT, "BIT"},
    {DUCKDB_TYPE_LIST, "LIST"},
    {DUCKDB_TYPE_ARRAY, "ARRAY"},
    {DUCKDB_TYPE_STRUCT, "STRUCT"},
    {DUCKDB_TYPE_MAP, "MAP"},
    {DUCKDB_TYPE_UNION, "UNION"},
};

void columns_refuse(const column *c, const char *what, char *message, size_t size) {
    const char *name = "another type";
    for (size_t k = 0; k < sizeof kTypes / sizeof *kTypes; ++k)
        if (kTypes[k].type == c->type) name = kTypes[k].name;
    const char *way = c->type == DUCKDB_TYPE_VARCHAR || c->type == DUCKDB_TYPE_ENUM
                          ? "TRY_CAST(... AS DOUBLE)"
                          : "an expression that makes one of it, such as epoch(...) of a time";
    char which[128];
    if (c->number > 0 && (c->name == NULL || c->name[0] == '\0'))
        snprintf(which, sizeof which, "number %zu", c->number);
    else
        snprintf(which, sizeof which, "\"%.*s\"", columns_letters(c->name), c->name);
    snprintf(message, size, "%s %s is no number, but of type %s: write %s", what, which, name, way);
}

bool columns_have_names(const columns *c) {
    for (size_t j = 0; j < c->count; ++j)
        if (c->all[j].name != NULL && c->all[j].name[0] != '\0') return true;
    return false;
}

bool columns_check_numbers(columns *c) {
    for (size_t j = 0; j < c->count; ++j) {
        if (columns_is_number(c->all[j].type)) continue;
        columns_refuse(&c->all[j], "feature", c->message, sizeof c->message);
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

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/** The nearest double to an integer with a point before its last digits. */
static double decimal(wide value, int scale, locale_t plain) {
    static const double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const wide exact = (wide)1 << 53;
    /* Both are exact, so the division rounds once. */
    if (value >= -exact && value <= exact && scale < (int)(sizeof kTens / sizeof *kTens))
        return (double)value / kTens[scale];
    char text[64], *at = text + 48; /* digits from behind, then the exponent */
    snprintf(at, sizeof text - 48, "e-%d", scale);
    unsigned_wide rest = value < 0 ? -(unsigned_wide)value : (unsigned_wide)value;
    for (; rest > 0; rest /= 10) *--at = (char)('0' + (int)(rest % 10));
    if (value < 0) *--at = '-';
    return plain == (locale_t)0 ? NAN : strtod_l(at, NULL, plain);
}

static wide wide_of(duckdb_hugeint value) {
    return (wide)(((unsigned_wide)(uint64_t)value.upper << 64) | value.lower);
}

static wide stored_value(const column *from, const void *data, idx_t row) {
    switch (from->stored) {
        case DUCKDB_TYPE_SMALLINT:
            return ((const int16_t *)data)[row];
        case DUCKDB_TYPE_INTEGER:
            return ((const int32_t *)data)[row];
        case DUCKDB_TYPE_BIGINT:
            return ((const int64_t *)data)[row];
        default:
            return wide_of(((const duckdb_hugeint *)data)[row]);
    }
}

static void read_decimals(const column *from, idx_t first, idx_t count, double *to) {
    const void *data = duckdb_vector_get_data(from->values);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (idx_t i = 0; i < count; ++i)
        to[i] = decimal(stored_value(from, data, first + i), from->scale, plain);
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
        case DUCKDB_TYPE_HUGEINT:
            for (idx_t i = 0; i < count; ++i)
                to[i] = (double)wide_of(((const duckdb_hugeint *)data)[first + i]);
            break;
        case DUCKDB_TYPE_UHUGEINT:
            for (idx_t i = 0; i < count; ++i) {
                duckdb_uhugeint value = ((const duckdb_uhugeint *)data)[first + i];
                to[i] = (double)(((unsigned_wide)value.upper << 64) | value.lower);
            }
            break;
        case DUCKDB_TYPE_DECIMAL:
            read_decimals(from, first, count, to);
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
