"""Rules of single tools: file tools, builders, task runners, Python, JavaScript, other interpreters."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...base.agent_paths import CLIENT
from ...base.patterns import lazy
from ..shell.types import SimpleCommand
from ..shell.values import operands
from .names import is_gradle_test, is_test_script, kind_of_name, words_of
from .programs import Kind, Purpose, ToolRow, is_partial, programs, rule, select
from .rule_helpers import asks_for_help, by_goals, by_name, by_path, by_subcommand, plain_test, subcommand


def writes(command: SimpleCommand) -> bool:
    """Whether a redirection puts the command's output into a file."""
    return any(
        r.operator in (">", ">>", "1>", ">|", "1>>", "&>") and not r.target.startswith(("/dev/", "&"))
        for r in command.redirects
    )


@rule
def sed(command: SimpleCommand, tool: ToolRow) -> Purpose:
    for arg in command.args:
        if arg.startswith(("-i", "--in-place")) or (
            arg[0:1] == "-" and arg[1:2] != "-" and arg.endswith("i") and len(arg) < 5
        ):
            return Purpose("edit")
    return Purpose("edit" if writes(command) else "read")


@rule
def awk(command: SimpleCommand, tool: ToolRow) -> Purpose:
    return Purpose("edit" if "inplace" in command.args[:2] or writes(command) else "read")


@rule
def rm(command: SimpleCommand, tool: ToolRow) -> Purpose:
    return Purpose("edit", targets=[a for a in command.args if not a.startswith("-")])


@rule
def find(command: SimpleCommand, tool: ToolRow) -> Purpose:
    args = command.args
    if "-delete" in args or ("-exec" in args and "rm" in args):
        return Purpose("edit")
    return Purpose("search", targets=[a for a in args if not a.startswith("-")][:1])


@rule
def kill(command: SimpleCommand, tool: ToolRow) -> Purpose:
    return Purpose("probe" if "-0" in command.args or "-l" in command.args else "service")


@rule
def make(command: SimpleCommand, tool: ToolRow) -> Purpose:
    if any(a in ("-n", "--dry-run", "-p", "-q", "--version", "-v", "--help") for a in command.args):
        return Purpose("probe")
    # Without the number of `-j 8`, and variables.
    goals = [a for a in operands(command.args, tool.valued) if not a.isdigit() and "=" not in a]
    if goals and {"clean", "distclean"}.issuperset(goals):
        return Purpose("noop")  # what it takes away was made by a build
    return by_goals("make" if command.program == "gmake" else command.program, goals)


@rule
def task_runner(command: SimpleCommand, tool: ToolRow) -> Purpose:
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
def cargo(command: SimpleCommand, tool: ToolRow) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub == "nextest":
        kind, after = subcommand(rest)
        return select("cargo-nextest", after) if kind == "run" else Purpose("probe")
    if sub in tool.test:
        if "--no-run" in rest or (sub == "hack" and "test" not in rest):
            return Purpose("build")
        return select("cargo-test", rest)
    if sub in ("watch", "xtask", "make"):
        return by_name("cargo-test", " ".join(rest[:2]), [])
    return Purpose(tool.kind(sub))


@rule
def go(command: SimpleCommand, tool: ToolRow) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub == "test":
        if "-c" in rest:
            return Purpose("build")
        return select("go-test", ["-" + w.lstrip("-") if w.startswith("-") else w for w in rest])
    if sub == "mod":
        return Purpose("install" if rest[:1] in (["tidy"], ["download"], ["vendor"]) else "run")
    return Purpose(tool.kind(sub))


@rule
def maven(command: SimpleCommand, tool: ToolRow) -> Purpose:
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
def gradle(command: SimpleCommand, tool: ToolRow) -> Purpose:
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
    decide: Callable[[SimpleCommand, ToolRow, list[str]], Purpose],
) -> Callable[[SimpleCommand, ToolRow], Purpose]:
    """A rule for a tool that builds the goals among its arguments: `decide` gets them."""

    def function(command: SimpleCommand, tool: ToolRow) -> Purpose:
        if asks_for_help(command.args):
            return Purpose("probe")
        return decide(command, tool, [a for a in command.args if not a.startswith("-")])

    function.__name__ = decide.__name__
    return function


@rule
@_unless_asked
def goals(command: SimpleCommand, tool: ToolRow, goals: list[str]) -> Purpose:
    """ninja, meson, dune: a build, unless a goal is a test."""
    return by_goals(tool.name, goals)


@rule
@_unless_asked
def cmake(command: SimpleCommand, tool: ToolRow, goals: list[str]) -> Purpose:
    args = command.args
    if args[:1] == ["-E"]:
        return Purpose("noop")
    if "--install" in args:
        return Purpose("install")
    return by_goals("ctest", [args[i + 1] for i, a in enumerate(args[:-1]) if a in ("--target", "-t")])


@rule
@_unless_asked
def bazel(command: SimpleCommand, tool: ToolRow, goals: list[str]) -> Purpose:
    kind = tool.kind(goals[0] if goals else "")
    if kind == "test":
        return Purpose("test", "bazel", goals[1:], any(":" in g for g in goals[1:]))
    return Purpose(kind)


@rule
@_unless_asked
def zig(command: SimpleCommand, tool: ToolRow, goals: list[str]) -> Purpose:
    if goals[:1] not in (["build"], ["test"]):
        return Purpose("run" if goals[:1] == ["run"] else "build")
    return by_goals("zig-test", goals)


@rule
def docker(command: SimpleCommand, tool: ToolRow) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub in ("compose", "container", "image", "buildx", "volume", "network", "system"):
        group = sub
        sub, _ = subcommand(rest, programs().tools["docker compose"].valued)
        if group in ("volume", "system", "network") and sub in ("rm", "prune"):
            return Purpose("service")
    return Purpose(tool.kind(sub))


_PYTHON_TEST = lazy(r"\b(?:pytest\.main|unittest\.main|doctest\.testmod)\s*\(|\bTextTestRunner\b")
# Statements that only look whether something can be imported, and where and which it is.
_PYTHON_LOOK = lazy(
    r"import [\w., ]+|from [\w.]+ import [\w., ]+"
    r"|print\([\w.\s(),'\"%]*?(?:__version__|__file__|version)[\w.()\s,'\"]*\)"
)


def python(command: SimpleCommand) -> Purpose:
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
        return package_manager(SimpleCommand("pip", rest), tools["pip"])
    if path == CLIENT:
        # Sandboxes mount it read-only: what it prints of a submission are hidden tests, run by the judge.
        return Purpose("test", "judge") if subcommand(rest)[0] in ("submit", "status") else Purpose("probe")
    return by_path(path, rest)


@rule
def django_module(command: SimpleCommand, tool: ToolRow) -> Purpose:
    """``python -m django``; a program called "django" is none that is known."""
    if command.wrappers[-1:] != ["python -m"]:
        return Purpose("run")
    return by_subcommand(command.args, programs().tools["django"])


@rule
def coverage(command: SimpleCommand, tool: ToolRow) -> Purpose:
    sub, rest = subcommand(command.args, tool.valued)
    if sub == "run":
        path, after = subcommand(rest, tool.valued)
        return python_script(path, after) if path else Purpose("run")
    return Purpose("probe")


@rule
def package_manager(command: SimpleCommand, tool: ToolRow) -> Purpose:
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
def tox(command: SimpleCommand, tool: ToolRow) -> Purpose:
    """tox and nox: they test, unless all environments that are asked for do something else by their names."""
    args = command.args
    if not _ONLY_LISTS.isdisjoint(args):
        return Purpose("probe", command.program)
    cut = args.index("--") if "--" in args else len(args)
    names = [name for arg in operands(args[:cut]) for name in arg.split(",") if arg != "run"]
    targets = [word for word in args[cut + 1 :] if not word.startswith("-")]
    kinds = {kind_of_name(name) for name in names}
    if kinds in ({"lint"}, {"build"}):
        return Purpose("lint" if "lint" in kinds else "build")
    return Purpose("test", command.program, [*names, *targets], any(map(is_partial, targets)) or "-k" in args[cut:])


_ONLY_LISTS = frozenset(("-l", "--list", "--listenvs", "-a", "--listenvs-all", "--notest", "--showconfig"))


@rule
def node_manager(command: SimpleCommand, tool: ToolRow) -> Purpose:
    """npm, yarn, pnpm, bun: the names of the scripts in package.json decide."""
    program = command.program
    sub, rest = subcommand(command.args, tool.valued)
    while program in ("yarn", "pnpm") and sub in ("workspace", "workspaces", "recursive", "multi", "foreach"):
        if sub == "workspace":
            rest = rest[1:]
        sub, rest = subcommand(rest, tool.valued)
    if not sub:
        return Purpose("install" if program == "yarn" and not asks_for_help(command.args) else "probe")
    if program == "bun":
        if sub == "test":
            return select("jest", rest, "bun-test")
        if sub == "build":
            return Purpose("build")
        if "." in sub or "/" in sub:
            return by_path(sub, rest)
    if sub in ("run", "run-script", "rum"):
        name, rest = subcommand(rest, tool.valued)
        if not name:
            return Purpose("probe")
        if "/" in name and program == "bun":
            return by_path(name, rest)
        return _package_script(name, _selecting_words(rest))
    kind = tool.listed(sub)
    if kind == "test":
        return _package_script("test", _selecting_words(rest))
    if kind is None and program != "npm":
        return _package_script(sub, _selecting_words(rest))
    return Purpose(kind or "run")


def _package_script(name: str, extra: list[str]) -> Purpose:
    """The purpose of a script of package.json; ``extra`` selects among its tests."""
    kind: Kind = kind_of_name(name) or "run"
    if kind == "lint" and ("type" in name.lower() or "tsc" in name.lower()):
        kind = "build"  # the TypeScript compiler without output
    if kind == "test":
        return Purpose("test", "npm-script", extra, bool(extra))
    return Purpose(kind)


def _selecting_words(rest: list[str]) -> list[str]:
    """The words that select among a script's tests."""
    return [w for w in select("npm-script", rest).targets if not w.isdigit()]


@rule
def monorepo(command: SimpleCommand, tool: ToolRow) -> Purpose:
    """nx, turbo, lerna, rush: ``nx test app``, ``turbo run test --filter=x``."""
    sub, rest = subcommand(command.args)
    if sub in ("run-many", "affected", "run", "exec"):
        words = [word for arg in rest for word in re.split("[=,:]", arg)]
        sub, rest = next((w for w in words if kind_of_name(w)), sub), []
    return by_name("npm-script", sub, rest)


@rule
def framework(command: SimpleCommand, tool: ToolRow) -> Purpose:
    """Front-end command lines: ``ng test``, ``react-scripts test``, ``next build``, ``vite``."""
    sub, rest = subcommand(command.args)
    if sub.startswith("test") or sub == "e2e":
        return select("jest", rest, tool.runner)
    return Purpose(tool.kind(sub))


@rule
def deno(command: SimpleCommand, tool: ToolRow) -> Purpose:
    sub, rest = subcommand(command.args)
    if sub == "test":
        return plain_test("deno-test", rest)
    if sub == "task":
        return by_name("deno-test", rest[0] if rest else "", rest[1:])
    if sub in ("run", ""):
        target, after = subcommand(rest)
        return by_path(target, after) if target else Purpose("run")
    return Purpose(tool.kind(sub))


_RUNS_TESTS = lazy(r"Pkg\.test\(|test_dir\(|devtools::test\(|test_local\(")


@rule
def interpreter(command: SimpleCommand, tool: ToolRow) -> Purpose:
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
def java(command: SimpleCommand, tool: ToolRow) -> Purpose:
    args = command.args
    if "-version" in args:
        return Purpose("probe")
    for i, arg in enumerate(args):
        if arg.endswith(("JUnitCore", "ConsoleLauncher")) or "junit-platform-console" in arg:
            targets = [a for a in args[i + 1 :] if not a.startswith("-") and a != "execute"]
            return Purpose("test", "junit", targets, bool(targets))
        if "gradle-wrapper.jar" in arg:
            return gradle(SimpleCommand("gradle", args[i + 1 :]), programs().tools["gradle"])
    name, _ = subcommand(args, tool.valued)
    # A test class run by its own main method.
    return Purpose("test", "script", [name]) if name and is_test_script(name.rsplit(".", 1)[-1]) else Purpose("run")
