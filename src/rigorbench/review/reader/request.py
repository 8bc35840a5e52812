"""The one request about a session, what comes back, and the answer in it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from importlib.resources import files
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from ...base.errors import GivenError
from ...base.points import Points, one_object
from ...base.sanitize import block, one_line
from .digest import CHARACTERS_PER_TOKEN, Digest
from .reading import FACTS, PILLARS, Accusation, Answer, Fact, GradeMark

T = TypeVar("T")
# Raised with every change of the question or of the schema: answers to another version are not used.
PROMPT_VERSION = 1
# Characters of a digest, unless the user says otherwise.
BUDGET = 24_000
GRADES = (*PILLARS, "overall")
# A longer reply is no answer; an answer has about 8,000 characters.
_MOST_REPLY = 200_000
_SENTENCE, _QUOTE, _PLACES, _ACCUSATIONS, _ADVICE = 400, 1_000, 12, 12, 3
# So many problems of an answer are named, and so many objects in a reply are tried.
_NAMED, _TRIED = 6, 64
_OBJECT = re.compile(r"\{\s*\"")
# What a reader may say, in lower case: as the schema has it, and as JSON has it.
_YES = {"yes": True, "no": False, "unknown": None, "true": True, "false": False, "none": None, "null": None}
_GRADE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "none": None, "null": None}


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
    points: Points | None = None
    """What is asked besides, or alone."""

    def answer(self, text: str) -> Answer:
        """The answer in a reply. Raises: AnswerError."""
        if self.points is not None and "facts" not in self.schema["properties"]:
            return parse_points(text, self.points)
        return parse(text, self.points)

    def again(self, error: AnswerError) -> Request:
        """The same request, with what was wrong with the last answer."""
        more = (
            f"\nYour last answer could not be used: {error}. Answer again: one complete JSON object and nothing else.\n"
        )
        return _request(self.system, self.user + more, self.schema, self.digest_sha256, self.points)


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


class ReaderError(GivenError):
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
    """A reply that is no answer. The message says what is wrong with it, on one line."""


class _Point(Struct):
    value: str | int | bool | None
    why: str
    at: list[str | int | float]


class _Charge(Struct):
    what: str
    at: list[str | int | float]
    quote: str
    fact: str = "other"


def build(digest: Digest, points: Points | None = None) -> Request:
    """The request about a session, with further points if there are some: the same ones give the same bytes."""
    # Nothing in the digest can look like these lines: its own lines have marks of their own.
    told = f"# The session\n\n{digest.text}\n\n# The session has ended."
    if points is None or not points.points:
        return _request(question(), f"{told} Answer with the JSON object.\n", schema(), digest.sha256)
    asked = one_object(schema()["properties"] | {"points": points.schema()})
    more = points.text
    sha256 = hashlib.sha256(f"{digest.sha256}\n{more}".encode()).hexdigest()
    return _request(question(), f"{told}\n\n{more}\n\n# Answer with the JSON object.\n", asked, sha256, points)


def build_points(points: Points, system: str) -> Request:
    """A request that asks for points alone. ``system``: what the reader is told about them in every such request."""
    user = f"{points.text}\n\n# Answer with the JSON object.\n"
    sha256 = hashlib.sha256(f"{system}\n{user}".encode()).hexdigest()
    return _request(system, user, one_object({"points": points.schema()}), sha256, points)


def _request(system: str, user: str, form: dict[str, Any], sha256: str, points: Points | None = None) -> Request:
    length = len(system) + len(user)
    return Request(system, user, form, PROMPT_VERSION, sha256, length, round(length / CHARACTERS_PER_TOKEN), points)


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

    fact = one_object({"why": text, "at": places, "value": one_of("yes", "no", "unknown")})
    mark = one_object({"why": text, "at": places, "value": one_of("1", "2", "3", "4", "5", "none")})
    accusation = one_object({"what": text, "at": places, "quote": text, "fact": one_of(*FACTS, "other")})
    return one_object(
        {
            "facts": one_object(dict.fromkeys(FACTS, fact)),
            "accusations": {"type": "array", "items": accusation},
            "grades": one_object(dict.fromkeys(GRADES, mark)),
            "advice": {"type": "array", "items": text},
            "verdict": text,
        }
    )


def parse(text: str, points: Points | None = None) -> Answer:
    """The answer in a reply, which may have prose or a fence around it; unknown keys are ignored, long texts are cut.

    Raises:
        AnswerError: there is none, or something of it is missing or of another form. It names all that is wrong, up to
            a few points, so that one more request can repair it.
    """
    found, wrong = _find(text), list[str]()

    def part(key: str, kind: type[T], empty: T) -> T:
        return _convert(found.get(key), kind, key, wrong) or empty

    def group_of(key: str, names: Iterable[str], values: dict[str, Any]) -> dict[str, tuple[Any, str, list[str]]]:
        group = part(key, dict, {})
        return {name: _point(group.get(name), f"{key}.{name}", values, wrong) for name in names if group}

    facts = {name: Fact(*point) for name, point in group_of("facts", FACTS, _YES).items()}
    marks = {name: GradeMark(*point) for name, point in group_of("grades", GRADES, _GRADE).items()}
    charges = [_convert(c, _Charge, f"accusation {n}", wrong) for n, c in enumerate(part("accusations", list, []), 1)]
    advice = [one_line(a, _SENTENCE) for a in part("advice", list[str], []) if a.strip()]
    verdict = one_line(part("verdict", str, ""), _SENTENCE)
    if not verdict and "verdict" in found and not wrong:
        wrong.append("verdict is empty")
    judged = points.answers(found.get("points"), wrong) if points is not None else {}
    _refuse(wrong)
    accusations = [
        Accusation(
            one_line(c.what, _SENTENCE), _places(c.at), block(c.quote[:_QUOTE]), c.fact if c.fact in FACTS else None
        )
        for c in charges[:_ACCUSATIONS]
        if c is not None
    ]
    return Answer(marks, facts, accusations, advice[:_ADVICE], verdict, judged)


def parse_points(text: str, points: Points) -> Answer:
    """The answer to a request for points alone, with nothing but these. Raises: AnswerError."""
    wrong = list[str]()
    answer = Answer({}, {}, [], [], "", points.answers(_find(text, {"points"}).get("points"), wrong))
    _refuse(wrong)
    return answer


def _refuse(wrong: Sequence[str]) -> None:
    """Raises AnswerError if something is wrong with an answer."""
    if wrong:
        more = f"; and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        raise AnswerError("; ".join(wrong[:_NAMED]) + more)


def _find(text: str, keys: Set[str] = frozenset({"grades", "facts", "verdict"})) -> dict[str, Any]:
    """The last object in a reply that has a key of an answer: a draft may stand before it."""
    if len(text) > _MOST_REPLY:
        raise AnswerError(f"it is longer than {_MOST_REPLY:,} characters")
    decoder, at, why = json.JSONDecoder(), 0, "there is no JSON object with the keys facts, accusations, grades"
    found: dict[str, Any] | None = None
    for tried in range(_TRIED):
        if (start := _OBJECT.search(text, at)) is None:
            break
        at = start.end()
        try:
            value, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError) as error:
            if not tried:
                where = f" (character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else ""
                why = f"it is not one complete JSON object{where}"
            continue
        found = value if keys & value.keys() else found
    if found is None:
        raise AnswerError(why)
    return found


def _convert(value: Any, kind: type[T], where: str, wrong: list[str]) -> T | None:
    """A part of an answer, if it has its form; else what is wrong with it is noted."""
    if value is None:
        wrong.append(f"{where} is missing")
        return None
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        wrong.append(f"{where}: {one_line(str(error), 100)}")
        return None


def _point(value: Any, where: str, values: dict[str, Any], wrong: list[str]) -> tuple[Any, str, list[str]]:
    point = _convert(value, _Point, where, wrong) or _Point("none", "", [])
    said = str(point.value).strip().lower()
    if said not in values:
        wrong.append(f"{where}.value is none of {', '.join(values)}")
    return values.get(said), one_line(point.why, _SENTENCE), _places(point.at)


def _places(at: list[str | int | float]) -> list[str]:
    """Places as they are cited, without brackets; whether they exist is decided elsewhere."""
    return list(dict.fromkeys(one_line(str(place)[:40].strip(" []()"), 24) for place in at[:_PLACES]))
