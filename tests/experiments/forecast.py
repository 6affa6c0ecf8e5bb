"""What a forecast says from the source alone, and what then happens to the target."""

import numpy as np

import references
from curves import loss_of, wrong
from datasets import Case, load, split
from fits import DELTA, EPSILONS, dpadapt, private

CASES = {"wind": 358, "airline": 500, "adult": 5000, "wine": 1000, "parkinson": 1000}  # and records of the target


def simulated(name, shift, features=8, source_rows=2000, rows=400, test=2000, seed=11):
    """Domains whose coefficients differ by so many deviations of the noise, in a random direction."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(source_rows + rows + test, features))
    w, change = random.normal(size=(2, features))
    noise = random.normal(size=len(x))
    is_target = np.arange(len(x)) >= source_rows
    y = x @ w + shift * is_target * (x @ change) / np.linalg.norm(change) + noise
    return Case(name, (x[~is_target], y[~is_target]), (x[is_target], y[is_target]), train=rows, test=test)


def ranges(case, rows, loss="squared"):
    """By epsilon the least and the largest error of the private fit, over all shifts and repeats."""
    cells = dpadapt.forecast(case.source, rows, delta=DELTA, loss=loss)["forecast"]
    return {epsilon: (min(cell["private_lower"] for cell in cells if cell["epsilon"] == epsilon),
                      max(cell["private_upper"] for cell in cells if cell["epsilon"] == epsilon))
            for epsilon in EPSILONS}


def realized(case, rows, epsilon, count, loss="squared", seeded=False):
    """Mean test error of private fits to `rows` different target rows."""
    error = references.error if loss == "squared" else wrong_share
    errors = []
    for index in range(count):
        train, test = split(case, index)
        fixed = {"unsafe_seed": index} if seeded else {}
        fit = private(case.source, tuple(part[:rows] for part in train), epsilon, loss=loss, **fixed)
        errors.append(error(fit, test))
    return np.mean(errors)


def wrong_share(score, sample):
    return wrong(score, sample) / 100


def tasks(count, quick):
    return [(name, 2 if quick else count, quick) for name in (("wind",) if quick else CASES)]


def measure(task):
    name, count, quick = task
    case, loss, rows = load(name), loss_of(name), CASES[name]
    for epsilon, (least, largest) in ranges(case, rows, loss).items():
        error = realized(case, rows, epsilon, count, loss, quick)
        found = {"least": least, "what happened": error, "largest": largest,
                 "inside": float(least <= error <= largest)}
        for quantity, value in found.items():
            yield {"data": name, "n": rows, "epsilon": epsilon, "quantity": quantity, "value": value}
