"""What the counting of May has shown, with the logs as they came from the gates."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from footfall import Store, import_logs, report

ROOT = Path(__file__).parents[1]


def logs(day, *gates):
    return [ROOT / "examples" / day / f"{gate}.log" for gate in gates]


def new(store, paths):
    """The number of events that were new, of each log."""
    return [done.new for done in import_logs(Store(store), paths)]


@pytest.mark.parametrize("gates", [("east", "north", "south"), ("north", "south", "east")])
def test_nobody_is_missing_on_monday(tmp_path, gates):
    assert new(tmp_path / "store", logs("monday", *gates)) == [12, 12, 12]


def test_nobody_is_missing_on_tuesday(tmp_path):
    new(tmp_path / "store", logs("monday", "east", "north", "south"))
    assert new(tmp_path / "store", logs("tuesday", "north", "south")) == [12, 12]


def test_a_log_that_comes_again_counts_nobody(tmp_path):
    order = ("south", "north", "east")
    new(tmp_path / "store", logs("monday", *order))
    before = report(Store(tmp_path / "store"))
    assert new(tmp_path / "store", logs("monday", *order)) == [0, 0, 0]
    assert report(Store(tmp_path / "store")) == before


def test_a_log_that_comes_again_on_another_day_counts_nobody(tmp_path):
    command = [sys.executable, "-m", "footfall", "import", str(tmp_path / "store"), *map(str, logs("monday", "south"))]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    env.pop("PYTHONHASHSEED", None)
    said = [subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert said == ["south.log: 12 events, 12 new\n", "south.log: 12 events, 0 new, 12 sent before\n"]
