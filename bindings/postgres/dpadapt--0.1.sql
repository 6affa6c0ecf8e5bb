\echo Use "CREATE EXTENSION dpadapt" to load this file. \quit

-- Models are results of private fits, which all roles that may use the schema can read. Whoever has
-- made one can delete it; only fit writes.
CREATE TABLE dpadapt.models (
    name text PRIMARY KEY,
    owner name NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    source text NOT NULL,
    target text NOT NULL,
    label text NOT NULL,
    features text[] NOT NULL,
    options text NOT NULL,
    solution bytea NOT NULL -- of dpa_solution_serialize_predictor, or a model file
);
ALTER TABLE dpadapt.models ENABLE ROW LEVEL SECURITY;
CREATE POLICY read_all ON dpadapt.models FOR SELECT USING (true);
CREATE POLICY delete_own ON dpadapt.models FOR DELETE USING (owner = current_user);
GRANT SELECT, DELETE ON dpadapt.models TO PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpadapt.models', '');

-- For custodians.
CREATE FUNCTION dpadapt.protect(relation regclass, epsilon float8, delta float8,
                                options text DEFAULT '', locked boolean DEFAULT true)
    RETURNS void AS 'MODULE_PATHNAME', 'dpadapt_protect'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.protect IS
    'opens the ledger of a table that the caller owns, with this budget, for good';

-- The sum of a request over rows: as private as they are. fit calls it as the owner of the target.
CREATE FUNCTION dpadapt.pass_step(internal, bytea, float8[], float8) RETURNS internal
    AS 'MODULE_PATHNAME', 'dpadapt_pass_step' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION dpadapt.pass_combine(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'dpadapt_pass_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION dpadapt.pass_serialize(internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'dpadapt_pass_serialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION dpadapt.pass_deserialize(bytea, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'dpadapt_pass_deserialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION dpadapt.pass_final(internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'dpadapt_pass_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE AGGREGATE dpadapt.pass(request bytea, features float8[], label float8) (
    SFUNC = dpadapt.pass_step, STYPE = internal, FINALFUNC = dpadapt.pass_final,
    COMBINEFUNC = dpadapt.pass_combine, SERIALFUNC = dpadapt.pass_serialize,
    DESERIALFUNC = dpadapt.pass_deserialize, PARALLEL = SAFE
);
-- The same where a schema makes features and label of a row.
CREATE FUNCTION dpadapt.pass_rows_step(internal, bytea, bytea, record) RETURNS internal
    AS 'MODULE_PATHNAME', 'dpadapt_pass_rows_step' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE AGGREGATE dpadapt.pass_rows(request bytea, schema bytea, "row" record) (
    SFUNC = dpadapt.pass_rows_step, STYPE = internal, FINALFUNC = dpadapt.pass_final,
    COMBINEFUNC = dpadapt.pass_combine, SERIALFUNC = dpadapt.pass_serialize,
    DESERIALFUNC = dpadapt.pass_deserialize, PARALLEL = SAFE
);

-- For analysts.
CREATE FUNCTION dpadapt.fit(name text, source regclass, target regclass, label text,
                            features text[], options text)
    RETURNS jsonb AS 'MODULE_PATHNAME', 'dpadapt_fit'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.fit IS
    'fits a model to a protected target, pays for it, saves it by name and returns its report';
CREATE FUNCTION dpadapt.plan(source regclass, target regclass, label text, features text[],
                             options text)
    RETURNS jsonb AS 'MODULE_PATHNAME', 'dpadapt_plan'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.plan IS
    'what the same fit would release, and for which price; reads the source and pays nothing';
CREATE FUNCTION dpadapt.evaluate(models text[], target regclass, label text, options text)
    RETURNS jsonb AS 'MODULE_PATHNAME', 'dpadapt_evaluate'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.evaluate IS
    'errors of models on a protected relation that none was fitted to, with intervals; pays';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA dpadapt FROM PUBLIC;

-- For whoever may use the schema.
CREATE FUNCTION dpadapt.predict(name text, features float8[]) RETURNS float8
    AS 'MODULE_PATHNAME', 'dpadapt_predict' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION dpadapt.predict(text, float8[]) IS
    'prediction of a model, from features in the order of its fit; NULL if one of them is';
CREATE FUNCTION dpadapt.predict(name text, "row" record) RETURNS float8
    AS 'MODULE_PATHNAME', 'dpadapt_predict_row' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION dpadapt.predict(text, record) IS
    'prediction of a model, from the columns of a row with the names of its features';
CREATE FUNCTION dpadapt.predict_label(name text, "row" record) RETURNS text
    AS 'MODULE_PATHNAME', 'dpadapt_predict_label' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION dpadapt.predict_label IS
    'the same as the source writes its labels, such as the name of a class';
CREATE FUNCTION dpadapt.report(name text) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'dpadapt_report' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dpadapt.report IS
    'coefficients of a model, and what was promised, released and spent';
CREATE FUNCTION dpadapt.budget(relation regclass) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'dpadapt_budget' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dpadapt.budget IS
    'the ledger of a protected table: budget, what is spent, what is left, all entries';
