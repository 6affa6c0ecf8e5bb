"""Output that cannot be written: exit code 4, and nothing half-done is left behind."""

import json
import os
import re
import resource
import stat
import subprocess
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PRIVATE, PROGRAM, CliCase

FAIL_AT = os.environ.get("DPADAPT_FAIL_AT")
PLACE = re.compile(r"; the private result, which is paid for, is in (\S+)\n")


class Output(CliCase):
    def commands(self):
        model, _ = self.fit_model()
        yield ("fit", *self.files, *NOT_PRIVATE)
        yield ("fit", *self.files, *NOT_PRIVATE, "--json")
        yield ("predict", "--model", model, "--data", self.target)
        yield ("discrepancy", *self.files, *NOT_PRIVATE)
        yield ("options",)
        yield ("--help",)
        yield ("--version",)

    def test_full_disk(self):
        for command in self.commands():
            with self.subTest(command[0]), open("/dev/full", "w") as full:
                message = self.fail_with(4, *command, stdout=full)
                self.assertIn("standard output: cannot be written: No space left", message)

    def test_reader_that_has_left(self):
        for command in self.commands():
            with self.subTest(command[0]):
                reader, writer = os.pipe()
                os.close(reader)
                message = self.fail_with(4, *command, stdout=writer)
                os.close(writer)
                self.assertIn("Broken pipe", message)

    def test_closed_standard_output(self):
        for command in self.commands():
            with self.subTest(command[0]):
                shell = ["sh", "-c", 'exec "$0" "$@" >&-', PROGRAM, *command]
                done = subprocess.run(shell, stderr=subprocess.PIPE, text=True, timeout=120)
                self.assertEqual(done.returncode, 4)
                self.assertIn("standard output: cannot be written", done.stderr)

    def test_models_of_private_fits_are_for_their_owner(self):
        for name, before, expected in (("new", None, 0o600), ("old", 0o644, 0o644)):
            path = self.path(name)
            if before is not None:
                Path(path).write_text("")
                os.chmod(path, before)
            self.succeed("fit", *self.files, *PRIVATE, "--output", path, umask=0o022)
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), expected)

    def test_full_disk_under_a_file(self):
        model, _ = self.fit_model()
        for command in (("fit", *self.files, *NOT_PRIVATE),
                        ("predict", "--model", model, "--data", self.target)):
            with self.subTest(command[0]):
                message = self.fail_with(4, *command, "--output", "/dev/full")
                self.assertIn("/dev/full: cannot be written: No space left", message)

    def test_bad_paths_are_found_before_data_are_read(self):
        for path in (self.path("missing/model.json"), str(self.directory)):
            files = ("--source", "missing.csv", "--target", "missing.csv", "--label", "y")
            message = self.fail_with(4, "fit", *files, "--output", path)
            self.assertIn(path + ": cannot be written", message)

    def test_a_failed_command_leaves_no_file(self):
        output = self.path("model.json")
        self.fail_with(2, "fit", *self.files, "--output", output)
        self.assertFalse(Path(output).exists())

    def test_a_failed_command_leaves_an_old_file_as_it_was(self):
        output = self.write("model.json", "precious")
        self.fail_with(2, "fit", *self.files, "--output", output)
        self.assertEqual(Path(output).read_text(), "precious")

    def link_stays(self, name):
        os.symlink(name, self.path("link"))
        self.fit("--output", self.path("link"))
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertIn("dpadapt model 1", Path(self.path(name)).read_text())

    def test_a_link_stays_a_link(self):
        self.write("old.json", "old")
        self.link_stays("old.json")

    def test_a_link_to_a_new_file_stays_a_link(self):
        self.link_stays("new.json")

    def test_permissions(self):
        for name, mask, before, expected in (("a", 0o022, None, 0o644), ("b", 0o077, None, 0o600),
                                             ("c", 0o022, 0o600, 0o600),
                                             ("d", 0o077, 0o664, 0o664)):
            path = self.path(name)
            if before is not None:
                os.chmod(self.write(name, "old"), before)
            self.succeed("fit", *self.files, *NOT_PRIVATE, "--output", path, umask=mask)
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), expected)

    @unittest.skipIf(os.geteuid() == 0, "everything is allowed to root")
    def test_a_protected_file_is_not_replaced(self):
        path = self.write("model.json", "old")
        os.chmod(path, 0o444)
        message = self.fail_with(4, "fit", *self.files, *NOT_PRIVATE, "--output", path)
        self.assertIn("Permission denied", message)

    def test_a_file_that_is_standard_output(self):
        model, _ = self.fit_model()
        rows = self.succeed("predict", "--model", model, "--data", self.target)
        with open(self.path("rows.csv"), "w") as file:
            self.succeed("predict", "--model", model, "--data", self.target, "--output",
                         self.path("rows.csv"), stdout=file)
        self.assertEqual(Path(self.path("rows.csv")).read_text(), rows)


class SameFile(CliCase):
    """An output that is an input, or another output, is refused before anything is read."""

    def refuse(self, flag, other, *arguments):
        message = self.fail_with(2, *arguments)
        self.assertIn(f"{flag} and {other} are the same file", message)

    def test_inputs_are_not_replaced(self):
        os.symlink(self.source, self.path("symbolic"))
        os.link(self.source, self.path("hard"))
        before = Path(self.source).read_text()
        detour = str(self.directory / ".." / self.directory.name / "source.csv")
        for path in (self.source, self.path("symbolic"), self.path("hard"), detour):
            for flag in ("--output", "--report"):
                self.refuse(flag, "--source", "fit", *self.files, *NOT_PRIVATE, flag, path)
        for command in (("select", "--grid", "alpha=0,1"), ("baseline", "source_only")):
            self.refuse("--output", "--target", *command, *self.files, *NOT_PRIVATE, "--output",
                        self.target)
        self.assertEqual(Path(self.source).read_text(), before)

    def test_every_input_counts(self):
        model, _ = self.fit_model()
        self.refuse("--output", "--model", "predict", "--model", model, "--data", self.target,
                    "--output", model)
        self.refuse("--output", "--data", "predict", "--model", model, "--data", self.target,
                    "--output", self.target)
        self.refuse("--output", "--data", "fit", "--data", self.source, "--label", "y",
                    "--output", self.source)
        rows = self.write("rows.csv", Path(self.target).read_text())
        self.refuse("--validation-report", "--validation", "select", *self.files, "--validation",
                    rows,
                    "--validation-report", rows)

    def test_every_file_of_every_command(self):
        """Of the help pages, so that a new argument of a file is asked, too."""
        model, _ = self.fit_model()
        ledger = self.path("budget")
        self.succeed("ledger", "init", ledger, "--epsilon", "9", "--delta", "1e-4")
        fit = (*self.files, "--ledger", ledger, "--job", "one")
        calls = {"fit": fit, "baseline": ("ridge_source", *fit), "discrepancy": fit,
                 "select": ("--grid", "alpha=0,1", *fit),
                 "calibrate": ("--model", model, "--data", self.target, "--label", "y",
                               "--ledger", ledger, "--job", "one"),
                 "predict": ("--model", model, "--data", self.target),
                 "report": ("--model", model),
                 "page": (self.write("report.json", "{}"), "--ledger", ledger, "--purpose", "a",
                          "--recipient", "b", "--custodian", "c", "--valid", "d")}
        asked = 0
        commands = re.findall(r"^  ([a-z]+) ", self.succeed("--help"), re.MULTILINE)
        for command in commands:
            page = self.run_cli(command, "--help").stdout
            flags = dict(re.findall(r"^  (--[a-z-]+) (FILE|FILE\.csv|MODEL\.json|PAGE\.html)\b",
                                    page, re.MULTILINE))
            outputs = [flag for flag in flags if flag in ("--output", "--report",
                                                          "--validation-report")]
            if not outputs:
                continue
            for flag in flags:
                given = list(calls[command])
                if flag == "--data" and "--source" in given:
                    continue  # instead of both samples: tested above
                if flag not in given and flag not in outputs:
                    given += [flag, self.write("other", "x")]
                for output in outputs:
                    if flag in outputs:
                        continue
                    path = given[given.index(flag) + 1]
                    self.refuse(output, flag, command, *given, output, path)
                    asked += 1
            if "--job" in calls[command]:
                self.refuse(outputs[0], "the file of the job", command, *calls[command],
                            outputs[0], ledger + ".job-one.json")
        self.assertGreater(asked, 40)

    def refuse_outputs(self, output, report):
        self.refuse("--report", "--output", "fit", *self.files, *NOT_PRIVATE, "--output", output,
                    "--report", report)

    def test_an_output_by_a_link_to_it(self):
        os.symlink("new.json", self.path("link.json"))
        self.refuse_outputs(self.path("new.json"), self.path("link.json"))

    def test_two_outputs(self):
        for path in (self.write("old.json", "old"), self.path("new.json")):
            self.refuse_outputs(path, path)
        self.succeed("fit", *self.files, *NOT_PRIVATE, "--output", "/dev/null", "--report",
                     "/dev/null")


@unittest.skipUnless(FAIL_AT, "needs a library to preload")
class PaidResult(CliCase):
    """What has cost privacy is never lost."""

    def setUp(self):
        super().setUp()
        self.temporary = Path(self.path("temporary"))
        self.temporary.mkdir()
        self.environment = os.environ | {"TMPDIR": str(self.temporary)}

    def failing(self, function, at=1):
        """What is found before a payment can still fail after it: that call does."""
        return self.environment | {"LD_PRELOAD": FAIL_AT, "FAIL_AT": str(at),
                                   "FAIL_ONLY": function,
                                   "ASAN_OPTIONS": "verify_asan_link_order=0"}

    def rescued(self, environment, *arguments):
        done = self.run_cli(*arguments, env=environment)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertRegex(done.stderr, r"\Adpadapt: [^\n]+\n\Z")
        path = Path(PLACE.search(done.stderr).group(1))
        self.assertEqual(path.parent, self.temporary)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual([path], list(self.temporary.iterdir()))
        return str(path)

    def test_a_model_that_cannot_be_written(self):
        search = ("--grid", "shrinkage=2,4", "--budget", "9,1e-3", "--set", "selection_epsilon=1",
                  "--set", "selection_bound=4")
        for command in (("fit",), ("baseline", "joint_ssp"), ("select", *search)):
            with self.subTest(command[0]):
                path = self.rescued(self.failing("fsync"), *command, *self.files, *PRIVATE,
                                    "--output", self.path("new.json"))
                self.succeed("predict", "--model", path, "--data", self.target)
                os.unlink(path)

    @unittest.skipUnless(os.geteuid() == 0, "only root can make another user's link")
    def test_no_link_of_another_user_is_followed_where_all_may_write(self):
        shared = Path(self.path("shared"))
        shared.mkdir()
        precious = self.write("precious", "precious")
        link, further = shared / "model.json", shared / "further.json"
        link.symlink_to(precious)
        further.symlink_to(link)
        fit = ("fit", *self.files, *NOT_PRIVATE, "--output")
        os.lchown(link, 12345, 12345)
        for mode in (0o1777, 0o777):
            shared.chmod(mode)
            for path in (link, further):
                message = self.fail_with(4, *fit, str(path))
                self.assertIn(f"{link} belongs to another user", message)
            self.assertEqual(Path(precious).read_text(), "precious")
        shared.chmod(0o755)  # who may not write here has put no link here
        self.succeed(*fit, str(link))
        self.write("precious", "precious")
        shared.chmod(0o1777)
        os.lchown(shared, 12345, 12345)
        self.succeed(*fit, str(link))  # of the folder's owner, who could do anything anyway
        self.assertTrue(link.is_symlink())
        os.lchown(link, 0, 0)
        os.lchown(shared, 54321, 54321)
        self.succeed(*fit, str(link))  # their own
        self.assertNotEqual(Path(precious).read_text(), "precious")

    def test_a_pipe_is_written_by_the_name_of_its_descriptor(self):
        reader, writer = os.pipe()
        self.succeed("fit", *self.files, *NOT_PRIVATE, "--output", f"/dev/fd/{writer}",
                     pass_fds=[writer])
        os.close(writer)
        with open(reader, encoding="utf-8") as pipe:
            self.assertIn("dpadapt model 1", pipe.read())

    def test_a_report_that_cannot_be_printed(self):
        for command in ("fit", "discrepancy"):
            with self.subTest(command):
                path = self.rescued(self.failing("write"), command, *self.files, *PRIVATE)
                self.assertTrue({"privacy", "protection"} & set(json.loads(Path(path).read_text())))
                os.unlink(path)

    def test_a_comparison_that_cannot_be_printed(self):
        path = self.rescued(self.failing("write"), "compare", *self.files, *PRIVATE)
        self.assertIn("verdicts", json.loads(Path(path).read_text()))

    def test_a_fit_that_cannot_be_compared(self):
        """25 rows, and nothing tells how to clip the errors of those that are held out."""
        path = self.rescued(self.environment, "compare", *self.files, *PRIVATE, "--set",
                            "evaluation_bound=1e80")
        self.succeed("predict", "--model", path, "--data", self.target)

    def test_a_saved_model_is_not_saved_twice(self):
        output = self.path("model.json")
        done = self.run_cli("fit", *self.files, *PRIVATE, "--output", output,
                            env=self.failing("write", 2))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("dpadapt model 1", Path(output).read_text())
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_result_without_privacy_is_not_rescued(self):
        self.fail_with(4, "fit", *self.files, *NOT_PRIVATE, "--output", "/dev/full",
                       env=self.environment)
        self.assertEqual(list(self.temporary.iterdir()), [])


class PayLast(CliCase):
    """Whatever a result needs is there before a payment, or nothing is paid."""

    def setUp(self):
        super().setUp()
        self.ledger = self.path("people.ledger")
        self.succeed("ledger", "init", self.ledger, "--set", "epsilon=500", "--set", "delta=1e-3",
                     "--set", "selection_epsilon=9")
        self.paid = Path(self.ledger).read_bytes()

    def commands(self):
        model, _ = self.fit_model()
        output = ("--output", self.path("new.json"))
        ledger = ("--ledger", self.ledger)
        for page in ("r.json", "r.html", "r.txt"):
            yield ("fit", *self.files, *PRIVATE, *ledger, *output, "--report", self.path(page))
        yield ("fit", *self.files, *PRIVATE, *ledger)
        yield ("baseline", "joint_ssp", *self.files, *PRIVATE, *ledger, *output)
        yield ("compare", *self.files, *PRIVATE, *ledger)
        yield ("evaluate", "--model", model, "--data", self.target, *PRIVATE, *ledger)
        yield ("select", "--grid", "shrinkage=2,4", "--set", "selection_epsilon=1", "--set",
               "selection_bound=4", *self.files, *PRIVATE, *ledger, *output)

    def unpaid(self, *command, **keywords):
        names = set(os.listdir(self.directory))
        message = self.fail_with(4, *command, **keywords)
        self.assertIn("cannot be", message)
        self.assertNotIn("paid for", message)
        self.assertEqual(Path(self.ledger).read_bytes(), self.paid)
        self.assertEqual(set(os.listdir(self.directory)), names)

    def test_limits_on_files(self):
        """No result is paid for and cut off, whatever the limit is."""
        for command in self.commands():
            codes = []
            for limit in (1000, 16_000, 1 << 25):
                with self.subTest(command[0], limit=limit), open(self.path("out"), "w") as out:
                    def set_limit(limit=limit):
                        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                    Path(self.ledger).write_bytes(self.paid)
                    done = self.run_cli(*command, preexec_fn=set_limit, stdout=out)
                    codes.append(done.returncode)
                    self.assertIn(done.returncode, (0, 4), done.stderr)
                    if done.returncode == 4:
                        self.assertEqual(Path(self.ledger).read_bytes(), self.paid)
            self.assertEqual((codes[0], codes[-1]), (4, 0), command)
            Path(self.ledger).write_bytes(self.paid)

    def test_streams_that_nobody_reads(self):
        for command in self.commands():
            with self.subTest(command[0], stream="full"), open("/dev/full", "w") as full:
                self.unpaid(*command, stdout=full)
            with self.subTest(command[0], stream="left"):
                reader, writer = os.pipe()
                os.close(reader)
                self.unpaid(*command, stdout=writer)
                os.close(writer)
            with self.subTest(command[0], stream="closed"):
                self.unpaid(*command, stdout=None, preexec_fn=lambda: os.close(1))

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
    def test_full_disks(self):
        disk = Path(self.path("disk"))
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)]
        if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        for flag in ("--output", "--report"):
            self.unpaid("fit", *self.files, *PRIVATE, "--ledger", self.ledger, flag,
                        str(disk / "new.json"))
            self.assertEqual(os.listdir(disk), [])
        with open(disk / "printed", "w") as out:
            self.unpaid("fit", *self.files, *PRIVATE, "--ledger", self.ledger, stdout=out)

    def test_the_room_is_enough(self):
        """Models and reports of many kinds fit in what is reserved."""
        model, report = self.path("new.json"), self.path("r.json")
        leaks = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # it is traced itself
        for more in ((), ("--set", "preprocess=whiten"), ("--set", "inference=yes"),
                     ("--keep-weights",), ("--set", "loss=perceptron", "--set",
                                           "perceptron_output=squared", "--set", "iterations=2",
                                           "--set", "hidden_units=50,50")):
            trace = self.path("trace")
            shell = ["strace", "-f", "-e", "trace=fallocate", "-o", trace, PROGRAM, "fit",
                     *self.files, *PRIVATE, "--output", model, "--report", report, *more]
            try:
                subprocess.run(shell, check=True, stdout=subprocess.DEVNULL, timeout=120,
                               env=os.environ | {"ASAN_OPTIONS": leaks})
            except FileNotFoundError:
                self.skipTest("no strace")
            found = re.findall(r"fallocate\(\d+, 0, 0, (\d+)\)", Path(trace).read_text())
            self.assertEqual(len(found), 2)
            for size, path in zip(found, (model, report)):
                self.assertGreater(int(size), os.path.getsize(path), more)


@unittest.skipUnless(FAIL_AT, "needs a library to preload")
class EveryStep(CliCase):
    """Each call that brings a result out fails once, and is the last one of the process once."""

    def step(self, at, *arguments, kill=False, only=None):
        environment = os.environ | {"LD_PRELOAD": FAIL_AT, "FAIL_AT": str(at),
                                    "TMPDIR": self.path("tmp"),
                                    "ASAN_OPTIONS": "verify_asan_link_order=0"}
        if kill:
            environment["FAIL_BY_KILL"] = "1"
        if only:
            environment["FAIL_ONLY"] = only
        return self.run_cli("fit", *self.files, *arguments, env=environment)

    def steps(self, *arguments, **keywords):
        """What is on the disk after each failing step, until there is none left to fail."""
        output = self.path("model.json")
        for at in range(1, 100):
            Path(self.path("tmp")).mkdir(exist_ok=True)
            self.write("model.json", "precious")
            done = self.step(at, *arguments, "--output", output, **keywords)
            if done.returncode == 0:
                if "only" not in keywords:
                    self.assertGreater(at, 7)  # the trial; open, write, mode, sync, rename, sync
                return
            text = Path(output).read_text()
            if text != "precious":
                self.assertEqual(json.loads(text)["format"], "dpadapt model 1")
            yield done, text
        self.fail("there is always a step that fails")

    def test_a_kill_leaves_the_old_model_or_the_new_one(self):
        found = [text == "precious" for done, text in self.steps(*NOT_PRIVATE, kill=True)]
        self.assertTrue(found[0])
        self.assertEqual(found, sorted(found, reverse=True))

    def test_the_file_and_then_its_folder_reach_the_disk(self):
        found = [text == "precious" for done, text in self.steps(*NOT_PRIVATE, only="fsync")]
        self.assertEqual(found, [True, False])

    def test_a_failure_leaves_no_other_file(self):
        names = {"model.json", "source.csv", "target.csv", "tmp"}
        for done, _ in self.steps(*NOT_PRIVATE):
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertEqual(set(os.listdir(self.directory)), names)

    def test_a_paid_model_is_in_its_place_or_rescued(self):
        for k, (done, text) in enumerate(self.steps(*PRIVATE)):
            place = PLACE.search(done.stderr)
            with self.subTest(step=k, message=done.stderr):
                # The trial and the room are before the payment; one of the last steps prints.
                self.assertEqual(place is None,
                                 k <= 1 or (done.returncode == 4 and text != "precious"))
                if place:
                    self.assertEqual(done.returncode, 5)
                    self.succeed("predict", "--model", place.group(1), "--data", self.target)


if __name__ == "__main__":
    unittest.main()
