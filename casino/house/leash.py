"""Start a program that cannot outlive its parent.

    leash.py PARENT SIGNAL USER LOCK exec PROGRAM [ARGUMENT...]
    leash.py PARENT SIGNAL USER LOCK module MODULE [ARGUMENT...]
    leash.py PARENT SIGNAL USER LOCK path FILE [ARGUMENT...]

PARENT is the process id that must be our parent, SIGNAL what the kernel sends when it is gone,
USER `uid:gid` to become or `-`, LOCK a file to hold locked as long as the program and all that
it forks live, or `-`. `exec` replaces this process; `module` and `path` run Python inside it, so
that children which that Python forks (a worker's pool) are on the same leash.

Only the standard library, and nothing of this project: it also runs as `python -I -S leash.py`.
"""

import ctypes
import fcntl
import os
import runpy
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with(parent: int, number: int) -> None:
    """Have the kernel send us `number` when `parent` ends; end at once if it has."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def hold_lock(path: str) -> None:
    """Wait for the lock; the descriptor is inherited, so it ends with the last process of ours."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.set_inheritable(descriptor, True)


def become(user: str) -> None:
    uid, gid = (int(part) for part in user.split(":"))
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)


def leash_forks(number: int) -> None:
    """Children forked by Python die with the process that forked them."""
    forker = [0]

    def before() -> None:
        forker[0] = os.getpid()

    os.register_at_fork(before=before, after_in_child=lambda: die_with(forker[0], number))


def main(arguments: list[str]) -> None:
    parent, number, user, lock, how, program, *rest = arguments
    for restored in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(restored, signal.SIG_DFL)
    die_with(int(parent), int(number))
    if lock != "-":
        hold_lock(lock)
    if user != "-":
        become(user)
        die_with(int(parent), int(number))  # a change of user clears it
    if how == "exec":
        os.execv(program, [program, *rest])  # noqa: S606 - no shell is what we want
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    leash_forks(int(number))
    sys.argv = [program, *rest]
    if how == "module":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
