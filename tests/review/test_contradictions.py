"""No screen says two things that cannot both be true: a property of every log that is at hand."""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pairs import NEW, RED, fixed
from rich.console import Console

from builders import Session
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.review.catalogue import all_checks
from rigorbench.review.pages.pages import render_session
from rigorbench.review.pages.terminal import print_session
from rigorbench.review.reviewed import ReviewedSession
from rigorbench.session.logfile import LogError
from rigorbench.session.registry import discover, read_log

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("RIGOR_SHARED", ROOT.parent / "shared"))
NOT_LOGS = ("lies", "runner-output", "inspect", "refusals")


def did(id: str) -> str:
    return all_checks()[id].did


# On a page, a command has no marks around it; and not every runner says how many tests passed.
WELL = "(?:passed|failed in nothing that had not failed before) after the last edit of the code"
CHECKED = re.compile(f"(?<!check )(?<!nothing ){WELL}")
TESTED = re.compile(rf"(?:tests?\)|\b(?:pytest|(?:go|cargo|npm|pnpm|yarn) test)\b[^`;\n]{{0,60}}`?) {WELL}")
LATER = "failed, and passed later"

# Statements of which at most one is true of a session.
INCOMPATIBLE: list[tuple[str, str | re.Pattern[str]]] = [
    ("no failed check of the change is known", did("V-ended-on-red")),
    ("no failed check of the change is known", did("R-bent-tests")),
    ("no failed check of the change is known", LATER),
    (did("R-bent-tests"), did("V-red-green")),
    (did("V-ended-on-red"), did("V-broad-final")),
    (did("V-final-check"), did("V-broad-final")),
    (did("V-final-check"), CHECKED),
    (did("V-untested-change"), TESTED),
    ("no run of a test is known", TESTED),
    (did("V-narrow"), did("V-broad-final")),
    (did("R-bent-tests"), LATER),
    (did("P-unread"), "known before"),
    ("A limit ended the session", did("V-broad-final")),
    ("A limit ended the session", did("V-ended-on-red")),
    ("The log is cut off", did("V-final-check")),
    ("the log shows no edit in the project", did("V-final-check")),
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
        found += [f"{screen}: {a!r} and {b!r}" for a, b in INCOMPATIBLE if a.lower() in lower and _says(lower, b)]
    return found


def _says(lower: str, statement: str | re.Pattern[str]) -> bool:
    return bool(statement.search(lower)) if isinstance(statement, re.Pattern) else statement.lower() in lower


RUFF = "All checks passed!\n"


@pytest.mark.parametrize(
    ("session", "said"),
    [
        (fixed().pytest(3), [CHECKED, TESTED]),
        (fixed().shell("go test ./...", "ok  \texample.org/a\t0.01s\n"), [CHECKED, TESTED]),
        (fixed().shell("ruff check .", RUFF), [CHECKED, "no run of a test is known"]),
        (fixed().pytest(2, failed=[RED]).edit("src/a.py", NEW, NEW * 2).pytest(3), [LATER, CHECKED, TESTED]),
        (fixed(), []),
    ],
)  # fmt: skip
def test_what_may_not_stand_together_is_what_screens_say(session: Session, said: list[str | re.Pattern[str]]) -> None:
    for text in statements(score_and_review(session.build(), measure=False)).values():
        lower = text.lower()
        told = [CHECKED, TESTED, LATER, "no run of a test is known"]
        assert {str(s) for s in told if _says(lower, s)} == {str(s) for s in said}


@pytest.mark.parametrize("path", paths(), ids=lambda p: p.name)
def test_no_screen_contradicts_itself(path: Path) -> None:
    assert {r.score.trajectory.source: c for r in reports(path) if (c := contradictions(r))} == {}
