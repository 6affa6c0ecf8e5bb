"""Private perceptrons on Adult, wine and turned moons, beside the linear fits, noisy SGD, and the perceptron of the source."""

import numpy as np

from curves import DELTAS, STEPS, wrong
from datasets import load, split
from fits import dpadapt
from test_moons_nightly import moons

ROWS = {"moons": (1000, 2000, 10000), "adult": (1000, 10**6), "wine": (1000, 10**6)}  # 10**6: all training rows
EPSILONS = (0.5, 1, 4)
SOURCE_ROWS = 1000  # of 32650 in Adult: every fit makes the public network anew, a minute for 5000 rows
QUICK_ROWS = 200
TURN, SHIFT, NOISE = 0.61, 0.2, 0.15  # of moons
TEST_ROWS = 5000
OUTPUTS = {"moons": "logistic", "adult": "logistic", "wine": "squared"}
RIVAL_EPSILON = 1  # where noisy SGD is computed, with each of its settings
RIVAL_DATA = ("moons", "wine")


def tasks(count, quick):
    names = ("moons",) if quick else ROWS
    return [(name, index, quick) for name in names for index in range(count)]


def samples(name, index):
    """Source, target and test rows."""
    random = np.random.default_rng(index)
    if name == "moons":
        return (moons(random, SOURCE_ROWS, 0, 0, NOISE), moons(random, max(ROWS[name]), TURN, SHIFT, NOISE),
                moons(random, TEST_ROWS, TURN, SHIFT, NOISE))
    case = load(name)
    train, test = split(case, index)
    drawn = random.choice(len(case.source[1]), SOURCE_ROWS, replace=False)
    return tuple(part[drawn] for part in case.source), train, test


def error(fit, test, output):
    """Wrong signs, or squared errors over the labels' variance, in percent."""
    if output == "logistic":
        return wrong(fit, test)
    return 100 * np.mean((fit.predict(test[0]) - test[1]) ** 2) / np.var(test[1])


def measure(task):
    name, index, quick = task
    source, train, test = samples(name, index)
    if quick:
        source = tuple(part[:QUICK_ROWS] for part in source)
    output = OUTPUTS[name]
    network = {"loss": "perceptron", "perceptron_output": output, "hidden_units": 4 if quick else 16}

    def row(method, fit, **keys):
        return {"data": name, "method": method, **keys, "value": error(fit, test, output)}

    yield row("source only", dpadapt.Baseline("source_only", source, train, **network))
    for rows in (min(rows, len(train[1])) for rows in ROWS[name][:1 if quick else None]):
        sample = tuple(part[:rows] for part in train)
        for epsilon in EPSILONS[-1:] if quick else EPSILONS:
            private = {"private_domain": "target", "epsilon": epsilon, "delta": DELTAS["logistic"]}
            private |= {"unsafe_seed": index} if quick else {}
            keys = {"n": rows, "epsilon": epsilon}
            yield row("adapted", dpadapt.Predictor(source, sample, **network, **private), **keys)
            yield row("adapted, linear", dpadapt.Predictor(source, sample, loss=output, **private), **keys)
            if epsilon != RIVAL_EPSILON or name not in RIVAL_DATA or quick:
                continue
            for setting in STEPS:
                fit = dpadapt.Baseline("noisy_sgd", source, sample, **network, **private, **setting)
                yield row("noisy_sgd", fit, **keys, setting=" ".join(f"{key}={value}" for key, value in setting.items()))
