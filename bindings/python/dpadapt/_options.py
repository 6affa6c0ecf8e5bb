"""Options by name, checked against the library's own table."""

import textwrap
from dataclasses import dataclass
from numbers import Number

import numpy as np

from . import errors
from ._call import Handle, call, text, texts_until_none


@dataclass(frozen=True)
class Option:
    """A row of the table: `tier` is basic, advanced or research."""

    name: str
    tier: str
    type: str
    default: str
    values: str
    readers: str
    meaning: str


def _read():
    columns = {what: texts_until_none("dpa_option_text", what.encode())
               for what in Option.__dataclass_fields__}
    return {row[0]: Option(*row) for row in zip(*columns.values())}


TABLE = _read()


def table():
    """All options of the library, by name."""
    return dict(TABLE)


def baselines():
    """Methods to compare with, by name, with their meaning."""
    return dict(zip(texts_until_none("dpa_baseline_text", b"name"),
                    texts_until_none("dpa_baseline_text", b"meaning")))


def make(settings):
    """A handle of options with these values by name; None leaves an option at its default."""
    handle = Handle("options", "dpa_options_create")
    for name, value in settings.items():
        if value is not None:
            _set(handle, name, value)
    return handle


def read(handle, name):
    """An option as the text that the library reads back."""
    return text("dpa_options_get", handle, name)


def _set(handle, name, value):
    try:
        _set_text_or_number(handle, name, value)
    except (TypeError, OverflowError):
        raise errors.make("DPA_E_OPTION_TYPE",
                          f"option {name} cannot be a {type(value).__name__}") from None


def _set_text_or_number(handle, name, value):
    vector = name in TABLE and TABLE[name].type == "vector"
    if isinstance(value, (bool, np.bool_)):
        call("dpa_options_parse", handle, name, str(bool(value)).lower())
    elif isinstance(value, str):
        call("dpa_options_parse", handle, name, value)
    elif isinstance(value, Number) and not isinstance(value, complex) and not vector:
        call("dpa_options_set", handle, name, float(value))
    elif vector and np.ndim(value) < 2:
        numbers = ",".join(repr(float(part)) for part in np.atleast_1d(value))
        call("dpa_options_parse", handle, name, numbers)
    else:
        raise TypeError


def choice(name, value, words):
    """One of these words, else an error that lists them."""
    if not isinstance(value, str) or value not in words:
        raise errors.OptionError(f"{name} must be one of {', '.join(words)}, not {value!r}")
    return value


def refuse_unknown(names, what):
    """A TypeError for a keyword that is no option, with the nearest one."""
    import difflib

    for name in names:
        if name not in TABLE:
            near = difflib.get_close_matches(name, TABLE, 1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise TypeError(f'{what}: there is no option "{name}"{hint}')


def refuse_unread(settings, calls, private):
    """An error for an option that such calls do not read; fits say so in their findings."""
    kind = "private" if private else "public"
    words = {"every call", calls, f"{kind} calls", f"{kind} {calls}"}
    for name, value in settings.items():
        readers = TABLE[name].readers
        if value is not None and words.isdisjoint(readers.split(", ")):
            raise errors.OptionError(f"the option {name} is for {readers}, not for {kind} {calls}")


def documentation(left_out=()):
    """The table as numpydoc's list of parameters."""
    lines = []
    for option in TABLE.values():
        if option.name in left_out:
            continue
        lines.append(f"{option.name} : {option.type} of {option.values}, default {option.default}")
        note = "" if option.tier == "basic" else f" ({option.tier})"
        lines += textwrap.wrap(option.meaning + note, 92, initial_indent="    ",
                               subsequent_indent="    ")
    return "\n".join(lines)
