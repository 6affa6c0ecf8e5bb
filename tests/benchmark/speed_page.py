"""The page of the comparison of speeds: bars met and missed, all times, what limits the misses."""

HEAD = """# Speed beside others

Made by `cmake/benchmark.sh docs/results/benchmark --speed`; do not edit. One run, the same rows
for all; each case in a process of its own. Seconds are those of the processor, of one thread,
unless the note says otherwise; the minimum and the median of repeated calls after one that warms
up. What a rival does to prepare a problem (cvxpy's modelling) is not counted, in its favour.
"""


def _seconds(rows, method):
    return next((float(row["minimum"]) for row in rows
                 if row["method"] == method and row["minimum"]), None)


def _over(rows, above, below):
    above, below = _seconds(rows, above), _seconds(rows, below)
    return above / below if above and below else None


def _conic(rows):
    ours = _seconds(rows, "dpadapt")
    theirs = [float(row["minimum"]) for row in rows
              if row["method"] != "dpadapt" and row["minimum"]]
    return min(theirs) / ours if ours and theirs else None


def _value(rows):
    return next((float(row["value"]) for row in rows
                 if row["method"] == "dpadapt" and row["value"]), None)


# Part of a case's name, what is measured, how, at least or at most, why it is missed where it is.
BARS = (
    ("certified optimum", "best conic solver over ours", _conic, ">=", 1000,
     """Of the call at 1000 rows two fifths are Python's, a fifth is the minimization, and the
rest what a fit finds out about its rows besides: stray cells, findings, bounds of errors,
options that it does not read. At 100000 rows two thirds are the minimization: three
evaluations and three products of Newton's method, each a pass over the rows."""),
    ("private fit,", "ours over scikit-learn's ridge",
     lambda rows: _over(rows, "dpadapt", "Ridge of scikit-learn"), "<=", 2.0,
     """Ridge reads the rows once, by a product of matrices. Of a private fit of 10^6 + 10^6 x 20
half are steps, a fifth the second moments, a seventh the comparison of anchors, an eighth
the public sample, and the rest the lengths of losses. Each of these reads the private rows anew,
because what it clips by follows from the release before. A third of a pass brings rows into
coordinates of the metric; the rest scores, clips and rounds d + 1 numbers of a record to
the grid, with a certified norm, and sums integers. No part stands out."""),
    ("pass over the data", "a pass over one read, one thread",
     lambda rows: _over(rows, "one pass, 1 threads", "one read, 1 threads"), "<=", 1.15,
     """The rows come from memory once, block by block; the second use of a block finds it
in the nearest cache while the next one is on its way. What remains is arithmetic that
does not overlap: two products and sums a number, where reading has one sum."""),
    ("pass over the data", "a pass over one read, two threads",
     lambda rows: _over(rows, "one pass, 2 threads", "one read, 2 threads"), "<=", 1.2,
     "As with one thread."),
    ("2000 + 2000", "adapt over ours, the same problem",
     lambda rows: _over(rows, "KMM of adapt, the same problem", "dpadapt"), ">=", 100,
     """A third of the time are Cholesky factors of the points inside their bounds, a third
exponentials of the kernel, half of these of kappa; adapt's solver factorizes the dense
system of all rows with 4000 constraints, one a step of an interior point."""),
    ("16000 + 16000", "seconds of the clock to a certificate",
     lambda rows: _seconds(rows, "dpadapt"), "<=", 120,
     """Half of the time are the 2.6e8 exponentials of kappa."""),
    ("predictions", "ns a row", _value, "<=", 30, ""),
    ("memory", "peak over lent rows", _value, "<=", 1.1, ""))


def _table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def bars(by_case):
    """(case, sentence, value or None, bar, met or None, why) of every bar."""
    for word, sentence, measure, sense, bar, why in BARS:
        for case, rows in by_case.items():
            if word in case:
                value = measure(rows)
                met = None if value is None else value >= bar if sense == ">=" else value <= bar
                yield case, sentence, value, f"{sense} {bar}", met, why


def page(rows, quick):
    by_case = {}
    for row in rows:
        by_case.setdefault(row["case"], []).append(row)
    facts = [row["note"] for row in by_case.pop("machine", [])]
    found = list(bars(by_case))
    words = {None: "not measured", True: "met", False: "missed"}
    parts = [HEAD, *["In small: these numbers say nothing.\n"] * quick,
             *(f"- {fact}" for fact in facts), "\n## Bars\n",
             _table(("case", "", "measured", "bar", ""),
                    [(case, sentence, "" if value is None else f"{value:.3g}", bar, words[met])
                     for case, sentence, value, bar, met, _ in found])]
    missed = {why: case for case, _, _, _, met, why in reversed(found) if met is False and why}
    if missed:
        parts.append("## What limits the misses\n")
        parts += [f"- *{case}.* {why}" for why, case in reversed(missed.items())]
    parts.append("\n## All times\n")
    parts.append(_table(("case", "method", "minimum", "median", "value", ""),
                        [[row[name] for name in
                          ("case", "method", "minimum", "median", "value", "note")]
                         for of_case in by_case.values() for row in of_case]))
    return "\n".join(parts)
