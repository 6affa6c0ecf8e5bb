/* What the speed of a pass is measured against: an aggregate that reads each number of the array
 * and of the label, and nothing else. */
#include <fmgr.h>
#include <utils/array.h>

PG_MODULE_MAGIC;

Datum read_array_step(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(read_array_step);
Datum read_array_step(PG_FUNCTION_ARGS) {
    ArrayType *array = PG_GETARG_ARRAYTYPE_P(1);
    int count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
    const double *x = (const double *)ARR_DATA_PTR(array);
    double sum = PG_GETARG_FLOAT8(0) + PG_GETARG_FLOAT8(2);
    for (int j = 0; j < count; ++j) sum += x[j];
    PG_RETURN_FLOAT8(sum);
}
