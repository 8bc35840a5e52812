"""What a simple command is for: a test run, a build, a commit, a look around ...

Decided by program and sub-command, never by a word that merely occurs in the line.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec.structs import astuple

from ..shell.parse import SimpleCommand, parse
from ..shell.wrappers import is_python
from . import vcs  # noqa: F401 (it registers its rules)
from .formatters import formats
from .names import kind_of_name
from .programs import RULES, Kind, Purpose, ToolRow, programs, rule, select
from .rule_helpers import by_name, by_path, by_subcommand, subcommand
from .tools import python, python_script, writes

__all__ = ["Classified", "Kind", "classify", "classify_line"]


class Classified(Purpose, kw_only=True):
    """A command with what it is for."""

    command: SimpleCommand


def classify_line(text: str) -> tuple[Classified, ...]:
    """The commands of a line in order, classified. The result is shared between callers: do not change it."""
    return _cached(text) if len(text) <= _MAX_CACHED else tuple([classify(c) for c in parse(text)])


@lru_cache(4096)
def _cached(text: str) -> tuple[Classified, ...]:
    return tuple([classify(c) for c in parse(text)])


def classify(command: SimpleCommand) -> Classified:
    """Never fails: an unknown program is a ``run``."""
    purpose = _purpose(command)
    if purpose.kind == "lint" and formats(command):
        purpose.kind = "run"
    return Classified(*astuple(purpose), command=command)


_MAX_CACHED = 20_000  # characters, as in `shell`
_ASKING = frozenset(("--help", "--version", "-version"))
_DURATION = re.compile(r"[-+]?\d+[a-z]?$")


def _purpose(command: SimpleCommand) -> Purpose:
    program, args = command.program, command.args
    table = programs()
    groups = table.groups
    asking = not _ASKING.isdisjoint(args)
    tool, test, kind = table.tool_programs.get(program), table.test_programs.get(program), table.kinds.get(program)
    if (
        command.wrappers
        and command.wrappers[-1] in groups.script_launchers
        and tool is None
        and test is None
        and not _is_python(program)
    ):
        name = program.rpartition(":")[2]
        if "." not in name and kind_of_name(name, check_is_test=True):
            return by_name(command.wrappers[-1].split()[0], name, args, check_is_test=True)
    # What comes from another command, or from the line itself, is shown and not read.
    given = command.piped_from is not None or (command.stdin is not None and program != "tee")
    if (given or not command.args) and program in groups.filters and _passes_on(command):
        return Purpose("noop")
    if (
        "/" in command.path
        and program in ("test", "spec", "check")
        and not command.path.startswith(("/bin/", "/usr/bin/"))
    ):
        return by_path(command.path, args)  # ./test, bin/test: not the shell's builtin
    if test is not None:
        if asking or (program != "rspec" and args == ["-h"]) or args == ["-V"]:
            return Purpose("probe")
        return select(test.name, args)
    if tool is not None or _is_python(program):
        if len(args) <= 2 and asking:
            return Purpose("probe")
        if tool is None:
            return python_script(command.path, args) if program.endswith((".py", ".pyw")) else python(command)
        return RULES[tool.rule](command, tool) if tool.rule else by_subcommand(args, tool)
    if kind is not None:
        if kind in ("build", "lint", "install", "service") and (asking or args in (["-V"], ["-v"])):
            return Purpose("probe")
        if program in groups.writers and writes(command):
            return Purpose("edit")
        if program == "tail" and any(a in ("-f", "-F", "--follow") for a in args):
            return Purpose("wait")
        return Purpose(kind)
    if asking or args in (["-V"], ["-v"], ["version"]):
        return Purpose("probe")
    # What a command does that is found by its bare name, the name does not show: it is no script of the project.
    path = command.path or program
    if args[:1] == ["test"]:
        return by_name("npm-script", "test", args[1:])
    return by_path(path, args) if set("/\\.").intersection(path) else Purpose("run")


def _is_python(program: str) -> bool:
    return is_python(program) or program in ("ipython", "bpython") or program.endswith((".py", ".pyw"))


def _passes_on(command: SimpleCommand) -> bool:
    """Whether a filter was given no file to read or write: beyond its options only a pattern or a program text."""
    program, args = command.program, command.args
    if "xargs" in command.wrappers or writes(command) or any(r.operator == "<" for r in command.redirects):
        return False
    plain = [a for a in args if not a.startswith("-") and not _DURATION.match(a)]
    if program == "tee":
        return all(a.startswith(("/dev/", "/tmp/")) for a in plain)
    if program in programs().groups.pattern_filters:
        return len(plain) <= (2 if program == "tr" else 1) or any(
            a in ("-e", "-F", "-v", "-d", "-f", "-A", "-B", "-C") for a in args
        )
    return not plain


@rule
def node(command: SimpleCommand, tool: ToolRow) -> Purpose:
    args = command.args
    if not args and command.stdin is None:
        return Purpose("run")
    if any(a in ("-v", "-h") for a in args[:1]):
        return Purpose("probe")
    if any(a in ("--check", "-c") for a in args[:1]):
        return Purpose("build")
    if "--test" in args:
        targets = [a for a in args if not a.startswith("-") and a not in ("tsx", "ts-node/esm", "ts-node/register")]
        names = [a.partition("=")[2] for a in args if a.startswith("--test-name-pattern=")]
        files = [t for t in targets if "*" not in t and not t.endswith("/")]
        return Purpose("test", "node-test", targets + names, bool(names) or any("." in f for f in files))
    if any(a in ("-e", "--eval", "-p", "--print", "-pe") for a in args):
        return Purpose("run")
    path, rest = subcommand(args, tool.valued)
    if not path:
        return Purpose("run")
    if "node_modules" in path or path.endswith(("/bin/jest.js", "/vitest.mjs", "/_mocha")):
        # node node_modules/.bin/jest, node --flag node_modules/jest/bin/jest.js
        program = path.rsplit("/", 1)[-1].partition(".")[0]
        return _purpose(SimpleCommand(program, rest, path=program))
    return by_path(path, rest)
