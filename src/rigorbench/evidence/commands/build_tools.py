"""Builders and task runners: make, cargo, go, Maven, Gradle, CMake, Bazel, docker, just ..."""

from __future__ import annotations

from collections.abc import Callable

from ..shell.types import Command
from ..shell.values import operands
from .names import is_gradle_test, kind_of_name, words_of
from .programs import Kind, Purpose, Tool, programs, rule, select
from .rule_helpers import asks_for_help, by_goals, by_name, subcommand


@rule
def make(command: Command, tool: Tool) -> Purpose:
    if any(a in ("-n", "--dry-run", "-p", "-q", "--version", "-v", "--help") for a in command.args):
        return Purpose("probe")
    # Without the number of `-j 8`, and variables.
    goals = [a for a in operands(command.args, tool.valued) if not a.isdigit() and "=" not in a]
    if goals and {"clean", "distclean"}.issuperset(goals):
        return Purpose("noop")  # what it takes away was made by a build
    return by_goals("make" if command.program == "gmake" else command.program, goals)


@rule
def task_runner(command: Command, tool: Tool) -> Purpose:
    """just, task, rake, mise run, invoke, poe, composer ...: the task's name decides."""
    sub, rest = subcommand(command.args, tool.valued)
    program = command.program
    if not sub:
        return Purpose(
            "probe" if asks_for_help(command.args) or "-l" in command.args or "--list" in command.args else "run"
        )
    if tool.run_before_task and sub in ("run", "r", "task", "run-script", "exec"):
        sub, rest = subcommand(rest)
    if (kind := tool.listed(sub)) is not None:
        return Purpose(kind)
    if program == "rake" and sub.startswith("db:"):
        return Purpose("run")
    return by_name(program, sub, rest, check_is_test=tool.check_is_test)


@rule
def cargo(command: Command, tool: Tool) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub == "nextest":
        kind, after = subcommand(rest)
        return select("cargo-nextest", after) if kind == "run" else Purpose("probe", collect_only=True)
    if sub in tool.test:
        if "--no-run" in rest or (sub == "hack" and "test" not in rest):
            return Purpose("build")
        return select("cargo-test", rest)
    if sub in ("watch", "xtask", "make"):
        return by_name("cargo-test", " ".join(rest[:2]), [])
    return Purpose(tool.kind(sub))


@rule
def go(command: Command, tool: Tool) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub == "test":
        if "-c" in rest:
            return Purpose("build")
        return select("go-test", ["-" + w.lstrip("-") if w.startswith("-") else w for w in rest])
    if sub == "mod":
        return Purpose("install" if rest[:1] in (["tidy"], ["download"], ["vendor"]) else "run")
    return Purpose(tool.kind(sub))


@rule
def maven(command: Command, tool: Tool) -> Purpose:
    goals, selected, skipped = [], [], False
    skip = False
    for arg in command.args:
        if skip:
            skip = False
        elif arg in tool.valued:
            skip = True
        elif arg.startswith(("-Dtest=", "-Dit.test=")):
            selected.append(arg.partition("=")[2])
        elif arg.startswith(("-DskipTests", "-Dmaven.test.skip")) and not arg.endswith("=false"):
            skipped = True
        elif not arg.startswith("-"):
            goals.append(arg)
    kind: Kind = "build" if goals else "probe"
    for goal in goals:
        plugin, _, name = goal.rpartition(":")
        tests = name == "test" or (name in ("verify", "integration-test", "check") and not plugin)
        if tests and not skipped:
            return Purpose("test", "maven", selected, bool(selected))
        if plugin and name in ("check", "run"):
            kind = "lint" if name == "check" else "service"
    if selected and kind == "build" and not skipped:
        return Purpose("test", "maven", selected, True)
    return Purpose(kind)


@rule
def gradle(command: Command, tool: Tool) -> Purpose:
    tasks: list[str] = []
    selected: list[str] = []
    previous = ""
    for arg in command.args:
        if previous == "--tests":
            selected.append(arg)
        elif arg.startswith("--tests="):
            selected.append(arg[8:])
        elif previous not in tool.valued and not arg.startswith("-"):
            tasks.append(arg.rsplit(":", 1)[-1])
        previous = arg
    if any(a in ("-m", "--dry-run", "--version", "-v", "--status", "--stop") for a in command.args):
        return Purpose("probe")
    kind: Kind = "build" if tasks else "probe"
    for task in tasks:
        words = words_of(task)
        if task in tool.probe:
            kind = "probe"
        elif is_gradle_test(words):
            return Purpose("test", "gradle", selected or [t for t in tasks if t != "clean"], bool(selected))
        elif words[-1:] == ["check"] or kind_of_name(task) == "lint":
            kind = "lint"
        elif words[:1] == ["run"]:
            kind = "run"
        elif words[-1:] == ["run"]:  # bootRun, appRun
            kind = "service"
        elif kind_of_name(task) == "build":
            kind = "build"
    return Purpose(kind)


def _unless_asked(
    decide: Callable[[Command, Tool, list[str]], Purpose],
) -> Callable[[Command, Tool], Purpose]:
    """A rule for a tool that builds the goals among its arguments: `decide` gets them."""

    def function(command: Command, tool: Tool) -> Purpose:
        if asks_for_help(command.args):
            return Purpose("probe")
        return decide(command, tool, [a for a in command.args if not a.startswith("-")])

    function.__name__ = decide.__name__
    return function


@rule
@_unless_asked
def goals(command: Command, tool: Tool, goals: list[str]) -> Purpose:
    """ninja, meson, dune: a build, unless a goal is a test."""
    return by_goals(tool.name, goals)


@rule
@_unless_asked
def cmake(command: Command, tool: Tool, goals: list[str]) -> Purpose:
    args = command.args
    if args[:1] == ["-E"]:
        return Purpose("noop")
    if "--install" in args:
        return Purpose("install")
    return by_goals("ctest", [args[i + 1] for i, a in enumerate(args[:-1]) if a in ("--target", "-t")])


@rule
@_unless_asked
def bazel(command: Command, tool: Tool, goals: list[str]) -> Purpose:
    kind = tool.kind(goals[0] if goals else "")
    if kind == "test":
        return Purpose("test", "bazel", goals[1:], any(":" in g for g in goals[1:]))
    return Purpose(kind)


@rule
@_unless_asked
def zig(command: Command, tool: Tool, goals: list[str]) -> Purpose:
    if goals[:1] not in (["build"], ["test"]):
        return Purpose("run" if goals[:1] == ["run"] else "build")
    return by_goals("zig-test", goals)


@rule
def docker(command: Command, tool: Tool) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub in ("compose", "container", "image", "buildx", "volume", "network", "system"):
        group = sub
        sub, _ = subcommand(rest, programs().tools["docker compose"].valued)
        if group in ("volume", "system", "network") and sub in ("rm", "prune"):
            return Purpose("service")
    return Purpose(tool.kind(sub))
