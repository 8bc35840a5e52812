"""Statements that are handed over with a command: the description of a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...trajectory.model import Shell, Step
from ..commands.classify import classify_line
from ..events import VcsEvent

_OPENS = re.compile(r"^(?:gh pr|glab mr) create\b")
_TEXT = ("--body", "-b", "--description", "-d")


def descriptions(event: VcsEvent, step: Step) -> Iterator[str]:
    """The descriptions with which an event opens pull requests, as far as the command line contains them."""
    if event.outcome == "failed" or not _OPENS.match(event.command):
        return
    for call in step.calls:
        if isinstance(call.action, Shell) and call.source == event.source:
            for part in classify_line(call.action.command):
                line = [part.command.program, *part.command.args]
                if _OPENS.match(" ".join(line[:3])):
                    yield from _texts(line)


def _texts(line: list[str]) -> Iterator[str]:
    for word, following in zip(line, [*line[1:], ""], strict=True):
        flag, _, value = word.partition("=")
        if flag in _TEXT:
            yield value or following
