"""Invented experiments on disk, for the tests of the report: no agent, no model and no policy produced any of it."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from rigorbench.base import journal
from rigorbench.base.points import JudgedPoint
from rigorbench.bench.experiment.records import (
    MANIFEST_SCHEMA,
    RESULT_SCHEMA,
    Breach,
    Budget,
    Cell,
    Manifest,
    Manipulation,
    Outcome,
    RunResult,
    Subject,
    TestOutcome,
)
from rigorbench.review.document import REVIEW_FILE, REVIEW_SCHEMA, ReviewDocument
from rigorbench.review.reader.reading import Reading
from rigorbench.review.result import PILLAR_TITLES, WEIGHTS, Header, Pillar, Score, SubMetric, Tokens
from rigorbench.review.review import GRADES, Fired, Grade, Review

START = 1_790_000_000.0
TASKS = ("invented-gateway", "invented-calendar", "invented-hash", "invented-sort", "invented-orm")
QUALITY = {"disciplined": 0.8, "reckless": 0.35, "agent-rigor": 0.7, "superpowers": 0.65, "baseline": 0.45}

Change = Callable[[RunResult], RunResult | None]


def digest(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()


def make_manifest(
    *,
    tasks: Sequence[str] = TASKS,
    agents: Sequence[str] = ("react",),
    harnesses: Sequence[str] = ("baseline",),
    models: Sequence[str] = ("scripted/disciplined", "scripted/reckless"),
    repeats: int = 1,
) -> Manifest:
    cells = [
        Cell(task, agent, harness, model, repeat)
        for task in tasks
        for agent in agents
        for harness in harnesses
        for model in models
        for repeat in range(1, repeats + 1)
    ]

    def subjects(names: Sequence[str], version: str | None) -> dict[str, Subject]:
        return {n: Subject(n, version, "sha256:" + digest(n) + digest(n)[:24], "Apache-2.0") for n in names}

    return Manifest(
        MANIFEST_SCHEMA,
        "invented-1",
        START,
        "invented suite",
        ["rigor", "run", "rigor", "--agent", ",".join(agents), "--model", ",".join(models), "--out", "out/invented"],
        cells,
        Budget(),
        "bwrap",
        subjects(tasks, None),
        subjects(agents, "1.2.3"),
        subjects(harnesses, None),
        subjects(models, None),
        [m for m in models if m.startswith("scripted/")],
        {"rigorbench": "0.0.0", "python": "3.11.9", "inspect_ai": "0.0.0"},
        {"system": "Linux", "cores": 2, "memory": "8 GB"},
    )


def make_result(cell: Cell) -> RunResult:
    """A completed run with invented figures: the same cell, the same figures."""
    chance = random.Random(cell.id)
    base = QUALITY.get(cell.harness, 0.5) / 2 + QUALITY.get(cell.model.rpartition("/")[2], 0.5) / 2
    pillars: dict[str, float | None] = {
        name: round(min(1.0, max(0.0, chance.gauss(base, 0.12))), 3) for name in PILLAR_TITLES if name != "AQ"
    }
    status = dict.fromkeys(pillars, "scored")
    pillars["AQ"], status["AQ"] = None, "not_applicable"
    tests = [
        TestOutcome(f"tests/test_hidden.py::test_{n}", "passed" if chance.random() < base else "failed", at_start=n < 2)
        for n in range(8)
    ]
    passed = sum(t.outcome == "passed" for t in tests)
    requirements: dict[str, bool | None] = {
        f"R{n}": all(t.outcome == "passed" for t in tests[2 * n - 2 : 2 * n]) for n in range(1, 5)
    }
    outcome = Outcome(
        passed / 8,
        sum(map(bool, requirements.values())) / 4,
        ["tests/test_old.py::test_kept"] if chance.random() < 0.2 else [],
        passed == 8,
        tests,
        requirements,
        digest("final" + cell.id),
        1.5,
    )
    outcome.fail_to_pass = round(sum(t.outcome == "passed" for t in tests[2:]) / 6, 6)
    outcome.features = round(sum(bool(requirements[f"R{n}"]) for n in range(2, 5)) / 3, 6)
    outcome.kept = round((sum(t.outcome == "passed" for t in tests[:2]) + 8 - len(outcome.regressions or ())) / 10, 6)
    outcome.score = outcome.worth()
    return RunResult(
        RESULT_SCHEMA,
        cell,
        "completed",
        START + chance.randrange(1000),
        chance.uniform(20, 400),
        chance.uniform(10, 20),
        cell.model.startswith("scripted/"),
        tokens={"input": 9_000, "cache_read": 40_000, "cache_write": 3_000, "output": 2_000},
        metered=chance.randrange(8_000, 90_000),
        model_calls=chance.randrange(8, 60),
        rigor_score=round(sum(WEIGHTS[n][0] * v for n, v in pillars.items() if v is not None) / 0.85, 4),
        evidence_share=0.94,
        pillars=pillars,
        pillar_status=status,
        outcome=outcome,
        manipulation=Manipulation(True, ["read CLAUDE.md"]) if cell.harness != "baseline" else None,
    )


def make_score(result: RunResult, directory: str) -> Score:
    pillars = {}
    for name, (weight, parts) in WEIGHTS.items():
        number = result.pillars.get(name)
        status = result.pillar_status.get(name, "unscorable")
        subs = {
            key: SubMetric(
                number, status, "parsed" if status == "scored" else None, 3 if number is not None else 0, [], "invented"
            )
            for key in parts
        }
        pillars[name] = Pillar(number, status, weight, 1.0 if number is not None else None, subs)
    header = Header(
        result.cell.id, directory, "rigor-capture", result.cell.agent, "1.2.3", result.cell.model,
        "2026-09-21T13:33:20Z", "2026-09-21T13:40:00Z", 3, 2, Tokens(9_000, 40_000, 3_000, 2_000),
    )  # fmt: skip
    return Score("rigor-score/1", header, result.rigor_score, result.evidence_share, pillars)


def make_review(result: RunResult) -> Review:
    """Good scores go with good grades, roughly; a reckless policy and one harness bend a test in every second run."""
    overall = None if result.rigor_score is None else round(100 * result.rigor_score) // 5 * 5
    grades = {
        name: Grade(overall, "scored" if overall is not None else "not_applicable", "invented") for name in GRADES
    }
    bent = ("reckless" in result.cell.model or result.cell.harness == "nudge") and result.cell.repeat % 2 == 1
    flag = Fired("R-bent-tests", "recovery", "flag", "A test was bent.", "Repair the code.", ["e1"], 1, None)
    reading = Reading("invented reader", None, "0" * 64, 1, 1, {}, {}, [], [], "Invented.")
    return Review(overall, "invented", "small", grades, [flag] if bent else [], reading=reading)


def make_journal(result: RunResult, trees: tuple[str, str] | None = None) -> list[journal.JournalRecord]:
    """What a run of two commands leaves behind. ``trees``: at the start and after the edit, where a store has them."""
    at = result.started
    start, edited = trees or (digest("start"), digest("edited" + result.cell.id))
    call = {"id": "c1", "name": "bash", "arguments": {"command": "python -m pytest -q"}}
    write = {"id": "c2", "name": "bash", "arguments": {"command": "printf 'x = 1\\n' > src/invented.py"}}
    return [
        journal.RunRecord(
            at, journal.SCHEMA, result.cell.id, "/repo", digest("commit"), start, start, "Invented task: add x.",
            {"name": result.cell.task}, {"name": result.cell.agent}, {"name": result.cell.harness},
            result.cell.model, result.scripted, ["commands", "output", "trees", "models", "decoys"],
        ),
        journal.TreeRecord(at + 0.1, start, "start"),
        journal.Model(
            at + 2, "m1", "main", result.cell.model, at + 1, [{"role": "user", "content": "Invented task: add x."}],
            output={"role": "assistant", "content": "First the tests.", "tool_calls": [call]},
            usage={"input": 900, "cache_read": 0, "cache_write": 0, "output": 40, "reasoning": 0}, tools=2,
        ),
        journal.CommandRecord(
            at + 2.1, "k1", 7, ["python", "-m", "pytest", "-q"], "/repo", "/usr/bin/python", tag="c1"
        ),
        journal.CommandRecord(at + 2.2, "k2", 8, ["git", "rev-parse"], "/repo", "/usr/bin/git", "k1", "nested"),
        journal.Exit(at + 2.3, "k2", 0),
        journal.OutputRecord(at + 2.8, "k1", "1 failed, 3 passed in 0.10s\n"),
        journal.Exit(at + 3.1, "k1", 1),
        journal.Model(
            at + 5, "m2", "main", result.cell.model, at + 4,
            [{"role": "tool", "content": "1 failed, 3 passed in 0.10s\n", "tool_call_id": "c1"}],
            output={"role": "assistant", "content": "", "tool_calls": [write]},
            usage={"input": 300, "cache_read": 900, "cache_write": 0, "output": 60, "reasoning": 0}, tools=2,
        ),
        journal.CommandRecord(
            at + 5.1, "k3", 9, ["sh", "-c", "printf 'x = 1\\n' > src/invented.py"], "/repo", tag="c2"
        ),
        journal.Exit(at + 5.2, "k3", 0),
        journal.TreeRecord(at + 5.25, edited, "after", "k3", ["src/invented.py"]),
        journal.Model(
            at + 8, "m3", "main", result.cell.model, at + 7,
            [{"role": "tool", "content": "", "tool_call_id": "c2"}],
            output={"role": "assistant", "content": "x is there now."},
            usage={"input": 100, "cache_read": 1200, "cache_write": 0, "output": 10, "reasoning": 0}, tools=2,
        ),
        journal.End(at + 9, "completed", None, edited),
    ]  # fmt: skip


def write_store(run: Path, *states: dict[str, bytes]) -> list[str]:
    """Writes ``store.git`` of a run with a tree for each state (file by path), and returns the hashes of the trees."""
    store = run / "store.git"
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*arguments: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            ["git", *arguments], input=stdin, stdout=subprocess.PIPE, check=True, env=environment
        )  # fmt: skip
        return done.stdout

    git("init", "--quiet", "--bare", str(store))
    lines = []
    for number, files in enumerate(states):
        lines.append(b"commit refs/states/%d\ncommitter i <i> 0 +0000\ndata 0\ndeleteall\n" % number)
        for path, content in files.items():
            lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content))
    git("--git-dir", str(store), "fast-import", "--quiet", stdin=b"".join(lines))
    names = [f"refs/states/{n}^{{tree}}" for n in range(len(states))]
    return git("--git-dir", str(store), "rev-parse", *names).decode().split()


def write_reading(out: Path, result: RunResult, *said: JudgedPoint, about: str = "DQ") -> None:
    """Lets three invented readers answer, and makes DQ of the run rest on it: no model was asked."""
    readers = ["strict", "middling", "lenient"]
    run = out / "runs" / result.cell.id
    score = msgspec.json.decode((run / "score.json").read_bytes(), type=Score)
    judged = score.pillars["PF" if about == "DQ" else "AQ"].submetrics[about]
    judged.method, judged.readers = "judged", readers
    (run / "score.json").write_bytes(msgspec.json.encode(score))
    document = msgspec.json.decode((run / REVIEW_FILE).read_bytes(), type=ReviewDocument)
    document.review.reading.by, document.review.reading.points = readers, list(said)
    (run / REVIEW_FILE).write_bytes(msgspec.json.encode(document))


def write_experiment(
    out: Path, manifest: Manifest, change: Change | None = None, *, scores: bool = True, journals: bool = True
) -> list[RunResult]:
    """Writes an experiment. ``change`` may alter a result, or leave its run out by returning None."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    results = []
    for cell in manifest.cells:
        result = make_result(cell)
        changed = result if change is None else change(result)
        if changed is None:
            continue
        results.append(changed)
        directory = out / "runs" / cell.id
        directory.mkdir(parents=True)
        if journals:
            lines = [msgspec.json.encode(r) for r in make_journal(changed)]
            (directory / "journal.jsonl").write_bytes(b"\n".join(lines) + b"\n")
        if scores and changed.status != "error":
            (directory / "score.json").write_bytes(msgspec.json.encode(make_score(changed, str(directory))))
            reviewed = ReviewDocument(REVIEW_SCHEMA, make_review(changed))
            (directory / REVIEW_FILE).write_bytes(msgspec.json.encode(reviewed))
        if changed.outcome is not None:
            (directory / "outcome.json").write_bytes(msgspec.json.encode(changed.outcome))
        (directory / "result.json").write_bytes(msgspec.json.encode(changed))
    return results


def trouble(result: RunResult) -> RunResult | None:
    """Something of everything that may go wrong, by the place of the task in :data:`TASKS` and the repeat."""
    cell = result.cell
    kind = (TASKS.index(cell.task) + cell.repeat) % 7 if cell.task in TASKS else 0
    if kind == 1:
        return RunResult(
            RESULT_SCHEMA, cell, "error", result.started, 3.0, scripted=result.scripted,
            error="SandboxError: bwrap could not be started (invented)",
        )  # fmt: skip
    if kind == 2:
        result.status, result.limit = "limit", "tokens"
    if kind == 3:
        result.breaches = [Breach("decoy", "opened /tests/test_hidden.py", [4, 5]), Breach("git-deleted", ".git", [7])]
    if kind == 4:
        result.gaps = ["output of command k1: written to a terminal, which is left alone"]
    if kind == 5:
        result.rigor_score, result.evidence_share = None, 0.31
        result.pillars["VC"], result.pillar_status["VC"] = None, "unscorable"
    if kind == 6:
        if cell.repeat == 3:
            return None
        result.outcome = Outcome(None, None, None, None, reason="the hidden tests could not be started (invented)")
        result.manipulation = Manipulation(False, [], "the instruction file was never read")
    return result
