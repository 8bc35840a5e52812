"""Process 1 of a cell, or (with ``plain`` as its argument, for trusted code only) a process of the host.

This file runs alone inside the sandbox, in the host's interpreter with nothing but the standard library: it is never
imported. It receives requests over a socket, one program at a time, and reports how each ended; between two programs no
other process exists here. Modules that take time to import (socket, signal, subprocess) are avoided on purpose.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import ctypes
import fcntl
import marshal
import os
import resource
import sys
import time
import warnings  # noqa: F401 - os.execvpe imports it, too late
from contextlib import suppress
from typing import Any

ALL = -1
CMSG_CLOEXEC = 0x40000000
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 4, 22, 24, 38, 36
CAP_SETPCAP, CAP_SYS_CHROOT, CAP_SYS_ADMIN = 8, 18, 21
CAPABILITY_VERSION = 0x20080522
SYS_OPEN_TREE = 428
HOST = "/run/judge/host"
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE, OPEN_TREE_CLONE, OPEN_TREE_CLOEXEC = -100, 0x8000, 1, os.O_CLOEXEC


def prctl(option: int, *values: Any) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    words = [v if not isinstance(v, int) else ctypes.c_ulong(v) for v in (*values, 0, 0, 0, 0)[:4]]
    if libc.prctl(option, *words) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def add_filter(program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    code = ctypes.create_string_buffer(program, len(program))
    structure = Program(len(program) // 8, ctypes.addressof(code))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_SECCOMP, 2, ctypes.byref(structure))


def checked(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), what)
    return result


def drop_capabilities() -> None:
    """Give up for ever what was only needed to get here, and for programs all that there is."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: of the first 32, then of the others
    checked(libc.capget(header, sets), "capget")
    if sets[0] >> CAP_SETPCAP & 1:
        with suppress(OSError):  # beyond the last one that this kernel has
            for capability in range(64):
                prctl(PR_CAPBSET_DROP, capability)
    for number in range(3):
        sets[number] &= ~(1 << CAP_SYS_CHROOT | 1 << CAP_SYS_ADMIN | 1 << CAP_SETPCAP)
    sets[2] = sets[5] = 0
    checked(libc.capset(header, sets), "capset")


def receive(channel: _socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """A request and its descriptors; None when the judge is gone."""
    head, control, _, _ = channel.recvmsg(4, _socket.CMSG_SPACE(4 * 64), CMSG_CLOEXEC)
    if len(head) < 4:
        return None
    files: list[int] = []
    for level, kind, data in control:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS:
            files += memoryview(data[: len(data) - len(data) % 4]).cast("i").tolist()
    size = int.from_bytes(head, "little")
    body = b""
    while len(body) < size:
        piece = channel.recv(size - len(body))
        if not piece:
            return None
        body += piece
    return marshal.loads(body), files


def become(request: dict[str, Any], files: list[int], errors: int) -> None:
    """In the child: take on the limits and the identity, and become the program. Returns only if that fails."""
    step = "broken"
    try:
        os.setsid()
        if request["nice"]:
            # The scheduler groups tasks by session, and weighs these groups by themselves.
            with suppress(OSError), open("/proc/self/autogroup", "w") as file:
                file.write(str(request["nice"]))
        # First away from the numbers that the program will see, then onto them.
        numbers = request["numbers"]
        floor = max(numbers) + 1
        high = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, floor) for file in (*files[: len(numbers)], errors)]
        errors = high[-1]
        joins = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, floor) for file in files[len(numbers) :]]
        for file, number in zip(high, numbers, strict=False):
            os.dup2(file, number)
        for which, soft, hard in request["rlimits"]:
            resource.setrlimit(which, (soft, hard))
        os.umask(0o022)
        # Last of all into the control groups: the work so far is not the program's.
        for file in joins:
            os.write(file, b"0")
        if request["uid"] is not None:
            os.setresgid(*[request["uid"]] * 3)
            os.setresuid(*[request["uid"]] * 3)
        if request["filter"]:
            add_filter(request["filter"])
        step = "chdir"
        os.chdir(request["cwd"])
        step = "exec"
        os.execvpe(request["argv"][0], request["argv"], request["env"])
    except OSError as error:
        os.write(errors, f"{step} {error.errno or 0}".encode())
    except BaseException as error:
        os.write(errors, f"broken 0 {error!r}"[:200].encode())


def run(request: dict[str, Any], files: list[int], channel: _socket.socket, plain: bool) -> None:
    """Start the program, report its process to the host, wait for its end, end everything else, report."""
    error_r, errors = os.pipe()
    if not plain:
        # Give each program the same process number: a higher one would reveal what earlier runs did.
        with suppress(OSError):
            file = os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(file, b"1")
            finally:
                os.close(file)
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        try:
            become(request, files, errors)
        finally:
            os._exit(127)
    os.close(errors)
    for file in files:
        os.close(file)
    failure = os.read(error_r, 300)  # empty: it has become the program
    os.close(error_r)
    if failure:
        os.waitpid(pid, 0)
        channel.sendall(b"failed " + failure + b"\n")
        return
    handle = os.pidfd_open(pid)
    # The process may have ended already, but we have not waited for it: no other can have its number.
    channel.sendmsg([b"started %d\n" % pid], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, handle.to_bytes(4, "little"))])
    os.close(handle)
    cpu = 0.0
    largest = blocks = 0
    status = 0
    ended = began
    main = False
    while True:
        try:
            gone, code, used = os.wait4(ALL, 0)
        except ChildProcessError:
            break
        if os.WIFSTOPPED(code):  # it has made us its tracer: only we are notified
            with suppress(ProcessLookupError):
                os.kill(gone, 9)
            continue
        cpu += used.ru_utime + used.ru_stime
        largest = max(largest, used.ru_maxrss)
        blocks += used.ru_inblock + used.ru_oublock
        if gone == pid:
            ended, status, main = time.monotonic(), code, True
        if main:
            if not plain:
                with suppress(ProcessLookupError):
                    os.kill(ALL, 9)
            else:
                for victim in [-pid, *descendants(os.getpid())]:
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(victim, 9)
    text = f"done {status} {ended - began:.6f} {cpu:.6f} {largest * 1024} {blocks * 512}\n"
    channel.sendall(text.encode())


def descendants(ancestor: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            parents.setdefault(parent, []).append(int(name))
    found = list(parents.get(ancestor, []))
    for pid in found:
        found += parents.get(pid, [])
    return found


def serve(channel: _socket.socket, plain: bool, hide: bool, numbers: list[int]) -> None:
    if not plain:
        # The rest of the sandbox, which bubblewrap cannot make.
        if os.getpid() != 1:
            raise SystemExit("the supervisor is not process 1 of a sandbox")
        libc = ctypes.CDLL(None, use_errno=True)
        for path in os.listdir(HOST) if os.path.isdir(HOST) else ():
            # All that we need of the host has been read. Programs have a system of their own.
            checked(libc.umount2(os.fsencode(f"{HOST}/{path}"), MNT_DETACH), "umount")
        with suppress(OSError):  # before Linux 5.2, and where a policy of the host forbids it
            flags = ctypes.c_uint(OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE)
            copy = checked(libc.syscall(SYS_OPEN_TREE, AT_FDCWD, b"/", flags), "open_tree")
            os.fchdir(copy)
            os.chroot(".")
        drop_capabilities()
        os.nice(numbers[0])
        for file in numbers[1:]:
            with open(file, "rb") as code:
                add_filter(code.read())
    # No handler may be left: process 1 is immune to signals that it does not handle. And programs inherit ignored ones.
    for number in range(1, 65):
        if number not in (9, 19, 32, 33):
            _signal.signal(number, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, [])
    if hide:
        prctl(PR_SET_DUMPABLE, 0)
    if plain:
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    elif os.getuid() == 0:
        os.setgroups([])
    channel.sendall(b"ready\n")
    while (request := receive(channel)) is not None:
        run(*request, channel, plain)


if __name__ == "__main__":
    number, *words = sys.argv[1:]
    os.set_inheritable(int(number), False)
    # How nice programs are, and the descriptors of the filters.
    numbers = [int(word) for word in words if word.isdigit()]
    serve(_socket.socket(fileno=int(number)), "plain" in words, "hide" in words, numbers)
