"""An invented experiment on projects: no agent, no model and no policy produced any of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from fake_experiment import make_manifest, make_result
from rigorbench.bench.experiment.records import (
    CodeSize,
    FailureMode,
    Manifest,
    ProjectOutcome,
    RunResult,
    SubmissionFact,
)

PROJECTS = ("queue", "store", "game", "heap", "shell", "codec")
MODELS = ("acme/fast", "acme/slow")


def project_manifest(*, tasks: Sequence[str] = PROJECTS, models: Sequence[str] = MODELS, repeats: int = 2) -> Manifest:
    manifest = make_manifest(tasks=tasks, models=models, repeats=repeats)
    for number, subject in enumerate(manifest.tasks.values()):
        category = ("storage", "game")[number % 2]
        subject.facts["category"] = category
        subject.facts["project"] = {
            "category": category,
            "difficulty": ("easy", "hard")[number % 2],
            "starter": number % 2 == 0,
            "submissions": 5,
        }
    return manifest


def project_outcome(*scores: float, turns: Sequence[int] = (), **more: object) -> ProjectOutcome:
    """Submissions with these points of 100."""
    made = [
        SubmissionFact(n, 60.0 * n, turn, "accepted" if score == 100 else "wrong_answer", score, 100.0, local="passed")
        for n, (score, turn) in enumerate(zip(scores, turns or range(10, 500, 10), strict=False), 1)
    ]
    curve: list[float | None] = [max(scores[:n]) for n in range(1, len(scores) + 1)]
    best = max(scores, default=0.0)
    verdicts = {v: sum(s.verdict == v for s in made) for v in dict.fromkeys(s.verdict or "" for s in made)}
    found = ProjectOutcome(
        best, 80.0, 0.8 * best + 16.0, curve, scores[0] if scores else None, len(scores) or None, 5, made, verdicts, "x"
    )
    found.size = CodeSize(3, 200, 12, 2.5, 9)
    for name, value in more.items():
        setattr(found, name, value)
    return found


def project_results(manifest: Manifest) -> list[RunResult]:
    """On each problem the second repeat takes more turns and ends lower; harder problems take more of both."""
    results = []
    for cell in manifest.cells:
        hardness = list(manifest.tasks).index(cell.task)
        slow = cell.model.endswith("slow")
        top = 100.0 - 10 * hardness - 5 * (cell.repeat - 1) - (20 if slow else 0)
        outcome = project_outcome(top / 2, top, turns=(5 + hardness, 20 + 4 * hardness + cell.repeat))
        if top < 100:
            outcome.failures = [FailureMode("edge-cases", 2, "secret/2-edges: 3 of 4 points are right; not 4")]
        run = make_result(cell)
        results.append(
            replace(run, project=outcome, model_calls=30 + 4 * hardness + cell.repeat, metered=1000 * (hardness + 1))
        )
    return results


def write_projects(out: Path, change: Callable[[RunResult], object] = lambda run: None, **grid: object) -> Manifest:
    """Such an experiment on disk; ``change`` may alter each run."""
    manifest = project_manifest(**grid)  # type: ignore[arg-type]
    (out / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    for run in project_results(manifest):
        change(run)
        directory = out / "runs" / run.cell.id
        directory.mkdir(parents=True)
        (directory / "result.json").write_bytes(msgspec.json.encode(run))
    return manifest
