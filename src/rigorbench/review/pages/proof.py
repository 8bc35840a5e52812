"""What shows a finding: the place and a quote of each of its events; or in short what was said, shown, and to run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from ...base.sanitize import one_line
from ...evidence.events import AnyEvent, BuildEvent, ClaimEvent, EditEvent, LintEvent, TestRunEvent
from ...session.model import Edit, Shell, Source
from ..findings import quote
from ..result import SessionReport
from ..review import Fired
from .diffs import diff
from .marks import mark
from .places import by_place

_QUOTE = 200
# Of an edit so many removed and added lines are quoted, of a run so many failing tests.
_LINES = 2
_FAILING = 2


_CHECKS = TestRunEvent | BuildEvent | LintEvent


class Brief(Struct):
    """The proof of a finding in short: the agent's words that it is about, the event that decides, what to run."""

    said: str | None
    shown_by: str | None
    place: Source | None
    command: str | None


def brief(finding: Fired, events: Mapping[str, AnyEvent]) -> Brief:
    """The proof of a finding. ``events``: those of the session, by id."""
    shown = [events[i] for i in finding.events if i in events]
    said = next((e for e in shown if isinstance(e, ClaimEvent)), None)
    deciding = next((e for e in shown if not isinstance(e, ClaimEvent)), None)
    command = said.check if said is not None else None
    if command is None:
        command = next((e.command for e in reversed(shown) if isinstance(e, _CHECKS)), None)
    text = said.text if said is not None else None
    return Brief(text, quote(deciding), deciding.source, command) if deciding else Brief(text, None, None, command)


def finding_lines(finding: Fired, events: Mapping[str, AnyEvent], mark: str = "") -> list[str]:
    """What was found, the words it is about, the event that decides, what to run, what to do.

    Args:
        events: those of the session, by id.
        mark: stands before the first line; the others are indented.
    """
    shown = brief(finding, events)
    lines = [f"{mark}{finding.id}: {one_line(finding.message, 400)}"]
    if shown.said is not None and one_line(shown.said, 100)[:60] not in lines[0]:
        lines.append(f"   said: {one_line(shown.said, 200)}")
    if shown.shown_by is not None:
        line = f" (line {shown.place.line} of the log)" if shown.place is not None and shown.place.line else ""
        lines.append(f"   shown by: {one_line(shown.shown_by, 300)}{line}")
    if shown.command is not None:
        lines.append(f"   run: {one_line(shown.command, 300)}")
    if finding.advice is not None:
        lines.append(f"   do: {finding.advice}")
    return lines


class EventProof(Struct):
    """An event that shows something. ``detail``: what it was about: the command, the file."""

    event: str
    place: str
    tone: str
    label: str
    detail: str
    quotes: list[str]
    """Lines of the log, each with "-" or "+" in front where an edit removed or added it."""


def place(step: int | None, source: Source | None) -> str:
    """ "step 12, line 340"; a log that is not line-based has no line; "" if neither is known."""
    parts = [f"step {step}"] if step is not None else []
    parts += [f"line {source.line}"] if source is not None and source.line is not None else []
    return ", ".join(parts)


def _counts(event: TestRunEvent) -> str:
    """What a test run reported: " (13 passed, 1 failed)"."""
    counts = ((event.passed, "passed"), (event.failed, "failed"), (event.exit_status or None, "exit status"))
    parts = [f"{n:,} {word}" if word != "exit status" else f"{word} {n}" for n, word in counts if n]
    return f" ({', '.join(parts)})" if parts else ""


class Proofs:
    def __init__(self, report: SessionReport) -> None:
        self._steps = report.trajectory.steps
        self._events = {e.id: e for e in report.events}
        self._calls = {e.id: where for where, events in by_place(report).items() for e in events}

    def of(self, events: Iterable[str]) -> list[EventProof]:
        """Each of these events, in this order; those that are not in the log are left out."""
        known = (self._events.get(id) for id in dict.fromkeys(events))
        return [self._proof(event) for event in known if event is not None]

    def _proof(self, event: AnyEvent) -> EventProof:
        shown = mark(event)
        detail, quotes = shown.detail, list(self._quotes(event))
        if isinstance(event, _CHECKS):
            detail = one_line(event.command, _QUOTE)
        if isinstance(event, TestRunEvent):
            detail += _counts(event)
        if isinstance(event, ClaimEvent):
            detail = ""
        return EventProof(event.id, place(event.step, event.source), shown.tone, shown.label, detail, quotes)

    def _quotes(self, event: AnyEvent) -> Iterator[str]:
        match event:
            case ClaimEvent():
                yield one_line(event.text, _QUOTE)
            case TestRunEvent():
                for name in event.failing[:_FAILING]:
                    yield one_line(name, _QUOTE)
            case EditEvent():
                yield from self._changed(event)

    def _changed(self, event: EditEvent) -> Iterator[str]:
        """The first lines that an edit removed and added; or the command that edited."""
        step, call = self._calls.get(event.id, (event.step, None))
        action = self._steps[step].calls[call].action if call is not None else None
        if isinstance(action, Shell):
            yield one_line(action.command, _QUOTE)
        if not isinstance(action, Edit):
            return
        for change in action.changes:
            if event.path.endswith(change.path) or change.path.endswith(event.path):
                runs = diff(change, 4_000).runs
                for sign in ("-", "+"):
                    text = "".join(run.text for run in runs if run.sign == sign)
                    lines = [line[1:].strip() for line in text.splitlines() if line[1:].strip()]
                    yield from (f"{sign} {one_line(line, _QUOTE)}" for line in lines[:_LINES])
                return
