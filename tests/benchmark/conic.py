"""The objective of a certified fit as a second-order-cone program, for solvers of those."""

import time

import numpy as np

NUMBERS = {"alpha": 0.5, "kappa_1": 2.0, "kappa_inf": 50.0, "discrepancy": 0.3, "radius": 100.0}
SETTINGS = {"SCS": {"eps_abs": 1e-8, "eps_rel": 1e-8, "max_iters": 100000}}


def program(source, target):
    import cvxpy as cp

    (xs, ys), (xt, yt) = source, target
    x, y = np.concatenate([xs, xt]), np.concatenate([ys, yt])
    p = np.repeat([NUMBERS["alpha"] / len(ys), (1 - NUMBERS["alpha"]) / len(yt)],
                  [len(ys), len(yt)])
    d = np.repeat([NUMBERS["discrepancy"], 0.0], [len(ys), len(yt)])
    n = len(y)
    w, z, v, t, h = cp.Variable(x.shape[1]), cp.Variable(n), cp.Variable(n), cp.Variable(n), \
        cp.Variable()
    rows = [cp.SOC(z + v, cp.vstack([2 * (x @ w - y), 2 * np.sqrt(d), z - v]), axis=0),
            cp.SOC(v + t, cp.vstack([2 * np.ones(n), v - t]), axis=0)]
    rest = [v >= 1, n * cp.multiply(p, t) <= h, cp.norm(w) <= NUMBERS["radius"]]
    cost = cp.sum(cp.multiply(p, z)) + NUMBERS["kappa_1"] * cp.sum(cp.multiply(p, v - 1)) \
        + NUMBERS["kappa_inf"] / n * h
    return cp.Problem(cp.Minimize(cost), rows + rest)


def solve(problem, solver, repeats):
    """(seconds of each of the solver's calls, value, status): without cvxpy's modelling."""
    data, chain, inverse = problem.get_problem_data(solver)
    settings = SETTINGS.get(solver, {})
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        found = chain.solver.solve_via_data(data, False, False, dict(settings), {})
        seconds.append(time.process_time() - start)
    inverse[-1].solver_options = settings  # as Problem.solve does it
    problem.unpack_results(found, chain, inverse)
    return seconds, problem.value, problem.status
