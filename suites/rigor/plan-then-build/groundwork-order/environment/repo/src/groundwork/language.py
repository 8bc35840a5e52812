"""Reads the file that says what there should be. Described in docs/language.md."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from .errors import GroundworkError
from .kinds import KINDS, Value

_NAME = "[a-z0-9]+(?:-[a-z0-9]+)*"
_HEAD = re.compile(rf"([a-z]+)\s+({_NAME})\s*\{{")
_ATTRIBUTE = re.compile(r"([a-z]+)\s*=\s*(.+)")


@dataclass
class Resource:
    """``values`` has every attribute of the kind, those that were left out with their default."""

    kind: str
    name: str
    line: int
    values: dict[str, Value] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"{self.kind}.{self.name}"


def parse(text: str, file: str = "groundwork file") -> list[Resource]:
    """The resources in the order of the file.

    Raises:
        GroundworkError: the text is not as docs/language.md says.
    """
    found: dict[str, Resource] = {}
    current: Resource | None = None
    number = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line, place = raw.strip(), f"{file}:{number}"
        if not line or line.startswith("#"):
            continue
        if current is None:
            current = _begin(line, number, place)
            if current.address in found:
                raise GroundworkError(f"{place}: {current.address} is there twice")
            found[current.address] = current
        elif line == "}":
            _end(current, f"{file}:{current.line}")
            current = None
        else:
            _attribute(current, line, place)
    if current is not None:
        raise GroundworkError(f"{file}:{number}: {current.kind} {current.name} has no end")
    return list(found.values())


def _begin(line: str, number: int, place: str) -> Resource:
    match = _HEAD.fullmatch(line)
    if match is None:
        raise GroundworkError(f"{place}: a resource is expected: KIND NAME {{")
    if match[1] not in KINDS:
        raise GroundworkError(f"{place}: no such kind: {match[1]}; there are {', '.join(sorted(KINDS))}")
    return Resource(match[1], match[2], number)


def _attribute(resource: Resource, line: str, place: str) -> None:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        raise GroundworkError(f"{place}: an attribute is expected: NAME = VALUE")
    name, where = match[1], f"{place}: {resource.kind} {resource.name}"
    known = KINDS[resource.kind].attributes.get(name)
    if known is None:
        raise GroundworkError(f"{where}: no such attribute: {name}")
    if name in resource.values:
        raise GroundworkError(f"{where}: {name} is there twice")
    value = _value(match[2], where)
    if type(value) is not known.type:
        raise GroundworkError(f"{where}: {name}: {'a text' if known.type is str else 'a number'} is needed")
    resource.values[name] = value


def _value(text: str, where: str) -> Value:
    if re.fullmatch("-?[0-9]+", text):
        return int(text)
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, str):
        raise GroundworkError(f"{where}: no value: {text}")
    return value


def _end(resource: Resource, place: str) -> None:
    """Fill in what was left out."""
    values: dict[str, Value] = {}
    for name, known in KINDS[resource.kind].attributes.items():
        value = resource.values.get(name, known.default)
        if value is None:
            raise GroundworkError(f"{place}: {resource.kind} {resource.name}: missing: {name}")
        values[name] = value
    resource.values = values
