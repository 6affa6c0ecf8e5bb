"""Arrow by the functions of C that the package of Python leaves out, as it goes through a schema:
what has __arrow_c_stream__ becomes samples, sums and predictions."""

import ctypes

import numpy as np
import pyarrow as pa

import case  # noqa: F401 who finds the package
from dpadapt import _options
from dpadapt._call import SOURCE, TARGET, Handle, call, filled, pointer
from dpadapt._library import HANDLE, INT, LIBRARY, SIZE
from dpadapt._tables import POINTER

LIBRARY.dpa_problem_set_arrow.argtypes = [HANDLE, INT, HANDLE, HANDLE, SIZE, ctypes.c_char_p]
LIBRARY.dpa_partial_add_arrow.argtypes = [*[HANDLE] * 4, SIZE, ctypes.c_char_p]
LIBRARY.dpa_solution_predict_arrow.argtypes = [*[HANDLE] * 4, SIZE, HANDLE, SIZE]


def _names(features):
    """Arguments for the names of columns; None for all but the label."""
    if features is None:
        return None, 0
    return (ctypes.c_char_p * len(features))(*(name.encode() for name in features)), len(features)


def _batches(rows):
    """The addresses of each batch, and its size."""
    for batch in rows if isinstance(rows, list) else pa.table(rows).to_batches():
        schema, array = batch.__arrow_c_array__()
        yield POINTER(schema, b"arrow_schema"), POINTER(array, b"arrow_array"), batch.num_rows


def fit(source, target, label, features=None, **options):
    """The handle of a solution."""
    problem = Handle("problem", "dpa_problem_create")
    for domain, rows in ((SOURCE, source), (TARGET, target)):
        capsule = rows.__arrow_c_stream__()
        call("dpa_problem_set_arrow", problem, domain, POINTER(capsule, b"arrow_array_stream"),
             *_names(features), label)
    return Handle("solution", "dpa_solve", problem, None, _options.make(options))


def predict(solution, rows, features=None):
    labels = [np.empty(0)]
    for schema, array, size in _batches(rows):
        labels.append(out := np.empty(size))
        call("dpa_solution_predict_arrow", solution, schema, array, *_names(features), pointer(out),
             size)
    return np.concatenate(labels)


def carry_out(request, batches, label, features=None):
    """As passes.carry_out, without a schema."""
    partial = Handle("partial", "dpa_partial_create", request, len(request))
    for schema, array, _ in _batches(batches):
        call("dpa_partial_add_arrow", partial, schema, array, *_names(features), label)
    return filled("dpa_partial_serialize", partial)
