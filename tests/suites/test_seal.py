"""Sealed suites: nothing that tells the answer lies open, and with the key everything comes back."""

from __future__ import annotations

import filecmp
import shutil
from pathlib import Path

import pytest

from rigorbench.authoring.seal import new_key, seal
from rigorbench.base.sealed import ARCHIVE
from rigorbench.bench.tasks.sealed import KEY, KEY_FILE, SealError, unseal
from rigorbench.bench.tasks.suite import SuiteError, load_suite

pytest.importorskip("cryptography", reason="the package cryptography is not installed")
SUITE = Path(__file__).parents[2] / "suites" / "rigor"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for task in (
        "verify-or-die/house-tab",
        "know-when-to-fold/locker-codes-six",
        "know-when-to-fold/locker-codes-nine",
    ):
        shutil.copytree(SUITE / task, tmp_path / "suite" / task, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "suite"


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.delenv(KEY_FILE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_what_is_sealed_comes_back(suite: Path, tmp_path: Path) -> None:
    key = new_key()
    assert seal(suite, tmp_path / "sealed", key) == 3
    unseal(tmp_path / "sealed", tmp_path / "again", key)
    assert load_suite(tmp_path / "again").digest == load_suite(suite).digest
    compared = filecmp.dircmp(suite, tmp_path / "again")
    assert [*compared.left_only, *compared.right_only, *compared.diff_files] == []


def test_no_answer_lies_open(suite: Path, tmp_path: Path) -> None:
    seal(suite, tmp_path / "sealed", new_key())
    for task in suite.glob("*/*"):
        copy = tmp_path / "sealed" / task.relative_to(suite)
        assert {p.name for p in copy.iterdir()} == {"environment", "instruction.md", "task.toml"}
        text = (copy / "task.toml").read_text()
        for word in ("near_miss", "blocker", "solvable", "twin", "faulty", "test_hidden", "reference", "description"):
            assert word not in text
    # No hidden test can be read in any file.
    needle = b"def test_equal_shares_add_up"
    assert needle in (suite / "verify-or-die/house-tab/tests/test_hidden.py").read_bytes()
    for path in (tmp_path / "sealed").rglob("*"):
        assert path.is_dir() or needle not in path.read_bytes()


def test_without_the_key_a_suite_is_only_shown(suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed, key = tmp_path / "sealed", new_key()
    seal(suite, sealed, key)
    with pytest.raises(SuiteError, match="sealed; set RIGOR_SUITE_KEY_FILE"):
        load_suite(sealed)
    with pytest.raises(SuiteError, match="sealed; set RIGOR_SUITE_KEY_FILE"):
        load_suite(sealed / "verify-or-die" / "house-tab")
    shown = load_suite(sealed, public=True)
    assert {t.id for t in shown.tasks} == {"house-tab", "locker-codes-six", "locker-codes-nine"}
    monkeypatch.setenv(KEY, key)
    whole = load_suite(sealed)
    assert whole.digest == load_suite(suite).digest
    assert load_suite(sealed / "verify-or-die" / "house-tab").tasks[0].hidden.is_dir()
    # The second time the opened copy is found; it is nobody else's to read.
    assert load_suite(sealed).path == whole.path
    assert whole.path.parent.stat().st_mode & 0o077 == 0


def test_what_cannot_be_sealed_or_opened_is_said(suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = tmp_path / "sealed"
    seal(suite, sealed, new_key())
    with pytest.raises(SealError, match="exists and is not empty"):
        seal(suite, sealed, new_key())
    with pytest.raises(SealError, match="is sealed already"):
        seal(sealed, tmp_path / "twice", new_key())
    with pytest.raises(SealError, match=r"sealed\.bin: damaged, or sealed with another key"):
        unseal(sealed, tmp_path / "out", new_key())
    with pytest.raises(SealError, match="this is no key"):
        unseal(sealed, tmp_path / "out", "no key at all")
    with pytest.raises(SealError, match="so it is not sealed"):
        unseal(suite, tmp_path / "out", new_key())
    (tmp_path / "empty").mkdir()
    with pytest.raises(SealError, match="no task in it"):
        seal(tmp_path / "empty", tmp_path / "out", new_key())
    monkeypatch.setenv(KEY_FILE, str(tmp_path / "gone"))
    with pytest.raises(SuiteError, match=r"gone: the key cannot be read"):
        load_suite(sealed)
    assert not (tmp_path / "out").exists()


def test_the_archive_says_nothing_of_this_machine(suite: Path, tmp_path: Path) -> None:
    import io
    import tarfile

    from cryptography.fernet import Fernet

    key = new_key()
    seal(suite, tmp_path / "sealed", key)
    data = Fernet(key.encode()).decrypt((tmp_path / "sealed" / ARCHIVE).read_bytes())
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = archive.getmembers()
    assert {(m.uid, m.gid, m.uname, m.gname, m.mtime) for m in members} == {(0, 0, "", "", 0)}
    assert not any(m.name.startswith(("/", "..")) for m in members)
