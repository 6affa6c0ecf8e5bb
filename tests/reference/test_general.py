"""The general form: stationary points of its objective, recomputed here, and where nothing but the
predictor is free its global minimum against cvxopt."""

import itertools
import sys
from dataclasses import dataclass

from prerequisites import require

require("numpy", "cvxopt")

import cvxopt
import numpy as np

import dpadapt_ctypes as dpadapt

SEED = 20260105
AGREEMENT = 1e-8   # of minima, relative
ROUNDING = 1e-10    # of the reference minimum
RECOMPUTED = 1e-10
# Gradient mapping relative to the gradient at zero; on the sphere the gap is its square.
STATIONARY = 1e-4
THRESHOLD = 0.7
CLASSES = 3
LEVEL = 0.8
LOSSES = ("squared", "huber", "logistic", "softmax", "pinball")


def values_and_slopes(loss, scores, labels):
    """Loss of each row and its gradient by the scores, rows x outputs."""
    if loss == "logistic":
        margin = labels * scores[:, 0]
        return np.logaddexp(0, -margin), (-labels / (1 + np.exp(margin)))[:, None]
    if loss == "softmax":
        top = scores.max(axis=1, keepdims=True)
        total = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0]
        one_hot = np.eye(CLASSES)[labels.astype(int)]
        return total - (one_hot * scores).sum(axis=1), np.exp(scores - total[:, None]) - one_hot
    residual = scores[:, 0] - labels
    if loss == "squared":
        return residual**2, 2 * residual[:, None]
    size = np.abs(residual)
    inside = size <= THRESHOLD
    if loss == "pinball":
        smooth = np.where(inside, (residual**2 / THRESHOLD + THRESHOLD) / 2, size)
        return (smooth / 2 + (0.5 - LEVEL) * residual,
                (np.clip(residual / THRESHOLD, -1, 1) / 2 + 0.5 - LEVEL)[:, None])
    return (np.where(inside, residual**2, 2 * THRESHOLD * size - THRESHOLD**2),
            np.where(inside, 2 * residual, 2 * THRESHOLD * np.sign(residual))[:, None])


def curvatures(loss, scores, labels):
    """Hessian of each row's loss by the scores, rows x outputs x outputs."""
    _, slopes = values_and_slopes(loss, scores, labels)
    if loss == "logistic":
        size = np.abs(slopes[:, 0])
        return (size * (1 - size))[:, None, None]
    if loss == "softmax":
        p = slopes + np.eye(CLASSES)[labels.astype(int)]
        return np.einsum("ij,jk->ijk", p, np.eye(CLASSES)) - np.einsum("ij,ik->ijk", p, p)
    if loss == "squared":
        return np.full((len(labels), 1, 1), 2.0)
    bend = 0.5 / THRESHOLD if loss == "pinball" else 2.0
    return bend * (np.abs(scores[:, 0] - labels) <= THRESHOLD)[:, None, None]


@dataclass
class Instance:
    loss: str
    x: np.ndarray
    y: np.ndarray
    m: int
    alpha: float
    radius: float
    discrepancy: float
    lambda_1: object
    lambda_2: float
    lambda_inf: float
    mu: float

    @property
    def p(self):
        n = len(self.y) - self.m
        return np.repeat([self.alpha / self.m, (1 - self.alpha) / n], [self.m, n])

    @property
    def outputs(self):
        return CLASSES if self.loss == "softmax" else 1

    def losses(self, theta):
        values, slopes = values_and_slopes(self.loss, self.x @ theta, self.y)
        return values, slopes

    def costs(self, theta):
        return self.losses(theta)[0] + self.discrepancy * (np.arange(len(self.y)) < self.m)

    def objective(self, theta, q):
        value = q @ self.costs(theta)
        if self.lambda_1 == "auto":
            return value
        peak = np.log(np.exp(self.mu * q).sum()) / self.mu
        return (value + self.lambda_1 * (1 - q.sum()) + self.lambda_2 * np.linalg.norm(q)
                + self.lambda_inf * peak)

    def gradient(self, theta, q):
        return self.x.T @ (q[:, None] * self.losses(theta)[1])

    def mapping(self, theta, q):
        """Norm of the gradient mapping."""
        moved = theta - self.gradient(theta, q)
        return np.linalg.norm(theta - moved * min(1, self.radius / np.linalg.norm(moved)))

    def excess_of_weights(self, theta, q):
        """How far q is from the best weights, by the conditions of optimality, in units of a
        cost."""
        if self.lambda_1 == "auto":
            return np.abs(q - self.p).max() / self.p.max()
        slope = self.costs(theta) - self.lambda_1
        norm = np.linalg.norm(q)
        if norm > 0:
            slope = slope + self.lambda_2 * q / norm
        slope = slope + self.lambda_inf * np.exp(self.mu * q) / np.exp(self.mu * q).sum()
        lower = np.where(q > 0, np.maximum(slope, 0), 0)
        upper = np.where(q < self.p, np.maximum(-slope, 0), 0)
        if norm == 0:  # the norm's subgradients fill a ball
            return max(0, np.linalg.norm(np.minimum(slope, 0)) - self.lambda_2)
        return (np.maximum(lower, upper) * (self.p > 0)).max()


def instances(random):
    prices = itertools.product(("auto", 1.0), (0.0, 0.2), (0.0, 0.3))
    prices = [price for price in prices if price[0] != "auto" or price[1:] == (0, 0)]
    for loss, (lambda_1, lambda_2, lambda_inf), alpha, radius in itertools.product(
            LOSSES, prices, (0.0, 0.4, 1.0), (0.5, 50.0)):
        m, n = random.integers(20, 60, size=2)
        features = random.integers(1, 6)
        x = random.normal(size=(m + n, features))
        score = x @ random.normal(size=(features, CLASSES)) + random.normal(size=(m + n, CLASSES))
        score[:m] += 0.5
        y = {"logistic": np.sign(score[:, 0]), "softmax": score.argmax(axis=1).astype(float)}
        y["softmax"][:CLASSES] = range(CLASSES)
        yield Instance(loss, x, y.get(loss, score[:, 0]), m, alpha, radius,
                       random.choice([0.0, 0.3]), lambda_1, lambda_2, lambda_inf,
                       mu=10.0 * (m + n))


def minimum(instance):
    """The global minimum over the ball with the reference weights, and a lower bound of it."""
    d, k = instance.x.shape[1], instance.outputs
    p = instance.p

    def function(point=None, z=None):
        if point is None:
            return 0, cvxopt.matrix(0.0, (d * k, 1))
        theta = np.array(point).reshape(d, k, order="F")
        value = cvxopt.matrix(instance.objective(theta, p))
        slope = cvxopt.matrix(instance.gradient(theta, p).reshape(1, -1, order="F"))
        if z is None:
            return value, slope
        bend = curvatures(instance.loss, instance.x @ theta, instance.y) * p[:, None, None]
        hessian = np.einsum("ia,ijk,ib->jakb", instance.x, bend, instance.x).reshape(d * k, d * k)
        return value, slope, z[0] * cvxopt.matrix(hessian)

    cone = np.vstack([np.zeros(d * k), -np.eye(d * k)])
    edge = np.concatenate([[instance.radius], np.zeros(d * k)])
    options = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11}
    found = cvxopt.solvers.cp(function, cvxopt.matrix(cone), cvxopt.matrix(edge),
                              {"l": 0, "q": [d * k + 1], "s": []}, options=options)
    theta = np.array(found["x"]).reshape(d, k, order="F")
    theta *= min(1, instance.radius / np.linalg.norm(theta))
    return instance.objective(theta, p), found["dual objective"]


def fit(instance):
    m = instance.m
    extra = {"huber": {"huber_threshold": THRESHOLD}, "softmax": {"classes": CLASSES},
             "pinball": {"quantile_level": LEVEL, "quantile_smoothing": THRESHOLD}}
    solution = dpadapt.Predictor(
        (instance.x[:m], instance.y[:m]), (instance.x[m:], instance.y[m:]), loss=instance.loss,
        form="general", preprocess="none", intercept=False, alpha=instance.alpha,
        radius=instance.radius, discrepancy=instance.discrepancy, lambda_1=instance.lambda_1,
        lambda_2=instance.lambda_2, lambda_inf=instance.lambda_inf,
        softmax_sharpness=instance.mu, tolerance=1e-10,
        **extra.get(instance.loss, {}))
    theta = solution.vector("coefficients", instance.x.shape[1] * instance.outputs)
    q = np.concatenate([solution.vector("source_weights", m),
                        solution.vector("target_weights", len(instance.y) - m)])
    return solution, theta.reshape(-1, instance.outputs, order="F"), q


def failures_of(instance):
    solution, theta, q = fit(instance)
    value = solution.number("objective")
    if abs(instance.objective(theta, q) - value) > RECOMPUTED * abs(value):
        yield f"objective {value!r}, but {instance.objective(theta, q)!r} recomputed"
    if np.linalg.norm(theta) > instance.radius * (1 + 1e-12):
        yield "outside of the ball"
    if np.any(q < 0) or np.any(q > instance.p * (1 + 1e-12)):
        yield "weights outside of [0, p_i]"
    if (excess := instance.excess_of_weights(theta, q)) > 1e-6:
        yield f"weights are not the best: {excess:.1e}"
    scale = np.linalg.norm(instance.gradient(0 * theta, instance.p))
    mapping = instance.mapping(theta, q)
    if abs(mapping - solution.number("gradient_mapping")) > 1e-7 * scale:
        told = solution.number("gradient_mapping")
        yield f"gradient mapping {told!r}, but {mapping!r} recomputed"
    if mapping > STATIONARY * scale:
        yield f"not stationary: gradient mapping {mapping:.1e} of {scale:.1e}"
    if instance.lambda_1 != "auto":
        return
    upper, lower = minimum(instance)
    if upper - lower > AGREEMENT * abs(upper):
        yield f"reference too coarse: [{lower!r}, {upper!r}]"
    if abs(value - upper) > AGREEMENT * abs(upper):
        yield f"objective {value!r}, but the minimum is {upper!r}"
    excess = value - upper
    if solution.number("duality_gap") < excess - ROUNDING * abs(upper):
        yield f"duality gap {solution.number('duality_gap')!r}, but the excess is {excess!r}"


def main():
    print("seed", SEED)
    failures, count = 0, 0
    for number, instance in enumerate(instances(np.random.default_rng(SEED))):
        for text in failures_of(instance):
            failures += 1
            print(f"instance {number}: {instance.loss}, alpha {instance.alpha}, radius "
                  f"{instance.radius}, lambda {instance.lambda_1} {instance.lambda_2} "
                  f"{instance.lambda_inf}: {text}")
        count += 1
    print(f"{count} instances, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
