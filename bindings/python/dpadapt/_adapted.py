"""What both estimators do alike: fit, plan, save."""

import copy

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _options, _problem, _repeated, errors
from ._call import Handle
from ._reading import Reading
from ._running import solve
from .model import Model
from .plans import Plan


class Adapted(Reading, BaseEstimator):
    """What both estimators share."""

    def fit(self, X, y=None, sample_weight=None, *, source=None, sample_domain=None, groups=None):
        """Fits to the target X, y with the help of a source.

        source : (Xs, ys) or (Xs, ys, weights)
            The source. Without one nothing is adapted: a fit without privacy is the target's own
            (the baseline target_only), a private fit is refused.
        sample_domain : array
            skada's convention instead of `source`: rows of X below 0 are the target's, the others
            the source's.
        sample_weight : array
            Weights of the rows of X; those of private rows need row_weight_bound.
        groups : array
            The person of each row of the target: persons are protected, not records.
        """
        private = _problem.private_sides(self.private_domain)
        if private:
            _repeated.check(self.ledger)
        fitted = copy.copy(self)  # a refit that fails leaves the old one whole
        problem, settings, method, schema = fitted._problem(X, y, sample_weight, source,
                                                            sample_domain, groups)
        made = _options.make(settings)
        handle = solve(problem, made, method, self.verbose)
        fitted.solution_ = Model(handle, schema, *fitted._coding)
        del fitted._coding
        fitted._keep_coefficients()
        self.__dict__ = fitted.__dict__
        return self

    def plan(self, X, y=None, sample_weight=None, *, source=None, sample_domain=None, groups=None):
        """What fit with these arguments would release, at which price. No private value is read.
        """
        problem, settings, method, _ = copy.copy(self)._problem(
            X, y, sample_weight, source, sample_domain, groups, pays=False)
        made = _options.make(settings)
        if method:
            return Plan(Handle("plan", "dpa_baseline_plan", problem, method, made))
        return Plan(Handle("plan", "dpa_plan_for_problem", problem, made))

    def save(self, path):
        """Writes the model file, which Model.load, the command, R and Java read."""
        check_is_fitted(self)
        self.solution_.save(path)

    @property
    def report_(self):
        """The privacy report of the fit: what was promised, spent and released."""
        check_is_fitted(self)
        return self.solution_.report()

    @property
    def findings_(self):
        """How far the private rows moved the fit, in sentences."""
        check_is_fitted(self)
        return self.solution_.findings()

    def _keep_coefficients(self):
        for name in ("coef_", "intercept_"):
            self.__dict__.pop(name, None)
        try:
            coefficients = self.solution_.array("coefficients")
            intercept = self.solution_.array("intercept")
        except errors.UnsupportedError:
            return
        self._set_coefficients(coefficients, intercept)
