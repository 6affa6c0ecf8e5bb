"""What the cells say: ratios, ranks, and paired tests with a correction for their number."""

from collections import defaultdict

import numpy as np
from scipy import stats

from methods import OURS

GROUP = ("data", "kind", "seen", "loss", "private", "n", "epsilon", "method")


def spreads(rows):
    """Standard errors over the splits of our means: {(data, private, n, epsilon): value}."""
    values = defaultdict(list)
    for row in rows:
        if row["error"] and row["method"] == OURS:
            cell = row["data"], row["private"], int(row["n"]), row["epsilon"]
            values[cell].append(float(row["error"]))
    return {cell: np.std(errors, ddof=1) / np.sqrt(len(errors))
            for cell, errors in values.items() if len(errors) > 1}


def means(rows):
    """Mean errors over the splits, of rivals in the best of their settings: {group: error}."""
    values = defaultdict(list)
    for row in rows:
        if row["error"]:
            values[tuple(row[name] for name in (*GROUP, "setting"))].append(float(row["error"]))
    best = {}
    for (*group, _), errors in values.items():
        group = tuple(group)
        best[group] = min(best.get(group, np.inf), np.mean(errors))
    return best


class Table:
    """Mean errors by cell (data, private, n, epsilon) and method."""

    def __init__(self, rows):
        self.cells = defaultdict(dict)
        self.spread = spreads(rows)
        self.seen, self.loss, self.kind = {}, {}, {}
        for group, error in means(rows).items():
            data, kind, seen, loss, private, n, epsilon, method = group
            self.cells[data, private, int(n), epsilon][method] = error
            self.seen[data], self.loss[data], self.kind[data] = seen == "1", loss, kind

    def of(self, private, seen=None):
        """(cell, errors) of one kind of privacy, of seen or unseen data."""
        return [(cell, errors) for cell, errors in sorted(self.cells.items())
                if cell[1] == private and (seen is None or self.seen[cell[0]] == seen)]

    def free(self, data, n):
        """Errors without privacy beside a private cell."""
        return self.cells[data, "none", n, ""]


def ranked(table, private, seen):
    """{(n class, epsilon): {method: mean rank}} among the methods that every cell has."""
    ranks = defaultdict(lambda: defaultdict(list))
    for (data, _, n, epsilon), errors in table.of(private, seen):
        loss = table.loss[data]
        methods = list(errors)
        for method, rank in zip(methods, stats.rankdata([errors[name] for name in methods])):
            ranks[loss, "n >= 500" if n >= 500 else "n < 500", epsilon][method].append(rank)
    return {group: {method: np.mean(values) for method, values in of_methods.items()}
            for group, of_methods in ranks.items()}


def ratios(table, private, seen, reference):
    """{cell: our error over that of the reference, a function (table, cell, errors)}."""
    return {cell: errors[OURS] / reference(table, cell, errors)
            for cell, errors in table.of(private, seen) if reference(table, cell, errors) > 0}


def source_only(table, cell, errors):
    return table.free(cell[0], cell[2])["source only"]


def better_source(table, cell, errors):
    free = table.free(cell[0], cell[2])
    return min(free["source only"], free["source ridge"])


def same_without_privacy(table, cell, errors):
    """Our fit of the same rows without privacy, or what is better there."""
    return table.free(cell[0], cell[2])[OURS]


def best_free(table, cell, errors):
    """The best of all methods without privacy, in hindsight."""
    return min(errors.values())


def better_domain(table, cell, errors):
    free = table.free(cell[0], cell[2])
    return min(free["source only"], free["source ridge"], free["target only"])


def paired(table, private, seen):
    """Wilcoxon tests of our error against each rival's over data sets, Holm's correction:
    [(loss, epsilon, rival, data sets, mean ratio, p)]."""
    logs = defaultdict(dict)
    for (data, _, n, epsilon), errors in table.of(private, seen):
        for method, error in errors.items():
            if method != OURS and min(error, errors[OURS]) > 0:
                key = table.loss[data], epsilon, method
                logs[key].setdefault(data, []).append(np.log(errors[OURS] / error))
    found = []
    for (loss, epsilon, method), by_data in sorted(logs.items()):
        differences = [np.mean(values) for values in by_data.values()]
        if len(differences) >= 5 and np.any(differences):
            found.append([loss, epsilon, method, len(differences), np.exp(np.mean(differences)),
                          stats.wilcoxon(differences).pvalue])
    worst = 0.0
    for count, row in zip(range(len(found), 0, -1), sorted(found, key=lambda row: row[-1])):
        worst = max(worst, min(1.0, count * row[-1]))
        row[-1] = worst
    return found
