"""A second reader of privacy reports, written from docs/certificate.md alone.

    python3 certificate.py REPORT.json [LEDGER]

It has no code of dpadapt: prices are exact fractions, the curve is a numerical integral over the
privacy loss, the ledger's hashes by hashlib. The sentences and how members are written are in
certificate_words.py, the price of sampled releases in sampled_gaussian.py, both beside this file.
"""

import functools
import hashlib
import json
import math
import re
import sys
from fractions import Fraction

from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.special import log_ndtr

import sampled_gaussian
from certificate_words import Wrong, check_words, read_report, require, to_text

DELTAS = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2]
GROUPS = [2, 5, 10, 30]
SIZES = ["source_rows", "target_rows", "features"]
LOOSE = 1e-7  # how much the library may round up, and how exact the integral is
BLOCK = 4096


# The curve.

def gaussian_delta(epsilon, mu):
    """Of a Gaussian release, for any epsilon; without one the loss is 0."""
    if mu == 0:
        return max(0.0, -math.expm1(epsilon))
    above, below = log_ndtr(mu / 2 - epsilon / mu), log_ndtr(-mu / 2 - epsilon / mu)
    return math.exp(above) * -math.expm1(min(0.0, epsilon + below - above))


def delta(epsilon, mu, laplace, pure):
    """The mean of the Gaussian curve over the losses of the other releases."""
    if pure:
        heads = 1 / (1 + math.exp(-pure))
        return (heads * delta(epsilon - pure, mu, laplace, 0)
                + (1 - heads) * delta(epsilon + pure, mu, laplace, 0))
    if not laplace:
        return gaussian_delta(epsilon, mu)
    ends = (gaussian_delta(epsilon - laplace, mu)
            + math.exp(-laplace) * gaussian_delta(epsilon + laplace, mu)) / 2

    def between(loss):
        return math.exp((loss - laplace) / 2) / 4 * gaussian_delta(epsilon - loss, mu)

    kinks = [epsilon] if abs(epsilon) < laplace else None
    return ends + quad(between, -laplace, laplace, epsabs=0, epsrel=1e-11, limit=400,
                       points=kinks)[0]


@functools.cache
def epsilon(at, mu, laplace, pure):
    """None where it is beyond 600, or the releases beyond the accountant's range."""
    if max(mu / 50, (laplace + pure) / 300) > 1:
        return None

    def excess(value):
        return delta(value, mu, laplace, pure) - at

    if excess(0.0) <= 0:
        return 0.0
    most = laplace + pure + 1e-12 if mu == 0 else 600.0
    return brentq(excess, 0.0, most, xtol=1e-13, rtol=1e-13) if excess(most) <= 0 else None


def check_epsilon(found, at, price, records, where):
    """Just above the truth: the library rounds up."""
    mu, laplace, pure = numbers(price)
    at -= float(price[3])
    if at <= 0 or price[3] and records > 1:
        return require(found is None, f"{where}: {found}, but nothing is known")
    true = epsilon(at, records * mu, records * laplace, records * pure)
    if found is None or true is None:
        edge = found or true
        return require(edge is None or edge > 599, f"{where}: {found}, not {true}")
    require(abs(found - true) <= LOOSE * (1 + true), f"{where}: {found}, not {true}")


# Prices: (mu^2, epsilon of Laplace releases, epsilon of other pure ones, failure), exact.

def numbers(price):
    return math.sqrt(price[0]), float(price[1]), float(price[2])


def cost(member):
    for name, digits in member.items():
        if name.startswith("mu_square") or name.startswith("failure_units"):
            require(isinstance(digits, str) and re.fullmatch("[0-9]+", digits), name)
        elif "_units_" in name:
            require(isinstance(digits, int), name)
    return (Fraction(int(member["mu_square_units_of_2^-80"]), 2**80),
            Fraction(member["laplace_epsilon_units_of_2^-40"], 2**40),
            Fraction(member["pure_epsilon_units_of_2^-40"], 2**40),
            Fraction(int(member.get("failure_units_of_2^-120", "0")), 2**120))


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def within(a, b):
    return all(x <= y for x, y in zip(a, b))


def rounded_up(value, exact, where):
    require(exact <= Fraction(value) <= exact * (1 + Fraction(1, 2**49)), where)


def check_cost(member, price, where):
    require(cost(member) == price, f"{where}: its integers are not the sum")
    rounded_up(Fraction(member["mu"]) ** 2, price[0], f"{where}/mu")
    require(Fraction(member["laplace_epsilon"]) == price[1], f"{where}/laplace_epsilon")
    require(Fraction(member["pure_epsilon"]) == price[2], f"{where}/pure_epsilon")
    if price[3]:
        rounded_up(member["failure"], price[3], f"{where}/failure")
        return require(member["rho"] is None, f"{where}/rho")
    rounded_up(member["rho"], (price[0] + price[1] ** 2 + price[2] ** 2) / 2, f"{where}/rho")


def check_groups(list_, price, at, where):
    require([group["records"] for group in list_] == GROUPS, where)
    for group in list_:
        check_epsilon(group["epsilon"], at, price, group["records"], where)


def check_curve(list_, price, where):
    require([point["delta"] for point in list_] == DELTAS, where)
    for point in list_:
        check_epsilon(point["epsilon"], point["delta"], price, 1, where)


def release_price(release):
    step = Fraction(release["integer_sensitivity"], 2 ** release["bits"])
    gaussian = release["mechanism"] == "Gaussian"
    price = release["mu_of_a_step" if gaussian else "epsilon_of_a_step"]
    require(Fraction(price) == step, "price of a step")
    require(abs(release["noise_multiplier"] * step - 1) < 1e-15, "noise multiplier")
    if release["grid_unit"] is not None:
        scale = release["sigma" if gaussian else "scale"]
        require(math.isclose(release["sensitivity"] / scale, step, rel_tol=1e-15), "scale")
        exact = release["integer_sensitivity"] * release["grid_unit"]
        require(math.isclose(release["sensitivity"], exact, rel_tol=1e-15), "grid unit")
    if "sampling_rate_units_of_2^-32" in release:
        return sampled_price(release, step)
    part = ["Gaussian", "Laplace", "pure"].index(release["mechanism"])
    total = (step**2 if gaussian else step) * release["steps"]
    return tuple(total if k == part else Fraction(0) for k in range(4))


def sampled_price(release, step):
    """What was paid must cover what the other accountant finds, to its precision."""
    price = cost(release["cost"])
    rate = Fraction(release["sampling_rate_units_of_2^-32"], 2**32)
    require(math.isclose(release["sampling_rate"], rate, rel_tol=1e-15), "sampling rate")
    part = float(step) / (1 if release["relation"] == "zero_out" else 2)
    used = sampled_gaussian.excess(float(rate), part, release["steps"], release["relation"],
                                   math.sqrt(price[0]), float(price[3]))
    require(used <= 1.001 and price[1] == price[2] == 0, "a sampled release has paid too little")
    return price


def in_words(release):
    gaussian, steps = release["mechanism"] == "Gaussian", release["steps"]
    price = to_text(release["mu_of_a_step" if gaussian else "epsilon_of_a_step"])
    return (f"{release['purpose']} ({release['private_domains']}, {release['mechanism']}, {steps} "
            f"{'step,' if steps == 1 else 'steps, each'} "
            f"{'mu' if gaussian else 'epsilon'} = {price})")


def check_own_entries(report, total):
    """Of a shared ledger: each pays for some of the releases, in their order."""
    rest, paid, last = list(report["releases"]), (Fraction(0),) * 4, 0
    for entry in report["shared_ledger"]["own_entries"]:
        price = cost(entry["cost"])
        check_cost(entry["cost"], price, "own_entries")
        require(last < entry["sequence"] <= report["shared_ledger"]["entry_count"], "sequence")
        last, paid = entry["sequence"], add(paid, price)
        of_call = {sample: (Fraction(0),) * 4 for sample in ("source", "target")}
        words = []
        while rest and tuple(map(max, *of_call.values())) != price:
            release = rest.pop(0)
            words.append(in_words(release["release"]))
            require(all(entry[size] == release[size] for size in SIZES), "sizes of an entry")
            require(entry["seeded"] == (release["noise_source"] == "unsafe_seed"), "seeded")
            for sample in of_call:
                if release["release"]["private_domains"] in (sample, "both"):
                    of_call[sample] = add(of_call[sample], release_price(release["release"]))
        require(tuple(map(max, *of_call.values())) == price, "an entry has another price")
        told = "; ".join(words)
        if entry["releases"].startswith("BLAKE2b "):
            told = "BLAKE2b " + hashlib.blake2b(told.encode(), digest_size=32).hexdigest()
        require(entry["releases"] == told, f"own_entries/releases must be {told!r}")
    require(not rest, "a release is in no entry of the ledger")
    alone = len(report["shared_ledger"]["own_entries"]) == report["shared_ledger"]["entry_count"]
    require(total == paid if alone else within(paid, total), "shared_ledger/spent")
    if report["releases"]:
        require(report["shared_ledger"]["unit"] == report["unit"], "shared_ledger/unit")


def check_numbers(report):
    check_words(report)
    spent = {"source": (Fraction(0),) * 4, "target": (Fraction(0),) * 4}
    seeded = False
    for entry in report["releases"]:
        price = release_price(entry["release"])
        for sample in spent:
            if entry["release"]["private_domains"] in (sample, "both"):
                spent[sample] = add(spent[sample], price)
        seeded |= entry["noise_source"] == "unsafe_seed"
    most = tuple(map(max, *spent.values()))
    check_cost(report["spent"], most, "spent")
    for sample in report["samples"]:
        price = spent[sample["sample"]]
        check_cost(sample["spent"], price, "samples")
        if "epsilon" in sample:
            require(sample["delta"] == report["budget"]["delta"], "samples/delta")
            check_epsilon(sample["epsilon"], sample["delta"], price, 1, "samples")
            check_groups(sample["groups"], price, sample["delta"], "samples/groups")
    if report["shared_ledger"]:
        shared = report["shared_ledger"]
        total = cost(shared["spent"])
        check_cost(shared["spent"], total, "shared_ledger/spent")
        check_own_entries(report, total)
        seeded |= shared["seeded"]
        most = total
    require(report["seeded"] == seeded, "seeded")
    if report["budget"]:
        budget = report["budget"]
        cap = cost(budget["cap"])
        check_cost(budget["cap"], cap, "budget/cap")
        require(within(most, cap), "more than the budget was spent")
        check_groups(budget["groups"], cap, budget["delta"], "budget/groups")
        check_curve(budget["curve"], cap, "budget/curve")
        at_most = epsilon(budget["delta"] - float(cap[3]), *numbers(cap))
        require(at_most <= budget["epsilon"] * (1 + LOOSE), "the cap is more than epsilon, delta")
    promises = report["budget"] and report["releases"] and report["private_domains"] != "none"
    if promises and not seeded:
        check_attackers(report, cap)
    else:
        require(report["attackers"] is None, "attackers")
    if not (seeded and report["releases"]):
        check_curve(report["spent_curve"], tuple(map(max, *spent.values())), "spent_curve")


@functools.cache
def most_found(price, misled, records):
    """The least of two bounds over the curve."""
    if price[3] and records > 1:
        return 1.0
    parts = [records * part for part in numbers(price)]

    def first(at):
        return math.exp(at) * misled + delta(at, *parts) + float(price[3])

    def second(at):
        return 1 - math.exp(-at) * (1 - misled - delta(at, *parts) - float(price[3]))

    found = [minimize_scalar(bound, bounds=(0, 40), method="bounded", options={"xatol": 1e-10}).fun
             for bound in (first, second)]
    return min(1.0, max(misled, min(*found, first(0.0), second(0.0))))


def check_attackers(report, price):
    suspects = [1] if report["unit"] == "person" else [1, 2, 5, 10]
    places = [(records, misled) for records in suspects for misled in (0.01, 0.05, 0.1)]
    require([(one["records"], one["wrongly_suspected"]) for one in report["attackers"] or []]
            == places, "attackers: others are missing")
    for attacker in report["attackers"]:
        most = most_found(price, attacker["wrongly_suspected"], attacker["records"])
        require(abs(attacker["found"] - most) <= LOOSE * most, f"attackers: {most}")


# The ledger: blocks that end with the hash of the one before and of themselves.

def heads(data):
    require(data and len(data) % BLOCK == 0, "the ledger ends within a block")
    found, previous = [], bytes(32)
    for at in range(0, len(data), BLOCK):
        block = data[at:at + BLOCK]
        previous = hashlib.blake2b(previous + block[:-32], digest_size=32).digest()
        require(previous == block[-32:], "a block of the ledger does not follow")
        found.append(previous.hex())
    return found


def words(data, block):
    """The first numbers of a block, after its length and the name of its format."""
    at = block * BLOCK + 16
    return [int.from_bytes(data[k:k + 8], "little") for k in range(at, at + 64, 8)]


def entry_of(data, number):
    """Whether its noise was known, and its price."""
    found = words(data, number)
    require(found[0] == number, "an entry has another number")
    return found[2] != 0, (Fraction((found[3] << 64) + found[4], 2**80),
                           Fraction(found[5], 2**40), Fraction(found[6], 2**40), Fraction(0))


def check_ledger(report, data):
    shared = report["shared_ledger"]
    known = heads(data)
    require(shared["entry_count"] < len(known), "the ledger has fewer entries")
    require(known[shared["entry_count"]] == shared["head"], "the ledger has another hash there")
    unit, neighbours = words(data, 0)[:2]
    require(shared["unit"] == ["record", "person"][unit], "the ledger has another unit")
    require(shared["neighbours"] == ["replace", "zero_out"][neighbours],
            "the ledger has other neighbours")
    entries = [entry_of(data, k) for k in range(1, shared["entry_count"] + 1)]
    total = (Fraction(0),) * 4
    for _, price in entries:
        total = add(total, price)
    require(cost(shared["spent"]) == total, "the entries of the ledger have another sum")
    require(shared["seeded"] == any(seeded for seeded, _ in entries), "shared_ledger/seeded")
    for entry in shared["own_entries"]:
        found = entries[entry["sequence"] - 1]
        require(found == (entry["seeded"], cost(entry["cost"])), "an entry is another")


def main(path, ledger=None):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    report = read_report(text.removesuffix("\n"))
    check_numbers(report)
    if ledger:
        with open(ledger, "rb") as file:
            check_ledger(report, file.read())
    print(report["summary"])


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Wrong as wrong:
        sys.exit(f"wrong: {wrong}")
