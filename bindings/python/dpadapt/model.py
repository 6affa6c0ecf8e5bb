"""The fitted predictor, which is saved as one file for Python, the command, R and Java."""

import json
from ctypes import byref
from pathlib import Path

import numpy as np

from . import _options, errors
from ._call import (JSON, PAGE, SIZE, TEXT, Handle, array, call, filled, matrix, number, pointer,
                    text)
from ._cells import column, numbers, positions, private_matrix, refuse_kind, spelling
from ._library import DOUBLE, INT, LIBRARY
from ._tables import is_frame, refuse_names
from .schema import Schema

KINDS = {"labels": 0, "scores": 1, "probabilities": 2, "coordinates": 3}
DOMAINS = ("source", "target")
PROTECTIONS = ("none", "guaranteed", "seeded", "in part")


def _typed(words):
    """Numbers if all are such."""
    for kind in (int, float):
        try:
            found = [kind(word) for word in words]
        except ValueError:
            continue
        if [spelling(value) for value in found] == [spelling(word) for word in words]:
            return found
    return words


class Model:
    """A predictor with its promise.

    `classes` are the labels of a classifier in the caller's words, and `codes` what the library
    calls them: -1 and +1, or 0 to K - 1. A model file keeps words: if all are numbers, they are
    numbers again, and true and false, which it keeps as 1 and 0, are these. Immutable: threads may
    share it.
    """

    def __init__(self, handle, schema=None, classes=None, codes=None):
        self.handle, self.schema = handle, schema
        self.classes = None if classes is None else np.asarray(classes)
        self.codes = None if codes is None else np.asarray(codes, int)
        sizes = [SIZE() for _ in range(4)]
        call("dpa_solution_shape", handle, *map(byref, sizes))
        self.size, self.outputs, self.source_rows, self.target_rows = (one.value for one in sizes)

    @classmethod
    def from_bytes(cls, data, classes=None, codes=None):
        """From to_bytes(), or from a model file of the command, R or Java."""
        data = memoryview(data).tobytes()
        handle = Handle("solution", "dpa_solution_deserialize", data, len(data))
        schema = Schema.from_model(data) if data.lstrip()[:1] == b"{" else None
        return cls.named(handle, schema) if codes is None else cls(handle, schema, classes, codes)

    @classmethod
    def named(cls, handle, schema):
        """With the classes that the schema knows."""
        model = cls(handle, schema)
        if schema:
            model._name_classes()
        return model

    @classmethod
    def load(cls, path):
        """Reads a model file."""
        return cls.from_bytes(Path(path).read_bytes())

    def _name_classes(self):
        if self.loss != "votes":
            try:
                self.apply("probabilities", np.empty((0, self.size)))
            except errors.UnsupportedError:
                return
        self.codes = np.array([-1, 1]) if self.outputs < 2 else np.arange(self.outputs)
        text_of = self.schema.label_text
        self.classes = np.array(_typed([text_of(float(code)) for code in self.codes]))

    def to_bytes(self):
        """A model file if the fit was to data frames, else the saved solution. The weights of the
        records are left out."""
        if self.schema is None:
            return filled("dpa_solution_serialize", self.handle, 0)
        return filled("dpa_schema_model", self.schema.handle, self.handle, 0)[:-1]

    def save(self, path):
        """Writes a model file, whole or not at all. A new file of a private fit is for its owner
        alone."""
        if self.schema is None:
            raise errors.Error("a model file needs columns with names: fit data frames, or keep "
                               "to_bytes()")
        call("dpa_solution_save", self.handle, self.schema.handle, 0, Path(path))

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(), self.classes, self.codes)

    # Predictions

    def rows(self, data, labels=None, private=False):
        """Features, and codes of labels, as the library reads them."""
        if self.schema is not None and is_frame(data):
            return self.schema.rows(data, labels, private)
        if self.schema is not None:
            raise errors.Error("the model was fitted on a data frame, so it reads data frames")
        refuse_names(data)
        if private:
            x = private_matrix(data, self.size)
        else:
            refuse_kind(data, "X")
            x = np.ascontiguousarray(numbers(data))
        if x.ndim != 2:
            raise errors.make("DPA_E_DIMENSION", "features must be a matrix")
        return x, None if labels is None else self.encode(labels, private)

    @property
    def meaning_of_labels(self):
        """Equal for models that read labels alike."""
        return self.codes is not None and (list(map(spelling, self.classes.tolist())),
                                           self.codes.tolist())

    def encode(self, labels, private=False):
        """Labels as numbers of the library; NaN for none that is known."""
        if not private:
            refuse_kind(np.asarray(labels), "y")
        labels = column(labels, "y")
        if self.codes is None:
            return numbers(labels)
        places = positions(labels, self.classes)
        return np.where(places < 0, np.nan, self.codes[places])

    def apply(self, kind, x):
        """What dpa_solution_predict computes of features: a number a row, or a column for each
        output."""
        code = KINDS[_options.choice("kind", kind, KINDS)]
        width = {"labels": 1, "coordinates": 0}.get(kind, self.outputs)
        if kind == "coordinates":
            width = int(self.value("dimension"))
        out = np.empty((len(x), width) if kind == "coordinates" else (width, len(x)))
        call("dpa_solution_predict", self.handle, code, matrix(x), pointer(out), out.size)
        return out if kind == "coordinates" else out[0] if width == 1 else out.T

    def predict(self, data):
        """Labels, in the caller's words, as `classes` has them; None for a row that has none."""
        found = self.apply("labels", self.rows(data)[0])
        if self.codes is None:
            return found
        place = {float(code): place for place, code in enumerate(self.codes.tolist())}
        known = np.isfinite(found)
        labels = self.classes[[place[code] for code in found[known].tolist()]]
        if known.all():
            return labels
        every = np.full(len(found), None, object)  # of rows with missing values
        every[known] = labels
        return every

    def predict_proba(self, data):
        """A column for each class."""
        return self.probabilities(self.rows(data)[0])

    def probabilities(self, x):
        """The same of features."""
        found = self.apply("probabilities", x)
        if found.ndim == 2:
            return np.ascontiguousarray(found[:, self.codes])
        return np.column_stack([found if code == 1 else 1 - found for code in self.codes])

    def predict_interval(self, data, level=0.9):
        """Lower and upper ends of an interval that holds the label of each row; of classes a column
        for each, with whether it belongs to the row's set. For models of calibrate()."""
        return self.row_intervals(self.rows(data)[0], level)

    def row_intervals(self, x, level):
        """The same of features."""
        out = np.empty((2 if self.codes is None else max(self.outputs, 2), len(x)))
        call("dpa_solution_predict_interval", self.handle, level, matrix(x), pointer(out), out.size)
        if self.codes is None:
            return out.T
        return np.ascontiguousarray(out[np.maximum(self.codes, 0)].T) > 0

    def survival(self, data, times, confidence=None):
        """The probability to be without an event up to each time, of a fit by loss="survival": a
        column for each time. With a confidence lower and upper ends of intervals, two such tables.
        After the last public event it is NaN."""
        x, times = self.rows(data)[0], np.ascontiguousarray(times, float).ravel()
        out = np.empty(((2,) if confidence else ()) + (len(times), len(x)))
        call("dpa_solution_survival", self.handle, confidence or 0.0, matrix(x), pointer(times),
             len(times), pointer(out), out.size)
        return np.ascontiguousarray(np.swapaxes(out, -1, -2))

    @property
    def calibration(self):
        """What predict_interval() promises, in sentences; empty for a model that was not made by
        calibrate()."""
        return text("dpa_solution_text", self.handle, "calibration")

    def scores(self, data):
        """Scores of two classes are above 0 for the second one; of more a column for each."""
        return self.class_scores(self.rows(data)[0])

    def class_scores(self, x):
        """The same of features."""
        found = self.apply("scores", x)
        if self.codes is None:
            return found
        return found[:, self.codes] if found.ndim == 2 else found * self.codes[1]

    def weigh(self, domain, data, labels):
        """The weight that each row has, or would have, in the fit: "source" or "target"."""
        x, y = self.rows(data, labels)
        domain = DOMAINS.index(_options.choice("domain", domain, DOMAINS))
        return array("dpa_solution_weigh", self.handle, domain, matrix(x), pointer(y), len(y),
                     None, 0, length=len(y))

    # Values and the promise

    def value(self, name):
        """A number, such as "alpha" or "duality_gap"."""
        return number("dpa_solution_value", self.handle, name)

    def array(self, name):
        """An array, such as "coefficients" or "target_estimate"."""
        dimension = int(self.value("dimension"))
        lengths = {"coefficients": (self.outputs, self.size), "intercept": self.outputs,
                   "source_weights": self.source_rows, "target_weights": self.target_rows,
                   "target_estimate": dimension, "covariance": (dimension, dimension)}
        length = lengths[name] if name in lengths else int(self.value("parameters"))
        out = np.empty(length)
        call("dpa_solution_array", self.handle, name, pointer(out), out.size)
        return out

    def intervals(self, confidence=0.95):
        """Lower and upper ends of the target's own coefficients."""
        size = int(self.value("dimension"))
        return array("dpa_solution_intervals", self.handle, confidence,
                     length=2 * size).reshape(2, size).T

    @property
    def loss(self):
        return text("dpa_solution_text", self.handle, "loss")

    @property
    def termination(self):
        return text("dpa_solution_text", self.handle, "termination")

    @property
    def settings(self):
        """The numbers that the fit used, where they are released."""
        found = {}
        while (name := LIBRARY.dpa_solution_setting_name(len(found))) is not None:
            try:
                found[name.decode()] = self.value(name.decode())
            except (errors.NotReleasableError, errors.UnsupportedError):
                found[name.decode()] = None
        return found

    @property
    def digest(self):
        """A name of the predictor."""
        return text("dpa_solution_text", self.handle, "digest")

    def _promise(self):
        kind, epsilon, delta = INT(), DOUBLE(), DOUBLE()
        call("dpa_solution_privacy", self.handle, byref(kind), byref(epsilon), byref(delta))
        return PROTECTIONS[kind.value], epsilon.value, delta.value

    @property
    def protection(self):
        """none, guaranteed, seeded (NOT PRIVATE) or in part."""
        return self._promise()[0]

    @property
    def epsilon(self):
        return self._promise()[1]

    @property
    def delta(self):
        return self._promise()[2]

    def report(self):
        """The privacy report, which `dpadapt verify` computes again."""
        return json.loads(text("dpa_solution_privacy_report", self.handle, JSON))

    def report_text(self, form="text"):
        """The same for people, its exact JSON by form="json", a page of HTML by form="html"."""
        return text("dpa_solution_privacy_report", self._with_names(),
                    {"text": TEXT, "json": JSON, "html": PAGE}[form])

    def finding_codes(self):
        """What each of the findings is, for programs: "warning" or "note" and a code."""
        return text("dpa_solution_text", self.handle, "finding_codes").splitlines()

    def findings(self):
        """How far the private rows moved the fit, a sentence a line."""
        known = "" if self.classes is None or self.schema else " or ".join(map(str, self.classes))
        return text("dpa_solution_findings", self._with_names(), known)

    def _with_names(self):
        """Of a model file: it knows what people call columns and labels."""
        if self.schema is None:
            return self.handle
        data = self.to_bytes()
        return Handle("solution", "dpa_solution_deserialize", data, len(data))
