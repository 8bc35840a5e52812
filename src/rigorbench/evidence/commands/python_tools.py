"""Python and its tools: scripts, code given as text, Django, pip and friends, tox and nox, coverage."""

from __future__ import annotations

import re

from ...base.agent_paths import CLIENT
from ...base.patterns import lazy
from ..shell.types import Command
from ..shell.values import operands
from .build_tools import task_runner
from .names import kind_of_name
from .programs import Purpose, Tool, is_partial, programs, rule, select
from .rule_helpers import by_path, by_subcommand, subcommand

_PYTHON_TEST = lazy(r"\b(?:pytest\.main|unittest\.main|doctest\.testmod)\s*\(|\bTextTestRunner\b")
# Statements that only look whether something can be imported, and where and which it is.
_PYTHON_LOOK = lazy(
    r"import [\w., ]+|from [\w.]+ import [\w., ]+"
    r"|print\([\w.\s(),'\"%]*?(?:__version__|__file__|version)[\w.()\s,'\"]*\)"
)


def python(command: Command) -> Purpose:
    """The purpose of a run of Python: the script, the code after ``-c`` or the code on standard input decides."""
    args = command.args
    i = 0
    while i < len(args) and args[i].startswith("-") and args[i] not in ("-c", "-"):
        if args[i] in ("-V", "--version", "-VV", "-h", "--help"):
            return Purpose("probe")
        i += 2 if args[i] in ("-W", "-X") else 1
    if i < len(args) and args[i] not in ("-c", "-"):
        return python_script(args[i], args[i + 1 :])
    return _python_code(args[i + 1] if args[i : i + 1] == ["-c"] and i + 1 < len(args) else command.stdin or "")


def _python_code(code: str) -> Purpose:
    """A program given as text: a test run if it starts a test runner."""
    if "main(" in code or "estRunner" in code or "testmod" in code:
        match = _PYTHON_TEST.search(code)
        if match is not None:
            runner = "pytest" if match[0].startswith("pytest") else "unittest" if "nittest" in code else "doctest"
            return Purpose("test", runner)
    if 0 < len(code) < 200 and all(_PYTHON_LOOK.fullmatch(p.strip()) for p in re.split(r"[;\n]", code) if p.strip()):
        return Purpose("probe")
    return Purpose("run")


def python_script(path: str, rest: list[str]) -> Purpose:
    """The purpose of a Python script with its arguments."""
    name = path.rsplit("/", 1)[-1]
    tools = programs().tools
    if name in tools["django"].programs:
        return by_subcommand(rest, tools["django"])
    if name == "setup.py":
        sub, after = subcommand(rest)
        if sub in ("test", "pytest", "nosetests", "check"):
            return select("unittest", after)
        return Purpose("install" if sub in ("install", "develop") else "build")
    if name in programs().groups.python_test_scripts:
        test = programs().test_programs.get(name)
        return select(test.name if test else "pytest", rest)
    if name in ("pip", "pip3"):
        return package_manager(Command("pip", rest), tools["pip"])
    if path == CLIENT:
        # Sandboxes mount it read-only: what it prints of a submission are hidden tests, run by the judge.
        return Purpose("test", "judge") if subcommand(rest)[0] in ("submit", "status") else Purpose("probe")
    return by_path(path, rest)


@rule
def django_module(command: Command, tool: Tool) -> Purpose:
    """``python -m django``; a program called "django" is none that is known."""
    if command.wrappers[-1:] != ["python -m"]:
        return Purpose("run")
    return by_subcommand(command.args, programs().tools["django"])


@rule
def coverage(command: Command, tool: Tool) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub == "run":
        path, after = subcommand(rest, tool.valued)
        return python_script(path, after) if path else Purpose("run")
    return Purpose("probe")


@rule
def package_manager(command: Command, tool: Tool) -> Purpose:
    """pip, uv, poetry, hatch, conda ...: they install, and some of them build, test and run tasks."""
    args = command.args
    sub, rest = subcommand(args)
    if tool.name in ("uv", "uvx") and sub in ("pip", "tool"):
        tool = programs().tools["pip"]
        sub, rest = subcommand(rest)
    if sub == "run":
        return task_runner(command, programs().tools["rtx" if tool.run_before_task else "task"])
    kind = tool.kind(sub)
    return select("pytest", rest) if kind == "test" else Purpose(kind)


@rule
def tox(command: Command, tool: Tool) -> Purpose:
    """tox and nox: they test, unless all environments that are asked for do something else by their names."""
    args = command.args
    if not _ONLY_LISTS.isdisjoint(args):
        return Purpose("probe", command.program, collect_only=True)
    cut = args.index("--") if "--" in args else len(args)
    names = [name for arg in operands(args[:cut]) for name in arg.split(",") if arg != "run"]
    targets = [word for word in args[cut + 1 :] if not word.startswith("-")]
    kinds = {kind_of_name(name) for name in names}
    if kinds in ({"lint"}, {"build"}):
        return Purpose("lint" if "lint" in kinds else "build")
    return Purpose("test", command.program, [*names, *targets], any(map(is_partial, targets)) or "-k" in args[cut:])


_ONLY_LISTS = frozenset(("-l", "--list", "--listenvs", "-a", "--listenvs-all", "--notest", "--showconfig"))
