"""Workflow commands of GitHub Actions, which become annotations.

Where GITHUB_STEP_SUMMARY names a file, the Markdown of the sessions is added to it.
"""

from __future__ import annotations

import os
from pathlib import Path

from ....base.sanitize import one_line
from ...review import Fired
from ..outcome import Reported, ScoredSessions, relative
from ..proof import Brief
from . import markdown

_COMMANDS = {"flag": "error", "weak": "warning", "note": "notice"}


def write(outcome: ScoredSessions) -> str:
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(markdown.write(outcome))
    lines = [_annotation(s, f, p) for s in outcome.sessions for f, p in s.findings]
    for session in outcome.sessions:
        if session.failed:
            words = f"{relative(session.source)} fails: {'; '.join(session.failed)}"
            lines.append(f"::error title=RigorBench::{_data(words)}")
    lines += [f"::error title=RigorBench::{_data(problem)}" for problem in outcome.problems]
    return "".join(line + "\n" for line in lines)


def _annotation(session: Reported, finding: Fired, proof: Brief) -> str:
    place = finding.source
    facts = {"title": f"{finding.severity} {finding.id}", "file": relative(place.file if place else session.source)}
    if place is not None and place.line is not None:
        facts["line"] = str(place.line)
    text = finding.message
    if proof.shown_by is not None:
        text = f"{text.rstrip('.')}. Shown by: {proof.shown_by}."
    if proof.command is not None:
        text += f" Run: {proof.command}"
    properties = ((name, _data(value).replace(":", "%3A").replace(",", "%2C")) for name, value in facts.items())
    listed = ",".join(f"{name}={value}" for name, value in properties)
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    """One line without anything that could begin a command of its own."""
    return one_line(text, 1000).replace("%", "%25")
