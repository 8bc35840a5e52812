"""Whose doing a program is, and what the filter lets through: no sandbox needed."""

from __future__ import annotations

import struct

import pytest

from rigorbench.sandbox.kit import bpf
from rigorbench.sandbox.record import seccomp
from rigorbench.sandbox.record.processes import Origin, Processes, ProcessWatch, StartedCommand, launches, origin_of


def words(*texts: str) -> list[bytes]:
    return [text.encode() for text in texts]


def command(origin: Origin, *argv: str) -> StartedCommand:
    return StartedCommand("c1", words(*argv), origin, None)


WRAPPER = command("agent", "bash", "-c", 'exec 0</dev/null; "$@"', "bash", "claude", "-p", "x")
SERVER = command("engine", "/var/tmp/.x/inspect-sandbox-tools", "server")


@pytest.mark.parametrize(
    ("parent", "argv", "in_place", "origin"),
    [
        (SERVER, ("bash", "-c", "claude"), False, "agent"),
        (SERVER, ("/var/tmp/.x/inspect-sandbox-tools", "model_proxy"), False, "engine"),
        (command("engine", "mkdir", "x"), ("anything",), False, "engine"),
        (command("agent", "claude", "-p", "do it"), ("/bin/bash", "-c", "pytest"), False, "tool"),
        (command("agent", "claude", "-p", "do it"), ("node", "cli.js"), True, "agent"),
        (command("tool", "bash", "-c", "make"), ("make",), True, "nested"),
        (command("tool", "bash", "-c", "make"), ("cc", "-c", "x.c"), False, "nested"),
        (command("nested", "make"), ("cc",), False, "nested"),
        (WRAPPER, ("claude", "-p", "x"), False, "agent"),
        (command("agent", "bash"), ("pytest", "-q"), False, "tool"),
    ],
)  # fmt: skip
def test_origins(parent: StartedCommand, argv: tuple[str, ...], in_place: bool, origin: str) -> None:
    assert origin_of(parent, words(*argv), in_place=in_place) == origin


@pytest.mark.parametrize(
    ("launcher", "argv", "is_launch"),
    [
        (("node", "/opt/codex/bin/codex.js", "exec", "fix"), ("/opt/codex/vendor/codex", "exec", "fix"), True),
        (("node", "/opt/codex/bin/codex.js"), ("/opt/codex/vendor/codex",), True),
        (("node", "/opt/gemini.js", "-p", "x"), ("node", "--max-old-space-size=1", "/opt/gemini.js", "-p", "x"), True),
        (("bash", "-c", "cd /work && claude -p 'fix it'"), ("claude", "-p", "fix it"), True),
        (("bash", "-lc", "cd /work && claude -p 'fix it'"), ("git", "status"), False),
        (("node", "/opt/codex/bin/codex.js", "exec", "fix"), ("bash", "-lc", "pytest"), False),
        (("claude", "-p", "run pytest"), ("git", "diff"), False),
        (("claude",), ("rg",), False),
        (("claude", "-p", "x"), ("bash", "-c", "exit 'unbalanced"), False),
        (("bash", "-c", "echo 'unbalanced"), ("echo",), False),
        ((), ("x",), False),
        (("x",), (), False),
    ],
)
def test_wrappers_of_agents(launcher: tuple[str, ...], argv: tuple[str, ...], is_launch: bool) -> None:
    assert launches(words(*launcher), words(*argv)) is is_launch


def test_an_orphan_belongs_to_the_engine_s_command_at_least() -> None:
    root = command("tool", "bash", "-c", "x")
    watch = ProcessWatch(root, pid=5, runner=4)
    assert Processes().parent(watch, 2**22 + 1, 1) is root
    assert Processes().parent(watch, 2**22 + 1, 4) is root


def decide(code: bytes, arch: int, number: int) -> int:
    """What the kernel would: the few instructions that the filter is made of."""
    lines = [struct.unpack("HBBI", code[at : at + 8]) for at in range(0, len(code), 8)]
    value = 0
    at = 0
    while True:
        operation, yes, no, k = lines[at]
        at += 1
        if operation == 0x20:
            value = {0: number, 4: arch}[k]
        elif operation == 0x15:
            at += yes if value == k else no
        elif operation == 0x35:
            at += yes if value >= k else no
        elif operation == 0x05:
            at += k
        else:
            assert operation == 0x06
            return k


NOTIFY, ALLOW, NOSYS = 0x7FC00000, 0x7FFF0000, 0x50000 | 38


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter(machine: str) -> None:
    code = seccomp.program(machine)
    own = {"x86_64": (bpf.X86_64, bpf.I386), "aarch64": (bpf.AARCH64, bpf.ARM)}
    for arch in own[machine]:
        for number in range(700):
            expected = NOTIFY if number in seccomp.CALLS[arch] else ALLOW
            assert decide(code, arch, number) == expected, (hex(arch), number)
    assert decide(code, 0xC0000016, 1) == NOSYS  # an interface that it was not written for
    if machine == "x86_64":
        for number in (59, 231, 520, 0):
            assert decide(code, bpf.X86_64, 0x40000000 | number) == NOSYS
