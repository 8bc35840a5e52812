"""Events of a session as labellers see them: edits as diffs, checks with the end of their output."""

from __future__ import annotations

from ...evidence.events import (
    AnyEvent,
    BuildEvent,
    CommitEvent,
    EditEvent,
    LintEvent,
    ReproductionEvent,
    RunEvent,
    TestRunEvent,
)
from ...evidence.facts import Evidence
from ...panel.model import Excerpt
from ...trajectory.model import ToolCall
from ..session.diffs import diff
from ..session.places import call_places

REQUEST, CLOSING = 1_500, 1_200
_OUTPUT, _DIFF = 2_500, 2_500


class Shown:
    """The events of one session as excerpts."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        steps = evidence.trajectory.steps
        self._calls: dict[tuple[str, int | None], ToolCall] = {
            place: steps[step].calls[call]
            for place, (step, call) in call_places(evidence.trajectory).items()
            if call is not None
        }

    def excerpt(self, event: AnyEvent) -> Excerpt | None:
        """An edit, a check or a commit; None for other events. Outcomes are left out: the output shows them."""
        if isinstance(event, EditEvent):
            return Excerpt("edit", _diff(self.evidence, event))
        if isinstance(event, CommitEvent):
            return Excerpt("commit", cut(event.message, _OUTPUT))
        if isinstance(event, TestRunEvent | BuildEvent | LintEvent | ReproductionEvent | RunEvent):
            call = self._calls.get((event.lane, event.call))
            output = call.result.text if call is not None and call.result is not None else ""
            return Excerpt("check", f"$ {cut(event.command, 600)}\n{cut(output, _OUTPUT)}")
        return None


def _diff(evidence: Evidence, event: EditEvent) -> str:
    facts = evidence.edits.get(event.id)
    if facts is None:
        return f"{event.operation} {event.path}"
    made = diff(facts.change, _DIFF)
    body = "".join(run.text for run in made.runs)
    left = f"... {made.cut} more lines\n" if made.cut else ""
    return f"{event.operation} {made.title}\n{body}{left}"


def cut(text: str, limit: int) -> str:
    """At most about ``limit`` characters: the beginning and, since outcomes stand there, more of the end."""
    text = text.strip()
    if len(text) <= limit:
        return text
    head = limit // 3
    return f"{text[:head]}\n... {len(text) - limit:,} characters left out ...\n{text[head - limit :]}"
