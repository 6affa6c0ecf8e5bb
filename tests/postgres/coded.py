"""Texts and numbers as the library codes them, by a schema that it learns from public rows."""

import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/engines")))
import case  # noqa: E402
from case import passes  # noqa: E402
from dpadapt import _options, schema  # noqa: E402
from dpadapt._call import Handle, call  # noqa: E402
from dpadapt._tables import _add_numbers, _add_texts  # noqa: E402


class Table:
    """Columns by their names: arrays of doubles, or lists of texts, where None is none."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = len(next(iter(columns.values())))
        self.handle = Handle("table", "dpa_table_create", self.rows)
        for name, values in columns.items():
            add = _add_numbers if isinstance(values, np.ndarray) else _add_texts
            add(self.handle, name, values)


class Schema(schema.Schema):
    """Learnt from a table, whose texts are categories."""

    def __init__(self, table, label, **options):
        for name, values in table.columns.items():
            if name != label and not isinstance(values, np.ndarray):
                call("dpa_table_hint", table.handle, "text", name)
        super().__init__(Handle("schema", "dpa_schema_learn", table.handle, label,
                                _options.make(options)), label)
        self.bytes = self.to_bytes()

    def apply(self, table):
        """Features and labels."""
        return self._apply(table.handle, table.rows, True)


def requests(source, target, **options):
    """Those of a fit."""
    seen = []

    def carry_out(request):
        seen.append(request)
        return [passes.carry_out(request, [target])]

    case.model(carry_out, len(target[1]), source, **options)
    return seen
