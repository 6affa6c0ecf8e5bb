"""Texts and numbers as the library codes them, by a schema that it learns from public rows."""

import ctypes
import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/engines")))
from case import passes  # noqa: E402

LIB = passes._lib
for _noun in ("table", "schema"):
    getattr(LIB, f"dpa_{_noun}_destroy").argtypes = [ctypes.c_void_p]
    getattr(LIB, f"dpa_{_noun}_destroy").restype = None
SIZE = ctypes.c_size_t


class Table:
    """Columns by their names: arrays of doubles, or lists of texts, where None is none."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = len(next(iter(columns.values())))
        self.handle = passes._handle("dpa_table_create", SIZE(self.rows))
        for name, values in columns.items():
            if isinstance(values, np.ndarray):
                passes._call("dpa_table_add_numbers", self.handle, name.encode(),
                             values.ctypes.data_as(ctypes.c_void_p), SIZE(self.rows))
            else:
                texts = (ctypes.c_char_p * self.rows)(
                    *(None if text is None else text.encode() for text in values))
                passes._call("dpa_table_add_texts", self.handle, name.encode(), texts,
                             SIZE(self.rows))

    def __del__(self):
        LIB.dpa_table_destroy(self.handle)


class Schema:
    """Learnt from a table, whose texts are categories."""

    def __init__(self, table, label, **options):
        for name, values in table.columns.items():
            if name != label and not isinstance(values, np.ndarray):
                passes._call("dpa_table_hint", table.handle, b"text", name.encode())
        settings = passes._handle("dpa_options_create")
        for name, value in options.items():
            passes._call("dpa_options_parse", settings, name.encode(), str(value).encode())
        self.handle = passes._handle("dpa_schema_learn", table.handle, label.encode(), settings)
        LIB.dpa_options_destroy(settings)
        count = SIZE()
        passes._call("dpa_schema_feature_count", self.handle, ctypes.byref(count))
        self.features = count.value
        self.bytes = passes._bytes("dpa_schema_serialize", self.handle)

    def __del__(self):
        LIB.dpa_schema_destroy(self.handle)

    def names(self):
        """Of the features."""
        out = ctypes.create_string_buffer(1000)
        names = []
        for index in range(self.features):
            passes._call("dpa_schema_text", self.handle, b"feature", SIZE(index), out, SIZE(1000),
                         None)
            names.append(out.value.decode())
        return names

    def apply(self, table):
        """Features and labels."""
        x, y = np.empty((table.rows, self.features)), np.empty(table.rows)
        passes._call("dpa_schema_apply", self.handle, table.handle,
                     x.ctypes.data_as(ctypes.c_void_p), SIZE(x.size),
                     y.ctypes.data_as(ctypes.c_void_p), SIZE(y.size))
        return x, y

    def text(self, label):
        out = ctypes.create_string_buffer(1000)
        passes._call("dpa_schema_label_text", self.handle, ctypes.c_double(label), out, SIZE(1000),
                     None)
        return out.value.decode()


def requests(source, target, **options):
    """Those of a fit."""
    seen = []

    def carry_out(request):
        seen.append(request)
        return [passes.carry_out(request, [target])]

    passes.fit(*source, len(target[1]), carry_out, **options)
    return seen
