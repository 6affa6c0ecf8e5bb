"""Careless calls: what the command, C, Python, R, Java, PostgreSQL and Spark tell of each is one
set of sentences.

CARELESS_PROGRAMS has pairs, Rscript and its library, java and the jar, with | between all;
PostgreSQL has the environment of its own tests, Spark DPADAPT_JARS of its.
"""

import csv
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import cases

ROOT = Path(os.environ["DPADAPT_SOURCE_DIR"])
HERE = ROOT / "tests/careless"
for folder in ("tests/reference", "tests/postgres", "bindings/python"):
    sys.path.insert(0, str(ROOT / folder))


def programs():
    """Of each language that is there."""
    words = iter(os.environ.get("CARELESS_PROGRAMS", "").split("|"))
    commands = {}
    for program, library in zip(words, words):
        if Path(program).name == "Rscript":
            os.environ["R_LIBS"] = library
            commands["R"] = [program, str(HERE / "careless.R")]
        else:
            commands["Java"] = [program, "-cp", library, str(HERE / "Careless.java")]
    return commands


PROGRAMS = programs()


def sentence_of(text):
    """Without the name of the caller's function and file, and with numbers of columns for names."""
    first = text.splitlines()[0]
    first = re.sub(r" \(--set [^()]+\)$", "", first)  # what the command adds
    callers = r"dpadapt: |dpa_\w+: |(?:Adapted|Dpa)\w+: |[^ ]+\.csv: |--weight \w+: "
    return re.sub(rf"^({callers})*", "", first)


def numbered(text, features):
    for number, name in enumerate(features):
        text = text.replace(f", {name}: ", f", column {number}: ")
    return text


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def is_number(cell):
    return re.fullmatch(r"[-+.\deE]+", cell) is not None


def features_of(case):
    names = cases.table(case.source, "source")[0]
    return [name for name in names if name not in (case.label, case.weight, "k")]


def by_command(folder, case):
    arguments = [word for pair in case.settings().items() for word in ("--set", "=".join(pair))]
    if case.weight:
        arguments += ["--weight", case.weight]
    done = subprocess.run(
        [os.environ["DPADAPT_CLI"], "fit", "--source", f"source_{case.source}.csv", "--target",
         f"target_{case.target}.csv", "--label", case.label, "--json", *arguments],
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        return [sentence_of(done.stderr)]
    report = json.loads(done.stdout)
    return [numbered(note, report["features"]) for note in report["notes"]]


def c_table(library, rows, ignored):
    count = ctypes.c_size_t(len(rows))
    handle = ctypes.c_void_p()
    library._call("dpa_table_create", count, ctypes.byref(handle))
    for name in rows[0]:
        texts = [row[name] for row in rows]
        if all(is_number(cell) or not cell for cell in texts):
            numbers = [float(cell) if cell else float("nan") for cell in texts]
            values, kind = (ctypes.c_double * len(rows))(*numbers), "numbers"
        else:
            values, kind = (ctypes.c_char_p * len(rows))(*map(str.encode, texts)), "texts"
        library._call(f"dpa_table_add_{kind}", handle, name.encode(), values, count)
    if ignored:
        library._call("dpa_table_hint", handle, b"ignore", ignored.encode())
    return handle


def by_c(folder, case):
    import dpadapt_ctypes as library
    import numpy as np
    source, target = (read(folder / f"{side}_{getattr(case, side)}.csv")
                      for side in ("source", "target"))
    try:
        options = library._options({"private_domain": "target", **case.settings()})
        schema, known = ctypes.c_void_p(), c_table(library, source, case.weight)
        library._call("dpa_schema_learn", known, case.label.encode(), options.value,
                      ctypes.byref(schema))
        width = ctypes.c_size_t()
        library._call("dpa_schema_feature_count", schema, ctypes.byref(width))
        samples = []
        for rows in (source, target):
            x, y = np.empty((len(rows), width.value)), np.empty(len(rows))
            library._call("dpa_schema_apply", schema, c_table(library, rows, ""),
                          x.ctypes.data_as(library.DOUBLES), ctypes.c_size_t(x.size),
                          y.ctypes.data_as(library.DOUBLES), ctypes.c_size_t(y.size))
            weights = [[float(row[case.weight]) for row in rows]] if case.weight else []
            samples.append((x, y, *weights))
        library._call("dpa_schema_set_loss", schema, options.value)
        problem = library._problem(*samples)
        fit = library._Handle("solution", "dpa_solve", problem.value, None, options.value)
        known, size = ctypes.create_string_buffer(4096), ctypes.c_size_t()
        library._call("dpa_schema_text", schema, b"labels", ctypes.c_size_t(0), known,
                      ctypes.c_size_t(len(known)), None)
        out = ctypes.create_string_buffer(1 << 16)
        library._call("dpa_solution_findings", fit.value, known, out, ctypes.c_size_t(len(out)),
                      ctypes.byref(size))
        return out.value.decode().splitlines()
    except library.Error as error:
        return [sentence_of(str(error))]


def by_python(folder, case):
    import pandas
    from dpadapt import AdaptedClassifier, AdaptedRegressor, errors
    source, target = (pandas.read_csv(folder / f"{side}_{getattr(case, side)}.csv")
                      for side in ("source", "target"))
    columns = [name for name in source if name not in (case.label, case.weight)]

    def parts(frame):
        return (frame[columns], frame[case.label],
                *([frame[case.weight]] if case.weight else []))

    settings = {name: value if name == "loss" or not is_number(value) else float(value)
                for name, value in case.settings().items()}
    settings["unsafe_seed"] = 5
    kind = AdaptedRegressor
    if settings.get("loss") == "logistic":
        kind = AdaptedClassifier
    try:
        fit = kind(**settings).fit(*parts(target), source=parts(source))
        return [numbered(line, columns) for line in fit.findings_.splitlines()]
    except (errors.Error, TypeError) as error:
        return [sentence_of(str(error))]


def by_program(language):
    """All cases at once: lines of name and sentence."""
    def read_lines(folder, case):
        if language not in FOUND:
            done = subprocess.run([*PROGRAMS[language], str(folder)], check=True, text=True,
                                  stdout=subprocess.PIPE)
            FOUND[language] = [line.split("\t", 1) for line in done.stdout.splitlines()]
        return [numbered(sentence_of(text), features_of(case)) for name, text in FOUND[language]
                if name == case.name]
    return read_lines


def by_postgres(folder, case):
    from cluster import Failed
    server, names = FOUND["postgres"], []
    for side in ("source", "target"):
        rows = read(folder / f"{side}_{getattr(case, side)}.csv")
        names.append(f"{side}_{len(FOUND['tables'])}")
        FOUND["tables"].append(names[-1])
        texts = {case.label} if case.options.get("loss") == "logistic" else ()
        types = ", ".join(f"{name} {'text' if name in texts else 'float8'}" for name in rows[0])
        lines = "\n".join("\t".join(row[name] or "\\N" for name in rows[0]) for row in rows)
        server.sql(f"CREATE TABLE {names[-1]} ({types});\nCOPY {names[-1]} FROM STDIN;\n{lines}\n"
                   "\\.\n")
    options = case.settings()
    features = ",".join(name for name in rows[0] if name not in (case.label, case.weight))
    server.sql(f"SELECT dpadapt.protect('{names[1]}', {options['epsilon']}, {options['delta']}, "
               "locked => false);")
    words = " ".join(f"{name}={value}" for name, value in options.items())
    try:
        server.sql(f"SELECT dpadapt.fit('{names[1]}', '{names[0]}', '{names[1]}', '{case.label}', "
                   f"'{{{features}}}', '{words}');")
    except Failed as error:
        return [sentence_of(re.search(r"ERROR: +(.*)", str(error))[1])]
    report = json.loads(server.sql(f"SELECT dpadapt.report('{names[1]}');"))
    return [numbered(note, report["features"]) for note in report["notes"]]


def spark_session(test):
    os.environ.update(PYTHONPATH=str(ROOT / "bindings/python"), PYSPARK_PYTHON=sys.executable,
                      SPARK_LOCAL_IP="127.0.0.1")
    from pyspark.sql import SparkSession
    jars = os.environ["DPADAPT_JARS"].replace(":", ",")
    session = (SparkSession.builder.master("local[1]").config("spark.jars", jars)
               .config("spark.sql.shuffle.partitions", "1").config("spark.ui.enabled", "false")
               .getOrCreate())
    test.addClassCleanup(session.stop)
    return session


def by_spark(folder, case):
    import pandas
    from dpadapt import errors
    from dpadapt.spark import DpaEstimator
    classes = {case.label: str} if case.options.get("loss") == "logistic" else None
    source, target = (
        FOUND["spark"].createDataFrame(
            pandas.read_csv(folder / f"{side}_{getattr(case, side)}.csv", dtype=classes))
        for side in ("source", "target"))
    try:
        stage = DpaEstimator(source=source, labelCol=case.label, featureCols=[
            name for name in source.columns if name != case.label])
        stage.setOptions(**case.settings())
        return stage.fit(target).model.findings().splitlines()
    except (errors.Error, TypeError) as error:
        return [sentence_of(str(error))]


FOUND = {"tables": []}


class Careless(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cases.write(cls.folder)
        cls.readers = {"the command": by_command, "C": by_c}
        try:
            import pandas  # noqa: F401
            import sklearn  # noqa: F401
            cls.readers["Python"] = by_python
        except ImportError:
            pass
        for language in PROGRAMS:
            cls.readers[language] = by_program(language)
        if "DPADAPT_PG_CONFIG" in os.environ:
            from cluster import ROLES, Cluster
            FOUND["postgres"] = Cluster()
            cls.addClassCleanup(FOUND["postgres"].stop)
            FOUND["postgres"].sql(ROLES)
            cls.readers["PostgreSQL"] = by_postgres
        if "DPADAPT_JARS" in os.environ:
            FOUND["spark"] = spark_session(cls)
            cls.readers["Spark"] = by_spark

    def test_every_language_tells_the_same(self):
        for case in cases.CASES:
            wanted = self.readers["C"](self.folder, case)
            for part in case.says:
                with self.subTest(case=case.name, says=part):
                    self.assertIn(part, "\n".join(wanted))
            for language, reader in self.readers.items():
                in_engine = language in ("PostgreSQL", "Spark")
                if in_engine and case.weight:
                    continue  # which has no weights
                more = case.without_schema if in_engine else ()
                found = sorted(reader(self.folder, case)), sorted([*wanted, *more])
                if more:  # another column, with noise of its own
                    found = [[re.sub(r"[\d.]+ %", "a share", one) for one in each]
                             for each in found]
                with self.subTest(case=case.name, language=language):
                    self.assertEqual(*found)


if __name__ == "__main__":
    unittest.main()
