"""What crosses the boundary, on the side of the tests: values as themselves, everything else by a number.

`References` makes a stand-in of what the code under test refers to, and a reference of what belongs to the tests.
"""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import itertools
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from .stand_ins import FORWARDED, BoundaryError, Class, Module, StandIn, forward, is_plain
from .values import BASES, decoded, encoded

_BASES: dict[str, Any] = {k.__name__: k for k in BASES}
# Not by assignment, which would be passed on to the other process.
_set_arguments: Any = vars(BaseException)["args"].__set__


class References:
    """The objects of both sides by their numbers.

    Args:
        describe: asks for the description of a class there, by its number.
    """

    def __init__(self, boundary: Any, describe: Callable[[int], Any]) -> None:
        self._boundary = boundary
        self._describe = describe
        self.own: dict[int, Any] = {}
        self._kinds: dict[int, type] = {}
        self._there: Any = weakref.WeakValueDictionary()
        self._strong: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}
        self._count = itertools.count(1)

    def encode(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in (bool, str, float):
            return value
        if kind is int and abs(value) < 2**62:
            return value
        found = encoded(value, kind, self.encode) or self.handle(value)
        if found is not None:
            return found
        if isinstance(value, type) and value.__module__ == "builtins" and hasattr(builtins, value.__name__):
            return {"t": "builtin", "v": value.__name__}
        if isinstance(value, types.TracebackType):
            return None  # as a context manager is given one
        if isinstance(value, types.ModuleType | types.FrameType | types.CodeType):
            raise BoundaryError(f"a {kind.__name__} of the tests cannot be given to the code under test")
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = next(self._count)
            self.own[number] = value
        return {"t": "far", "i": number, "call": callable(value)}

    def handle(self, value: Any) -> Any:
        """A stand-in as the reference to what it stands for; None: it is none."""
        kind = type(value)
        if isinstance(kind, Class):
            number = vars(value).get("_number") if hasattr(value, "__dict__") else None
            return {"t": "ref", "i": number} if number is not None else None
        if kind is Class or isinstance(value, Module):
            number = vars(value).get("_number")
            return {"t": "ref", "i": number} if number is not None else None
        return None

    def decode(self, value: Any) -> Any:
        if not isinstance(value, dict):
            if value is not None and type(value) not in (bool, int, float, str):
                raise ValueError(value)
            return value
        kind = value["t"]
        if kind == "near":
            return self.own[value["i"]]
        if kind == "class":
            return self.kind(value)
        if kind == "signature":
            return inspect.Signature([self._parameter(row) for row in value["v"]])
        if kind == "field":
            name, init, shown, compared, kw_only, sort = value["v"]
            field = dataclasses.field(init=init, repr=shown, compare=compared, kw_only=kw_only)
            field.name = name
            names = ("_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR")
            kinds = [getattr(dataclasses, name) for name in names]
            vars_of: Any = field
            vars_of._field_type = next((k for k in kinds if str(k) == sort), kinds[0])
            return field
        if kind == "builtin":
            return self.kind(value)
        if kind != "ref":
            return decoded(kind, value["v"], self.decode)
        number = value["i"]
        found = self._there.get(number) if number not in self._strong else self._strong[number]
        return found if found is not None else self._stand_in(value)

    def _stand_in(self, value: Any) -> Any:
        cls: Any = self.kind(value["c"])
        number = value["i"]
        if issubclass(cls, types.ModuleType):
            raise ValueError("a module cannot be a value")
        if issubclass(cls, BaseException):
            arguments = self.decode(value.get("a", {"t": "tuple", "v": []}))
            found = cls.__new__(cls)
            _set_arguments(found, arguments if type(arguments) is tuple else ())
            if not isinstance(cls, Class):
                try:
                    cls.__init__(found, *arguments)
                except (TypeError, ValueError):
                    _set_arguments(found, (str(value.get("s", "")),))
                if isinstance(found, ImportError) and isinstance(value.get("n"), str):
                    found.name = value["n"]
        else:
            base: Any = next((b for b in _BASES.values() if issubclass(cls, b)), None)
            if base is None:
                found = object.__new__(cls)
            else:
                plain: Any = self.decode(value["b"])
                if type(plain) is not base:
                    raise ValueError("a value is not of its class")
                changes = base in (list, dict, set)
                new: Any = base.__new__
                found = new(cls) if changes else new(cls, plain)
                if changes:
                    base.__init__(found, plain)
        if not isinstance(cls, Class):
            return found
        vars(found)["_number"] = number
        if not cls._local:
            try:
                return self._there.setdefault(number, found)
            except TypeError:  # subclasses of some plain types cannot be referred to weakly
                pass
        return self._strong.setdefault(number, found)

    def kind(self, value: Any) -> Any:
        """The class that stands for a class there."""
        if value["t"] == "builtin":
            found = getattr(builtins, str(value["v"]))
            if not isinstance(found, type):
                raise ValueError(value)
            return found
        number = value["i"]
        if number not in self._kinds:
            # Another thread may have been quicker: there is one class for a class.
            self._kinds.setdefault(number, self._new_kind(number))
        return self._kinds[number]

    def adopt(self, number: int, cls: type) -> None:
        """Take the class that a test has derived for the one that was derived from it there."""
        self._kinds[number] = cls

    def _new_kind(self, number: Any) -> Any:
        name, module, qualified, above, special = self.decode(self._describe(number))
        if not all(isinstance(text, str) for text in (name, module, qualified, *special)):
            raise ValueError("a class cannot be described")
        if module in sys.stdlib_module_names and module in sys.modules:
            known = getattr(sys.modules[module], name, None)
            if isinstance(known, type) and issubclass(known, BaseException):
                return known
        bases: list[type] = []
        for base in above:
            if isinstance(base, str):
                known = getattr(builtins, base, None)
                if not isinstance(known, type):
                    continue
                base = known
            if base is not object and not any(issubclass(b, base) for b in bases):
                bases.append(base)
        # A plain type or an exception among them decides the layout; the others are classes of stand-ins.
        bases = [b for b in bases if isinstance(b, Class) or issubclass(b, BaseException) or b in _BASES.values()]
        bases.sort(key=lambda b: not isinstance(b, Class))
        if not any(isinstance(b, Class) for b in bases):
            bases.insert(0, StandIn)
        space = {"__module__": module, "__qualname__": qualified, "_boundary": self._boundary, "_number": number}
        plain = any(issubclass(b, tuple(_BASES.values())) for b in bases)
        for operator in FORWARDED.intersection(special):
            # What a value of a plain type is, its plain value decides.
            if not plain or not is_plain(bases, operator, BASES):
                space[operator] = forward(operator)
        if plain:
            base = next(b for b in _BASES.values() if any(issubclass(c, b) for c in bases))
            space |= {
                n: getattr(base, n) for n in ("__eq__", "__ne__", "__hash__") if getattr(base, n, None) is not None
            }
        if any(issubclass(b, BaseException) for b in bases):
            space |= {"__eq__": object.__eq__, "__hash__": object.__hash__}
        try:
            return Class(name, tuple(bases), space)
        except TypeError:
            return Class(name, (StandIn,), space)

    def _parameter(self, row: Any) -> Any:
        name, kind, has_default, default = row
        given = self.decode(default) if has_default else inspect.Parameter.empty
        return inspect.Parameter(name, inspect._ParameterKind(kind), default=given)
