"""Which level a cell means: the cases that all languages share, by models that the server fits."""

import csv
import json
import os
import unittest
from collections import defaultdict
from pathlib import Path

from cluster import ROLES, Cluster, Failed

CASES = Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/data/levels/cases.csv")


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


class Levels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.sql(ROLES)

    def predict(self, model, cell):
        return self.cluster.sql(f"SELECT dpadapt.predict('{model}_target', r) FROM "
                                f"(SELECT {cell} AS level, 0 AS x) AS r;").strip()

    def fit(self, model, levels):
        rows = ", ".join(f"({quoted(level)}, {i % 5}, {10 * k + i % 5})"
                         for k, level in enumerate(levels) for i in range(20 - k))
        table = "(level text, x float8, y float8)"
        self.cluster.sql(f"""
            CREATE TABLE {model}_source {table}; INSERT INTO {model}_source VALUES {rows};
            CREATE TABLE {model}_target {table}; INSERT INTO {model}_target VALUES {rows};
            CREATE TABLE {model}_odd AS SELECT true AS level, 0.0 AS x, 1.0 AS y;
            SELECT dpadapt.protect('{model}_target', 20, 1e-3, locked => false);
            SELECT dpadapt.protect('{model}_odd', 20, 1e-3, locked => false);""")
        self.cluster.sql(self.call(model, "target"))

    @staticmethod
    def call(model, target):
        relations = f"'{model}_{target}', '{model}_source', '{model}_{target}'"
        return (f"SELECT dpadapt.fit({relations}, 'y', '{{level,x}}', "
                " 'epsilon=2 delta=1e-3 unsafe_seed=5');")

    def test_the_file_of_cases(self):
        found = defaultdict(list)
        with open(CASES, newline="") as file:
            for line in csv.DictReader(file):
                found[line["levels"]].append((line["cell"], line["means"]))
        for k, (text, cells) in enumerate(found.items()):
            levels = text.split("|")
            model = f"m{k}"
            self.fit(model, levels)
            known = {level: self.predict(model, quoted(level)) for level in levels}
            self.assertEqual(len(set(known.values())), len(levels))
            for cell, means in cells:
                value = {"<true>": "true", "<false>": "false"}.get(cell, quoted(cell))
                with self.subTest(levels=text, cell=cell):
                    if means == "refused":
                        with self.assertRaisesRegex(Failed, '"level" is of booleans'):
                            self.predict(model, value)
                        with self.assertRaisesRegex(Failed, '"level" is of booleans'):
                            self.cluster.sql(self.call(model, "odd"))
                        budget = self.cluster.sql(f"SELECT dpadapt.budget('{model}_odd');")
                        self.assertEqual(json.loads(budget)["entries"], [])
                    else:
                        self.assertEqual(self.predict(model, value),
                                         known.get(means, known[levels[0]]))


if __name__ == "__main__":
    unittest.main()
