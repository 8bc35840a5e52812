"""The title of a session: the beginning of the user's first request, on one line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ...base.sanitize import ELLIPSIS, one_line
from ...evidence.plans.prompt import user_words
from ...session.model import MAIN_LANE, Trajectory

# The most characters of a message that are looked at, and of a title. Places shorten it further with `shortened`.
_LOOKED_AT = 20_000
LONGEST = 400

_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)(?: [^<>]*)?>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_FRONT = re.compile(r"^(?:#{1,6}\s+|>\s?|[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+|[A-Za-z]\)\s+)")
_EMPHASIS = re.compile(r"(\*\*|~~|`+)(?=\S)(.+?)(?<=\S)\1")
# A line at least as long as this, without an end of a sentence, may go on in the next.
_WRAPPED = 50
# One as long as this does, whatever letter the next begins with.
_FULL = 75
_ENDS = (".", "!", "?", ":", "|")
_STOPS = (*_ENDS, ";", ",", "。", "！", "？", "：")
_LABEL = re.compile(r"^\[[^\[\]]{1,40}\]:\s*")
_PLACE = re.compile(r"^(?:@?(?:~?/|\.{1,2}/|[A-Za-z]:\\)\S*|\w+://\S*|@\S+)$")
# How benchmarks introduce the repository before the request, Trae the request, and Codex the project's instructions.
_INTRODUCTION = re.compile(
    r"^I'?ve uploaded an? .{0,40}\brepository\b|^AGENTS\.md instructions for |"
    r"^(?:Problem statement\W+)?We'?re (?:currently )?solving the following issue\b.*:$",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"/[\w:.-]+(?:\s|$)")
# Where the text of a command for agents has what the user typed after its name.
_TYPED = re.compile(r"\s*#+ [^\n]*\n\s*```text\s(.*?)\n```", re.DOTALL)
# Elements whose content is the request: `<pr_description>`, `<issue>`, `<user_query>`. All others are material.
_REQUESTS = frozenset(
    ("issue", "problem", "statement", "task", "description", "request", "prompt", "query", "question", "goal")
)


def titled(trajectory: Trajectory) -> tuple[str | None, int]:
    """The user's first request from its first meaningful line on, without Markdown, and its number, from 1.

    A message of one word ("yes", "continue") gives the title only if no other does. Without a request: None and 0.
    """
    titles = [_title(text) for text in requests(trajectory)]
    found = [n for n, title in enumerate(titles) if title is not None]
    said = (n for n in found if (t := titles[n]) and (" " in t or (len(t) > 5 and not t.isascii())))  # 하이 says little
    number = next(said, found[0] if found else -1)
    return (None if number < 0 else titles[number]), number + 1


def requests(trajectory: Trajectory) -> list[str]:
    """The user's messages in the main lane that request something: what the agent answered, be it the text of a command
    alone; and what nothing answers, unless it is a command to the program, or the user ran it.
    """
    steps = [s for s in trajectory.steps if s.lane == MAIN_LANE and s.role in ("user", "agent", "interrupt")]
    answered = [after.role == "agent" for after in [*steps[1:], *steps[-1:]]]
    asked = [(s, a) for s, a in zip(steps, answered, strict=True) if s.role == "user" and s.text.strip()]
    texts = [(s.text[:_LOOKED_AT], a, bool(s.calls) or _COMMAND.match(s.text)) for s, a in asked]
    return [text for text, a, ran in texts if a or (not ran and _title(text) is not None)]


def shortened(title: str, width: int) -> str:
    """A title in at most ``width`` characters: whole words, then an ellipsis."""
    if len(title) <= width:
        return title
    cut = title[: max(1, width - 1)]
    if title[len(cut)] != " " and " " in cut[width // 2 :]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,;:.-") + ELLIPSIS


def _title(message: str) -> str | None:
    """The beginning of a message, without Markdown and without what introduces a repository."""
    title = ""
    if (typed := _TYPED.match(message)) is not None:
        if not typed[1].strip():
            return None  # the text of the command alone is nothing that the user wrote
        message = f"{typed[1]}\n\n{message[typed.end() :]}"
    for line in _lines(_own_text(user_words(message))):
        text = _plain(line)
        if title and (line.startswith("</") or len(title) > LONGEST):  # the end of an element is that of the request
            break
        if any(c.isalnum() for c in text) and not _INTRODUCTION.match(text):
            title += f"{'' if not title else ' ' if title.endswith(_STOPS) else ' – '}{text}"
    return one_line(title.rstrip(": "), LONGEST) or None


def _own_text(text: str) -> str:
    """A message without comments and without the elements of material that begin a line."""
    text = _COMMENT.sub(" ", text)
    if "</" not in text:
        return text
    closings: dict[str, list[int]] = {}
    for tag in _TAG.finditer(text):
        if tag[1]:
            closings.setdefault(tag[2].lower(), []).append(tag.end())
    kept, at = "", 0
    for tag in _TAG.finditer(text):
        name, begin = tag[2].lower(), tag.start()
        if begin < at or tag[1] or text[text.rfind("\n", 0, begin) + 1 : begin].strip():
            continue
        after = bisect_right(closings.get(name, ()), begin)
        if after < len(closings.get(name, ())):
            kept += text[at:begin]
            at = tag.end() if re.split(r"[_.-]", name)[-1] in _REQUESTS else closings[name][after]
    return kept + text[at:]


def _lines(text: str) -> Iterator[str]:
    """The lines without indented code, up to a block that is not closed, those of a wrapped sentence as one."""
    wrapped = ""
    for each in text.splitlines():
        line = each.strip()
        if line and each.startswith(("    ", "\t")) and not wrapped and _FRONT.match(line) is None:
            continue
        goes_on = line[:1].islower() or line.startswith("<") or (len(wrapped) > _FULL and not _FRONT.match(line))
        if wrapped and line and goes_on and not _PLACE.match(line):
            wrapped = f"{wrapped} {line}"
            if len(wrapped) < LONGEST and not line.endswith(_ENDS):
                continue
            line = ""
        if wrapped:
            yield wrapped
            wrapped = ""
        if line.startswith(("```", "~~~")):
            return
        if len(line) >= _WRAPPED and not line.endswith(_ENDS):
            wrapped = line
        elif line:
            yield line
    if wrapped:
        yield wrapped


def _plain(line: str) -> str:
    """A line without Markdown."""
    while (rest := _FRONT.sub("", line)) != line:
        line = rest.lstrip()
    line = _LINK.sub(r"\1", _LABEL.sub("", line))
    while (bare := _EMPHASIS.sub(r"\2", line)) != line:
        line = bare
    return line.strip(" \t|")
