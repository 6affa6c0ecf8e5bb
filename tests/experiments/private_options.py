"""One option of private fits at a time, all others as by default, at epsilon = 1."""

import references
from datasets import load, split
from fits import private_error

ROWS = (1000, 10000)
CHANGES = (
    {},
    {"clip_quantile": 0.9}, {"clip_quantile": 0.98}, {"clip_quantile": 0.99},
    {"metric_ridge": 0.1}, {"metric_ridge": 0.01}, {"metric_ridge": 0.001},
    {"moments_share": 0}, {"moments_share": 0.05}, {"moments_share": 0.2}, {"moments_share": 0.4},
    {"shrinkage": 0}, {"shrinkage": 1}, {"shrinkage": 1.5}, {"shrinkage": 4},
    {"iterations": 10}, {"iterations": 40}, {"iterations": 100},
    {"preprocess": "whiten"},
)
CASES = ("wind", "news", "airline", "gas 7", "gas 6")
DRAWS = 2


def measure(task):
    """Errors relative to target only."""
    name, index, quick = task
    case = load(name)
    train, test = split(case, index)
    base = references.error(references.ridge(train), test)
    for change in CHANGES[:2] if quick else CHANGES:
        text = ", ".join(f"{option} = {value}" for option, value in change.items()) or "none"
        for rows in ROWS:
            value = private_error(case, index, rows, 1, draws=DRAWS, **change)
            yield {"change": text, "n": rows, "data": name, "value": value / base}
