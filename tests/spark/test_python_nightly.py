"""The stages of Python's package around those of the jar, of PySpark from PyPI: fits have the bits
of data frames in memory. DPADAPT_JARS: the two jars, a colon between."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["DPADAPT_SOURCE_DIR"], "tests", "engines"))
import case  # noqa: E402
import pandas as pd  # noqa: E402

os.environ["PYTHONPATH"] = str(case.PACKAGE)  # of the workers
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
JARS = os.environ["DPADAPT_JARS"].split(":")
if not all(map(os.path.exists, JARS)):
    print("there are no jars: skipped")
    sys.exit(77)

from pyspark.ml import Pipeline, PipelineModel  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

from dpadapt import BudgetError, Ledger, Model, errors, spark  # noqa: E402
from dpadapt.spark import DpaEstimator, DpaModel  # noqa: E402


class Stages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        session = (SparkSession.builder.master("local[2]").config("spark.jars", ",".join(JARS))
                   .config("spark.ui.enabled", "false").getOrCreate())
        cls.addClassCleanup(session.stop)
        public = pd.DataFrame(case.stays(3000, 0.05, 0))
        private = pd.DataFrame(case.stays(200, 0.08, 3))
        cls.wanted = case.stays_in_memory(public, private).to_bytes()
        cls.source = case.spark_frame(session, public)
        cls.target = case.spark_frame(session, private).repartition(3).cache()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def stage(self, **settings):
        return DpaEstimator(**{"source": self.source, "featureCols": ["age", "ward"],
                               "labelCol": "days", **case.OPTIONS, **settings})

    def test_a_fit_has_the_bits_of_frames_in_memory_with_and_without_the_jar(self):
        model = self.stage().fit(self.target)
        self.assertEqual(model.model.to_bytes(), self.wanted)
        self.assertEqual(model.model.report()["budget"]["epsilon"], 1)
        model.model.save(f"{self.folder}/model.json")
        file = Model.load(f"{self.folder}/model.json")
        found = model.transform(self.target).toPandas()
        self.assertEqual(found["prediction"].tolist(), file.predict(found).tolist())
        without = spark.fit(self.target, source=self.source, label="days", **case.OPTIONS)
        self.assertEqual(without.to_bytes(), self.wanted)

    def test_the_program_of_the_page(self):
        source, printed = case.program("python spark")
        with contextlib.redirect_stdout(io.StringIO()) as found:
            exec(source, {"patients": self.target, "public_stays": self.source})
        self.assertEqual(found.getvalue(), printed)

    def test_stages_are_copied_saved_and_parts_of_pipelines(self):
        stage = self.stage()
        stage.copy().save(f"{self.folder}/stage")
        loaded = DpaEstimator.load(f"{self.folder}/stage").setSource(self.source)
        loaded.fit(self.target).save(f"{self.folder}/model")
        model = DpaModel.load(f"{self.folder}/model")
        self.assertEqual(model.getOrDefault("featureCols"), ["age", "ward"])
        Pipeline(stages=[stage]).fit(self.target).save(f"{self.folder}/pipeline")
        (part,) = PipelineModel.load(f"{self.folder}/pipeline").stages
        for one in (model, part):
            self.assertEqual(one.model.to_bytes(), self.wanted)

    def test_parameters_have_setters_and_reach_the_stage(self):
        stage = (DpaEstimator().setSource(self.source).setFeatureCols(["age"]).setLabelCol("days")
                 .setPredictionCol("stay").setRows(200).setPersist(False)
                 .setOptions(**case.OPTIONS))
        model = stage.fit(self.target)
        self.assertEqual(model.transform(self.target).columns[-1], "stay")
        self.assertIsNone(model.model.schema)
        stage.setLargeSource(self.source)
        self.assertEqual(stage.fit(self.target).model.size, 1)

    def test_errors_are_the_packages(self):
        ledger = Ledger(f"{self.folder}/ledger", epsilon=1, delta=1e-5)
        paid = self.stage(ledger=ledger, unsafe_seed=None)
        paid.fit(self.target)
        with self.assertRaises(BudgetError):
            paid.setOptions(epsilon=2, delta=1e-6).fit(self.target)
        with self.assertRaises(errors.OptionError):
            self.stage(epsilon=-1)
        with self.assertRaises(errors.OptionError):
            self.stage(epsilon=None).fit(self.target)
        with self.assertRaisesRegex(errors.Error, "in memory"):
            self.stage(ledger=Ledger(epsilon=1, delta=1e-5))
        with self.assertRaisesRegex(TypeError, 'did you mean "epsilon"'):
            self.stage(epslion=1)


if __name__ == "__main__":
    unittest.main()
