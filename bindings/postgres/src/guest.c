#include "guest.h"

#include <libpq/pqsignal.h>

static void destroy(void *handles) {
    guest_handles *h = handles;
    dpa_evaluation_destroy(h->evaluation);
    dpa_plan_destroy(h->plan);
    dpa_solution_destroy(h->solution);
    dpa_problem_destroy(h->problem);
    dpa_ledger_destroy(h->ledger);
    dpa_options_destroy(h->options);
    dpa_partial_destroy(h->partial);
    dpa_table_destroy(h->table);
    dpa_schema_destroy(h->schema);
}

guest_handles *guest_new(MemoryContext context) {
    guest_handles *h = MemoryContextAllocZero(context, sizeof *h);
    h->callback.func = destroy;
    h->callback.arg = h;
    MemoryContextRegisterResetCallback(context, &h->callback);
    return h;
}

static int code_of(dpa_status status) {
    switch (status) {
        case DPA_E_OPTION:
        case DPA_E_OPTION_NAME:
        case DPA_E_OPTION_TYPE:
        case DPA_E_INVALID_ARGUMENT:
        case DPA_E_DIMENSION:
            return ERRCODE_INVALID_PARAMETER_VALUE;
        case DPA_E_NONFINITE:
        case DPA_E_LABEL:
        case DPA_E_EMPTY:
            return ERRCODE_DATA_EXCEPTION;
        case DPA_E_STATE:
            return ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE;
        case DPA_E_BUDGET:
            return ERRCODE_CONFIGURATION_LIMIT_EXCEEDED;
        case DPA_E_OVERFLOW:
            return ERRCODE_PROGRAM_LIMIT_EXCEEDED;
        case DPA_E_CANCELLED:
            return ERRCODE_QUERY_CANCELED;
        case DPA_E_STORE:
            return ERRCODE_IO_ERROR;
        case DPA_E_FORMAT:
            return ERRCODE_DATA_CORRUPTED;
        case DPA_E_NO_MEMORY:
            return ERRCODE_OUT_OF_MEMORY;
        case DPA_E_UNSUPPORTED:
            return ERRCODE_FEATURE_NOT_SUPPORTED;
        default:
            return ERRCODE_EXTERNAL_ROUTINE_EXCEPTION;
    }
}

void guest_check(dpa_status status) {
    if (status != DPA_OK) ereport(ERROR, errcode(code_of(status)), errmsg("%s", dpa_last_error()));
}

void guest_leave(void) { PG_SETMASK(&BlockSig); }

void guest_return(void) { PG_SETMASK(&UnBlockSig); }

void guest_rethrow(const guest_errors *errors) {
    if (errors->error != NULL) ReThrowError(errors->error);
    CHECK_FOR_INTERRUPTS();
}

void guest_parse(dpa_options *options, const char *text) {
    char *rest = NULL;
    for (char *word = strtok_r(pstrdup(text), " \t\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\n", &rest)) {
        char *value = strchr(word, '=');
        if (value == NULL)
            ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("option \"%s\" has no value", word),
                    errhint("Options are written as in 'epsilon=1 delta=1e-6'."));
        *value++ = '\0';
        guest_check(dpa_options_parse(options, word, value));
    }
}

void guest_refuse_nulls(FunctionCallInfo call) {
    for (int i = 0; i < call->nargs; ++i)
        if (call->args[i].isnull)
            ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                    errmsg("argument %d must not be null", i + 1));
}
