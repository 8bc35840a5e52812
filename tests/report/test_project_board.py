"""A board of projects has the columns of the published one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fake_projects import project_manifest, project_results

pytest.importorskip("numpy")

from rigorbench.experiment.results.load import read_all
from rigorbench.experiment.results.sources import find_sources
from rigorbench.report.leaderboard.build import build
from rigorbench.report.leaderboard.model import Leaderboard
from rigorbench.report.leaderboard.view import leaderboard_page


@pytest.fixture
def found(tmp_path: Path) -> Leaderboard:
    manifest = project_manifest()
    (tmp_path / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    for run in project_results(manifest):
        directory = tmp_path / "runs" / run.cell.id
        directory.mkdir(parents=True)
        (directory / "result.json").write_bytes(msgspec.json.encode(run))
    told: list[str] = []
    return build(read_all(find_sources([tmp_path], told.append), told.append, now=1_900_000_000.0))


def test_the_columns_of_projects(found: Leaderboard) -> None:
    (board,) = leaderboard_page(found).boards
    heads = [head for head, _, _ in board.columns]
    assert heads[:10] == [
        "Final", "Execution", "Code review", "Submissions", "Verdicts", "Turns", "Tokens", "Time", "Files", "Lines",
    ]  # fmt: skip
    rows = {row.title.rpartition(" · ")[2]: row for row in (*board.rows, *board.unranked)}
    cells = {cell.label: cell.text for cell in rows["acme/fast"].cells}
    # Tops of 100, 90, ..., 50 and 5 less in the second repeat; two submissions each, of which one in 24 is accepted.
    assert (cells["Execution"], cells["Code review"], cells["Final"]) == ("72.5", "80.0", "74.0")
    assert (cells["Submissions"], cells["Files"], cells["Lines"]) == ("2.0", "3.0", "200")
    assert cells["Turns"] == "41.5"
    assert cells["Verdicts"] == "96 % wrong answer, 4 % accepted"
    accepted = next(cell for cell in rows["acme/fast"].cells if cell.label == "Verdicts")
    assert (accepted.value, accepted.note) == (pytest.approx(1 / 24), "24 submissions")
