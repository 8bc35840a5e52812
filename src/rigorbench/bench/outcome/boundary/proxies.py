"""The side of the tests: what they import from the repository stands for objects of another process.

`install` makes modules of the repository importable as stand-ins. The code under test runs in a process of its own
(``under_test.py``), which the first import starts; it gets the arguments of each call and answers with values. Values
of plain types are values here as well; everything else is a stand-in of a class that stands for its class. Whether a
value is the expected one is decided here: what a test expects is never sent there.

* A stand-in equals no plain value, whatever its ``__eq__`` says; one of a subclass of a plain type (a named tuple, an
  enumeration of strings) has the plain value itself, and is compared as that.
* Two stand-ins are compared there. A class for which everything is equal is found out by objects that cannot be.
* Functions and objects of the tests can be called there, but not looked into.
"""

from __future__ import annotations

import builtins
import dataclasses
import datetime
import decimal
import fractions
import importlib.abc
import importlib.machinery
import inspect
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import types
import uuid
import weakref
import zoneinfo
from collections.abc import Callable
from typing import Any

_PLAIN = (list, tuple, set, frozenset, dict)
# What Python itself notes at an exception.
_OF_ERRORS = ("__traceback__", "__context__", "__cause__", "__suppress_context__", "__notes__")
_BASES: dict[str, Any] = {k.__name__: k for k in (str, int, float, bytes, tuple, list, dict, set, frozenset)}
# What is done with a stand-in by an operator or a statement, and is done there if its class has it.
_FORWARDED = frozenset(
    f"__{name}__"
    for name in (
        "call iter next len getitem setitem delitem contains enter exit bool int float complex index add radd sub rsub "
        "mul rmul matmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow divmod neg pos abs invert and rand or "
        "ror xor rxor lshift rshift iadd isub imul ior iand lt le gt ge round trunc floor ceil reversed format fspath "
        "bytes missing"
    ).split()
)
# What the code under test may do with an object of the tests.
# Not by assignment, which would be passed on to the other process.
_set_arguments: Any = vars(BaseException)["args"].__set__
_OPERATORS = frozenset(
    "__iter__ __next__ __len__ __getitem__ __setitem__ __delitem__ __contains__ __enter__ __exit__ __str__ __bool__ "
    "__lt__ __gt__".split()
)


class BoundaryError(Exception):
    """Something cannot be done across the boundary, or the other process has ended."""


class Boundary:
    """The connection to the process of the code under test.

    Args:
        start: starts the process; returns the socket to it.
    """

    def __init__(self, start: Callable[[], socket.socket]) -> None:
        self._start = start
        self._file: Any = None
        self._lock = threading.RLock()
        self._kinds: dict[int, type] = {}
        self._there: Any = weakref.WeakValueDictionary()
        self._strong: dict[int, Any] = {}
        self._own: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}
        self._surroundings: Any = None
        self._stranger = None

    # -- messages

    def ask(self, do: Any, /, *arguments: Any, words: Any = None) -> Any:
        """Have something done there. Raises what it raised there."""
        with self._lock:
            if self._file is None:
                self._file = self._start().makefile("rwb")
            message = {"do": do, "args": [self.encode(a) for a in arguments]}
            if words:
                message["words"] = {k: self.encode(v) for k, v in words.items()}
            here = (os.getcwd(), dict(os.environ))
            if here != self._surroundings:
                message["cwd"], message["env"] = self._surroundings = here
            self._send(message)
            reply = self._answer()
            for number, after in reply.get("after", {}).items():
                _become(arguments[int(number)], self.decode(after))
            if "error" in reply:
                raise self._raised(reply["error"])
            return self.decode(reply["value"])

    def import_module(self, name: str) -> Any:
        """The number of a module there."""
        with self._lock:
            if self._file is None:
                self._file = self._start().makefile("rwb")
            message = {"do": "import", "args": [name], "cwd": os.getcwd(), "env": dict(os.environ)}
            self._surroundings = (message["cwd"], message["env"])
            self._send(message)
            reply = self._answer()
        if "error" in reply:
            raise self._raised(reply["error"])
        return reply["value"]["i"]

    def _send(self, message: Any) -> None:
        try:
            self._file.write(json.dumps(message).encode() + b"\n")
            self._file.flush()
        except OSError:
            raise BoundaryError("the process of the code under test has ended") from None

    def _answer(self) -> Any:
        while True:
            try:
                line = self._file.readline()
            except OSError:
                line = b""
            if not line:
                raise BoundaryError("the process of the code under test has ended")
            try:
                message = json.loads(line)
                printed = message.get("printed", ())
                for stream, text in printed:
                    if stream in ("stdout", "stderr"):
                        getattr(sys, stream).write(text)
                if "do" not in message:
                    return message
                reply = self._do(message)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise BoundaryError(f"the code under test sent what is no answer: {type(error).__name__}") from None
            self._send(reply)

    def _do(self, message: Any) -> Any:
        """What the code under test does with an object of the tests."""
        try:
            thing = self._own[message["i"]]
            arguments = [self.decode(a) for a in message.get("args", ())]
            match message["do"]:
                case "call":
                    value = thing(*arguments, **{k: self.decode(v) for k, v in message.get("words", {}).items()})
                case "get":
                    value = getattr(thing, _allowed(thing, message["name"]))
                case "set":
                    setattr(thing, _allowed(thing, message["name"]), self.decode(message["value"]))
                    value = None
                case "operator" if message["name"] in _OPERATORS:
                    value = getattr(type(thing), message["name"])(thing, *arguments)
                case _:
                    raise AttributeError(message["do"])
            return {"value": self.encode(value)}
        except Exception as error:
            stand_in = self._handle(error)
            if stand_in is not None:
                return {"error": stand_in}
            name = next((k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"), "RuntimeError")
            return {"error": {"t": "raise", "n": name, "v": [self.encode(a) for a in error.args if _crosses(a)]}}

    # -- values

    def encode(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in (bool, str, float):
            return value
        if kind is int:
            return value if -(2**62) < value < 2**62 else {"t": "int", "v": hex(value)}
        if kind in (list, tuple, set, frozenset):
            return {"t": kind.__name__, "v": [self.encode(v) for v in value]}
        if kind is dict:
            return {"t": "dict", "v": [[self.encode(k), self.encode(v)] for k, v in value.items()]}
        handle = self._handle(value)
        if handle is not None:
            return handle
        found = _simple(value, kind)
        if found is not None:
            return found
        if isinstance(value, type) and value.__module__ == "builtins" and hasattr(builtins, value.__name__):
            return {"t": "builtin", "v": value.__name__}
        if isinstance(value, types.ModuleType | types.FrameType | types.CodeType | types.TracebackType):
            raise BoundaryError(f"a {kind.__name__} of the tests cannot be given to the code under test")
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._own) + 1
            self._own[number] = value
        return {"t": "far", "i": number, "call": callable(value)}

    def _handle(self, value: Any) -> Any:
        """A stand-in as the reference to what it stands for; None: it is none."""
        kind = type(value)
        if isinstance(kind, _Class):
            number = vars(value).get("_number") if hasattr(value, "__dict__") else None
            return {"t": "ref", "i": number} if number is not None else None
        if kind is _Class or isinstance(value, _Module):
            number = vars(value).get("_number")
            return {"t": "ref", "i": number} if number is not None else None
        return None

    def decode(self, value: Any) -> Any:
        if not isinstance(value, dict):
            if value is not None and type(value) not in (bool, int, float, str):
                raise ValueError(value)
            return value
        kind = value["t"]
        if kind in ("list", "tuple", "set", "frozenset"):
            base: Any = _BASES[kind]
            return base([self.decode(v) for v in value["v"]])
        if kind == "dict":
            return {self.decode(k): self.decode(v) for k, v in value["v"]}
        if kind == "near":
            return self._own[value["i"]]
        if kind == "class":
            return self.kind(value)
        if kind == "signature":
            return inspect.Signature([self._parameter(row) for row in value["v"]])
        if kind == "field":
            return _field(value["v"])
        if kind == "builtin":
            return self.kind(value)
        if kind != "ref":
            return _made(kind, value["v"])
        number = value["i"]
        found = self._there.get(number) if number not in self._strong else self._strong[number]
        return found if found is not None else self._stand_in(value)

    def _stand_in(self, value: Any) -> Any:
        cls: Any = self.kind(value["c"])
        number = value["i"]
        if issubclass(cls, types.ModuleType):
            raise ValueError("a module cannot be a value")
        if issubclass(cls, BaseException):
            found = _exception(cls, self.decode(value.get("a", {"t": "tuple", "v": []})), value)
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
        if not isinstance(cls, _Class):
            return found
        vars(found)["_number"] = number
        try:
            self._there[number] = found
        except TypeError:  # subclasses of some plain types cannot be referred to weakly
            self._strong[number] = found
        return found

    def kind(self, value: Any) -> Any:
        """The class that stands for a class there."""
        if value["t"] == "builtin":
            found = getattr(builtins, str(value["v"]))
            if not isinstance(found, type):
                raise ValueError(value)
            return found
        number = value["i"]
        if number not in self._kinds:
            self._kinds[number] = self._new_kind(number)
        return self._kinds[number]

    def _new_kind(self, number: Any) -> Any:
        reference = _Reference(number)
        name, module, qualified, above, special, _ = self._described(reference)
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
        bases = [b for b in bases if isinstance(b, _Class) or issubclass(b, BaseException) or b in _BASES.values()]
        bases.sort(key=lambda b: not isinstance(b, _Class))
        if not any(isinstance(b, _Class) for b in bases):
            bases.insert(0, _StandIn)
        space = {"__module__": module, "__qualname__": qualified, "_boundary": self, "_number": number}
        plain = any(issubclass(b, tuple(_BASES.values())) for b in bases)
        for operator in _FORWARDED.intersection(special):
            # What a value of a plain type is, its plain value decides.
            if not plain or not _is_plain(bases, operator):
                space[operator] = _forward(operator)
        if plain:
            base = next(b for b in _BASES.values() if any(issubclass(c, b) for c in bases))
            space |= {
                n: getattr(base, n) for n in ("__eq__", "__ne__", "__hash__") if getattr(base, n, None) is not None
            }
        if any(issubclass(b, BaseException) for b in bases):
            space |= {"__eq__": object.__eq__, "__hash__": object.__hash__}
        try:
            return _Class(name, tuple(bases), space)
        except TypeError:
            return _Class(name, (_StandIn,), space)

    def _described(self, reference: Any) -> Any:
        with self._lock:
            self._send({"do": "describe", "args": [{"t": "ref", "i": reference.number}]})
            reply = self._answer()
        if "error" in reply:
            raise BoundaryError("a class cannot be described")
        name, module, qualified, above, special, _ = (row for row in self.decode(reply["value"]))
        if not all(isinstance(text, str) for text in (name, module, qualified, *special)):
            raise BoundaryError("a class cannot be described")
        return name, module, qualified, above, special, _

    def _parameter(self, row: Any) -> Any:
        name, kind, has_default, default = row
        given = self.decode(default) if has_default else inspect.Parameter.empty
        return inspect.Parameter(name, inspect._ParameterKind(kind), default=given)

    def _raised(self, value: Any) -> Any:
        error = self.decode(value)
        if isinstance(error, KeyboardInterrupt | GeneratorExit):
            return BoundaryError(f"the code under test raised {type(error).__name__}")
        return (
            error if isinstance(error, BaseException) else BoundaryError("the code under test sent what is no answer")
        )

    # -- comparison

    def same(self, one: Any, other: Any) -> Any:
        """Whether two objects there are equal, by the word of their class, which may be worth nothing."""
        if one is other:
            return True
        if not self.ask("same", one, other):
            return False
        if self._stranger is None:
            self._stranger = self.ask("stranger")
        if self.ask("same", one, self._stranger) or self.ask("same", other, self._stranger):
            raise BoundaryError("a class of the code under test is equal to everything")
        return True


class _Reference:
    def __init__(self, number: Any) -> None:
        self.number = number


class _Class(type):
    """The class of the classes that stand for classes."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        if bases and "_number" not in space:
            raise TypeError("a test cannot derive a class from one of the code under test")
        return super().__new__(mcs, name, bases, space)

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


class _StandIn(metaclass=_Class):
    """What all stand-ins have in common."""

    def __getattr__(self, name: Any) -> Any:
        return type(self)._boundary.ask("get", self, name)

    def __setattr__(self, name: Any, value: Any) -> Any:
        if isinstance(self, BaseException) and name in _OF_ERRORS:
            return BaseException.__setattr__(self, name, value)
        return type(self)._boundary.ask("set", self, name, value)

    def __delattr__(self, name: Any) -> Any:
        return type(self)._boundary.ask("delete", self, name)

    def __eq__(self, other: Any) -> Any:
        if isinstance(type(other), _Class):
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


class _Module(types.ModuleType):
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


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what nothing else has found: modules of the repository, which are imported there."""

    def __init__(self, boundary: Any) -> None:
        self._boundary = boundary

    def find_spec(self, name: Any, path: Any = None, target: Any = None) -> Any:
        try:
            number = self._boundary.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and (error.name == name or name.startswith(f"{error.name}.")):
                return None
            raise
        return importlib.machinery.ModuleSpec(name, self, loader_state=number, is_package=True)

    def create_module(self, spec: Any) -> Any:
        module = _Module(spec.name)
        # With a path of its own, or the import system would ask there, and then read the repository here.
        vars(module).update(_boundary=self._boundary, _number=spec.loader_state, __path__=[])
        return module

    def exec_module(self, module: Any) -> None:
        """Everything is done there."""


def install(command: Any, places: Any) -> Any:
    """Make the repository's modules importable as stand-ins. ``command``: starts the process of the code under test."""

    def start() -> Any:
        ours, theirs = socket.socketpair()
        line = [*command, str(theirs.fileno()), *places]
        subprocess.Popen(
            line,
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        return ours

    sys.meta_path.append(_Finder(Boundary(start)))


def _forward(name: Any) -> Any:
    def forwarded(self: Any, /, *arguments: Any, **words: Any) -> Any:
        if name == "__call__":
            return type(self)._boundary.ask("call", self, *arguments, words=words)
        return type(self)._boundary.ask("operator", self, name, *arguments)

    forwarded.__name__ = name
    return forwarded


def _is_plain(bases: Any, operator: Any) -> Any:
    return any(operator in vars(k) for b in bases for k in b.__mro__ if k in _BASES.values())


def _exception(cls: Any, arguments: Any, value: Any) -> Any:
    found = cls.__new__(cls)
    _set_arguments(found, arguments if type(arguments) is tuple else ())
    if not isinstance(cls, _Class):
        try:
            cls.__init__(found, *arguments)
        except (TypeError, ValueError):
            _set_arguments(found, (str(value.get("s", "")),))
        if isinstance(found, ImportError) and isinstance(value.get("n"), str):
            found.name = value["n"]
    return found


def _allowed(thing: Any, name: Any) -> Any:
    """A public attribute of an object that a test has made. Nothing leads from it to the test."""
    if name.startswith("_") or not isinstance(name, str):
        raise AttributeError(name)
    if isinstance(thing, types.FunctionType | types.MethodType | types.GeneratorType | types.BuiltinFunctionType):
        raise AttributeError(name)
    return name


def _crosses(value: Any) -> Any:
    return value is None or type(value) in (bool, int, float, str)


def _become(thing: Any, after: Any) -> None:
    """Make a list, dict or set what the code under test has made of it."""
    if type(thing) is not type(after):
        return
    if isinstance(thing, list):
        thing[:] = after
    elif isinstance(thing, dict | set):
        thing.clear()
        thing.update(after)


def _field(row: Any) -> Any:
    name, init, shown, compared, kw_only, sort = row
    field = dataclasses.field(init=init, repr=shown, compare=compared, kw_only=kw_only)
    field.name = name
    names = ("_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR")
    kinds = [getattr(dataclasses, name) for name in names]
    vars_of: Any = field
    vars_of._field_type = next((k for k in kinds if str(k) == sort), kinds[0])
    return field


def _simple(value: Any, kind: Any) -> Any:
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
        known = None if zone is None else _simple(zone, type(zone))
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


def _made(kind: Any, value: Any) -> Any:
    """The inverse of `_simple`. Raises KeyError for another kind."""
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
    zone = None if value[2] is None else _made(value[2]["t"], value[2]["v"])
    return found.replace(tzinfo=zone, fold=value[1])
