"""A board of projects has the columns of the published one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fake_projects import write_projects

pytest.importorskip("numpy")

from rigorbench.bench.experiment.results.database import read_all
from rigorbench.bench.experiment.results.sources import find_sources
from rigorbench.bench.pages.leaderboard.board import Leaderboard
from rigorbench.bench.pages.leaderboard.build import build
from rigorbench.bench.pages.leaderboard.pages import leaderboard_page
from rigorbench.bench.pages.leaderboard.words import columns
from rigorbench.review.pages.html import render


@pytest.fixture
def found(tmp_path: Path) -> Leaderboard:
    write_projects(tmp_path)
    told: list[str] = []
    return build(read_all(find_sources([tmp_path], told.append), told.append, now=1_900_000_000.0))


def test_the_columns_of_projects(found: Leaderboard) -> None:
    (board,) = found.boards
    heads = [head for head, _, _ in columns(board)]
    assert heads[:10] == [
        "Final", "Execution", "Code review", "Submissions", "Verdicts", "Turns", "Tokens", "Time", "Files", "Lines",
    ]  # fmt: skip
    (row,) = re.findall(r'<tr data-suite=[^>]*data-model="acme/fast".*?</tr>', render(leaderboard_page(found)))
    cells = dict(re.findall(r'data-label="([^"]*)"[^>]*>([^<]*)', row))
    # Tops of 100, 90, ..., 50 and 5 less in the second repeat; two submissions each, of which one in 24 is accepted.
    assert (cells["Execution"], cells["Code review"], cells["Final"]) == ("72.5", "80.0", "74.0")
    assert (cells["Submissions"], cells["Files"], cells["Lines"]) == ("2.0", "3.0", "200")
    assert cells["Turns"] == "41.5"
    assert cells["Verdicts"] == "96 % wrong answer, 4 % accepted"
    (place, note) = re.findall(r'data-label="Verdicts" data-v="([^"]*)" title="([^"]*)"', row)[0]
    assert (float(place), note) == (pytest.approx(1 / 24), "24 submissions")
