"""What the probe says, and what it says when something is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rigorbench.sandbox import layout
from rigorbench.sandbox.box import probe


@pytest.mark.bwrap
def test_where_bubblewrap_works_everything_is_said() -> None:
    checks = {check.name: check for check in probe.probe()}
    assert checks["bubblewrap"].ok
    assert checks["sandbox"].ok
    assert {f"limit of {name}" for name in ("cpus", "memory", "processes", "disk")} <= set(checks)
    assert all(check.found for check in checks.values())
    assert all(check.remedy for check in checks.values() if not check.ok)
    assert probe.usable() is None


def test_without_bubblewrap_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(layout, "PATH", "/nonexistent")
    reason = probe.usable()
    assert reason is not None
    assert "apt install bubblewrap" in reason
    assert "\n" not in reason
    assert "sandbox" not in {check.name for check in probe.probe()}


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("echo bubblewrap 0.4.1", "0.5 or later"),
        (
            '[ "$1" = --version ] && echo bubblewrap 0.8.0 || { echo "bwrap: setting up uid map: no" >&2; exit 1; }',
            "userns",
        ),
        (
            '[ "$1" = --version ] && echo bubblewrap 0.8.0 || { echo "bwrap: something else" >&2; exit 1; }',
            "something else",
        ),
        ('[ "$1" = --version ] && echo bubblewrap 0.8.0', "said nothing"),
    ],
)
def test_a_bubblewrap_that_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, message: str
) -> None:
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{program}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("rigorbench.sandbox.box.box._running", None)  # another one, with this PATH
    reason = probe.usable()
    assert reason is not None
    assert message in reason
    assert "\n" not in reason
