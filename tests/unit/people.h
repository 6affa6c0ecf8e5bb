/* A table of people, whose columns are numbers and texts, and its schema. */
#ifndef DPADAPT_TESTS_PEOPLE_H
#define DPADAPT_TESTS_PEOPLE_H

#include <dpadapt/schema.h>
#include <math.h>

#include "unit/private.h"

enum { kPublic = 60, kMost = 16 };

static const char *const kColours[] = {"red", "green", "blue"};

typedef struct {
    double ages[kPublic];
    const char *colours[kPublic];
    const char *answers[kPublic];
    int32_t codes[kPublic];
    dpa_table *table;
} people;

/* Ages of which some are missing, three colours, and answers no and yes. */
static inline void make(people *p) {
    for (size_t k = 0; k < kPublic; ++k) {
        p->ages[k] = k % 5 == 4 ? NAN : 20 + (double)(k * 7 % 31);
        p->colours[k] = kColours[k % 3];
        p->answers[k] = k * 5 % 7 < 3 ? "yes" : "no";
        p->codes[k] = (int32_t)(k % 3);
    }
    assert_ok(dpa_table_create(kPublic, &p->table));
    assert_ok(dpa_table_add_numbers(p->table, "age", p->ages, kPublic));
    assert_ok(dpa_table_add_texts(p->table, "colour", p->colours, kPublic));
    assert_ok(dpa_table_add_texts(p->table, "answer", p->answers, kPublic));
}

static inline dpa_schema *learn(const dpa_table *table, const char *label, const char *loss) {
    dpa_options *options = NULL;
    dpa_schema *schema = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "loss", loss));
    assert_ok(dpa_schema_learn(table, label, options, &schema));
    dpa_options_destroy(options);
    return schema;
}

#endif
