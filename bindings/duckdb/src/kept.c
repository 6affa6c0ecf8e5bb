#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(duckdb_type type) {
    return type == DUCKDB_TYPE_VARCHAR || type == DUCKDB_TYPE_ENUM;
}

/** A copy of so many bytes with a zero behind them; NULL of NULL, and without memory. */
static char *copy_of(const void *bytes, size_t size) {
    char *copy = bytes == NULL ? NULL : malloc(size + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

static bool reserve(kept *to, size_t rows) {
    if (rows <= to->room) return true;
    const size_t room = rows > 2 * to->room ? rows : 2 * to->room;
    for (size_t j = 0; j < to->columns; ++j) {
        kept_column *field = &to->all[j];
        void *old = field->texts != NULL ? (void *)field->texts : (void *)field->numbers;
        void *larger = realloc(old, room * sizeof(double));
        if (larger == NULL) return false;
        if (field->texts != NULL)
            field->texts = larger;
        else
            field->numbers = larger;
    }
    to->room = room;
    return true;
}

/** A column without rows; numbers and texts are as large. */
static bool begin_column(kept_column *field, const char *name, bool text) {
    _Static_assert(sizeof(char *) <= sizeof(double), "texts have the room of numbers");
    field->name = copy_of(name, strlen(name));
    void *place = malloc(sizeof(double));
    if (text)
        field->texts = place;
    else
        field->numbers = place;
    return field->name != NULL && place != NULL;
}

static bool begin(kept *to, size_t count) {
    if (to->all != NULL) return true;
    to->all = calloc(count, sizeof *to->all);
    if (to->all != NULL) to->columns = count;
    return to->all != NULL;
}

static bool add_levels(char **to, duckdb_vector values, idx_t first, idx_t count) {
    duckdb_logical_type type = duckdb_vector_get_column_type(values);
    const duckdb_type stored = duckdb_enum_internal_type(type);
    const void *data = duckdb_vector_get_data(values);
    uint64_t *valid = duckdb_vector_get_validity(values);
    bool done = true;
    for (idx_t i = 0; i < count; ++i) {
        const idx_t row = first + i;
        to[i] = NULL;
        if (!duckdb_validity_row_is_valid(valid, row)) continue;
        char *word = duckdb_enum_dictionary_value(
            type, stored == DUCKDB_TYPE_UTINYINT    ? ((const uint8_t *)data)[row]
                  : stored == DUCKDB_TYPE_USMALLINT ? ((const uint16_t *)data)[row]
                                                    : ((const uint32_t *)data)[row]);
        to[i] = word == NULL ? NULL : copy_of(word, strlen(word));
        done = done && to[i] != NULL;
        duckdb_free(word);
    }
    duckdb_destroy_logical_type(&type);
    return done;
}

static bool add_texts(char **to, duckdb_vector values, idx_t first, idx_t count) {
    bool done = true;
    for (idx_t i = 0; i < count; ++i) {
        const guest_blob text = guest_blob_at(values, first + i);
        to[i] = copy_of(text.data, text.size);
        done = done && (to[i] != NULL || text.data == NULL);
    }
    return done;
}

static bool fill(kept *to, const columns *from, idx_t first, idx_t count) {
    if (!begin(to, from->count)) return false;
    for (size_t j = 0; j < to->columns; ++j) {
        if (to->all[j].name != NULL) continue;
        const column *made = &from->all[j];
        if (!begin_column(&to->all[j], made->name, is_text(made->type))) return false;
        to->all[j].is_boolean = made->type == DUCKDB_TYPE_BOOLEAN;
    }
    if (!reserve(to, to->rows + count)) return false;
    bool done = true;
    for (size_t j = 0; j < to->columns; ++j) {
        const column *values = &from->all[j];
        if (values->type == DUCKDB_TYPE_ENUM)
            done = add_levels(to->all[j].texts + to->rows, values->values, first, count) && done;
        else if (values->type == DUCKDB_TYPE_VARCHAR)
            done = add_texts(to->all[j].texts + to->rows, values->values, first, count) && done;
        else
            columns_read(values, first, count, to->all[j].numbers + to->rows);
    }
    to->rows += count;
    return done;
}

bool kept_add(kept *to, const columns *from, idx_t first, idx_t count, char *message) {
    for (size_t j = 0; j < from->count; ++j) {
        const column *values = &from->all[j];
        if (values->name == NULL || values->name[0] == '\0') {
            snprintf(message, GUEST_MESSAGE, "the struct needs names, such as {'age': age}");
            return false;
        }
        if (is_text(values->type) || columns_is_number(values->type)) continue;
        columns_refuse(values, "column", message, GUEST_MESSAGE);
        return false;
    }
    snprintf(message, GUEST_MESSAGE, "no memory");
    return fill(to, from, first, count);
}

bool kept_append(kept *to, const kept *from) {
    if (from->rows == 0) return true;
    if (!begin(to, from->columns)) return false;
    for (size_t j = 0; j < to->columns; ++j) {
        kept_column *field = &to->all[j];
        if (field->name != NULL) continue;
        if (!begin_column(field, from->all[j].name, from->all[j].texts != NULL)) return false;
        field->is_boolean = from->all[j].is_boolean;
    }
    if (!reserve(to, to->rows + from->rows)) return false;
    bool done = true;
    for (size_t j = 0; j < to->columns; ++j) {
        const kept_column *values = &from->all[j];
        if (values->texts == NULL) {
            memcpy(to->all[j].numbers + to->rows, values->numbers, from->rows * sizeof(double));
            continue;
        }
        char **texts = to->all[j].texts + to->rows;
        for (size_t i = 0; i < from->rows; ++i) {
            const char *text = values->texts[i];
            texts[i] = text == NULL ? NULL : copy_of(text, strlen(text));
            done = done && (texts[i] != NULL || text == NULL);
        }
    }
    to->rows += from->rows;
    return done;
}

dpa_status kept_table(const kept *rows, dpa_table **out) {
    dpa_status status = dpa_table_create(rows->rows, out);
    for (size_t j = 0; status == DPA_OK && j < rows->columns; ++j) {
        const kept_column *field = &rows->all[j];
        status = field->texts == NULL
                     ? dpa_table_add_numbers(*out, field->name, field->numbers, rows->rows)
                     : dpa_table_add_texts(*out, field->name, (const char *const *)field->texts,
                                           rows->rows);
        if (status == DPA_OK && field->is_boolean)
            status = dpa_table_hint(*out, "boolean", field->name);
    }
    return status;
}

void kept_clear(kept *rows) {
    for (size_t j = 0; j < rows->columns; ++j) {
        kept_column *field = &rows->all[j];
        for (size_t i = 0; field->texts != NULL && i < rows->rows; ++i) free(field->texts[i]);
        free(field->name);
        free(field->numbers);
        free(field->texts);
    }
    free(rows->all);
    memset(rows, 0, sizeof *rows);
}
