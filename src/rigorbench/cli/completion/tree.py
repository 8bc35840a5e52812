"""All commands with their options, as their own parsers declare them."""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Iterator
from importlib import import_module

from msgspec import Struct, field

from ..common import Described, Parser, Usage

# They have no parser, and do their work when they are called.
_WITHOUT = (("hook", "run"), ("judge", "client"))


class Option(Struct):
    """An option. ``values``: what it takes; None: no value; []: any (a path, a number)."""

    names: list[str]
    about: str
    values: list[str] | None


class Node(Struct):
    """A command: the words that call it, its options, what its arguments may be ([]: files), and its own commands."""

    words: tuple[str, ...]
    about: str
    options: list[Option] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    commands: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.commands:
            yield from child.walk()


def described() -> Node:
    """The tree of commands. One whose extra is not installed has no options."""
    from .. import COMMANDS

    root = Node((), "")
    for command in COMMANDS:
        name = f"..{command.module or command.name}"
        module = import_module(name, __package__)
        node = Node((command.name,), command.about)
        for sub in getattr(module, "COMMANDS", ()):
            child = Node((command.name, sub.name), sub.about)
            if child.words not in _WITHOUT:
                _options(child, f"{name}.{sub.module or sub.name}")
            node.commands.append(child)
        if not node.commands or command.name == "judge":
            _options(node, f"{name}.once" if node.commands else name)
        root.commands.append(node)
    return root


def _options(node: Node, module: str) -> None:
    Parser.describe = True
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            import_module(module, __package__).command([])
    except Described as found:
        _take(node, found.parser)
    except (ImportError, Usage):
        pass
    finally:
        Parser.describe = False


def _take(node: Node, parser: argparse.ArgumentParser) -> None:
    known = _names()
    for action in parser._actions:
        values = [str(c) for c in action.choices] if action.choices is not None else []
        if not action.option_strings:
            node.arguments += values or known.get((*node.words, ""), [])
            continue
        if action.help == argparse.SUPPRESS:
            continue
        about = " ".join((action.help or "").replace("%%", "%").split())
        values = values or known.get((*node.words, action.option_strings[-1]), [])
        node.options.append(Option(list(action.option_strings), about, None if action.nargs == 0 else values))


def _names() -> dict[tuple[str, ...], list[str]]:
    """(command.., option, or "" for its arguments) -> the names that it takes."""
    from ...report.session.formats import names
    from ...review.catalogue import all_checks
    from ...review.gate import SEVERITIES
    from ...review.model import GRADES
    from ...tasks.agents.registry import AGENTS
    from ..hook.places import PLACES
    from . import SHELLS

    checks = list(all_checks())
    return {
        ("explain", ""): [*checks, *GRADES],
        ("score", "--select"): checks,
        ("score", "--ignore"): checks,
        ("score", "--fail-on"): [*SEVERITIES, *checks],
        ("score", "--format"): list(names()),
        ("hook", "install", ""): list(PLACES),
        ("hook", "remove", ""): list(PLACES),
        ("run", "--agent"): list(AGENTS),
        ("completion", ""): list(SHELLS),
    }
