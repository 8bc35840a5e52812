"""What a submission can make of the judge's own work on what it left: no walk over the host, no flood of memory."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from rigorbench.judge.build.instrument import _LONGEST, _defined
from rigorbench.judge.build.unit import _elsewhere
from rigorbench.judge.submission import SubmissionError, from_archive


def test_the_hint_where_a_program_lies_follows_no_link(tmp_path: Path) -> None:
    host = tmp_path / "host"
    (host / "private").mkdir(parents=True)
    (host / "private" / "code").touch()
    work = tmp_path / "work"
    (work / "build" / "bin").mkdir(parents=True)
    (work / "build" / "inner").symlink_to(host)
    assert _elsewhere(work, "code") == ""
    (work / "build" / "bin" / "code").touch()
    assert "bin/code" in _elsewhere(work, "code")
    other = tmp_path / "other"
    other.mkdir()
    (other / "build").symlink_to(host)
    assert _elsewhere(other, "code") == ""


def test_names_of_symbols_are_as_long_as_is_of_use() -> None:
    count, size = 100, 1 << 20
    strings = b"x" * size
    symbols = struct.pack("<IBBHQQ", 0, 0, 0, 1, 0, 0) * count
    header = b"\x7fELF\x02\x01".ljust(64, b"\0")
    at = 64 + 2 * 64
    table = struct.pack("<IIQQQQIIQQ", 0, 11, 0, 0, at, len(symbols), 1, 0, 0, 24)
    names = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, at + len(symbols), size, 0, 0, 0, 0)
    data = bytearray(header + table + names + symbols + strings)
    struct.pack_into("<Q", data, 40, 64)
    struct.pack_into("<HH", data, 58, 64, 2)
    found = _defined(bytes(data))
    assert [len(name) for name in found] == [_LONGEST] * count


def test_an_archive_of_very_many_entries_is_not_even_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(8_001):
            archive.writestr(zipfile.ZipInfo(str(number)), b"")
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(SubmissionError, match="more than 8,000 entries"):
        from_archive(content.getvalue(), tmp_path / "tree", language="auto")
