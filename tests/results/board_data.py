"""Invented experiments for leaderboards: no agent, no model and no policy produced any of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from fake_experiment import digest, make_manifest, make_score, write_experiment
from rigorbench.bench.experiment.records import Manifest, RunResult
from rigorbench.review.result import WEIGHTS

TASKS = tuple(f"invented-{n:02}" for n in range(12))
DAY = 86_400.0

Change = Callable[[RunResult], RunResult | None]


def manifest_of(
    name: str,
    *,
    tasks: Sequence[str] = TASKS,
    models: Sequence[str] = ("acme/x",),
    harnesses: Sequence[str] = ("baseline",),
    repeats: int = 1,
    suite: str | None = "suite-1",
    day: int = 0,
    version: str = "1.2.3",
) -> Manifest:
    """``suite``: what the digest of the whole suite is made from; None: an older manifest that does not tell it."""
    made = make_manifest(tasks=tasks, models=models, harnesses=harnesses, repeats=repeats)
    facts = {} if suite is None else {"digest": digest(suite), "tasks": {"any": len(TASKS)}, "twins": {}}
    return replace(
        made,
        id=name,
        created=made.created + day * DAY,
        suite="invented",
        agents={n: replace(s, version=version) for n, s in made.agents.items()},
        suite_facts=facts,
    )


def with_score(result: RunResult, score: float | None) -> RunResult:
    """The run with every pillar at this value, and so the RigorScore; None: without a score."""
    if score is None:
        pillars: dict[str, float | None] = dict.fromkeys(WEIGHTS)
        return replace(result, rigor_score=None, pillars=pillars, pillar_status=dict.fromkeys(WEIGHTS, "unscorable"))
    return replace(
        result, rigor_score=score, pillars=dict.fromkeys(WEIGHTS, score), pillar_status=dict.fromkeys(WEIGHTS, "scored")
    )


def later(days: float) -> Change:
    return lambda run: replace(run, started=run.started + days * DAY)


def scored(scores: Mapping[str, float], spread: float = 0.05, day: float = 0.0) -> Change:
    """Runs whose scores go up and down from task to task by ``spread`` around that of their model or harness."""

    def change(run: RunResult) -> RunResult:
        base = scores.get(run.cell.model, scores.get(run.cell.harness, 0.5))
        place = TASKS.index(run.cell.task) if run.cell.task in TASKS else 0
        return later(day)(with_score(run, round(base + spread * ((place % 3) - 1), 6)))

    return change


def write(out: Path, manifest: Manifest, change: Change | None = None, *, scores: bool = True) -> list[RunResult]:
    return write_experiment(out, manifest, change, scores=scores, journals=False)


def rewrite(out: Path, result: RunResult, *, score: bool = True) -> Path:
    """Writes a run's result (and the score that goes with it) again; returns its directory."""
    directory = out / "runs" / result.cell.id
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "result.json").write_bytes(msgspec.json.encode(result))
    if score:
        (directory / "score.json").write_bytes(msgspec.json.encode(make_score(result, "invented")))
    return directory
