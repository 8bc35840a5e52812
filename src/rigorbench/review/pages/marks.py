"""How each kind of event is shown: glyph, group and one line of text."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...base.sanitize import one_line
from ...evidence.edits.facts import outside
from ...evidence.events import (
    AbstainEvent,
    AnyEvent,
    AskEvent,
    BuildEvent,
    ClaimEvent,
    CommitEvent,
    CompactionEvent,
    EditEvent,
    EpisodeEvent,
    InterruptEvent,
    LintEvent,
    PlanEvent,
    ReadEvent,
    RunEvent,
    SearchEvent,
    SpawnEvent,
    TestRunEvent,
    VcsEvent,
    WaitEvent,
)
from ..review import Review
from .words import plural

# Group -> its name in the filter and the row label of the timeline, in the order they are shown.
GROUPS: dict[str, str] = {
    "plan": "Plan",
    "edit": "Code edits",
    "testedit": "Test edits",
    "otheredit": "Other edits",
    "test": "Test runs",
    "build": "Builds, lint",
    "vcs": "Commits, git",
    "talk": "Claims, asks",
    "flow": "Session",
    "other": "Reads, runs",
}
MINOR = frozenset({"other"})

_OUTCOMES = {"passed": "pass", "failed": "fail", "error": "error", "unknown": "unknown"}
_RESOLUTIONS = {
    "green": "resolved, green",
    "masked": "masked: the failing test was deleted, skipped or weakened",
    "given_up": "given up",
    "unresolved": "unresolved",
    "unknown": "how it ended cannot be told",
}
_ATTRIBUTIONS = {"existing": ", there before", "environment": ", environment", "test": ", own test corrected"}
_EDIT_GROUPS = {"production": "edit", "test": "testedit"}
TITLE_LENGTH = 240
_CLAIMS = {
    "supported": ("claim", "talk", "claim"),
    "contradicted": ("claim-false", "fail", "contradicted claim"),
    "not_shown": ("claim-bare", "talk", "claim that nothing shows"),
}


class EventMark(Struct, frozen=True):
    """How an event is shown. ``glyph`` names a symbol of the page's sprite, ``tone`` its colour class."""

    group: str
    glyph: str
    tone: str
    label: str
    detail: str


def _tests(event: TestRunEvent) -> str:
    counts = [
        f"{number:,} {word}"
        for number, word in ((event.passed, "passed"), (event.failed, "failed"), (event.skipped, "skipped"))
        if number is not None
    ]
    text = event.runner
    if counts:
        text += ": " + ", ".join(counts)
    if event.exit_status is not None:
        text += f" (exit {event.exit_status})"
    return text + (", red phase" if event.red_phase else "")


def _edit(event: EditEvent) -> str:
    text = event.path if event.new_path is None else f"{event.path} → {event.new_path}"
    if event.symbols:
        shown = ", ".join(event.symbols[:4])
        text += f" ({shown}{', …' if len(event.symbols) > 4 else ''})"
    return text + {"shell": " by shell", "git": " by git", "background": " in the background"}.get(event.via, "")


def mark(event: AnyEvent) -> EventMark:
    """The mark of an event. ``detail`` is one safe line, possibly empty."""
    group, glyph, tone, label, detail = _mark(event)
    return EventMark(group, glyph, tone, label, one_line(detail, TITLE_LENGTH))


def review_marks(review: Review | None, events: Sequence[AnyEvent]) -> dict[str, EventMark]:
    """The marks of events that mean more by a check of the review: weakened tests."""
    by_id = {e.id: e for e in events if isinstance(e, EditEvent)}
    found: dict[str, EventMark] = {}
    for fired in () if review is None else review.checks:
        for event in (by_id[id] for id in fired.events if id in by_id and fired.id == "R-bent-tests"):
            tone = "fail" if fired.severity == "flag" else "talk"
            word, glyph = ("deleted", "test-deleted") if event.operation == "delete" else ("changed", "test-weakened")
            detail = one_line(_edit(event), TITLE_LENGTH)
            found.setdefault(event.id, EventMark("testedit", glyph, tone, f"failing test {word}", detail))
    return found


def _mark(event: AnyEvent) -> tuple[str, str, str, str, str]:
    match event:
        case PlanEvent():
            ticked = f", {len(event.completed)} ticked" if event.completed else ""
            return "plan", "plan", "plan", "plan", f"{plural(len(event.items), 'item')} ({event.origin}{ticked})"
        case EditEvent() if event.path.startswith("../") or outside(event.path, None):
            return "otheredit", "otheredit", "otheredit", f"{event.operation} beside the project", _edit(event)
        case EditEvent(role="test", operation="delete"):
            return "testedit", "test-deleted", "talk", "test deleted", _edit(event)
        case EditEvent():
            group = _EDIT_GROUPS.get(event.role, "otheredit")
            return group, group, group, f"{event.operation} {event.role}", _edit(event)
        case TestRunEvent():
            outcome = _OUTCOMES.get(event.outcome, "unknown")
            return "test", f"test-{outcome}", outcome, f"tests {event.outcome}", _tests(event)
        case BuildEvent() | LintEvent():
            outcome = _OUTCOMES.get(event.outcome, "unknown")
            kind = "build" if isinstance(event, BuildEvent) else "lint"
            return "build", f"{kind}-{outcome}", outcome, f"{kind} {event.outcome}", event.command
        case CommitEvent():
            files = plural(len(event.files), "file")
            return "vcs", "commit", "vcs", "commit", f"{event.message} ({files})"
        case VcsEvent():
            return "vcs", "vcs", "muted", "git", event.command
        case EpisodeEvent():
            tone = "pass" if event.resolved == "green" else "fail" if event.counts else "muted"
            text = f"{plural(event.attempts, 'attempt')}, {_RESOLUTIONS.get(event.resolved, event.resolved)}"
            text += _ATTRIBUTIONS.get(event.attributed or "", "")
            return "episode", "episode", tone, "episode", f"{text}: {event.signature}"
        case AskEvent():
            return "talk", "ask", "talk", "question", event.text
        case AbstainEvent():
            return "talk", "abstain", "talk", "may decline", event.text
        case ClaimEvent():
            glyph, tone, label = _CLAIMS[event.verdict]
            return "talk", glyph, tone, label, event.text
        case SpawnEvent():
            return "flow", "spawn", "plan", "sub-agent", event.spawned or "its steps are not in the log"
        case CompactionEvent():
            return "flow", "compaction", "muted", "compaction", "the history was summarised"
        case InterruptEvent():
            return "flow", "interrupt", "fail", "interrupt", "the user stopped the agent"
        case RunEvent():
            status = "" if event.exit_status is None else f" (exit {event.exit_status})"
            return "other", "run", "muted", "run", f"{event.command}{status}"
        case ReadEvent():
            return "other", "read", "muted", "read", event.target
        case SearchEvent():
            return "other", "search", "muted", "search", event.target
        case WaitEvent():
            return "other", "wait", "muted", "wait", ""
