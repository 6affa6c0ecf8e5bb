"""Commands that pay once under a name."""

import fcntl
import hashlib
import json
import os
import stat
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PROGRAM, csv_text, linear_rows
from job_case import SMALL, JobCase

FAIL_AT = os.environ.get("DPADAPT_FAIL_AT")
BLOCK = 4096


class Job(JobCase):
    def setUp(self):
        super().setUp()
        self.fit = ("fit", *self.files, *SMALL, "--output", self.model, *self.job())

    def test_the_second_call_answers_and_pays_nothing(self):
        first = self.succeed(*self.fit)
        model = Path(self.model).read_bytes()
        os.unlink(self.model)
        self.assertEqual(self.succeed(*self.fit), first)
        self.assertEqual(Path(self.model).read_bytes(), model)
        self.assertEqual(stat.S_IMODE(os.stat(self.model).st_mode), 0o600)
        entry, = self.entries()
        self.assertRegex(entry["options"],
                         r"\Ajob=weekly/0:[0-9a-f]{32} epsilon=0.05 delta=1e-06\Z")

    def test_its_file_is_the_owner_s_and_has_no_secret_in_the_end(self):
        self.begun(self.fit)
        self.assertEqual(stat.S_IMODE(os.stat(self.job_file()).st_mode), 0o600)
        self.succeed(*self.fit)
        self.assertEqual(stat.S_IMODE(os.stat(self.job_file()).st_mode), 0o600)
        self.assertEqual(self.state(), "done")
        self.assertNotIn("secret", json.loads(self.job_file().read_text()))
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()),
                         sorted(["budget", self.job_file().name, "model.json", "source.csv",
                                 "target.csv"]))

    def begun(self, call):
        """What the file of a job says that its ledger refuses, and another ledger may pay for."""
        os.unlink(self.ledger)
        self.init("0.001", "0.0005")
        self.fail_with(6, *call)
        os.unlink(self.ledger)
        self.init()
        self.assertEqual(self.state(), "begun")
        return json.loads(self.job_file().read_text())

    def digests(self, salt):
        return [hashlib.blake2b(Path(path).read_bytes(), key=bytes.fromhex(salt),
                                digest_size=32).hexdigest()
                for path in (self.source, self.target)]

    def test_the_noise_follows_from_the_secret_the_files_and_the_arguments(self):
        call = ("fit", *self.files, *SMALL, "--json", *self.job())
        file = self.begun(call)
        self.assertEqual(file["files"], self.digests(file["salt"]))
        found = [self.finished_elsewhere(call, "weekly") for _ in range(2)]
        self.assertEqual(found[0], found[1])

        def finished(*more, **changes):
            self.job_file().write_text(json.dumps(file | changes))
            found.append(self.finished_elsewhere((*call, *more), "weekly"))
        finished(secret=file["secret"][::-1])
        finished("--report", self.path("report.json"),
                 request=file["request"] | {"--report": ".json"})
        Path(self.target).write_text(Path(self.target).read_text().replace("x1", '"x1"'))
        finished(files=self.digests(file["salt"]))  # of the same rows
        self.assertEqual(len(set(map(tuple, found))), 4)

    def test_a_file_that_changes_while_it_is_read(self):
        self.begun(self.fit)
        with open(self.ledger, "rb") as ledger:
            fcntl.flock(ledger, fcntl.LOCK_EX)
            process = subprocess.Popen([PROGRAM, *self.fit], stderr=subprocess.PIPE, text=True)
            while not self.has_open(process, self.ledger):  # its digests are taken
                time.sleep(0.01)
            self.write("target.csv", csv_text(FEATURES + ["y"], linear_rows(25, 0.5, 9)))
        self.assertIn("changed while it was read", process.communicate()[1])
        self.assertEqual(process.returncode, 3)
        self.assertEqual(self.entries(), [])

    def has_open(self, process, path):
        self.assertIsNone(process.poll())
        return any(os.path.realpath(file) == os.path.realpath(path)
                   for file in Path(f"/proc/{process.pid}/fd").iterdir())

    def test_two_jobs_have_other_noise(self):
        fit = ("fit", *self.files, *SMALL, "--json")
        one, other = (self.released(*fit, *self.job(name)) for name in "ab")
        self.assertNotEqual(one, other)
        self.assertEqual(len(self.entries()), 2)

    def test_every_command_with_a_ledger(self):
        self.succeed("fit", *self.files, *SMALL, "--output", self.model)
        other = self.write("other.csv", csv_text(FEATURES + ["y"], linear_rows(40, 0.5, 3)))
        unseen = ("--model", self.model, "--data", other)
        for number, (command, paid) in enumerate((
                (("fit", *self.files, "--holdout", "0.3"), 2),
                (("baseline", "ada_ssp", *self.files), 1), (("discrepancy", *self.files), 1),
                (("compare", *self.files), 2), (("evaluate", *unseen), 1),
                (("calibrate", *unseen, "--output", self.path("sure.json")), 1),
                (("select", *self.files, "--grid", "shrinkage=2,3", "--set",
                  "selection_epsilon=0.1", "--set", "selection_bound=4"), 3))):
            with self.subTest(command[0]):
                before = len(self.entries())
                call = (*command, *SMALL, "--json", *self.job(f"job{number}"))
                first = self.succeed(*call)
                self.assertEqual(self.succeed(*call), first)
                self.assertEqual(len(self.entries()), before + paid)

    def test_another_call_is_refused(self):
        self.succeed(*self.fit)
        refused = self.fail_with(2, *self.fit, "--set", "alpha=0.5")
        self.assertIn("other arguments", refused)
        self.write("target.csv", csv_text(FEATURES + ["y"], linear_rows(25, 0.5, 9)))
        self.assertIn("another content of --target", self.fail_with(2, *self.fit))
        self.assertEqual(len(self.entries()), 1)

    def test_every_file_of_a_call_is_watched(self):
        self.succeed("fit", *self.files, *SMALL, "--output", self.model)
        rows = [[*row, name] for name in ("source", "target")
                for row in getattr(self, name + "_rows")]
        both, judges = (self.write(name, csv_text([*FEATURES, "y", "domain"], rows))
                        for name in ("both.csv", "judges.csv"))
        factors = self.write("map.csv", "column,x1\nx1,2\n")
        choose = ("select", *self.files, "--grid", "shrinkage=2,3", "--set",
                  "selection_epsilon=0.1", "--set", "selection_bound=4")
        for number, (flag, path, command) in enumerate((
                ("--source", self.source, ("fit", *self.files[2:])),
                ("--target", self.target, ("fit", *self.files[:2], *self.files[4:])),
                ("--data", both, ("fit", *self.files[4:])),
                ("--source-map", factors, ("fit", *self.files)),
                ("--test", judges, ("compare", *self.files)),
                ("--validation", judges, choose),
                ("--data", judges, ("evaluate", "--model", self.model)),
                ("--model", self.model, ("evaluate", "--data", judges)))):
            call = (*command, flag, path, *SMALL, *self.job(f"job{number}"))
            self.succeed(*call)
            with open(path, "a", encoding="utf-8") as file:
                file.write("\n")
            with self.subTest(flag, command=command[0]):
                self.assertIn(f"another content of {flag} {path}", self.fail_with(2, *call))

    def test_a_lost_file_is_no_reason_to_pay_again(self):
        self.succeed(*self.fit)
        os.unlink(self.job_file())
        self.assertIn("is gone", self.fail_with(2, *self.fit))
        self.assertEqual(len(self.entries()), 1)

    def test_what_is_refused_pays_nothing_and_may_be_changed(self):
        big = ("fit", *self.files, "--set", "epsilon=9", "--set", "delta=1e-6", *self.job())
        self.fail_with(6, *big)
        self.succeed(*self.fit)
        self.assertEqual(len(self.entries()), 1)

    def test_a_job_may_use_all_of_a_budget(self):
        whole = ("fit", *self.files, "--set", "epsilon=1.5", "--set", "delta=1e-4", *self.job())
        self.succeed(*whole)
        self.succeed(*whole)
        self.fail_with(6, *whole[:-1], "other")

    def test_processes_side_by_side(self):
        for jobs in range(1, 7):  # the race is short
            call = ("fit", *self.files, *SMALL, "--json", *self.job(f"together-{jobs}"))
            with ThreadPoolExecutor(4) as pool:
                found = list(pool.map(lambda _: self.released(*call), range(4)))
            self.assertTrue(all(values == found[0] for values in found))
            self.assertEqual(len(self.entries()), jobs)

    def test_usage(self):
        fit = ("fit", *self.files, *SMALL)
        self.fail_with(2, *fit, "--job", "weekly")
        self.fail_with(2, *fit, *self.job("no/name"))
        self.fail_with(2, *fit, *self.job(), "--dry-run")
        self.fail_with(2, *fit, *self.job(), "--memory", "1M")
        self.fail_with(2, *fit, *NOT_PRIVATE, *self.job())
        os.mkfifo(self.job_file("pipe"))
        self.assertIn("is no file of a job", self.fail_with(3, *fit, *self.job("pipe")))
        with open(self.target, encoding="utf-8") as target:
            self.fail_with(2, *fit[:3], "--target", "-", *fit[5:], *self.job(), stdin=target)
        self.assertEqual(self.entries(), [])

    def test_kills_at_random_moments(self):
        self.kill_at_random(10, 1)

    @unittest.skipUnless(FAIL_AT, "needs what makes steps fail")
    def test_every_step(self):
        between = 0
        for kill in (False, True):
            for at in range(1, 100):
                name = f"step{at}{kill}"
                call = ("fit", *self.files, *SMALL, "--json", "--output", self.model,
                        *self.job(name))
                environment = os.environ | {"LD_PRELOAD": FAIL_AT, "FAIL_AT": str(at),
                                            "ASAN_OPTIONS": "verify_asan_link_order=0"}
                if kill:
                    environment["FAIL_BY_KILL"] = "1"
                code = self.run_cli(*call, env=environment).returncode
                if os.path.getsize(self.ledger) % BLOCK:  # as a kernel never leaves it
                    os.truncate(self.ledger, os.path.getsize(self.ledger) // BLOCK * BLOCK)
                with self.subTest(step=at, kill=kill):
                    paid = len(self.entries())
                    self.assertLessEqual(paid, 1)
                    promised = None
                    if paid and self.state(name) != "done":
                        between += 1
                        promised = self.finished_elsewhere(call, name)
                    values = self.released(*call)
                    self.assertEqual(promised or values, values)
                    self.assertEqual(len(self.entries()), 1)
                os.unlink(self.ledger)
                self.init()
                if code == 0:
                    break
            self.assertGreater(at, 15)
        self.assertGreater(between, 2)

    def kill_between_payments(self, number, command, paid):
        """Kills at every step; the second call pays for what is left. Returns how often a part was
        paid."""
        parts = 0
        for at in range(1, 100):
            call = (*command, "--json", *self.job(f"part{number}-{at}"))
            code = self.run_cli(*call, env=os.environ | {
                "LD_PRELOAD": FAIL_AT, "FAIL_AT": str(at), "FAIL_BY_KILL": "1",
                "ASAN_OPTIONS": "verify_asan_link_order=0"}).returncode
            os.truncate(self.ledger, os.path.getsize(self.ledger) // BLOCK * BLOCK)
            parts += 0 < len(self.entries()) < paid
            self.assertEqual(self.succeed(*call), self.succeed(*call))
            self.assertEqual(len(self.entries()), paid)
            os.unlink(self.ledger)
            self.init("0.75", "0.1")
            if code == 0:
                return parts
        self.fail("there is always a step that fails")

    @unittest.skipUnless(FAIL_AT, "needs what makes steps fail")
    def test_every_step_between_payments_that_use_all_of_a_budget(self):
        os.unlink(self.ledger)
        self.init("0.75", "0.1")
        most = ("--set", "epsilon=0.4", "--set", "delta=3e-5")
        for number, (command, paid) in enumerate((
                (("compare", *self.files, *most), 2),
                (("fit", *self.files, *most, "--holdout", "0.3"), 2),
                (("select", *self.files, "--set", "epsilon=0.3", "--set", "delta=3e-5", "--grid",
                  "shrinkage=2,3", "--set", "selection_epsilon=0.1", "--set",
                  "selection_bound=4"), 3))):
            with self.subTest(command[0]):
                self.assertGreater(self.kill_between_payments(number, command, paid), 1)


if __name__ == "__main__":
    unittest.main()
