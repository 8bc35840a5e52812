"""The journal takes whatever comes, one whole line each, and says what it could not take."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import msgspec
import pytest

from rigorbench.base import journal
from rigorbench.sandbox.record.writer import JournalWriter, text


def lines(path: Path) -> list[journal.JournalRecord]:
    content = path.read_bytes()
    assert content.endswith(b"\n")
    return [msgspec.json.decode(line, type=journal.AnyRecord) for line in content.splitlines()]


@pytest.mark.parametrize(
    "value",
    [
        "\ud800",
        "half\udcff",
        "a\x00b",
        "\u2028\n\r",
        "𝄞" * 3,
        2**70,
        -(2**70),
        2**4000,
        float("nan"),
        float("inf"),
        [["\ud800"]],
    ],
)
def test_any_data_gives_one_line_of_json(tmp_path: Path, value: object) -> None:
    writer = JournalWriter(tmp_path / "j")
    assert writer.write(journal.Note(1.0, "odd", {"key": value, "other": "kept"}))
    assert writer.write(journal.Note(2.0, "next"))
    writer.close()
    first, second = lines(tmp_path / "j")
    assert isinstance(first, journal.Note)
    assert first.data["other"] == "kept"
    assert second.time == 2.0
    assert len((tmp_path / "j").read_bytes().splitlines()) == 2


def test_what_json_cannot_hold_is_a_gap(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "j")
    writer.write(journal.Note(1.0, "odd", {"key": object()}))
    writer.close()
    (gap,) = lines(tmp_path / "j")
    assert isinstance(gap, journal.Gap)
    assert gap.what == "journal"


def test_names_that_are_no_text() -> None:
    assert text(os.fsdecode(b"caf\xe9")) == "caf\ufffd"
    assert text(b"\xc3\xa9") == "é"
    json.dumps(text(os.fsdecode(b"\xff"))).encode()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "j")
    with pytest.raises(BlockingIOError):
        JournalWriter(tmp_path / "j")
    writer.close()
    JournalWriter(tmp_path / "j").close()


def test_a_full_disk_costs_whole_records_and_is_told_later(tmp_path: Path) -> None:
    path = tmp_path / "j"
    writer = JournalWriter(path)
    writer.write(journal.Note(1.0, "before"))
    real = os.dup(writer._fd)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, writer._fd)
    assert not writer.write(journal.Note(2.0, "lost"))
    assert not writer.write(journal.Note(3.0, "lost"))
    os.dup2(real, writer._fd)
    assert writer.write(journal.Note(4.0, "after"))
    writer.close()
    os.close(real)
    os.close(full)
    first, gap, last = lines(path)
    assert isinstance(gap, journal.Gap)
    assert gap.reason == "2 records could not be written: No space left on device"
    assert (first.time, last.time) == (1.0, 4.0)


def test_half_a_line_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j"
    writer = JournalWriter(path)
    writer.write(journal.Note(1.0, "before"))
    real = os.write
    calls = iter([7])

    def short(fd: int, data: bytes) -> int:
        for size in calls:
            return real(fd, data[:size])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", short)
        assert not writer.write(journal.Note(2.0, "lost"))
    writer.write(journal.Note(3.0, "after"))
    writer.close()
    assert [record.time for record in lines(path) if isinstance(record, journal.Note)] == [1.0, 3.0]
    assert fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_GETFD) is not None
