"""Minimum of the adaptation objective: the library against cvxopt, for every set of its terms."""

import itertools
import sys

from prerequisites import require

require("numpy", "cvxopt")

import numpy as np

import conic_objective
import dpadapt_ctypes as dpadapt

SEED = 20240229
AGREEMENT = 1e-8  # relative; cvxopt's own bracket is narrower than that and checked to be
ROUNDING = 1e-12
KAPPA_1 = (1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)


def instances(random):
    """Every combination of the terms twice, with kappa_1 running through its magnitudes, and then
    twice with weights of the rows, of which some are 0 and some are equal."""
    combinations = list(itertools.product(
        (0.0, 0.3, 1.0, "random"), (False, True), (False, True), (0.3, 10.0))) * 2
    unweighted = len(combinations)
    for number, (alpha, with_kappa_2, with_kappa_inf, radius) in enumerate(2 * combinations):
        m, n = random.integers(3, 26, size=2)
        features = random.integers(1, 7)
        x = random.normal(size=(m + n, features))
        y = x @ random.normal(size=features) + 0.5 * random.standard_t(3, size=m + n)
        is_source = np.arange(m + n) < m
        y[is_source] += x[is_source] @ random.normal(size=features) / 2  # the domains differ
        weights = None
        if number >= unweighted:
            weights = random.choice([0.0, 1.0, 1.0, *random.exponential(size=8)], size=m + n)
            weights[[0, m]] = 1  # some row of each sample has one
        yield conic_objective.Instance(
            x=x, y=y, is_source=is_source,
            alpha=random.uniform() if alpha == "random" else alpha,
            kappa_1=KAPPA_1[number % len(KAPPA_1)],
            kappa_2=10 ** random.uniform(-2, 2) if with_kappa_2 else 0.0,
            kappa_inf=10 ** random.uniform(-2, 2) if with_kappa_inf else 0.0,
            discrepancy=random.choice([0.0, random.uniform(0, 3)]),
            weights=weights,
            radius=radius * np.linalg.norm(np.linalg.lstsq(x, y, rcond=None)[0]),
        )


def solve(instance, **settings):
    return dpadapt.solve(
        instance.source, instance.target, preprocess="none", intercept=False,
        alpha=instance.alpha, kappa_1=instance.kappa_1, kappa_2=instance.kappa_2,
        kappa_inf=instance.kappa_inf, discrepancy=instance.discrepancy, radius=instance.radius,
        **settings)


def scale_of(instance, minimum):
    """What errors are relative to: the minimum, unless it is 0 because w can fit all rows."""
    return max(abs(minimum), 1e-4 * instance.p @ instance.y**2)


def failures_of(instance, solution, lower, upper):
    """What the solution claims about itself, and where it is wrong."""
    w, p = solution.coefficients, instance.p
    q = np.concatenate([solution.source_weights, solution.target_weights])
    scale = scale_of(instance, solution.objective)
    recomputed = instance.objective(w, q)
    # By weights p is a quotient of other numbers than here, and may differ in its last bit.
    of_p = 0.0 if instance.weights is None else 4 * np.finfo(float).eps * instance.kappa_1
    if abs(recomputed - solution.objective) > ROUNDING * scale + of_p:
        yield f"objective {solution.objective!r}, but {recomputed!r} at the returned w and weights"
    if np.any(q > p * (1 + ROUNDING)) or np.any((q > 0) != (p > 0)):
        yield "weights outside of (0, p_i]"
    if np.linalg.norm(w) > instance.radius * (1 + ROUNDING):
        yield f"||w|| = {np.linalg.norm(w)!r} beyond the radius {instance.radius!r}"
    if solution.intercept != 0:
        yield f"intercept {solution.intercept!r} without the option intercept"
    if solution.gap < solution.objective - upper - ROUNDING * scale:
        yield f"duality gap {solution.gap!r}, but the excess is {solution.objective - upper!r}"
    if solution.objective < lower - AGREEMENT * scale:
        yield f"objective {solution.objective!r} below the minimum {lower!r}"


def main():
    print("seed", SEED)
    failures, widest, largest, active, count = 0, 0.0, 0.0, 0, 0
    for number, instance in enumerate(instances(np.random.default_rng(SEED))):
        lower, upper = conic_objective.solve(instance)
        solution = solve(instance, tolerance=1e-10)
        early = solve(instance, iterations=1)
        scale = scale_of(instance, upper)
        difference = (solution.objective - upper) / scale
        found = list(failures_of(instance, solution, lower, upper))
        found += ["after one iteration: " + text
                  for text in failures_of(instance, early, lower, upper)]
        if abs(upper - lower) > AGREEMENT * scale:
            found.append(f"reference too coarse: [{lower!r}, {upper!r}]")
        if difference > AGREEMENT:
            found.append(f"objective {solution.objective!r} above the minimum {upper!r}")
        for text in found:
            print(f"instance {number} ({len(instance.y)} rows, alpha {instance.alpha:g}, kappa "
                  f"{instance.kappa_1:g} {instance.kappa_2:g} {instance.kappa_inf:g}): {text}")
        failures += len(found)
        count += 1
        widest = max(widest, (upper - lower) / scale)
        largest = max(largest, abs(difference))
        active += np.linalg.norm(solution.coefficients) > instance.radius * (1 - 1e-9)
    print(f"{count} instances, ball active in {active}: largest relative difference {largest:.1e}, "
          f"widest reference bracket {widest:.1e}, failures {failures}")
    if not 0.25 * count <= active <= 0.75 * count:
        failures += 1
        print("the instances do not exercise both an active and an inactive ball")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
