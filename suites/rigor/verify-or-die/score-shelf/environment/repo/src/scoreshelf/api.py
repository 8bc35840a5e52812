"""Requests and answers, without a web server around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from .access import AccessService
from .errors import BadRequest, NotFound, ShelfError

Answer = tuple[int, Any]


class Api:
    def __init__(self, service: AccessService) -> None:
        self._service = service

    def handle(self, method: str, target: str, body: Mapping[str, Any] | None = None) -> Answer:
        """(status, what is sent as JSON) for a request; errors come back as ``{"error": ...}``."""
        split = urlsplit(target)
        parts = [unquote(part) for part in split.path.strip("/").split("/")]
        query = {key: values[-1] for key, values in parse_qs(split.query).items()}
        try:
            return self._route(method, parts, query, body or {})
        except NotFound as error:
            return 404, {"error": str(error)}
        except ShelfError as error:
            return 400, {"error": str(error)}

    def _route(self, method: str, parts: list[str], query: Mapping[str, str], body: Mapping[str, Any]) -> Answer:
        match (method, *parts):
            case ("GET", "access", member, folder):
                return 200, {"level": self._service.level(member, folder)}
            case ("GET", "members", member):
                return 200, self._member(member)
            case ("GET", "members", member, "folders"):
                return 200, self._folders(member, query.get("level"))
            case ("PUT", "members", member):
                self._service.add_member(member)
            case ("PUT", "groups", group):
                self._service.add_group(group)
            case ("PUT", "groups", group, "members", name):
                self._service.put_into(group, name)
            case ("DELETE", "groups", group, "members", name):
                self._service.take_out(group, name)
            case ("PUT", "folders", folder):
                self._service.place_folder(folder, _text(body, "parent", required=False))
            case ("PUT", "folders", folder, "grants", group):
                self._service.grant(folder, group, str(_text(body, "level")))
            case ("DELETE", "folders", folder, "grants", group):
                self._service.revoke(folder, group)
            case _:
                return 404, {"error": f"no such resource: {method} /{'/'.join(parts)}"}
        return 204, None

    def _member(self, member: str) -> dict[str, Any]:
        groups = self._service.groups_of(member)
        groups.append("everyone")
        folders = self._service.folders(member)
        for entry in folders:
            entry["href"] = f"/access/{member}/{entry['folder']}"
        return {"member": member, "groups": groups, "folders": folders}

    def _folders(self, member: str, level: str | None) -> list[str]:
        return [entry["folder"] for entry in self._service.folders(member) if level in (None, entry["level"])]


def _text(body: Mapping[str, Any], key: str, *, required: bool = True) -> str | None:
    value = body.get(key)
    if value is None and not required:
        return None
    if not isinstance(value, str) or not value:
        raise BadRequest(f"{key}: expected a text")
    return value
