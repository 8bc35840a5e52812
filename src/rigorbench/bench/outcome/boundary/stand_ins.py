"""Classes, objects and modules of the code under test, as the tests see them: whatever is done with one is done there.

Each class of stand-ins has its ``_boundary`` (see ``proxies.py``); a class and an object have the ``_number`` by which
the other process knows what they stand for.
"""

from __future__ import annotations

import copy
import types
from typing import Any

# What Python itself notes at an exception.
_OF_ERRORS = ("__traceback__", "__context__", "__cause__", "__suppress_context__", "__notes__")
# What is done with a stand-in by an operator or a statement, and is done there if its class has it.
FORWARDED = frozenset(
    f"__{name}__"
    for name in (
        "call iter next len getitem setitem delitem contains enter exit bool int float complex index add radd sub rsub "
        "mul rmul matmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow divmod neg pos abs invert and rand or "
        "ror xor rxor lshift rshift iadd isub imul ior iand lt le gt ge round trunc floor ceil reversed format fspath "
        "bytes missing"
    ).split()
)


class BoundaryError(Exception):
    """Something cannot be done across the boundary, or the other process has ended."""


class Class(type):
    """The class of the classes that stand for classes."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        if not bases or "_number" in space:
            return super().__new__(mcs, name, bases, space)
        boundary, number = _derive(name, bases, space)
        cls = super().__new__(mcs, name, bases, {**space, "_boundary": boundary, "_number": number, "_local": True})
        boundary.adopt(number, cls)
        return cls

    def __call__(cls, /, *arguments: Any, **words: Any) -> Any:
        return cls._boundary.ask("call", cls, *arguments, words=words)

    def __getattr__(cls, name: Any) -> Any:
        if (name.startswith("_") and name in ("_boundary", "_number")) or name == "__abstractmethods__":
            raise AttributeError(name)
        return cls._boundary.ask("get", cls, name)

    def __setattr__(cls, name: Any, value: Any) -> Any:
        if name in ("__abstractmethods__", "__annotations__", "__doc__"):
            return type.__setattr__(cls, name, value)
        return cls._boundary.ask("set", cls, name, value)

    def __iter__(cls) -> Any:
        return iter(cls._boundary.ask("operator", cls, "__iter__"))

    def __len__(cls) -> Any:
        return cls._boundary.ask("operator", cls, "__len__")

    def __bool__(cls) -> bool:
        return True  # of classes with a length, too; Python itself asks it of the class of an exception

    def __contains__(cls, item: Any) -> Any:
        return cls._boundary.ask("operator", cls, "__contains__", item)

    def __getitem__(cls, key: Any) -> Any:
        return cls._boundary.ask("operator", cls, "__getitem__", key)

    def __repr__(cls) -> Any:
        return f"<class {cls.__module__}.{cls.__qualname__} of the code under test>"


class StandIn(metaclass=Class):
    """What all stand-ins have in common.

    Objects of a class that a test has derived (``_local``) have the attributes that the test gives them here.
    """

    _local = False

    def __getattr__(self, name: Any) -> Any:
        return type(self)._boundary.ask("get", self, name)

    def __setattr__(self, name: Any, value: Any) -> Any:
        if isinstance(self, BaseException) and name in _OF_ERRORS:
            return BaseException.__setattr__(self, name, value)
        if type(self)._local:
            vars(self)[name] = value
            return None
        return type(self)._boundary.ask("set", self, name, value)

    def __delattr__(self, name: Any) -> Any:
        if type(self)._local and name in vars(self):
            return vars(self).pop(name)
        return type(self)._boundary.ask("delete", self, name)

    def __eq__(self, other: Any) -> Any:
        if isinstance(type(other), Class):
            return type(self)._boundary.same(self, other)
        return False

    def __ne__(self, other: Any) -> Any:
        return not self == other

    def __hash__(self) -> Any:
        return type(self)._boundary.ask("hash", self)

    def __repr__(self) -> Any:
        return str(type(self)._boundary.ask("repr", self))

    def __str__(self) -> Any:
        return str(type(self)._boundary.ask("str", self))

    def __dir__(self) -> Any:
        return type(self)._boundary.ask("names", self)

    # Another stand-in for the same object would be no copy.

    def __copy__(self) -> Any:
        return _copied(self, lambda value: value, deep=False)

    def __deepcopy__(self, memo: Any) -> Any:
        return _copied(self, lambda value: copy.deepcopy(value, memo), deep=True)

    def __reduce_ex__(self, protocol: Any) -> Any:
        if type(self)._local:
            raise TypeError(f"an object of {type(self).__name__}, a class that a test has derived, cannot be pickled")
        return _unpickled, (type(self), type(self)._boundary.ask("pickle", self, protocol))


def _copied(thing: Any, own: Any, *, deep: bool) -> Any:
    found = type(thing)._boundary.ask("copy", thing, deep)
    if type(thing)._local:
        vars(found).update({name: own(value) for name, value in vars(thing).items() if name != "_number"})
    return found


def _unpickled(cls: Any, data: bytes) -> Any:
    return cls._boundary.ask("unpickle", data)


class Module(types.ModuleType):
    def __getattr__(self, name: Any) -> Any:
        if name in ("__spec__", "__loader__", "_number"):
            raise AttributeError(name)
        return vars(self)["_boundary"].ask("get", self, name)

    def __setattr__(self, name: Any, value: Any) -> Any:
        if name.startswith("__") and name.endswith("__"):
            return types.ModuleType.__setattr__(self, name, value)
        return vars(self)["_boundary"].ask("set", self, name, value)

    def __dir__(self) -> Any:
        return vars(self)["_boundary"].ask("names", self)


def _derive(name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
    """Derive a class there whose functions are the test's; its boundary and number.

    Raises:
        TypeError: it has more than functions and values of its own, or asks for those of the class above.
    """
    functions = {n: f for n, f in space.items() if isinstance(f, types.FunctionType)}
    values = {n: v for n, v in space.items() if n not in functions and not (n.startswith("__") and n.endswith("__"))}
    special = any(hasattr(type(v), "__get__") for v in values.values())
    if special or not all(isinstance(b, Class) for b in bases) or "__classcell__" in space:
        raise TypeError("a test can derive a class from one of the code under test only with functions and values")
    boundary: Any = next(vars(b)["_boundary"] for b in bases if "_boundary" in vars(b))
    return boundary, boundary.derive(name, bases, functions, values)


def forward(name: Any) -> Any:
    def forwarded(self: Any, /, *arguments: Any, **words: Any) -> Any:
        if name == "__call__":
            return type(self)._boundary.ask("call", self, *arguments, words=words)
        return type(self)._boundary.operate(self, name, *arguments)

    forwarded.__name__ = name
    return forwarded


def is_plain(bases: Any, operator: Any, plain: Any) -> Any:
    return any(operator in vars(k) for b in bases for k in b.__mro__ if k in plain)
