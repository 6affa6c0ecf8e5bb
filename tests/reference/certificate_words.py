"""The members of a privacy report, its sentences, and how it is written: docs/certificate.md again,
without code of dpadapt."""

import base64
import json
import math
import re
import struct
from decimal import Decimal

SCHEMA = "dpadapt-privacy-report-3"


class Wrong(Exception):
    """A report or ledger that contradicts itself."""


def require(holds, what):
    if not holds:
        raise Wrong(what)


# How it is written: no blanks, each number as short as it can be.

def to_text(value):
    if isinstance(value, int):
        return str(value)
    _, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    exponent += len(digits) - 1
    digits = "".join(map(str, digits))
    scientific = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{exponent:+03d}"
    fixed = format(Decimal(repr(value)).normalize(), "f").lstrip("-")
    return ("-" if value < 0 else "") + (fixed if len(fixed) <= len(scientific) else scientific)


def quoted(text):
    escaped = ("\\" + c if c in '"\\' else f"\\u{ord(c):04x}" if c < " " else c for c in text)
    return '"' + "".join(escaped) + '"'


def written(value):
    if isinstance(value, dict):
        return "{" + ",".join(quoted(k) + ":" + written(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    return json.dumps(value) if value is None or isinstance(value, bool) else to_text(value)


def once(pairs):
    names = [name for name, _ in pairs]
    require(len(set(names)) == len(names), f"a name is there twice: {names}")
    return dict(pairs)


def read_report(text):
    try:
        report = json.loads(text, object_pairs_hook=once)
    except ValueError as error:
        raise Wrong(f"no JSON: {error}") from error
    provenance = report.pop("provenance", None) if isinstance(report, dict) else None
    again = written(report)
    if provenance is not None:
        again = again[:-1] + ',"provenance":' + json.dumps(provenance, ensure_ascii=False,
                                                           separators=(",", ":")) + "}"
        require(list(provenance) == PROVENANCE, "members of the provenance")
    require(again == text, "written otherwise than reports are")
    return report


def check_statement(report):
    """What dpadapt computes the report from: undamaged, of that budget and as many releases."""
    bytes_ = base64.b64decode(report["statement"], validate=True)
    total = 0xcbf29ce484222325  # FNV-1a
    for byte in bytes_[:-8]:
        total = (total ^ byte) * 0x100000001b3 % 2**64
    require(base64.b64encode(bytes_).decode() == report["statement"], "statement")
    require(bytes_[:8] == b"dpa-stm1" and bytes_[-8:] == struct.pack("<Q", total), "statement")
    budget = report["budget"]
    require(struct.unpack_from("<Q", bytes_, 8)[0] == (budget is not None), "statement")
    if budget:
        require(struct.unpack_from("<dd", bytes_, 24) == (budget["epsilon"], budget["delta"]),
                "statement: the budget")


# Members.

PROVENANCE = ["date", "command", "options", "columns_by", "data", "label", "columns",
              "model_sha256"]
SIZES = ["source_rows", "target_rows", "features"]
COST = ["mu", "laplace_epsilon", "pure_epsilon", "rho", "mu_square_units_of_2^-80",
        "laplace_epsilon_units_of_2^-40", "pure_epsilon_units_of_2^-40"]
FAILED = ["failure", "failure_units_of_2^-120"]
REPORT = ["summary", "plain_words", "schema", "private", "taken_without_protection", "seeded",
          "inspected", "unprotected_results", "unit", "relation", "neighbours", "private_domains",
          *SIZES, "budget", "spent_is", "spent", "samples", "spent_curve", "shared_ledger",
          "attackers", "releases", "call", "numerics", "accountant", "not_covered", "version",
          "statement"]
BUDGET = ["epsilon", "delta", "relation", "cap", "groups", "curve"]
SHARED = ["id", "created", "unit", "neighbours", "locks", "entry_count", "head", "seeded", "spent",
          "own_entries"]
ENTRY = ["sequence", "time", "seeded", "cost", *SIZES, "releases", "options"]
CALL = ["sequence", "noise_source", *SIZES, "release"]
SAMPLED = ["sampling_rate", "sampling_rate_units_of_2^-32", "cost"]


def check_names(member, names, what):
    require(isinstance(member, dict) and list(member) == names, f"{what} has other members")


def check_cost_names(member, what):
    failed = FAILED if isinstance(member, dict) and FAILED[0] in member else []
    check_names(member, COST + failed, what)


def release_names(release):
    gaussian = release["mechanism"] == "Gaussian"
    return (["mechanism", "relation", "purpose", "private_domains", "steps", "sensitivity",
             "integer_sensitivity", "grid_unit", "bits", "sigma" if gaussian else "scale",
             "noise_multiplier", "mu_of_a_step" if gaussian else "epsilon_of_a_step"]
            + (SAMPLED if "sampling_rate" in release else []))


def check_members(report):
    check_names(report, REPORT, "the report")
    check_cost_names(report["spent"], "spent")
    points = report["spent_curve"] or []
    groups = []
    promised = report["budget"] and report["releases"]
    for sample in report["samples"]:
        check_names(sample, ["sample", "spent"] + (["epsilon", "delta", "groups"] if promised
                                                   else []), "a sample")
        check_cost_names(sample["spent"], "a sample")
        groups += sample.get("groups", [])
    if report["budget"]:
        check_names(report["budget"], BUDGET, "the budget")
        check_cost_names(report["budget"]["cap"], "the cap")
        points, groups = points + report["budget"]["curve"], groups + report["budget"]["groups"]
    for point in points:
        check_names(point, ["delta", "epsilon"], "a curve")
    for group in groups:
        check_names(group, ["records", "epsilon"], "a group")
    for attacker in report["attackers"] or []:
        check_names(attacker, ["records", "wrongly_suspected", "found"], "an attacker")
    for place, entry in enumerate(report["releases"]):
        check_names(entry, CALL, "an entry of releases")
        check_names(entry["release"], release_names(entry["release"]), "a release")
        require(entry["sequence"] == place, "sequence")
    if report["shared_ledger"] is not None:
        check_names(report["shared_ledger"], SHARED, "shared_ledger")
        check_cost_names(report["shared_ledger"]["spent"], "shared_ledger")
        for entry in report["shared_ledger"]["own_entries"]:
            check_names(entry, ENTRY, "own_entries")
            check_cost_names(entry["cost"], "own_entries")


# Sentences.

SPENT_IS = ("what was spent up to now: a guarantee for calls that were fixed in advance; of calls "
            "that were chosen by looking at earlier results the budget alone is one")
NUMERICS = ("exact integers with certified sensitivity; Gaussian and Laplace noise by exact "
            "sampling and post-processing; the coins of a selection have their exact probabilities")
ACCOUNTANT = ("closed form of one Laplace release composed with Gaussian ones, rounded up; other "
              "pure releases as one randomized response")
NOT_COVERED = [
    "time, power, cache and other side channels, including the time of single noise draws",
    "disclosure of memory, core dumps, swap or logs of the host, and of partial sums",
    "choice of options, bounds, features or data cleaning by looking at private data",
    "other releases about the same people: other problem objects, copies of this one by fork, "
    "results without protection, inspection of private records, validation scores, predictions on "
    "private rows",
    None,
    "one bit: a private discrepancy fails if no level of precision certifies it"]
SEVERAL = {
    "record": "records of the public sample; a person with k private records is protected only at "
              "(k mu, k epsilon)",
    "person": "records of the public sample; a person under k identifiers is protected only at (k "
              "mu, k epsilon)"}
NEIGHBOURS = {
    ("record", "replace"): "one private record replaced; sizes are public",
    ("record", "zero_out"): "one private record taken out, so that it adds nothing to any sum; "
                            "sizes are public and stay",
    ("person", "replace"): "all records of one person replaced, by any number of others; the "
                           "number of persons, told as target_rows, is public",
    ("person", "zero_out"): "all records of one person taken out, so that they add nothing to any "
                            "sum; the number of persons, told as target_rows, is public and stays"}


PURPOSES = [
    "discrepancy",
    "mean losses of public predictors, and, unless it is told, how many records have a label",
    "second moments",
    "gradient of the predictor",
    "gradient of the predictor in an epoch: a sum of each of its disjoint batches",
    "gradient of the predictor in a batch, into which each record is drawn by itself",
    "gradient of the source weights",
    "gradient of the target weights",
    "selection of a candidate by permute-and-flip",
    "histograms of the sizes of errors",
    "errors of solutions",
    "curvature and squares of the gradients, for intervals",
    "sum of the records' weights, each over its bound",
    "second moments, for columns that the source lacks",
    "numbers of records by the size of their error, for prediction intervals"]
NOISE = ["ChaCha20 keyed by the operating system", "unsafe_seed"]


def change(report):
    samples = report["private_domains"]
    of = f" of the {'source or target' if samples == 'both' else samples} sample"
    if report["unit"] == "person":
        what, verb = "all records of any one person", "are"
    else:
        what, verb = "any one record", "is"
    if report["relation"] == "zero_out":
        return (f"whether {what}{of} {verb} there or taken out, adding nothing to any sum "
                "(neighbours = zero_out)")
    what = what if report["unit"] == "person" else "the content of " + what
    return f"whatever {what}{of} {verb} replaced with"


def shared_in_words(report):
    shared = report["shared_ledger"]
    if not shared:
        return ""
    text = (" Others share this budget: it covers what all of them release. Its ledger is about "
            f"{shared['unit']}s (neighbours = {shared['neighbours']}) and ")
    if shared["locks"]:
        return text + ("locks its problems: they give no result without protection "
                       f"(private_domain = {report['private_domains']}).")
    return text + "does not lock its problems: they may give results without protection."


def promise(report):
    epsilon, delta = (to_text(report["budget"][name]) for name in ("epsilon", "delta"))
    return (f"{change(report)}, the probability of all that this problem releases within its "
            f"budget, taken together, changes by at most a factor e^{epsilon} and {delta} more: "
            f"(epsilon, delta)-differential privacy with epsilon = {epsilon}, delta = {delta}, "
            "even against somebody who knows everything else." + shared_in_words(report))


def summary(report):
    taken = report["taken_without_protection"]
    if not report["releases"]:
        if report["summary"].startswith("NOT PRIVATE") and report["private_domains"] == "none":
            return ("NOT PRIVATE: private_domain is none, so nothing protects the records of "
                    "either sample.")
        return ("NOTHING RELEASED: no private record has been read for a private result."
                + (f" But {taken}." if taken else ""))
    if report["seeded"]:
        return ("NOT PRIVATE: the noise of a release came from unsafe_seed. Whoever knows or "
                "guesses the seed can subtract it, so epsilon is infinite.")
    if not taken:
        return "PRIVATE: " + promise(report)
    return (f"NOT PRIVATE AS A WHOLE: {taken}, so the promise does not cover all that was taken "
            "from the problem, nor options that were chosen by it. It covers the releases below: "
            + promise(report))


def taken(report):
    found = report["taken_without_protection"] or ""
    parts = [(report["unprotected_results"],
              "results were also computed with private_domain = none"),
             (report["inspected"], "the custodian has also inspected private records"),
             (not report["seeded"] and "unsafe_seed" in found,
              "the noise of another release came from unsafe_seed")]
    return "; ".join(words for there, words in parts if there) or None


def of_hundred(report, records):
    found = [one["found"] for one in report["attackers"]
             if (one["records"], one["wrongly_suspected"]) == (records, 0.05)]
    require(len(found) == 1, "attackers: others are missing")
    return to_text(math.ceil(1000 * found[0]) / 10)


def plain_words(report):
    if report["attackers"] is None:
        return []
    unit, samples = report["unit"], report["private_domains"]
    of = "source or of the target" if samples == "both" else samples
    words = []
    if report["taken_without_protection"]:
        words.append("What follows is about the releases below alone.")
    words.append(f"What is protected is a person of the {of}: all rows under one identifier "
                 "together." if unit == "person"
                 else f"What is protected is a record: one row of the {of}.")
    words.append(f"Somebody who knows all other {unit}s, and suspects what a {unit} holds, can "
                 "test it by what is released. If the test misleads them for 5 of 100 "
                 f"{unit}s that hold something else, it finds at most {of_hundred(report, 1)} of "
                 "100 that hold it; a guess without what is released finds 5.")
    if unit == "record":
        found = [of_hundred(report, records) for records in (2, 5, 10)]
        words.append("Where a person has several records, all of them count: of 2, 5 or 10 records "
                     f"together the same attacker finds at most {found[0]}, {found[1]} and "
                     f"{found[2]} of 100.")
    n = max(sum(entry[f"{sample}_rows"] for sample in ("source", "target")
                if samples in (sample, "both")) for entry in report["releases"])
    delta = report["budget"]["delta"]
    if n and delta < 1 / n:
        words.append(f"delta = {to_text(delta)} is below 1/n = 1/{n}, as it should be.")
    elif n:
        words.append(f"delta = {to_text(delta)} is NOT below 1/n = 1/{n}: the promise would allow "
                     f"to publish some {unit} as it is.")
    return words


def check_words(report):
    """Names and sentences, and what follows without arithmetic."""
    require(report.get("schema") == SCHEMA, "schema")
    try:
        check_members(report)
        relation, entries = report["relation"], report["releases"]
        require((report["unit"], relation) in NEIGHBOURS, "unit or relation")
        for size in SIZES:
            if entries:
                told = {entry[size] for entry in entries}
                require(report[size] == (told.pop() if len(told) == 1 else None), size)
        require(all(entry["release"]["relation"] == relation for entry in entries),
                "a release is about another relation")
        if report["budget"]:
            require(report["budget"]["relation"] == relation, "budget/relation")
        if report["shared_ledger"]:
            require(report["shared_ledger"]["neighbours"] == relation, "shared_ledger/neighbours")
        samples = {"none": [], "both": ["source", "target"]}.get(report["private_domains"],
                                                                 [report["private_domains"]])
        require([sample["sample"] for sample in report["samples"]] == samples, "samples")
        for entry in entries:
            release = entry["release"]
            require(release["purpose"] in PURPOSES and entry["noise_source"] in NOISE
                    and release["private_domains"] in (report["private_domains"], *samples),
                    "words of a release")
        require(isinstance(report["call"], dict), "call")
        require(re.fullmatch(r"\d+\.\d+\.\d+", report["version"]), "version")
        check_statement(report)
        whole = bool(entries) and not report["seeded"] and not report["taken_without_protection"]
        not_covered = [words or SEVERAL[report["unit"]] for words in NOT_COVERED]
        for name, words in (("spent_is", SPENT_IS), ("numerics", NUMERICS),
                            ("accountant", ACCOUNTANT), ("not_covered", not_covered),
                            ("neighbours", NEIGHBOURS[report["unit"], relation]),
                            ("private", whole), ("taken_without_protection", taken(report)),
                            ("summary", summary(report)), ("plain_words", plain_words(report))):
            same = type(report[name]) is type(words) and report[name] == words
            require(same, f"{name} must be {words!r}")
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise Wrong(f"a member is missing or of another kind: {error!r}") from error
