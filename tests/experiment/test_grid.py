"""The grid: names, lists, order of the runs."""

from __future__ import annotations

import pytest

from rigorbench.bench.experiment.grid import GridError, check_ids, check_names, is_scripted, listed, make_cells
from rigorbench.bench.experiment.records import Cell


def test_lists_come_by_commas_by_repetition_or_both_each_name_once():
    assert listed(["a,b", " c ", "b", ",d,"]) == ["a", "b", "c", "d"]
    assert listed([]) == []


def test_every_combination_is_there_and_conditions_alternate_within_a_task():
    cells = make_cells(["t1", "t2"], ["react"], ["baseline", "nudge"], ["m1", "m2"], 2)
    assert len(cells) == len(set(cells)) == 16
    assert [c.repeat for c in cells] == [1] * 8 + [2] * 8
    assert [c.task for c in cells[:8]] == ["t1"] * 4 + ["t2"] * 4
    assert [c.harness for c in cells[:4]] == ["baseline", "nudge"] * 2


def test_a_wrong_name_is_told_with_the_possible_ones_and_the_nearest():
    with pytest.raises(GridError, match=r"no agent 'raect' \(did you mean react\?\); possible: react, codex"):
        check_names("agent", ["raect"], ["react", "codex"])
    with pytest.raises(GridError, match="no model given; possible: m"):
        check_names("model", [], ["m"])
    check_names("agent", ["codex"], ["react", "codex"])


def test_runs_that_would_share_a_directory_are_refused():
    with pytest.raises(GridError, match="have one directory, runs/t--a--h--p-m--r1"):
        check_ids([Cell("t", "a", "h", "p/m"), Cell("t", "a", "h", "p-m")])


def test_no_repeat_at_all_is_refused():
    with pytest.raises(GridError, match="at least 1"):
        make_cells(["t"], ["a"], ["h"], ["m"], 0)


def test_policies_are_told_from_models_by_their_provider():
    assert is_scripted("scripted/disciplined")
    assert not is_scripted("openai/scripted")
