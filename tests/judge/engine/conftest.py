"""A judge for real, shared by the tests that need one; they are skipped where there is no sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from judge_engine_builders import Bench

from rigorbench.judge.engine import Judge, JudgeSettings
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellError, CellSpec


@pytest.fixture(scope="session")
def judge_bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    try:
        JudgeCell.start(CellSpec()).close()
    except CellError as error:
        pytest.skip(str(error))
    place = tmp_path_factory.mktemp("judge")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(place / "cache"))
        with Judge(JudgeSettings(slots=2)) as judge:
            yield Bench(judge, place)
