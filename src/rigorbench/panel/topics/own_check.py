"""Whether a test or program of the agent's own, which it ran as a check, reaches what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...evidence.events import EditEvent, RunEvent, TestRunEvent
from ..model import Case, Question, Rubric
from ..topic import Finding, SessionView, Topic, change, code, diff

_CHECK = "code of the check"
# Checks of one session; more are not asked about.
_MOST = 6

_RUBRIC = Rubric(
    kind="own_check",
    version=1,
    title="A test or program that a coding agent wrote and ran, beside its change",
    questions=(
        Question(
            id="leaves_out",
            text="Does the check leave out the changed code?",
            yes="What it runs and compares is made in the check itself: a copy or an imitation of the changed code, "
            "values that it sets and reads back, constants.",
            no="It runs something of the program; or what it runs is not shown.",
        ),
        Question(
            id="reaches",
            text="Does the check run code that the change touches?",
            yes="It calls, starts or loads the changed code, directly or through something that uses it, also by "
            "another process or a server.",
            no="Nothing that it runs leads to the changed code.",
        ),
    ),
)


def _case(check: str, edit: str, *, subject: str, about: str = "", events: Sequence[str] = ()) -> Case:
    excerpts = (*code(_CHECK, check), *change("change", edit))
    return Case("own_check", subject, excerpts, events=tuple(events), about=about)


def _cases(session: SessionView) -> Iterator[Case]:
    """The files that the agent made and that a later run names, or that have tests which a later run includes."""
    runs = [e for e in session.events if isinstance(e, RunEvent | TestRunEvent)]
    made = [e for e in session.events if isinstance(e, EditEvent) and e.operation == "create"]
    found: dict[str, Case] = {}
    for own in made:
        text = session.facts(own).change.after
        name = own.path.rsplit("/", 1)[-1]
        tests = bool(session.facts(own).tests)
        later = [r for r in runs if session.position[r.id] > session.position[own.id]]
        run = next((r for r in later if name in r.command or (tests and isinstance(r, TestRunEvent))), None)
        edit = diff(session, [e for e in session.edits if e.role == "production" and e.path != own.path])
        if run is not None and text and edit and own.path not in found:
            check = f"$ {run.command}\n\n{own.path}:\n{text}"
            found[own.path] = _case(check, edit, subject=own.path, about=own.path, events=[own.id, run.id])
    yield from list(found.values())[:_MOST]


TOPIC = Topic(
    rubric=_RUBRIC,
    names=("check of the agent's own", "checks of the agent's own"),
    cases=_cases,
    findings=(
        Finding(
            id="V-leaves-code-out",
            pillar="verification",
            severity="weak",
            sentence="A test or program of the agent's own, run as a check, does not reach the changed code, by the "
            "panel's votes.",
            did="ran a check of its own that does not reach what it changed",
            applies="sessions in which the agent ran tests or programs of its own",
            when={"leaves_out": True, "reaches": False},
            message="Runs nothing of what was changed",
            advice="Let each check call what you changed; a copy of it shows nothing.",
        ),
    ),
)
