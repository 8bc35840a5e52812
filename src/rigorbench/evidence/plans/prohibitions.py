"""What the user forbids, of the deeds that a log shows: committing, pushing, changing tests, adding dependencies.

Only an order counts: a negated verb that opens a clause, with an object that is all of its kind. "Never commit secrets"
and "so that we don't commit it" forbid no commit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...base.patterns import lazy
from ...session.model import MAIN_LANE, Trajectory
from ..facts import Deed, Prohibition
from .prompt import lines_with, user_words

# Where an order begins: a line, a sentence, a list item, a clause after a conjunction or after "you".
_OPENS = r"(?:^[\s>*+•\d.)#-]*(?:\*\*)?|[.;:!?)]\s+|,\s*|\b(?:please|but|and|then|or|you)\s+)"
_NOT = r"(?:do\s+\*{0,2}not\*{0,2}|don'?t|never|must\s+not|should\s+not|may\s+not|mustn't)\s+(?:ever\s+)?"
# An object that is all of its kind ends the clause, or goes on with another verb or a place in time.
_ENDS = r"(?=\s*(?:$|[.,;:!()\n]|\byet\b|\bor\b|\band\b|\bunless\b|\buntil\b|\bhere\b))"
_CHANGES = r"(?:modif(?:y|ying)|chang(?:e|ing)|edit(?:ing)?|touch(?:ing)?|alter(?:ing)?|updat(?:e|ing))"
_TESTS = (
    r"[:\s]+(?:(?:the|any|all|existing|our|my|these|those|of|unit|or)\s+){0,4}tests?"
    r"(?:\s+(?:files?|cases?|code|suites?))?"
)
_THINGS = r"(?:(?:any|your|the|my|these|this|anything|it|to|changes?|code|work|git)\s*)*"
_NEW = r"(?:(?:any|new|external|additional|extra|third[- ]party|other|further)\s+)+"
_DEPENDENCIES = r"(?:runtime\s+|npm\s+|python\s+)?(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))"

_ORDERS = {
    "commit": lazy(rf"{_OPENS}{_NOT}(?:git\s+)?commit\s*{_THINGS}{_ENDS}", re.IGNORECASE | re.MULTILINE),
    "push": lazy(
        rf"{_OPENS}{_NOT}(?:(?:git\s+)?commit\s+(?:or|and)\s+)?(?:git\s+)?push\s*{_THINGS}{_ENDS}",
        re.IGNORECASE | re.MULTILINE,
    ),
    "tests": lazy(
        rf"(?:{_OPENS}{_NOT}(?:\w+\s+or\s+)?|\bwithout\s+){_CHANGES}{_TESTS}{_ENDS}", re.IGNORECASE | re.MULTILINE
    ),
    "dependencies": lazy(
        rf"{_OPENS}(?:no\s+{_NEW}|{_NOT}(?:add|introduce|install|use)\s+{_NEW}){_DEPENDENCIES}{_ENDS}"
        rf"|\bwithout\s+(?:adding|introducing|installing)\s+{_NEW}{_DEPENDENCIES}",
        re.IGNORECASE | re.MULTILINE,
    ),
}
# A later message of the user that speaks of the thing at all may permit it.
_SUBJECTS: dict[Deed, re.Pattern[str]] = {
    "commit": re.compile(r"commit|push|\bPR\b|pull request", re.IGNORECASE),
    "push": re.compile(r"push|\bPR\b|pull request", re.IGNORECASE),
    "tests": re.compile(r"test|spec\b", re.IGNORECASE),
    "dependencies": re.compile(r"depend|install|package|librar", re.IGNORECASE),
}
# Every order contains one of these, and is looked for in the lines around it.
_SIGNS = ("not ", "not* ", "n't ", "dont ", "never ", "without ", "no ", "not\n")
_DEEDS: Sequence[Deed] = ("commit", "push", "tests", "dependencies")


def find_prohibitions(trajectory: Trajectory) -> list[Prohibition]:
    """What the user's own messages forbid, each up to the message that speaks of it again."""
    found: list[Prohibition] = []
    for number, step in enumerate(trajectory.steps):
        if step.role != "user" or step.lane != MAIN_LANE or not step.text.strip():
            continue
        text = user_words(step.text)
        for earlier in found:
            if earlier.until is None and _SUBJECTS[earlier.deed].search(text):
                earlier.until = number
        lines = lines_with(text, _SIGNS)
        for deed in _DEEDS:
            order = _ORDERS[deed].search(lines)
            if order is not None:
                words = " ".join(order.group().split()).strip(" .,;:!?-*>#")
                found.append(Prohibition(deed, number, words))
    return found
