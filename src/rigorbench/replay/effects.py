"""What shell commands do to the files, beyond the edits whose text the log shows.

Git's work-tree commands, sed and the file tools are carried out on the session's own states. Programs that rewrite
files (formatters, generators) make those files unknown, because the log does not show what they wrote. All others,
tests and builds among them, are assumed not to change sources; a later edit whose old text is missing would show it.
"""

from __future__ import annotations

import re

from ..evidence.code.units import is_source
from ..evidence.commands.formatters import FORMATTERS, Formatter
from ..evidence.edits.files import touched
from ..evidence.edits.sed import SedError, sed_call
from ..evidence.edits.shell import script_of
from ..evidence.shell.parse import Command
from .files import EXTENSION, Resolve, has_pattern, move_files
from .git import follow_git
from .sed import sed
from .state import State

_WRITING_CODE = re.compile(
    r"\.write(?:_text|_bytes|lines)?\(|open\([^)\n]*,\s*(?:mode\s*=\s*)?['\"][^'\"r]*[wax+]|\bshutil\.(?:copy|move|rmtree)"
    r"|\bos\.(?:remove|rename|replace|unlink|makedirs|mkdir|system)\(|\.unlink\(|\.rename\(|\.to_(?:csv|json|excel|parquet)\("
    r"|\bsavefig\(|writeFile|appendFile|createWriteStream|\bjson\.dump\(|\bpickle\.dump\(|subprocess|os\.popen"
)
_REWRITERS: dict[str, Formatter] = {
    **FORMATTERS,
    **dict.fromkeys(("autoflake", "docformatter"), Formatter(("-i", "--in-place"))),
    **dict.fromkeys(
        ("pyupgrade", "phpcbf", "pint", "swiftformat", "patch", "ex", "ed", "truncate", "autofix"), Formatter()
    ),
    **dict.fromkeys(("gawk", "awk"), Formatter(("inplace",))),
    "php-cs-fixer": Formatter(("fix",)),
    "ktlint": Formatter(("-F", "--format")),
    "perl": Formatter(("-i", "-pi", "-p")),
    "pre-commit": Formatter(("run",)),
}
# Tools whose sub-commands write files that the log does not show.
_GENERATORS: dict[str, frozenset[str]] = {
    "cargo": frozenset({"fmt", "fix", "add", "remove", "init", "new", "generate"}),
    "go": frozenset({"fmt", "generate", "fix", "get", "mod"}),
    "npm": frozenset({"install", "i", "add", "uninstall", "remove", "update", "init", "version", "audit"}),
    "yarn": frozenset({"add", "remove", "init", "upgrade", "version"}),
    "pnpm": frozenset({"add", "remove", "install", "update", "init"}),
    "bun": frozenset({"add", "remove", "init", "update"}),
    "poetry": frozenset({"add", "remove", "init", "new", "lock", "update", "version"}),
    "uv": frozenset({"add", "remove", "init", "lock"}),
    "pdm": frozenset({"add", "remove", "init", "lock", "update"}),
    "dotnet": frozenset({"format", "new", "add", "remove"}),
    "rails": frozenset({"generate", "g", "new", "destroy"}),
    "alembic": frozenset({"revision", "init"}),
    "composer": frozenset({"require", "remove", "update", "init"}),
    "bundle": frozenset({"add", "update", "init"}),
    "terraform": frozenset({"fmt"}),
    "mix": frozenset({"format", "new"}),
    "dart": frozenset({"format", "fix", "create"}),
    "buf": frozenset({"generate", "format"}),
}
# The only files that these package managers rewrite.
_PACKAGE_FILES: dict[str, tuple[str, ...]] = {
    "npm": ("package.json", "package-lock.json"),
    "yarn": ("package.json", "yarn.lock"),
    "pnpm": ("package.json", "pnpm-lock.yaml"),
    "bun": ("package.json", "bun.lock", "bun.lockb"),
    "poetry": ("pyproject.toml", "poetry.lock"),
    "uv": ("pyproject.toml", "uv.lock"),
    "pdm": ("pyproject.toml", "pdm.lock"),
    "composer": ("composer.json", "composer.lock"),
    "bundle": ("Gemfile", "Gemfile.lock"),
}
# Programs that are carried out on the session's own states, whatever their edit events say.
FOLLOWED = frozenset({"git", "mv", "cp", "rm", "touch", "sed"})


def follow(state: State, command: Command, resolve: Resolve, where: str, *, edits_seen: bool) -> None:
    """Carry out one command that succeeded.

    Args:
        where: names the command in reasons.
        edits_seen: its edits were already applied.
    """
    if command.program == "git":
        follow_git(state, command.args, resolve, where, edits_seen=edits_seen)
        return
    if edits_seen:
        return
    for redirect in command.redirects:
        if redirect.operator.lstrip("0123456789&").startswith(">") and not redirect.target.startswith(("&", "/dev/")):
            path = resolve(redirect.target)
            # Output files (logs, reports) are no sources; a source file written this way is unknown.
            if path is not None and (is_source(path) or state.get(path) is not None):
                state.mark_unknown([path], f"{where} writes {path}, and the log does not show what")
    program, args = command.program, command.args
    if program == "sed":
        _sed(state, args, resolve, where)
    elif program == "touch":
        for path in (resolve(a) for a in touched(args)):
            if path and state.get(path) is None:
                state.write(path, "")
    elif program in ("mv", "cp", "rm", "rsync"):
        move_files(state, program, args, resolve, where)
    elif program in _REWRITERS:
        if _REWRITERS[program].rewrites(args):
            _arguments_unknown(state, args, resolve, f"{where} rewrites files ({program})")
    elif program in _GENERATORS:
        sub = next((a for a in args if not a.startswith("-")), "")
        lock = _PACKAGE_FILES.get(program)
        if sub in _GENERATORS[program] and not (program == "npm" and sub == "audit" and "fix" not in args):
            plain = [a for a in args if not a.startswith("-")]
            if lock is not None and sub not in ("init", "new"):
                # An install without names only reads them.
                if len(plain) > 1 or sub not in ("install", "i"):
                    present = [p for n in lock if (p := resolve(n)) is not None and state.get(p) is not None]
                    state.mark_unknown(present, f"{where} rewrites {program}'s files")
            elif not (program == "go" and sub in ("mod",) and plain[1:2] not in (["tidy"], ["init"])):
                state.lose(f"{where} rewrites or generates files ({program} {sub})")
    elif program.startswith(("python", "node", "ruby", "perl", "bash", "sh", "deno", "bun")) or program.endswith(
        (".py", ".sh")
    ):
        _script(state, command, resolve, where)


def _sed(state: State, args: list[str], resolve: Resolve, where: str) -> None:
    call = sed_call(args)
    if not call.in_place:
        return
    if call.unsupported:
        _arguments_unknown(state, args, resolve, f"{where}: sed {call.unsupported} is not carried out")
        return
    for name in call.files:
        path = resolve(name)
        if path is None:
            continue
        try:
            text = None if path in state.unknown else state.text(path)
            if text is None:
                raise SedError(f"the content of {name} is not known")
            state.write(path, sed(text, call.scripts, extended=call.extended))
        except SedError as error:
            if has_pattern(name):
                state.lose(f"{where}: {error}")
            else:
                state.mark_unknown([path], f"{where}: {error}")


def _arguments_unknown(state: State, args: list[str], resolve: Resolve, reason: str) -> None:
    """Make the files that arguments name unknown; if they name no file, everything is."""
    named: list[str] = []
    for arg in args:
        path = None if arg.startswith("-") else resolve(arg)
        if path is None:
            continue
        inside = state.under(path)
        if inside:
            named += [p for p in inside if is_source(p) or p == path]
    if named:
        state.mark_unknown(named, reason)
    elif not any(EXTENSION.search(a) and resolve(a) is None for a in args if not a.startswith("-")):
        state.lose(reason)


def _script(state: State, command: Command, resolve: Resolve, where: str) -> None:
    """An interpreter: its code is searched where it is known (``-c``, standard input, a script in the tree)."""
    code, name = command.stdin, "its code"
    args = command.args
    flag = next((i for i, a in enumerate(args) if a in ("-c", "-e", "--eval", "-p")), None)
    if flag is not None and flag + 1 < len(args):
        code = args[flag + 1]
    elif any(a == "-m" for a in args):
        return
    else:
        script = script_of(command)
        path = None if script is None else resolve(script)
        if path is not None and (text := state.text(path)) is not None:
            code, name = text, path
    if code is not None and _WRITING_CODE.search(code):
        paths = {
            p
            for literal in _STRING.findall(code)
            if (p := resolve(literal)) is not None and p and state.get(p) is not None
        }
        reason = f"{where} writes files by program ({name})"
        if paths:
            state.mark_unknown(paths, reason)
        elif not _TEMPORARY.search(code):
            state.lose(reason)


_STRING = re.compile(r"['\"]([\w./-]{1,200})['\"]")
_TEMPORARY = re.compile(
    r"tempfile|mkdtemp|tmp_path|/tmp/|os\.devnull|sys\.std(?:out|err)\.write|process\.stdout\.write"
)
