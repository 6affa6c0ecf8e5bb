"""Estimators in the manner of scikit-learn: X and y are the target, the source is given beside
them."""

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets

from . import errors
from ._adapted import Adapted
from ._cells import MISSING, numbers, own_type, positions, spelling
from ._constructor import with_options
from ._sklearn import public_numbers


@with_options
class AdaptedRegressor(RegressorMixin, Adapted):
    """A predictor of numbers for a private target, with the help of a public source.

    By default the target is private, and a fit needs epsilon, delta and a source.
    private_domain="none" gives up privacy.
    """

    _coding = (None, None)

    def predict(self, X):
        """Labels."""
        rows = self._rows(X)
        return self.solution_.apply("labels", rows)

    def _learn_labels(self, public_y, settings, private):
        word = settings["loss"]
        if word in ("logistic", "softmax"):
            raise errors.OptionError(f"loss = {word} takes classes: use AdaptedClassifier")
        if word == "perceptron" and settings["perceptron_output"] is None:
            settings["perceptron_output"] = "squared"
        self._coding = (None, None)

    def _learn_codes(self, public_y, codes):
        pass

    def _settings(self, settings):
        return settings

    def _encode(self, y, private, is_reference):
        if private:
            return np.ascontiguousarray(numbers(y))
        y = public_numbers(y, self)
        if is_reference and np.isnan(y).any():
            raise errors.make("DPA_E_NONFINITE", "Input y contains NaN.")
        return np.ascontiguousarray(y)

    def _set_coefficients(self, coefficients, intercept):
        self.coef_, self.intercept_ = coefficients[0], float(intercept[0])


@with_options
class AdaptedClassifier(ClassifierMixin, Adapted):
    """A predictor of classes for a private target, with the help of a public source. The public
    labels decide which classes there are; private rows of other labels count as unlabelled.

    By default the target is private, and a fit needs epsilon, delta and a source.
    private_domain="none" gives up privacy. The loss is logistic for two classes, else softmax.
    """

    def predict(self, X):
        """Classes."""
        rows = self._rows(X)
        found = self.solution_.apply("labels", rows).astype(int).tolist()
        place = {code: place for place, code in enumerate(self.solution_.codes.tolist())}
        return self.classes_[[place[code] for code in found]]

    def predict_proba(self, X):
        """Probabilities, a column for each of classes_."""
        rows = self._rows(X)
        return self.solution_.probabilities(rows)

    def decision_function(self, X):
        """Scores: of two classes above 0 for the second, of more a column for each."""
        rows = self._rows(X)
        return self.solution_.class_scores(rows)

    def _learn_labels(self, public_y, settings, private):
        if len(private) == 2:
            raise errors.UnsupportedError("with both samples private no public labels decide "
                                          "which classes there are")
        if public_y is None:
            raise errors.LabelError("the public rows need labels")
        labels = np.asarray(public_y)
        known = [spelling(value) is not None for value in labels.tolist()]
        labels = labels if all(known) else own_type(labels[known])
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        for word in MISSING:
            if word in self.classes_.tolist():
                raise errors.LabelError(f"the public label {word!r} reads as a missing value: "
                                        "write another word, or None if it is missing")
        count = len(self.classes_)
        if count < 2:
            raise errors.LabelError(f"AdaptedClassifier needs two classes, but the public labels "
                                    f"have {count} class")
        if len({spelling(value) for value in self.classes_.tolist()}) < count:
            raise errors.LabelError("some public labels differ in spelling only, such as 1 and "
                                    "1.0, or are one double, as whole numbers beyond 2^53 can be")
        word = settings["loss"] or ("logistic" if count == 2 else "softmax")
        if word not in ("logistic", "softmax", "perceptron"):
            raise errors.OptionError(f"loss = {word} takes numbers: use AdaptedRegressor")
        if word == "logistic" and count != 2:
            raise errors.LabelError(f"loss = logistic needs two classes, but there are {count}")
        binary = word == "logistic" or \
            word == "perceptron" and settings["perceptron_output"] == "logistic"
        settings["loss"] = word
        self._classes = None if binary else count
        self._coding = (self.classes_, np.array([-1, 1]) if binary else np.arange(count))

    def _learn_codes(self, public_y, codes):
        """What the schema calls each class: its own order may be another."""
        places = positions(np.asarray(public_y, object), self.classes_)
        first = [codes[np.flatnonzero(places == place)[0]] for place in range(len(self.classes_))]
        lost = self.classes_[~np.isfinite(first)].tolist()
        if lost:
            raise errors.LabelError(f"the columns' schema reads the public label {lost[0]!r} as a "
                                    "missing value: write another word, or None if it is missing")
        self._coding = (self.classes_, np.array(first).astype(int))

    def _settings(self, settings):
        return {**settings, "classes": self._classes}

    def _encode(self, y, private, _is_reference):
        places = positions(y, self.classes_)
        if not private:
            unknown = [value for value, place in zip(np.asarray(y).tolist(), places)
                       if place < 0 and spelling(value) is not None]
            if unknown:
                raise errors.LabelError(f"the public label {unknown[0]!r} is none of the classes "
                                        f"{self.classes_[:5].tolist()}")
        return np.where(places < 0, np.nan, self._coding[1][places].astype(float))

    def _set_coefficients(self, coefficients, intercept):
        codes = self.solution_.codes
        if len(coefficients) == 1:  # of the second class
            coefficients, intercept = coefficients * codes[1], intercept * codes[1]
        else:
            coefficients, intercept = coefficients[codes], intercept[codes]
        self.coef_, self.intercept_ = coefficients, intercept
