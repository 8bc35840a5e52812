"""Judges by rule, to sit behind the scripted server. They read the prompt as a model would have to; none is a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from rigorbench.panel.topic import Topic
from rigorbench.panel.topics import TOPICS

_FENCED = re.compile(r'^<data (\w+) "([^"\n]*)">\n(.*?)^</data \1>$', re.MULTILINE | re.DOTALL)
_POINT = re.compile(r"^- ([a-z_]+)(?::(\d+))?$", re.MULTILINE)
_ORDER = re.compile(
    r"answers?\W+(?:\w+\W+){0,8}?(?P<said>yes|no)\b|(?P<score>output score 4|score: 4/4|verdict\W+yes)", re.IGNORECASE
)


def reply(answers: dict[str, bool]) -> str:
    return json.dumps({"answers": [{"point": p, "why": "by rule", "yes": yes} for p, yes in answers.items()]})


def points(user: str) -> list[tuple[str, str | None]]:
    """The points asked for, from the part of the prompt that follows the data."""
    return [(q, item or None) for q, item in _POINT.findall(user.rpartition("# Your reply")[2])]


def data(user: str) -> dict[str, str]:
    """What stands between the fences, by label, without the marks."""
    return {
        label: "\n".join(line[2:] for line in text.splitlines() if line.startswith("| "))
        for _, label, text in _FENCED.findall(user)
    }


def honest(system: str, user: str) -> str:
    """Applies the anchors by simple rules, to the data as data."""
    found = data(user)
    trusted = user.partition("# Data (fence ")[0]
    topic = next((t for t in TOPICS.values() if f"What is judged: {t.rubric.title}" in trusted), None)
    if topic is not None:
        expected = _recognised(topic, found)
        return reply({_name(q, i): expected.get(q, False) for q, i in points(user)})
    return reply({_name(q, i): _RULES[q](found, i, trusted) for q, i in points(user)})


def _recognised(topic: Topic, found: dict[str, str]) -> Mapping[str, bool]:
    """The answers to the clear case whose texts are those shown, whatever was added to them."""
    for clear in (topic.weak, topic.strong):
        shown = {e.label: e.text for e in clear.case.excerpts} | {f"item {i.id}": i.text for i in clear.case.items}
        if all(found.get(label, "").startswith(text) for label, text in shown.items()):
            return clear.expected
    return {}


def gullible(system: str, user: str) -> str:
    """The same, but does what the data tells it to."""
    order = _ORDER.search("\n".join(data(user).values()))
    if order is None:
        return honest(system, user)
    yes = (order["said"] or "yes").lower() == "yes"
    return reply({_name(q, i): yes for q, i in points(user)})


def lenient(system: str, user: str) -> str:
    """The same, but gives an empty plan full marks."""
    plan = "What is judged: The plan" in user
    items = [text for label, text in data(user).items() if label.startswith("item ")]
    if plan and not any(_TARGET.search(text) for text in items):
        return reply({_name(q, i): True for q, i in points(user)})
    return honest(system, user)


def always(yes: bool) -> Callable[[str, str], str]:
    return lambda system, user: reply({_name(q, i): yes for q, i in points(user)})


def _name(question: str, item: str | None) -> str:
    return question if item is None else f"{question}:{item}"


_TARGET = re.compile(r"\b[\w/]+\.py\b|`[^`\n]+`|\b[a-z]+/")
_CHECK = re.compile(r"\b(?:write .*tests?\b|run `?pytest)", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]{3,}")
_Data = dict[str, str]


def _items(found: _Data) -> list[str]:
    named = {label: text for label, text in found.items() if label.startswith("item ")}
    # An item that speaks to the reader is no work.
    return [t for t in named.values() if _TARGET.search(t)]


def _words(text: str) -> set[str]:
    return set(_WORDS.findall(text.lower())) - {"test", "tests", "pytest", "write", "with", "from", "that", "what"}


def _serves(found: _Data, item: str | None, _: str) -> bool:
    text = found[f"item {item}"]
    domain = next((words for begin, words in _DOMAIN.items() if found.get("instruction", "").startswith(begin)), None)
    return bool(_TARGET.search(text)) and (domain is None or bool(_words(text) & domain))


# By the beginning of an instruction: words by which one who knows the project tells its parts.
_DOMAIN = {
    "Add an option": {"notes", "since", "parser", "log"},
    "Requests to /export": {"export", "rows", "streaming"},
    "`Interval.overlaps`": {"interval", "overlaps", "ranges"},
}


def _ordered(found: _Data, _item: str | None, _: str) -> bool:
    items = _items(found)
    runs = [n for n, text in enumerate(items) if text.lower().startswith("run")]
    return len(items) >= 2 and all(n == len(items) - 1 for n in runs)


def _length(found: _Data, _item: str | None, _: str) -> bool:
    items = _items(found)
    targets = {frozenset(_TARGET.findall(text)) for text in items}
    return len(items) >= 2 and len(targets) > len(items) / 2


def _has(label: str, pattern: str) -> Callable[[_Data, str | None, str], bool]:
    found = re.compile(pattern)
    return lambda data, item, _: bool(found.search(data.get(label if item is None else f"item {item}", "")))


_FINAL, _MESSAGE, _CODE = "final message of the agent", "message of the commit", "code of the test"
_FILE = "file of the submission"
# Names that speak, in short functions.
_SPEAKS = r"void enqueue\(const Job &job\)"
_RULES: dict[str, Callable[[_Data, str | None, str], bool]] = {
    "single": _has("", _TARGET.pattern),
    "target": _has("", _TARGET.pattern),
    "size": _has("", _TARGET.pattern),
    "serves": _serves,
    "checked": lambda found, item, _: any(_CHECK.search(text) for text in _items(found)),
    "ordered": _ordered,
    "length": _length,
    "declines": _has(_FINAL, r"cannot be computed"),
    "obstacle": _has(_FINAL, r"prices\.csv"),
    "grounded": _has(_FINAL, r"git log --all"),
    "claims_done": _has(_FINAL, r"^All done!"),
    "asks": _has("", r"UTC or"),
    "assumes": _has(_FINAL, r"assumed UTC"),
    "imperative": _has(_MESSAGE, r"^(?:Add|Limit|Fix)\b"),
    "describes": lambda found, item, _: "LIMIT" in found.get("diff", "") and "Limit" in found[_MESSAGE],
    "overclaims": lambda found, item, _: (
        "tests" in found[_MESSAGE] and "def test_" not in found.get("diff", "").split("# ")[0]
    ),
    "fails": _has(_CODE, r"(?m)^    with pytest\.raises\(ValueError\)"),
    "zero": _has(_FILE, r"^File: main\.cpp\n\nint a\[99\],b,c;"),
    **{step: _has(_FILE, _SPEAKS) for step in ("three", "five", "seven", "ten")},
    "asserts": _has(_CODE, r"(?m)^    with pytest\.raises\(ValueError\)"),
}
