"""Cases and labels for tests, made of nothing but words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rigorbench.panel.cases import commit_case
from rigorbench.panel.labels.model import FORMS, Sheet, Value
from rigorbench.panel.labels.store import LabelFile, Labels, load
from rigorbench.panel.model import Answer, Case, Excerpt, Item, Rubric, Vote
from rigorbench.panel.rubrics import RUBRICS


def plan_sheet(number: int, *, items: int = 4, session: str | None = None, model: str | None = None) -> Sheet:
    return Sheet(
        kind="plan",
        session=session if session is not None else f"s{number}",
        subject="main",
        excerpts=(Excerpt("instruction", f"Task {number}: make the parser read dates."),),
        items=tuple(Item(str(n), f"Step {n} of plan {number}") for n in range(1, items + 1)),
        model=model,
    )


def commit_sheet(number: int, *, session: str | None = None, model: str | None = None) -> Sheet:
    message = f"Add feature {number}\n\nCo-Authored-By: Somebody <a@example.org>"
    return Sheet(
        kind="commit_message",
        session=session if session is not None else f"s{number}",
        subject=f"e{number}",
        excerpts=commit_case(message, "+def feature(): ...", subject="e").excerpts,
        model=model,
    )


def episode_sheet(number: int) -> Sheet:
    return Sheet(
        kind="episode",
        session=f"s{number}",
        subject=f"e{number}",
        excerpts=(Excerpt("check", f"$ pytest -k {number}\n1 failed"),),
        found={"error": True, "resolved": "green", "attempts": 1},
    )


def label_all(
    directory: Path, name: str, sheets: list[Sheet], say: Callable[[Sheet, str, str | None], Value | None]
) -> None:
    """Every question of every sheet answered by ``say(sheet, question, item)``."""
    file = LabelFile(directory, name)
    for sheet in sheets:
        for ask, item in sheet.points():
            part = item.id if item is not None else None
            file.answer(sheet, ask.id, part, say(sheet, ask.id, part))
    file.close()


def labelled(
    directory: Path, sheets: list[Sheet], say: Callable[[Sheet, str, str | None], Value | None], name: str = "ada"
) -> Labels:
    label_all(directory, name, sheets, say)
    return load(directory)


def vote(
    case: Case,
    seat: str,
    say: Callable[[str, str | None], bool],
    *,
    rubric: Rubric | None = None,
    model: str | None = None,
) -> Vote:
    asked = rubric if rubric is not None else RUBRICS[case.kind]
    answers = [Answer(q, say(q, item), item) for q, item in case.points(asked)]
    model = model if model is not None else f"test/{seat}"
    return Vote(
        kind=case.kind, case=case.digest, rubric=asked.digest, seat=seat, model=model, prompt=asked.digest[:8],
        status="voted", answers=answers,
    )  # fmt: skip


assert set(FORMS) > set(RUBRICS)
