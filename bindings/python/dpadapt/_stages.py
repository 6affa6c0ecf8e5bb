"""Stages of Spark ML in Python around those of the jar, which does all the work."""

import sys

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.ml.util import JavaMLReadable, JavaMLReader, JavaMLWritable
from pyspark.ml.wrapper import JavaEstimator, JavaModel
from pyspark.sql.utils import CapturedException, is_remote

from . import _options, errors
from .ledger import Ledger
from .model import Model as Predictor

PLACE = "org.dpadapt.spark"
PARAMS = ("featuresCol", "featureCols", "labelCol", "predictionCol", "predictedLabelCol", "ledger",
          "rows", "persist")


class _Reader(JavaMLReader):
    @classmethod
    def _java_loader_class(cls, stage):
        return f"{PLACE}.{stage.__name__}"


class _Stage(JavaMLReadable, JavaMLWritable):
    @classmethod
    def read(cls):
        return _Reader(cls)


class DpaModel(JavaModel, _Stage):
    """A fitted predictor, whose transform() adds the predictions to a data frame."""

    @property
    def model(self):
        """The same as a dpadapt.Model: report(), findings(), predict(), and save(), which writes
        the model file of a fit with texts."""
        solution, schema = self._java_obj.solution(), self._java_obj.schema()
        data = schema.model(solution).encode() if schema else solution.predictorToBytes()
        for one in filter(None, (solution, schema)):
            one.close()
        return Predictor.from_bytes(bytes(data))


class DpaEstimator(JavaEstimator, _Stage):
    """A fit to a private data frame, as a stage of Spark ML. The source is public.

    The keywords are the parameters of the stage (featureCols, featuresCol, labelCol, predictionCol,
    predictedLabelCol, ledger, rows, persist), source, and the options of the library, such as
    epsilon. Each has a method, such as setLabelCol() and setOptions().
    """

    def __init__(self, source=None, **settings):
        super().__init__()
        if is_remote() or SparkContext._active_spark_context is None:
            raise errors.StateError("there is no SparkContext: over Spark Connect use "
                                    "dpadapt.spark.fit, which needs no jar")
        try:
            self._java_obj = self._new_java_obj(f"{PLACE}.DpaEstimator", self.uid)
        except TypeError:  # a class that is not there is a package
            raise errors.StateError("Spark has no jar of dpadapt-spark: name both jars in "
                                    "spark.jars") from None
        self._create_params_from_java()
        self._transfer_params_from_java()
        if source is not None:
            self.setSource(source)
        for name in settings.keys() & set(PARAMS):
            _set(self, name, settings.pop(name))
        if settings:
            self.setOptions(**settings)

    def setSource(self, frame):
        """Public rows, which a fit collects to the driver. They are not saved with the stage."""
        self._java_obj.setSource(frame._jdf)
        return self

    def setLargeSource(self, frame):
        """Public rows of numbers that stay in their partitions."""
        self._java_obj.setLargeSource(frame._jdf)
        return self

    def setOptions(self, **settings):
        """Options of the library, in place of all that were set."""
        _options.refuse_unknown(settings, "DpaEstimator")
        made = _options.make(settings)
        return self._set(options=[f"{name}={_options.read(made, name)}" for name in settings
                                  if settings[name] is not None])

    def _fit_java(self, dataset):
        try:
            return super()._fit_java(dataset)
        except (Py4JJavaError, CapturedException) as error:
            own = _own(error)
            if own is None:
                raise
            raise own from error

    def _create_model(self, java_model):
        model = DpaModel(java_model)
        model._transfer_params_from_java()
        return model


def _set(stage, name, value):
    if name == "ledger":
        path = value.path if isinstance(value, Ledger) else value
        if path is None:
            raise errors.Error("a ledger in memory cannot pay for Spark: give one with a file")
        value = str(path)
    return stage._set(**{name: value})


for _name in PARAMS:
    setattr(DpaEstimator, f"set{_name[0].upper()}{_name[1:]}",
            lambda self, value, name=_name: _set(self, name, value))


def _own(error):
    """The package's error of one of the library, else None."""
    cause = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while cause is not None:
        if hasattr(cause, "getClass") and cause.getClass().getName().startswith("org.dpadapt."):
            return errors.make(f"DPA_E_{cause.kind().name()}", cause.getMessage())
        cause = cause.getCause()
    return None


sys.modules.setdefault(PLACE, sys.modules[__name__])  # where PySpark looks for stages of pipelines
