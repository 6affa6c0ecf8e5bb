#include "problem.h"

#include <utils/builtins.h>

#include "ledger.h"
#include "names.h"
#include "relation.h"
#include "source.h"

target_rows *problem_open(guest_handles *h, const problem_facts *facts) {
    char *label = TextDatumGetCString(facts->label), **names;
    int features = names_of(facts->features, "feature", &names);
    if (ledger_exists(facts->source))
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("relation \"%s\" is protected and cannot be a public source",
                       relation_name(facts->source)));
    target_rows *target = target_problem(h, facts->target, label, facts->options, features, names);
    source_set(h->problem, facts->source, label, features, names, &target->errors);
    return target;
}
