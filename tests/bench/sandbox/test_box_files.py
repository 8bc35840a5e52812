"""Files of a sandbox, read and written from outside: always as its user, always in its view."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from rigorbench.sandbox.box import directories
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.limits import tree_size
from rigorbench.sandbox.kit import trees

from .conftest import InBox, sh

pytestmark = pytest.mark.bwrap


def test_writing_and_reading(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        for path in ("a", "new/deep/b", "/tmp/new/c", "/home/agent/.config/d", "/var/tmp/e", "/dev/shm/f"):
            await box.write(path, path.encode())
            assert await box.read(path) == path.encode()
            await box.write(path, b"")
            assert await box.read(path) == b""
        owners = (await box.exec(["stat", "-c", "%U %a", "new/deep", "a"])).stdout
        assert owners == b"agent 755\nagent 644\n"
        await box.write("large", b"x" * (20 << 20))
        assert len(await box.read("large")) == 20 << 20
        assert await box.read("large", 10) == b"x" * 11
        assert b"localhost" in await box.read("/etc/hosts")
        assert b"MemTotal" in await box.read("/proc/meminfo")

    in_box(work)


def test_errors_are_those_of_the_user_inside(in_box: InBox) -> None:
    async def work(box: Box) -> None:
        await box.exec(
            sh("touch unreadable; chmod 000 unreadable; mkfifo pipe; mkdir closed; touch closed/f; chmod 0 closed")
        )
        wrong: list[tuple[type[OSError], str, bool]] = [
            (FileNotFoundError, "nothing", False),
            (FileNotFoundError, "no\0thing", False),
            (FileNotFoundError, "a/b/c", False),
            (IsADirectoryError, "/etc", False),
            (IsADirectoryError, ".", True),
            (PermissionError, "unreadable", False),
            (PermissionError, "unreadable", True),
            (PermissionError, "closed/f", False),
            (OSError, "/etc/passwd", True),
            (OSError, "/usr/new", True),
            (OSError, "pipe", False),
            (OSError, "pipe", True),
            (OSError, "/dev/zero", False),
            (NotADirectoryError, "unreadable/x", True),
        ]
        for kind, path, write in wrong:
            with pytest.raises(kind):
                os.close(await box.open(path, write=write))
            assert b"root" in await box.read("/etc/passwd")

    in_box(work)


def test_links_lead_where_they_lead_inside(in_box: InBox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    secret.chmod(0o666)
    tmp_path.chmod(0o755)
    up = "../" * 30

    async def work(box: Box) -> None:
        links = {"abs": str(secret), "rel": up + str(secret), "etc": "/etc/shadow", "up": up + "etc/shadow"}
        for name, target in links.items():
            await box.exec(["ln", "-s", target, name])
            with pytest.raises(FileNotFoundError):
                await box.read(name)
        with pytest.raises(FileNotFoundError):
            await box.read(up + str(secret))
        # As a directory on the way, too, and when writing: the directories are then made inside, or refused.
        await box.exec(["ln", "-s", str(tmp_path), "dir"])
        with pytest.raises(OSError, match="secret"):
            await box.read("dir/secret")
        await box.write(str(secret), b"inside")
        await box.write("abs", b"inside, too")
        assert await box.read(str(secret)) == b"inside, too"
        await box.exec(sh("ln -s /etc/passwd passwd; ln -s /tmp/target ok"))
        assert b"agent" in await box.read("passwd")  # the sandbox's own
        await box.write("ok", b"through a link")
        assert await box.read("/tmp/target") == b"through a link"

    in_box(work)
    assert secret.read_text() == "of the host"


def test_a_path_that_changes_all_the_time_never_leads_out(in_box: InBox, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("of the host")
    outside.chmod(0o777)
    (outside / "file").chmod(0o666)
    tmp_path.chmod(0o755)
    swap = (
        "mkdir -p real; echo inside > real/file; "
        f"while :; do ln -sfn {outside} d; ln -sfn real d; ln -sfn ../../../../..{outside} d; done"
    )

    async def work(box: Box) -> None:
        task = asyncio.create_task(box.exec(sh(swap), timeout=60))
        seen = set()
        for n in range(150):
            try:
                seen.add(await box.read("d/file"))
                await box.write("d/file", b"inside\n")
            except OSError:
                seen.add(None)
            assert n < 149 or b"inside\n" in seen
        task.cancel()
        assert seen <= {b"inside\n", b"", None}

    in_box(work)
    assert (outside / "file").read_text() == "of the host"
    assert [p.name for p in outside.iterdir()] == ["file"]


def test_directories_are_removed_whatever_is_in_them(in_box: InBox, tmp_path: Path) -> None:
    deep = "for i in $(seq 300); do mkdir -p dddddddddddddddddddd && cd dddddddddddddddddddd; done; echo x > deepest"

    async def work(box: Box) -> None:
        await box.exec(sh("mkdir -p a/b; touch a/b/c; chmod 000 a/b a; ln -s /etc link; touch $'line\\nbreak'"))
        await box.exec(sh(deep))
        assert tree_size(tmp_path / "box" / "work") > 300 * 4096

    in_box(work)
    trees.remove(tmp_path / "box")
    assert not (tmp_path / "box").exists()
    assert Path("/etc/passwd").exists()


def test_left_over_directories_are_removed_and_used_ones_kept(
    in_box: InBox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = directories.new()
    os.close(directories.hold(dead))
    young = directories.new()
    used = directories.new()

    async def work(_: Box) -> None:
        lock = directories.hold(used)
        assert directories.remove_left_over("no such name") == []
        assert dead in directories.remove_left_over()
        os.close(lock)

    in_box(work)
    assert [dead.exists(), young.exists(), used.exists()] == [False, True, True]
    assert (tmp_path / "box" / "work").is_dir()
    directories.base().chmod(0o755)
    with pytest.raises(Exception, match="not this user's alone"):
        directories.new()
