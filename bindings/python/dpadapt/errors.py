"""Errors of the library, which are ValueErrors: `status` is the code's name, such as
"DPA_E_BUDGET"."""


class Error(ValueError):
    """What the library refused or could not do."""

    status = "DPA_E_INVALID_ARGUMENT"


class OptionError(Error):
    """An option that is unknown, out of its bounds, of another type, or against another one."""

    status = "DPA_E_OPTION"


class LabelError(Error):
    """A public label without a meaning, or none where one is needed."""

    status = "DPA_E_LABEL"


class StateError(Error):
    """A call that comes too early, or that a lock or a running call forbids."""

    status = "DPA_E_STATE"


class FormatError(Error):
    """Bytes that are no model or ledger, or are damaged."""

    status = "DPA_E_FORMAT"


class StoreError(Error, OSError):
    """A file of a ledger or a model that cannot be read or written."""

    status = "DPA_E_STORE"


class CancelledError(Error):
    """A call that was stopped."""

    status = "DPA_E_CANCELLED"


class UnsupportedError(Error):
    """What this version or this kind of fit cannot do."""

    status = "DPA_E_UNSUPPORTED"


class NotReleasableError(Error):
    """A value that was computed from private rows and not released."""

    status = "DPA_E_NOT_RELEASABLE"


class BudgetError(Error):
    """The privacy budget does not cover the call. Nothing was read and nothing paid."""

    status = "DPA_E_BUDGET"


class NoMemoryError(Error, MemoryError):
    """Memory is exhausted."""

    status = "DPA_E_NO_MEMORY"


CLASSES = {
    "DPA_E_OPTION": OptionError, "DPA_E_OPTION_NAME": OptionError,
    "DPA_E_OPTION_TYPE": OptionError, "DPA_E_LABEL": LabelError, "DPA_E_STATE": StateError,
    "DPA_E_FORMAT": FormatError, "DPA_E_STORE": StoreError, "DPA_E_CANCELLED": CancelledError,
    "DPA_E_UNSUPPORTED": UnsupportedError, "DPA_E_NOT_RELEASABLE": NotReleasableError,
    "DPA_E_BUDGET": BudgetError, "DPA_E_NO_MEMORY": NoMemoryError,
}


def make(status, message):
    """The error of a status by its name."""
    error = CLASSES.get(status, Error)(message)
    error.status = status
    return error
