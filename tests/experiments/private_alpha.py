"""A fixed alpha, with the discrepancy released, beside the alpha that private fits choose."""

import references
from datasets import load, split
from fits import EPSILONS, private_error

ALPHAS = ("auto", 0.1, 0.3, 0.5, 0.7, 0.9)
ROWS = (1000, 10000)
CASES = ("wind", "news", "airline", "gas 7", "gas 6")
DRAWS = 2


def tasks(count, quick):
    return [(name, index) for name in (("wind",) if quick else CASES) for index in range(count)]


def measure(task):
    """Errors relative to target only."""
    name, index = task
    case = load(name)
    train, test = split(case, index)
    base = references.error(references.ridge(train), test)
    source_only = references.error(references.least_squares(case.source), test)
    for rows in ROWS:
        for epsilon in EPSILONS:
            keys = {"data": name, "n": rows, "epsilon": epsilon}
            yield keys | {"method": "source only", "value": source_only / base}
            for alpha in ALPHAS:
                value = private_error(case, index, rows, epsilon, draws=DRAWS, alpha=alpha)
                yield keys | {"method": f"alpha {alpha}", "value": value / base}
