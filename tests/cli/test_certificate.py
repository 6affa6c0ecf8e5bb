"""Signed reports, and dpadapt verify: what is true passes, what was changed is found."""

import copy
import json
import math
import os
import stat
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PRIVATE, CliCase, budget

# What follows from nothing else in a report: who wants it safe signs.
FREE = {"dimension", "tau", "grid_unit", "sensitivity", "sigma", "scale", "time", "created", "head",
        "id", "options", "releases", "call", "accountant", "numerics", "not_covered", "version",
        "neighbours", "spent_is", "purpose", "summary", "source_rows", "target_rows", "features",
        "noise_source", "taken_without_protection", "delta", "epsilon",
        "entry_count"}  # which the ledger knows
# Under these names epsilon and delta are of the report's own making.
OF_RELEASES = {"spent", "budget", "samples", "spent_curve", "releases", "shared_ledger", "private",
               "seeded", "schema", "inspected", "unprotected_results", "private_domains",
               "attackers"}


def numbers_of(node, path=()):
    """The places of all numbers and truth values."""
    if isinstance(node, dict):
        for name, child in node.items():
            yield from numbers_of(child, path + (name,))
    elif isinstance(node, list):
        for k, child in enumerate(node):
            yield from numbers_of(child, path + (k,))
    elif isinstance(node, (int, float, bool)) or path[-1] == "mu_square_units_of_2^-80":
        yield path


def changed(report, path):
    """The report with another value there."""
    result = copy.deepcopy(report)
    node = result
    for name in path[:-1]:
        node = node[name]
    value = node[path[-1]]
    if isinstance(value, bool):
        node[path[-1]] = not value
    elif isinstance(value, str):
        node[path[-1]] = str(int(value) * 1001 // 1000 + 1000)
    else:
        node[path[-1]] = value + 1 if isinstance(value, int) else value * 1.001 + 1e-9
    return result


class Certificate(CliCase):
    def setUp(self):
        super().setUp()
        self.key = self.path("key")
        self.public = self.succeed("key", "new", self.key).strip()
        self.report = self.path("report.json")

    def signed_fit(self, *arguments, price=PRIVATE):
        self.succeed("fit", *self.files, *price, "--report", self.report, "--sign", self.key,
                     *arguments)
        return json.loads(Path(self.report).read_text())

    def verify(self, *arguments):
        return self.succeed("verify", self.report, *arguments)

    def refuse(self, content, *arguments):
        self.write("report.json", content)
        return self.fail_with(3, "verify", self.report, *arguments)

    def test_keys(self):
        self.assertRegex(self.public, r"\A[0-9a-f]{64}\Z")
        self.assertEqual(self.succeed("key", "show", self.key).strip(), self.public)
        self.assertEqual(stat.S_IMODE(os.stat(self.key).st_mode), 0o600)
        before = Path(self.key).read_bytes()
        self.assertNotIn(self.public.encode(), before)
        self.fail_with(4, "key", "new", self.key)
        self.assertEqual(Path(self.key).read_bytes(), before)
        self.assertNotEqual(self.succeed("key", "new", self.path("other")).strip(), self.public)
        os.chmod(self.key, 0o640)
        self.assertIn("chmod", self.fail_with(3, "key", "show", self.key))
        for content in (b"", before[:-3], before + b"0", b"x" + before):
            self.write("bad", content)
            os.chmod(self.path("bad"), 0o600)
            self.fail_with(3, "key", "show", self.path("bad"))
        self.fail_with(3, "key", "show", self.path("missing"))

    def test_a_bad_key_stops_a_fit_before_it_pays(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        for key in (self.path("missing"), self.source):
            self.fail_with(3, "fit", *self.files, *PRIVATE, "--ledger", ledger, "--report",
                           self.report, "--sign", key)
        self.fail_with(2, "fit", *self.files, *PRIVATE, "--ledger", ledger, "--sign", self.key)
        self.fail_with(2, "fit", *self.files, *PRIVATE, "--ledger", ledger, "--report",
                       self.path("report.txt"), "--sign", self.key)
        self.fail_with(2, "fit", *self.files, *PRIVATE, "--ledger", ledger, "--report",
                       self.path("k.json"), "--sign", self.path("k.json"))
        shown = json.loads(self.succeed("ledger", "show", ledger, "--json"))
        self.assertEqual(shown["entries"], [])

    def test_a_signed_report_is_verified(self):
        report = self.signed_fit()
        self.assertEqual(report["signature"]["public_key"], self.public)
        self.assertIn("compare it with a key", self.verify())
        self.assertIn("by that key", self.verify("--key", self.public))
        other = self.succeed("key", "new", self.path("other")).strip()
        self.assertIn("another key", self.fail_with(3, "verify", self.report, "--key", other))
        self.fail_with(2, "verify", self.report, "--key", "abc")

    def test_every_command_signs(self):
        for command, options in (
                (("discrepancy", *self.files, *PRIVATE), ()),
                (("baseline", "ada_ssp", *self.files, *PRIVATE), ()),
                (("select", *self.files, *PRIVATE, "--budget", "4,2e-4"),
                 ("--grid", "shrinkage=2,3", "--set", "selection_epsilon=1", "--set",
                  "selection_bound=4", "--validation-report", self.path("rows.json")))):
            with self.subTest(command[0]):
                self.succeed(*command, *options, "--report", self.report, "--sign", self.key)
                self.assertIn("by that key", self.verify("--key", self.public))
        self.succeed("verify", self.path("rows.json"), "--key", self.public)

    def test_the_price_of_sampling_is_computed_again(self):
        self.succeed("baseline", "noisy_sgd", *self.files, *PRIVATE, "--set", "epochs=3", "--set",
                     "batch_size=4", "--report", self.report)
        self.verify()
        report = json.loads(Path(self.report).read_text())
        release = report["releases"][0]["release"]
        for name, factor in (("sampling_rate_units_of_2^-32", 2), ("steps", 2),
                             ("integer_sensitivity", 2)):
            other = copy.deepcopy(report)
            other["releases"][0]["release"][name] = factor * release[name]
            self.refuse(json.dumps(other))
        cheaper = json.dumps(report).replace(release["cost"]["mu_square_units_of_2^-80"],
                                             str(int(release["cost"]["mu_square_units_of_2^-80"])
                                                 // 2))
        self.assertIn("too little", self.refuse(cheaper))

    def test_a_report_is_signed_later(self):
        self.succeed("fit", *self.files, *PRIVATE, "--report", self.report)
        self.assertIn("signature: none", self.verify())
        self.assertIn("not signed", self.fail_with(3, "verify", self.report, "--key", self.public))
        signed = self.path("signed.json")
        self.succeed("key", "sign", self.key, self.report, "--output", signed)
        self.assertIn("by that key", self.succeed("verify", signed, "--key", self.public))
        self.fail_with(3, "key", "sign", self.key, signed)  # once
        self.fail_with(3, "key", "sign", self.key, self.source)

    def test_no_byte_of_a_signed_report_can_change(self):
        self.signed_fit()
        text = Path(self.report).read_bytes()
        for place in range(0, len(text) - 1, 97):
            other = bytes([text[place] ^ 1])
            self.refuse(text[:place] + other + text[place + 1:], "--key", self.public)
        for end in range(1, len(text) - 1, 613):
            self.refuse(text[:end], "--key", self.public)
        signature = text[text.rindex(b',"signature"'):]
        self.refuse(text[:-2] + b',"private":true}\n', "--key", self.public)
        self.refuse(text.replace(signature, b',"x":0' + signature), "--key", self.public)
        self.refuse(json.dumps(json.loads(text)), "--key", self.public)  # other bytes

    def check_all_numbers(self, report):
        self.write("report.json", json.dumps(report))
        self.verify()
        found = 0
        for path in numbers_of(report):
            free = path[0] not in OF_RELEASES or path[-1] in FREE and path[0] in (
                "releases", "shared_ledger") or path[-1] in ("source_rows", "target_rows")
            if free:
                continue
            with self.subTest("/".join(map(str, path))):
                self.refuse(json.dumps(changed(report, path)))
            found += 1
        return found

    def test_every_number_of_the_guarantee_is_computed_again(self):
        self.succeed("fit", *self.files, *PRIVATE, "--set", "alpha=0.5", "--set",
                     "discrepancy_share=0.3", "--report", self.report)
        report = json.loads(Path(self.report).read_text())
        self.assertGreater(self.check_all_numbers(report), 80)
        told = f"{math.ceil(1000 * report['attackers'][1]['found']) / 10:g} of 100"
        report["plain_words"] = [words.replace(told, "5.1 of 100")
                                 for words in report["plain_words"]]
        self.assertIn("plain_words", self.refuse(json.dumps(report)))

    def test_attackers_are_told_exactly_where_there_is_a_promise(self):
        self.succeed("fit", *self.files, *PRIVATE, "--report", self.report)
        report = json.loads(Path(self.report).read_text())
        words = report["plain_words"]
        about = next(k for k, sentence in enumerate(words) if "finds at most" in sentence)
        told = words[about + 1].split("finds at most ")[1]
        forged = [words[:about] + [words[about].replace("it finds at most ", "it finds 5, not ")]
                  + words[about + 1:],
                  words + ["It finds at most 5 of 100 that hold it."],
                  words[:about + 1] + words[about + 2:],
                  words[:about + 1] + [words[about + 1].replace(told, "5.1, 5.2 and 5.3 of 100.")]
                  + words[about + 2:]]
        for other in forged:
            self.assertIn("plain_words", self.refuse(json.dumps(report | {"plain_words": other})))
            absent = report | {"plain_words": other, "attackers": None}
            self.assertIn("attackers", self.refuse(json.dumps(absent)))
            del absent["attackers"]
            self.assertIn("attackers", self.refuse(json.dumps(absent)))
        self.succeed("fit", *self.files, *PRIVATE, "--set", "unsafe_seed=3", "--report",
                     self.report)
        seeded = json.loads(Path(self.report).read_text())
        self.verify()
        self.assertIn("attackers",
                      self.refuse(json.dumps(seeded | {"attackers": report["attackers"]})))
        self.assertIn("plain_words", self.refuse(json.dumps(seeded | {"plain_words": words})))

    def test_the_relation_is_the_same_everywhere(self):
        self.signed_fit("--set", "neighbours=zero_out")
        report = json.loads(Path(self.report).read_text())
        del report["signature"]
        self.assertEqual([report["relation"], report["budget"]["relation"],
                          report["releases"][0]["release"]["relation"]], ["zero_out"] * 3)
        self.assertIn("(neighbours = zero_out)", report["summary"])
        for node in (report, report["budget"], report["releases"][0]["release"]):
            node["relation"] = "replace"
            self.assertIn("relation", self.refuse(json.dumps(report)))
            node["relation"] = "zero_out"
        self.assertIn("relation", self.refuse(json.dumps(report).replace("zero_out", "replace")
                                              .replace("(neighbours = replace)",
                                                       "(neighbours = zero_out)")))

    def test_a_ledger_has_one_relation(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE, "--set", "neighbours=zero_out")
        self.assertIn("zero_out", self.succeed("ledger", "show", ledger))
        small = ("fit", *self.files, *budget("0.2"), "--ledger", ledger)
        self.assertIn("neighbours", self.fail_with(2, *small))
        self.assertIn("Entries: 0", self.succeed("ledger", "show", ledger))
        self.succeed(*small, "--set", "neighbours=zero_out", "--report", self.report)
        self.verify("--ledger", ledger)

    def test_the_ledger_of_a_certificate_is_compared(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, "--set", "epsilon=4", "--set", "delta=1e-4")
        empty = Path(ledger).read_bytes()
        for _ in range(2):
            self.succeed("fit", *self.files, *budget("0.5"), "--ledger", ledger)
        report = self.signed_fit("--ledger", ledger, price=budget("0.5"))
        both = ("--key", self.public, "--ledger", ledger)
        self.assertIn("has these entries", self.verify(*both))
        self.assertEqual([entry["sequence"] for entry in report["shared_ledger"]["own_entries"]],
                         [3])
        self.assertIn("taken from the report", self.verify())
        self.assertNotIn("taken from the report", self.verify(*both))
        before = Path(ledger).read_bytes()
        self.succeed("fit", *self.files, *budget("0.5"), "--ledger", ledger)
        self.verify(*both)  # later entries are no matter
        after = Path(ledger).read_bytes()
        blocks = [after[k:k + 4096] for k in range(0, len(after), 4096)]
        bad = {"cut": before[:-4096], "new": empty, "edited": after.replace(b"=0.5", b"=0.1", 1),
               "reordered": b"".join(blocks[k] for k in (0, 2, 1, 3, 4)), "torn": after[:-1]}
        for name, content in bad.items():
            with self.subTest(name):
                self.write("ledger", content)
                self.fail_with(3, "verify", self.report, *both)
        other = self.path("other")
        self.succeed("ledger", "init", other, "--set", "epsilon=4", "--set", "delta=1e-4")
        self.fail_with(3, "verify", self.report, "--ledger", other)
        self.write("ledger", after)
        del report["signature"]
        self.assertGreater(self.check_all_numbers(report), 100)
        for member, value in (("options", "epsilon=0.1"), ("releases", "nothing")):
            other = copy.deepcopy(report)
            other["shared_ledger"]["own_entries"][0][member] = value
            self.assertIn("own_entries", self.refuse(json.dumps(other), "--ledger", ledger))
        # What others have spent is known by the ledger alone.
        for member, value in (("spent", report["shared_ledger"]["own_entries"][0]["cost"]),
                              ("locks", False), ("unit", "person"), ("neighbours", "zero_out"),
                              ("entry_count", 2), ("entry_count", 99), ("seeded", True)):
            other = copy.deepcopy(report)
            other["shared_ledger"][member] = value
            self.refuse(json.dumps(other), "--ledger", ledger)

    def test_a_report_without_a_ledger_is_not_of_one(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        self.signed_fit()
        self.fail_with(3, "verify", self.report, "--ledger", ledger)

    def test_what_is_no_report(self):
        self.signed_fit()
        good = Path(self.report).read_text()
        doubled = good[:good.rindex(',"signature"')] + ',"private":true}'
        for content in ("", "{}", "[]", "nonsense", '{"schema":"other"}', doubled,
                        '{"schema":"dpadapt-privacy-report-1"}', "\xff"):
            self.refuse(content)
        self.fail_with(3, "verify", self.path("missing"))
        self.fail_with(2, "verify")
        self.succeed("fit", *self.files, *NOT_PRIVATE, "--report", self.report)
        self.fail_with(3, "verify", self.report)

    def test_seeded_noise_passes_as_no_privacy(self):
        self.signed_fit("--set", "unsafe_seed=3")
        self.assertIn("NOT PRIVATE", self.verify("--key", self.public))


if __name__ == "__main__":
    unittest.main()
