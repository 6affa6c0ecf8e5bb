/* The table of rights, tests/rights/rights.txt, and what the public headers say of a function. */
#ifndef DPADAPT_TESTS_RIGHTS_H
#define DPADAPT_TESTS_RIGHTS_H

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>

#include "check.h"

enum { kMostFunctions = 400 };

typedef struct {
    char function[64], right[16];
} right;

static inline char *text_of_file(const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s", getenv("DPADAPT_SOURCE_DIR"), folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

/* Number of rows. */
static inline size_t read_rights(right *rows) {
    char *text = text_of_file("tests/rights", "rights.txt");
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '#') continue;
        assert_true(count < kMostFunctions);
        assert_int_equal(sscanf(line, "%63s %15s", rows[count].function, rows[count].right), 2);
        ++count;
    }
    free(text);
    return count;
}

static inline const char *right_of(const right *rows, size_t count, const char *function) {
    for (size_t k = 0; k < count; ++k)
        if (strcmp(rows[k].function, function) == 0) return rows[k].right;
    return NULL;
}

/* Whether a declaration takes a problem that exists. */
static inline int takes_problem(const char *arguments, const char *end) {
    static const char kType[] = "dpa_problem *";
    for (const char *at = arguments; (at = strstr(at, kType)) != NULL && at < end; ++at)
        if (at[sizeof kType - 1] != '*') return 1;
    return 0;
}

typedef void (*visit_function)(const char *function, int of_a_problem, void *user);

/* Each exported function of a header's text. */
static inline void visit_header(const char *text, visit_function visit, void *user) {
    static const char kMark[] = "DPA_API ";
    for (const char *at = text; (at = strstr(at, kMark)) != NULL; ++at) {
        const char *open = strchr(at, '('), *end = strchr(at, ';');
        if (at > text && at[-1] != '\n') continue; /* the macro's definition */
        assert_true(open && end && open < end);
        const char *name = open;
        while (isalnum((unsigned char)name[-1]) || name[-1] == '_') --name;
        char function[64];
        assert_true((size_t)(open - name) < sizeof function);
        memcpy(function, name, (size_t)(open - name));
        function[open - name] = 0;
        visit(function, takes_problem(open, end), user);
    }
}

static inline void visit_headers(visit_function visit, void *user) {
    char path[1024];
    snprintf(path, sizeof path, "%s/include/dpadapt", getenv("DPADAPT_SOURCE_DIR"));
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *each; (each = readdir(folder)) != NULL;) {
        const size_t length = strlen(each->d_name);
        if (length < 3 || strcmp(each->d_name + length - 2, ".h") != 0) continue;
        char *text = text_of_file("include/dpadapt", each->d_name);
        visit_header(text, visit, user);
        free(text);
    }
    closedir(folder);
}

#endif
