"""Whatever a run leaves behind is scored, or gets the worst value with the reason."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
import tiny_suite

from builders_capture import Capture
from sources import text_file

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.base.files import read_json, write_json
from rigorbench.bench.experiment.records import Cell, RunResult
from rigorbench.bench.experiment.store import FACTS, FACTS_SCHEMA, RESULT, ExperimentDirectory, RunFacts
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.bench.run.experiment import ExperimentSummary, run_experiment
from rigorbench.bench.run.planning.plan import ExperimentRequest, make_plan
from rigorbench.bench.run.scoring import process
from rigorbench.bench.run.scoring.finish import ScoringAnswer, ScoringRequest
from rigorbench.cli import main
from rigorbench.evidence.edits.index import Index
from rigorbench.evidence.events import EditEvent
from rigorbench.session.readers.capture import store
from rigorbench.session.readers.capture.store import TreeEntry
from rigorbench.session.registry import read_path

# Written by the agent: names, contents and depths that no honest project has all of.
ODD = text_file("scoring_total.odd.txt")
POLICY = f'''
description = "Leaves odd files behind."
[[turn]]
[[turn.call]]
tool = "shell"
command = """cat > /tmp/odd.py <<'P'
{ODD.replace(chr(92), chr(92) * 2).replace('"', chr(92) + '"')}P
python3 /tmp/odd.py; git add -A; git commit -qm odd; python -m pytest -q | tail -1"""
[[turn]]
text = "Done. All tests pass."
'''


def run(tmp_path: Path, policy: str, **more: bool) -> tuple[ExperimentSummary, Path]:
    suite = tiny_suite.write_suite(tmp_path / "suite", policies={**tiny_suite.POLICIES, "odd": policy})
    plan = make_plan(ExperimentRequest(str(suite), models=("scripted/odd",)))
    assert plan.missing == []
    return run_experiment(plan, tmp_path / "out", **more), tmp_path / "out"


@pytest.mark.bwrap
@pytest.mark.slow
def test_odd_names_contents_and_depths_are_scored(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    summary, out = run(tmp_path, POLICY)
    assert summary.problems == []
    (result,) = summary.results
    assert (result.status, result.gaps) == ("completed", [])
    assert result.rigor_score is not None
    assert result.outcome.pass_rate is not None
    directory = ExperimentDirectory(out).run(result.cell)
    capfdbinary.readouterr()
    for command in (["score", "--json"], ["score"], ["events"], ["events", "--json"]):
        assert main([*command, str(directory)]) == 0, command
    events = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines() if line.startswith(b'{"kind"')]
    assert any(event.get("path") == "src/caf\\udce9.py" for event in events)


@pytest.mark.parametrize("value", ["caf\udce9", {"a\udcff": ["\ud800"]}, [("x", "\udc80")]])
def test_names_that_are_no_utf8_are_written_out(tmp_path: Path, value: object) -> None:
    write_json(tmp_path / "a.json", value)
    assert "\\\\ud" in (tmp_path / "a.json").read_text(encoding="utf-8")


def request_of(directory: Path) -> ScoringRequest:
    directory.mkdir(parents=True)
    cell = Cell("pages", "react", "baseline", "scripted/fix")
    write_json(directory / FACTS, RunFacts(FACTS_SCHEMA, cell, "completed", 1.0, 2.0, scripted=True))
    return ScoringRequest(str(directory), str(directory), "baseline", "react")


def score(monkeypatch: pytest.MonkeyPatch, request: ScoringRequest, *answers: ScoringAnswer) -> list[ScoringRequest]:
    """Score a run with these answers of the first processes; the requests of all."""
    asked: list[ScoringRequest] = []
    real, left = process._score, list(answers)

    async def one(order: ScoringRequest) -> ScoringAnswer:
        asked.append(order)
        return left.pop(0) if left else await real(order)

    monkeypatch.setattr(process, "_score", one)
    asyncio.run(process.score_run(request))
    return asked


def test_a_run_that_breaks_the_scoring_counts_as_0_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RIGOR_DEBUG", raising=False)
    request = request_of(tmp_path / "run")
    score(monkeypatch, request, ScoringAnswer("scoring failed (MemoryError)", broke=True))
    result = read_json(tmp_path / "run" / RESULT, RunResult)
    assert (result.status, result.rigor_score) == ("completed", 0.0)
    assert result.gaps == ["scoring failed (MemoryError): counted as 0"]
    assert (result.outcome.pass_rate, result.outcome.score) == (0.0, 0.0)


def test_a_scoring_that_dies_is_tried_again_before_the_run_counts_as_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RIGOR_DEBUG", raising=False)
    died = ScoringAnswer("scoring died (status -9)", broke=True)
    asked = score(monkeypatch, request_of(tmp_path / "run"), died, died)
    assert [order.failed for order in asked] == [None, None, "scoring died (status -9)"]
    assert score(monkeypatch, request_of(tmp_path / "other"), died, ScoringAnswer())[1:] != []
    assert not (tmp_path / "other" / RESULT).exists()


def test_what_the_machine_lacks_is_no_fault_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = score(monkeypatch, request_of(tmp_path / "run"), ScoringAnswer("scoring failed (OSError: no space)"))
    assert len(asked) == 1
    assert not (tmp_path / "run" / RESULT).exists()


def test_many_moved_files_take_no_time_that_grows_with_their_square() -> None:
    """By pairs these would be 900,000,000 comparisons each."""
    number = 30_000
    gone = {f"data/{n}.txt": TreeEntry("100644", f"{n:040}") for n in range(number)}
    came = {f"moved/{n}.txt": TreeEntry("100644", f"{n:040}") for n in reversed(range(number))}
    begun = time.process_time()
    assert store._renames(store.TreeReader(Path("none")), gone, came)["data/7.txt"] == "moved/7.txt"
    index = Index()
    for path in came:
        index.edited(path, created=True, deleted=False)
    for path in came:
        index.edited(path, created=False, deleted=True)
    assert not index.has_changes(untracked=True)
    assert time.process_time() - begun < 10


def test_many_files_made_and_removed_again_are_scored_in_a_time_that_grows_with_their_number(tmp_path: Path) -> None:
    """By pairs of edits these would be 64,000,000 comparisons, three times over."""
    run = Capture(tmp_path / "run", {"README.md": "Pages\n"})
    made = {f"gen/{n % 50}/page_{n}.py": f"def page_{n}():\n    return {n}\n" for n in range(8_000)}
    run.bash("python make.py", edits=made)
    run.bash("rm -r gen", edits=dict.fromkeys(list(made)[1_000:]))
    (trajectory,) = read_path(run.done())
    begun = time.process_time()
    report = score_and_review(trajectory, replay=False)
    assert sum(isinstance(event, EditEvent) for event in report.events) == 15_000
    assert time.process_time() - begun < 15
