"""What is measured: one cell is a split of two domains; its rows are appended to a file, so that a
run which was stopped goes on where it was."""

import csv
import os

import methods
import peers
import private_peers
from datasets import Missing

ROWS = (200, 500, 2000, 10000)
EPSILONS = (0.5, 1, 4)
FIELDS = ("data", "kind", "seen", "loss", "index", "private", "n", "epsilon", "method", "setting",
          "error", "note")
KEY = ("data", "index")


def _fits(loss, rows, with_peers, quick, seed):
    """(private, epsilon, method, setting, fit) of all that is compared for so many records."""
    for method, fit in methods.without_privacy(loss).items():
        yield "none", "", method, "", fit
    if with_peers and rows in ROWS[:3]:
        for method, setting, fit in peers.free(loss):
            yield "none", "", method, setting, fit
    for epsilon in EPSILONS[1:2] if quick else EPSILONS:
        for method, setting, fit in methods.private(loss, "target", epsilon, seed):
            yield "target", epsilon, method, setting, fit
        for method, setting, fit in private_peers.private(loss, epsilon) if with_peers else ():
            yield "target", epsilon, method, setting, fit
        for method, setting, fit in methods.private(loss, "source", epsilon, seed):
            yield "source", epsilon, method, setting, fit


def measure(domains, index, quick=False, with_peers=True, only=""):
    """Rows of one split, or of only one method; each private record of a sample is another row."""
    common = {"data": domains.name, "kind": domains.kind, "seen": int(domains.seen),
              "loss": domains.loss, "index": index}
    try:
        source, train, test = domains.draw(index)
    except Missing as missing:
        yield common | {"note": f"needs {missing}"}
        return
    most = min(500 if quick else ROWS[-1], len(train[1]))
    for rows in sorted({min(rows, most) for rows in ROWS}):
        sample = tuple(part[:rows] for part in train)
        for private, epsilon, method, setting, fit in _fits(domains.loss, rows, with_peers, quick,
                                                            index if quick else None):
            if only not in ("", method):
                continue
            row = common | {"private": private, "n": rows, "epsilon": epsilon, "method": method,
                            "setting": setting}
            try:
                with peers.quiet():
                    yield row | {"error": methods.error(domains.loss, fit(source, sample), test)}
            except ImportError as missing:
                yield row | {"note": f"needs {missing.name}"}
            except Exception as failure:  # of a rival: it must not end the run
                if method == methods.OURS:
                    raise
                yield row | {"note": f"{type(failure).__name__}: {failure}"[:120]}


def read(path):
    if not os.path.isfile(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def finished(path):
    """Keys of the cells that are in the file: a cell is written as a whole."""
    return {tuple(row[name] for name in KEY) for row in read(path)}


def _text(row):
    return row | ({"error": f"{float(row['error']):.6g}"} if row.get("error", "") != "" else {})


def append(path, rows):
    new = not os.path.isfile(path)
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerows(map(_text, rows))


def replace(path, key, rows, stays):
    """The rows of a cell, but for those whose method stays, become these."""
    seen = str(rows[0]["seen"])
    kept = [row if tuple(row[name] for name in KEY) != key else row | {"seen": seen}
            for row in read(path)
            if tuple(row[name] for name in KEY) != key or stays(row["method"])]
    with open(path + ".new", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(_text, [*kept, *rows]))
    os.replace(path + ".new", path)
