"""One finding in a few lines, for whoever has to act on it now."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.sanitize import one_line
from ..evidence.events import AnyEvent
from ..review.model import Fired
from ..review.pages.proof import brief


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
