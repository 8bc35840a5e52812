"""The system call filter, run by a small interpreter of the kernel's classic BPF."""

from __future__ import annotations

import struct

import pytest

from rigorbench.sandbox.cell import filter

X86, I386, ARM = 0xC000003E, 0x40000003, 0xC00000B7
ALLOW = 0x7FFF0000


def decide(program: bytes, arch: int, number: int, first: int = 0, second: int = 0) -> int:
    data = struct.pack("IIQQQ", number, arch, 0, first, second)
    lines = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
    accumulator, at = 0, 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        if code == 0x20:
            accumulator = int(struct.unpack_from("I", data, value)[0])
        elif code == 0x15:
            at += yes if accumulator == value else no
        elif code == 0x45:
            at += yes if accumulator & value else no
        elif code == 0x05:
            at += value
        else:
            assert code == 0x06
            return int(value)


@pytest.mark.parametrize(
    ("machine", "arch", "read", "prlimit", "new_socket", "fallocate", "refused"),
    [
        ("x86_64", X86, 0, 302, 41, 285, (29, 203, 188)),
        ("x86_64", I386, 3, 340, 359, 324, (102, 117, 241)),
        ("aarch64", ARM, 63, 261, 198, 47, (194, 122, 5)),
    ],
)
def test_what_is_refused(
    machine: str, arch: int, read: int, prlimit: int, new_socket: int, fallocate: int, refused: tuple[int, ...]
) -> None:
    program = filter.program(machine)
    assert decide(program, arch, read) == ALLOW
    for number in refused:
        assert decide(program, arch, number) != ALLOW
    # Limits of oneself, sockets between own processes, space that a limit of sizes holds.
    assert decide(program, arch, prlimit, 0) == ALLOW
    assert decide(program, arch, prlimit, 1) != ALLOW
    assert decide(program, arch, new_socket, 1) == ALLOW
    assert decide(program, arch, new_socket, 2) != ALLOW
    assert decide(program, arch, fallocate, 3, 0) == ALLOW
    assert decide(program, arch, fallocate, 3, 1) != ALLOW
    assert filter.program("vax") is None


@pytest.mark.parametrize(
    ("machine", "arch", "clone", "forks"),
    [("x86_64", X86, 56, (57, 58)), ("x86_64", I386, 120, (2, 190)), ("aarch64", ARM, 220, ())],
)
def test_threads_may_start_where_processes_may_not(machine: str, arch: int, clone: int, forks: tuple[int, ...]) -> None:
    program = filter.no_forks(machine)
    thread = 0x3D0F00  # what pthread_create asks for
    assert decide(program, arch, clone, thread) == ALLOW
    assert decide(program, arch, clone, 0x100 | 0x400 | 17) == ALLOW  # LeakSanitizer's tracer shares the memory
    assert decide(program, arch, clone, 17) != ALLOW  # fork
    assert decide(program, arch, clone, 0x4111) != ALLOW  # vfork, posix_spawn
    for number in forks:
        assert decide(program, arch, number) != ALLOW
