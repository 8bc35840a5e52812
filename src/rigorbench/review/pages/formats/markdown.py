"""Markdown for comments and step summaries: a table of the sessions, then what was found in each.

Words of a log are untrusted: nothing in them becomes a link, an image, a mention or markup.
"""

from __future__ import annotations

import re

from ....base.sanitize import one_line
from ....base.text import count
from ...review import GRADES, Fired
from ...verdict import verdict
from .. import said
from ..outcome import Reported, ScoredSessions, relative
from ..proof import Brief
from ..title import shortened
from ..words import graded

# Of one session, so many findings are printed; the rest is counted. A comment has a limit of 65,536 characters.
_MOST = 12
_MOST_SESSIONS = 20
_MARKUP = re.compile(r"[\\`*_\[\]<>|~$&]")
# A zero-width space keeps addresses and mentions from being recognised.
_JOINTS = re.compile(r"(?<=@)(?=\w)|(?<=://)|(?<=www)(?=\.)|(?<=mailto:)")


def write(outcome: ScoredSessions) -> str:
    lines = ["### RigorBench", "", _verdict(outcome), ""]
    shown = sorted(outcome.sessions, key=_severity)[:_MOST_SESSIONS]
    if shown:
        read = sum(s.review.reading is not None for s in outcome.sessions)
        heads = ["overall", *GRADES, "flags"] if read else ["flags", "weak"]
        lines += [f"| session | {' | '.join(heads)} |{'' if read else ' verdict |'}"]
        lines += ["|---|" + "--:|" * len(heads) + ("" if read else "---|")]
        lines += [_row(session, grades=bool(read)) for session in shown]
        lines += ["", f"Grades: {read} of {len(outcome.sessions)} read."] if read else []
        lines.append("")
    if len(outcome.sessions) > len(shown):
        lines += [f"and {count(len(outcome.sessions) - len(shown), 'more session')}", ""]
    for session in shown:
        if session.findings or session.failed or session.review.reading is not None:
            lines += _session(session)
    for problem in outcome.problems:
        lines += [f"- left out: {plain(problem, 300)}"]
    unread = dict.fromkeys(said.ground(s.review) for s in shown if s.review.reading is None)
    lines += ["", *(plain(reason, 300) for reason in unread)]
    return "\n".join(lines).rstrip() + "\n"


def plain(text: str, limit: int) -> str:
    """Text of a log on one line, without meaning for Markdown."""
    escaped = _MARKUP.sub(lambda m: "\\" + m[0], one_line(text, limit))
    return _JOINTS.sub("\u200b", escaped)


def code(text: str, limit: int) -> str:
    """Text of a log as code."""
    line = one_line(text, limit)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def _verdict(outcome: ScoredSessions) -> str:
    if not outcome.sessions:
        return "No session was read, so nothing is known."
    sessions = count(len(outcome.sessions), "session")
    failed = sum(bool(s.failed) for s in outcome.sessions)
    flags = sum(_number(session, "flag") for session in outcome.sessions)
    words = f"{sessions} reviewed, {count(flags, 'flag') if flags else 'no flags'}"
    ungraded = sum(s.review.overall is None for s in outcome.sessions) if outcome.gate.under is not None else 0
    if failed:
        words += f"; **{count(failed, 'session')} below what is required**"
    elif outcome.gate.closed:
        words += "; none is below what is required" if ungraded else "; all meet what is required"
    return words + (f"; {count(ungraded, 'session')} without a grade." if ungraded else ".")


def _number(session: Reported, severity: str) -> int:
    return sum(finding.severity == severity for finding, _ in session.findings)


def _severity(session: Reported) -> tuple[bool, int, int]:
    overall = session.review.overall
    return not session.failed, -_number(session, "flag"), 101 if overall is None else overall


def _row(session: Reported, *, grades: bool) -> str:
    review = session.review
    flags, weak = _number(session, "flag") or "", _number(session, "weak") or ""
    if not grades:
        return f"| {_name(session)} | {flags} | {weak} | {plain(verdict(review).sentence, 300)} |"
    cells = [graded(g.value, g.status) for name in GRADES if (g := review.grades.get(name)) is not None]
    overall = "–" if review.overall is None else f"**{review.overall}**"
    return f"| {_name(session)} | {overall} | {' | '.join(cells)} | {flags} |"


def _name(session: Reported) -> str:
    return plain(shortened(session.title or relative(session.source), 80), 80)


def _session(session: Reported) -> list[str]:
    lines = [f"#### {_name(session)}", ""]
    by = said.ground(session.review) if session.review.reading is not None else ""
    facts = [session.agent, session.model or "", relative(session.source), by]
    lines += [", ".join(plain(f, 120) for f in facts if f), ""]
    if session.failed:
        lines += [f"**Fails:** {plain('; '.join(session.failed), 300)}", ""]
    lines += [*(f"- {plain(line, 400)}" for line in said.lines(session.review)), ""]
    for finding, proof in session.findings[:_MOST]:
        lines += _finding(finding, proof)
    if len(session.findings) > _MOST:
        lines.append(f"- and {count(len(session.findings) - _MOST, 'more finding')}")
    return [*lines, ""]


def _finding(finding: Fired, proof: Brief) -> list[str]:
    line = f", line {finding.source.line}" if finding.source is not None and finding.source.line is not None else ""
    lines = [f"- **{finding.severity}** `{finding.id}`{line}: {plain(finding.message, 400)}"]
    if finding.severity == "flag":
        if proof.shown_by is not None:
            lines.append(f"  - shown by: {code(proof.shown_by, 300)}")
        if proof.command is not None:
            lines.append(f"  - run: {code(proof.command, 300)}")
        if finding.advice is not None:
            lines.append(f"  - next time: {finding.advice}")
    return lines
