"""A temporary server of PostgreSQL with the extension, on a Unix socket, and sessions of psql.

The programs of the server are copied, because they look for extensions beside themselves; so the
test installs nothing in the folders of the system. The server runs as the user postgres if the test
is root's, which it refuses.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

BUILD = os.environ["DPADAPT_BUILD"]
PG_CONFIG = os.environ["DPADAPT_PG_CONFIG"]
USER = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
# A server has as many threads of OpenBLAS as it likes; but kernels as in the test, for equal bits.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name != "OPENBLAS_NUM_THREADS" and not name.startswith("PG")}
ENVIRONMENT |= {"LC_ALL": "C"}


class Failed(RuntimeError):
    """A script that psql did not finish; the text is its standard error."""


def facts():
    lines = subprocess.run([PG_CONFIG], check=True, text=True, stdout=subprocess.PIPE).stdout
    return dict(line.split(" = ", 1) for line in lines.splitlines())


def mirror(folder, root, copied=()):
    """A folder of the system below root: links, but for what is a folder or copied."""
    new = Path(f"{root}{folder}")
    new.mkdir(parents=True, exist_ok=True)
    for entry in Path(folder).iterdir():
        if entry.is_dir() and entry.name == "extension":
            mirror(entry, root)
        elif entry.name in copied:
            shutil.copy2(entry, new)
        elif not (new / entry.name).exists():
            (new / entry.name).symlink_to(entry)


# Who protects rows and who fits to them.
ROLES = """
CREATE EXTENSION dpadapt;
CREATE ROLE custodian LOGIN;
CREATE ROLE analyst LOGIN;
GRANT USAGE ON SCHEMA dpadapt TO custodian, analyst;
GRANT EXECUTE ON FUNCTION dpadapt.protect, dpadapt.allow, dpadapt.disallow, dpadapt.pass,
    dpadapt.pass_rows TO custodian;
GRANT EXECUTE ON FUNCTION dpadapt.fit, dpadapt.plan, dpadapt.evaluate, dpadapt.calibrate TO analyst;
GRANT CREATE ON SCHEMA public TO custodian;
"""


def protected(table, epsilon, delta=1e-6, options="", more=""):
    """Statements by which the analyst may spend all of it."""
    return (f"SELECT dpadapt.protect('{table}', {epsilon}, {delta}, '{options}'{more});"
            f"SELECT dpadapt.allow('{table}', 'analyst', {epsilon}, {delta}, '{options}');")


class Cluster:
    def __init__(self):
        self.root = Path(tempfile.mkdtemp(prefix="dpadapt-"))
        self.log = self.root / "log"
        self.data = self.root / "data"
        config = facts()
        subprocess.run(["cmake", "--install", BUILD, "--component", "postgres"], check=True,
                       stdout=subprocess.DEVNULL, env=os.environ | {"DESTDIR": str(self.root)})
        mirror(config["BINDIR"], self.root, ("postgres", "initdb", "pg_ctl", "pg_upgrade"))
        mirror(config["SHAREDIR"], self.root)
        mirror(config["PKGLIBDIR"], self.root)
        self.programs = Path(f"{self.root}{config['BINDIR']}")
        os.chmod(self.root, 0o755)
        if USER:
            os.chown(self.root, pwd.getpwnam("postgres").pw_uid, -1)
        self.make(self.data)
        self.start()

    def make(self, data):
        self.run("initdb", "--no-sync", "--auth=trust", "--username=postgres", f"--pgdata={data}")

    def run(self, program, *arguments):
        subprocess.run([self.programs / program, *arguments], check=True, cwd=self.root,
                       env=ENVIRONMENT, stdout=subprocess.DEVNULL, **USER)

    def start(self):
        self.server = None
        for _ in range(600):
            # After a crash the first ones give up while processes of the old server are there.
            if self.server is None or self.server.poll() is not None:
                self.server = self.launch()
            session = self.psql("postgres")
            session.communicate()
            if session.returncode == 0:
                return
            time.sleep(0.1)
        raise Failed(self.log.read_text())

    def launch(self, data=None, socket=None):
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                [self.programs / "postgres", "-D", data or self.data, "-k", socket or self.root,
                 "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB"],
                cwd=self.root, env=ENVIRONMENT, stdout=log, stderr=log, **USER)

    def kill(self):
        """As a crash of the machine, but for the disk."""
        self.server.kill()
        self.server.wait()

    def end(self):
        self.server.send_signal(signal.SIGINT)  # ends sessions
        self.server.wait(timeout=30)

    def stop(self):
        self.server.send_signal(signal.SIGINT)
        try:
            self.server.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
            raise
        finally:
            shutil.rmtree(self.root, ignore_errors=True)

    def psql(self, role, **keywords):
        """A session that is left open."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [self.programs / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.root, "-U", role,
             "-d", "postgres"], text=True, env=ENVIRONMENT, **(pipes | keywords))

    def dump(self, database="postgres", more=()):
        """A script of pg_dump."""
        return subprocess.run(
            [self.programs / "pg_dump", "-h", self.root, "-U", "postgres", *more, database],
            check=True, text=True, env=ENVIRONMENT, stdout=subprocess.PIPE).stdout

    def sql(self, script, role="postgres"):
        """What the script prints."""
        session = self.psql(role)
        printed, errors = session.communicate(script, timeout=100)
        if session.returncode:
            raise Failed(errors)
        return printed.strip()


class Session:
    """A session that stays open for many scripts; errors do not end it, and are printed."""

    def __init__(self, cluster, role):
        self.psql = cluster.psql(role, stderr=subprocess.STDOUT)
        self.run("\\set ON_ERROR_STOP 0")
        self.pid = int(self.run("SELECT pg_backend_pid();"))

    def begin(self, script):
        self.psql.stdin.write(script + "\n\\echo that is all\n")
        self.psql.stdin.flush()

    def end(self):
        """What was printed since the script began."""
        lines = []
        for line in self.psql.stdout:
            if line == "that is all\n":
                return "".join(lines).strip()
            lines.append(line)
        raise Failed("".join(lines))

    def run(self, script):
        self.begin(script)
        return self.end()

    def cpu(self):
        """Seconds of its backend."""
        return time.clock_gettime((~self.pid << 3) | 2)  # as clock_getcpuclockid has it

    def close(self):
        self.psql.communicate()
