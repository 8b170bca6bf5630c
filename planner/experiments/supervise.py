"""The supervisor process of a job, which ends all processes of the job when the job ends or must be stopped.

It is run as `python supervise.py MEMORY_BYTES COMMAND…` (0 means no memory limit). The command runs in a session of its
own. The supervisor kills it, and all processes that it started, when the command ends, when the processes together
exceed the memory limit, or when the standard input of the supervisor closes, which also happens if the sweep dies.

- As a "child subreaper" the supervisor becomes the parent of every orphan below it, so a process that leaves its group
  or session is still found: the tree is killed until the supervisor has no child left.
- Should the supervisor itself be killed, the kernel kills the command (PR_SET_PDEATHSIG).

Exit codes: the command's own; 128 + the signal that ended it; MEMORY_EXIT; STOPPED_EXIT. Linux only, standard library
only: it must start fast.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys

if sys.platform == "linux":
    import resource

MEMORY_EXIT = 122
STOPPED_EXIT = 130
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.05


def _prctl(option: int, value: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")


def _start(command: list[str], memory: int, parent: int) -> int:
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(STOPPED_EXIT)
        if memory:
            # The kernel enforces this limit if memory grows quickly between two measurements.
            ceiling = memory + memory // 4 + (256 << 20)
            resource.setrlimit(resource.RLIMIT_DATA, (ceiling, ceiling))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(127)


def _children(pid: int) -> list[int]:
    """The children of a process, collected over its threads, because the kernel lists children per thread."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    except OSError:  # the process has just ended, so its children become children of the supervisor
        pass
    return found


def _descendants() -> list[int]:
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        parent = waiting.pop()
        children = _children(parent)
        found += children
        waiting += children
    return found


def _memory_of(pid: int) -> int:
    """The resident memory of a process in bytes, without shared pages of files and libraries."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            resident, shared = file.read().split()[1:3]
    except OSError:
        return 0
    return (int(resident) - int(shared)) * resource.getpagesize()


def _kill_all() -> None:
    """Kills all descendants; they are stopped first, so that none forks while the list is read."""
    while True:
        for pid in _descendants():
            _signal(pid, signal.SIGSTOP)
        for pid in _descendants():
            _signal(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _watch(child: int, memory: int, wake: int) -> int:
    """Waits until the command ends or must be killed; returns the exit code of the supervisor."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if pid:
            continue
        readable, _, _ = select.select([0, wake], [], [], _POLL_SECONDS)
        if wake in readable:
            os.read(wake, 4096)
        if 0 in readable and not os.read(0, 4096):
            return STOPPED_EXIT
        if memory and sum(map(_memory_of, _descendants())) > memory:
            return MEMORY_EXIT


def supervise(command: list[str], memory: int) -> int:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: os._exit(_stop()))
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    child = _start(command, memory, os.getpid())
    try:
        return _watch(child, memory, wake)
    finally:
        _kill_all()


def _stop() -> int:
    _kill_all()
    return STOPPED_EXIT


if __name__ == "__main__":
    sys.exit(supervise(sys.argv[2:], int(sys.argv[1])))
