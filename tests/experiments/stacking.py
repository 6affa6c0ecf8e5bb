"""Would a private combination of public fits be a better anchor than the choice of one of them?

A combination needs one release: the second moments of (a_1(x), ..., a_K(x), 1, y), the a_k orthogonal mixtures of the public
fits. Here it has the whole budget, so this is the most that it can give; the default has the same budget for everything."""

import numpy as np

import references
from copies import gaussian_mu
from datasets import load, split
from fits import DELTA, private
from references import error

CASES = ("gas 6", "gas 7", "california", "bike", "wine", "diamonds")
ROWS = (200, 1000, 10**6)  # the last: all training rows
EPSILONS = (0.5, 1, 4)
RIDGES = (1e-9, 0.02, 1)  # the anchors among which a private fit chooses
CLIP = 2.5  # of a record's vector, in deviations
INTERCEPT = 0.7
DOUBT = 2.5  # times the mean of noise alone that a gain must exceed


class Stack:
    """Public fits, and their mixtures that are orthogonal on the source."""

    def __init__(self, source):
        self.fits = [references.ridge(source, (ridge,)) for ridge in RIDGES]
        self.centre, self.scale = source[1].mean(), source[1].std()
        heights = self._heights(source[0])
        _, sizes, mixtures = np.linalg.svd(heights, full_matrices=False)
        self.mixing = mixtures.T / np.maximum(sizes / np.sqrt(len(heights)), 1e-6)
        self.singles = [np.append(row, 0) for row in np.linalg.inv(self.mixing).T]

    def _heights(self, x):
        return (np.column_stack([fit(x) for fit in self.fits]) - self.centre) / self.scale

    def _inputs(self, x):
        return np.column_stack([self._heights(x) @ self.mixing, np.full(len(x), INTERCEPT)])

    def predictor(self, w):
        return lambda x: self._inputs(x) @ w * self.scale + self.centre

    def moments(self, sample, mu, random):
        """With Gaussian noise for Frobenius norms of at most CLIP^2; and the noise's deviation."""
        x, y = sample
        rows = np.column_stack([self._inputs(x), (y - self.centre) / self.scale])
        rows *= np.minimum(1, CLIP / np.linalg.norm(rows, axis=1))[:, None]
        sigma = CLIP**2 / (mu * len(y))
        noise = np.triu(random.normal(size=(rows.shape[1],) * 2), 1) / np.sqrt(2)
        noise += noise.T + np.diag(random.normal(size=len(noise)))
        return rows.T @ rows / len(y) + sigma * noise, sigma

    def fitted(self, sample, mu, random):
        """The best single fit by the moments, the best combination, and one as far as noise allows."""
        moments, sigma = self.moments(sample, mu, random)
        values, vectors = np.linalg.eigh(moments[:-1, :-1])
        square = (vectors * np.maximum(values, 2 * sigma)) @ vectors.T
        along = moments[:-1, -1]
        single = min(self.singles, key=lambda w: w @ square @ w - 2 * along @ w)
        left = along - square @ single
        way = np.linalg.solve(square, left)
        noise = sigma**2 / 2 * (1 + single @ single) * np.trace(np.linalg.inv(square))
        kept = max(0, 1 - DOUBT * noise / max(left @ way, 1e-300))
        return {"chosen": single, "combined": single + way, "combined, shrunk": single + kept * way}


def tasks(count, quick):
    return [(name, index) for name in (("wind",) if quick else CASES) for index in range(count)]


def measure(task):
    """Errors over that of ridge regression without privacy on all training rows."""
    name, index = task
    case = load(name)
    train, test = split(case, index)
    scale = error(references.ridge(train), test)
    stack = Stack(case.source)
    for rows in sorted({min(rows, case.train) for rows in ROWS}):
        sample = tuple(part[:rows] for part in train)
        for epsilon in EPSILONS:
            row = {"data": name, "n": rows, "epsilon": epsilon}
            random = np.random.default_rng([index, rows, int(10 * epsilon)])
            for method, w in stack.fitted(sample, gaussian_mu(epsilon), random).items():
                yield row | {"method": method, "value": error(stack.predictor(w), test) / scale}
            fit = private(case.source, sample, epsilon, unsafe_seed=index)
            yield row | {"method": "adapted", "value": error(fit, test) / scale}
