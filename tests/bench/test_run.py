"""`rigor run` on a tiny suite with scripted policies: results, resume, limits, broken runs, wrong usage."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import tiny_suite

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.base import journal
from rigorbench.bench.experiment.records import BUDGET, Budget, RunResult
from rigorbench.bench.experiment.store import ExperimentDirectory, load_manifest, load_results
from rigorbench.bench.run import experiment as running
from rigorbench.bench.run.engine import task as task_module
from rigorbench.bench.run.experiment import ExperimentSummary, run_experiment
from rigorbench.bench.run.planning import prerequisites
from rigorbench.bench.run.planning.plan import ExperimentPlan, ExperimentRequest, make_plan
from rigorbench.bench.run.progress import RunObserver
from rigorbench.bench.run.scoring.finish import ScoringAnswer
from rigorbench.cli import main

needs_sandbox = pytest.mark.bwrap


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return tiny_suite.write_suite(tmp_path / "suite")


def _plan(suite: Path, *models: str, budget: Budget | None = None, **more: object) -> ExperimentPlan:
    limits = msgspec.structs.asdict(budget) if budget is not None else {}
    request = ExperimentRequest(str(suite), models=models or ("scripted/fix",), limits=limits, **more)
    plan = make_plan(request)
    assert plan.missing == []
    return plan


def _run(plan: ExperimentPlan, out: Path, **more: object) -> ExperimentSummary:
    return run_experiment(plan, out, replay=False, **more)


def _bytes(out: Path) -> dict[str, bytes]:
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted((out / "runs").rglob("*")) if p.is_file()}


# -- wrong usage, found before anything starts


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--agent", "raect", "--model", "scripted/fix"],
            "raect: no such agent (did you mean react?); there are react, react-plan",
        ),
        (["--harness", "nope", "--model", "scripted/fix"], "baseline"),
        (["--model", "scripted/nope"], "there are fix, sleep, do-nothing"),
        (["--model", "gpt"], "expected PROVIDER/NAME"),
        ([], "no --model given"),
        (["--tasks", "x*", "--model", "scripted/fix"], "no task matches 'x*'; there are verify-or-die/pages"),
        (["--sandbox", "jail", "--model", "scripted/fix"], "possible: bwrap, docker, podman, k8s, local"),
        (["--agent-path", "codex", "--model", "scripted/fix"], "expected NAME=DIR"),
        (["--model", "openai/gpt-5"], "model openai/gpt-5: no API key; set OPENAI_API_KEY"),
        (["--agent", "cursor", "--model", "scripted/fix"], "agent cursor"),
    ],
)
def test_wrong_usage_is_one_line_with_the_possible_names_and_starts_nothing(
    suite, tmp_path, capsys, monkeypatch, words, said
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    out = tmp_path / "out"
    assert main(["run", str(suite), "--out", str(out), *words]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.out == ""
    assert not out.exists()


def test_an_unknown_suite_is_told(tmp_path, capsys):
    assert main(["run", str(tmp_path / "nope"), "--model", "scripted/fix"]) == 2
    assert "no such suite" in capsys.readouterr().err


def test_a_missing_extra_is_told_with_the_command_that_installs_it(suite, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(prerequisites, "missing_packages", lambda: ["inspect-ai"])
    assert main(["run", str(suite), "--model", "scripted/fix", "--out", str(tmp_path / "out")]) == 2
    assert "pip install '.[bench]'" in capsys.readouterr().err


def test_a_dry_run_says_what_would_be_done_and_neither_starts_nor_imports_the_engine(suite, tmp_path):
    out = tmp_path / "out"
    words = ["run", str(suite), "--model", "scripted/fix,scripted/sleep", "--repeats", "2", "--dry-run", "--jobs", "2"]
    words += ["--json", "--out", str(out), "--time-limit", "60", "--token-limit", "10k"]
    code = f"import sys; from rigorbench.cli import main; s = main({words!r}); sys.exit(9 if 'inspect_ai' in sys.modules else s)"  # noqa: E501
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["cells"] == {"done": 0, "unscored": 0, "to run": 4}
    assert (found["most_seconds"], found["most_tokens"]) == (120.0, 40_000)
    assert found["scripted"] == ["scripted/fix", "scripted/sleep"]
    assert not out.exists()


def test_a_dry_run_with_something_missing_says_what_and_fails(suite, capsys, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    assert main(["run", str(suite), "--model", "anthropic/x", "--dry-run"]) == 1
    printed = capsys.readouterr().out
    assert "ANTHROPIC_API_KEY" in printed
    assert "at most 60 min without model calls and 5,000,000 tokens" in printed
    assert "sent and written, cached or not" in printed


# -- runs


@needs_sandbox
def test_a_run_is_recorded_scored_and_not_made_again(suite, tmp_path, capsys):
    out = tmp_path / "out"
    words = ["run", str(suite), "--model", "scripted/fix", "--out", str(out), "--json", "--no-replay"]
    assert main(words) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    (result,) = document["results"]
    assert document["manifest"] == load_manifest(out).id
    assert (result["status"], result["scripted"]) == ("completed", True)
    assert result["outcome"]["solved"] is True
    assert result["outcome"]["regressions"] == []
    assert result["model_calls"] == 4
    assert result["metered"] == sum(result["tokens"][part] or 0 for part in ("input", "cache_read", "output"))
    assert result["rigor_score"] is not None
    assert result["gaps"] == []

    manifest = load_manifest(out)
    assert manifest.scripted == ["scripted/fix"]
    assert manifest.tasks["pages"].facts["category"] == "verify-or-die"
    assert manifest.tasks["pages"].digest
    assert {"inspect-ai", "inspect-swe", "kernel", "bwrap", "python", "rigorbench"} <= manifest.versions.keys()
    assert manifest.budget == BUDGET

    run = ExperimentDirectory(out).run(manifest.cells[0])
    records = [type(record).__name__ for _, record in journal.read_records(run / journal.JOURNAL)]
    assert records[0] == "RunRecord"
    assert records[-1] == "End"
    assert {"Model", "CommandRecord", "Exit", "TreeRecord"} <= set(records)
    assert {"journal.jsonl", "store.git", "run.json", "score.json", "review.json", "outcome.json", "result.json"} <= {
        p.name for p in run.iterdir()
    }
    assert not (out / ".workspaces").exists()

    before = _bytes(out)
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == document
    assert _bytes(out) == before, "nothing was run or scored again"
    assert load_manifest(out).history == [], "a call that does nothing leaves no trace"


@needs_sandbox
def test_the_report_is_written_with_the_run_and_drawn_again_only_after_a_change(suite, tmp_path, capsys):
    out = tmp_path / "out"
    words = ["run", str(suite), "--model", "scripted/fix", "--out", str(out), "--no-replay"]
    assert main(words) == 0
    assert "1 run to do, 1 at a time" in capsys.readouterr().err
    assert main(["report", str(out), "--check"]) == 0
    drawn = _times(out / "report")
    assert main(words) == 0
    said = capsys.readouterr()
    assert "1 run, all done before" in said.err
    assert said.err.endswith(f"report: {out / 'report' / 'index.html'}\n")
    assert "RigorScore" in said.out
    assert _times(out / "report") == drawn
    assert main([*words[:3], "scripted/fix,scripted/do-nothing", *words[4:]]) == 0
    assert _times(out / "report") != drawn
    assert main(["report", str(out), "--check"]) == 0


def _times(report: Path) -> dict[str, int]:
    return {p.relative_to(report).as_posix(): p.stat().st_mtime_ns for p in report.rglob("*.*") if p.is_file()}


@pytest.mark.slow  # several experiments
@needs_sandbox
def test_more_cells_may_be_added_and_a_changed_task_is_refused(suite, tmp_path, capsys):
    out = tmp_path / "out"
    _run(_plan(suite, "scripted/do-nothing"), out)
    before = _bytes(out)
    summary = _run(_plan(suite, "scripted/do-nothing", "scripted/always-abstain", repeats=2), out, jobs=2)
    assert summary.problems == []
    assert len(load_results(out)) == 4
    after = _bytes(out)
    assert {name: after[name] for name in before} == before

    task = suite / "verify-or-die" / "pages" / "tests" / "test_more.py"
    task.write_text(task.read_text() + "\n\ndef test_added():\n    pass\n")
    assert main(["run", str(suite), "--model", "scripted/do-nothing", "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert "task pages has changed since its runs were made" in said
    assert "another --out" in said
    assert _bytes(out) == after


@pytest.mark.slow  # a run that waits for its limit
@needs_sandbox
def test_a_run_that_hits_a_limit_is_scored(suite, tmp_path):
    by_time = _run(_plan(suite, "scripted/sleep", budget=Budget(3.0)), tmp_path / "a").results[0]
    assert (by_time.status, by_time.limit) == ("limit", "time")
    assert by_time.outcome.pass_rate == 0.4
    assert by_time.pillars
    assert 2.5 < by_time.seconds < 60
    by_tokens = _run(_plan(suite, "scripted/fix", budget=Budget(600.0, 100)), tmp_path / "b").results[0]
    assert (by_tokens.status, by_tokens.limit) == ("limit", "token")
    assert by_tokens.metered > 100
    assert by_tokens.model_calls == 1, "the budget is looked at after each call"
    run = ExperimentDirectory(tmp_path / "b").run(by_tokens.cell)
    assert [r.kind for _, r in journal.read_records(run / journal.JOURNAL) if type(r).__name__ == "Limit"] == ["tokens"]


@pytest.mark.slow  # several experiments
@needs_sandbox
def test_one_broken_run_stops_no_other(tmp_path, monkeypatch, capsys):
    suite = tiny_suite.write_suite(tmp_path / "suite", "one", "two")
    plan = _plan(suite, "scripted/do-nothing")
    begin = task_module.Live.begin

    async def breaks(live: task_module.Live) -> None:
        await begin(live)
        if live.prepared.cell.task == "one":
            raise RuntimeError("the sandbox\nfell over")

    monkeypatch.setattr(task_module.Live, "begin", breaks)
    out = tmp_path / "out"
    summary = _run(plan, out)
    one, two = summary.results
    assert (one.status, one.error) == ("error", "no model call was completed: RuntimeError: the sandbox fell over")
    assert one.rigor_score is None
    assert two.status == "completed"
    assert [line.split(": ", 1)[1] for line in summary.problems] == [one.error]
    monkeypatch.undo()

    kept = _run(plan, out)
    assert kept.results == summary.results, "a run that broke twice is a result; a further call does not repeat it"
    words = ["run", str(suite), "--model", "scripted/do-nothing", "--out", str(out), "--no-replay", "--json"]
    assert main([*words, "--retry-errors"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [r["status"] for r in document["results"]] == ["completed", "completed"]
    assert document["aside"] == [f"{one.cell.id}.failed-1", f"{one.cell.id}.failed-2"]


@needs_sandbox
def test_a_run_that_breaks_by_no_doing_of_its_agent_is_made_once_more(suite, tmp_path, monkeypatch):
    begin, tries = task_module.Live.begin, []

    async def breaks_once(live: task_module.Live) -> None:
        await begin(live)
        tries.append(live)
        if len(tries) == 1:
            raise OSError("no space left on the host")

    monkeypatch.setattr(task_module.Live, "begin", breaks_once)
    summary = _run(_plan(suite, "scripted/do-nothing"), tmp_path / "out")
    assert [r.status for r in summary.results] == ["completed"]
    assert summary.problems == []
    assert [name.rpartition(".")[2] for name in summary.aside] == ["failed-1"]


KILLS_ITS_SANDBOX = tiny_suite.fix_and(
    "for n in $(seq 1000); do head -c 5000000 /dev/zero > /tmp/f$n; sleep 0.02; done",
    "Fixes, and then writes more than it may.",
)


@needs_sandbox
def test_who_fills_the_disk_of_its_sandbox_is_scored_and_the_limit_named(tmp_path, monkeypatch):
    from rigorbench.bench.run.engine import task as engine_task

    config = engine_task._bwrap_config
    monkeypatch.setattr(engine_task, "_bwrap_config", lambda p: {**config(p), "limits": {"disk": 50_000_000}})
    suite = tiny_suite.write_suite(tmp_path / "suite", policies={"full": KILLS_ITS_SANDBOX})
    (result,) = _run(_plan(suite, "scripted/full"), tmp_path / "out").results
    assert (result.status, result.limit) == ("limit", "disk")
    assert [(hit.kind, hit.limit) for hit in result.limits] == [("disk", 50_000_000)]
    assert result.outcome.pass_rate == 1.0, "its work until then counts"
    assert result.breaches == []


@needs_sandbox
def test_a_recorder_that_died_is_a_gap_and_a_crash_that_counts(suite, tmp_path, monkeypatch):
    generate = task_module.run_agent

    async def dies(*arguments: object, **more: object) -> object:
        await generate(*arguments, **more)
        box = next(iter(lives)).recorder
        subprocess.run(["kill", "-9", str(supervisor_of(box.pid))], check=True)
        while box.gone is None:
            await asyncio.sleep(0.05)
        raise RuntimeError("the agent's program ended with exit status 137")

    lives: list[task_module.Live] = []
    begin = task_module.Live.begin

    async def noted(live: task_module.Live) -> None:
        lives.append(live)
        await begin(live)

    monkeypatch.setattr(task_module, "run_agent", dies)
    monkeypatch.setattr(task_module.Live, "begin", noted)
    (result,) = _run(_plan(suite), tmp_path / "out").results
    assert result.status == "crashed"
    assert "supervisor" in (result.error or "")
    assert any("the journal has no end" in gap for gap in result.gaps)
    assert result.outcome.pass_rate == 1.0, "the last tree on record is what it is worth"


def supervisor_of(pid: int) -> int:
    """The process that started the sandbox whose process 1 is ``pid``: the parent of bubblewrap."""

    def parent(pid: int) -> int:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

    return parent(parent(pid))


@needs_sandbox
def test_when_scoring_fails_the_evidence_stays_and_only_the_scoring_is_done_again(suite, tmp_path, monkeypatch):
    out = tmp_path / "out"
    plan = _plan(suite)

    async def fails(order: object) -> ScoringAnswer:
        return ScoringAnswer("out of disk")

    monkeypatch.setattr(task_module, "score_run", fails)
    first = _run(plan, out)
    assert first.results == []
    assert first.problems == [f"{plan.cells[0].id}: out of disk"]
    directory = ExperimentDirectory(out)
    assert directory.state(plan.cells[0]) == "unscored"
    before = _bytes(out)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "_make", interrupted)
    assert _run(plan, out).problems == [f"{plan.cells[0].id}: ended, and was not scored; the same command scores it"]
    monkeypatch.undo()

    class Watch(RunObserver):
        ended_runs = 0

        def ended(self, cell: object) -> None:
            self.ended_runs += 1

    watch = Watch()
    second = _run(plan, out, observer=watch)
    assert second.problems == []
    assert second.results[0].outcome is not None
    assert second.results[0].outcome.solved is True
    assert watch.ended_runs == 0, "no agent ran"
    after = _bytes(out)
    assert {name: after[name] for name in before} == before


@needs_sandbox
def test_an_unknown_model_of_the_engine_is_told_before_anything_is_written(suite, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["run", str(suite), "--model", "nosuchprovider/x", "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert "model nosuchprovider/x" in said
    assert said.count("\n") == 1
    assert not (out / "manifest.json").exists()


def test_parallel_runs_never_exceed_what_was_asked_for():
    from rigorbench.bench.run.evaluation import _shares

    for jobs in range(1, 9):
        for models in range(1, 9):
            parallel, each = _shares(jobs, models)
            assert parallel <= models
            assert 1 <= parallel * each <= jobs
    assert _shares(2, 4) == (2, 1)
    assert _shares(4, 1) == (1, 4)
    assert _shares(4, 2) == (2, 2)


def test_a_result_says_the_same_when_it_is_read_again(tmp_path):
    from rigorbench.bench.experiment.records import RESULT_SCHEMA, Cell

    result = RunResult(RESULT_SCHEMA, Cell("t", "a", "h", "m"), "completed", 1.0, 2.0)
    assert msgspec.json.decode(msgspec.json.encode(result), type=RunResult) == result
    assert running.default_out().name.startswith("rigor-")
