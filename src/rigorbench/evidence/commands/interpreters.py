"""Interpreters of scripts apart from Python and Node: shells, Ruby, Perl, PHP, Lua, R, Julia, Java."""

from __future__ import annotations

from ...base.patterns import lazy
from ..shell.types import Command
from .build_tools import gradle
from .names import is_test_script
from .programs import Purpose, Tool, programs, rule, select
from .rule_helpers import by_path, subcommand

_RUNS_TESTS = lazy(r"Pkg\.test\(|test_dir\(|devtools::test\(|test_local\(")


@rule
def interpreter(command: Command, tool: Tool) -> Purpose:
    """bash, ruby, perl, php, lua ...: the script decides. ``tool.runner`` runs the tests of a script that is one."""
    args = command.args
    program = command.program
    if args in (["-v"], ["-V"], ["--version"]):
        return Purpose("probe")
    if args[:1] in (["-n"], ["-l"], ["-c"], ["-wc"]) and program in programs().groups.syntax_checkers:
        return Purpose("lint")
    if program == "perl" and any(a.startswith(("-pi", "-i", "-ni")) or a == "-p" for a in args[:2]):
        return Purpose("edit")
    if any(a in ("-e", "-r", "-ne", "-pe") for a in args[:2]):
        if program in ("julia", "Rscript", "R") and _RUNS_TESTS.search(args[-1]):
            return Purpose("test", program.lower())
        return Purpose("run")
    path, rest = subcommand(args, ("-I", "-r", "-d", "-M", "-C"))
    if not path:
        return Purpose("run")
    name = path.rsplit("/", 1)[-1].removesuffix(".phar")
    if program == "php" and name == "artisan":
        sub, after = subcommand(rest)
        if sub == "test":
            return select("phpunit", after)
        return Purpose("service" if sub == "serve" else "run")
    if (test := programs().test_programs.get(name)) is not None:
        return select(test.name, rest)
    found = by_path(path, rest)
    if found.kind == "test" and tool.runner:
        found.runner = tool.runner
    return found


@rule
def java(command: Command, tool: Tool) -> Purpose:
    args = command.args
    if "-version" in args:
        return Purpose("probe")
    for i, arg in enumerate(args):
        if arg.endswith(("JUnitCore", "ConsoleLauncher")) or "junit-platform-console" in arg:
            targets = [a for a in args[i + 1 :] if not a.startswith("-") and a != "execute"]
            return Purpose("test", "junit", targets, bool(targets))
        if "gradle-wrapper.jar" in arg:
            return gradle(Command("gradle", args[i + 1 :]), programs().tools["gradle"])
    name, _ = subcommand(args, tool.valued)
    # A test class run by its own main method.
    return Purpose("test", "script", [name]) if name and is_test_script(name.rsplit(".", 1)[-1]) else Purpose("run")
