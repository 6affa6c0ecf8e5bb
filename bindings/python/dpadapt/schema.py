"""A schema: how the columns of data frames become features and labels. It is made from public
rows alone and applied record by record."""

import json
import warnings

import numpy as np

from . import _tables, errors
from ._call import SIZE, Handle, call, filled, number, pointer, text


class Schema:
    """Columns of a model. Made by a fit on data frames, or read with its model file."""

    def __init__(self, handle, label):
        self.handle, self.label, self._truths = handle, label, {}
        size = number("dpa_schema_feature_count", handle, kind=SIZE)
        self.features = [text("dpa_schema_text", handle, "feature", place) for place in range(size)]

    @classmethod
    def learn(cls, frame, labels, label, options, hints):
        """From public rows; `hints` are pairs of dpa_table_hint. The labels are None if the frame
        has them."""
        table = _tables.make_table(frame)
        if labels is not None:
            _tables.add_label(table, label, labels)
        for what, value in hints:
            call("dpa_table_hint", table, what, str(value))
        return cls(Handle("schema", "dpa_schema_learn", table, label, options), label)

    @classmethod
    def from_bytes(cls, data, label):
        """From to_bytes(), or from a model file."""
        return cls(Handle("schema", "dpa_schema_deserialize", data, len(data)), label)

    @classmethod
    def from_model(cls, data):
        """From the bytes of a model file."""
        return cls.from_bytes(data, json.loads(data)["label"])

    def to_bytes(self):
        """As public as the rows that the schema was made from."""
        return filled("dpa_schema_serialize", self.handle)

    def __reduce__(self):
        return Schema.from_bytes, (self.to_bytes(), self.label)

    def rows(self, frame, labels=None, private=False):
        """Features, and codes of the labels if these are given; NaN where there is none."""
        size = len(frame)
        if labels is not None and len(labels) != size:
            raise errors.make("DPA_E_DIMENSION", f"there are {size} rows, but {len(labels)} "
                              "labels")
        if private:
            table = _tables.make_private_table(frame, labels, self.label, self.truths)
        else:
            table = _tables.make_table(frame)
            if labels is not None:
                _tables.add_label(table, self.label, labels)
            odd = text("dpa_inspect_table", self.handle, table)
            if odd:
                warnings.warn(f"these cells count as missing:\n{odd}", stacklevel=4)
        return self._apply(table, size, labels is not None)

    def rows_of_types(self, frame):
        """Features and codes of the labels of a frame of Arrow that has both. Its types were
        declared, so those of private rows tell nothing."""
        table = _tables.make_table(frame)
        return self._apply(table, _tables.count(table), True)

    def _apply(self, table, size, has_labels):
        x = np.empty((size, len(self.features)))
        y = np.empty(size) if has_labels else None
        call("dpa_schema_apply", self.handle, table, pointer(x), x.size, pointer(y),
             0 if y is None else size)
        return x, y

    def truths(self, names):
        """How the public rows spell true and false in columns of these names."""
        if names not in self._truths:
            self._truths[names] = _tables.truths(self.handle, names)
        return self._truths[names]

    def label_text(self, code):
        """The label as the public rows write it."""
        return text("dpa_schema_label_text", self.handle, code)

    def tell_unused(self):
        """Warns of columns that the rows have in vain."""
        unused = text("dpa_schema_text", self.handle, "unused", 0)
        if unused:
            warnings.warn(f"these columns are not used:\n{unused}", stacklevel=5)

    @property
    def known_labels(self):
        return text("dpa_schema_text", self.handle, "labels", 0)

    def __str__(self):
        return text("dpa_schema_text", self.handle, "description", 0)


def label_name(labels, taken):
    """Of a column of labels: its own, or "label"."""
    name = _tables.name_of(labels) or "label"
    while name in taken:
        name += "_"
    return name
