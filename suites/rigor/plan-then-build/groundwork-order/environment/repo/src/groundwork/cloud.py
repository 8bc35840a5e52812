"""A cloud that is simulated in a file. What it refuses is described in docs/cloud.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .errors import GroundworkError
from .kinds import KINDS, Value

IMAGES = ("alpine-3", "debian-11", "debian-12")


class CloudError(GroundworkError):
    """The cloud refused to do something, and has done nothing."""


class Cloud:
    def __init__(self, path: Path) -> None:
        self._path = path

    def _load(self) -> dict[str, Any]:
        try:
            document: dict[str, Any] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {"next": 1, "objects": {}, "locked": [], "journal": []}
        return document

    def _save(self, document: dict[str, Any], action: str, number: str) -> None:
        document["journal"].append([action, number])
        self._path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

    def create(self, kind: str, values: dict[str, Value]) -> tuple[str, dict[str, Value]]:
        """A new object: its id, and its attributes with those that the cloud made."""
        document = self._load()
        self._check(document, kind, values)
        number = document["next"]
        document["next"] += 1
        attributes: dict[str, Value] = dict(values)
        if "address" in KINDS[kind].made:
            attributes["address"] = f"192.0.2.{number % 250 + 1}"
        identity = f"{KINDS[kind].prefix}-{number}"
        document["objects"][identity] = {"kind": kind, "attributes": attributes}
        self._save(document, "create", identity)
        return identity, attributes

    def read(self, identity: str) -> dict[str, Value] | None:
        """The attributes of an object, or None if there is none."""
        found = self._load()["objects"].get(identity)
        return None if found is None else dict(found["attributes"])

    def update(self, identity: str, values: dict[str, Value]) -> dict[str, Value]:
        """Change some attributes; all attributes afterwards."""
        document = self._load()
        found = self._object(document, identity)
        self._check(document, found["kind"], values)
        for name in values:
            if KINDS[found["kind"]].attributes[name].fixed:
                raise CloudError(f"{identity}: {name} cannot be changed")
        found["attributes"].update(values)
        self._save(document, "update", identity)
        return dict(found["attributes"])

    def delete(self, identity: str) -> None:
        document = self._load()
        self._object(document, identity)
        if identity in document["locked"]:
            raise CloudError(f"{identity} is locked")
        for other, entry in document["objects"].items():
            if identity in entry["attributes"].values():
                raise CloudError(f"{identity} is in use by {other}")
        del document["objects"][identity]
        self._save(document, "delete", identity)

    @staticmethod
    def _object(document: dict[str, Any], identity: str) -> dict[str, Any]:
        if identity not in document["objects"]:
            raise CloudError(f"there is no {identity}")
        found: dict[str, Any] = document["objects"][identity]
        return found

    @staticmethod
    def _check(document: dict[str, Any], kind: str, values: dict[str, Value]) -> None:
        if "image" in values and values["image"] not in IMAGES:
            raise CloudError(f"no such image: {values['image']}")
        for name, value in values.items():
            if KINDS[kind].attributes[name].refers and value and value not in document["objects"]:
                raise CloudError(f"{name}: there is no {value}")
