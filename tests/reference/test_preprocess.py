"""Preprocessing: the library on raw rows against the library on rows that numpy has transformed."""

import itertools
import sys

from prerequisites import require

require("numpy")

import numpy as np

import dpadapt_ctypes as dpadapt

SEED = 20240302
OBJECTIVE_AGREEMENT = 1e-10  # relative
PREDICTION_AGREEMENT = 1e-6  # relative to the labels: a square root of what the objective resolves
RIDGE = 0.2


class Transformation:
    """Learnt from the source sample: centre, scale and rotate, all in one matrix; centre the
    labels. Without an intercept nothing is centred."""

    def __init__(self, x, y, preprocess, intercept):
        features = x.shape[1]
        self.mean, self.matrix, self.label = np.zeros(features), np.eye(features), 0.0
        if preprocess == "none":
            return
        if intercept:
            self.label = y.mean()
            self.mean = x.mean(axis=0)
        deviation = np.sqrt(np.mean((x - self.mean) ** 2, axis=0))
        if intercept:
            deviation[np.ptp(x, axis=0) == 0] = 1
        self.matrix = np.diag(1 / deviation)
        if preprocess == "whiten":
            standardized = (x - self.mean) @ self.matrix
            correlation = standardized.T @ standardized / len(x)
            values, vectors = np.linalg.eigh(correlation + RIDGE * np.eye(features))
            self.matrix = self.matrix @ vectors @ np.diag(values**-0.5) @ vectors.T

    def __call__(self, x, intercept, feature_radius=np.inf):
        x = (x - self.mean) @ self.matrix
        norms = np.linalg.norm(x, axis=1)
        x = x * np.minimum(1, feature_radius / np.maximum(norms, 1e-300))[:, None]
        return np.column_stack([x, np.ones(len(x))]) if intercept else x


def domains(random):
    """Two samples with shifted, correlated features of different scales, one of them constant."""
    m, n, features = random.integers(8, 40), random.integers(5, 20), random.integers(2, 6)
    mixing = random.normal(size=(features, features)) * 10.0 ** random.uniform(-2, 2, size=features)
    centre = 3 * random.normal(size=features) * np.abs(mixing).max(axis=0)
    w = random.normal(size=features) / np.abs(mixing).max(axis=0)
    samples = []
    for rows, shift in ((m, 0.0), (n, 0.5)):
        x = (random.normal(size=(rows, features)) + shift) @ mixing + centre
        x[:, -1] = 4.1  # not a binary fraction: its mean has a rounding error
        samples.append((x, x @ w + random.normal(size=rows) + 2))
    return samples


def failures_of(source, target, preprocess, intercept, clipped, discrepancy):
    transformation = Transformation(*source, preprocess, intercept)
    norms = np.linalg.norm(transformation(source[0], False), axis=1)
    feature_radius = np.median(norms) if clipped else np.inf
    label_bound = np.median(np.abs(source[1] - transformation.label)) if clipped else np.inf
    common = {"alpha": 0.4, "kappa_1": 2.0, "kappa_2": 0.5, "kappa_inf": 0.5, "radius": 1.5,
              "discrepancy": discrepancy, "tolerance": 1e-14}
    clipping = {"feature_radius": feature_radius, "label_bound": label_bound} if clipped else {}
    raw = dpadapt.solve(source, target, preprocess=preprocess, whiten_ridge=RIDGE,
                        intercept=intercept, **clipping, **common)
    plain = dpadapt.solve(
        *((transformation(x, intercept, feature_radius),
           np.clip(y - transformation.label, -label_bound, label_bound))
          for x, y in (source, target)), preprocess="none", intercept=False, **common)

    if abs(raw.objective - plain.objective) > OBJECTIVE_AGREEMENT * plain.objective:
        yield f"objective {raw.objective!r}, on transformed rows {plain.objective!r}"
    if abs(raw.setting("discrepancy") - plain.setting("discrepancy")) > 1e-9 * (
            1 + plain.setting("discrepancy")):
        yield (f"discrepancy {raw.setting('discrepancy')!r}, on transformed rows "
               f"{plain.setting('discrepancy')!r}")
    for x, y in (source, target):
        expected = transformation(x, intercept) @ plain.coefficients + transformation.label
        if np.abs(raw.predict(x) - expected).max() > PREDICTION_AGREEMENT * np.abs(y).max():
            yield f"predictions differ by {np.abs(raw.predict(x) - expected).max():.1e}"
        by_hand = x @ raw.coefficients + raw.intercept
        if np.abs(by_hand - raw.predict(x)).max() > 1e-9 * np.abs(y).max():
            yield "predictions are not x coefficients + intercept"
    if clipped and (raw.setting("feature_radius"), raw.setting("label_bound")) != (
            feature_radius, label_bound):
        yield "the bounds in use are not the ones set"


def centre_failures(random, source, target, preprocess, intercept):
    """Discrepancy around a predictor given in the user's features, and around the source fit."""
    transformation = Transformation(*source, preprocess, intercept)
    samples = [(transformation(x, intercept), y - transformation.label)
               for x, y in (source, target)]
    given = random.normal(size=source[0].shape[1]) / np.abs(source[0]).max(axis=0)
    level = random.normal(size=1) if intercept else []
    centre = np.linalg.solve(transformation.matrix, given)
    if intercept:
        centre = np.append(centre, level + transformation.mean @ given - transformation.label)
    centres = [(numbers([*given, *level]), centre, 1e-9)]
    centres.append(("source", np.linalg.lstsq(*samples[0], rcond=1e-10)[0], 1e-4))
    for text, expected, agreement in centres:
        raw = dpadapt.discrepancy(source, target, preprocess=preprocess, whiten_ridge=RIDGE,
                                  intercept=intercept, discrepancy_radius=0.5,
                                  discrepancy_center=text)
        plain = dpadapt.discrepancy(*samples, preprocess="none", intercept=False,
                                    discrepancy_radius=0.5, discrepancy_center=numbers(expected))
        if abs(raw.value - plain.value) > agreement * plain.value:
            yield f"around {text}: {raw.value!r}, on transformed rows {plain.value!r}"
        losses = [np.mean((x @ raw.maximizer + raw.intercept - y) ** 2)
                  for x, y in (source, target)]
        if abs(abs(losses[1] - losses[0]) - raw.value) > 1e-9 * max(losses):
            yield f"around {text}: {raw.value!r}, but losses {losses} at the maximizer"


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def main():
    print("seed", SEED)
    random = np.random.default_rng(SEED)
    failures, count = 0, 0
    preprocessings = list(itertools.product(("none", "standardize", "whiten"), (False, True)))
    for preprocessing, *case in itertools.product(preprocessings, (False, True), (0.7, "estimate"),
                                                  range(3)):
        case = (*preprocessing, *case)
        for text in failures_of(*domains(random), *case[:-1]):
            failures += 1
            print("preprocess {}, intercept {}, clipped {}, discrepancy {}, draw {}: {}".format(
                *case, text))
        count += 1
    for preprocess, intercept in preprocessings:
        for text in centre_failures(random, *domains(random), preprocess, intercept):
            failures += 1
            print(f"preprocess {preprocess}, intercept {intercept}, discrepancy {text}")
        count += 1
    print(f"{count} instances, failures {failures}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
