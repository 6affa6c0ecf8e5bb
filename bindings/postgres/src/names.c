#include "names.h"

#include <catalog/pg_type.h>
#include <utils/array.h>
#include <utils/builtins.h>

int names_of(Datum array, const char *what, char ***names) {
    Datum *values;
    bool *nulls;
    int count;
    deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls,
                      &count);
    *names = palloc(sizeof **names * (size_t)(count + 1));
    for (int j = 0; j < count; ++j) {
        if (nulls[j])
            ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                    errmsg("the name of %s %d must not be null", what, j + 1));
        (*names)[j] = TextDatumGetCString(values[j]);
    }
    if (count == 0)
        ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("there are no %ss", what));
    return count;
}
