"""Weights of the baselines: their optimal values against cvxopt on small instances, and weighted
fits by hand."""

import sys

from prerequisites import require

require("numpy", "cvxopt")

import numpy as np
from cvxopt import matrix, solvers

import dpadapt_ctypes as dpadapt

SEED = 20260214
AGREEMENT = 1e-6  # relative, the tolerance of the methods
SHIFTS = (0.0, 0.5, 1.5)


def accuracy(size):
    return {"show_progress": False, "abstol": size, "reltol": size, "feastol": size}


solvers.options.update(accuracy(1e-10))


def kernel(a, b, gamma):
    return np.exp(-gamma * ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


def matching(source, target, gamma, bound, tolerance):
    """Kernel mean matching as a quadratic program."""
    m, n = len(source), len(target)
    k = kernel(source, source, gamma)
    kappa = m / n * kernel(source, target, gamma).sum(axis=1)
    rows = np.vstack([-np.eye(m), np.eye(m), np.ones((1, m)), -np.ones((1, m))])
    limits = np.concatenate([np.zeros(m), np.full(m, bound), [m * (1 + tolerance)],
                             [-m * (1 - tolerance)]])
    found = solvers.qp(matrix(k + 1e-13 * np.eye(m)), matrix(-kappa), matrix(rows), matrix(limits))
    b = np.array(found["x"])[:, 0]
    return 0.5 * b @ k @ b - kappa @ b


def likelihood(source, target, gamma):
    """KLIEP with all target rows as centres: the best mean log ratio over the shares beta."""
    mean = kernel(source, target, gamma).mean(axis=0)
    p = kernel(target, target, gamma) / mean
    n, centers = p.shape

    def function(point=None, z=None):
        if point is None:
            return 0, matrix(1.0 / centers, (centers, 1))
        ratio = p @ np.array(point)[:, 0]
        if ratio.min() <= 0:
            return None
        value = matrix(-np.log(ratio).mean())
        slope = matrix(-(p / ratio[:, None]).mean(axis=0)[None, :])
        if z is None:
            return value, slope
        scaled = p / ratio[:, None]
        return value, slope, z[0] * matrix(scaled.T @ scaled / n)

    found = solvers.cp(function, matrix(-np.eye(centers)), matrix(0.0, (centers, 1)),
                       A=matrix(1.0, (1, centers)), b=matrix(1.0))
    return -found["primal objective"]


def discrepancy(source, target):
    """Smallest spectral norm of the difference of second moments, as a semidefinite program."""
    m, d = source.shape
    moments = target.T @ target / len(target)
    outer = np.array([np.outer(x, x).ravel() for x in source]).T
    # Variables (t, q): M(q) <= t I and -M(q) <= t I.
    identity = -np.eye(d).ravel()[:, None]
    cones = [matrix(np.hstack([identity, -outer])), matrix(np.hstack([identity, outer]))]
    sides = [matrix(-moments), matrix(moments)]
    linear = np.hstack([np.zeros((m, 1)), -np.eye(m)])
    found = solvers.sdp(matrix(np.concatenate([[1.0], np.zeros(m)])), matrix(linear),
                        matrix(0.0, (m, 1)), cones, sides,
                        A=matrix(np.concatenate([[0.0], np.ones(m)])[None, :]), b=matrix(1.0),
                        options=accuracy(1e-8))  # nearer to its limit cvxopt divides by zero
    return found["primal objective"], np.linalg.norm(moments, 2)


def norm_of_difference(source, target, q):
    return np.linalg.norm(target.T @ target / len(target) - (source.T * q) @ source, 2)


def bordered(matrices, columns, corners, constant):
    """[[sum matrices[k] s_k, columns s], [., corners.s]] + constant >= 0 as G and h of cvxopt."""
    size = constant.shape[0]
    parts = []
    for block, column, corner in zip(matrices, columns.T, corners):
        part = np.zeros((size, size))
        part[:-1, :-1] = block
        part[:-1, -1] = part[-1, :-1] = column
        part[-1, -1] = corner
        parts.append(-part.ravel())
    return matrix(np.array(parts).T), matrix(constant)


def generalized(a, center, target, rho, ridge):
    """Generalized discrepancy minimization as a semidefinite program: its value and predictor. The
    variables are w, the nearest hypothesis u, the multiplier t of the farthest, and bounds of
    (w - w_0)'M(w - w_0), the largest and least D, and ||w||^2."""
    d = len(center)
    root = np.linalg.cholesky(target + 1e-12 * np.trace(target) * np.eye(d)).T
    ball = np.linalg.cholesky(a).T
    none, zero = np.zeros((d, d)), np.zeros((d, 2 * d + 5))
    w, u = slice(0, d), slice(d, 2 * d)
    t, eta, most, least, square = range(2 * d, 2 * d + 5)

    def corner(**bounds):
        made = np.zeros(2 * d + 5)
        for index, value in bounds.values():
            made[index] = value
        return made

    def square_below(columns, bound, shift, limit=0.0):
        """||columns s + shift||^2 <= s_bound, or the limit if there is none."""
        constant = np.eye(d + 1)
        constant[:-1, -1] = constant[-1, :-1] = shift
        constant[-1, -1] = limit
        corners = np.zeros(2 * d + 5) if bound is None else corner(b=(bound, 1.0))
        return bordered([none] * (2 * d + 5), columns, corners, constant)

    def columns_of(of_w=None, of_u=None):
        made = zero.copy()
        if of_w is not None:
            made[:, w] = of_w
        if of_u is not None:
            made[:, u] = of_u
        return made

    farthest = np.zeros((d + 1, d + 1))
    farthest[:-1, :-1] = -target
    farthest[:-1, -1] = farthest[-1, :-1] = -target @ center
    blocks = [none] * (2 * d + 5)
    blocks[t] = a
    cones = [bordered(blocks, columns_of(target),
                      corner(t=(t, -rho**2), eta=(eta, -1.0), most=(most, 1.0)), farthest),
             square_below(columns_of(root), eta, -root @ center),
             square_below(columns_of(root, -root), least, -root @ center),
             square_below(columns_of(None, ball), None, np.zeros(d), rho**2),
             square_below(columns_of(np.eye(d)), square, np.zeros(d))]
    cost = corner(most=(most, 0.5), least=(least, 0.5), square=(square, ridge))
    found = solvers.sdp(matrix(cost), Gs=[g for g, _ in cones], hs=[h for _, h in cones],
                        options=accuracy(1e-9))
    return found["primal objective"]


def generalized_value(w, a, center, target, rho, ridge):
    """The same objective at w, by the scalar duals of both extremes."""
    size, axes = np.linalg.eigh(a)
    root = axes / np.sqrt(size)
    m, turn = np.linalg.eigh(root.T @ target @ root)
    m, v = np.maximum(m, 0), turn.T @ (np.sqrt(size) * (axes.T @ (w - center)))

    def far(x):
        t = m[-1] * (1 + np.exp(x))
        return rho**2 * t + v**2 @ (m * t / (t - m))

    def near(x):
        s = m[-1] * np.exp(x)
        return rho**2 * s - v**2 @ (m * s / (s + m))

    def minimum(function):
        low, high = -32.0, 32.0
        for _ in range(200):
            one, two = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, two) if function(one) < function(two) else (one, high)
        return function(low)

    return ridge * w @ w + 0.5 * (minimum(far) - min(0, minimum(near)))


def check_generalized(source, target, random):
    (x, y), (z, _) = source, target
    for ridge in (0.0, 0.01, 1.0, 30.0):
        rho = random.choice([0.0, 0.1, 1.0])
        given = {} if rho == 0.1 else {"hypothesis_radius": rho}
        solution = fit("gdm", source, target, ridge=ridge, **given)
        q = solution.vector("source_weights", len(x))
        a = (x.T * q) @ x
        a += 1e-10 * np.trace(a) / len(a) * np.eye(len(a))
        center = np.linalg.solve(a, x.T @ (q * y))
        if not given:
            second = x.T @ x
            second += 1e-10 * np.diag(np.diag(second))  # the library's ridge of every source fit
            apart = np.linalg.solve(second, x.T @ y) - center
            rho = np.sqrt(apart @ a @ apart)
        moments = z.T @ z / len(z)
        w = solution.vector("coefficients", x.shape[1])
        value = solution.number("objective")
        scale = ridge * center @ center + rho**2 * np.linalg.norm(np.linalg.solve(a, moments), 2)
        scale += 1e-6 * center @ moments @ center
        own = generalized_value(w, a, center, moments, rho, ridge)
        if abs(own - value) > 1e-9 * scale:
            yield f"gdm: objective {value!r}, but {own!r} at its coefficients"
        if rho > 0 and ridge > 0:
            yield from compare(f"gdm of ridge {ridge}", value,
                               generalized(a, center, moments, rho, ridge),
                               solution.number("duality_gap"), scale)
        if ridge == 0 and np.abs(w - center).max() > 1e-9 * np.abs(center).max():
            yield f"gdm without a ridge: {w}, but {center} is the weighted fit"


def fit(method, source, target, **settings):
    return dpadapt.baseline(method, source, target, preprocess="none", intercept=False, **settings)


def compare(name, value, expected, gap, scale):
    if abs(value - expected) > AGREEMENT * scale:
        yield f"{name}: {value!r}, but cvxopt finds {expected!r}"
    if not -1e-12 * scale <= gap <= 10 * AGREEMENT * scale:
        yield f"{name}: duality gap {gap!r}"


def check_weights(source, target, random):
    (x, _), (z, _) = source, target
    gamma = 0.5 / x.shape[1]
    bound, tolerance = random.choice([1.5, 1000]), random.choice([0.01, 0.9])
    solution = fit("kmm", source, target, kernel_gamma=gamma, weight_bound=bound,
                   sum_tolerance=tolerance)
    expected = matching(x, z, gamma, bound, tolerance)
    yield from compare("kmm", solution.number("objective"), expected,
                       solution.number("duality_gap"), abs(expected))

    solution = fit("kliep", source, target, kernel_gamma=gamma, centers=len(z))
    yield from compare("kliep", solution.number("objective"), likelihood(x, z, gamma),
                       solution.number("duality_gap"), 1)

    solution = fit("dm", source, target)
    expected, scale = discrepancy(x, z)
    q = solution.vector("source_weights", len(x))
    yield from compare("dm", solution.number("objective"), expected,
                       solution.number("duality_gap"), scale)
    if abs(norm_of_difference(x, z, q) - solution.number("objective")) > 1e-10 * scale:
        yield "dm: the objective is not that of the weights"
    if np.any(q < 0) or abs(q.sum() - 1) > 1e-12:
        yield "dm: weights outside of the simplex"


def check_fits(source, target):
    """Ridge regression by its normal equations: of either sample, of both, and of the weights of a
    density ratio."""
    (x, y), (z, t) = source, target
    ridge, alpha = 0.1, 0.3
    for method in ("source_only", "target_only", "pooled", "ulsif", "rulsif"):
        solution = fit(method, source, target, ridge=ridge, alpha=alpha, radius=1e6,
                       tolerance=1e-12)
        p = solution.vector("source_weights", len(x))
        q = solution.vector("target_weights", len(z))
        expected = {"source_only": (1, 0), "target_only": (0, 1), "pooled": (alpha, 1 - alpha)}
        if np.abs(np.array([p.sum(), q.sum()]) - expected.get(method, (1, 0))).max() > 1e-12:
            yield f"{method}: weights of sums {p.sum()!r} and {q.sum()!r}"
        h = (x.T * p) @ x + (z.T * q) @ z + ridge * np.eye(x.shape[1])
        w = np.linalg.solve(h, x.T @ (p * y) + z.T @ (q * t))
        found = solution.vector("coefficients", x.shape[1])
        if np.abs(found - w).max() > 1e-6 * np.abs(w).max():
            yield f"{method}: coefficients {found}, but {w} by the normal equations"


def power(covariance, exponent):
    values, vectors = np.linalg.eigh(covariance)
    return (vectors * values**exponent) @ vectors.T


def check_adapted(source, target):
    """Feature augmentation by ridge regression of the augmented rows, CORAL by mapped rows."""
    (x, y), (z, t) = source, target
    ridge, alpha, d = 0.1, 0.3, x.shape[1]
    rows = np.vstack([np.hstack([x, x, np.zeros(x.shape)]), np.hstack([z, np.zeros(z.shape), z])])
    p = np.concatenate([np.full(len(x), alpha / len(x)), np.full(len(z), (1 - alpha) / len(z))])
    w = np.linalg.solve((rows.T * p) @ rows + ridge * np.eye(3 * d),
                        rows.T @ (p * np.concatenate([y, t])))
    expected = {"augmented": w[:d] + w[2 * d:]}
    covariances = (np.cov(a.T, bias=True).reshape(d, d) + np.eye(d) for a in (x, z))
    mapped = x @ power(next(covariances), -0.5) @ power(next(covariances), 0.5)
    expected["coral"] = np.linalg.solve(mapped.T @ mapped / len(x) + ridge * np.eye(d),
                                        mapped.T @ y / len(x))
    for method, w in expected.items():
        solution = fit(method, source, target, ridge=ridge, alpha=alpha, radius=1e6)
        found = solution.vector("coefficients", d)
        if np.abs(found - w).max() > 1e-9 * np.abs(w).max():
            yield f"{method}: coefficients {found}, but {w} by the normal equations"


def weighted_logistic(x, y, weight, ridge):
    """Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(50):
        size = 1 / (1 + np.exp(y * (x @ w)))
        slope = -x.T @ (weight * y * size) + 2 * ridge * w
        bend = (x.T * (weight * size * (1 - size))) @ x + 2 * ridge * np.eye(len(w))
        w -= np.linalg.solve(bend, slope)
    return w


def boosted_score(source, target, rounds, ridge, factors):
    """gapBoost's votes for the target rows, as its paper states it."""
    (x, y), (z, t) = source, target
    m, n = len(y), len(t)
    rows, labels = np.vstack([x, z]), np.concatenate([y, t])
    g = np.full(m + n, 1 / (m + n))
    score = np.zeros(n)

    def sign(w, of):
        return np.where(of @ w < 0, -1, 1)

    for _ in range(rounds):
        w = weighted_logistic(rows, labels, g, ridge)
        wrong = sign(w, rows) != labels
        error = g[wrong].sum()
        if not 0 < error < 0.5:
            break
        score += np.log((1 - error) / error) * sign(w, z)
        one = weighted_logistic(x, y, g[:m] / g[:m].sum(), ridge)
        other = weighted_logistic(z, t, g[m:] / g[m:].sum(), ridge)
        apart = sign(one, rows) != sign(other, rows)
        g = g * np.where(wrong, (1 - error) / error, 1)
        g[:m] *= np.where(apart[:m], factors[0], 1)
        g[m:] *= np.where(apart[m:] if factors[1] <= 1 else ~apart[m:], factors[1], 1)
        g = np.minimum(g / g.sum(), 1 / np.sqrt(n))
        g /= g.sum()
    return score


def check_classifiers(source, target):
    """gapBoost against its statement, and best-effort adaptation against a single start."""
    source, target = [(x, np.where(y < np.median(y), -1.0, 1.0)) for x, y in (source, target)]
    for factors in ((1, 1), (0.3, 0.6), (0.5, 1.5)):
        solution = fit("gapboost", source, target, loss="logistic", ridge=1e-3, rounds=6,
                       radius=1e6, tolerance=1e-13, source_factor=factors[0],
                       target_factor=factors[1])
        expected = boosted_score(source, target, 6, 1e-3, factors)
        if np.abs(solution(target[0]) - expected).max() > 1e-4:
            yield f"gapboost {factors}: votes {solution(target[0])}, but {expected} by hand"
    settings = {"loss": "logistic", "lambda_1": 0.8, "discrepancy": 0.1, "alpha": 0.5,
                "preprocess": "none", "intercept": False}
    best = dpadapt.baseline("best", source, target, **settings).number("objective")
    single = dpadapt.Predictor(source, target, **settings).number("objective")
    if best > single * (1 + 1e-9):
        yield f"best: {best!r} from several starts, but {single!r} from one of them"


def weighted_ridge(x, y, weight, ridge):
    return np.linalg.solve((x.T * weight) @ x + ridge * np.eye(x.shape[1]), x.T @ (weight * y))


def transferred(source, target, rounds, ridge, classes):
    """TrAdaBoost and TrAdaBoost.R2 as their papers state them: votes and predictors of rounds."""
    (x, y), (z, t) = source, target
    m, n = len(y), len(t)
    rows, labels = np.vstack([x, z]), np.concatenate([y, t])
    w = np.ones(m + n)
    votes, predictors = [], []
    for _ in range(rounds):
        p = w / w.sum()
        h = (weighted_logistic if classes else weighted_ridge)(rows, labels, p, ridge)
        if classes:
            error = 1.0 * (np.where(rows @ h < 0, -1, 1) != labels)
        else:
            error = np.abs(rows @ h - labels)
            error = error / error.max()
        mean = max((p[m:] @ error[m:]) / p[m:].sum(), 1e-10)
        mean = mean if mean < 0.5 - 1e-10 else 0.5
        w[:m] *= (1 / (1 + np.sqrt(2 * np.log(m) / rounds))) ** error[:m]
        w[m:] *= (mean / (1 - mean)) ** -error[m:]
        votes.append(np.log((1 - mean) / mean))
        predictors.append(h)
    first = -(-rounds // 2) - 1  # the paper's ceil(N/2), which counts from 1
    votes = np.array(votes[first:])
    return votes if votes.any() else np.eye(len(votes))[-1], np.array(predictors[first:])


def check_transferred(source, target):
    (x, y), (z, t) = source, target
    for rounds in (1, 6, 7):
        votes, w = transferred(source, target, rounds, 0.01, classes=False)
        solution = fit("tradaboost_r2", source, target, ridge=0.01, rounds=rounds, radius=1e6,
                       tolerance=1e-13)
        expected, found = votes @ w / votes.sum(), solution.vector("coefficients", x.shape[1])
        if np.abs(found - expected).max() > 1e-6 * np.abs(expected).max():
            yield f"tradaboost_r2 of {rounds}: {found}, but {expected} by hand"
        signs = [(a, np.where(b < np.median(y), -1.0, 1.0)) for a, b in (source, target)]
        votes, w = transferred(*signs, rounds, 1e-3, classes=True)
        solution = fit("tradaboost", *signs, loss="logistic", ridge=1e-3, rounds=rounds,
                       radius=1e6, tolerance=1e-13)
        expected = votes @ np.where(w @ z.T < 0, -1, 1)
        if np.abs(solution(z) - expected).max() > 1e-4:
            yield f"tradaboost of {rounds}: votes {solution(z)}, but {expected} by hand"


def samples(random, shift):
    m, n, d = random.integers(20, 50), random.integers(10, 25), random.integers(1, 4)
    w = random.normal(size=d)
    x, z = random.normal(size=(m, d)), random.normal(size=(n, d)) * 0.7 + shift / np.sqrt(d)
    return (x, x @ w + random.normal(size=m)), (z, z @ w + shift + random.normal(size=n))


def main():
    print("seed", SEED)
    random = np.random.default_rng(SEED)
    failures, count = 0, 0
    for shift in SHIFTS * 6:
        source, target = samples(random, shift)
        for text in [*check_weights(source, target, random), *check_fits(source, target),
                     *check_adapted(source, target), *check_classifiers(source, target),
                     *check_transferred(source, target),
                     *check_generalized(source, target, random)]:
            failures += 1
            print(f"instance {count}, {len(source[1])} and {len(target[1])} rows of "
                  f"{source[0].shape[1]}: {text}")
        count += 1
    print(f"{count} instances, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
