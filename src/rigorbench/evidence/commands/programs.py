"""The programs that the classifier knows (``programs.toml``), and how arguments select what a test program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct, field

from ..shell.types import SimpleCommand
from ..tables import by_program, load, rows

Kind = Literal[
    "test", "build", "lint", "install", "commit", "vcs", "edit", "read", "search", "wait", "probe", "service", "noop",
    "run",
]  # fmt: skip
# The kinds of sub-commands that a row of [tools] can list.
_LISTED: tuple[Kind, ...] = ("test", "build", "lint", "install", "probe", "service", "run")


class Purpose(Struct):
    """What a command is for."""

    kind: Kind
    runner: str | None = None
    """Of a test run, the canonical name of the runner; "npm-script", "make", "script" and task runners hide the real
    one until the output is read."""
    targets: list[str] = field(default_factory=list)
    """The words that select what runs: paths, node ids, name filters."""
    selective: bool = False
    """The targets are only a part of the suite."""
    message: str | None = None
    """The message of a commit; None if the line does not contain it."""
    message_file: str | None = None
    amend: bool = False
    """The commit replaces the last one."""
    all_files: bool = False
    """The commit takes in every changed file (``-a``)."""


class TestProgram(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of [tests]: a program that only runs tests."""

    __test__ = False

    name: str
    programs: tuple[str, ...]
    runner: str = ""
    """Canonical name of the runner."""
    valued: frozenset[str] = frozenset()
    """Options that take a value."""
    selecting: frozenset[str] = frozenset()
    """Options whose value selects tests."""
    listing: frozenset[str] = frozenset()
    """Options and words that only list tests."""
    subcommands: frozenset[str] = frozenset()
    """Leading words that are no targets."""


class ToolRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of [tools]: a program with many jobs."""

    name: str
    programs: tuple[str, ...]
    rule: str = ""
    """The function that decides; "": the sub-command alone does."""
    runner: str = ""
    """Canonical name of the runner of its tests; "": the name of the row."""
    options: str = ""
    """The row of [tests] that explains the options of its test command."""
    default: Kind = "run"
    """The kind of a sub-command that is not listed."""
    bare: Kind | None = None
    """The kind of a call without a sub-command; None: `default`."""
    valued: frozenset[str] = frozenset()
    """Options before the sub-command that take a value."""
    test: frozenset[str] = frozenset()
    build: frozenset[str] = frozenset()
    lint: frozenset[str] = frozenset()
    install: frozenset[str] = frozenset()
    probe: frozenset[str] = frozenset()
    service: frozenset[str] = frozenset()
    run: frozenset[str] = frozenset()
    run_before_task: bool = False
    """Tasks are named after a word of the tool's own: ``mise run test``."""
    check_is_test: bool = False
    """A task called "check" runs tests."""

    def listed(self, subcommand: str) -> Kind | None:
        """The kind of a sub-command that the row lists, else None."""
        return next((kind for kind in _LISTED if subcommand in getattr(self, kind)), None)

    def kind(self, subcommand: str) -> Kind:
        """The kind of any sub-command ("": none was given)."""
        return self.listed(subcommand) or (self.default if subcommand else self.bare or self.default)


class ProgramGroups(Struct, frozen=True, forbid_unknown_fields=True):
    """[groups]: programs and runners with something in common; the table explains each group."""

    script_launchers: frozenset[str]
    writers: frozenset[str]
    filters: frozenset[str]
    pattern_filters: frozenset[str]
    pass_through: frozenset[str]
    swallowing: frozenset[str]
    comparing: frozenset[str]
    syntax_checkers: frozenset[str]
    silent: frozenset[str]
    file_listers: frozenset[str]
    task_runners: frozenset[str]
    several_checks: frozenset[str]
    crash_reporters: frozenset[str]
    launchers: frozenset[str]
    script_interpreters: frozenset[str]
    package_managers: frozenset[str]
    python_test_scripts: frozenset[str]
    copiers: frozenset[str]
    indirect: frozenset[str]
    script_runners: frozenset[str]
    python_runners: frozenset[str]
    pattern_runners: frozenset[str]
    line_per_test_runners: frozenset[str]


class ProgramTable(Struct, frozen=True):
    """``programs.toml``."""

    kinds: dict[str, Kind]
    tests: dict[str, TestProgram]
    """The rows of [tests] by name."""
    test_programs: dict[str, TestProgram]
    """The same by program."""
    tools: dict[str, ToolRow]
    """The rows of [tools] by name."""
    tool_programs: dict[str, ToolRow]
    """The same by program."""
    groups: ProgramGroups


@cache
def programs() -> ProgramTable:
    """The table, read once."""
    document = load(__file__, "programs.toml")
    tests, tools = rows(document["tests"], TestProgram), rows(document["tools"], ToolRow)
    kinds: dict[str, list[str]] = {kind: names.split() for kind, names in document["kinds"].items()}
    groups = {key: v.split() if isinstance(v, str) else v for key, v in document["groups"].items()}
    return ProgramTable(
        msgspec.convert({name: kind for kind, names in kinds.items() for name in names}, dict[str, Kind]),
        tests,
        by_program(tests),
        tools,
        by_program(tools),
        msgspec.convert(groups, ProgramGroups),
    )


Rule = Callable[[SimpleCommand, ToolRow], Purpose]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Registers the function that decides for the rows of [tools] that name it in `rule`."""
    RULES[function.__name__] = function
    return function


def select(name: str, args: Iterable[str], runner: str = "") -> Purpose:
    """The purpose of a run of the test program ``name`` (a row of [tests]) with ``args``.

    Says what the run was pointed at, and whether that is only a part of the tests. ``runner`` replaces its name.
    """
    program = programs().tests[name]
    runner = runner or program.runner or name
    targets: list[str] = []
    selective = False
    words = list(args)
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if not word or word == "--":
            continue
        if word[0] != "-":
            if word in program.listing and not targets:
                return Purpose("probe", runner)
            if word in program.subcommands and not targets:
                continue
            targets.append(word)
            continue
        option, equals, value = word.partition("=")
        if option in program.listing:
            return Purpose("probe", runner, targets)
        if option in program.selecting:
            value = value if equals else (words[i] if i < len(words) else "")
            i += not equals
            if value:
                targets.append(value)
            selective = True
        elif option in program.valued:
            i += not equals
        elif option in ("--lf", "--last-failed", "--ff", "--sw", "--stepwise", "--only-failures", "--rerun-failed"):
            selective = selective or option != "--ff"
        elif option[:2] in ("-k", "-m", "-t", "-g") and option[:2] in program.selecting and len(option) > 2:
            targets.append(word[2:])  # -kexpr
            selective = True
        elif option in ("--collect-only", "--list-tests", "--dry-run", "--list"):
            return Purpose("probe", runner, targets)
    if targets and not selective:
        selective = runner in programs().groups.pattern_runners or any(map(is_partial, targets))
    return Purpose("test", runner, targets, selective)


def is_partial(target: str) -> bool:
    """Whether a target is only a part of the suite: a file, a node id, a name, a directory below the top."""
    path = target.rstrip("/")
    if path.startswith("./"):
        path = path[2:]
    if path.endswith("..."):  # all Go packages below
        return path not in ("...", "")
    if path in (".", "", "test", "tests", "spec", "src", "lib", "t", "all"):
        return False
    return "/" in path or "." in path or "::" in path or not path.islower()
