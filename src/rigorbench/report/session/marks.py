"""How each kind of event is shown: glyph, group and one line of text."""

from __future__ import annotations

from msgspec import Struct

from ...base.sanitize import one_line
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
from ..text.words import plural

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
    "masked": "masked: the failing test was weakened",
    "given_up": "given up",
    "unresolved": "unresolved",
}
_ATTRIBUTIONS = {"existing": ", there before", "environment": ", environment"}
_EDIT_GROUPS = {"production": "edit", "test": "testedit"}
TITLE_LENGTH = 240


class Mark(Struct, frozen=True):
    """How an event is shown. ``glyph`` names a symbol of the page's sprite, ``tone`` its colour class."""

    group: str
    glyph: str
    tone: str
    label: str
    detail: str


def _outcome(word: str) -> str:
    return _OUTCOMES.get(word, "unknown")


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
    return text + {"shell": " by shell", "background": " in the background"}.get(event.via, "")


def mark(event: AnyEvent) -> Mark:
    """The mark of an event. ``detail`` is one safe line, possibly empty."""
    group, glyph, tone, label, detail = _mark(event)
    return Mark(group, glyph, tone, label, one_line(detail, TITLE_LENGTH))


def _mark(event: AnyEvent) -> tuple[str, str, str, str, str]:
    match event:
        case PlanEvent():
            ticked = f", {len(event.completed)} ticked" if event.completed else ""
            return "plan", "plan", "plan", "plan", f"{plural(len(event.items), 'item')} ({event.origin}{ticked})"
        case EditEvent():
            group = _EDIT_GROUPS.get(event.role, "otheredit")
            return group, group, group, f"{event.operation} {event.role}", _edit(event)
        case TestRunEvent():
            outcome = _outcome(event.outcome)
            return "test", f"test-{outcome}", outcome, f"tests {event.outcome}", _tests(event)
        case BuildEvent() | LintEvent():
            outcome = _outcome(event.outcome)
            kind = "build" if isinstance(event, BuildEvent) else "lint"
            return "build", f"{kind}-{outcome}", outcome, f"{kind} {event.outcome}", event.command
        case CommitEvent():
            files = plural(len(event.files), "file")
            return "vcs", "commit", "vcs", "commit", f"{event.message} ({files})"
        case VcsEvent(destructive=True):
            return "vcs", "destructive", "fail", "destructive git", event.command
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
            return "talk", "abstain", "talk", "abstains", event.text
        case ClaimEvent():
            supported = bool(event.supported_by)
            glyph = "claim" if supported else "claim-bare"
            return "talk", glyph, "talk", "claim" if supported else "unsupported claim", event.text
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
