"""A privacy budget that outlives a fit, in a file that the command, C, R and Java use as well."""

import json
import os
from pathlib import Path

from . import _options, errors
from ._call import JSON, TEXT, Handle, filled, number, text
from ._library import INT


class Ledger:
    """One budget for several fits, evaluations and processes.

    With epsilon and delta a new ledger, in a new file or without a path in memory; without them
    that of the file, which must agree with what else is given. The price of a call is in the file
    before the call reads a private record. With lock=True no call that it pays for gives a result
    without protection; the default is False.

    >>> budget = Ledger(epsilon=2, delta=1e-6)
    >>> budget.report()["entries"]
    []
    """

    def __init__(self, path=None, *, epsilon=None, delta=None, lock=None, **settings):
        self.path = None if path is None else Path(path).absolute()
        _options.refuse_unknown(settings, "Ledger")
        if epsilon is None and delta is None:
            if path is None:
                raise errors.Error("a new ledger needs epsilon and delta, an old one its file")
            self.handle = Handle("ledger", "dpa_ledger_open", self.path)
            self._agree({"lock": lock, **settings})
            return
        made = _options.make({"epsilon": epsilon, "delta": delta, **settings})
        self.handle = Handle("ledger", "dpa_ledger_create", self.path, made, int(bool(lock)))

    def _agree(self, given):
        """An old ledger stays what it was made as, whatever is given."""
        report = self.report()
        known = {"lock": report["locks"], "private_domain": report["locked_private_domain"],
                 "neighbours": report["neighbours"], "unit": report["unit"]}
        for name, value in given.items():
            if value is None or value == known.get(name):
                continue
            if name == "private_domain" and value == "target" and not report["locks"]:
                continue  # the default, of a ledger without a lock
            if known.get(name) is None:
                raise errors.Error(f"{name} is for a new ledger, and an old one does not tell it: "
                                   "leave it out")
            raise errors.Error(f"{name} is for a new ledger: that of this file has {name} = "
                               f"{known[name]}")

    @classmethod
    def from_bytes(cls, data):
        """A ledger in memory from to_bytes(). Each copy can spend what is left."""
        ledger = cls.__new__(cls)
        ledger.path = None
        data = memoryview(data).tobytes()
        ledger.handle = Handle("ledger", "dpa_ledger_deserialize", data, len(data))
        return ledger

    def to_bytes(self):
        return filled("dpa_ledger_serialize", self.handle)

    def report(self):
        """Budget, spent, left, the last hash (`head`) and all entries."""
        return json.loads(text("dpa_ledger_report", self.handle, JSON))

    def contains(self, head):
        """Whether everything up to the entry with that hash is unchanged."""
        return bool(number("dpa_ledger_contains", self.handle, head, kind=INT))

    def __str__(self):
        return text("dpa_ledger_report", self.handle, TEXT)

    def __repr__(self):
        return f"Ledger({str(self.path)!r})" if self.path else "Ledger()"

    def __deepcopy__(self, _memo):
        return self  # clones of an estimator pay from the same budget

    def __reduce__(self):
        if self.path is None:
            raise TypeError("a ledger in memory pays only in the process that made it: processes "
                            "share a ledger with a file")
        return Ledger, (self.path,)


def opened(ledger):
    """A Ledger, or the path of one."""
    if isinstance(ledger, (str, os.PathLike)):
        return Ledger(ledger)
    if not isinstance(ledger, Ledger):
        raise errors.Error("ledger must be a Ledger or the path of one")
    return ledger
