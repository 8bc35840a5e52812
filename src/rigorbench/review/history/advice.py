"""A section for AGENTS.md: the advice of the checks that fire again and again in the sessions of a project."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...base.sanitize import one_line
from ..pages.summary import UNTITLED, RowCheck, SessionRow
from ..pages.tally import SEVERITIES
from ..pages.title import shortened
from ..pages.words import plural

# A check recurs when it fired in so many sessions. A flag is worth a line the first time.
LEAST = 2
_TITLE = 70
_NAMED = 5


class Occurrence(Struct):
    """A session in which a check fired; ``message``: what was seen there."""

    title: str
    source: str
    date: str | None
    message: str


class Advice(Struct):
    """A line of the section. ``sessions``: those behind it, latest first; ``of``: how many the project has."""

    check: str
    severity: str
    line: str
    of: int
    sessions: list[Occurrence]


class Section(Struct):
    """The section for a project. ``root``: its path, where the logs name one; None for several projects together."""

    project: str
    root: str | None
    sessions: int
    first: str | None
    last: str | None
    advice: list[Advice]


def sections(rows: Sequence[SessionRow], least: int = LEAST) -> list[Section]:
    """A section for each project, those with the most sessions first; then one of what recurs only over all of them.

    ``rows``: latest first.
    """
    projects: dict[str | None, list[SessionRow]] = {}
    for row in rows:
        projects.setdefault(row.root, []).append(row)
    made = [_section(members, least) for members in projects.values()]
    made.sort(key=lambda section: -section.sessions)
    if len(projects) > 1:
        together = _section(rows, least)
        told = {advice.check for section in made for advice in section.advice}
        together.project, together.root = f"{len(projects)} projects", None
        together.advice = [advice for advice in together.advice if advice.check not in told]
        made += [together] if together.advice else []
    return made


def found_once(rows: Sequence[SessionRow]) -> list[str]:
    """The checks with advice that fired in any session, by name."""
    return sorted({c.id for row in rows for c in row.checks if c.severity in SEVERITIES and c.advice is not None})


def markdown(section: Section) -> str:
    """The section as it can be put into AGENTS.md: the advice, then the sessions behind it as a comment."""
    span = "" if section.first is None else f", {section.first} to {section.last}"
    where = _inline(section.root or section.project)
    lines = ["## How to work in this repository", ""]
    lines += [f"- {advice.line}" for advice in section.advice]
    lines += ["", f"<!-- Proposed by `rigor advise` from {plural(section.sessions, 'session')} in {where}{span}."]
    for advice in section.advice:
        lines += ["", advice.line, f"{advice.check}, in {len(advice.sessions)} of {plural(advice.of, 'session')}:"]
        for case in advice.sessions[:_NAMED]:
            lines.append(f"- {case.date or 'no date'}  {_inline(case.title, _TITLE)}  ({_inline(case.source)})")
        more = len(advice.sessions) - _NAMED
        if more > 0:
            lines.append(f"- and {more} more")
    return "\n".join([*lines, "-->", ""])


def _section(rows: Sequence[SessionRow], least: int) -> Section:
    behind: dict[str, list[tuple[RowCheck, SessionRow]]] = {}
    for row in rows:
        for check in row.checks:
            if check.severity in SEVERITIES and check.advice is not None:
                behind.setdefault(check.id, []).append((check, row))
    found = []
    for id, seen in behind.items():
        first = seen[0][0]
        if len(seen) >= (min(1, least) if first.severity == "flag" else least):
            cases = [Occurrence(row.title or UNTITLED, row.source, _day(row), c.message) for c, row in seen]
            found.append(Advice(id, first.severity, first.advice or "", len(rows), cases))
    found.sort(key=lambda each: (SEVERITIES.index(each.severity), -len(each.sessions), each.check))
    days = sorted(day for row in rows if (day := _day(row)) is not None)
    return Section(
        project=rows[0].project or "this project",
        root=rows[0].root,
        sessions=len(rows),
        first=days[0] if days else None,
        last=days[-1] if days else None,
        advice=found,
    )


def _day(row: SessionRow) -> str | None:
    return None if row.day is None else str(row.day)


def _inline(text: str, width: int = 300) -> str:
    """A text of a log inside the comment, which it must not end."""
    return shortened(one_line(text, 300), width).replace("-->", "-- >").replace("--!>", "-- !>")
