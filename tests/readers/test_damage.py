"""Values of other types, lost bytes and lines in another order: every reader gives a result or a LogError."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from log_checks import cut_and_spoiled, damaged, survives

from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.registry import detect, read_log

SHARED = Path(__file__).parents[3] / "shared" / "data"
DATA = Path(__file__).parents[1] / "data"
RUNS = [
    p for agent in ("opencode", "openhands", "pi", "gemini") for p in (SHARED / "cli" / agent).rglob("*reckless/**/*")
]
FOLDERS = [folder for name in ("openhands-output", "trae") for folder in SHARED.glob(f"sessions/{name}")]
SESSIONS = [min(folder.iterdir(), key=lambda path: path.stat().st_size) for folder in FOLDERS]
SAMPLES = [
    path
    for path in sorted((*DATA.rglob("*"), *RUNS, *SESSIONS))
    if path.is_file()
    and path.stat().st_size < (400_000 if path in SESSIONS else 120_000)
    and path.suffix in (".json", ".jsonl", ".traj", ".log", ".md", ".db")
    and not {"capture", "events", "lies", "refusals", "runner-output", "inspect"} & set(path.parts)
    and detect(LogFile(path)) is not None
]


def damage(content: bytes, dice: random.Random, rate: float) -> bytes:
    """The document, or the lines, with other values in them; lines that are no JSON in another order."""
    try:
        return json.dumps(damaged(json.loads(content), dice, rate)).encode()
    except ValueError:
        lines = content.splitlines(keepends=True)
    for number, line in enumerate(lines):
        try:
            lines[number] = json.dumps(damaged(json.loads(line), dice, rate)).encode() + b"\n"
        except ValueError:
            continue
    if dice.random() < 0.3:
        dice.shuffle(lines)
    return b"".join(lines)


def accused(content: bytes) -> set[str]:
    try:
        found = read_log(LogFile(None, content=content))
    except LogError:
        found = []
    return {c.id for t in found for c in score_and_review(t, measure=False).review.checks if c.severity != "strength"}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: "/".join(path.parts[-2:]))
def test_no_damage_is_worth_a_traceback(path: Path) -> None:
    reader = detect(LogFile(path))
    content, dice = path.read_bytes(), random.Random(path.name)
    for rate in (0.005, 0.01, 0.02, 0.05, 0.1, 0.3) * 3:
        survives((reader,), LogFile(None, name="damaged", content=damage(content, dice, rate)))
        survives((reader,), LogFile(None, name="spoiled", content=cut_and_spoiled(content, dice)))
    for _ in range(3 if path.suffix == ".jsonl" else 0):  # cut, doubled or moved lines accuse nobody of more
        lines = [line for line in content.splitlines(keepends=True) for _ in range(dice.choice((1, 1, 1, 2)))]
        at = dice.randrange(1, len(lines) + 1)
        moved = [*lines[: at - 1], *lines[at : at + 1], *lines[at - 1 : at], *lines[at + 1 :]]
        assert accused(b"".join(moved)[: dice.choice((None, dice.randrange(len(content))))]) <= accused(content)
