"""What a program in a sandbox cannot see and cannot do."""

from __future__ import annotations

import asyncio
import os
import platform
import socket
import struct
from pathlib import Path
from typing import Any

import pytest

from rigorbench.base.data import PACKAGE
from rigorbench.sandbox.box import layout
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec
from rigorbench.sandbox.kit import hardening
from rigorbench.sandbox.kit.errors import SandboxError
from rigorbench.sandbox.kit.mount import Mount

from .conftest import InBox, sh

pytestmark = pytest.mark.bwrap


def test_nothing_of_the_host_but_a_read_only_system(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        top = set((await box.exec(["ls", "-A", "/"])).stdout.decode().split())
        system = {"bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr"}
        assert top - system == {"dev", "etc", "home", "proc", "run", "tmp", "var", "work"}
        assert (await box.exec(["find", "/home", "/run", "/var", "/tmp", "-mindepth", "1"])).stdout.split() == [
            b"/home/agent", b"/run/init", b"/var/tmp"
        ]  # fmt: skip
        for secret in (
            "shadow",
            "gshadow",
            "sudoers",
            "npmrc",
            "pip.conf",
            "ssh",
            "environment",
            "fstab",
            "machine-id",
        ):
            assert (await box.exec(["test", "-e", f"/etc/{secret}"])).status == 1, secret
        for place in ("/", "/usr", "/etc", "/dev", "/run", "/usr/bin/x", "/etc/passwd", "/home", "/var"):
            done = await box.exec(sh(f"echo x > {place}/new || echo x >> {place}"))
            assert done.status != 0, place
        assert (await box.exec(sh("echo x | tee /tmp/x /var/tmp/x /dev/shm/x ~/x /work/x"))).status == 0

    in_box(work)


def test_what_is_shown_can_be_read(in_box: InBox) -> None:
    """Node and Python die at once when there is an ``openssl.cnf`` that they may not open."""

    async def work(box: Box) -> bytes:
        return (await box.exec(sh("find /etc /run /home /var -xdev ! -readable ! -type l ! -path /run/init"))).stdout

    assert in_box(work) == b""


def test_mounts_and_namespaces_are_refused(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        for flag in ("-U", "-Ur", "-m", "-n", "-p", "-u", "-i", "-C"):
            done = await box.exec(["unshare", flag, "true"])
            assert done.status != 0, flag
            assert b"not permitted" in done.stderr, flag
        assert (await box.exec(["mount", "-t", "tmpfs", "x", "/tmp"])).status != 0
        assert (await box.exec(["nsenter", "-t", "1", "-m", "true"])).status != 0
        # What is refused in the kernel's newest way to make a process must work in the older one.
        assert (await box.exec(["python3", "-c", "import threading as t; t.Thread(target=print).start()"])).stdout

    in_box(work)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="system call numbers of x86_64")
@pytest.mark.parametrize(
    ("name", "number"),
    [("bpf", 321), ("keyctl", 250), ("perf_event_open", 298), ("io_uring_setup", 425), ("userfaultfd", 323),
     ("open_by_handle_at", 304), ("clone3 (as if it were unknown)", 435)],
)  # fmt: skip
def test_dangerous_calls_are_refused(in_box: InBox, name: str, number: int) -> None:
    program = f"import ctypes; c = ctypes.CDLL(None, use_errno=True); c.syscall({number}, 0, 0, 0, 0, 0); "
    program += "print(ctypes.get_errno())"

    async def work(box: Box) -> bytes:
        return (await box.exec(["python3", "-c", program])).stdout

    assert int(in_box(work)) == (38 if number == 435 else 1)


def test_the_filter_for_each_machine_ends_in_a_verdict() -> None:
    for machine in ("x86_64", "aarch64"):
        code = hardening.program(machine, fixed_cpus=True)
        assert code is not None
        lines = list(struct.iter_unpack("HBBI", code))
        assert len(lines) < 4096
        for at, (operation, yes, no, value) in enumerate(lines):
            steps = [value] if operation == 0x05 else [yes, no] if operation & 0x07 == 0x05 else []
            assert all(at + 1 + step < len(lines) for step in steps)
        assert lines[-1][0] == 0x06
    assert hardening.program("sparc64") is None


def test_there_is_no_network_but_itself(in_box: InBox) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
    talk = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); c = socket.create_connection(s.getsockname());"
        "c.send(b'x'); print(s.accept()[0].recv(1))"
    )

    async def work(box: Box) -> None:
        assert (await box.exec(["python3", "-c", talk])).stdout == b"b'x'\n"
        assert b"refused" in (await box.exec(["python3", "-c", connect])).stderr
        routes = (await box.exec(["cat", "/proc/net/dev"])).stdout.decode().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in routes] == ["lo"]
        outside = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
        assert b"unreachable" in (await box.exec(["python3", "-c", outside])).stderr

    with listener:
        in_box(work)


def test_a_network_is_there_when_asked_for(in_box: InBox) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]

    async def work(box: Box) -> int:
        return (
            await box.exec(["python3", "-c", f"import socket; socket.create_connection(('127.0.0.1', {port}))"])
        ).status

    with listener:
        assert in_box(work, network=True) == 0


def test_only_its_own_processes_show_and_ours_cannot_be_touched(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        pids = [int(p) for p in (await box.exec(sh("ls /proc | grep -x '[0-9]*'"))).stdout.split()]
        assert len(pids) < 10
        for pid in (1, *[p for p in pids if p != 1][:1]):
            for file in ("mem", "environ", "maps"):
                assert (await box.exec(["head", "-c1", f"/proc/{pid}/{file}"])).status != 0, (pid, file)
            assert (await box.exec(["ls", f"/proc/{pid}/root", f"/proc/{pid}/fd/"])).status != 0
        attach = "import ctypes, sys; print(ctypes.CDLL(None).ptrace(0x4206, 1, 0, 0))"
        assert (await box.exec(["python3", "-c", attach])).stdout == b"-1\n"
        assert (await box.exec(sh("kill -9 1; kill -STOP 1; echo alive"))).stdout == b"alive\n"
        assert (await box.exec(["echo", "there"])).stdout == b"there\n"
        shown = (await box.exec(["ps", "-eo", "args"])).stdout.decode()
        assert "python" not in shown
        assert "rigorbench" not in shown

    in_box(work)


def test_no_descriptor_leads_out(in_box: InBox) -> None:
    """The runner, which is one of ours, must not hold a file of the host open within reach."""

    async def work(box: Box) -> bytes:
        return (await box.exec(sh("readlink /proc/self/fd/* /proc/self/cwd /proc/self/root; ls -l /proc/*/fd"))).stdout

    for line in in_box(work).decode().splitlines():
        assert str(Path(__file__).parents[3]) not in line, line


def test_binds_show_read_only_at_their_place(in_box: InBox, tmp_path: Path) -> None:
    source = tmp_path / "tool"
    source.mkdir()
    source.chmod(0o755)
    (source / "file").write_text("content\n")

    async def work(box: Box) -> None:
        assert (await box.exec(["cat", "/opt/some/tool/file"])).stdout == b"content\n"
        assert (await box.exec(sh("echo x > /opt/some/tool/file"))).status != 0
        assert (await box.exec(["ls", "/opt/some"])).stdout == b"tool\n"
        assert (await box.exec(["ls", "-A", "/tests"])).stdout == b""
        assert (await box.exec(["touch", "/tests/x"])).status != 0

    in_box(work, binds=(Mount(str(source), "/opt/some/tool"),), decoys=("/tests",))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"root": "work"}, "absolute"),
        ({"root": "/usr/lib"}, "part of every sandbox"),
        ({"root": "/a/../b"}, "absolute"),
        ({"binds": (Mount("/no/such/file"),)}, "/no/such/file"),
        ({"binds": (Mount("/usr/bin", "/etc"),)}, "part of every sandbox"),
        ({"env": (("A=B", "x"),)}, "environment variable"),
        ({"decoys": ("tests",)}, "absolute"),
    ],
)
def test_a_wrong_specification_is_one_clear_line(tmp_path: Path, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(SandboxError, match=message) as caught:
        asyncio.run(Box.start(BoxSpec(str(tmp_path), **fields)))
    assert "\n" not in str(caught.value)


def test_bubblewrap_says_why_it_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SandboxError, match="does not start") as caught:
        asyncio.run(
            Box.start(
                BoxSpec(str(tmp_path / "box"), binds=(Mount(str(tmp_path), "/tmp/a"), Mount("/usr", "/tmp/a/file")))
            )
        )
    assert "\n" not in str(caught.value)


def test_a_journal_is_never_mixed_with_another(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "journal.jsonl").write_text("{}\n")
    with pytest.raises(SandboxError, match="already has the journal"):
        asyncio.run(Box.start(BoxSpec(str(tmp_path / "box"), capture=str(tmp_path / "run"))))


def test_the_root_of_the_host_finds_what_it_put_there_in_the_users_hands(tmp_path: Path) -> None:
    (tmp_path / "work" / "d").mkdir(parents=True)
    (tmp_path / "work" / "d" / "f").write_text("x")
    (tmp_path / "work" / "link").symlink_to("/etc/hostname")

    async def main() -> None:
        async with await Box.start(BoxSpec(str(tmp_path))) as box:
            assert (await box.exec(sh("echo y >> d/f && rm link && touch d/g"))).status == 0

    before = os.stat("/etc/hostname")
    asyncio.run(main())
    assert os.stat("/etc/hostname").st_uid == before.st_uid
    assert (tmp_path / "work" / "d" / "f").read_text() == "xy\n"
    assert layout.UID > 1000


def test_answer_keys_below_something_that_shows_do_not(in_box: InBox, tmp_path: Path) -> None:
    """An installation for all users lies below ``/usr``, one without an environment below the interpreter."""
    shown = tmp_path / "shown"
    (shown / "suites" / "task" / "tests").mkdir(parents=True)
    (shown / "suites" / "task" / "tests" / "test_hidden.py").write_text("secret")
    (shown / "tool").write_text("not secret")
    (tmp_path / "link").symlink_to(shown / "suites")
    for place in (tmp_path, shown, shown / "suites", shown / "tool"):
        place.chmod(0o755 if place.is_dir() else 0o644)
    package = PACKAGE

    async def work(box: Box) -> None:
        assert (await box.exec(["cat", "/opt/shown/tool"])).stdout == b"not secret"
        found = await box.exec(["find", "/opt/shown/suites", "-mindepth", "1"])
        assert (found.stdout, found.status) == (b"", 0)
        assert (await box.exec(sh("echo x > /opt/shown/suites/new"))).status != 0
        assert (await box.exec(["find", f"/opt/ours/{package.name}", "-mindepth", "1"])).stdout == b""

    in_box(
        work,
        binds=(Mount(str(shown), "/opt/shown"), Mount(str(package.parent), "/opt/ours")),
        hidden=(str(tmp_path / "link"),),
    )
