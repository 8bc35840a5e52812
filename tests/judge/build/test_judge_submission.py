"""Submissions from files, directories and archives: only what is safe to unpack is unpacked."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.judge.submission import SubmissionError, from_archive, from_bytes, from_path, take
from rigorbench.judge.submission.archive import unpack
from rigorbench.judge.submission.tree import SubmissionTree, clean

FILES = {"main.cpp": b"int main() {}\n", "lib/a.hpp": b"#pragma once\n", "run.sh": b"#!/bin/sh\n"}


def tarred(*members: tuple[str, bytes | None, dict[str, object]], form: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data, keys in members:
            info = tarfile.TarInfo(name)
            info.size = len(data or b"")
            for key, value in keys.items():
                setattr(info, key, value)
            archive.addfile(info, io.BytesIO(data or b""))
    return out.getvalue()


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def plain_tar(**more: bytes) -> bytes:
    return tarred(*((n, d, {"mode": 0o755 if n == "run.sh" else 0o644}) for n, d in {**FILES, **more}.items()))


def archive(data: bytes, place: Path, limit: int = 1 << 20) -> Path:
    return from_archive(data, place / "tree", language="auto", limit=limit).root


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("packer", PACKERS)
def test_the_same_files_are_the_same_submission_however_they_come(tmp_path: Path, packer: str) -> None:
    for name, data in FILES.items():
        path = tmp_path / "given" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "given" / "run.sh").chmod(0o700)
    (tmp_path / "given" / ".git").mkdir()
    (tmp_path / "given" / ".git" / "config").write_text("x")
    plain = from_path(tmp_path / "given", tmp_path / "one")
    (tmp_path / "given.tar").write_bytes(PACKERS[packer](plain_tar()))
    packed = take(str(tmp_path / "given.tar"), tmp_path / "two")
    assert plain.digest == packed.digest
    assert {p.relative_to(packed.root).as_posix() for p in packed.root.rglob("*") if p.is_file()} == set(FILES)
    assert (packed.root / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (packed.root / "main.cpp").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (("../x", b"x", {}), "leads out of the submission"),
        (("a/../../x", b"x", {}), "leads out of the submission"),
        (("/etc/x", b"x", {}), "is absolute"),
        (("a\\..\\x", b"x", {}), "characters that are not allowed"),
        (("a\nb", b"x", {}), "characters that are not allowed"),
        (("a\u202eb", b"x", {}), "characters that are not allowed"),
        (("main.cpp", b"x", {}), "appears twice"),
        (("./main.cpp", b"x", {}), "appears twice"),
        (("MAIN.cpp", b"x", {}), "letter case only"),
        (("LIB/b.hpp", b"x", {}), "letter case only"),
        (("main.cpp/x", b"x", {}), "both a file and a directory"),
        (("lib", b"x", {}), "both a file and a directory"),
        ((".GIT/hooks/x", b"x", {}), "git's own directory"),
        (("a/.git /x", b"x", {}), "git's own directory"),
        (("a/GIT~1/x", b"x", {}), "git's own directory"),
        (("x" * 201, b"x", {}), "longer than 200"),
        (("d/" * 40 + "x", b"x", {}), "too deep"),
        (
            ("l", None, {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}),
            "does not lead to a file",
        ),
        (("l", None, {"type": tarfile.SYMTYPE, "linkname": "../x"}), "does not lead to a file"),
        (("l", None, {"type": tarfile.SYMTYPE, "linkname": "l"}), "does not lead to a file"),
        (("l", None, {"type": tarfile.SYMTYPE, "linkname": "lib"}), "does not lead to a file"),
        (("l", None, {"type": tarfile.LNKTYPE, "linkname": "main.cpp"}), "a hard link"),
        (("d", None, {"type": tarfile.CHRTYPE}), "a device"),
        (("f", None, {"type": tarfile.FIFOTYPE}), "a FIFO"),
        (("s", b"x", {"type": b"S"}), "archive cannot be read|special"),
        (("big", b"x" * 5000, {}), "more than the 4,000 bytes"),
    ],
)
def test_what_an_archive_must_not_hold(
    tmp_path: Path, member: tuple[str, bytes, dict[str, object]], message: str
) -> None:
    data = tarred(*((n, d, {}) for n, d in FILES.items()), member)
    with pytest.raises(SubmissionError, match=message) as caught:
        archive(data, tmp_path, 4000)
    assert str(caught.value).isprintable()
    assert not (tmp_path / "tree").exists() or not list((tmp_path / "tree").iterdir())
    assert sorted(os.listdir(tmp_path)) in ([], ["tree"])


def test_links_to_files_become_copies_and_count(tmp_path: Path) -> None:
    link = ("lib/l", None, {"type": tarfile.SYMTYPE, "linkname": "../k"})
    chain = ("k", None, {"type": tarfile.SYMTYPE, "linkname": "lib/a.hpp"})
    root = archive(tarred(*((n, d, {}) for n, d in FILES.items()), link, chain), tmp_path)
    assert (root / "lib" / "l").read_bytes() == FILES["lib/a.hpp"]
    assert not (root / "lib" / "l").is_symlink()
    many = [(f"l{n}", None, {"type": tarfile.SYMTYPE, "linkname": "a"}) for n in range(10)]
    with pytest.raises(SubmissionError, match="links copied"):
        archive(tarred(("a", bytes(1000), {}), *many), tmp_path / "other", 5000)


@pytest.mark.parametrize("packer", [name for name in PACKERS if name != "plain"])
def test_bombs(tmp_path: Path, packer: str) -> None:
    bomb = PACKERS[packer](bytes(12 << 20))
    with pytest.raises(SubmissionError, match="unpacks to more than"):
        archive(bomb, tmp_path)
    with pytest.raises(SubmissionError, match="unpacks to more than"):
        archive(PACKERS[packer](plain_tar(x=bytes(10 << 20))), tmp_path)


def test_a_packer_that_wants_much_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rigorbench.judge.submission.archive._XZ_MEMORY", 1 << 20)  # the file asks for 8 MiB
    with pytest.raises(SubmissionError, match="cannot be read"):
        archive(lzma.compress(plain_tar()), tmp_path)


def test_what_may_be_executed_is_part_of_a_submission(tmp_path: Path) -> None:
    digests = {
        from_archive(tarred(("run", b"x", {"mode": mode})), tmp_path / str(mode), language="auto", limit=100).digest
        for mode in (0o644, 0o755)
    }
    assert len(digests) == 2


def test_zip(tmp_path: Path) -> None:
    root = archive(zipped(**{"d/": b"", "d/main.py": b"print()\n"}), tmp_path)
    assert (root / "d" / "main.py").read_bytes() == b"print()\n"
    with pytest.raises(SubmissionError, match="more than the"):
        archive(zipped(a=bytes(3 << 20)), tmp_path / "b")
    with pytest.raises(SubmissionError, match="leads out"):
        archive(zipped(**{"../x": b""}), tmp_path / "b")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        entry = zipfile.ZipInfo("l")
        entry.external_attr = 0o120777 << 16
        made.writestr(entry, "/etc/passwd")
    with pytest.raises(SubmissionError, match="does not lead to a file"):
        archive(out.getvalue(), tmp_path / "b")
    locked = bytearray(zipped(a=b"x"))
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SubmissionError, match="send the archive without a password"):
        archive(bytes(locked), tmp_path / "b")


def test_numbers_are_bounded(tmp_path: Path) -> None:
    many = tarred(*((f"f{n}", b"", {}) for n in range(2001)))
    with pytest.raises(SubmissionError, match="more than 2,000 files"):
        archive(many, tmp_path, 8 << 20)
    with pytest.raises(SubmissionError, match="more than 2,000 directories"):
        archive(tarred(*((f"d{n}/", None, {"type": tarfile.DIRTYPE}) for n in range(2001))), tmp_path, 8 << 20)
    with pytest.raises(SubmissionError, match="has no files"):
        archive(tarred(("d", None, {"type": tarfile.DIRTYPE})), tmp_path)


@settings(max_examples=60)
@given(st.data())
def test_damaged_archives_give_one_line(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([plain_tar(), gzip.compress(plain_tar(), mtime=0), zipped(a=b"x" * 50, b=b"y")]))
    damaged = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=4)):
        if place < len(damaged):
            damaged[place] = value
    try:
        unpack(bytes(damaged), SubmissionTree(10_000))
    except SubmissionError as error:
        assert "\n" not in str(error)


@given(st.text(max_size=40), st.text(max_size=40))
def test_clean_names_stay_below_and_are_stable(one: str, other: str) -> None:
    try:
        path = clean(f"{one}/{other}")
    except SubmissionError:
        return
    if path is None:
        assert ".git" in f"{one}/{other}"
        return
    assert not path.startswith("/")
    assert not {"", ".", "..", ".git"} & set(path.split("/"))
    assert clean(path) == path
    assert clean(path.encode()) == path


def test_single_files_and_what_is_no_submission(tmp_path: Path) -> None:
    made = from_bytes("a.py", b"x", tmp_path / "a", language="python")
    assert (made.kind, made.language, (made.root / "a.py").read_bytes()) == ("file", "python", b"x")
    for name in ("d/a.py", "..", "a\0b", ".git"):
        with pytest.raises(SubmissionError):
            from_bytes(name, b"x", tmp_path / "b", language="python")
    with pytest.raises(SubmissionError, match="more than the 3 bytes"):
        from_bytes("a.py", b"xxxx", tmp_path / "c", language="python", limit=3)
    with pytest.raises(SubmissionError, match="no such file"):
        take(str(tmp_path / "none"), tmp_path / "d")
    (tmp_path / "tree").mkdir()
    os.mkfifo(tmp_path / "tree" / "fifo")
    with pytest.raises(SubmissionError, match="fifo is neither a file nor a directory"):
        from_path(tmp_path / "tree", tmp_path / "e")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(FileExistsError):
        from_bytes("a.py", b"x", tmp_path / "full", language="python")
