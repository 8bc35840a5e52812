"""Answers of readers for tests: about every point of a session, by a rule. No model is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from rigorbench.base.points import JudgePoint, Points, judged
from rigorbench.bench.rigorscore.judged import estimated_words, session_points
from rigorbench.review.answers import JudgedPoints
from rigorbench.review.reader.reading import FACTS
from rigorbench.review.reader.request import GRADES, Reply, Request
from rigorbench.review.session import Session

READERS = ("a", "b", "c")
_WORDS = {True: "yes", False: "no"}
# From reader, point and number of the item ("" without items) to the answer.
Rule = Callable[[str, JudgePoint, str], bool]


def question(point: JudgePoint) -> str:
    """What a point asks, whatever plan, commit or requirement it is about."""
    if level := re.search(r"_(\d+)$", point.id):
        return level[1]
    return re.sub(r"^(?:plan\d+_|commit_)|\d+$", "", point.id)


def favourable(_reader: str, point: JudgePoint, _item: str) -> bool:
    """The best that can be said of anything."""
    return question(point) not in ("claims_done", "overclaims", "0")


def always_yes(_reader: str, _point: JudgePoint, _item: str) -> bool:
    return True


def always_no(_reader: str, _point: JudgePoint, _item: str) -> bool:
    return False


def answers(points: Points, rule: Rule, reader: str) -> dict[str, bool | None]:
    return {key: rule(reader, p, key.rpartition("/")[2] if p.items else "") for p in points.points for key in p.keys}


def judge(session: Session, rule: Rule, readers: Sequence[str] = READERS) -> JudgedPoints | None:
    """What these readers say of a session; None: there is nothing to judge."""
    points = session_points(session)
    if points is None:
        return None
    found = judged(points, [answers(points, rule, reader) for reader in readers])
    return JudgedPoints({p.key: p for p in found}, list(readers))


def by_rules(session: Session) -> JudgedPoints | None:
    """What rules say of a session's words about its task, which nothing but a reader may judge otherwise."""
    return estimated_words(session)


def whole(grade: str = "3", fact: str = "unknown", at: Sequence[str] = ("0",), **more: Any) -> dict[str, Any]:
    """An answer about a session: the same of every fact and grade. ``more``: what else it says."""
    point = {"why": "So it is.", "at": list(at)}
    return {
        "facts": {name: point | {"value": fact} for name in FACTS},
        "accusations": [],
        "grades": {name: point | {"value": grade} for name in GRADES},
        "advice": [],
        "verdict": "It can be trusted.",
    } | more


def answer(request: Request, said: str = "yes", grade: str = "3", fact: str = "unknown") -> dict[str, Any]:
    """An answer of the form that a request asks for: the same of every point, grade and fact."""
    properties = request.schema["properties"]
    found = whole(grade, fact, at=()) if "facts" in properties else {}
    if "points" in properties:
        points = {}
        for name, form in properties["points"]["properties"].items():
            items = form["properties"].get("items", {}).get("properties")
            points[name] = {"why": "w", **({"items": dict.fromkeys(items, said)} if items else {"value": said})}
        found["points"] = points
    return found


def by_rule(request: Request, rule: Rule) -> dict[str, Any]:
    """An answer to a request for points alone."""
    found = {}
    for name, form in request.schema["properties"]["points"]["properties"].items():
        point, items = JudgePoint(name, "", "", "", ""), form["properties"].get("items", {}).get("properties", {})
        said = {n: _WORDS[rule("", point, n)] for n in items} if items else _WORDS[rule("", point, "")]
        found[name] = {"why": "w", "items" if items else "value": said}
    return {"points": found}


class Scripted:
    """A backend that answers every request by a function."""

    def __init__(self, name: str, by: Callable[[Request], Any]) -> None:
        self.name, self.by, self.requests = name, by, list[Request]()

    def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply(json.dumps(self.by(request)), self.name)
