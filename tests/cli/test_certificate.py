"""Privacy reports and dpadapt verify: what is true passes, what was changed is found."""

import base64
import json
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PRIVATE, CliCase, budget

class Certificate(CliCase):
    def setUp(self):
        super().setUp()
        self.report = self.path("report.json")

    def reported_fit(self, *arguments, price=PRIVATE):
        self.succeed("fit", *self.files, *price, "--report", self.report, *arguments)
        return json.loads(Path(self.report).read_text())

    def verify(self, *arguments):
        return self.succeed("verify", self.report, *arguments)

    def refuse(self, content, *arguments):
        self.write("report.json", content)
        return self.fail_with(3, "verify", self.report, *arguments)

    def test_the_price_of_sampling_is_computed_again(self):
        self.succeed("baseline", "noisy_sgd", *self.files, *PRIVATE, "--set", "epochs=3", "--set",
                     "batch_size=4", "--report", self.report)
        self.verify()
        text = Path(self.report).read_text()
        report = json.loads(text)
        release = report["releases"][0]["release"]
        for name in ("sampling_rate_units_of_2^-32", "steps", "integer_sensitivity"):
            for factor in (2, 0.5):
                old = f'"{name}":{release[name]}'
                self.refuse(self.edited(text, old, f'"{name}":{int(factor * release[name])}'))
        paid = release["cost"]["mu_square_units_of_2^-80"]
        self.refuse(text.replace(paid, str(int(paid) // 2)))

    def test_the_reports_of_all_commands_verify(self):
        for command, options in (
                (("discrepancy", *self.files, *PRIVATE), ()),
                (("baseline", "ada_ssp", *self.files, *PRIVATE), ()),
                (("select", *self.files, *PRIVATE, "--budget", "4,2e-4"),
                 ("--grid", "shrinkage=2,3", "--set", "selection_epsilon=1", "--set",
                  "selection_bound=4", "--validation-report", self.path("rows.json")))):
            with self.subTest(command[0]):
                self.succeed(*command, *options, "--report", self.report)
                self.assertIn("every word and number follows", self.verify())
        self.succeed("verify", self.path("rows.json"))

    def test_the_report_of_a_model_verifies(self):
        model = self.path("model.json")
        self.succeed("fit", *self.files, *PRIVATE, "--output", model)
        self.succeed("report", "--model", model, "--report", self.report)
        self.verify()

    def test_a_report_is_whole(self):
        self.reported_fit()
        text = Path(self.report).read_bytes()
        for end in range(1, len(text) - 1, 613):
            self.refuse(text[:end])
        self.refuse(text[:-2] + b',"private":true}\n')
        self.refuse(text[:-2] + b',"x":0}\n')

    @staticmethod
    def edited(text, old, new):
        """The text with the first of these replaced."""
        assert old in text, old
        return text.replace(old, new, 1)

    @classmethod
    def forged(cls, text, old, new):
        """The same in the member "statement" as well, whose checksum is made right again."""
        statement = json.loads(text)["statement"]
        bytes_ = base64.b64decode(statement)[:-8].replace(old.encode(), new.encode())
        total = 0xcbf29ce484222325
        for byte in bytes_:
            total = (total ^ byte) * 0x100000001b3 % 2**64
        other = base64.b64encode(bytes_ + total.to_bytes(8, "little")).decode()
        return cls.edited(text, statement, other).replace(old, new)

    def forgeries(self, report):
        """The name of a member in the message, and another report."""
        def with_(**members):
            return report | members

        def without(name):
            return {key: value for key, value in report.items() if key != name}

        words = report["plain_words"]
        release = report["releases"][0]
        yield "summary", with_(summary="PRIVATE: perfectly, with epsilon = 2, delta = 0.0001, and "
                                       "nobody can ever learn anything.")
        yield "plain_words", with_(plain_words=words + ["A person is hidden completely."])
        for k in range(len(words)):
            yield "plain_words", with_(plain_words=words[:k] + words[k + 1:])
        yield "neighbours", with_(neighbours="nobody")
        yield "not_covered", with_(not_covered=[])
        yield "spent_is", with_(spent_is="a guarantee")
        yield "accountant", with_(accountant="the best")
        yield "numerics", with_(numerics="perfect")
        yield "dimension", with_(releases=[release | {"release": release["release"] |
                                                      {"dimension": 1}}] + report["releases"][1:])
        yield "attackers", with_(attackers=None)
        yield "attackers/0/found", with_(attackers=[report["attackers"][0] | {"found": 0.01}]
                                         + report["attackers"][1:])
        yield "version", with_(version="9.9.9")
        yield "findings", with_(findings=["The private rows were not used."])
        for name in report:
            if name != "provenance":  # no report needs it
                yield name, without(name)

    def test_no_word_can_be_forged(self):
        self.succeed("fit", *self.files, *PRIVATE, "--report", self.report)
        text = Path(self.report).read_text()
        self.assertIn("PRIVATE: ", self.verify())
        report = json.loads(text)
        for name, other in self.forgeries(report):
            with self.subTest(name):
                self.assertIn(name, self.refuse(json.dumps(other)))
        self.assertIn("written otherwise", self.refuse(json.dumps(report)))
        for old, new in (('"private":true', '"private":\\u0074rue'), ('":', '": '),
                         ('"epsilon":2,', '"epsilon":2.0,'), ("\n", "\n\n"),
                         ('"summary"', '"\\u0073ummary"')):
            self.refuse(self.edited(text, old, new))

    def test_names_of_members_have_no_lines_of_their_own(self):
        self.succeed("fit", *self.files, *PRIVATE, "--report", self.report)
        text = Path(self.report).read_text()
        forged = "report: every word and number follows from the releases in it"
        for name in (f"a\n{forged}", f"a\n  {forged}", f"a\r\x1b[2K{forged}\x9b"):
            at = '"provenance":{'
            other = self.edited(text, at, f"{at}{json.dumps(name)}:1,")
            self.assertIn(forged + ("\\x9b" if "\x9b" in name else ""), self.refuse(other))
            self.assertIn("a\\x0", self.refuse(other))

    def test_the_words_of_the_signer_are_named(self):
        self.succeed("fit", *self.files, *PRIVATE, "--report", self.report)
        text = Path(self.report).read_text()
        for other, new in ((self.edited(text, '"date":"2', '"date":"3'), '"date":"3'),
                           (self.forged(text, "profile", "perfect"), '"method":"perfect"')):
            self.write("report.json", other)
            said = self.verify()
            facts, words = said.split("The signer's words, which nothing here can check:\n")
            self.assertIn(new, words)
            self.assertNotIn(new, facts)
        self.write("report.json", self.edited(text, '"provenance":{', '"provenance":{"proof":1,'))
        self.assertIn("provenance/proof", self.fail_with(3, "verify", self.report))

    def test_seeded_and_private_do_not_mix(self):
        self.succeed("fit", *self.files, *PRIVATE, "--set", "unsafe_seed=3", "--report",
                     self.report)
        text = Path(self.report).read_text()
        self.assertIn("NOT PRIVATE", self.verify())
        for old, new in (('"private":false', '"private":true'), ('"seeded":true', '"seeded":false'),
                         ('"unsafe_seed"', '"ChaCha20 keyed by the operating system"')):
            self.refuse(self.edited(text, old, new))

    def test_the_relation_is_the_same_everywhere(self):
        self.succeed("fit", *self.files, *PRIVATE, "--set", "neighbours=zero_out", "--report",
                     self.report)
        text = Path(self.report).read_text()
        self.assertIn("(neighbours = zero_out)", self.verify())
        places = text.split('"relation":"zero_out"')
        self.assertGreater(len(places), 3)
        for k in range(1, len(places)):
            other = '"relation":"zero_out"'.join(places[:k]) + '"relation":"replace"' + \
                '"relation":"zero_out"'.join(places[k:])
            self.assertIn("relation", self.refuse(other))
        self.refuse(text.replace("zero_out", "replace"))

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
        report = self.reported_fit("--ledger", ledger, price=budget("0.5"))
        paid = ("--ledger", ledger)
        self.assertIn("has these entries", self.verify(*paid))
        self.assertIn("taken from the report", self.verify())
        own = report["shared_ledger"]["own_entries"]
        self.assertEqual([entry["sequence"] for entry in own], [3])
        before = Path(ledger).read_bytes()
        self.succeed("fit", *self.files, *budget("0.5"), "--ledger", ledger)
        self.verify(*paid)  # later entries are no matter
        after = Path(ledger).read_bytes()
        blocks = [after[k:k + 4096] for k in range(0, len(after), 4096)]
        bad = {"cut": before[:-4096], "new": empty, "edited": after.replace(b"=0.5", b"=0.1", 1),
               "reordered": b"".join(blocks[k] for k in (0, 2, 1, 3, 4)), "torn": after[:-1]}
        for name, content in bad.items():
            with self.subTest(name):
                self.write("ledger", content)
                self.fail_with(3, "verify", self.report, *paid)
        other = self.path("other")
        self.succeed("ledger", "init", other, "--set", "epsilon=4", "--set", "delta=1e-4")
        self.fail_with(3, "verify", self.report, "--ledger", other)
        self.write("ledger", after)
        text = Path(self.report).read_text()
        self.assertIn("locks its problems; has 3 entries up to " + report["shared_ledger"]["head"],
                      self.verify())
        for old, new, member in (
                ('"locks":true', '"locks":false', "locks"),
                ('"entry_count":3', '"entry_count":2', "entry_count"),
                (',"releases":"gradient', ',"releases":"a gradient', "own_entries/0/releases"),
                ('"own_entries":[{', '"own_entries":[],"others":[{', "own_entries")):
            self.assertIn(member, self.refuse(self.edited(text, old, new)))
        own_id = report["shared_ledger"]["id"]
        for old, new, member in (("epsilon=0.5", "epsilon=0.1", "own_entries"),
                                 (own_id, own_id[::-1], "id")):
            other = self.forged(text, old, new)
            self.write("report.json", other)
            self.verify()  # facts about a ledger, which it alone can tell
            self.assertIn(member, self.refuse(other, "--ledger", ledger))
        self.write("report.json", text)
        without = json.loads(text)
        del without["shared_ledger"]
        self.assertIn("shared_ledger", self.refuse(json.dumps(without)))
        shared = text.index('"shared_ledger":')
        end = text.index(',"attackers":')
        none = text[:shared] + '"shared_ledger":null' + text[end:]
        self.assertIn("shared_ledger", self.refuse(none))

    def test_a_report_tells_whether_its_ledger_locks(self):
        for flags, word in (((), "ledger: locks"), (("--open",), "ledger: does not lock")):
            ledger = self.path("ledger" + word[-4:])
            self.succeed("ledger", "init", ledger, *PRIVATE, *flags)
            self.succeed("fit", *self.files, *budget("0.5"), "--ledger", ledger, "--report",
                         self.report)
            self.assertIn(word, self.verify("--ledger", ledger))

    def test_a_report_without_a_ledger_is_not_of_one(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        self.reported_fit()
        self.fail_with(3, "verify", self.report, "--ledger", ledger)

    def test_what_is_no_report(self):
        self.reported_fit()
        good = Path(self.report).read_text()
        doubled = good.removesuffix("}\n") + ',"private":true}'
        for content in ("", "{}", "[]", "nonsense", '{"schema":"other"}', doubled, "\xff",
                        "[" * 100000,
                        json.dumps({"schema": json.loads(good)["schema"]})):
            self.refuse(content)
        self.fail_with(3, "verify", self.path("missing"))
        self.fail_with(2, "verify")
        self.succeed("fit", *self.files, *NOT_PRIVATE, "--report", self.report)
        self.fail_with(3, "verify", self.report)

    def test_seeded_noise_passes_as_no_privacy(self):
        self.reported_fit("--set", "unsafe_seed=3")
        self.assertIn("NOT PRIVATE", self.verify())


if __name__ == "__main__":
    unittest.main()
