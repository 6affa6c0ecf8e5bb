"""What a change of the code changes in the results: the same fits by two builds of the library.

    compare_libraries.py OLD.so NEW.so [WORD ...]

Prints a line for each case (those whose name has all the words): "same bits", or the largest
difference of the scores of target rows, the numbers and the weights, relative to the largest of
each. Private fits have an unsafe seed, so that both builds draw the same noise. Not a test: a tool
for those who change numerical code.
"""

import json
import os
import subprocess
import sys

import numpy as np

PRIVATE = {"private_domain": "target", "epsilon": 2, "delta": 1e-4, "unsafe_seed": 11}
BOTH = {"private_domain": "both", "preprocess": "none", "feature_radius": 4, "radius": 6,
        "clip_bound": 3}
LOSSES = {
    "squared": {},
    "huber": {"loss": "huber"},
    "logistic": {"loss": "logistic"},
    "softmax": {"loss": "softmax"},
    "perceptron": {"loss": "perceptron", "hidden_units": 5, "perceptron_output": "logistic"},
}
PRICES = {
    "squared": {
        "kappa_2": {"kappa_2": 0.5},
        "kappa_inf": {"kappa_inf": 3},
        "kappas": {"kappa_2": 0.5, "kappa_inf": 3},
        "form general": {"form": "general"},
        "lambda_1": {"form": "general", "lambda_1": 3},
    },
    "logistic": {
        "lambda_1": {"lambda_1": 0.8},
        "lambdas": {"lambda_1": 0.8, "lambda_2": 0.3, "lambda_inf": 0.2},
    },
}


def cases():
    for loss, options in LOSSES.items():
        plain = {"alpha": 0.4, **options}
        yield f"plain {loss}", loss, {}, {**options}
        yield f"plain {loss} alpha 0.4", loss, {}, plain
        for name, prices in PRICES.get(loss, {}).items():
            yield f"plain {loss} {name}", loss, {}, {**plain, **prices}
        yield f"private {loss} auto", loss, {}, {**PRIVATE, **options}
        yield f"private {loss} auto without moments", loss, {}, {
            **PRIVATE, **options, "moments_share": 0}
        yield f"private {loss} alpha 0.4", loss, {}, {**PRIVATE, **plain}
        yield f"private {loss} source", loss, {}, {
            **PRIVATE, **plain, "private_domain": "source"}
        for name, prices in PRICES.get(loss, {}).items():
            for domain in ("target", "source"):
                yield f"private {loss} {name} {domain}", loss, {}, {
                    **PRIVATE, **plain, **prices, "private_domain": domain}
        both = {**PRIVATE, **plain, **BOTH}
        if loss in ("squared", "huber"):
            both["label_bound"] = 9
        both.update({"squared": {"kappa_1": 4}, "huber": {"huber_threshold": 1},
                     "softmax": {"classes": 3}}.get(loss, {}))
        yield f"private {loss} both", loss, {}, both
    for name in ("paper", "alpha one"):
        options = {"method": "paper"} if name == "paper" else {"alpha": 1}
        yield f"private squared {name}", "squared", {}, {**PRIVATE, "alpha": 0.4, **options}
    yield "private logistic paper", "logistic", {}, {
        **PRIVATE, "alpha": 0.4, "loss": "logistic", "lambda_1": 1, "method": "paper"}
    for method in ("kmm", "dm", "ulsif", "importance", "best"):
        yield f"baseline {method}", "squared", {"method": method}, {
            **({"lambda_1": 3} if method == "best" else {})}
    for method in ("ada_ssp", "joint_ssp", "private_dm", "noisy_sgd", "objective_perturbation"):
        yield f"baseline {method}", "squared", {"method": method}, PRIVATE


def samples(loss, rows, shift, seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, 4)) + shift
    score = x @ [1.0, -0.5, 2.0 - shift, 0.3] + random.normal(size=rows)
    if loss == "softmax":
        return x, np.digitize(score, [-1.0, 1.0]).astype(float)
    return x, score if loss in ("squared", "huber") else np.where(score < 0, -1.0, 1.0)


def describe(fit, source, target):
    """What the fit has of scores, numbers and weights."""
    parts = {"scores": fit(target[0]).ravel().tolist()}
    for name in ("objective", "duality_gap", "gradient_mapping"):
        parts[name] = or_nothing(lambda name=name: [fit.number(name)])
    for name, rows in (("source_weights", source[0]), ("target_weights", target[0])):
        parts[name] = or_nothing(lambda name=name, n=len(rows): fit.vector(name, n).tolist())
    return parts


def or_nothing(read):
    """What the solution does not have is absent."""
    try:
        return read()
    except RuntimeError:
        return []


def run(words):
    """The results of this process's library, name after name."""
    import dpadapt_ctypes as dpadapt

    results = {}
    for name, loss, call, options in cases():
        if not all(word in name for word in words):
            continue
        source, target = samples(loss, 600, 0.0, 1), samples(loss, 400, 0.5, 2)
        try:
            kind = dpadapt.Baseline if call else dpadapt.Predictor
            fit = kind(*call.values(), source, target, **options)
            results[name] = describe(fit, source, target)
        except dpadapt.Error as error:
            results[name] = str(error)
    print(json.dumps(results))


def difference(old, new):
    """In words."""
    if isinstance(old, str) or isinstance(new, str):
        return f"same error: {old}" if old == new else f"{str(old):.60} -> {str(new):.60}"
    if json.dumps(old) == json.dumps(new):
        return "same bits"
    texts = []
    for key in old:
        a, b = np.array(old[key]), np.array(new.get(key, []))
        if a.shape != b.shape:
            texts.append(f"{key} {a.shape} -> {b.shape}")
        elif not np.array_equal(a, b, equal_nan=True):
            size = max(np.nanmax(np.abs(a), initial=0.0), 1e-300)
            texts.append(f"{key} {np.nanmax(np.abs(a - b), initial=0.0) / size:.1e}")
    return ", ".join(texts)


def main(old, new, words):
    results = []
    for library in (old, new):
        answer = subprocess.run(
            [sys.executable, __file__, "--run", *words], check=True, capture_output=True,
            env={**os.environ, "DPADAPT_LIBRARY": os.path.abspath(library),
                 "OPENBLAS_NUM_THREADS": "1"})
        results.append(json.loads(answer.stdout))
    for name, result in results[0].items():
        print(f"{name:42s} {difference(result, results[1][name])}")


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run(sys.argv[2:])
    else:
        main(sys.argv[1], sys.argv[2], sys.argv[3:])
