"""The adaptation objective as a second-order-cone program, solved by cvxopt.

With v_i = p_i/q_i >= 1, the objective over w and v is

    sum_i p_i c_i(w)/v_i + kappa_1 sum_i p_i (v_i - 1) + kappa_2 ||p/v|| + kappa_inf max_i p_i/v_i,

where c_i(w) = (w.x_i - y_i)^2 + d_i and d_i is the discrepancy on source rows, 0 on target rows.
(sum p_i = 1 turns sum p_i v_i - 1 into sum p_i (v_i - 1).) All terms have conic epigraphs:

    z_i >= c_i/v_i    <=>  || (2 (w.x_i - y_i), 2 sqrt(d_i), z_i - v_i) || <= z_i + v_i
    t_i >= 1/v_i      <=>  || (2, t_i - v_i) || <= t_i + v_i,   s >= || p t ||
    h >= p_i/v_i      <=>  || (2 sqrt(p_i), h - v_i) || <= h + v_i

and ||w|| <= Lambda is a cone itself. A term that is off brings no variables: its epigraph would
be unbounded. Labels are divided by a scale, and p, s and h by max p, for numbers of order one.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from cvxopt import matrix, solvers, spmatrix

# Tried in turn until the bracket is narrow: near its limit of accuracy cvxopt may leave the cones.
ATTEMPTS = list(itertools.product((1e-9, 3e-9, 1e-8), ("qr", "ldl")))


@dataclass
class Instance:
    """Two samples and the numbers of the objective; rows of both samples in one matrix.
    The rows may have weights, of which ratios within a sample count."""

    x: np.ndarray
    y: np.ndarray
    is_source: np.ndarray
    alpha: float
    kappa_1: float
    kappa_2: float
    kappa_inf: float
    discrepancy: float
    radius: float
    weights: np.ndarray | None = None

    @property
    def source(self):
        return self.sample(self.is_source)

    @property
    def target(self):
        return self.sample(~self.is_source)

    def sample(self, rows):
        weights = () if self.weights is None else (self.weights[rows],)
        return self.x[rows], self.y[rows], *weights

    @property
    def p(self):
        weights = np.ones(len(self.y)) if self.weights is None else self.weights
        of_source, of_target = weights[self.is_source].sum(), weights[~self.is_source].sum()
        return weights * np.where(
            self.is_source, self.alpha / of_source, (1 - self.alpha) / of_target)

    def costs(self, w):
        return (self.x @ w - self.y) ** 2 + self.discrepancy * self.is_source

    def objective(self, w, q):
        """F at w and q; rows with p_i = 0 have q_i = 0 and contribute nothing."""
        p = self.p
        used = p > 0
        p, q, c = p[used], q[used], self.costs(w)[used]
        leaving = np.sum(p * (p - q) / q)  # = sum p_i^2/q_i - 1 without its cancellation
        return (q @ c + self.kappa_1 * leaving + self.kappa_2 * np.linalg.norm(q)
                + self.kappa_inf * q.max())


class _Program:
    """min cost . variables, subject to affine forms that are non-negative or lie in cones.

    An affine form is a pair ({variable: factor}, constant).
    """

    def __init__(self):
        self.cost, self.linear, self.cones = [], [], []

    def variables(self, costs):
        first = len(self.cost)
        self.cost.extend(costs)
        return range(first, len(self.cost))

    def non_negative(self, form):
        self.linear.append(form)

    def norm(self, bound, *forms):
        """|| forms || <= bound."""
        self.cones.append((bound, *forms))

    def product(self, a, b, *forms):
        """a b >= || forms ||^2 with a, b >= 0."""
        (terms_a, constant_a), (terms_b, constant_b) = a, b
        plus = ({**terms_a, **terms_b}, constant_a + constant_b)
        minus = ({**terms_a, **{k: -f for k, f in terms_b.items()}}, constant_a - constant_b)
        doubled = (({k: 2 * f for k, f in terms.items()}, 2 * c) for terms, c in forms)
        self.norm(plus, *doubled, minus)

    def solutions(self):
        """What cvxopt finds in one attempt after the other."""
        rows = self.linear + [form for cone in self.cones for form in cone]
        entries = [(-f, i, k) for i, (terms, _) in enumerate(rows) for k, f in terms.items()]
        g = spmatrix(*zip(*entries), (len(rows), len(self.cost)))
        h = matrix([float(constant) for _, constant in rows])
        shape = {"l": len(self.linear), "q": [len(cone) for cone in self.cones], "s": []}
        for tolerance, kkt_solver in ATTEMPTS:
            options = {"show_progress": False, "abstol": tolerance / 1000, "reltol": tolerance,
                       "feastol": tolerance}
            try:
                yield solvers.conelp(matrix(self.cost), g, h, shape, kktsolver=kkt_solver,
                                     options=options)
            except (ArithmeticError, ValueError):
                continue


def solve(instance):
    """Bracket [lower, upper] of the minimum: cvxopt's dual value, and F at its own predictor."""
    used = instance.p > 0
    scale = max(1.0, np.abs(instance.y[used]).max())
    p, x, y = instance.p[used], instance.x[used], instance.y[used] / scale
    d = instance.discrepancy * instance.is_source[used] / scale**2
    kappa_1, kappa_2, kappa_inf = (
        kappa / scale**2 for kappa in (instance.kappa_1, instance.kappa_2, instance.kappa_inf))
    top = p.max()

    program = _Program()
    w = program.variables([0.0] * x.shape[1])
    leave = program.variables(kappa_1 * p)  # v_i - 1
    z = program.variables(p)
    v = [({k: 1.0}, 1.0) for k in leave]
    program.norm(({}, instance.radius / scale), *(({k: 1.0}, 0.0) for k in w))
    for i, row in enumerate(x):
        program.non_negative(({leave[i]: 1.0}, 0.0))
        residual = (dict(zip(w, row)), -y[i])
        program.product(({z[i]: 1.0}, 0.0), v[i], residual, ({}, np.sqrt(d[i])))
    if kappa_2 > 0:
        t = program.variables([0.0] * len(p))
        (s,) = program.variables([kappa_2 * top])
        program.norm(({s: 1.0}, 0.0), *(({k: p_i / top}, 0.0) for k, p_i in zip(t, p)))
        for k, v_i in zip(t, v):
            program.product(({k: 1.0}, 0.0), v_i, ({}, 1.0))
    if kappa_inf > 0:
        (h,) = program.variables([kappa_inf * top])
        for v_i, p_i in zip(v, p):
            program.product(({h: 1.0}, 0.0), v_i, ({}, np.sqrt(p_i / top)))

    best = (-np.inf, np.inf)
    for result in program.solutions():
        values = np.array(result["x"]).ravel()
        predictor = scale * values[w.start:w.stop]
        predictor *= min(1.0, instance.radius / np.linalg.norm(predictor))
        q = np.zeros(len(instance.y))
        q[used] = p / (1 + np.maximum(values[leave.start:leave.stop], 0))
        bracket = result["dual objective"] * scale**2, instance.objective(predictor, q)
        best = min(best, bracket, key=lambda pair: abs(pair[1] - pair[0]))
        if abs(best[1] - best[0]) <= ATTEMPTS[0][0] * abs(best[1]):
            break
    return best
