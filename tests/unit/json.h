/* A strict reader of the JSON that reports are: compact, checked to the last character. */
#ifndef DPADAPT_TESTS_JSON_H
#define DPADAPT_TESTS_JSON_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline const char *json_end(const char *p);

static inline int json_digit(char c) { return c >= '0' && c <= '9'; }

static inline const char *json_digits(const char *p) {
    if (!json_digit(*p)) return NULL;
    while (json_digit(*p)) ++p;
    return p;
}

/* Behind the number at p, or NULL. */
static inline const char *json_number_end(const char *p) {
    if (*p == '-') ++p;
    p = *p == '0' ? p + 1 : json_digits(p);
    if (p && *p == '.') p = json_digits(p + 1);
    if (!p || (*p != 'e' && *p != 'E')) return p;
    ++p;
    return json_digits(*p == '+' || *p == '-' ? p + 1 : p);
}

/* Behind the string at p, or NULL. */
static inline const char *json_string_end(const char *p) {
    if (*p != '"') return NULL;
    while (*++p != '"') {
        if ((*p & 0xe0) == 0) return NULL; /* below a blank */
        if (*p != '\\') continue;
        ++p;
        if (*p == 'u') {
            for (int k = 0; k < 4; ++k)
                if (!*++p || !strchr("0123456789abcdefABCDEF", *p)) return NULL;
        } else if (!*p || !strchr("\"\\/bfnrt", *p)) {
            return NULL;
        }
    }
    return p + 1;
}

/* Behind the object or list at p, or NULL. Counts the members, and finds the one of that name, or
 * in a list of that number. */
static inline const char *json_members(const char *p, const char *name, size_t length,
                                       const char **found, size_t *count) {
    const char close = *p == '{' ? '}' : ']';
    *count = 0;
    if (*++p == close) return p + 1;
    for (;; ++p) {
        int hit = 0;
        if (close == '}') {
            const char *end = json_string_end(p);
            if (!end || *end != ':') return NULL;
            hit = name && p + length + 2 == end && !memcmp(p + 1, name, length);
            p = end + 1;
        } else if (name) {
            hit = strtoul(name, NULL, 10) == *count;
        }
        if (hit) *found = p;
        if (!(p = json_end(p))) return NULL;
        ++*count;
        if (*p == close) return p + 1;
        if (*p != ',') return NULL;
    }
}

/* Behind the value at p, or NULL when it is none. */
static inline const char *json_end(const char *p) {
    static const char *const words[] = {"true", "false", "null"};
    size_t count;
    if (*p == '{' || *p == '[') return json_members(p, NULL, 0, NULL, &count);
    if (*p == '"') return json_string_end(p);
    for (size_t k = 0; k < 3; ++k)
        if (!strncmp(p, words[k], strlen(words[k]))) return p + strlen(words[k]);
    return json_number_end(p);
}

/* Whether the text is one JSON object and nothing else. */
static inline int json_is_object(const char *text) {
    const char *end = *text == '{' ? json_end(text) : NULL;
    return end && !*end;
}

/* The value at a path such as "releases/0/sigma", or NULL. */
static inline const char *json_at(const char *json, const char *path) {
    while (json && *path) {
        const size_t length = strcspn(path, "/");
        const char *found = NULL;
        size_t count;
        if ((*json != '{' && *json != '[') || !json_members(json, path, length, &found, &count))
            return NULL;
        json = found;
        path += length + (path[length] == '/');
    }
    return json;
}

/* Whether the value at the path is literally that: a number, a word, or a string with its
 * quotes. */
static inline int json_is(const char *json, const char *path, const char *value) {
    const char *at = json_at(json, path), *end = at ? json_end(at) : NULL;
    return end && at + strlen(value) == end && !memcmp(at, value, strlen(value));
}

/* The number at the path; NaN when it is another value or absent. */
static inline double json_number(const char *json, const char *path) {
    const char *at = json_at(json, path);
    return at && json_number_end(at) ? strtod(at, NULL) : strtod("nan", NULL);
}

/* Members of the object or list at the path. */
static inline size_t json_count(const char *json, const char *path) {
    const char *at = json_at(json, path);
    size_t count = 0;
    if (at && (*at == '{' || *at == '[')) json_members(at, NULL, 0, NULL, &count);
    return count;
}

#endif
