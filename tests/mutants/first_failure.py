"""first_failure.py PROGRAM: runs a test program until its first test fails; exits 1 then, else as
the program does. A mutant is dead at the first failure: the rest of its tests would prove nothing.
"""

import os
import signal
import subprocess
import sys


def main(program):
    child = subprocess.Popen(
        [program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    for line in child.stdout:
        sys.stdout.buffer.write(line)
        if line.startswith(b"[  FAILED  ]"):
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return 1
    return child.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
