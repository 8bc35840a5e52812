"""How quickly a run is noticed that is over its CPU time: nothing slow comes first."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rigorbench.sandbox.cell.spec import CellLimits, CellRun
from rigorbench.sandbox.cell.watch import RunWatch
from rigorbench.sandbox.kit import proc


class Bomb:
    """A control group of sixty processes, which use a tenth of a second each time that somebody looks."""

    def __init__(self, cpu: float) -> None:
        self.used = cpu

    def cpu(self) -> float:
        self.used += 0.1
        return self.used

    def processes(self) -> list[int]:
        return [os.getpid()] * 60

    def __getattr__(self, name: str) -> Any:
        return SimpleNamespace(pressure=lambda: None, ooms=lambda: 0, sample=lambda: None).__getattribute__(name)


@pytest.mark.parametrize(("used", "most"), [(2.0, 0), (0.0, 10)])
def test_processes_are_not_looked_at_any_more_once_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, used: float, most: int
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(proc, "_open", lambda place: looked.append(place) or iter(()))
    watch = RunWatch(CellRun(("true",), CellLimits(cpu=1.0)), (str(tmp_path),), Bomb(used))  # type: ignore[arg-type]
    watch.begin(os.getpid(), os.getpid())
    watch.look(0)
    assert len(looked) <= most
    assert watch.over()
