"""What the rules for single tools have in common."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from .names import has_subcommands, is_test_script, kind_of_name
from .programs import Kind, Purpose, ToolRow, select


def subcommand(args: Sequence[str], valued: Collection[str] = ()) -> tuple[str, list[str]]:
    """The first word that is no option (or the value of one of ``valued``), and the words after it."""
    i = 0
    while i < len(args):
        word = args[i]
        i += 1
        if word.startswith("-"):
            i += word in valued
        elif not word.startswith("+"):  # cargo +nightly test
            return word, list(args[i:])
    return "", []


def by_subcommand(args: Sequence[str], tool: ToolRow) -> Purpose:
    """The purpose of a tool without a rule: its sub-command alone decides."""
    sub, rest = subcommand(args, tool.valued)
    kind = tool.kind(sub)
    if kind != "test":
        return Purpose(kind)
    return select(tool.options, rest) if tool.options else plain_test(tool.runner or tool.name, rest)


def plain_test(runner: str, rest: list[str]) -> Purpose:
    """The purpose of a test run whose options are not in the table."""
    return select("plain", [w.replace("-only-testing:", "--only=") for w in rest], runner)


def by_name(runner: str, name: str, rest: list[str], *, check_is_test: bool = False) -> Purpose:
    """The purpose of a script or target by its name."""
    kind = kind_of_name(name, check_is_test=check_is_test) or "run"
    if kind == "test":
        extra = [w for w in rest if not w.startswith("-")]
        return Purpose("test", runner, [name, *extra], bool(extra))
    return Purpose(kind)


def by_goals(runner: str, goals: list[str]) -> Purpose:
    """The purpose of a build with several targets: a test run if one of them tests, else what the last one does."""
    kind: Kind = "build"
    for number, goal in enumerate(goals):
        found = kind_of_name(goal, check_is_test=True)
        if found == "test":
            return Purpose("test", runner, [g for g in goals if kind_of_name(g, check_is_test=True) == "test"])
        if found != "run" or not number:  # formatting, beside something else, is not what it is for
            kind = found or kind
        if goal in ("help", "list"):
            kind = "probe"
    return Purpose(kind)


_SUBCOMMAND = re.compile(r"[a-z]+(?:-[a-z]+)*$")


def by_path(path: str, rest: Sequence[str]) -> Purpose:
    """The purpose of a script or program run by its path."""
    if asks_for_help(rest) and len(rest) == 1:
        return Purpose("probe")
    if is_test_script(path):
        plain = [a for a in rest if not a.startswith("-")]
        if plain and has_subcommands(path) and _SUBCOMMAND.match(plain[0]) and kind_of_name(plain[0]) != "test":
            return Purpose("run")
        targets = [path, *plain]
        runner = "gtest" if any(a.startswith("--gtest_") for a in rest) else "script"
        if any(a in ("--gtest_list_tests", "--list-tests", "--collect-only") for a in rest):
            return Purpose("probe", runner, targets)
        return Purpose("test", runner, targets, len(targets) > 1 or any(a.startswith("--gtest_filter") for a in rest))
    return Purpose("run")


def asks_for_help(args: Sequence[str]) -> bool:
    """Whether the arguments ask for the version or for help."""
    return any(a in ("--version", "-v", "-V", "--help", "-h", "version", "help") for a in args)
