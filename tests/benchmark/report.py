"""The page of the benchmark: verdicts, ranks, ratios, tests and pictures, from the cells alone."""

import os

import numpy as np

import one_setting
import ranks
import verdicts
from methods import OURS

INTRODUCTION = """# The benchmark

Made by `cmake/benchmark.sh`; do not edit. [What is compared](../../../tests/benchmark/README.md);
[speed](SPEED.md). `cmake/benchmark.sh docs/results/benchmark` writes every error to
`cells.csv`, some 31 000 rows, which the repository does not keep.
Errors are squared errors, or shares of wrong signs, on rows that no fit has seen; means over
{splits} splits of each of {data} pairs of domains. Every private record is another row, so epsilon
is that of a row. *adapted* is the library with its defaults; every rival has the best of its
settings in hindsight. *Seen* are data that somebody looked at when a default was chosen; nothing
was chosen on the others.
"""
CHECKS = (  # private, sentence, reference, which cells, limit
    ("target", "worst cell, over source only", ranks.source_only, lambda cell: True),
    ("target", "worst cell, over the better of two source fits", ranks.better_source,
     lambda cell: True),
    ("target", "n = 10000, epsilon = 1, over the same without privacy", ranks.same_without_privacy,
     lambda cell: cell[2] == 10000 and cell[3] == "1"),
    ("none", "over the better single domain", ranks.better_domain, lambda cell: True),
    ("none", "over the best of all methods in hindsight", ranks.best_free, lambda cell: True),
    ("source", "over the better single domain without privacy", ranks.better_domain,
     lambda cell: True),
)


def _table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def _bars(table):
    yield "## Bars, on unseen data\n"
    yield _table(("", "measured", "bar", ""),
                 [(what, measured, bar, "met" if met else "missed")
                  for what, measured, bar, met in verdicts.bars(table)])
    ratio, cells, near = verdicts.lead(table)
    yield (f"Over these {cells} cells our error is {ratio:.3f} of that of the best rival, in each "
           f"the best of its settings in hindsight (geometric mean); in {near} of them it is less, "
           "or more by at most 1 %. A rank of 1 in the mean would be a win in every cell, by "
           "whatever little.\n")


def _one_setting(rows, table):
    found = list(one_setting.comparisons(rows, table))
    if found:
        yield "\n## Rivals with one setting for all data, on unseen data\n"
        yield ("Nobody knows the best setting of a method beforehand. Here each has the one that "
               f"is best, in the mean, on the seen data; n >= {verdicts.LEAST_ROWS}.\n")
        our_ranks = list(one_setting.our_ranks(rows, table))
        yield (f"Among them our mean rank is {np.mean(our_ranks):.2f}; we win "
               f"{our_ranks.count(1)} of {len(our_ranks)} cells.\n")
        yield _table(("loss", "rival", "setting", "cells", "our error over its", "won"),
                     [(loss, method, setting, cells, f"{ratio:.3f}", won)
                      for loss, method, setting, cells, ratio, won in found])


def _lost(table):
    rows = [(data, n, epsilon, rival, f"{ratio:.3f}")
            for data, n, epsilon, rival, ratio in verdicts.lost(table)]
    if rows:
        yield "\n## Cells that a rival wins, on unseen data\n"
        yield _table(("data", "n", "epsilon", "rival", "our error over its"), rows)


def _verdicts(table):
    yield "## In one table\n"
    rows = []
    for private, sentence, reference, chosen in CHECKS:
        for seen, word in ((False, "unseen"), (True, "seen")):
            ratios = {cell: ratio
                      for cell, ratio in ranks.ratios(table, private, seen, reference).items()
                      if chosen(cell)}
            if not ratios:
                continue
            values = list(ratios.values())
            worst = max(ratios, key=ratios.get)
            where = f"{worst[0]}, n = {worst[2]}"
            if worst[3]:
                where += f", epsilon = {worst[3]}"
            rows.append((private, sentence, word, len(values),
                         f"{np.exp(np.mean(np.log(values))):.3f}",
                         f"{np.mean(np.array(values) > 1.02):.0%}", f"{max(values):.3f}", where))
    yield _table(("private", "our error", "data", "cells", "mean", "above 1.02", "worst", "where"),
                 rows)


def _ranks(table):
    yield "\n## Mean ranks among private methods, on unseen data\n"
    for (loss, size, epsilon), by_method in sorted(ranks.ranked(table, "target", False).items()):
        ordered = sorted(by_method.items(), key=lambda pair: pair[1])
        yield (f"- {loss}, {size}, epsilon = {epsilon}: " +
               ", ".join(f"{name} {rank:.2f}" for name, rank in ordered))
    yield "\n## Mean ranks without privacy, on unseen data\n"
    for (loss, size, _), by_method in sorted(ranks.ranked(table, "none", False).items()):
        ordered = sorted(by_method.items(), key=lambda pair: pair[1])
        yield f"- {loss}, {size}: " + ", ".join(f"{name} {rank:.2f}" for name, rank in ordered)


def _tests(table):
    yield "\n## Paired tests on unseen data\n"
    yield ("Wilcoxon's signed ranks of the mean logarithm of our error over the rival's, one value "
           "a pair of domains; p by Holm's correction over all rows of a table.\n")
    for private in ("target", "none"):
        yield _table(("loss", "epsilon", "rival", "data sets", "mean ratio", "p"),
                     [(loss, epsilon or "none", rival, count, f"{ratio:.3f}", f"{p:.2g}")
                      for loss, epsilon, rival, count, ratio, p in
                      ranks.paired(table, private, False)])


def _everything(table):
    yield "\n## Every cell with a private target\n"
    yield ("Over *target only* without privacy on the same rows; ± is the standard error of our "
           "mean over the splits, of which most is common to all methods.\n")
    rows = []
    for (data, _, n, epsilon), errors in table.of("target"):
        free = table.free(data, n)
        scale = free["target only"] or np.nan
        spread = table.spread.get((data, "target", n, epsilon))
        rival = min((method for method in errors if method != OURS), key=errors.get, default="")
        rows.append((data, "seen" if table.seen[data] else "unseen", n, epsilon,
                     f"{errors[OURS] / scale:.3f}"
                     + (f" ± {spread / scale:.3f}" if spread is not None else ""),
                     f"{free[OURS] / scale:.3f}",
                     f"{free['source only'] / scale:.3f}", f"{free['source ridge'] / scale:.3f}",
                     f"{errors[rival] / scale:.3f} ({rival})" if rival else ""))
    yield _table(("data", "", "n", "epsilon", "adapted", "without privacy", "source only",
                  "source ridge", "best rival"), rows)


def _notes(rows):
    notes = sorted({(row["data"] if row["note"].startswith("needs") and not row["method"]
                     else row["method"], row["note"]) for row in rows if row["note"]})
    if notes:
        yield "\n## Left out\n"
        yield from (f"- {what}: {note}" for what, note in notes)


def _picture(table, folder):
    """Our error against the better source fit, by the number of records: a line for two domains."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "dpadapt"
    epsilons = sorted({cell[3] for cell, _ in table.of("target")}, key=float)
    figure, axes = plt.subplots(1, len(epsilons), figsize=(4 * len(epsilons), 3.6), sharey=True,
                                squeeze=False)
    for axis, epsilon in zip(axes[0], epsilons):
        lines = {}
        for cell, ratio in ranks.ratios(table, "target", None, ranks.better_source).items():
            if cell[3] == epsilon:
                lines.setdefault(cell[0], []).append((cell[2], ratio))
        for data, points in lines.items():
            colour = "tab:gray" if table.seen[data] else "tab:blue"
            bars = [ratio * table.spread.get((data, "target", n, epsilon), 0.0)
                    / table.cells[data, "target", n, epsilon][OURS] for n, ratio in points]
            axis.errorbar(*zip(*points), yerr=bars, color=colour, alpha=0.7, marker=".",
                          linewidth=1, elinewidth=0.6)
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set(xscale="log", yscale="log", title=f"epsilon = {epsilon}", xlabel="private records")
    axes[0][0].set_ylabel("error over the better source fit")
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "benchmark.svg"), metadata={"Date": None})
    plt.close(figure)


def write(folder, rows):
    table = ranks.Table(rows)
    splits = {row["index"] for row in rows}
    parts = [INTRODUCTION.format(splits=len(splits), data=len(table.seen)), *_bars(table),
             *_verdicts(table),
             "\n![error over the better source fit](benchmark.svg)\n",
             "Blue: unseen, grey: seen. Below 1 is better than the source.\n",
             *_one_setting(rows, table), *_lost(table), *_ranks(table), *_tests(table),
             *_everything(table), *_notes(rows)]
    _picture(table, folder)
    with open(os.path.join(folder, "README.md"), "w") as file:
        file.write("\n".join(parts) + "\n")
