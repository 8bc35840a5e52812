"""The website's API: a WSGI application; see docs/api.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from . import points, times
from .cup import cup
from .errors import UnknownRace
from .places import places
from .store import Store

Start = Callable[[str, list[tuple[str, str]]], object]
App = Callable[[dict[str, Any], Start], Iterable[bytes]]


def make_app(directory: Path) -> App:
    """The application over the races in a directory."""
    store = Store(Path(directory))

    def app(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        if environ.get("REQUEST_METHOD", "GET") != "GET":
            return _answer(start, "405 Method Not Allowed", {"error": "only GET is possible here"})
        try:
            return _answer(start, "200 OK", _find(store, unquote(environ.get("PATH_INFO", "/"))))
        except UnknownRace as error:
            return _answer(start, "404 Not Found", {"error": str(error)})

    return app


def _find(store: Store, path: str) -> dict[str, Any]:
    match path.strip("/").split("/"):
        case ["races"]:
            return {"races": [{"id": r.id, "name": r.name, "date": r.date.isoformat()} for r in store.races()]}
        case ["races", name, "places"]:
            return {"race": name, "places": _places(store, name)}
        case ["cup"]:
            return {"cup": [{"club": club, "points": points.show(sum_)} for club, sum_ in cup(store.races())]}
    raise UnknownRace(f"nothing at {path}")


def _places(store: Store, name: str) -> list[dict[str, Any]]:
    race = store.race(name)
    awarded = points.award(race)
    return [
        {
            "crew": placed.result.crew,
            "club": placed.result.club,
            "time": None if placed.result.time is None else times.show(placed.result.time),
            "place": placed.place,
            "points": points.show(awarded[placed.result.crew]),
        }
        for placed in places(race)
    ]


def _answer(start: Start, status: str, document: dict[str, Any]) -> Iterable[bytes]:
    body = json.dumps(document, ensure_ascii=False).encode("utf-8")
    start(status, [("Content-Type", "application/json; charset=utf-8"), ("Content-Length", str(len(body)))])
    return [body]
