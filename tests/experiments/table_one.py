"""The paper's table for regression, read in two other ways: one test set whose complement is split anew, and a ridge that is fixed on the
sum of squares, whatever the number of rows."""

import numpy as np

from datasets import gas
from references import error
from regression import ALPHAS, FINE, best, loaded, of_columns, path, pooled, standardized, CASES, SHARE

CLOSE = ("wind", "news", "airline")
TEST_SETS = 15
SPLITS = 10
RIDGE = 100.0


def parts(case, order, held):
    """Training, validation and test rows: the last are those at the end of the order."""
    x, y = case.target
    chosen = order[:case.train - held], order[case.train - held:case.train], order[case.train:case.train + case.test]
    return [(x[rows], y[rows]) for rows in chosen]


def ratio(case, order, held):
    """Error of pooled ridge over that of target only, both chosen on the validation rows."""
    source, train, validation, test = standardized(case.source, *parts(case, order, held))
    candidates = np.hstack([pooled(source, train, alpha) for alpha in ALPHAS]), path(train, FINE)
    errors = [error(best(of_columns(columns), validation), test) for columns in candidates]
    return errors[0] / errors[1]


def one_test_set(name, index):
    case, held = loaded(name), CASES[name][1]
    random = np.random.default_rng([index, 1])
    order = random.permutation(case.train + case.test)
    rest, test = order[:case.train], order[case.train:]
    ratios = [ratio(case, np.concatenate([random.permutation(rest), test]), held) for _ in range(SPLITS)]
    row = {"reading": "one test set", "data": name}
    yield row | {"quantity": "mean of ten splits", "value": np.mean(ratios)}
    yield row | {"quantity": "deviation of ten splits", "value": np.std(ratios, ddof=1)}


def fixed_ridge(index):
    """Inputs between 0 and 1 in the source."""
    case = gas(6, SHARE)
    least, width = case.source[0].min(axis=0), np.ptp(case.source[0], axis=0)
    width[width == 0] = 1
    order = np.random.default_rng([index, 2]).permutation(len(case.target[1]))
    samples = [case.source, *parts(case, order, 414)]
    source, train, _, test = [((x - least) / width, y) for x, y in samples]
    both = tuple(np.concatenate(pair) for pair in zip(source, train))
    errors = {method: error(of_columns(path(sample, np.array([RIDGE / len(sample[1])])))[0], test)
              for method, sample in (("target only", train), ("source only", source), ("pooled", both))}
    for method in ("source only", "pooled"):
        yield {"reading": "fixed ridge", "data": "gas 6", "quantity": method,
               "value": errors[method] / errors["target only"]}


def tasks(count, quick):
    if quick:
        return [(one_test_set, "wind", 0)]
    return ([(one_test_set, name, index) for name in CLOSE for index in range(TEST_SETS)] +
            [(fixed_ridge, index) for index in range(count)])


def measure(task):
    part, *arguments = task
    return part(*arguments)
