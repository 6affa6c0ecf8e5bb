\echo Use "CREATE EXTENSION dpadapt" to load this file. \quit

-- Models are results of private fits, which all roles that may use the schema can read. Whoever has
-- made one can delete it; only fit writes.
CREATE TABLE dpadapt.models (
    name text PRIMARY KEY,
    role oid NOT NULL, -- that made it
    made timestamptz NOT NULL DEFAULT now(),
    source text NOT NULL,
    target text NOT NULL,
    label text NOT NULL,
    features text[] NOT NULL,
    options text NOT NULL,
    solution bytea NOT NULL -- of dpa_solution_serialize, without weights, or a model file
);
ALTER TABLE dpadapt.models ENABLE ROW LEVEL SECURITY;
CREATE POLICY read_all ON dpadapt.models FOR SELECT USING (true);
CREATE POLICY delete_own ON dpadapt.models FOR DELETE
    USING (pg_catalog.pg_has_role(current_user, role, 'USAGE'));
GRANT SELECT, DELETE ON dpadapt.models TO PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpadapt.models', '');
-- A name stays with the role that made the first model of it: predictions are asked for by name. Not
-- dumped: other servers have other roles.
CREATE TABLE dpadapt.model_names (
    name text PRIMARY KEY,
    role oid NOT NULL
);

-- Ledgers, as dumps, upgrades and replicas carry them; what counts first are the files of the
-- folder dpadapt. Rows are added for good, whatever becomes of the transaction, and by C only. Nothing is
-- unique, so that a dump can come back to a database that has its ledgers.
CREATE TABLE dpadapt.ledger_entries (
    ledger text COLLATE "C" NOT NULL, -- its id
    sequence int8 NOT NULL, -- 0: the beginning, with the budget
    block bytea NOT NULL
);
ALTER TABLE dpadapt.ledger_entries ALTER COLUMN block SET STORAGE MAIN;
CREATE INDEX ledger_entries_place ON dpadapt.ledger_entries (ledger, sequence);
-- What a ledger has counted, by names and by identifiers. Nothing of it is ever taken away: a
-- partition that is detached, or a table with another name, has the same people.
CREATE TABLE dpadapt.ledger_names (
    name text COLLATE "C" NOT NULL,
    ledger text COLLATE "C" NOT NULL,
    kind "char" NOT NULL -- f: of the family, n: of a relation r or p, m: of a relation b
);
CREATE TABLE dpadapt.ledger_relations (
    relation regclass NOT NULL,
    ledger text COLLATE "C" NOT NULL,
    kind "char" NOT NULL -- r: protected, p: a partition, child or parent of one, b: behind a view
);
-- What roles may spend: ids of ledgers of theirs. The last number of a role counts.
CREATE TABLE dpadapt.ledger_shares (
    ledger text COLLATE "C" NOT NULL,
    role oid NOT NULL,
    name text COLLATE "C" NOT NULL, -- of the role then
    server int8 NOT NULL, -- whose role it is: the identifier of its system
    number int8 NOT NULL,
    share text COLLATE "C" NOT NULL -- '': no longer
);
SELECT pg_catalog.pg_extension_config_dump('dpadapt.ledger_shares', '');
SELECT pg_catalog.pg_extension_config_dump('dpadapt.ledger_entries', '');
SELECT pg_catalog.pg_extension_config_dump('dpadapt.ledger_names', '');
-- A dump may make materialized views after these rows: their names are there.
SELECT pg_catalog.pg_extension_config_dump('dpadapt.ledger_relations',
    'WHERE EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = relation '
    'AND c.relpersistence <> ''t'' AND (kind = ''r'' OR c.relkind <> ''m''))');

-- What has rows of a relation or gives it some, by what the catalogue says: inheritance and
-- partitions in both directions, and what views, materialized views and rules read or write, also
-- by functions with a body that is parsed. It is whole where no view is on the way. Backwards it is
-- what can have rows of the relations by reading them. Readable is what whoever owns a reader has
-- the right to read: anybody can define a view of any table. A materialized view that is not
-- populated reads nothing then.
CREATE FUNCTION dpadapt.reached_from(relations oid[], backwards boolean, readable boolean,
                                     OUT class oid, OUT object oid, OUT whole boolean)
    RETURNS SETOF record LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    WITH RECURSIVE edge (class, here, next_class, next, whole, owner, rights) AS (
        SELECT 'pg_class'::regclass::oid, inhrelid, 'pg_class'::regclass::oid, inhparent, true,
               NULL::oid, NULL
        FROM pg_inherits
        UNION ALL
        SELECT 'pg_class'::regclass, inhparent, 'pg_class'::regclass, inhrelid, true, NULL, NULL
        FROM pg_inherits
        UNION ALL
        SELECT CASE WHEN rule.oid IS NULL THEN needed.classid ELSE 'pg_class'::regclass END,
               coalesce(rule.ev_class, needed.objid), needed.refclassid, needed.refobjid, false,
               coalesce(reader.relowner, p.proowner),
               CASE WHEN needed.refclassid = 'pg_proc'::regclass THEN 'EXECUTE'
                    WHEN rule.ev_type <> '1' THEN 'SELECT, INSERT, UPDATE' ELSE 'SELECT' END
        FROM pg_depend AS needed
        LEFT JOIN pg_rewrite AS rule
            ON needed.classid = 'pg_rewrite'::regclass AND rule.oid = needed.objid
        LEFT JOIN pg_class AS c
            ON needed.refclassid = 'pg_class'::regclass AND c.oid = needed.refobjid
        LEFT JOIN pg_class AS reader ON reader.oid = rule.ev_class
        LEFT JOIN pg_proc AS p
            ON needed.classid = 'pg_proc'::regclass AND p.oid = needed.objid
        WHERE needed.refobjid >= 16384 -- those below are PostgreSQL's own
            AND (rule.oid IS NOT NULL OR needed.classid IN (
                'pg_proc'::regclass, 'pg_operator'::regclass, 'pg_cast'::regclass))
            AND (c.relkind IN ('r', 'p', 'f', 'm', 'v') OR needed.refclassid IN (
                'pg_proc'::regclass, 'pg_operator'::regclass, 'pg_cast'::regclass))
            AND (reader.relispopulated IS NOT FALSE OR NOT readable)
    ), step (class, here, next_class, next, whole, owner, rights, read) AS (
        SELECT *, next FROM edge WHERE NOT backwards
        UNION ALL
        SELECT next_class, next, class, here, whole, owner, rights, next FROM edge WHERE backwards
    ), reached (class, object, whole) AS (
        SELECT 'pg_class'::regclass::oid, unnest(relations), true
        UNION
        SELECT step.next_class, step.next, reached.whole AND step.whole
        FROM reached JOIN step ON step.class = reached.class AND step.here = reached.object
        WHERE NOT readable OR owner IS NULL OR coalesce(
            CASE rights WHEN 'EXECUTE' THEN has_function_privilege(owner, read, rights)
                        ELSE has_any_column_privilege(owner, read, rights) END, true)
    )
    SELECT class, object, bool_or(whole) FROM reached GROUP BY class, object
$$;
CREATE FUNCTION dpadapt.rows_from(relation regclass) RETURNS SETOF oid
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT object FROM dpadapt.reached_from(ARRAY[relation::oid], false, false)
    WHERE class = 'pg_class'::regclass
$$;
CREATE FUNCTION dpadapt.tables_of(relation regclass) RETURNS SETOF oid
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.oid FROM dpadapt.rows_from(relation) AS reached (oid) JOIN pg_class AS c USING (oid)
    WHERE c.relkind IN ('r', 'p', 'f')
$$;
-- What of that reads rows that the catalogue does not know: functions whose body is a text or in C,
-- and foreign tables.
CREATE FUNCTION dpadapt.unknown_of(relation regclass) RETURNS SETOF text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT p.oid::regprocedure::text
    FROM dpadapt.reached_from(ARRAY[relation::oid], false, false) AS r
    JOIN pg_proc AS p ON p.oid = r.object
    JOIN pg_language AS l ON l.oid = p.prolang
    WHERE r.class = 'pg_proc'::regclass AND p.prosqlbody IS NULL AND l.lanname <> 'internal'
        AND (l.lanname, p.provolatile) <> ('c', 'i') -- arithmetic
    UNION ALL
    SELECT c.oid::regclass::text
    FROM dpadapt.rows_from(relation) AS reached (oid) JOIN pg_class AS c USING (oid)
    WHERE c.relkind = 'f'
$$;
CREATE FUNCTION dpadapt.names_from(relation regclass, backwards boolean, readable boolean,
                                   OUT oid oid, OUT name text, OUT whole boolean)
    RETURNS SETOF record LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
    SET quote_all_identifiers = off AS $$
    SELECT c.oid, format('%I.%I', s.nspname, c.relname) COLLATE "C", r.whole
    FROM dpadapt.reached_from(ARRAY[relation::oid], backwards, readable) AS r
    JOIN pg_class AS c ON c.oid = r.object
    JOIN pg_namespace AS s ON s.oid = c.relnamespace
    WHERE r.class = 'pg_class'::regclass
$$;
-- What of it ledgers have counted; protected means that the ledger is still that of the relation.
CREATE FUNCTION dpadapt.counted_of(relation regclass, OUT oid oid, OUT ledger text,
                                   OUT whole boolean, OUT protected boolean)
    RETURNS SETOF record LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    WITH member AS MATERIALIZED (SELECT * FROM dpadapt.names_from(relation, false, false))
    SELECT member.oid, r.ledger, r.kind <> 'b', r.kind = 'r'
    FROM member JOIN dpadapt.ledger_relations AS r ON r.relation = member.oid
    UNION
    SELECT member.oid, n.ledger, n.kind <> 'm', false
    FROM member JOIN dpadapt.ledger_names AS n USING (name)
    WHERE n.kind <> 'f' -- which is any text
$$;

-- For custodians.
CREATE FUNCTION dpadapt.protect(relation regclass, epsilon float8, delta float8,
                                options text DEFAULT '', locked boolean DEFAULT true,
                                ledger text DEFAULT '')
    RETURNS void AS 'MODULE_PATHNAME', 'dpadapt_protect'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.protect IS
    'counts a table that the caller owns in the ledger of that name and budget, for good';
CREATE FUNCTION dpadapt.allow(relation regclass, role regrole, epsilon float8, delta float8,
                              options text DEFAULT '')
    RETURNS void AS 'MODULE_PATHNAME', 'dpadapt_allow'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.allow IS
    'what a role may spend from now on of the ledger of a relation that the caller owns';
CREATE FUNCTION dpadapt.disallow(relation regclass, role regrole)
    RETURNS void AS 'MODULE_PATHNAME', 'dpadapt_disallow'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.disallow IS 'takes that away; what is spent stays spent';

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

CREATE FUNCTION dpadapt.calibrate(name text, model text, target regclass, label text, options text)
    RETURNS jsonb AS 'MODULE_PATHNAME', 'dpadapt_calibrate'
    LANGUAGE C VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.calibrate IS
    'saves a copy of a model with prediction intervals, by rows that it was not fitted to; pays';

CREATE FUNCTION dpadapt.ledgers_return() RETURNS void
    AS 'MODULE_PATHNAME', 'dpadapt_ledgers_return' LANGUAGE C VOLATILE PARALLEL UNSAFE;
SELECT dpadapt.ledgers_return(); -- after DROP EXTENSION

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
CREATE FUNCTION dpadapt.predict_interval(name text, features float8[], level float8,
                                         OUT lower float8, OUT upper float8)
    AS 'MODULE_PATHNAME', 'dpadapt_predict_interval' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION dpadapt.predict_interval(text, float8[], float8) IS
    'ends of an interval that holds the label with that probability, of a model with a calibration';
CREATE FUNCTION dpadapt.predict_interval(name text, "row" record, level float8,
                                         OUT lower float8, OUT upper float8)
    AS 'MODULE_PATHNAME', 'dpadapt_predict_interval_row'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION dpadapt.predict_interval(text, record, float8) IS
    'the same from the columns of a row with the names of the features';
CREATE FUNCTION dpadapt.predict_set(name text, "row" record, level float8) RETURNS text[]
    AS 'MODULE_PATHNAME', 'dpadapt_predict_set' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION dpadapt.predict_set IS
    'the classes one of which is the label with that probability, of a model with a calibration';
CREATE FUNCTION dpadapt.report(name text) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'dpadapt_report' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dpadapt.report IS
    'coefficients of a model, and what was promised, released and spent';
CREATE FUNCTION dpadapt.budget(relation regclass) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'dpadapt_budget' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dpadapt.budget IS
    'the ledger of a protected table: budget, what is spent, what is left, all entries';
