"""What the user asks for: a change or an answer, a commit, the use of a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...base.patterns import lazy
from ...session.model import MAIN_LANE, Trajectory
from ..facts import PromptFacts

# What is said before an order, and orders that nothing but a change of the project carries out.
_POLITE = (
    r"(?:(?:please|can you|could you|would you|i want you to|i need you to|you (?:must|should|need to)|help me|let's|"
    r"now|then|first|next|and)\b[ ,]*)*"
)
_CHANGE = lazy(
    rf"{_POLITE}(?:fix|implement|refactor|rename|delete|replace|migrate|port|upgrade|bump|repair|rewrite|resolve|correct|"
    r"convert|extend|modify|change|remove|add)\b|"
    rf"{_POLITE}(?:write|create|make|update) (?:the |an? )?(?:new )?(?:file )?[`'\"]?[\w./-]+\.\w+",
    re.IGNORECASE,
)
_LOOK = lazy(
    rf"{_POLITE}(?:what|why|how|where|which|who|when|is|are|does|do|did|explain|describe|summari[sz]e|review|tell|show|"
    r"list|find|analy[sz]e|investigate|look|read|check|plan|propose|suggest|consider|compare|audit|assess|evaluate|think)\b",
    re.IGNORECASE,
)
_SENTENCE = lazy(r"(?<=[.!?:;])\s+|\n\s*(?:[-*+]\s+|\d+[.)]\s+)?")
_NO_CHANGE = lazy(  # in lower case
    r"(?:do not(?<!\wdo not)|don't(?<!\wdon't)|without(?<!\wwithout)) (?:change|edit|modify|touch|write)\w* "
    r"(?:any(?:thing)?|the code|code|files?)\b"
)
# A request for a commit has a verb and its object; "the base commit" or a commit id is no request.
_COMMIT = lazy(
    r"(?:^|[.,;:!]\s+|\band |\bthen |\bplease |\bto |\bshould |\bmust )(?:git )?commit"
    r"(?= (?:and|when|after|once|often|as|with|everything)\b|[.,;!]|\s*$)|"
    r"\bcommit (?:your|the (?:change|work|fix|result|code|file)s?|all|these|this|those|my|our|it|them|each|every|"
    r"everything|short|small|any)\b|\b(?:make|create|do|use|write|prepare) (?:\w+ ){0,3}"
    r"commits?\b(?! message| id| hash)|\bpush (?:it|your|the|to|this|changes)\b|"
    r"\b(?:open|create|make|submit|raise) (?:a |the )?(?:pr|pull request)\b|"
    r"\bcommit changes\b|\b(?:and|then|please) push(?=[.,;!]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
# Words in code are no request, except the command itself.
_FENCED = lazy(r"^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
_COMMIT_COMMAND = lazy(r"^[ \t]*(?:\$ )?git commit\b", re.MULTILINE)
_NOT_COMMIT = lazy(
    r"\b(?:do not|don't|never|without|no need to|need not)(?: (?:need|have|want|try))?(?: to)? "
    r"(?:git )?(?:commit|push)\w*|"
    r"\b(?:do|should|can|could) (?:we|i|you)\b[^.\n]{0,30}\bcommit[^.\n]{0,40}\?",
    re.IGNORECASE,
)
# Every match of the expressions above contains one of these words.
_COMMIT_WORDS = ("commit", "push", " pr", "pull request")
_PLAN = lazy(  # in lower case
    r"(?:implement|follow|execute|carry out|use) (?:the|this|my) (?:following |attached )?plan\b"
)
_PLAN_HEADING = lazy(r"#(?<![^\n]#)#* .*\bplan\b")
_ITEM = lazy(r"^\s*(?:[-*+]|\d+[.)]|#+\s*(?:step\s*)?\d+[.):]?)\s+\S", re.MULTILINE | re.IGNORECASE)
_FAILURE = lazy(r"\b(fail(s|ing|ed|ure)?|error|exception|traceback|crash(es|ed)?|broken|bug|regression)\b", re.I)


# What a harness puts among the words of the user: reminders, and the text of a skill up to the end of the message.
_INJECTED = lazy(
    r"<(system-reminder|command-message|local-command-\w+)>.*?</\1>|B(?<![^\n]B)ase directory for this skill: .*\Z",
    re.DOTALL,
)


def _own_words(text: str) -> str:
    if "<" not in text and "this skill" not in text:
        return text
    return _INJECTED.sub("", text)


def lines_with(text: str, words: Sequence[str]) -> str:
    """The lines of a text that have one of the words (in lower case), and those beside them: requests may be long."""
    low, spans = text.lower(), []
    for word in words:
        at = low.find(word)
        while at >= 0:
            start = low.rfind("\n", 0, max(low.rfind("\n", 0, at), 0)) + 1
            end = low.find("\n", low.find("\n", at) + 1 or len(low))
            spans.append((start, end if end >= 0 else len(low)))
            at = low.find(word, spans[-1][1])
    found, last = "", 0
    for start, end in sorted(spans):
        found += ("\n\n" if found and start > last else "") + text[max(start, last) : end]
        last = max(last, end)
    return found if len(low) == len(text) else text


def user_words(text: str) -> str:
    """A message without what a harness put into it, and without blocks of code that are closed."""
    text = _own_words(text)
    if "```" not in text and "~~~" not in text:
        return text
    kept: list[str] = []
    block: list[str] = []  # the lines since a fence that may open a block
    for line in text.splitlines():
        fence = line.lstrip()[:3] in ("```", "~~~")
        if fence and block and not line.strip(" \t`~"):
            block = []
        elif fence:
            kept += block
            block = [line]
        else:
            (block or kept).append(line)
    return "\n".join([*kept, *block])


def read_prompt(trajectory: Trajectory) -> PromptFacts:
    """The request: all messages of the user in the main lane (a sub-agent's prompt is not the user's)."""
    texts = [s.text for s in trajectory.steps if s.role == "user" and s.lane == MAIN_LANE and s.text.strip()]
    text = "\n\n".join(texts)
    if not text:
        return PromptFacts(text="", asks_change=None, asks_commit=False, supplies_plan=False, names_failure=False)
    own, low = [_own_words(t) for t in texts], text.lower()
    asked = [_asks_change(t) for t in own]
    return PromptFacts(
        text=text,
        # A later message may take the order back, or ask for something else.
        asks_change=asked[0] if len(set(asked)) == 1 else None,
        asks_commit=any(_asks_commit(t) for t in own),
        supplies_plan="plan" in low
        and bool(_PLAN.search(low) or _PLAN_HEADING.search(low))
        and len(_ITEM.findall(text)) >= 2,
        names_failure=bool(_FAILURE.search(text)),
    )


def _asks_commit(text: str) -> bool:
    lines = lines_with(text, _COMMIT_WORDS)
    if not lines or _NOT_COMMIT.search(lines):
        return False
    return bool(_COMMIT_COMMAND.search(lines) or _COMMIT.search(lines_with(_FENCED.sub("", text), _COMMIT_WORDS)))


def _asks_change(text: str) -> bool | None:
    """Whether a message orders a change: a sentence begins with such an order, and none only asks or looks."""
    lower = text.lower()
    if any(word in lower for word in ("do not", "don't", "without")) and _NO_CHANGE.search(lower):
        return False
    sentences = [s for s in _SENTENCE.split(user_words(text).strip()) if s]
    looks = any(_LOOK.match(s) for s in sentences)
    if any(_CHANGE.match(s) for s in sentences):
        return None if looks else True
    return False if looks else None
