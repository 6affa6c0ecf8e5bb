"""Saves solutions of every kind, with what the library tells of them, in the folder given: data of
test_saved.py.

Run once for each format, with DPADAPT_LIBRARY the last library that writes it:
make_saved.py tests/data/saved/format_1
"""

import ctypes
import json
import os
import sys

import numpy as np

import dpadapt_ctypes as dpadapt
from dpadapt_ctypes import LIBRARY, SIZE
from saved_solutions import facts_of_handle

SETTINGS = ("alpha", "kappa_1", "kappa_2", "kappa_inf", "lambda_1", "lambda_2", "lambda_inf",
            "softmax_sharpness", "radius", "discrepancy", "huber_threshold", "classes",
            "feature_radius", "label_bound")
BUDGET = {"private_domain": "target", "epsilon": 2, "delta": 1e-3}
GENERAL = {"lambda_1": 2, "lambda_2": 0.5, "lambda_inf": 0.25, "softmax_sharpness": 50,
           "alpha": 0.5}
NET = {"loss": "perceptron", "hidden_units": "3"}

# name: labels, options, baseline
FITS = {
    "squared": ("numbers", {"kappa_2": 0.5, "kappa_inf": 0.125}, None),
    "squared_general": ("numbers", {"form": "general", **GENERAL}, None),
    "squared_private": ("numbers", {**BUDGET, "kappa_1": 4}, None),
    "squared_paper": ("numbers", {**BUDGET, "method": "paper", "alpha": 0.5, "iterations": 20},
                      None),
    "huber": ("numbers", {"loss": "huber", "feature_radius": "quantile"}, None),
    "huber_private": ("numbers", {**BUDGET, "loss": "huber"}, None),
    "logistic": ("signs", {"loss": "logistic", "preprocess": "whiten"}, None),
    "logistic_private": ("signs", {**BUDGET, "loss": "logistic"}, None),
    "softmax": ("classes", {"loss": "softmax"}, None),
    "softmax_private": ("classes", {**BUDGET, "loss": "softmax"}, None),
    "perceptron": ("classes", {**NET, "hidden_units": "4,3"}, None),
    "perceptron_logistic": ("signs", {**NET, "perceptron_output": "logistic", "intercept": False},
                            None),
    "perceptron_private": ("numbers", {**BUDGET, **NET, "perceptron_output": "squared"}, None),
    "custom": ("signs", {"loss": "custom"}, None),
    "custom_private": ("signs", {**BUDGET, "loss": "custom", "clip_bound": 1}, None),
    "seeded": ("numbers", {**BUDGET, "unsafe_seed": 1}, None),
    "kmm": ("numbers", {}, "kmm"),
    "gapboost": ("signs", {"loss": "logistic", "rounds": 3}, "gapboost"),
    "ada_ssp": ("numbers", BUDGET, "ada_ssp"),
}

LOSS = ctypes.CFUNCTYPE(ctypes.c_int32, dpadapt.DOUBLES, SIZE, SIZE, dpadapt.DOUBLES,
                        dpadapt.DOUBLES, SIZE, dpadapt.DOUBLES, dpadapt.DOUBLES, ctypes.c_void_p)


@LOSS
def own_logistic(x, rows, features, label, theta, parameters, losses, gradients, _):
    w = np.ctypeslib.as_array(theta, (parameters,))
    z = np.ctypeslib.as_array(x, (rows, features))
    y = np.ctypeslib.as_array(label, (rows,))
    np.ctypeslib.as_array(losses, (rows,))[:] = np.logaddexp(0, -y * (z @ w))
    if gradients:
        slope = -y / (1 + np.exp(y * (z @ w)))
        np.ctypeslib.as_array(gradients, (rows, parameters))[:] = slope[:, None] * z
    return 0


def sample(rows, shift, labels, random):
    x = random.normal(size=(rows, 2)) + shift
    y = x @ [1.0, -0.5] + 0.3 * random.normal(size=rows)
    if labels == "signs":
        y = np.where(y > 0.2, 1.0, -1.0)
    if labels == "classes":
        y = np.digitize(y, [-0.5, 0.6]).astype(float)
    return x, y


def fit(labels, settings, baseline):
    random = np.random.default_rng(7)
    source, target = sample(30, 0.0, labels, random), sample(20, 0.4, labels, random)
    own = settings.get("loss") == "custom"
    problem = dpadapt._problem(source, target)
    options = dpadapt._options({k: v for k, v in settings.items() if not (own and k == "loss")})
    if own:
        infinity = ctypes.c_double(float("inf"))
        LIBRARY.dpa_options_set_loss(options.value, own_logistic, None, SIZE(3), infinity, infinity,
                                     infinity)
    if baseline is None:
        return dpadapt._Handle("solution", "dpa_solve", problem.value, None, options.value)
    return dpadapt._Handle("solution", "dpa_baseline_solve", problem.value, baseline.encode(),
                           options.value)


def bytes_of(handle):
    size = SIZE()
    weights = ctypes.c_int32(1)
    LIBRARY.dpa_solution_serialize(handle, weights, None, SIZE(0), ctypes.byref(size))
    out = (ctypes.c_uint8 * size.value)()
    assert LIBRARY.dpa_solution_serialize(handle, weights, out, size, None) == 0
    return bytes(out)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    facts = {}
    for name, arguments in FITS.items():
        solution = fit(*arguments)
        facts[name] = facts_of_handle(solution.value, SETTINGS)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(bytes_of(solution.value))
    with open(os.path.join(folder, "facts.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
