"""Python and its tools: scripts, code given as text, Django, pip and friends, tox and nox, coverage."""

from __future__ import annotations

import re

from ...base.agent_paths import CLIENT
from ..shell.types import Command
from .build_tools import task_runner
from .programs import TEST_PROGRAMS, Rule, Verdict, kind_of_name, narrow, select
from .rule_helpers import script, subcommand

_PYTHON_TEST = re.compile(r"\b(?:pytest\.main|unittest\.main|doctest\.testmod)\s*\(|\bTextTestRunner\b")
# Statements that only look whether something can be imported, and where and which it is.
_PYTHON_LOOK = re.compile(
    r"import [\w., ]+|from [\w.]+ import [\w., ]+"
    r"|print\([\w.\s(),'\"%]*?(?:__version__|__file__|version)[\w.()\s,'\"]*\)"
)


def python(command: Command) -> Verdict:
    args = command.args
    i = 0
    while i < len(args) and args[i].startswith("-") and args[i] not in ("-c", "-"):
        if args[i] in ("-V", "--version", "-VV", "-h", "--help"):
            return Verdict("probe")
        i += 2 if args[i] in ("-W", "-X") else 1
    if i < len(args) and args[i] not in ("-c", "-"):
        return _python_file(args[i], args[i + 1 :])
    code = args[i + 1] if args[i : i + 1] == ["-c"] and i + 1 < len(args) else command.stdin or ""
    return python_code(code)


def python_code(code: str) -> Verdict:
    """A program given as text: a test run if it starts a test runner."""
    if "main(" in code or "estRunner" in code or "testmod" in code:
        match = _PYTHON_TEST.search(code)
        if match is not None:
            runner = "pytest" if match[0].startswith("pytest") else "unittest" if "nittest" in code else "doctest"
            return Verdict("test", runner)
    if 0 < len(code) < 200 and all(_PYTHON_LOOK.fullmatch(p.strip()) for p in re.split(r"[;\n]", code) if p.strip()):
        return Verdict("probe")
    return Verdict("run")


def python_script(command: Command) -> Verdict:
    return _python_file(command.path, command.args)


def _python_file(path: str, rest: list[str]) -> Verdict:
    name = path.rsplit("/", 1)[-1]
    if name == "manage.py" or name == "django-admin":
        return _django_rest(rest)
    if name == "setup.py":
        sub, after = subcommand(rest)
        if sub in ("test", "pytest", "nosetests", "check"):
            return select(TEST_PROGRAMS["unittest"], after)
        return Verdict({"install": "install", "develop": "install"}.get(sub, "build"))  # type: ignore[arg-type]
    if name in ("pytest", "py.test", "nosetests", "trial", "tox", "nox"):
        return select(TEST_PROGRAMS.get(name, TEST_PROGRAMS["pytest"]), rest)
    if name in ("pip", "pip3"):
        return _pip(Command("pip", rest))
    if path == CLIENT:
        # Which sandboxes show read-only: what it prints of a submission are hidden tests, run by the judge.
        return Verdict("test", "judge") if subcommand(rest)[0] in ("submit", "status") else Verdict("probe")
    return script(path, rest)


def _django_module(command: Command) -> Verdict:
    return _django_rest(command.args) if command.wrappers[-1:] == ["python -m"] else Verdict("run")


def _django(command: Command) -> Verdict:
    return _django_rest(command.args)


def _django_rest(rest: list[str]) -> Verdict:
    sub, after = subcommand(rest, ("--settings", "--pythonpath"))
    if sub == "test":
        verdict = select(TEST_PROGRAMS["unittest"], after)
        verdict.runner = "django"
        return verdict
    if sub in ("runserver", "runserver_plus", "daphne"):
        return Verdict("service")
    if sub in ("check", "showmigrations", "sqlmigrate", "diffsettings", "help", "version"):
        return Verdict("lint" if sub == "check" else "probe")
    return Verdict("run")


def _coverage(command: Command) -> Verdict:
    sub, rest = subcommand(command.args, ("--rcfile", "--source", "--omit", "--include"))
    if sub == "run":
        path, after = subcommand(rest, ("--rcfile", "--source", "--omit", "--include", "--data-file", "--context"))
        return _python_file(path, after) if path else Verdict("run")
    return Verdict("probe")


def _pip(command: Command) -> Verdict:
    sub, _ = subcommand(command.args)
    if command.program in ("uv", "uvx"):
        if sub == "pip":
            sub, _ = subcommand(command.args[command.args.index("pip") + 1 :])
        elif sub == "build":
            return Verdict("build")
        elif sub == "tool":
            sub, _ = subcommand(command.args[command.args.index("tool") + 1 :])
    if sub in (
        "list",
        "show",
        "freeze",
        "check",
        "index",
        "search",
        "config",
        "debug",
        "cache",
        "inspect",
        "tree",
        "env",
        "info",
        "",
    ):
        return Verdict("probe")
    if sub in ("build", "wheel", "package") and command.program in ("poetry", "pdm", "hatch", "rye", "flit"):
        return Verdict("build")
    if sub == "test" and command.program in ("hatch", "rye", "pdm"):
        return select(TEST_PROGRAMS["pytest"], command.args[command.args.index("test") + 1 :])
    if sub == "fmt" and command.program in ("hatch", "rye"):
        return Verdict("lint")
    if sub == "run":
        return task_runner(command)
    return Verdict("install")


def _ruff(command: Command) -> Verdict:
    return Verdict(
        "lint" if subcommand(command.args)[0] not in ("rule", "version", "help", "config", "linter") else "probe"
    )


def _tox(command: Command) -> Verdict:
    """tox and nox: the environments decide; none named means the default ones, which test."""
    args = command.args
    program = command.program
    if any(
        a in ("-l", "--list", "--listenvs", "-a", "--listenvs-all", "--notest", "--showconfig", "list", "config")
        for a in args
    ):
        return Verdict("probe", program, collect_only=True)
    environments: list[str] = []
    rest: list[str] = []
    for i, arg in enumerate(args):
        if arg == "--":
            rest = list(args[i + 1 :])
            break
        if arg in ("-e", "-s", "--session", "--sessions", "-k", "--env", "-m", "-t"):
            environments.extend(args[i + 1].split(",") if i + 1 < len(args) else ())
        elif arg.startswith("-e") and len(arg) > 2:
            environments.extend(arg[2:].split(","))
    kinds = {kind_of_name(e) for e in environments}
    if environments and "test" not in kinds and None not in kinds:
        for kind in ("lint", "build"):
            if kind in kinds:
                return Verdict(kind)
    targets = [t for t in rest if not t.startswith("-")]
    return Verdict("test", program, [*environments, *targets], any(map(narrow, targets)) or "-k" in rest)


PYTHON_RULES: dict[str, Rule] = {
    **dict.fromkeys("pip pip3 pipx uv uvx poetry pdm pipenv hatch rye pixi conda mamba micromamba flit".split(), _pip),
    **dict.fromkeys(("tox", "nox"), _tox),
    "ruff": _ruff,
    "coverage": _coverage,
    **dict.fromkeys(("django-admin", "manage.py"), _django),
    "django": _django_module,
}
