"""Interpreters of scripts apart from Python and Node: shells, Ruby, Perl, PHP, Lua, R, Julia, Java."""

from __future__ import annotations

import re

from ..shell.types import Command
from .build_tools import gradle
from .programs import TEST_PROGRAMS, Rule, Verdict, is_test_script, select
from .rule_helpers import script, subcommand


def _script_runner(runner: str = "") -> Rule:
    """Interpreters of scripts: bash, ruby, perl, php, lua ... ``runner`` names the tests of a script that is one."""

    def rule(command: Command) -> Verdict:
        args = command.args
        if args[:1] in (["-v"], ["-V"], ["--version"]) and len(args) == 1:
            return Verdict("probe")
        if args[:1] in (["-n"], ["-l"], ["-c"], ["-wc"]) and command.program in (
            "bash",
            "sh",
            "php",
            "ruby",
            "perl",
            "zsh",
        ):
            return Verdict("lint")  # checks the syntax
        if command.program == "perl" and any(a.startswith(("-pi", "-i", "-ni")) or a == "-p" for a in args[:2]):
            return Verdict("edit")
        if any(a in ("-e", "-r", "-ne", "-pe") for a in args[:2]):
            code = args[-1]
            if command.program in ("julia", "Rscript", "R") and re.search(
                r"Pkg\.test\(|test_dir\(|devtools::test\(|test_local\(", code
            ):
                return Verdict("test", command.program.lower())
            return Verdict("run")
        path, rest = subcommand(args, ("-I", "-r", "-d", "-M", "-C"))
        if not path:
            return Verdict("run")
        if command.program == "php" and path.rsplit("/", 1)[-1] == "artisan":
            sub, after = subcommand(rest)
            if sub == "test":
                return select(TEST_PROGRAMS["phpunit"], after)
            return Verdict("service" if sub == "serve" else "run")
        tool = path.rsplit("/", 1)[-1].removesuffix(".phar")
        if tool in TEST_PROGRAMS:
            return select(TEST_PROGRAMS[tool], rest)
        verdict = script(path, rest)
        if verdict.kind == "test" and runner:
            verdict.runner = runner
        return verdict

    return rule


def _java(command: Command) -> Verdict:
    args = command.args
    if "-version" in args:
        return Verdict("probe")
    for i, arg in enumerate(args):
        if arg.endswith(("JUnitCore", "ConsoleLauncher")) or "junit-platform-console" in arg:
            targets = [a for a in args[i + 1 :] if not a.startswith("-") and a != "execute"]
            return Verdict("test", "junit", targets, bool(targets))
        if "gradle-wrapper.jar" in arg:
            return gradle(Command("gradle", args[i + 1 :]))
    name, _ = subcommand(args, ("-cp", "-classpath", "--class-path", "-jar", "-p", "--module-path", "-m", "--module"))
    # A test class run by its own main method.
    return Verdict("test", "script", [name]) if name and is_test_script(name.rsplit(".", 1)[-1]) else Verdict("run")


INTERPRETER_RULES: dict[str, Rule] = {
    **dict.fromkeys("bash sh zsh dash ksh fish lua luajit Rscript R julia php tclsh swipl".split(), _script_runner()),
    **dict.fromkeys(("ruby", "jruby"), _script_runner("minitest")),
    "perl": _script_runner("prove"),
    "java": _java,
}
