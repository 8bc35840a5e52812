"""The side of the tests: what they import from the repository stands for objects of another process.

`install` makes modules of the repository importable as stand-ins. The code under test runs in a process of its own
(``under_test.py``), which the first import starts; it gets the arguments of each call and answers with values. Values
of plain types are values here as well; everything else is a stand-in of a class that stands for its class. Whether a
value is the expected one is decided here: what a test expects is never sent there.

* A stand-in equals no plain value, whatever its ``__eq__`` says; one of a subclass of a plain type (a named tuple, an
  enumeration of strings) has the plain value itself, and is compared as that.
* Two stand-ins are compared there, and what an object there says of itself is checked (``comparisons.py``).
* Functions and objects of the tests can be called there, but not looked into.
"""

from __future__ import annotations

import collections
import importlib
import importlib.abc
import importlib.machinery
import os
import socket
import subprocess
import sys
import threading
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import comparisons, references, stand_ins, streams
else:
    # This file stands alone and cannot be imported by name; those beside it can then import each other.
    _package = sys.modules["_boundary"] = types.ModuleType("_boundary")
    _package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    comparisons, references, stand_ins, streams = (
        importlib.import_module(f"_boundary.{name}") for name in ("comparisons", "references", "stand_ins", "streams")
    )

BoundaryError = stand_ins.BoundaryError
# What the code under test may do with an object of the tests.
_OPERATORS = frozenset(
    "__iter__ __next__ __len__ __getitem__ __setitem__ __delitem__ __contains__ __enter__ __exit__ __str__ __bool__ "
    "__lt__ __gt__".split()
)


# What comes of reading a message that is none.
_NO_MESSAGE = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)


class Boundary:
    """The connection to the process of the code under test.

    Args:
        start: starts the process; gives the socket of the first stream and that of further ones.
    """

    def __init__(self, start: Callable[[], tuple[socket.socket, socket.socket]]) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._streams: streams.Streams | None = None
        self._references = references.References(self, lambda number: self._number("describe", _reference(number)))
        self._surroundings: Any = None

    def ask(self, do: str, /, *arguments: Any, words: Any = None) -> Any:
        """Have something done there. Raises what it raised there."""
        encode = self._references.encode
        message: dict[str, Any] = {"do": do, "args": [encode(a) for a in arguments]}
        if words:
            message["words"] = {k: encode(v) for k, v in words.items()}
        reply = self._request(message)
        try:
            for number, after in reply.get("after", {}).items():
                # Make a list, dict, set or deque what the code under test has made of it.
                thing = arguments[int(number)]
                new = self._references.decode(after)
                if type(thing) is type(new):
                    if isinstance(thing, list):
                        thing[:] = new
                    elif isinstance(thing, collections.deque):
                        thing.clear()
                        thing.extend(new)
                    elif isinstance(thing, dict | set):
                        thing.clear()
                        thing.update(new)
            error = self._raised(reply["error"]) if "error" in reply else None
            value = None if error is not None else self._references.decode(reply["value"])
        except _NO_MESSAGE as problem:
            raise _no_answer(problem) from None
        if isinstance(error, StopIteration) and not (do == "operator" and arguments[1] == "__next__"):
            # Where a test goes through `map(parse, texts)`, it would end the loop, and with it what is tested.
            raise BoundaryError("the code under test raised StopIteration where nothing is iterated")
        if error is not None:
            raise error
        return value

    def import_module(self, name: str) -> Any:
        """The number of a module there."""
        return self._number("import", name)["i"]

    def derive(self, name: str, bases: Any, functions: dict[str, Any], values: dict[str, Any]) -> Any:
        """Derive a class there; its number. Its functions and its objects' public attributes are the test's."""
        encode = self._references.encode
        return self._number("derive", name, *map(encode, (list(bases), functions, values, _look, _note)))["i"]

    def adopt(self, number: int, cls: type) -> None:
        self._references.adopt(number, cls)

    def _number(self, do: str, *encoded: Any) -> Any:
        """What is answered to a request, as it came."""
        reply = self._request({"do": do, "args": list(encoded)})
        try:
            if "error" not in reply:
                return reply["value"]
            error = self._raised(reply["error"])
        except _NO_MESSAGE as problem:
            raise _no_answer(problem) from None
        raise error

    def _request(self, message: Any) -> Any:
        with self._lock:
            if self._streams is None:
                self._streams = streams.Streams(*self._start(), self._do)
        here = (os.getcwd(), dict(os.environ))
        if here != self._surroundings or message["do"] == "import":
            message["cwd"], message["env"] = self._surroundings = here
        try:
            reply = self._streams.ask(message)
            _print(reply)
        except streams.StreamEnded:
            raise BoundaryError("the process of the code under test has ended") from None
        except _NO_MESSAGE as problem:
            raise _no_answer(problem) from None
        return reply

    def _raised(self, value: Any) -> Any:
        error = self._references.decode(value)
        if isinstance(error, KeyboardInterrupt | GeneratorExit):
            return BoundaryError(f"the code under test raised {type(error).__name__}")
        return error if isinstance(error, BaseException) else _no_answer(ValueError())

    def _do(self, message: Any) -> Any:
        """What the code under test does with an object of the tests."""
        decode = self._references.decode
        try:
            _print(message)
            thing = self._references.own[message["i"]]
            arguments = [decode(a) for a in message.get("args", ())]
            match message["do"]:
                case "call":
                    value = thing(*arguments, **{k: decode(v) for k, v in message.get("words", {}).items()})
                case "get":
                    value = getattr(thing, _allowed(thing, message["name"]))
                case "set":
                    setattr(thing, _allowed(thing, message["name"]), decode(message["value"]))
                    value = None
                case "operator" if message["name"] in _OPERATORS:
                    value = getattr(type(thing), message["name"])(thing, *arguments)
                case _:
                    raise AttributeError(message["do"])
            return {"value": self._references.encode(value)}
        except Exception as error:
            stand_in = self._references.handle(error)
            if stand_in is not None:
                return {"error": stand_in}
            name = next((k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"), "RuntimeError")
            return {"error": {"t": "raise", "n": name, "v": [a for a in error.args if _crosses(a)]}}

    def same(self, one: Any, other: Any) -> bool:
        return comparisons.same(self.ask, one, other)

    def operate(self, thing: Any, name: str, *operands: Any) -> Any:
        """What an operator gives for an object there."""
        if name in comparisons.CHECKED and len(operands) == 1:
            return comparisons.checked(self.ask, thing, name, operands[0])
        return self.ask("operator", thing, name, *operands)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what nothing else has found: modules of the repository, which are imported there."""

    def __init__(self, boundary: Any) -> None:
        self._boundary = boundary

    def find_spec(self, name: Any, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] in sys.stdlib_module_names:
            return None  # of another system, which the standard library tries here
        try:
            number = self._boundary.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and (error.name == name or name.startswith(f"{error.name}.")):
                return None
            raise
        return importlib.machinery.ModuleSpec(name, self, loader_state=number, is_package=True)

    def create_module(self, spec: Any) -> Any:
        module = stand_ins.Module(spec.name)
        # With a path of its own, or the import system would ask there, and then read the repository here.
        vars(module).update(_boundary=self._boundary, _number=spec.loader_state, __path__=[])
        return module

    def exec_module(self, module: Any) -> None:
        """Everything is done there."""


def install(command: list[str], places: list[str]) -> None:
    """Make the repository's modules importable as stand-ins. ``command``: starts the process of the code under test."""

    def start() -> tuple[socket.socket, socket.socket]:
        pairs = socket.socketpair(), socket.socketpair()
        descriptors = [theirs.fileno() for _, theirs in pairs]
        subprocess.Popen(
            [*command, *map(str, descriptors), *places],
            pass_fds=descriptors,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _, theirs in pairs:
            theirs.close()
        return pairs[0][0], pairs[1][0]

    sys.meta_path.append(_Finder(Boundary(start)))


def _print(message: Any) -> None:
    """What the code under test has printed before it sent a message."""
    for stream, text in message.get("printed", ()):
        if stream in ("stdout", "stderr"):
            getattr(sys, stream).write(text)


def _no_answer(problem: Exception) -> BoundaryError:
    return BoundaryError(f"the code under test sent what is no answer: {type(problem).__name__}")


def _reference(number: int) -> dict[str, Any]:
    return {"t": "ref", "i": number}


def _look(thing: Any, name: Any) -> Any:
    """An attribute of an object whose class a test has derived."""
    if not getattr(type(thing), "_local", False) or name.startswith("_") or name not in vars(thing):
        raise AttributeError(name)
    return vars(thing)[name]


def _note(thing: Any, name: Any, value: Any) -> None:
    """Set an attribute of an object whose class a test has derived, but none that the test has set."""
    if not getattr(type(thing), "_local", False) or name.startswith("_") or name in vars(thing):
        raise AttributeError(name)
    vars(thing)[name] = value


def _allowed(thing: Any, name: Any) -> Any:
    """A public attribute of an object that a test has made. Nothing leads from it to the test."""
    if name.startswith("_") or not isinstance(name, str):
        raise AttributeError(name)
    if isinstance(thing, types.FunctionType | types.MethodType | types.GeneratorType | types.BuiltinFunctionType):
        raise AttributeError(name)
    return name


def _crosses(value: Any) -> Any:
    return value is None or type(value) in (bool, float, str) or (type(value) is int and abs(value) < 2**62)
