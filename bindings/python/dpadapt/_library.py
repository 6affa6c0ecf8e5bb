"""The shared library and the signatures of the functions of its C ABI that Python calls.

The library is the file named by the environment variable DPADAPT_LIBRARY, else the one inside the
package, as wheels have it, else the system's.
"""

import ctypes
import ctypes.util
import os
from pathlib import Path

HANDLE, SIZE, INT, DOUBLE = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_double
PROGRESS = ctypes.CFUNCTYPE(INT, HANDLE, HANDLE)
PASS = ctypes.CFUNCTYPE(INT, HANDLE, SIZE, HANDLE, HANDLE)
INSIDE = ("libdpadapt.so", "libdpadapt.dylib", "dpadapt.dll", "libdpadapt.dll")


class Matrix(ctypes.Structure):
    """dpa_matrix."""

    _fields_ = [("data", HANDLE), ("rows", SIZE), ("cols", SIZE), ("leading_dimension", SIZE),
                ("layout", INT)]


class Measure(ctypes.Structure):
    """dpa_measure."""

    _fields_ = [("name", ctypes.c_char_p), ("solution", SIZE), ("estimate", DOUBLE),
                ("lower", DOUBLE), ("upper", DOUBLE), ("from_", DOUBLE), ("to", DOUBLE),
                ("rows", DOUBLE), ("note", ctypes.c_char_p)]


class Progress(ctypes.Structure):
    """dpa_progress."""

    _fields_ = [("phase", ctypes.c_char_p), ("iteration", ctypes.c_int64),
                ("limit", ctypes.c_int64), ("objective", DOUBLE), ("gap", DOUBLE)]


# h a handle, array or structure; z a size, i an int32, l an int64, d a double, s a text, m a
# matrix, f the function of progress, p that of passes. What follows the colon is the result, if it
# is no status.
SIGNATURES = """
dpa_version :s
dpa_build_info :s
dpa_status_string i:s
dpa_last_error :s
dpa_options_create h
dpa_options_set hsd
dpa_options_parse hss
dpa_options_get hshzh
dpa_option_text zs:s
dpa_options_set_progress hfh
dpa_options_set_cancel hh
dpa_options_destroy h:
dpa_cancel_create h
dpa_cancel_request h
dpa_cancel_destroy h:
dpa_problem_create h
dpa_problem_lend_sample himhz
dpa_problem_set_weights hihz
dpa_problem_set_groups hihz
dpa_problem_set_passes hizzph
dpa_problem_use_ledger hh
dpa_problem_privacy_report hihzh
dpa_problem_destroy h:
dpa_partial_create hzh
dpa_partial_name hl
dpa_partial_add hmhzhz
dpa_partial_merge hhz
dpa_partial_serialize hhzh
dpa_partial_destroy h:
dpa_solve hhhh
dpa_baseline_solve hshh
dpa_baseline_text zs:s
dpa_baseline_plan hshh
dpa_solution_text hshzh
dpa_solution_shape hhhhh
dpa_solution_value hsh
dpa_solution_setting_name z:s
dpa_solution_array hshz
dpa_solution_intervals hdhz
dpa_solution_weigh himhzhzhz
dpa_solution_predict himhz
dpa_solution_predict_interval hdmhz
dpa_solution_survival hdmhzhz
dpa_solution_privacy hhhh
dpa_solution_privacy_report hihzh
dpa_solution_findings hshzh
dpa_solution_serialize hihzh
dpa_solution_deserialize hzh
dpa_solution_save hhis
dpa_solution_destroy h:
dpa_plan_create zzzhh
dpa_plan_for_problem hhh
dpa_plan_forecast hzhh
dpa_plan_forecast_value hzsh
dpa_plan_value hsh
dpa_plan_epsilon hdh
dpa_plan_report hihzh
dpa_plan_destroy h:
dpa_privacy_delta dddh
dpa_privacy_epsilon ddddlh
dpa_privacy_mu dddh
dpa_privacy_sampled_mu ddlidh
dpa_evaluate hhzhh
dpa_solution_calibrate hhhh
dpa_votes_shard hzzhz
dpa_votes_count hmzhhzh
dpa_votes_mean hmddhhzh
dpa_evaluation_measure hzh
dpa_evaluation_report hihzh
dpa_evaluation_destroy h:
dpa_ledger_create shih
dpa_ledger_open sh
dpa_ledger_deserialize hzh
dpa_ledger_serialize hhzh
dpa_ledger_report hihzh
dpa_ledger_contains hsh
dpa_ledger_destroy h:
dpa_table_create zh
dpa_table_create_arrow hh
dpa_table_add_numbers hshz
dpa_table_add_texts hshz
dpa_table_add_levels hshzhz
dpa_table_hint hss
dpa_table_row_count hh
dpa_table_destroy h:
dpa_inspect_table hhhzh
dpa_schema_learn hshh
dpa_schema_feature_count hh
dpa_schema_text hszhzh
dpa_schema_label_text hdhzh
dpa_schema_apply hhhzhz
dpa_schema_serialize hhzh
dpa_schema_deserialize hzh
dpa_schema_model hhihzh
dpa_schema_destroy h:
"""

TYPES = {"h": HANDLE, "z": SIZE, "i": INT, "l": ctypes.c_int64, "d": DOUBLE,
         "s": ctypes.c_char_p, "m": Matrix, "f": PROGRESS, "p": PASS}


def _find():
    named = os.environ.get("DPADAPT_LIBRARY")
    if named:
        return named
    here = Path(__file__).parent
    for name in INSIDE:
        if (here / name).exists():
            return str(here / name)
    found = ctypes.util.find_library("dpadapt")
    if found is None:
        raise ImportError("there is no library of dpadapt: install a wheel, or set DPADAPT_LIBRARY "
                          "to libdpadapt.so")
    return found


def _load():
    library = ctypes.CDLL(_find())
    for line in SIGNATURES.split("\n"):
        name, _, signature = line.partition(" ")
        if not name:
            continue
        function = getattr(library, name)
        arguments, colon, result = signature.partition(":")
        function.argtypes = [TYPES[letter] for letter in arguments]
        function.restype = TYPES[result] if result else None if colon else INT
    return library


LIBRARY = _load()
