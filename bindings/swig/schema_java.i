/** Columns of schema.h for Java: arrays with their lengths; texts, one after another, each with its
 *  zero, in one array of bytes. */
DPA_HANDLE(table)
DPA_HANDLE(schema)
DPA_ARRAY(const double *, values, rows, jdoubleArray, double[], ConstDoubles)
DPA_ARRAY(const char *const *, values, rows, jbyteArray, byte[], Texts)
DPA_ARRAY(const char *const *, levels, level_count, jbyteArray, byte[], Texts)
DPA_ARRAY(const int32_t *, codes, rows, jintArray, int[], ConstInts)
DPA_ARRAY(double *, x, x_len, jdoubleArray, double[], Doubles)
DPA_ARRAY(double *, y, y_len, jdoubleArray, double[], Doubles)
