import json
import os
import re
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, CliCase, csv_text

ROOT = Path(os.environ["DPADAPT_SOURCE_DIR"])


def documented_options():
    """Name, tier, type, default, values, readers and meaning as written in the library's table."""
    text = (ROOT / "src/engine/options.def").read_text()
    string = r'"((?:[^"\\]|\\.)*)"'
    entry = re.compile(rf"DPA_OPTION\((\w+), (\w+), (\w+), {string},\s*{string},"
                       rf"\s*{string},"
                       rf"((?:\s*{string})+)\)")
    return [
        {"name": found[1], "tier": found[2], "type": found[3], "default": found[4],
         "values": found[5], "readers": found[6],
         "meaning": "".join(re.findall(string, found[7]))}
        for found in entry.finditer(text)
    ]


class Options(CliCase):
    def test_json_is_the_documented_table(self):
        options = json.loads(self.succeed("options", "--json"))
        self.assertGreater(len(options), 20)
        self.assertEqual(options, documented_options())

    def test_text_has_every_entry_and_no_long_line(self):
        text = self.succeed("options", "--all")
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80)
        unwrapped = " ".join(text.split())
        for option in documented_options():
            expected = "{name} ({type}, default {default}) Values: {values} {meaning}"
            self.assertIn(expected.format(**option), unwrapped)

    def test_options_have_tiers_and_can_be_looked_up(self):
        basic = [option["name"] for option in documented_options() if option["tier"] == "basic"]
        self.assertLessEqual(len(basic), 15)
        listed = re.findall(r"^(\w+) \(", self.succeed("options"), re.MULTILINE)
        self.assertEqual(listed, basic)
        lines = self.succeed("options", "--all").splitlines()
        headings = [line.split(":")[0] for line in lines if line and line[0].isupper()]
        self.assertEqual(headings, ["Basic", "Advanced", "Research"])
        found = json.loads(self.succeed("options", "epsilon", "--json"))
        self.assertEqual([option["name"] for option in found], ["epsilon"])
        names = {option["name"] for option in json.loads(self.succeed("options", "clip", "--json"))}
        self.assertLessEqual({"clip_quantile", "clip_bound"}, names)
        self.assertLess(len(names), 10)
        self.assertIn('no option is about "epslion"', self.fail_with(2, "options", "epslion"))

    def test_frequent_options_have_a_form_of_their_own(self):
        for command in ("fit", "discrepancy", "plan"):
            long = ("--set", "epsilon=2", "--set", "delta=1e-4")
            short = ("--epsilon", "2", "--delta", "1e-4")
            if command != "discrepancy":  # which has no share of the source
                long, short = (*long, "--set", "alpha=0.5"), (*short, "--alpha", "0.5")
            found = [self.succeed(command, *self.files, "--set", "unsafe_seed=3", "--json", *choice)
                     for choice in (long, short)]
            self.assertEqual(*found)
        self.assertIn("--epsilon", self.succeed("ledger", "init", "--help"))
        self.assertIn("epsilon", self.fail_with(2, "fit", *self.files, "--epsilon", "much"))


class Help(CliCase):
    def test_version_is_the_header_s(self):
        header = (ROOT / "include/dpadapt/version.h").read_text()
        numbers = re.findall(r"#define DPA_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
        self.assertEqual(self.succeed("--version"), "dpadapt " + ".".join(numbers) + "\n")

    def test_help_lists_commands_and_exit_codes(self):
        text = self.succeed("--help")
        for command in ("fit", "predict", "discrepancy", "inspect", "plan", "options"):
            self.assertRegex(text, rf"(?m)^  {command} +\S")
            self.assertIn("--help", self.succeed(command, "--help"))
        for code in ("0", "1", "2", "3", "4", "130"):
            self.assertRegex(text, rf"(?m)^  {code} +\w+")
        self.assertIn("locked ledger", text[text.index("  2 "):text.index("  3 ")])

    def test_help_offers_nothing_that_is_always_refused(self):
        text = self.succeed("rehearse", "--help")
        for flag in ("--rows", "--group", "--add-source"):
            self.assertNotIn(flag, text)
            self.assertIn(flag, self.succeed("compare", "--help"))
        lines = text[text.index("Public rows stand for"):].splitlines()
        self.assertLessEqual(max(map(len, lines)), 82)
        self.assertIn("pays twice", self.succeed("compare", "--help"))


    def test_probabilities_have_the_names_that_help_has(self):
        text = " ".join(self.succeed("predict", "--help").split())
        self.assertIn("the probability of the positive label in the column probability, or of "
                      "each of several classes in columns probability_LABEL", text)
        for loss, labels, expected in (
                ("logistic", ("no", "yes"), "prediction,probability"),
                ("softmax", ("a", "b", "c"), "prediction,probability_a,probability_b,probability_c")
        ):
            rows = [[*row[:3], labels[i % len(labels)]] for i, row in enumerate(self.source_rows)]
            file = self.write("classes.csv", csv_text(FEATURES + ["y"], rows))
            model = self.path("model.json")
            self.succeed("fit", "--source", file, "--target", file, "--label", "y", "--loss", loss,
                         *NOT_PRIVATE, "--output", model)
            table = self.succeed("predict", "--model", model, "--data", file, "--probabilities")
            self.assertEqual(table.split()[0], expected)


class UsageErrors(CliCase):
    def reject(self, *arguments, command="fit"):
        return self.fail_with(2, command, *arguments)

    def test_arguments(self):
        source, target, data = ("--source", self.source), ("--target", self.target), ("--data", "d")
        label = ("--label", "y")
        cases = {
            "no command": (),
            "unknown command": ("learn",),
            "unknown flag": ("fit", *self.files, "--fast"),
            "stray argument": ("fit", *self.files, "more.csv"),
            "value missing": ("fit", *source, *target, "--label"),
            "no data": ("fit", *label),
            "source alone": ("fit", *source, *label),
            "target alone": ("fit", *target, *label),
            "both forms": ("fit", *self.files, *data),
            "label missing": ("fit", *source, *target),
            "label twice": ("fit", *self.files, "--label", "x1"),
            "weights without json": ("fit", *self.files, "--weights"),
            "model missing": ("predict", *data),
            "data missing": ("predict", "--model", "m.json"),
            "discrepancy without data": ("discrepancy", *label),
            "inspect without data": ("inspect", *label),
        }
        for name, arguments in cases.items():
            with self.subTest(name):
                self.fail_with(2, *arguments)

    def test_a_command_that_is_none_is_named(self):
        for arguments in (("reprot",), ("reprot", "--help")):
            self.assertIn('there is no command "reprot"', self.fail_with(2, *arguments))

    def test_help_is_a_word_too(self):
        self.assertEqual(self.succeed("help"), self.succeed("--help"))
        self.assertEqual(self.succeed("help", "fit"), self.succeed("fit", "--help"))

    def test_files_of_another_kind_are_named(self):
        page = self.reject(*self.files, "--report", self.path("report.pdf"))
        self.assertIn("a browser prints the page", page)
        for text in ("", "PRIVATE: whatever\n"):
            message = self.fail_with(3, "predict", "--model", self.write("text", text),
                                     "--data", self.source)
            self.assertIn("this is no model; fit --output saves one", message)

    def test_a_name_that_is_nearly_right_is_told(self):
        cases = {("predct",): 'there is no command "predct"; did you mean "predict"?',
                 ("fit", "--sorce", "a.csv"): '"--sorce"; did you mean "--source"?',
                 ("fit", *self.files, "--epslion=1"): '"--epslion"; did you mean "--epsilon"?',
                 ("fti",): 'there is no command "fti"; did you mean "fit"?',
                 ("fit", *self.files, "--detla", "1"): '"--detla"; did you mean "--delta"?',
                 ("fit", *self.files, "--set", "detla=1"): '"detla"; did you mean "delta"?',
                 ("fit", *self.files, "--set", "alhpa=1"): '"alhpa"; did you mean "alpha"?',
                 ("fit", *self.files, "--colour", "1"): 'there is no argument "--colour" (see'}
        for arguments, message in cases.items():
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fail_with(2, *arguments))

    def test_what_is_missing_is_told_with_its_use(self):
        self.assertIn("--label COLUMN is required: Column of the labels (see --help)",
                      self.fail_with(2, "fit", "--source", self.source))
        self.assertIn("--data FILE.csv is required: Rows with the features' columns",
                      self.fail_with(2, "predict", "--model", "m.json"))

    def test_columns_with_two_uses(self):
        for arguments in (("--features", "x1,y"), ("--features", "x1,x1"), ("--ignore", "y"),
                          ("--features", "x1,x2", "--ignore", "x2")):
            with self.subTest(arguments):
                self.assertIn("two uses", self.reject(*self.files, *arguments))
        self.assertIn('"y"', self.reject("--data", "d", "--label", "y", "--domain", "y"))

    def test_an_open_quote_is_no_name(self):
        self.assertIn("no closing quote", self.fail_with(2, "fit", *self.files,
                                                         "--ignore", '"x1,x2'))
        self.assertIn('5" pipe', self.fail_with(3, "fit", *self.files, "--ignore", '5" pipe,x2'))

    def test_settings(self):
        cases = {"alpha": "key=value", "speed=1": "speed", "alpha=fast": "alpha",
                 "kappa_2=-1": "kappa_2", "preprocess=shuffle": "preprocess", "=1": "--set"}
        for setting, expected in cases.items():
            with self.subTest(setting):
                for command in ("fit", "discrepancy"):
                    message = self.reject(*self.files, "--set", setting, command=command)
                    self.assertIn(expected, message)

    def test_settings_are_checked_before_data_are_read(self):
        files = ("--source", "missing.csv", "--target", "missing.csv", "--label", "y")
        self.assertIn("speed", self.reject(*files, "--set", "speed=1"))

    def test_the_default_says_what_to_set(self):
        for command in ("fit", "discrepancy", "plan"):
            message = self.reject(*self.files, command=command)
            for word in ("epsilon", "delta", "private_domain", "none"):
                self.assertIn(word, message)

    def test_no_setting_wins_silently(self):
        message = self.reject(*self.files, *NOT_PRIVATE, "--set", "alpha=0.75", "--set",
                              "alpha=0.25")
        self.assertIn("two values for the option alpha: 0.75 and 0.25", message)
        report = self.fit("--set", "alpha=0.25", "--set", "alpha=.25")
        self.assertEqual(report["settings"]["alpha"], 0.25)

    def test_settings_may_hold_lists(self):
        center = ("--set", "discrepancy_center=2,-1,0.5,1")
        self.succeed("discrepancy", *self.files, *NOT_PRIVATE, *center)
        long = "discrepancy_center=" + ",".join(["0.25"] * 2000)  # more than 4096 characters
        message = self.fail_with(2, "discrepancy", *self.files, *NOT_PRIVATE, "--set", long)
        self.assertIn("must hold 4 numbers", message)
        self.assertIn("but holds 2000", message)


if __name__ == "__main__":
    unittest.main()
