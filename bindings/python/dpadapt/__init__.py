"""Domain adaptation under differential privacy: a predictor for a private target, with the help of
a public source. The page docs/python.md has examples."""

from . import accountant, errors
from ._library import LIBRARY
from ._options import baselines
from ._options import table as options
from ._repeated import PrivacyWarning
from .errors import BudgetError, Error
from .estimators import AdaptedClassifier, AdaptedRegressor
from .evaluation import calibrate, evaluate
from .ledger import Ledger
from .model import Model
from .plans import forecast, plan
from .schema import Schema
from .survival import survival_labels
from .votes import release_votes, shards

__version__ = LIBRARY.dpa_version().decode()
__all__ = ["AdaptedClassifier", "AdaptedRegressor", "BudgetError", "Error", "Ledger", "Model",
           "PrivacyWarning", "Schema", "accountant", "baselines", "build_info", "calibrate",
           "errors", "evaluate", "forecast", "options", "plan", "release_votes",
           "shards", "survival_labels"]


def build_info():
    """Facts of the library's build and of its BLAS."""
    import json

    return json.loads(LIBRARY.dpa_build_info())
