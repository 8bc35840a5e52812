"""The kinds of resources, and the attributes that each has."""

from __future__ import annotations

from dataclasses import dataclass

Value = str | int


@dataclass(frozen=True)
class Attribute:
    """``fixed``: cannot be changed on an existing object. ``refers``: holds the id of another object."""

    type: type[str] | type[int]
    default: Value | None = None
    fixed: bool = False
    refers: bool = False


@dataclass(frozen=True)
class Kind:
    """``prefix`` begins the ids of its objects; ``made``: attributes that the cloud makes."""

    prefix: str
    attributes: dict[str, Attribute]
    made: tuple[str, ...] = ()


_LABEL = Attribute(str, "")
KINDS = {
    "network": Kind("net", {"range": Attribute(str, fixed=True), "label": _LABEL}),
    "disk": Kind("dsk", {"size": Attribute(int), "label": _LABEL}),
    "server": Kind(
        "srv",
        {
            "image": Attribute(str, fixed=True),
            "network": Attribute(str, fixed=True, refers=True),
            "cores": Attribute(int, 1),
            "disk": Attribute(str, "", refers=True),
            "label": _LABEL,
        },
        made=("address",),
    ),
    "record": Kind("rec", {"name": Attribute(str, fixed=True), "target": Attribute(str)}),
}


def kind_of(address: str) -> Kind:
    return KINDS[address.partition(".")[0]]
