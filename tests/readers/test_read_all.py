"""All sessions below some paths; a log that cannot be read does not keep the others from being read."""

from __future__ import annotations

import shutil
from pathlib import Path

import rigorbench
from rigorbench.session.logfile import LogError


def test_all_sessions_are_read_in_order_and_what_cannot_be_read_is_told(tmp_path: Path, shared_data: Path) -> None:
    logs = sorted((shared_data / "sessions").rglob("*.jsonl"), key=lambda p: p.stat().st_size)[:2]
    for number, log in enumerate(logs):
        shutil.copy(log, tmp_path / f"{number}.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    errors: list[LogError] = []
    found = [t.id for t in rigorbench.read_all([tmp_path / "empty.jsonl", tmp_path], on_error=errors.append)]
    assert found == [t.id for n in range(2) for t in rigorbench.read(tmp_path / f"{n}.jsonl")]
    assert [error.file for error in errors] == [str(tmp_path / "empty.jsonl")]
    assert len(list(rigorbench.read_all([tmp_path]))) == len(found)
