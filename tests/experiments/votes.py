"""Boosting for a private target: votes of teachers, beside the private linear fit."""

from dataclasses import dataclass

import numpy as np

from datasets import _collected, adult_inputs, load, split
from fits import dpadapt

EPSILONS = (0.5, 1, 4)
DELTA = 1e-5
QUERIES = 5000
CURVE_ROWS = 10000


@dataclass(frozen=True)
class Teachers:
    teachers: int
    bound: float  # of an answer
    tree: dict


ADULT = Teachers(73, 0.15, {"max_depth": 4, "min_samples_leaf": 20, "max_features": 0.5})
CURVE = Teachers(250, 1.0, {"max_depth": 3, "min_samples_leaf": 5})


def tasks(count, quick):
    return [] if quick else [(name, index) for name in ("adult", "curve") for index in range(count)]


def curve(count, random, bend):
    x = random.uniform(-1, 1, (count, 3))
    return x, x[:, 0] + bend * np.cos(np.pi * x[:, 0]) + 0.354 * random.standard_normal(count)


def domains(name, index, seed):
    """Source, target, test and queries."""
    random = np.random.default_rng([index, seed])
    if name == "curve":
        source, target, test = (curve(count, random, bend) for count, bend in
                                ((2 * CURVE_ROWS, 0.2), (CURVE_ROWS, 0.5), (CURVE_ROWS, 0.5)))
        return source, target, test, source[0][:QUERIES]
    case = load("adult")
    columns = adult_inputs(list(_collected("adult.csv.gz")))
    husband, wife = (columns.index(f"relationship={one}") for one in ("Husband", "Wife"))
    queries = case.source[0][random.permutation(len(case.source[1]))[:QUERIES]].copy()
    changed = (random.random(QUERIES) < 0.5) & (queries[:, husband] > 0)
    queries[changed, husband], queries[changed, wife] = 0, 1
    return case.source, *split(case, index, seed), queries


def measure(task, seed=0):
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.tree import DecisionTreeRegressor

    name, index = task
    classes = name == "adult"
    own = ADULT if classes else CURVE
    source, target, test, queries = domains(name, index, seed)
    boosted = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor

    def predictor(rows):
        fit = boosted().fit(*rows)
        return (lambda x: fit.predict_proba(x)[:, 1]) if classes else fit.predict

    def row(method, predicted, **keys):
        errors = 100 * ((predicted > 0.5) != (test[1] > 0)) if classes else (predicted - test[1])**2
        return {"data": name, "method": method, **keys, "value": errors.mean()}

    of_source = predictor(source)

    def seen(x):
        return np.column_stack([x, of_source(x)])

    yield row("source only, boosted", of_source(test[0]))
    yield row("target without privacy, boosted", predictor(target)(test[0]))
    left = (target[1] > 0 if classes else target[1]) - of_source(target[0])
    shard, x, asked = dpadapt.shards(len(left), own.teachers), seen(target[0]), seen(queries)
    answers = [DecisionTreeRegressor(**own.tree, random_state=k).fit(x[shard == k], left[shard == k]).predict(asked)
               for k in range(own.teachers)]

    def student(**settings):
        labels = dpadapt.mean_votes(answers, -own.bound, own.bound, **settings)
        fit = HistGradientBoostingRegressor(max_iter=40, max_depth=2, min_samples_leaf=100).fit(asked, labels)
        return of_source(test[0]) + fit.predict(seen(test[0]))

    yield row("student without privacy", student(private_domain="none"))
    for epsilon in EPSILONS:
        private = {"private_domain": "target", "epsilon": epsilon, "delta": DELTA}
        yield row("student", student(**private), epsilon=epsilon)
        linear = dpadapt.Predictor(source, target, loss="logistic" if classes else "squared", **private)
        yield row("private linear fit", linear.predict(test[0]) / (1 if not classes else 2) + 0.5 * classes, epsilon=epsilon)
