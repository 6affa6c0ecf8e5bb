"""The page of results: everything on it comes from the CSV files and the definitions of the experiments."""

import os
import re
from dataclasses import dataclass, field

import numpy as np

import copies
import plots
import tables

HEAD = """# Results

Made by `tests/experiments/run.py` from the CSV files beside it; [the experiments](../../tests/experiments/README.md) has the
command and what was tuned on which data. Columns "paper" are figures printed in Bassily, Cortes, Mao and Mohri,
*Differentially Private Domain Adaptation with Theoretical Guarantees*; all others were computed by this library on
the same splits.

In the private experiments the target is private and nothing else is set. n counts private records. In `sentiment`, `unseen` and `networks`, in
`private_distinct`, the same part of `private_trust`, and where `private_harm` has as many records as distinct rows, each record is another row, and epsilon is that of
the row. Everywhere else records are drawn with replacement from the distinct training rows, as in the paper, so that the error
converges to that of the rows at hand. **There epsilon is that of one record:** a row that is drawn k times is protected at k times
the privacy loss, not at the epsilon that stands there, but at that of this table (delta = 0.001; of a row with as many copies as the
mean):

""" + copies.table()
DEVIATION = "Mean ± standard deviation of the splits."
ERROR = "Mean ± standard error of the splits."


@dataclass(frozen=True)
class Table:
    """Rows are named by `keys`, columns by the key `across`; `where` says which measured rows are in it. `digits` are
    those after the point of numbers below 10; larger ones have fewer."""
    caption: str
    keys: tuple
    across: str
    where: dict = field(default_factory=dict)
    paper: dict = field(default_factory=dict)
    spread: str = DEVIATION
    digits: int = 3

    def number(self, mean, deviation, splits=1):
        if not np.isfinite(mean):
            return ""
        if self.spread == ERROR:
            deviation /= np.sqrt(max(splits, 1))
        digits = max(self.digits - int(np.log10(max(abs(mean), 1))), 0)
        text = f"{mean:.{digits}f}"
        return text + (f" ± {deviation:.{digits}f}" if np.isfinite(deviation) else "")

    def _columns(self, rows):
        """Names of columns, each with whether it is the paper's."""
        printed = {column for row in self.paper.values() for column in row}
        for column in dict.fromkeys(row[self.across] for row in rows):
            yield column, False
            if column in printed:
                yield column, True

    def lines(self, rows):
        rows = [row for row in tables.select(rows, **self.where)
                if row["splits"] and self.across in row and all(key in row for key in self.keys)]
        if not rows:
            return []
        columns = list(self._columns(rows))
        names = [f"{column}, paper" if printed else column for column, printed in columns]
        lines = [f"{self.caption}. {self.spread}".rstrip(), "",
                 "| " + " | ".join([*self.keys, *names]) + " |", "|" + "---|" * (len(self.keys) + len(names))]
        for key in dict.fromkeys(tuple(row[name] for name in self.keys) for row in rows):
            here = {row[self.across]: row for row in rows
                    if tuple(row[name] for name in self.keys) == key}
            cells = [self._cell(here.get(column), self.paper.get(key[0], {}).get(column), printed)
                     for column, printed in columns]
            lines.append("| " + " | ".join([*key, *cells]) + " |")
        return [*lines, ""]

    def _cell(self, row, figures, printed):
        if printed:
            return self.number(*figures) if figures else ""
        if not row:
            return ""
        text = self.number(row["mean"], row["deviation"], row["splits"])
        return f"{text} ({row['note']})" if row["note"] else text


def _notes(rows):
    """What is missing, each reason once with what it concerns."""
    concerned = {}
    for row in rows:
        if row["note"] and not row["splits"]:
            concerned.setdefault(row["note"], {})[_named(row)] = None
    return [f"Left out: {', '.join(where)} ({note})." for note, where in concerned.items()]


def _named(row):
    return " ".join(row[name] for name in ("data", "method") if name in row)


def _section(folder, experiment):
    rows = tables.read(folder, experiment.name)
    lines = [f"## {experiment.name}", "", f"*{experiment.question}*", "", experiment.protocol, ""]
    if not rows:
        return [*lines, "Not run here.", ""]
    splits = sorted({row["splits"] for row in rows if row["splits"]})
    lines += [f"Values in a mean: {', '.join(map(str, splits)) or 'none'}.", ""]
    for table in experiment.tables:
        lines += table.lines(rows)
    lines += ["- " + text for finding in experiment.findings for text in finding(rows)]
    lines += ["- " + note for note in _notes(rows)]
    lines += ["", experiment.explanation] if experiment.explanation else []
    lines += [""]
    if experiment.plot and splits:
        plots.save(experiment.plot, rows, experiment.tables[0].paper,
                   os.path.join(folder, experiment.name + ".svg"))
        lines += [f"![{experiment.question}]({experiment.name}.svg)", ""]
    return lines


def write(folder, experiments):
    os.makedirs(folder, exist_ok=True)
    lines = [HEAD, *(line for experiment in experiments for line in _section(folder, experiment))]
    with open(os.path.join(folder, "README.md"), "w") as file:
        file.write(re.sub("\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n")
