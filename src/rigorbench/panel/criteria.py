"""Criteria of a code review with anchored levels, asked as yes-or-no questions about one level each.

A judge that is asked for a number gives one without a reason; whether the anchor of one level applies is a single
decision. The level of a vote is the highest whose question, and every question below it, was answered yes. A yes to
the anchor of level 0 makes it 0, so that answering yes to everything gives nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .cases import pieces
from .model import Case, Excerpt, Vote

# Question -> level.
STEPS: Final = {"three": 3, "five": 5, "seven": 7, "ten": 10}
_ZERO = "zero"
# Characters of one file, and files of one case; a prompt shows 24,000 characters in all.
_FILE = 8_000
MOST_FILES = 12


def criterion_case(
    text: str, levels: Mapping[str, str], files: Sequence[tuple[str, str]], *, subject: str, left_out: int = 0
) -> Case:
    """The case of one criterion.

    Args:
        text: the criterion, by the authors of the problem.
        levels: level -> its anchor, by the authors of the problem.
        files: (path, text) of the submission. A path is data as well: it goes into the excerpt, not into its label.
        subject: the name of the case.
        left_out: how many more files there are.
    """
    key = "\n".join([text, *(f"Level {level}: {levels[level]}" for level in sorted(levels, key=int))])
    excerpts = [Excerpt("key: the criterion and the anchors of its levels", key, untrusted=False)]
    shown = list(files)[:MOST_FILES]
    left_out += len(files) - len(shown)
    for path, content in shown:
        excerpts += pieces("file of the submission", f"File: {path}\n\n{content}", _FILE)
    if left_out:
        note = f"{left_out} more file{'s' if left_out > 1 else ''} of the submission are not shown."
        excerpts.append(Excerpt("note", note, untrusted=False))
    return Case("criterion", subject, tuple(excerpts))


def level_of(vote: Vote) -> int:
    """The level from 0 to 10 that a vote gives."""
    if vote.answer(_ZERO):
        return 0
    reached = 0
    for question, level in STEPS.items():
        if not vote.answer(question):
            break
        reached = level
    return reached
