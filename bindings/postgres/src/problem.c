#include "problem.h"

#include "ledger.h"
#include "relation.h"
#include "source.h"

target_rows *problem_open(guest_handles *h, const problem_facts *facts) {
    if (ledger_exists(facts->source))
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("relation \"%s\" is protected and cannot be a public source",
                       relation_name(facts->source)));
    target_rows *target = target_open(h, facts->target, facts->options);
    row_columns columns = columns_of(facts->source, facts->label, facts->features, h->options);
    target_read(target, &columns, columns.label);
    size_t features = source_set(h, facts->source, &columns, &target->errors);
    target_check(target, &columns, columns.label, h, features);
    target_set(target, h, features);
    return target;
}
