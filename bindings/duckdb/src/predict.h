/* What all functions of SQL that predict have in common. */
#ifndef DPA_DUCKDB_PREDICT_H
#define DPA_DUCKDB_PREDICT_H

#include "piece.h"

/** A function of model and features, and of a level if it has one. */
typedef struct predictor {
    const char *name;
    bool has_level;
    bool (*check)(piece *p, const model *by); /* whether the model suits it; NULL: each does */
    bool (*write)(piece *p, const model *by, dpa_matrix x, duckdb_vector result);
} predictor;

/** Answers a call of it for the rows of a chunk. */
void predict_chunk(const predictor *own, duckdb_function_info info, duckdb_data_chunk chunk,
                   duckdb_vector result);

/** Registers it; `call` calls predict_chunk. The type is destroyed. */
bool predict_register(duckdb_connection connection, const predictor *own,
                      duckdb_scalar_function_t call, duckdb_logical_type type);

#endif
