"""Long calls: KeyboardInterrupt stops them, and `verbose` shows their progress."""

import ctypes
import sys
import threading

from ._call import Handle, call
from ._library import PROGRESS, Progress

NONE = ctypes.cast(None, PROGRESS)


def run(work, options, verbose=False):
    """work(), a call that reads these options, in a thread of its own. So an exception that a
    signal raises here reaches the library as a request to cancel, and goes on when it stops."""
    token = Handle("cancel", "dpa_cancel_create")
    shown = _Bar() if verbose else None
    told = PROGRESS(shown.tell) if verbose else NONE
    call("dpa_options_set_cancel", options, token)
    call("dpa_options_set_progress", options, told, None)
    outcome, done = {"kept": (token, told, options)}, threading.Event()
    first = threading.Lock()  # taken by the thread, or by an exception that comes before it

    def target():
        if not first.acquire(blocking=False):
            return
        try:
            outcome["value"] = work()
        except BaseException as error:  # raised again below
            outcome["error"] = error
        finally:
            done.set()

    try:
        threading.Thread(target=target, name="dpadapt").start()
        while not done.wait(0.5):  # a limit, or Windows would not look at signals
            pass
    except BaseException:
        if not first.acquire(blocking=False):
            call("dpa_cancel_request", token)
            done.wait()
        raise
    finally:
        if shown:
            shown.close()
        call("dpa_options_set_cancel", options, None)
        call("dpa_options_set_progress", options, NONE, None)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


def solve(problem, options, baseline=None, verbose=False):
    """The handle of a fit's solution, by the adaptation or by the baseline of that name."""
    maker, how = ("dpa_baseline_solve", baseline) if baseline else ("dpa_solve", None)
    return run(lambda: Handle("solution", maker, problem, how, options), options, verbose)


class _Bar:
    """A bar of tqdm for each phase, or a line on standard error where there is no tqdm."""

    def __init__(self):
        self.bar, self.phase = None, None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self.tqdm = tqdm

    def tell(self, progress, _user):
        """Called by the library. An exception must not leave; a broken display stops nothing."""
        try:
            self._show(ctypes.cast(progress, ctypes.POINTER(Progress)).contents)
        except Exception:
            pass
        return 0

    def _show(self, now):
        phase = now.phase.decode()
        if phase != self.phase:
            self.close()
            self.phase = phase
            if self.tqdm:
                self.bar = self.tqdm(desc=phase, total=now.limit or None, leave=False)
            else:
                print(f"dpadapt: {phase}", file=sys.stderr)
        if self.bar is not None:
            self.bar.update(now.iteration - self.bar.n)

    def close(self):
        if self.bar is not None:
            self.bar.close()
            self.bar = None
