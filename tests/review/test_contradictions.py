"""No screen says two things that cannot both be true: a property of every log that is at hand."""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from rigorbench.report.session.pages import render_session
from rigorbench.report.session.terminal import print_session
from rigorbench.review.catalogue import all_checks
from rigorbench.review.score import ReviewedSession, score_and_review
from rigorbench.trajectory.logfile import LogError
from rigorbench.trajectory.registry import discover, read_log

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("RIGOR_SHARED", ROOT.parent / "shared"))
NOT_LOGS = ("lies", "runner-output", "inspect", "refusals")


def did(id: str) -> str:
    return all_checks()[id].did


# Statements of which at most one is true of a session.
INCOMPATIBLE = [
    ("no check of the change failed", did("V-ended-on-red")),
    ("no check of the change failed", did("R-bent-tests")),
    ("no check of the change failed", "green again"),
    (did("R-bent-tests"), did("V-red-green")),
    (did("V-ended-on-red"), did("V-broad-final")),
    (did("V-final-check"), did("V-broad-final")),
    (did("V-final-check"), did("V-neighbour")),
    (did("V-final-check"), "tests passed after the last edit of the code"),
    (did("V-final-check"), "tests of a package or more passed after the last edit of the code"),
    (did("V-untested-change"), "tests passed after the last edit of the code"),
    (did("V-untested-change"), did("V-neighbour")),
    (did("V-narrow"), did("V-broad-final")),
    (did("V-red-green"), "the change was never seen failing"),
    (did("P-reproduced"), "the change was never seen failing"),
    (did("V-ended-on-red"), "the change was never seen failing"),
    (did("R-bent-tests"), "green again"),
    (did("P-unread"), "known before"),
    *(("No findings by the rules", c.did) for c in all_checks().values() if c.severity in ("flag", "weak")),
    ("A limit ended the session", did("V-broad-final")),
    ("A limit ended the session", did("V-ended-on-red")),
    ("The log is cut off", did("V-final-check")),
    ("the log shows no change of the project", did("V-final-check")),
]


def paths() -> Iterator[Path]:
    for folder in (ROOT / "tests" / "data", SHARED / "data" / "sessions"):
        yield from sorted(d for d in folder.glob("*/") if d.is_dir() and d.name not in NOT_LOGS)
    yield from (p for p in (ROOT / "examples", SHARED / "labelled" / "logs", SHARED / "cases" / "logs") if p.is_dir())


def reports(path: Path) -> Iterator[ReviewedSession]:
    for log in discover([str(path)]):
        if isinstance(log, LogError):
            continue
        for trajectory in read_log(log):
            yield score_and_review(trajectory, measure=False)


def statements(report: ReviewedSession) -> dict[str, str]:
    """What each screen says of a session, without what it quotes of the log."""
    stream = io.StringIO()
    print_session(report, Console(file=stream, width=10_000))
    page = re.sub(r"<section id=\"(?:timeline|log|all)\".*", "", render_session(report), flags=re.DOTALL)
    words = html.unescape(re.sub(r"<[^>]+>", " ", page))
    return {"terminal": " ".join(stream.getvalue().split()), "page": " ".join(words.split())}


def contradictions(report: ReviewedSession) -> list[str]:
    found = []
    for screen, said in statements(report).items():
        lower = said.lower()
        found += [f"{screen}: {a!r} and {b!r}" for a, b in INCOMPATIBLE if a.lower() in lower and b.lower() in lower]
    return found


@pytest.mark.parametrize("path", paths(), ids=lambda p: p.name)
def test_no_screen_contradicts_itself(path: Path) -> None:
    assert {r.score.trajectory.source: c for r in reports(path) if (c := contradictions(r))} == {}
