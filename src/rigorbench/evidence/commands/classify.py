"""What a simple command is for: a test run, a build, a commit, a look around ...

Decided by program and sub-command, never by a word that merely occurs in the line.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct, field

from ..shell.parse import Command, parse
from ..shell.wrappers import is_python
from .interpreters import INTERPRETER_RULES
from .programs import PROGRAMS, TEST_PROGRAMS, Kind, Rule, Verdict, kind_of_name, select
from .python_tools import python, python_script
from .rule_helpers import named, script, subcommand
from .toolchains import RULES
from .vcs import VCS_RULES

__all__ = ["Classified", "Kind", "classify", "classify_line"]


class Classified(Struct):
    """A command with its kind.

    ``runner`` (tests): the canonical name; "npm-script", "make", "script" and task runners hide the real one until the
    output is read. ``targets``: the words that select what runs (paths, node ids, name filters); ``selective``: that is
    only a part of the suite. ``collect_only``: would be a test run but only lists (its kind is "probe").
    ``destructive``: throws away work that nothing else holds (version control, files). ``message``, ``amend`` and
    ``all_files`` (``-a``) belong to commits; a message that the line does not hold is None, and ``message_file``
    (``-F``) says where it is.
    """

    command: Command
    kind: Kind
    runner: str | None = None
    targets: list[str] = field(default_factory=list)
    selective: bool = False
    destructive: bool = False
    message: str | None = None
    message_file: str | None = None
    collect_only: bool = False
    amend: bool = False
    all_files: bool = False


def classify_line(text: str) -> tuple[Classified, ...]:
    """The commands of a line in order, classified. The result is shared between callers: do not change it."""
    return _cached(text) if len(text) <= _MAX_CACHED else tuple([classify(c) for c in parse(text)])


@lru_cache(4096)
def _cached(text: str) -> tuple[Classified, ...]:
    return tuple([classify(c) for c in parse(text)])


def classify(command: Command) -> Classified:
    """Never fails: what is not known is a ``run``."""
    v = _verdict(command)
    return Classified(
        command,
        v.kind,
        v.runner,
        v.targets,
        v.selective,
        v.destructive,
        v.message,
        v.message_file,
        v.collect_only,
        v.amend,
        v.all_files,
    )


_MAX_CACHED = 20_000  # characters, as in `shell`
# Launchers behind which a bare word is a script of the project rather than a program.
_SCRIPT_LAUNCHERS = frozenset(("hatch run", "pdm run", "pixi run", "rye run", "pipenv run", "hatch env run"))
_ASKING = frozenset(("--help", "--version", "-version"))
_WRITERS = frozenset(
    ("cat", "echo", "printf", "sed", "awk", "gawk", "jq", "yq", "head", "tail", "sort", "tr", "cut", ":", "true")
)
# Given standard input and no file, these only pass on or shape what another command printed.
_FILTERS = frozenset(
    "cat head tail grep egrep fgrep rg sed awk gawk sort uniq wc tr cut less more nl jq column tee xxd od strings "
    "cat tac rev fold "
    "paste bat ansi2txt json_pp".split()
)
_DURATION = re.compile(r"[-+]?\d+[a-z]?$")


def _verdict(command: Command) -> Verdict:
    program, args = command.program, command.args
    if command.wrappers and command.wrappers[-1] in _SCRIPT_LAUNCHERS and (program in PROGRAMS or not _known(program)):
        name = program.rpartition(":")[2] if ":" in program else program
        if "." not in name and kind_of_name(name, check_is_test=True):
            return named(command.wrappers[-1].split()[0], name, args, check_is_test=True)
    if command.piped_from is not None and program in _FILTERS and _passes_on(command):
        return Verdict("noop")
    if (
        "/" in command.path
        and program in ("test", "spec", "check")
        and not command.path.startswith(("/bin/", "/usr/bin/"))
    ):
        return script(command.path, args)  # ./test, bin/test: not the shell's builtin
    runner = TEST_PROGRAMS.get(program)
    if runner is not None:
        if not _ASKING.isdisjoint(args) or (program != "rspec" and args == ["-h"]) or args == ["-V"]:
            return Verdict("probe", collect_only=True)
        return select(runner, args)
    rule = _RULES.get(program)
    if rule is None:
        rule = _interpreter(program)
    if rule is not None:
        if len(args) <= 2 and not _ASKING.isdisjoint(args):
            return Verdict("probe")
        return rule(command)
    kind = PROGRAMS.get(program)
    if kind is not None:
        if kind in ("build", "lint", "install", "service") and (
            not _ASKING.isdisjoint(args) or args in (["-V"], ["-v"])
        ):
            return Verdict("probe")
        if program in _WRITERS and _writes(command):
            return Verdict("edit")
        if program == "tail" and any(a in ("-f", "-F", "--follow") for a in args):
            return Verdict("wait")
        return Verdict(kind)
    if not _ASKING.isdisjoint(args) or args in (["-V"], ["-v"], ["version"]):
        return Verdict("probe")
    return script(command.path or program, args)


def _known(program: str) -> bool:
    return program in TEST_PROGRAMS or program in _RULES or _interpreter(program) is not None


def _writes(command: Command) -> bool:
    """Whether a redirection puts its output into a file."""
    return any(
        r.operator in (">", ">>", "1>", ">|", "1>>", "&>") and not r.target.startswith(("/dev/", "&"))
        for r in command.redirects
    )


def _passes_on(command: Command) -> bool:
    """Whether a filter was given no file to read or write: beyond its options only a pattern or a program text."""
    program, args = command.program, command.args
    if "xargs" in command.wrappers or _writes(command):
        return False
    plain = [a for a in args if not a.startswith("-") and not _DURATION.match(a)]
    if program == "tee":
        return all(a.startswith(("/dev/", "/tmp/")) for a in plain)
    if program in ("grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "jq", "tr", "cut"):
        return len(plain) <= (2 if program == "tr" else 1) or any(
            a in ("-e", "-F", "-v", "-d", "-f", "-A", "-B", "-C") for a in args
        )
    return not plain


def _interpreter(program: str) -> Rule | None:
    if is_python(program) or program in ("ipython", "bpython"):
        return python
    if program[-3:] == ".py" or program[-4:] == ".pyw":
        return python_script
    return None


def _node(command: Command) -> Verdict:
    args = command.args
    if not args and command.stdin is None:
        return Verdict("run")
    if any(a in ("-v", "-h") for a in args[:1]):
        return Verdict("probe")
    if any(a in ("--check", "-c") for a in args[:1]):
        return Verdict("build")
    if "--test" in args:
        targets = [a for a in args if not a.startswith("-") and a not in ("tsx", "ts-node/esm", "ts-node/register")]
        names = [a.partition("=")[2] for a in args if a.startswith("--test-name-pattern=")]
        files = [t for t in targets if "*" not in t and not t.endswith("/")]
        return Verdict("test", "node-test", targets + names, bool(names) or any("." in f for f in files))
    valued = (
        "-r",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "-e",
        "--eval",
        "-p",
        "--print",
        "-P",
        "--project",
    )
    if any(a in ("-e", "--eval", "-p", "--print", "-pe") for a in args):
        return Verdict("run")
    path, rest = subcommand(args, valued)
    if not path:
        return Verdict("run")
    if "node_modules" in path or path.endswith(("/bin/jest.js", "/vitest.mjs", "/_mocha")):
        # node node_modules/.bin/jest, node --flag node_modules/jest/bin/jest.js
        tool = path.rsplit("/", 1)[-1].partition(".")[0]
        return _verdict(Command(tool, rest, path=tool))
    return script(path, rest)


def _sed(command: Command) -> Verdict:
    for arg in command.args:
        if arg.startswith(("-i", "--in-place")) or (
            arg[0:1] == "-" and arg[1:2] != "-" and arg.endswith("i") and len(arg) < 5
        ):
            return Verdict("edit")
    return Verdict("edit" if _writes(command) else "read")


def _awk(command: Command) -> Verdict:
    inplace = "inplace" in command.args[:2] or _writes(command)
    return Verdict("edit" if inplace else "read")


# Directories that a build makes again: removing them loses nothing.
_MADE_AGAIN = frozenset(
    "build dist node_modules target __pycache__ .pytest_cache .cache coverage htmlcov out tmp temp .tox .nox .venv "
    "venv env .next .nuxt "
    "bin obj CMakeFiles .mypy_cache .ruff_cache .hypothesis .gradle .turbo .parcel-cache .vite .nyc_output _build "
    "site logs log "
    "cmake-build-debug cmake-build-release Debug Release .eggs test-results playwright-report .output .svelte-kit "
    "vendor "
    ".angular .dart_tool .terraform".split()
)
_SCRATCH = ("/tmp/", "/var/tmp/", "$TMP", "${TMP", "$tmp", "${tmp", "/private/tmp/", "/dev/shm/", "$(mktemp")


def _rm(command: Command) -> Verdict:
    recursive = any(
        a == "--recursive" or (a.startswith("-") and not a.startswith("--") and ("r" in a or "R" in a))
        for a in command.args
    )
    targets = [a for a in command.args if not a.startswith("-")]
    inside = (command.cwd or "").startswith(("/tmp", "/var/tmp"))
    destructive = recursive and any(not _made_again(t) and not (inside and not t.startswith("/")) for t in targets)
    return Verdict("edit", targets=targets, destructive=destructive)


def _made_again(path: str) -> bool:
    if path.startswith(_SCRATCH) or "/tmp/" in path:
        return True
    name = path.rstrip("/*").rsplit("/", 1)[-1]
    return (
        name in _MADE_AGAIN
        or name.endswith((".egg-info", ".pyc", ".log", ".o", ".dSYM", ".tmp", ".xcresult"))
        or name.startswith(("build-", "cmake-build"))
    )


def _find(command: Command) -> Verdict:
    args = command.args
    if "-delete" in args or ("-exec" in args and "rm" in args):
        names = [args[i + 1] for i, a in enumerate(args[:-1]) if a in ("-name", "-iname", "-path")]
        harmless = bool(names) and all(
            _made_again(n.strip("*/"))
            or n.startswith(("*.pyc", "*.pyo", "*.o", "*.tmp", "*~", "*.bak", "*.orig", "*.log"))
            for n in names
        )
        return Verdict("edit", destructive=not harmless)
    return Verdict("search", targets=[a for a in args if not a.startswith("-")][:1])


def _kill(command: Command) -> Verdict:
    return Verdict("probe" if "-0" in command.args or "-l" in command.args else "service")


def _device_tool(command: Command) -> Verdict:
    """dd and mkfs: harmless on files, fatal on devices."""
    return Verdict("run", destructive=any(a.startswith("of=/dev/") and a != "of=/dev/null" for a in command.args))


_RULES: dict[str, Rule] = {
    **RULES,
    **VCS_RULES,
    **INTERPRETER_RULES,
    **dict.fromkeys("node nodejs tsx ts-node ts-node-esm vite-node electron babel-node".split(), _node),
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("awk", "gawk"), _awk),
    "rm": _rm,
    "find": _find,
    "kill": _kill,
    **dict.fromkeys(("dd", "mkfs"), _device_tool),
}
