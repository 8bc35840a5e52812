"""Nothing but what a build had to leave is taken from its directory."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from rigorbench.judge.build.collect import ArtefactError, take_file, take_tree


@pytest.fixture
def work(tmp_path: Path) -> Path:
    path = tmp_path / "work"
    path.mkdir()
    (tmp_path / "secret").write_bytes(b"\x7fELF answers")
    (tmp_path / "secret").chmod(0o755)
    return path


def elf(path: Path, mode: int = 0o755) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x7fELF" + bytes(100))
    path.chmod(mode)


def take(work: Path, path: str = "code", most: int = 1000) -> bytes:
    target = work.parent / "taken"
    take_file(work, path, target, most=most, program=True)
    assert target.stat().st_mode & 0o7777 == 0o755
    return target.read_bytes()


def test_a_program_is_copied(work: Path) -> None:
    elf(work / "build" / "code", 0o4711)
    assert take(work, "build/code").startswith(b"\x7fELF")


def test_a_script_is_no_compiled_program(work: Path) -> None:
    (work / "code").write_text("#!/usr/bin/python3\nprint(1)\n")
    (work / "code").chmod(0o755)
    with pytest.raises(ArtefactError, match="not a compiled program"):
        take(work)


def test_what_is_no_program_is_named(work: Path) -> None:
    (work / "code").symlink_to("../secret")
    (work / "directory").mkdir()
    os.mkfifo(work / "fifo")
    (work / "zero").symlink_to("/dev/zero")
    (work / "text").write_text("text")
    (work / "text").chmod(0o755)
    elf(work / "plain", 0o644)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(work / "socket"))
        for path, message in {
            "code": "a symbolic link", "directory": "a directory", "fifo": "a FIFO", "zero": "a symbolic link",
            "socket": "a socket", "text": "not a compiled program", "plain": "not executable", "none": "left no none",
        }.items():  # fmt: skip
            with pytest.raises(ArtefactError, match=message):
                take(work, path)
    assert not (work.parent / "taken").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_refused(work: Path) -> None:
    try:
        os.mknod(work / "code", 0o020755, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices cannot be made here")
    with pytest.raises(ArtefactError, match="a device"):
        take(work)


def test_no_directory_on_the_way_may_be_a_link(work: Path) -> None:
    (work.parent / "outside").mkdir()
    elf(work.parent / "outside" / "code")
    (work / "build").symlink_to("../outside")
    with pytest.raises(ArtefactError, match="cannot be taken"):
        take(work, "build/code")


@pytest.mark.parametrize("path", ["../secret", "a/../../secret", "/etc/passwd", "", "build//code"])
def test_paths_stay_below(work: Path, path: str) -> None:
    with pytest.raises(ArtefactError):
        take(work, path)


def test_size_is_bounded_and_sparse_files_cost_nothing(work: Path) -> None:
    elf(work / "code")
    os.truncate(work / "code", 1 << 40)
    with pytest.raises(ArtefactError, match="more than 1,000"):
        take(work)


def test_a_tree_holds_files_only(work: Path) -> None:
    (work / "classes" / "a").mkdir(parents=True)
    (work / "classes" / "a" / "A.class").write_bytes(b"x")
    target = work.parent / "out"
    target.mkdir()
    take_tree(work, "classes", target, most=100)
    assert (target / "a" / "A.class").read_bytes() == b"x"
    for name, message in {"link": "symbolic link", "directory": "symbolic link"}.items():
        (work / "classes" / name).symlink_to("../../secret" if name == "link" else "/etc")
        other = work.parent / name
        other.mkdir()
        with pytest.raises(ArtefactError, match=message):
            take_tree(work, "classes", other, most=100)
        (work / "classes" / name).unlink()
    (work / "classes" / "B.class").write_bytes(b"y")
    last = work.parent / "last"
    last.mkdir()
    with pytest.raises(ArtefactError, match="more than 1 files"):
        take_tree(work, "classes", last, most=100, files=1)
    with pytest.raises(ArtefactError, match="no directory none"):
        take_tree(work, "none", target, most=100)
