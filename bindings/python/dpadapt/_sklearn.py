"""What differs between versions of scikit-learn."""

import inspect

from sklearn.utils.validation import check_array

from ._cells import unmasked
from ._tables import is_frame, is_pandas, names

try:
    from sklearn.utils.validation import _check_feature_names, _check_n_features
except ImportError:
    def _check_feature_names(estimator, X, *, reset):
        estimator._check_feature_names(X, reset=reset)

    def _check_n_features(estimator, X, *, reset):
        estimator._check_n_features(X, reset=reset)

FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters \
    else "force_all_finite"


def remember_columns(estimator, X, reset):
    """Sets or compares n_features_in_ and feature_names_in_."""
    if is_pandas(X) or not is_frame(X):
        _check_feature_names(estimator, X, reset=reset)
        _check_n_features(estimator, X, reset=reset)
        return
    found = names(X)  # which other frames scikit-learn knows differs between its versions
    if reset:
        estimator.feature_names_in_, estimator.n_features_in_ = found, len(found)
    elif found != list(estimator.feature_names_in_):
        raise ValueError("The feature names should match those that were passed during fit: "
                         f"{', '.join(estimator.feature_names_in_)}; but they are "
                         f"{', '.join(found)}")


def public_array(X, name, estimator):
    """Doubles, or scikit-learn's own message and what reads texts."""
    try:
        return check_array(unmasked(X), dtype=float, order="C", estimator=estimator,
                           input_name=name)
    except ValueError as failure:
        if "could not convert string" in str(failure):
            raise ValueError(f"{failure}; columns of texts are read from a data frame") from None
        raise


def public_numbers(y, estimator):
    """Labels that are numbers; NaN, which means no label, is the caller's matter."""
    return check_array(y, dtype=float, ensure_2d=False, estimator=estimator, input_name="y",
                       **{FINITE: "allow-nan"})
