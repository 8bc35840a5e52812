"""The process of the code under test. It does what the process of the tests asks for, and answers with values.

Started as ``python -I under_test.py STREAM CONTROL PATH...``. Nothing here is trusted: the code under test may replace
all of it, and then answers what it likes. It never learns what a test expects, so it can only answer what the code
returns.

Messages are lines of JSON, in both directions the requests of `Peer.answer` and their answers ``{"value"}`` or
``{"error"}``. Values of plain types cross as themselves, everything else as a reference (see `Peer.encode`).
"""

from __future__ import annotations

import builtins
import collections
import copy
import dataclasses
import importlib
import inspect
import io
import os
import pickle
import socket
import sys
import threading
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .streams import Streams
    from .values import BASES, decoded, encoded
else:
    # This file stands alone and cannot be imported by name; those beside it can then import each other.
    _package = sys.modules["_boundary"] = types.ModuleType("_boundary")
    _package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    Streams = importlib.import_module("_boundary.streams").Streams
    _values = importlib.import_module("_boundary.values")
    BASES, decoded, encoded = _values.BASES, _values.decoded, _values.encoded


CHANGING = (list, dict, set, collections.deque)


class Peer:
    def __init__(self, first: Any, control: Any) -> None:
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.far: dict[int, Far] = {}
        self.lock = threading.RLock()
        self.printed: list[list[str]] = []
        self.streams = Streams(first, control, self.answer)

    # -- messages

    def answer(self, request: Any) -> Any:
        """Do what the tests ask for."""
        if request.get("cwd"):
            os.chdir(request["cwd"])
        if request.get("env") is not None:
            os.environ.clear()
            os.environ.update(request["env"])
        try:
            arguments = [self.decode(a) for a in request.get("args", ())]
            words = {k: self.decode(v) for k, v in request.get("words", {}).items()}
            before = [self.encode(a) if type(a) in CHANGING else None for a in arguments]
            value = DONE[request["do"]](*arguments, **words)
            reply = {"value": self.encode(value)}
            after = {}
            for number, old in enumerate(before):
                if old is not None and (new := self.encode(arguments[number])) != old:
                    after[str(number)] = new  # the code under test has changed what it was given
            if after:
                reply["after"] = after
        except BaseException as error:
            reply = {"error": self.encode(error)}
        return self.with_printed(reply)

    def ask(self, message: Any) -> Any:
        """Ask the process of the tests to do something with one of its objects."""
        reply = self.streams.ask(self.with_printed(message))
        if "error" in reply:
            raise self.decode(reply["error"])
        return self.decode(reply["value"])

    def with_printed(self, message: Any) -> Any:
        message["printed"], self.printed = self.printed, []
        return message

    # -- values

    def encode(self, value: Any, depth: Any = 0) -> Any:
        kind = type(value)
        if value is None or kind in (bool, str, float):
            return value
        if kind is int and abs(value) < 2**62:
            return value
        if depth > 200:
            raise ValueError("a value is nested too deeply")
        plain = encoded(value, kind, lambda v: self.encode(v, depth + 1))
        if plain is not None:
            return plain
        if kind is Far:
            return {"t": "near", "i": object.__getattribute__(value, "_number")}
        if kind is inspect.Signature:
            rows = [
                [
                    p.name,
                    int(p.kind),
                    p.default is not p.empty,
                    None if p.default is p.empty else self.encode(p.default),
                ]
                for p in value.parameters.values()
            ]
            return {"t": "signature", "v": rows}
        if kind is dataclasses.Field:
            sort = str(value._field_type)
            return {"t": "field", "v": [value.name, value.init, value.repr, bool(value.compare), value.kw_only, sort]}
        return self.reference(value, kind, depth)

    def reference(self, value: Any, kind: Any, depth: Any) -> Any:
        if isinstance(value, type) and value.__module__ == "builtins" and hasattr(builtins, value.__name__):
            return {"t": "builtin", "v": value.__name__}
        with self.lock:
            number = self.numbers.get(id(value))
            if number is None:
                number = self.numbers[id(value)] = len(self.objects) + 1
                self.objects[number] = value
        if isinstance(value, type):
            return {"t": "class", "i": number}
        found = {"t": "ref", "i": number, "c": self.reference(kind, type, depth)}
        base = next((b for b in BASES if issubclass(kind, b)), None)
        if base is not None:
            # As its plain base, whatever the subclass says of itself.
            if base is bytes:
                plain: Any = bytes.__getitem__(value, slice(None))
            elif base in (str, int, float):
                plain = {str: str.__str__, int: int.__int__, float: float.__float__}[base](value)
            elif base is dict:
                plain = dict(dict.items(value))
            else:
                plain = base(base.__iter__(value))
            found["b"] = self.encode(plain, depth + 1)
        if isinstance(value, BaseException):
            found["a"] = self.encode(tuple(value.args), depth + 1)
            found["s"] = str(value)
            if isinstance(value, ImportError):
                found["n"] = value.name
        return found

    def decode(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        kind = value["t"]
        if kind == "ref":
            return self.objects[value["i"]]
        if kind == "far":
            found = self.far.get(value["i"])
            if found is None:
                found = self.far[value["i"]] = Far(self, value["i"], value["call"])
            return found
        if kind == "raise":
            error = getattr(builtins, value["n"], RuntimeError)
            return error(*[self.decode(a) for a in value["v"]])
        return decoded(kind, value["v"], self.decode)


# -- what the tests ask for


def _get(thing: Any, name: Any) -> Any:
    if name == "__signature__" and not isinstance(thing, type):
        return inspect.signature(thing)
    return getattr(thing, name)


def _call(thing: Any, /, *arguments: Any, **words: Any) -> Any:
    return thing(*arguments, **words)


def _stranger(like: Any = None) -> Any:
    """An object that is equal to no other, or one of a class whose attributes are."""
    state = {**getattr(like, "__dict__", {}), **dict.fromkeys(_slots(type(like)))}
    if not state or isinstance(like, (*BASES, BaseException)):
        return object()
    stranger = object.__new__(type(like))
    for name in state:
        object.__setattr__(stranger, name, object())
    return stranger


def _derive(name: Any, bases: Any, functions: Any, values: Any, look: Any, note: Any) -> Any:
    """A class whose functions are the test's; its objects' public attributes are there, private ones here."""

    def __getattr__(thing: Any, name: Any) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return look(thing, name)

    def __setattr__(thing: Any, name: Any, value: Any) -> None:
        if name.startswith("_") or hasattr(type(thing), name):
            object.__setattr__(thing, name, value)
        else:
            note(thing, name, value)

    space = {**values, **{n: _method(f) for n, f in functions.items()}}
    space = {"__getattr__": __getattr__, "__setattr__": __setattr__, **space}
    return types.new_class(name, tuple(bases), {}, lambda names: names.update(space))


def _describe(kind: Any) -> Any:
    bases = [b.__name__ if b.__module__ == "builtins" else b for b in kind.__mro__[1:]]
    special = sorted({n for k in kind.__mro__[:-1] for n in vars(k) if n.startswith("__") and n.endswith("__")})
    return [kind.__name__, str(kind.__module__), kind.__qualname__, bases, special]


DONE: dict[str, Any] = {
    "import": importlib.import_module,
    "get": _get,
    "set": setattr,
    "delete": delattr,
    "call": _call,
    "operator": lambda thing, name, *arguments: getattr(type(thing), name)(thing, *arguments),
    "repr": repr,
    "str": str,
    "hash": hash,
    "names": dir,
    "copy": lambda thing, deep: copy.deepcopy(thing) if deep else copy.copy(thing),
    "pickle": pickle.dumps,
    "unpickle": pickle.loads,
    "same": lambda one, other: bool(one == other),
    "stranger": _stranger,
    "derive": _derive,
    "describe": _describe,
}


def _slots(kind: Any) -> list[str]:
    found = [vars(k).get("__slots__", ()) for k in kind.__mro__]
    return [n for names in found for n in ([names] if isinstance(names, str) else names) if not n.startswith("__")]


def _method(function: Any) -> Any:
    """A function of the tests as a method of a class here."""
    return lambda thing, /, *arguments, **words: function(thing, *arguments, **words)


def _forward(name: Any) -> Any:
    def forwarded(self: Any, *arguments: Any) -> Any:
        peer, number = object.__getattribute__(self, "_peer"), object.__getattribute__(self, "_number")
        return peer.ask({"do": "operator", "i": number, "name": name, "args": [peer.encode(a) for a in arguments]})

    return forwarded


class Far:
    """An object of the tests: what the code under test does with it is done there."""

    def __init__(self, peer: Any, number: Any, callable_: Any) -> None:
        object.__setattr__(self, "_peer", peer)
        object.__setattr__(self, "_number", number)

    def __getattr__(self, name: Any) -> Any:
        peer = object.__getattribute__(self, "_peer")
        return peer.ask({"do": "get", "i": object.__getattribute__(self, "_number"), "name": name})

    def __setattr__(self, name: Any, value: Any) -> None:
        peer = object.__getattribute__(self, "_peer")
        message = {"do": "set", "i": object.__getattribute__(self, "_number"), "name": name}
        peer.ask({**message, "value": peer.encode(value)})

    def __call__(self, /, *arguments: Any, **words: Any) -> Any:
        peer = object.__getattribute__(self, "_peer")
        encoded = {k: peer.encode(v) for k, v in words.items()}
        message = {"do": "call", "i": object.__getattribute__(self, "_number"), "words": encoded}
        return peer.ask({**message, "args": [peer.encode(a) for a in arguments]})


for _name in "iter next len getitem setitem delitem contains enter exit str bool lt gt".split():
    setattr(Far, f"__{_name}__", _forward(f"__{_name}__"))


class KeptOutput(io.TextIOBase):
    """Standard output or error: kept, and passed on with the next answer."""

    encoding, errors = "utf-8", "strict"

    def __init__(self, peer: Any, stream: Any) -> None:
        self.peer, self.stream = peer, stream

    def writable(self) -> Any:
        return True

    def write(self, text: Any) -> Any:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.peer.printed.append([self.stream, text])
        return len(text)


def main() -> None:
    first, control = (socket.socket(fileno=int(descriptor)) for descriptor in sys.argv[1:3])
    for channel in (first, control):
        channel.set_inheritable(False)
    places = sys.argv[3:]
    sys.path[:] = [p for p in sys.path if p and not p.endswith("/opt/grader")] + places
    os.environ["PYTHONPATH"] = os.pathsep.join(places)
    sys.argv = ["pytest"]
    sys.dont_write_bytecode = True
    sys.pycache_prefix = "/tmp/no-compiled-files"
    peer = Peer(first, control)
    sys.stdout, sys.stderr = KeptOutput(peer, "stdout"), KeptOutput(peer, "stderr")
    sys.modules["__main__"] = types.ModuleType("__main__")
    collections.namedtuple  # noqa: B018 -- loaded before the code under test is
    peer.streams.serve()
    os._exit(0)


if __name__ == "__main__":
    main()
