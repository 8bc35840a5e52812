"""Values of the standard library's plain types as text, the same on both sides of the boundary."""

from __future__ import annotations

import array
import builtins
import collections
import datetime
import decimal
import fractions
import pathlib
import types
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any

# A value of a subclass of one of these has the plain value itself, too.
BASES: tuple[Any, ...] = (str, int, float, bytes, tuple, list, dict, set, frozenset)


_Code = Callable[[Any], Any]
_SEQUENCES: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
# Plain types of the standard library: how a value becomes text or numbers, and how one is made of them.
_SIMPLE: dict[Any, tuple[str, _Code, _Code]] = {
    int: ("int", hex, lambda v: int(v, 16)),
    bytes: ("bytes", bytes.hex, bytes.fromhex),
    bytearray: ("bytearray", bytearray.hex, bytearray.fromhex),
    complex: ("complex", lambda v: [v.real, v.imag], lambda v: complex(*v)),
    range: ("range", lambda v: [v.start, v.stop, v.step], lambda v: range(*v)),
    datetime.date: ("date", datetime.date.isoformat, datetime.date.fromisoformat),
    datetime.timedelta: (
        "timedelta",
        lambda v: [v.days, v.seconds, v.microseconds],
        lambda v: datetime.timedelta(*v),
    ),
    datetime.timezone: (
        "timezone",
        lambda v: v.utcoffset(None).total_seconds(),
        lambda v: datetime.timezone(datetime.timedelta(seconds=v)),
    ),
    zoneinfo.ZoneInfo: ("zone", lambda v: v.key, zoneinfo.ZoneInfo),
    decimal.Decimal: ("decimal", str, decimal.Decimal),
    fractions.Fraction: ("fraction", str, fractions.Fraction),
    pathlib.PosixPath: ("path", str, pathlib.Path),
    uuid.UUID: ("uuid", str, uuid.UUID),
}
_MAKE = {name: make for name, _, make in _SIMPLE.values()}
# Containers of the standard library: how what is in one is taken out, and how one is made of it.
_CONTAINERS: dict[Any, tuple[str, _Code, _Code]] = {
    types.MappingProxyType: ("mappingproxy", dict, types.MappingProxyType),
    type({}.keys()): ("keys", list, lambda v: dict.fromkeys(v).keys()),
    type({}.values()): ("values", list, lambda v: dict(enumerate(v)).values()),
    type({}.items()): ("items", list, lambda v: dict(v).items()),
    collections.ChainMap: ("ChainMap", lambda v: v.maps, lambda v: collections.ChainMap(*v)),
    collections.deque: ("deque", lambda v: [list(v), v.maxlen], lambda v: collections.deque(*v)),
    collections.UserDict: ("UserDict", lambda v: v.data, collections.UserDict),
    collections.UserList: ("UserList", lambda v: v.data, collections.UserList),
    types.SimpleNamespace: ("SimpleNamespace", vars, lambda v: types.SimpleNamespace(**v)),
    array.array: ("array", lambda v: [v.typecode, v.tolist()], lambda v: array.array(*v)),
}
_FILL = {name: make for name, _, make in _CONTAINERS.values()}


def encoded(value: Any, kind: Any, encode: _Code) -> Any:
    """A value of the standard library, with what ``encode`` makes of its content; None for another value."""
    if kind.__name__ in _SEQUENCES and kind is _SEQUENCES[kind.__name__]:
        return {"t": kind.__name__, "v": [encode(v) for v in value]}
    if kind is dict:
        return {"t": "dict", "v": [[encode(k), encode(v)] for k, v in value.items()]}
    if kind in _CONTAINERS:
        name, content, _ = _CONTAINERS[kind]
        return {"t": name, "v": encode(content(value))}
    return _simple(value, kind)


def _simple(value: Any, kind: Any) -> Any:
    if kind in (datetime.datetime, datetime.time):
        zone = value.tzinfo
        known = None if zone is None else _simple(zone, type(zone))
        if zone is not None and known is None:
            return None
        return {"t": kind.__name__, "v": [value.replace(tzinfo=None).isoformat(), value.fold, known]}
    if value is Ellipsis or value is NotImplemented:
        return {"t": "constant", "v": str(value)}
    if kind not in _SIMPLE or (kind is zoneinfo.ZoneInfo and not value.key):
        return None
    name, write, _ = _SIMPLE[kind]
    return {"t": name, "v": write(value)}


def decoded(kind: Any, value: Any, decode: _Code) -> Any:
    """The inverse of `encoded`. Raises KeyError for another kind."""
    if kind in _SEQUENCES:
        return _SEQUENCES[kind]([decode(v) for v in value])
    if kind == "dict":
        return {decode(k): decode(v) for k, v in value}
    if kind in _FILL:
        return _FILL[kind](decode(value))
    if kind in ("datetime", "time"):
        text, fold, zone = value
        found: Any = getattr(datetime, kind).fromisoformat(text)
        return found.replace(tzinfo=None if zone is None else _MAKE[zone["t"]](zone["v"]), fold=fold)
    if kind == "constant":
        return {"Ellipsis": ..., "NotImplemented": NotImplemented}.get(value)
    return getattr(builtins, value) if kind == "builtin" else _MAKE[kind](value)
