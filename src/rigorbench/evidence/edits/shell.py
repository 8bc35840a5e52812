"""File edits made through the shell: redirections, here-documents, sed, scripts, patches, mv, rm, git checkout ..."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import partial

from ...base.patterns import lazy
from ...session.model import FileChange
from ..commands.formatters import FORMATTERS
from ..commands.vcs import git_subcommand
from ..shell.parse import SimpleCommand, parse, printed
from ..shell.values import join, operands
from ..shell.wrappers import is_python, is_shell
from .files import FILE_RULES, WHOLE_TREE, Changes, from_xargs, known
from .python import python_edits, stopped
from .sed import Change, sed_call, sed_changes

__all__ = ["WHOLE_TREE", "left_alone", "shell_edits", "shows_how_far"]

_WRITING = frozenset((">", ">>", ">|", "1>", "1>>", "&>", "&>>", ">&"))
_APPENDING = frozenset((">>", "1>>", "&>>"))
# Wrappers behind which paths are those of a container or another machine.
_ELSEWHERE = ("docker", "podman", "nerdctl", "kubectl", "oc ", "ssh", "docker-compose", "podman-compose")


def shell_edits(
    command: SimpleCommand, script: Callable[[str], str | None] | None = None, output: str | None = None
) -> list[FileChange]:
    """The files that a command writes, as far as its text shows them.

    Paths are as written, joined with the command's ``cwd`` when they are relative. A file that is known only when the
    line runs (``$DIR/x``, files that xargs passes) is left out, or is :data:`WHOLE_TREE` when some file was certainly
    edited. "create" is any write of a whole file, which may have existed before.

    Args:
        script: gives the text of a file by its path (joined with the directory, like the result's paths): with it
            ``python fix.py`` and ``bash fix.sh`` give the files that those scripts write.
        output: all that the line printed, if that is known. What it shows was not reached is no edit.
    """
    if command.piped_into or any(r.operator in _WRITING and not r.target.isdigit() for r in command.redirects):
        output = None  # the program's own words went elsewhere
    if script is not None and (inner := _script_edits(command, script, output)) is not None:
        return inner
    rule = _RULES.get(command.program)
    if rule is None:
        if is_python(command.program):
            rule = partial(_python, output=output)
        elif not command.redirects:
            return []
    if command.wrappers and any(w.startswith(_ELSEWHERE) for w in command.wrappers):
        return []
    changes = rule(command) if rule is not None else []
    if command.redirects:
        changes = changes + _redirected(command)
    return [_placed(c, command.cwd) for c in changes if known(c.path)] if changes else changes


def shows_how_far(command: SimpleCommand, output: str) -> bool:
    """Whether the output of a Python program that failed shows where it was stopped."""
    return is_python(command.program) and not command.piped_into and stopped(output, _name(command))


# What a program that treats each file by itself says of those that it left alone.
_LEFT_ALONE = lazy(
    r"^(?:\S*/)?(rm|sed|touch): can(?:not|'t) (?:remove|read|touch) ['\"\u2018]?(.+?)['\"\u2019]?: ", re.MULTILINE
)


def left_alone(command: SimpleCommand, output: str) -> set[str]:
    """The files, as :func:`shell_edits` has them, that a command could not change, though it changed the others.

    ``git rm`` names what it removes, unless it is told to be quiet or prints elsewhere.
    """
    if command.program == "git" and (words := git_subcommand(command.args))[0] == "rm":
        elsewhere = command.piped_into or any(r.operator != "2>" for r in command.redirects)
        # Without a word, neither names nor an error, the log may have left them out.
        mute = not output.strip() and not command.redirects
        if elsewhere or mute or not {"-q", "--quiet"}.isdisjoint(words[1]):
            return set()
        return {join(command.cwd, p) for p in operands(words[1]) if f"rm '{p}" not in output}
    if command.program not in ("rm", "sed", "touch") or ": can" not in output:
        return set()
    return {join(command.cwd, m[2]) for m in _LEFT_ALONE.finditer(output) if m[1] == command.program}


def _name(command: SimpleCommand) -> str:
    """What the tracebacks of a Python program call its file, or the end of that."""
    if "-c" in command.args:
        return "<string>"
    script = script_of(command)
    return "<stdin>" if script in (None, "-") else posixpath.basename(script or "")


def _script_edits(
    command: SimpleCommand, text_of: Callable[[str], str | None], output: str | None
) -> list[FileChange] | None:
    """The edits of a script whose text is known; None if the command runs none."""
    program = command.program
    python = is_python(program) or program.endswith(".py")
    if not (python or is_shell(program) or program.endswith((".sh", ".bash"))):
        return None
    script = script_of(command)
    text = text_of(join(command.cwd, posixpath.normpath(script))) if script is not None else None
    if text is None:
        return None
    if python:
        changes = _copies(text, output, _name(command))
    else:
        changes = [c for inner in parse(text) for c in shell_edits(inner)]
    return [_placed(c, command.cwd) for c in changes + _redirected(command) if known(c.path)]


def script_of(command: SimpleCommand) -> str | None:
    """The script that a command runs, as written: the program itself, or the first operand of an interpreter."""
    if command.program.endswith((".py", ".sh", ".bash")):
        return command.path
    return next(iter(operands(command.args, "-W -X")), None)


def _placed(change: FileChange, cwd: str | None) -> FileChange:
    change.path = join(cwd, change.path)
    if change.new_path is not None:
        change.new_path = join(cwd, change.new_path)
    return change


def _redirected(command: SimpleCommand) -> Changes:
    changes: Changes = []
    for redirect in command.redirects:
        if redirect.operator not in _WRITING or redirect.target.isdigit() or redirect.target == "-":
            continue
        text = printed(command) if command.program in ("cat", "echo", "printf") else None
        if command.program in (">", ":", "true"):
            text = ""
        changes.append(
            _write(redirect.target, text, append=redirect.operator in _APPENDING, exact=command.stdin_literal)
        )
    return changes


def _write(path: str, text: str | None, *, append: bool, exact: bool = True) -> FileChange:
    if append:
        return FileChange(path, hunks=[("", text)] if text else [])
    if text is not None and not exact:  # with expansions left in it, the text is not that of the file
        return FileChange(path, "create", hunks=[("", text)])
    return FileChange(path, "create", after=text)


def _tee(command: SimpleCommand) -> Changes:
    append = any(a in ("-a", "--append", "-ai") for a in command.args)
    return [_write(path, command.stdin, append=append, exact=command.stdin_literal) for path in operands(command.args)]


def _sed(command: SimpleCommand) -> Changes:
    call = sed_call(command.args)
    if not call.in_place:
        return []
    files = call.files or ([WHOLE_TREE] if from_xargs(command) else [])
    changes = None if call.script_file else sed_changes("\n".join(call.scripts), extended=call.extended)
    return [c for path in files for c in _substituted(path, changes)]


def _substituted(path: str, changes: list[Change] | None) -> Changes:
    if not changes:
        return [FileChange(path)]
    if len(changes) == 1:
        one = changes[0]
        return [FileChange(path, hunks=[(one.old, one.new)], replace_all=one.everywhere, at_line=one.line)]
    return [FileChange(path, hunks=[(c.old, c.new) for c in changes])]


def _perl(command: SimpleCommand) -> Changes:
    if not any(re.match(r"-[a-zA-Z0-9]*i", a) for a in command.args if not a.startswith("--")):
        return []
    files: list[str] = []
    words = iter(command.args)
    for word in words:
        if word.startswith("-") and word.endswith(("e", "E")) and not word.startswith("--"):
            next(words, None)
        elif not word.startswith("-"):
            files.append(word)
    if not files and from_xargs(command):
        files = [WHOLE_TREE]
    return [FileChange(path) for path in files]


def _awk(command: SimpleCommand) -> Changes:
    if "inplace" not in command.args[:2]:
        return []
    words = operands(command.args, "-i -v -F -f")
    return [FileChange(path) for path in (words if "-f" in command.args else words[1:])]


def _ed(command: SimpleCommand) -> Changes:
    return [FileChange(path) for path in operands(command.args, "-c -p")[:1] if command.stdin or "-c" in command.args]


def _python(command: SimpleCommand, output: str | None) -> Changes:
    args = command.args
    if "-c" in args:
        at = args.index("-c") + 1
        code = args[at] if at < len(args) else ""
    elif command.stdin is not None and not operands([a for a in args if a != "-"], "-W -X"):
        code = command.stdin
    else:
        return []
    return _copies(code, output, _name(command)) if len(code) >= 12 else []


def _copies(code: str, output: str | None, name: str) -> Changes:
    # The analysis is cached, and the paths are joined with a directory afterwards.
    return [
        FileChange(c.path, c.operation, list(c.hunks), None, c.after, c.new_path, c.replace_all)
        for c in python_edits(code, output, name)
    ]


_JS_STRING = r"(?P<q>['\"`])(?P<path>[^'\"`\n$]{1,300})(?P=q)"
_JS_WRITE = lazy(
    r"\b(?P<call>writeFileSync|writeFile|appendFileSync|appendFile|File\.write|file_put_contents)\s*\(\s*" + _JS_STRING
)
_JS_DELETE = lazy(r"\b(?:unlinkSync|rmSync|unlink|File\.delete|FileUtils\.rm_rf?)\s*\(\s*" + _JS_STRING)
_JS_RENAME = lazy(r"\brenameSync\s*\(\s*" + _JS_STRING + r"\s*,\s*['\"`](?P<new>[^'\"`\n$]{1,300})")
_JS_LITERAL = lazy(r"\s*,\s*(?:`([^`$\\]*)`|'([^'\\\n]*)'|\"([^\"\\\n]*)\")\s*[,)]")


def _javascript(command: SimpleCommand) -> Changes:
    """Node, Ruby and PHP one-liners: the paths that their usual calls write."""
    code = command.stdin or ""
    for i, word in enumerate(command.args[:-1]):
        if word in ("-e", "--eval", "-p", "-pe", "-r"):
            code = command.args[i + 1]
    if not any(sign in code for sign in ("rite", "append", "unlink", "rm", "rename", "delete", "put_contents")):
        return []
    changes: Changes = []
    for match in _JS_WRITE.finditer(code):
        literal = _JS_LITERAL.match(code, match.end())
        text = next((g for g in literal.groups() if g is not None), None) if literal else None
        changes.append(_write(match["path"], text, append=match["call"].startswith("append")))
        if text is None and f"readFileSync({match['q']}{match['path']}" in code:
            changes[-1].operation = "modify"
    changes.extend(FileChange(m["path"], "delete") for m in _JS_DELETE.finditer(code))
    changes.extend(FileChange(m["path"], "rename", new_path=m["new"]) for m in _JS_RENAME.finditer(code))
    return changes


def _format(command: SimpleCommand) -> Changes:
    if not FORMATTERS[command.program].rewrites(command.args):
        return []
    args = command.args[1:] if command.program == "ruff" else command.args
    files = operands(args, "--config -c --line-length --rules --select --ignore --profile --style -r --parser --ext")
    layout = FORMATTERS[command.program].layout_only(command.args)
    named = [f for f in files if "." in posixpath.basename(f) and "*" not in f and f not in (".", "..")]
    return [FileChange(f, formatted=layout) for f in named]


_RULES: dict[str, Callable[[SimpleCommand], Changes]] = {
    **FILE_RULES,
    **dict.fromkeys(("tee", "sponge"), _tee),
    **dict.fromkeys(("sed", "gsed"), _sed),
    "perl": _perl,
    **dict.fromkeys(("awk", "gawk"), _awk),
    **dict.fromkeys(("ed", "ex"), _ed),
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "tsx", "ruby", "php"), _javascript),
    **dict.fromkeys(FORMATTERS, _format),
}
