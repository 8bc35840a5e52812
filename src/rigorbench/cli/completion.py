"""``rigor --print-completion SHELL``: a script with which a shell completes commands, options and names (by shtab)."""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Mapping, Sequence
from importlib import import_module

import shtab

from ..bench.agents.registry import AGENTS
from ..review.pages.formats import names
from ..review.review import GRADES
from .commands import CliCommand, find
from .common import Described, Parser, UsageError, unknown
from .hook.settings import PLACES


def command(arguments: list[str], commands: Sequence[CliCommand], groups: Mapping[str, str]) -> int:
    shells = shtab.SUPPORTED_SHELLS
    if len(arguments) != 1:
        raise UsageError(f"give one shell: {', '.join(shells)}")
    if arguments[0] not in shells:
        raise unknown("shell", arguments[0], shells)
    print(shtab.complete(described(commands, groups), arguments[0]))
    return 0


def described(commands: Sequence[CliCommand], groups: Mapping[str, str]) -> argparse.ArgumentParser:
    """All commands with their options, as their own parsers declare them; those of a group with and without it."""
    root = Parser(prog="rigor")
    _add(root, [command for command in commands if command.group != "judge"])
    for group, about in groups.items():
        node = Parser()
        within = [command for command in commands if command.group == group]
        _add(node, [command for command in within if command.name != group])
        if (itself := find(within, group)) is not None:
            for option in _parser(itself.module)._get_optional_actions()[1:]:  # the first is --help
                node._add_action(option)
        _put(root, group, about, node)
    return root


def _add(to: argparse.ArgumentParser, commands: Sequence[CliCommand], package: str = "") -> None:
    for each in commands:
        module = f"{package}{each.module or each.name}"
        own = getattr(import_module(f".{module}", __package__), "COMMANDS", None)
        node = Parser() if own else _parser(module)
        _add(node, own or (), f"{module}.")
        _put(to, each.name, each.about, node)


def _put(to: argparse.ArgumentParser, name: str, about: str, node: argparse.ArgumentParser) -> None:
    found = [action for action in to._get_positional_actions() if isinstance(action, argparse._SubParsersAction)]
    commands = found[0] if found else to.add_subparsers()
    commands.add_parser(name, help=about)
    commands.choices[name] = node


def _parser(module: str) -> argparse.ArgumentParser:
    """The parser of a command, with what its arguments are completed to. Of one whose extra is missing: without."""
    Parser.describe = True
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            import_module(f".{module}", __package__).command([])
        return Parser()
    except Described as found:
        parser = found.parser
    except (ImportError, UsageError):
        return Parser()
    finally:
        Parser.describe = False
    parsers = {"": parser}
    for action in parser._get_positional_actions():
        if isinstance(action, argparse._SubParsersAction):
            parsers |= {f" {name}": sub for name, sub in action.choices.items()}
    known = _names()
    for words, each in parsers.items():
        for action in each._actions:
            if action.nargs == 0 or action.choices is not None:
                continue
            named = action.option_strings[-1] if action.option_strings else action.dest
            action.choices = known.get((f"{module}{words}", named))
            if action.choices is None:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return parser


def _names() -> dict[tuple[str, str], list[str]]:
    """(command, its option or argument) -> the names that it takes."""
    from ..review.catalogue import all_checks
    from ..review.config import SEVERITIES

    checks = list(all_checks())
    return {
        ("explain", "name"): [*checks, *GRADES],
        ("score", "--select"): checks,
        ("score", "--ignore"): checks,
        ("score", "--wrong"): checks,
        ("score", "--fail-on"): [*SEVERITIES, *checks],
        ("score", "--format"): list(names()),
        ("hook install", "agents"): list(PLACES),
        ("hook remove", "agents"): list(PLACES),
        ("run", "--agent"): list(AGENTS),
    }
