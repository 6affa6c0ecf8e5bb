#include "problem.h"

#include "family.h"
#include "source.h"

target_rows *problem_open(guest_handles *h, const problem_facts *facts) {
    target_rows *target = target_open(h, facts->target, facts->options);
    family_refuse_source(facts->source, facts->target);
    row_columns columns = columns_of(facts->source, facts->label, facts->features, h->options);
    target_read(target, &columns, columns.label);
    size_t features = source_set(h, facts->source, &columns, &target->errors);
    target_check(target, &columns, columns.label, h, features);
    target_set(target, h, features);
    return target;
}
