"""Columns of texts: a schema is learnt from the public source and applied to private rows by the
workers; the bits of the library's own schema on the same rows."""

import json
import os
import sys
import unittest
from pathlib import Path

import numpy as np
from cluster import ROLES, Cluster, Failed, protected
from coded import Schema, Table, passes, requests

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/reference")))
import dpadapt_ctypes as library  # noqa: E402

PARALLEL = """
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = off;
"""
SERIAL = "SET max_parallel_workers_per_gather = 0;"
BUDGET = "epsilon=1 delta=1e-6"
SEED = {"epsilon": 1, "delta": 1e-6, "unsafe_seed": 5}
SETUP = ROLES + """
CREATE TYPE arrival AS ENUM ('planned', 'urgent', 'other');
CREATE DOMAIN ward_name AS varchar(20);
"""
# Numbers, then texts, then labels of three kinds.
PUBLIC = """row int, age int, score numeric, smoker boolean, ward text, code char(4), came arrival,
    days float8, back text, fate varchar(9)"""
PRIVATE = """row int, age float8, score float8, smoker boolean, ward ward_name, code varchar,
    came text, days numeric, back arrival_back, fate text"""
NUMBERS = ("age", "score", "smoker", "days")
NAMES = ("age", "score", "smoker", "ward", "code", "came", "days", "back", "fate")
FEATURES = "{age,score,smoker,ward,code,came}"
LONG = "x" * (1 << 20)


def rows(count, shift, seed, came=("planned", "urgent")):
    """Columns as the library reads them."""
    random = np.random.default_rng(seed)
    ward = random.choice(["A", "B", "North wing"], count)
    x = {"age": np.round(random.uniform(20, 90, count)),
         "score": np.round(random.normal(shift, 1, count), 3),
         "smoker": random.integers(0, 2, count).astype(float),
         "ward": list(map(str, ward)),
         "code": list(map(str, random.choice(["1", "02", "x9"], count))),
         "came": list(map(str, random.choice(came, count)))}
    days = (x["age"] / 20 + x["score"] + shift + 2 * (ward == "B")
            + (np.array(x["came"]) == "urgent") + random.normal(0, 0.3, count))
    x["days"] = days
    x["back"] = ["yes" if d > 5 else "no" for d in days]
    x["fate"] = ["home" if d > 6 else "care" if d > 3 else "other" for d in days]
    return x


def cell(value, name):
    if value is None or (name in NUMBERS and np.isnan(value)):
        return "\\N"
    if name == "smoker":
        return "t" if value else "f"
    return repr(float(value)) if name == "score" or name == "days" else (
        repr(int(value)) if name in NUMBERS else value)


def copy_of(table, columns):
    lines = ("\t".join([str(i), *(cell(columns[name][i], name) for name in NAMES)])
             for i in range(len(columns["age"])))
    return f"COPY {table} FROM STDIN;\n" + "\n".join(lines) + "\n\\.\n"


def fit(name, target="patients", label="days", features=FEATURES, options=BUDGET, source="source"):
    return (f"SELECT dpadapt.fit('{name}', '{source}', '{target}', '{label}', '{features}', "
            f"'{options}');")


def only(columns, label):
    names = (*FEATURES[1:-1].split(","), label)
    return Table({name: columns[name] for name in names})


class Categories(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.source = rows(2000, 0.0, 1)
        cls.source["score"][3] = np.nan
        cls.source["ward"][5] = None
        cls.source["ward"][6] = "rare"
        cls.source["back"][7] = cls.source["fate"][8] = None
        cls.target = rows(3001, 0.5, 2)
        # What no public row has, in some private ones.
        cls.target["ward"][5:8] = [None, "unknown", "north WING"]
        cls.target["code"][9:12] = ["2", LONG, ""]
        cls.target["came"][12:15] = [None, "never", "12.5"]
        cls.target["age"][16], cls.target["days"][17] = np.nan, np.nan
        cls.target["back"][18] = cls.target["fate"][18] = None
        cls.target["fate"][19] = "heaven"
        cls.sql(SETUP + "CREATE TYPE arrival_back AS ENUM ('no', 'yes');"
                f"CREATE TABLE source ({PUBLIC}); {copy_of('source', cls.source)}"
                "GRANT SELECT ON source TO analyst;")
        # Rows of different sizes are not read in the order in which they came.
        order = list(map(int, cls.sql("SELECT row FROM source;").split()))
        cls.source = {name: values[order] if name in NUMBERS else [values[i] for i in order]
                      for name, values in cls.source.items()}
        cls.protect("patients", cls.target)

    @classmethod
    def sql(cls, script, role="postgres"):
        return cls.cluster.sql(script, role)

    @classmethod
    def protect(cls, table, columns, kinds=PRIVATE):
        cls.sql(f"CREATE TABLE {table} ({kinds}); {copy_of(table, columns)}"
                f"{protected(table, 200, 1e-3, more=', locked => false')}", "custodian")

    def refuse(self, text, script, role="analyst"):
        with self.assertRaisesRegex(Failed, text) as caught:
            self.sql(script, role)
        return str(caught.exception)

    def spent(self, table="patients"):
        return len(json.loads(self.sql(f"SELECT dpadapt.budget('{table}');"))["entries"])

    def coded(self, label="days", **options):
        """The library's schema, and both samples by it."""
        public = only(self.source, label)
        schema = Schema(public, label, **options)
        return schema, schema.apply(public), schema.apply(only(self.target, label))

    def test_serial_and_parallel_fits_have_the_bits_of_the_library(self):
        for label, options, outputs in (("days", {}, 1), ("back", {"loss": "logistic"}, 1),
                                        ("fate", {"loss": "softmax"}, 3),
                                        ("days", {"alpha": 0.5, "iterations": 4}, 1)):
            schema, source, target = self.coded(label, **options)
            options = {**SEED, **options}
            wanted = library.Predictor(source, target, private_domain="target", **options)
            words = " ".join(f"{name}={value}" for name, value in options.items())
            for kind, settings in (("serial", SERIAL), ("parallel", PARALLEL)):
                with self.subTest(label=label, kind=kind, options=options):
                    name = f"{label} {kind} {words}"
                    report = json.loads(self.sql(
                        settings + fit(name, label=label, options=words), "analyst"))
                    self.assertEqual(sum(report["coefficients"], []),
                                     list(wanted.vector("coefficients", 8 * outputs)))
                    self.assertEqual(report["intercepts"],
                                     list(wanted.vector("intercept", outputs)))
                    self.assertEqual(report["features"], schema.features)
                    self.assertEqual(len(schema.features), 8)
        plan = self.sql(PARALLEL + "EXPLAIN SELECT dpadapt.pass_rows('', '', r.*) FROM "
                        "(SELECT age, ward FROM patients) AS r;", "custodian")
        self.assertIn("Partial Aggregate", plan)
        again = json.loads(self.sql(f"SELECT dpadapt.report('{name}');", "analyst"))
        self.assertEqual(again, report)

    def sums(self, table, schema, some, where=""):
        """Of each request, by the custodian."""
        columns = ("age, score, smoker, left(ward::text, 1000) AS ward, left(code, 1000) AS code, "
                   "came, days")
        return [bytes.fromhex(self.sql(
            f"SELECT dpadapt.pass_rows('\\x{request.hex()}', '\\x{schema.bytes.hex()}', r.*) FROM "
            f"(SELECT {columns} FROM {table} ORDER BY row) AS r;", "custodian")[2:])
            for request in some]

    def test_a_row_adds_what_the_library_makes_of_it_and_nothing_else(self):
        """So neighbours differ by one record's terms, whose size the library certifies."""
        schema, source, (x, y) = self.coded()
        some = [(seen := requests(source, (x, y), **SEED))[0], seen[-1]]
        self.assertEqual(self.sums("patients", schema, some),
                         [passes.carry_out(request, [(x, y)]) for request in some])
        self.sql("CREATE TABLE neighbours AS TABLE patients;", "custodian")
        known = x[100].copy()
        for ward, code in (("'B'", "'x9'"), ("'unheard of'", "NULL"), ("NULL", f"'{LONG}'"),
                           ("repeat('B', 20)", "'x9' || repeat(' ', 2000) || 'end'")):
            self.sql(f"UPDATE neighbours SET ward = {ward}, code = {code} WHERE row = 100;",
                     "custodian")
            text = {"NULL": None, "repeat('B', 20)": "B" * 20,
                    "'x9' || repeat(' ', 2000) || 'end'": "x9"}  # what is beyond 1000 is not read
            row = {name: self.target[name][100:101] for name in NAMES}
            row["ward"] = [text.get(ward, ward.strip("'"))]
            row["code"] = [text.get(code, code.strip("'"))]
            x[100] = schema.apply(only(row, "days"))[0]
            for sum_, request in zip(self.sums("neighbours", schema, some), some):
                self.assertEqual(sum_, passes.carry_out(request, [(x, y)]))
            if "NULL" in (ward, code):  # what no public row has is the first level
                np.testing.assert_array_equal(x[100], [*known[:3], 0, 0, 0, 0, known[-1]])

    def test_odd_private_texts_change_no_count_and_are_no_error(self):
        count = 1500
        plain = {name: values[:count] for name, values in self.target.items()}
        odd = dict(plain)
        odd["ward"] = [None if i % 2 else f"ward {i}" for i in range(count)]
        # More than waits for a block.
        odd["code"] = odd["came"] = [LONG if i < 3 else "x" * 2000 for i in range(count)]
        odd["fate"] = ["x" * 2000] * count
        releases = []
        for table, columns in (("odd", odd), ("plain", plain)):
            self.protect(table, columns)
            report = json.loads(self.sql(PARALLEL + fit(f"of {table}", table), "analyst"))
            releases.append((report["privacy"]["releases"], report["features"],
                             self.spent(table)))
        self.assertEqual(releases[0], releases[1])
        self.sql(fit("odd fates", "odd", "fate", options=f"{BUDGET} loss=softmax"), "analyst")

    def test_predictions_read_rows_of_any_types(self):
        schema, source, target = self.coded("fate", loss="softmax")
        options = f"{BUDGET} loss=softmax unsafe_seed=5"
        self.sql(fit("fates", label="fate", options=options), "analyst")
        fitted = library.Predictor(source, target, private_domain="target", loss="softmax", **SEED)
        wanted = fitted.predict(target[0])
        shown = self.sql("SELECT dpadapt.predict('fates', p), dpadapt.predict_label('fates', p) "
                         "FROM patients AS p ORDER BY row;", "postgres").splitlines()
        other = [f"{int(label)}|{schema.label_text(label)}" for label in wanted]
        self.assertEqual([pair for pair in zip(shown, other) if pair[0] != pair[1]], [])
        self.assertEqual(set(map(schema.label_text, wanted)), {"home", "care", "other"})
        one = "(SELECT {} AS {}, age, score, smoker, ward, code, came FROM patients WHERE row = 1)"
        other = one.format("1", "extra").replace("came", "came::arrival").replace(
            "ward,", "ward::char(30) AS ward,").replace("age,", "age::int,")
        for rows_ in (one.format("1", "extra"), other):
            got = self.sql(f"SELECT dpadapt.predict_label('fates', r) FROM {rows_} AS r;")
            self.assertEqual(got, schema.label_text(wanted[1]))
        self.sql(fit("stays"), "analyst")
        x9, long, unknown = (self.sql(
            "SELECT dpadapt.predict('stays', r) FROM (SELECT 50 AS age, 0 AS score, true AS smoker,"
            f" 'A' AS ward, 'planned' AS came, {code} AS code) AS r;")
            for code in ("'x9'", "'x9' || repeat(' ', 2000) || 'end'", "'other'"))
        self.assertEqual(long, x9)
        self.assertNotEqual(unknown, x9)
        for text, row in (
            ('model "fates" needs the column "came"', "1 AS age, 2 AS score, 'A' AS ward, "
             "'x9' AS code, true AS smoker"),
            ('column "age" of the row is of type date, neither a number nor a text',
             "'2020-01-01'::date AS age, 2 AS score, 'A' AS ward, 'x9' AS code, true AS smoker, "
             "'urgent' AS came"),
        ):
            self.refuse(text, f"SELECT dpadapt.predict('fates', r) FROM (SELECT {row}) AS r;")
        self.refuse('model "fates" reads columns by a schema, and no array',
                    "SELECT dpadapt.predict('fates', ARRAY[1.0, 2]);")

    def test_a_model_is_a_model_file(self):
        self.sql(fit("filed"), "analyst")
        text = self.sql("SELECT convert_from(solution, 'UTF8') FROM dpadapt.models "
                        "WHERE name = 'filed';", "analyst")
        self.assertEqual(json.loads(text)["label"], "days")
        report = json.loads(self.sql("SELECT dpadapt.report('filed');", "analyst"))
        self.assertEqual(json.loads(text)["features"], report["features"])
        self.assertIn("ward: category ", " ".join(report["schema"]))
        self.assertEqual(report["labels"], "a number")
        self.assertEqual(report["privacy"]["private"], True)

    def test_a_boolean_is_one_of_two_classes(self):
        self.sql("CREATE TABLE truths AS SELECT age, score, back = 'yes' AS back FROM source;"
                 "GRANT SELECT ON truths TO analyst;")
        options = f"{BUDGET} loss=logistic"
        report = json.loads(self.sql(fit("truth", "patients", "back", "{age,score}", options,
                                         "truths"), "analyst"))
        self.assertEqual(report["features"], ["age", "score"])
        self.assertEqual(self.sql("SELECT DISTINCT dpadapt.predict_label('truth', s) FROM source "
                                  "AS s ORDER BY 1;").split(), ["0", "1"])

    def test_evaluations(self):
        self.protect("later", rows(2000, 0.5, 4))
        self.sql("ALTER TABLE later RENAME COLUMN back TO returned;", "custodian")
        options = f"{BUDGET} loss=logistic"
        for name in ("one", "two"):
            self.sql(fit(name, label="back", options=options), "analyst")
        self.sql(fit("three", label="days"), "analyst")
        evaluate = "SELECT dpadapt.evaluate('{{{}}}', 'later', 'returned', '" + BUDGET + "');"
        report = json.loads(self.sql(evaluate.format("one,two"), "analyst"))
        by_name = {measure["name"]: measure for measure in report["measures"]}
        truth = float(self.sql("SELECT avg((dpadapt.predict_label('one', l) = returned::text)::int)"
                               " FROM later AS l;"))
        self.assertLess(abs(by_name["accuracy"]["estimate"] - truth), 0.1)
        before = self.spent("later")
        self.refuse('models "one" and "three" have different schemas', evaluate.format("one,three"))
        self.assertEqual(self.spent("later"), before)

    def test_mistakes_cost_nothing_and_show_no_private_value(self):
        self.protect("mistaken", self.target)
        before = self.spent("mistaken")
        self.sql("""
            CREATE TABLE more AS SELECT *, now()::date AS day, 'one' AS same, score AS number
                FROM source;
            GRANT SELECT ON more TO analyst;
            ALTER TABLE mistaken ADD day date DEFAULT '1999-09-09', ADD same text DEFAULT 'hidden',
                ADD number text DEFAULT 'hidden';""")

        def wrong(features="{ward}", **more):
            return fit("m", "mistaken", features=features, source="more", **more)

        for text, script in (
            ('column "day" of relation "mistaken" is of type date, neither a number nor a text',
             wrong("{ward,day}")),
            ('column "number" of relation "mistaken" is of type text, not a number',
             wrong("{age,number}")),
            ('column "z" of relation "mistaken" does not exist', wrong("{ward,z}")),
            ('row [0-9]+, column "fate": "[a-z]+" is no number', wrong(label="fate")),
            ("a loss of two classes, but the labels are",
             wrong(label="fate", options=f"{BUDGET} loss=logistic")),
            ("no column of the table is left as a feature", wrong("{same}")),
            ('column "ward" is given twice', wrong("{ward,ward}")),
            ('relation "more" is larger than dpadapt.source_memory',
             f"SET dpadapt.source_memory = 8; {wrong()}"),
            ("permission denied for aggregate pass_rows",
             "SELECT dpadapt.pass_rows('', '', s.*) FROM source AS s;"),
        ):
            with self.subTest(script=script):
                self.assertNotIn("hidden", self.refuse(text, script))
        self.assertEqual(self.spent("mistaken"), before)
        # Beside a text, a text where the public rows have numbers is a missing number.
        self.sql(wrong("{ward,number}"), "analyst")

    def test_no_code_of_an_analyst_sees_private_texts(self):
        """Neither a cast of their type nor a function of their schema."""
        trap = """
            CREATE SCHEMA trap AUTHORIZATION analyst; GRANT USAGE ON SCHEMA trap TO PUBLIC;
            SET ROLE analyst;
            CREATE TYPE trap.mood AS ENUM ('good', 'bad');
            CREATE DOMAIN trap.text AS pg_catalog.text CHECK (VALUE = 'never');
            CREATE FUNCTION trap.seen(trap.mood) RETURNS pg_catalog.text LANGUAGE plpgsql AS
                $$BEGIN RAISE 'seen %', $1 = 'good'; END$$;
            CREATE FUNCTION trap.left(pg_catalog.text, int) RETURNS pg_catalog.text
                LANGUAGE plpgsql AS $$BEGIN RAISE 'seen'; END$$;
            CREATE CAST (trap.mood AS pg_catalog.text) WITH FUNCTION trap.seen(trap.mood);
            CREATE TABLE trap.moods AS SELECT (CASE WHEN i % 2 = 0 THEN 'good' ELSE 'bad' END)
                ::trap.mood AS mood, 'w' || i % 3 AS ward, i % 2 + 0.1 * sin(i) AS y
                FROM generate_series(1, 500) AS i;
            CREATE VIEW trap.shown AS SELECT * FROM trap.moods WHERE y IS NOT NULL AND
                set_config('search_path', 'trap, pg_catalog', false) IS NOT NULL;
            RESET ROLE;
            CREATE TABLE moody AS TABLE trap.moods; ALTER TABLE moody OWNER TO custodian;"""
        self.sql(trap)
        self.sql(protected("moody", 9), "custodian")
        self.refuse("seen", "SELECT mood::text FROM moody;", "custodian")
        made = self.sql(fit("moods", "moody", "y", "{mood,ward}", source="trap.shown"), "analyst")
        self.assertEqual(json.loads(made)["features"][0], "mood=good")


if __name__ == "__main__":
    unittest.main()
