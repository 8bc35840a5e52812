"""The one request about a session, what comes back, and the answer in it."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from ..base.sanitize import block, one_line
from .model import FACTS, PILLARS, Accusation, Answer, Fact, Mark

if TYPE_CHECKING:
    from .digest import Digest

# Raised with every change of the question or of the schema: answers to another version are not used.
PROMPT_VERSION = 1
GRADES = (*PILLARS, "overall")
# A longer reply is no answer; an answer has about 8,000 characters.
_MOST_REPLY = 200_000
_SENTENCE, _QUOTE, _PLACES, _ACCUSATIONS, _ADVICE = 400, 1_000, 12, 12, 3
# So many problems of an answer are named, and so many objects in a reply are tried.
_NAMED, _TRIED = 6, 64
# Characters of a token, on the side of too many tokens.
_CHARACTERS = 3.5
_OBJECT = re.compile(r"\{\s*\"")
_VALUES = {"yes": True, "true": True, "no": False, "false": False, "unknown": None, "null": None}
_NONE = ("none", "null")


class Request(Struct, frozen=True):
    """What a reader is asked about one session."""

    system: str
    """The question: what to judge, by which measure, and in what form."""
    user: str
    """The text of the session, fenced."""
    schema: dict[str, Any]
    """JSON schema of the answer, of the kind that the strict modes of all providers take."""
    prompt_version: int
    digest_sha256: str
    characters: int
    """Length of ``system`` and ``user`` together."""
    tokens: int
    """The same, estimated."""


class Reply(Struct, frozen=True):
    """What a backend got for a request."""

    text: str
    model: str | None = None
    """As the provider states it; None: it does not."""
    program: str | None = None
    """The program that was asked, with its version, e.g. "claude 2.1.9"; None: it was an API."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    """US dollars; None: unknown, or part of a subscription."""
    seconds: float | None = None


class ReaderError(Exception):
    """A reader did not answer: one line with the remedy.

    Args:
        retry_after: seconds after which asking again may help, as the provider says; None: it does not say.
        lasting: the next request would get the same, e.g. without a key.
    """

    def __init__(self, message: str, retry_after: float | None = None, lasting: bool = False) -> None:
        super().__init__(message)
        self.retry_after, self.lasting = retry_after, lasting


class Backend(Protocol):
    """Something that answers requests: a program, an API, a file of answers."""

    name: str
    """As the user configured it, with what changes its answers, e.g. "claude:opus"."""

    def ask(self, request: Request) -> Reply:
        """Raises: ReaderError."""
        ...


class AnswerError(ValueError):
    """A reply that is no answer. The message goes back to the reader, so it has none of the reply's own words."""


def build(digest: Digest) -> Request:
    """The request about a session: the same digest gives the same bytes."""
    # Nothing in the digest can look like this line: its own lines have marks of their own.
    user = f"# The session\n\n{digest.text}\n\n# The session has ended. Answer with the JSON object.\n"
    return _request(user, digest.sha256)


def again(request: Request, error: AnswerError) -> Request:
    """The same request, with what was wrong with the last answer."""
    more = f"\nYour last answer could not be used: {error}. Answer again: one complete JSON object and nothing else.\n"
    return _request(request.user + more, request.digest_sha256)


def _request(user: str, digest: str) -> Request:
    system = question()
    length = len(system) + len(user)
    return Request(system, user, schema(), PROMPT_VERSION, digest, length, round(length / _CHARACTERS))


@lru_cache(1)
def question() -> str:
    """The text of the question, the same for every session."""
    return (files(__package__) / "question.md").read_text("utf-8")


@lru_cache(1)
def schema() -> dict[str, Any]:
    """JSON schema of an answer.

    Only objects with all keys required, arrays, strings and enumerations of strings: unions of types and limits of
    length and number are each refused by some provider (Anthropic takes 16 unions in all), and :func:`parse` checks.
    """
    text = {"type": "string"}
    places = {"type": "array", "items": text}

    def one_of(*values: str) -> dict[str, Any]:
        return {"type": "string", "enum": list(values)}

    fact = _object({"why": text, "at": places, "value": one_of("yes", "no", "unknown")})
    mark = _object({"why": text, "at": places, "value": one_of("1", "2", "3", "4", "5", "none")})
    accusation = _object({"what": text, "at": places, "quote": text, "fact": one_of(*FACTS, "other")})
    return _object(
        {
            "facts": _object(dict.fromkeys(FACTS, fact)),
            "accusations": {"type": "array", "items": accusation},
            "grades": _object(dict.fromkeys(GRADES, mark)),
            "advice": {"type": "array", "items": text},
            "verdict": text,
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def parse(text: str) -> Answer:
    """The answer in a reply, which may have prose or a fence around it; unknown keys are ignored, long texts are cut.

    Raises:
        AnswerError: there is none, or something of it is missing or of another form. It names all that is wrong, up to
            a few points, so that one more request can repair it.
    """
    found = _find(text)
    wrong: list[str] = []
    marks = {name: _mark(point, name, wrong) for name, point in _points(found, "grades", GRADES, wrong)}
    facts = {name: _fact(point, name, wrong) for name, point in _points(found, "facts", FACTS, wrong)}
    accusations = [_accusation(item, n, wrong) for n, item in enumerate(_list(found, "accusations", wrong), 1)]
    advice = [_text(item, f"line {n} of advice", wrong) for n, item in enumerate(_list(found, "advice", wrong), 1)]
    verdict = _text(found.get("verdict"), "verdict", wrong)
    if not wrong and not verdict:
        wrong.append("verdict is empty")
    if wrong:
        more = f"; and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        raise AnswerError("; ".join(wrong[:_NAMED]) + more)
    return Answer(marks, facts, accusations[:_ACCUSATIONS], [a for a in advice if a][:_ADVICE], verdict)


def _find(text: str) -> dict[str, Any]:
    """The last object in a reply that has a key of an answer: a draft may stand before it."""
    if len(text) > _MOST_REPLY:
        raise AnswerError(f"it is longer than {_MOST_REPLY:,} characters")
    decoder, at, tried, why = json.JSONDecoder(), 0, 0, "there is no JSON object in it"
    found: dict[str, Any] | None = None
    while tried < _TRIED and (start := _OBJECT.search(text, at)) is not None:
        tried, at = tried + 1, start.end()
        try:
            value, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError) as error:
            if tried == 1:
                where = f" (character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else ""
                why = f"it is not one complete JSON object{where}"
            continue
        if {"grades", "facts", "verdict"} & value.keys():
            found = value
        elif tried == 1:
            why = "the JSON object has none of the keys facts, accusations, grades, advice, verdict"
    if found is None:
        raise AnswerError(why)
    return found


def _points(
    found: dict[str, Any], key: str, names: tuple[str, ...], wrong: list[str]
) -> list[tuple[str, dict[str, Any]]]:
    """The points of a group that are objects; what is missing is noted."""
    group = found.get(key)
    if not isinstance(group, dict):
        wrong.append(f"{key} is missing" if group is None else f"{key} is no object")
        return []
    if missing := [name for name in names if not isinstance(group.get(name), dict)]:
        wrong.append(f"{key} has no object for {', '.join(missing)}")
    return [(name, group[name]) for name in names if isinstance(group.get(name), dict)]


def _list(found: dict[str, Any], key: str, wrong: list[str]) -> list[Any]:
    value = found.get(key)
    if not isinstance(value, list):
        wrong.append(f"{key} is missing" if value is None else f"{key} is no list")
        return []
    return value[: 4 * _ACCUSATIONS]


def _mark(point: dict[str, Any], name: str, wrong: list[str]) -> Mark:
    value = point.get("value", "")
    if isinstance(value, str):
        value = None if value.strip().lower() in _NONE else int(value) if value.strip() in tuple("12345") else value
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 5):
        wrong.append(f'grades.{name}.value is not "1" to "5" or "none"')
        value = None
    return Mark(value, _text(point.get("why"), f"grades.{name}.why", wrong), _places(point, f"grades.{name}", wrong))


def _fact(point: dict[str, Any], name: str, wrong: list[str]) -> Fact:
    value = point.get("value", "")
    key = value.strip().lower() if isinstance(value, str) else value
    if not (key is None or isinstance(key, bool)):
        if not isinstance(key, str) or key not in _VALUES:
            wrong.append(f'facts.{name}.value is not "yes", "no" or "unknown"')
        key = _VALUES.get(key) if isinstance(key, str) else None
    return Fact(key, _text(point.get("why"), f"facts.{name}.why", wrong), _places(point, f"facts.{name}", wrong))


def _accusation(item: Any, number: int, wrong: list[str]) -> Accusation:
    where = f"accusation {number}"
    if not isinstance(item, dict):
        wrong.append(f"{where} is no object")
        return Accusation("", [], "")
    what, fact, quote = _text(item.get("what"), f"{where}.what", wrong), item.get("fact"), item.get("quote")
    if not isinstance(quote, str):
        wrong.append(f"{where}.quote is no text")
        quote = ""
    fact = fact if isinstance(fact, str) and fact in FACTS else None
    return Accusation(what, _places(item, where, wrong), block(quote[:_QUOTE]).strip(), fact)


def _places(point: dict[str, Any], where: str, wrong: list[str]) -> list[str]:
    """Places as they are cited, without brackets; whether they exist is decided elsewhere."""
    at = point.get("at")
    at = [at] if isinstance(at, str | int | float) and not isinstance(at, bool) else at
    if not isinstance(at, list):
        wrong.append(f"{where}.at is no list")
        return []
    said = [str(p)[:40] for p in at[:_PLACES] if isinstance(p, str | int | float) and not isinstance(p, bool)]
    return list(dict.fromkeys(one_line(p.strip(" []()"), 24) for p in said if p.strip(" []()")))


def _text(value: Any, where: str, wrong: list[str]) -> str:
    """A text on one line, safe to show."""
    if not isinstance(value, str):
        wrong.append(f"{where} is no text")
        return ""
    return one_line(value, _SENTENCE)
