#include "piece.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool piece_fail(piece *p, const char *message) {
    snprintf(p->message, sizeof p->message, "%s", message);
    return false;
}

bool piece_check(piece *p, dpa_status status) {
    return status == DPA_OK || piece_fail(p, dpa_last_error());
}

/** By position, as the model has no names: column after column. Names would promise more. */
static bool read_positions(piece *p, const model *by) {
    if (columns_have_names(p->features))
        return piece_fail(
            p,
            "the model has no names of features: write row(a, b, ...), in the order of "
            "the fit");
    if (p->features->count != by->features) {
        snprintf(p->message, sizeof p->message, "the model has %zu features, not %zu", by->features,
                 p->features->count);
        return false;
    }
    for (size_t j = 0; j < by->features; ++j)
        columns_read(&p->features->all[j], p->first, p->count, p->numbers + j * p->count);
    return true;
}

/** Of an ENUM. */
static bool add_levels(piece *p, dpa_table *table, const column *from) {
    duckdb_logical_type type = duckdb_vector_get_column_type(from->values);
    const duckdb_type stored = duckdb_enum_internal_type(type);
    const void *data = duckdb_vector_get_data(from->values);
    uint64_t *valid = duckdb_vector_get_validity(from->values);
    const size_t levels = duckdb_enum_dictionary_size(type);
    char **words = calloc(levels + 1, sizeof *words);
    const char **texts = calloc(p->count, sizeof *texts);
    bool done = words != NULL && texts != NULL;
    for (idx_t i = 0; done && i < p->count; ++i) {
        const idx_t row = p->first + i;
        if (!duckdb_validity_row_is_valid(valid, row)) continue;
        const size_t code = stored == DUCKDB_TYPE_UTINYINT    ? ((const uint8_t *)data)[row]
                            : stored == DUCKDB_TYPE_USMALLINT ? ((const uint16_t *)data)[row]
                                                              : ((const uint32_t *)data)[row];
        if (code >= levels) continue;
        if (words[code] == NULL) words[code] = duckdb_enum_dictionary_value(type, code);
        texts[i] = words[code];
    }
    done = done ? piece_check(p, dpa_table_add_texts(table, from->name, texts, p->count))
                : piece_fail(p, "no memory");
    for (size_t k = 0; words != NULL && k < levels; ++k)
        if (words[k] != NULL) duckdb_free(words[k]);
    free(words);
    free(texts);
    duckdb_destroy_logical_type(&type);
    return done;
}

static bool add_texts(piece *p, dpa_table *table, const column *from) {
    size_t size = 0;
    for (idx_t i = 0; i < p->count; ++i) size += guest_blob_at(from->values, p->first + i).size + 1;
    const char **texts = calloc(p->count, sizeof *texts);
    char *copies = malloc(size), *at = copies;
    bool done = texts != NULL && copies != NULL;
    for (idx_t i = 0; done && i < p->count; ++i) {
        guest_blob text = guest_blob_at(from->values, p->first + i);
        if (text.data == NULL) continue;
        texts[i] = memcpy(at, text.data, text.size);
        at += text.size;
        *at++ = '\0';
    }
    done = done ? piece_check(p, dpa_table_add_texts(table, from->name, texts, p->count))
                : piece_fail(p, "no memory");
    free(copies);
    free(texts);
    return done;
}

/** The message is of a column that the table does not have if its type is none that is read. */
static void explain(piece *p, const column *from) {
    const bool is_text = from->type == DUCKDB_TYPE_VARCHAR || from->type == DUCKDB_TYPE_ENUM;
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%.*s\"", columns_letters(from->name), from->name);
    if (!is_text && !columns_is_number(from->type) && strstr(p->message, quoted) != NULL)
        columns_refuse(from, "feature", p->message, sizeof p->message);
}

/** By the names of a schema, row after row; columns that it does not know are ignored. */
static bool read_names(piece *p, const model *by) {
    dpa_table *table = NULL;
    bool done = piece_check(p, dpa_table_create(p->count, &table));
    for (size_t j = 0; done && j < p->features->count; ++j) {
        const column *from = &p->features->all[j];
        if (from->type == DUCKDB_TYPE_VARCHAR) {
            done = add_texts(p, table, from);
        } else if (from->type == DUCKDB_TYPE_ENUM) {
            done = add_levels(p, table, from);
        } else if (columns_is_number(from->type)) {
            columns_read(from, p->first, p->count, p->numbers);
            done = piece_check(p, dpa_table_add_numbers(table, from->name, p->numbers, p->count));
            if (done && from->type == DUCKDB_TYPE_BOOLEAN)
                done = piece_check(p, dpa_table_hint(table, "boolean", from->name));
        }
    }
    done = done && piece_check(p, dpa_schema_apply(by->schema, table, p->numbers,
                                                   p->count * by->features, NULL, 0));
    dpa_table_destroy(table);
    for (size_t j = 0; !done && j < p->features->count; ++j) explain(p, &p->features->all[j]);
    return done;
}

bool piece_read(piece *p, const model *by, dpa_matrix *x) {
    const bool named = by->schema != NULL;
    if (!named && !columns_check_numbers(p->features)) return piece_fail(p, p->features->message);
    p->numbers = malloc((by->features + 1) * p->count * sizeof *p->numbers);
    if (p->numbers == NULL) return piece_fail(p, "no memory");
    *x = (dpa_matrix){p->numbers, p->count, by->features, named ? by->features : p->count,
                      named ? DPA_ROW_MAJOR : DPA_COL_MAJOR};
    return named ? read_names(p, by) : read_positions(p, by);
}
