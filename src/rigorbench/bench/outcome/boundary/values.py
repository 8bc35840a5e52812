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


def simple(value: Any, kind: Any) -> Any:
    """Values of the standard library's plain types, as text."""
    if kind in (bytes, bytearray):
        return {"t": kind.__name__, "v": bytes(value).hex()}
    if kind is complex:
        return {"t": "complex", "v": [value.real, value.imag]}
    if kind is range:
        return {"t": "range", "v": [value.start, value.stop, value.step]}
    if kind is datetime.date:
        return {"t": "date", "v": value.isoformat()}
    if kind is datetime.timedelta:
        return {"t": "timedelta", "v": [value.days, value.seconds, value.microseconds]}
    if kind in (datetime.datetime, datetime.time):
        zone = value.tzinfo
        known = None if zone is None else simple(zone, type(zone))
        if zone is None or known is not None:
            return {"t": kind.__name__, "v": [value.replace(tzinfo=None).isoformat(), value.fold, known]}
    if kind is datetime.timezone:
        return {"t": "timezone", "v": value.utcoffset(None).total_seconds()}
    if kind is zoneinfo.ZoneInfo and value.key:
        return {"t": "zone", "v": value.key}
    if kind is decimal.Decimal:
        return {"t": "decimal", "v": str(value)}
    if kind is fractions.Fraction:
        return {"t": "fraction", "v": str(value)}
    if kind is pathlib.PosixPath:
        return {"t": "path", "v": str(value)}
    if kind is uuid.UUID:
        return {"t": "uuid", "v": str(value)}
    if value is Ellipsis or value is NotImplemented:
        return {"t": "constant", "v": str(value)}
    return None


_Code = Callable[[Any], Any]
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


def container(value: Any, kind: Any, encode: _Code) -> Any:
    """A container of the standard library, with what ``encode`` makes of its content; None for another value."""
    known = _CONTAINERS.get(kind)
    return None if known is None else {"t": known[0], "v": encode(known[1](value))}


def filled(kind: Any, value: Any, decode: _Code) -> Any:
    """The inverse of `container`, and of `simple`. Raises KeyError for another kind."""
    return _FILL[kind](decode(value)) if kind in _FILL else made(kind, value)


def made(kind: Any, value: Any) -> Any:
    """The inverse of `simple`. Raises KeyError for another kind."""
    makers: dict[str, Callable[[Any], Any]] = {
        "int": lambda v: int(v, 16),
        "bytes": bytes.fromhex,
        "bytearray": bytearray.fromhex,
        "complex": lambda v: complex(*v),
        "range": lambda v: range(*v),
        "date": datetime.date.fromisoformat,
        "timedelta": lambda v: datetime.timedelta(*v),
        "datetime": lambda v: _zoned(datetime.datetime.fromisoformat(v[0]), v),
        "time": lambda v: _zoned(datetime.time.fromisoformat(v[0]), v),
        "timezone": lambda v: datetime.timezone(datetime.timedelta(seconds=v)),
        "zone": zoneinfo.ZoneInfo,
        "decimal": decimal.Decimal,
        "fraction": fractions.Fraction,
        "path": pathlib.Path,
        "uuid": uuid.UUID,
        "constant": {"Ellipsis": ..., "NotImplemented": NotImplemented}.get,
        "builtin": lambda v: getattr(builtins, v),
    }
    return makers[kind](value)


def _zoned(found: Any, value: Any) -> Any:
    zone = None if value[2] is None else made(value[2]["t"], value[2]["v"])
    return found.replace(tzinfo=zone, fold=value[1])
