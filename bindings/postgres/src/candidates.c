/* Models that protected rows measure, and those rows. */
#include "candidates.h"

#include <utils/builtins.h>

#include "names.h"
#include "relation.h"

static bool same_names(Datum a, Datum b) {
    char **of_a, **of_b;
    int count = names_of(a, "feature", &of_a);
    if (count != names_of(b, "feature", &of_b)) return false;
    for (int j = 0; j < count; ++j)
        if (strcmp(of_a[j], of_b[j]) != 0) return false;
    return true;
}

static bool same_schemas(const guest_handles *a, const guest_handles *b) {
    bytea *of_a, *of_b;
    if (a->schema == NULL || b->schema == NULL) return a->schema == b->schema;
    GUEST_BYTES(of_a, dpa_schema_serialize, a->schema);
    GUEST_BYTES(of_b, dpa_schema_serialize, b->schema);
    return VARSIZE(of_a) == VARSIZE(of_b) && memcmp(of_a, of_b, VARSIZE(of_a)) == 0;
}

static void refuse(const candidates *all, int other, const char *what) {
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
            errmsg("models \"%s\" and \"%s\" have different %s", all->models[0], all->models[other],
                   what));
}

candidates candidates_load(Datum models, Oid target) {
    candidates all;
    all.count = names_of(models, "model", &all.models);
    all.solutions = palloc(sizeof *all.solutions * (size_t)all.count);
    for (int k = 0; k < all.count; ++k) {
        guest_handles *h = guest_new(CurrentMemoryContext);
        saved_model model = model_load(CStringGetTextDatum(all.models[k]), h);
        if (k == 0) all.columns = model, all.first = h;
        if (!same_names(all.columns.features, model.features)) refuse(&all, k, "features");
        if (!same_schemas(all.first, h)) refuse(&all, k, "schemas");
        if (strcmp(TextDatumGetCString(model.target), relation_sql(target)) == 0)
            ereport(WARNING,
                    errmsg("model \"%s\" was fitted to relation \"%s\"", all.models[k],
                           relation_name(target)),
                    errdetail("Rows that it has seen make it look better than it is."));
        all.solutions[k] = h->solution;
    }
    return all;
}

target_rows *candidates_target(const candidates *all, Oid relation, Datum label, Datum options) {
    guest_handles *h = all->first;
    size_t features;
    target_rows *target = target_open(h, relation, options);
    row_columns columns = {.label = TextDatumGetCString(label), .coded = h->schema != NULL};
    columns.features = names_of(all->columns.features, "feature", &columns.names);
    columns_check(&columns);
    target_read(target, &columns, TextDatumGetCString(all->columns.label));
    guest_check(dpa_solution_shape(all->solutions[0], &features, NULL, NULL, NULL));
    target_check(target, &columns, TextDatumGetCString(all->columns.label), h, features);
    target_set(target, h, features);
    return target;
}
