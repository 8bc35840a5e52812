"""What the probe of recorded sandboxes finds, and what it reports when something is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rigorbench.sandbox.box import probe
from rigorbench.sandbox.kit import bwrap
from rigorbench.sandbox.kit.errors import SandboxError


@pytest.fixture
def another_zygote(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the PATH of this test."""
    monkeypatch.setattr("rigorbench.sandbox.box.box._running", None)


@pytest.mark.bwrap
def test_where_bubblewrap_works_everything_is_recorded_and_limited() -> None:
    found = probe.probe()
    assert found.ok
    assert not found.why
    assert {"output", "trees"} <= set(found.features)
    assert {"memory", "processes", "disk"} <= set(found.limits)


def test_without_bubblewrap_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(bwrap, "SYSTEM_PATH", str(tmp_path))
    with pytest.raises(SandboxError, match=r"^[^\n]*apt install bubblewrap[^\n]*$"):
        bwrap.find()


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ('echo "bwrap: Unknown option --as-pid-1" >&2; exit 1', "0.5 or later"),
        ('echo "bwrap: setting up uid map: no" >&2; exit 1', "userns"),
        ('echo "bwrap: something else" >&2; exit 1', "something else"),
        ("exit 0", "printed nothing"),
    ],
)
def test_a_bubblewrap_that_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, another_zygote: None, program: str, message: str
) -> None:
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{program}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = probe.probe()
    assert not found.ok
    assert message in found.why
    assert "\n" not in found.why
