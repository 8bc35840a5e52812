"""File edits made through the shell: redirections, here-documents, sed, scripts, patches, mv, rm, git checkout ..."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping

from ...trajectory.model import FileChange
from ..shell.parse import Command, parse, printed
from ..shell.wrappers import is_python, is_shell
from .files import FILE_RULES, WHOLE_TREE, Changes, from_xargs, known, operands
from .sed import Change, perl_changes, sed_changes

__all__ = ["WHOLE_TREE", "shell_edits"]

_WRITING = frozenset((">", ">>", ">|", "1>", "1>>", "&>", "&>>", ">&"))
_APPENDING = frozenset((">>", "1>>", "&>>"))
# Wrappers behind which paths are those of a container or another machine.
_ELSEWHERE = ("docker", "podman", "nerdctl", "kubectl", "oc ", "ssh", "docker-compose", "podman-compose")


def shell_edits(command: Command, scripts: Mapping[str, str] | None = None) -> list[FileChange]:
    """The files that a command writes, as far as its text tells.

    Paths are as written, joined with the command's ``cwd`` when they are relative; what is only known when the line
    runs (``$DIR/x``, files that xargs passes) is left out, or is :data:`WHOLE_TREE` when something was surely edited.
    "create" is any whole-file write: whether the file existed is for the caller to say.

    ``scripts`` are the texts of files by path (joined with the directory as paths are here): with them
    ``python fix.py`` and ``bash fix.sh`` give what those scripts write.
    """
    if scripts and (inner := _script_edits(command, scripts)) is not None:
        return inner
    rule = _RULES.get(command.program)
    if rule is None:
        if is_python(command.program):
            rule = _python
        elif not command.redirects:
            return []
    if command.wrappers and any(w.startswith(_ELSEWHERE) for w in command.wrappers):
        return []
    changes = rule(command) if rule is not None else []
    if command.redirects:
        changes = changes + _redirected(command)
    return [_placed(c, command.cwd) for c in changes if known(c.path)] if changes else changes


def _script_edits(command: Command, scripts: Mapping[str, str]) -> list[FileChange] | None:
    """The edits of a script whose text is known; None if the command runs none."""
    program = command.program
    python = is_python(program) or program.endswith(".py")
    if not (python or is_shell(program) or program.endswith((".sh", ".bash"))):
        return None
    words = [command.path] if program.endswith((".py", ".sh", ".bash")) else operands(command.args, "-W -X")[:1]
    text = scripts.get(_join(command.cwd, posixpath.normpath(words[0]))) if words else None
    if text is None:
        return None
    if python:
        changes = _copies(text)
    else:
        changes = [c for inner in parse(text) for c in shell_edits(inner)]
    return [_placed(c, command.cwd) for c in changes + _redirected(command) if known(c.path)]


def _placed(change: FileChange, cwd: str | None) -> FileChange:
    change.path = _join(cwd, change.path)
    if change.new_path is not None:
        change.new_path = _join(cwd, change.new_path)
    return change


def _join(cwd: str | None, path: str) -> str:
    if not cwd or path.startswith(("/", "~")) or path[1:2] == ":":
        return path
    return posixpath.normpath(posixpath.join(cwd, path))


def _redirected(command: Command) -> Changes:
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
    if text is not None and not exact:  # expansions stand in the text: not the file as it is, but what it is about
        return FileChange(path, "create", hunks=[("", text)])
    return FileChange(path, "create", after=text)


def _tee(command: Command) -> Changes:
    append = any(a in ("-a", "--append", "-ai") for a in command.args)
    return [_write(path, command.stdin, append=append, exact=command.stdin_literal) for path in operands(command.args)]


def _sed(command: Command) -> Changes:
    scripts: list[str] = []
    files: list[str] = []
    in_place = extended = unknown = False
    i = 0
    args = command.args
    while i < len(args):
        word = args[i]
        i += 1
        if word in ("-e", "--expression"):
            scripts.extend(args[i : i + 1])
            i += 1
        elif word.startswith("--expression="):
            scripts.append(word[13:])
        elif word in ("-f", "--file"):
            unknown, i = True, i + 1
        elif word.startswith("--"):
            in_place = in_place or word.startswith("--in-place")
            extended = extended or word == "--regexp-extended"
        elif word.startswith("-") and len(word) > 1:
            letters = word[1:]
            at = letters.find("i")
            flags = letters if at < 0 else letters[:at]
            in_place = in_place or at >= 0
            extended = extended or "E" in flags or "r" in flags
            if flags.endswith("e") and at < 0:
                scripts.extend(args[i : i + 1])
                i += 1
        elif word:
            files.append(word)
    if not in_place:
        return []
    if not scripts and not unknown:
        scripts, files = files[:1], files[1:]
    if not files and from_xargs(command):
        files = [WHOLE_TREE]
    changes = None if unknown else sed_changes("\n".join(scripts), extended=extended)
    return [c for path in files for c in _substituted(path, changes)]


def _substituted(path: str, changes: list[Change] | None) -> Changes:
    if not changes:
        return [FileChange(path)]
    if len(changes) == 1:
        one = changes[0]
        return [FileChange(path, hunks=[(one.old, one.new)], replace_all=one.everywhere, at_line=one.line)]
    return [FileChange(path, hunks=[(c.old, c.new) for c in changes])]


def _perl(command: Command) -> Changes:
    args = command.args
    if not any(re.match(r"-[a-zA-Z0-9]*i", a) for a in args if not a.startswith("--")):
        return []
    program = None
    files: list[str] = []
    i = 0
    while i < len(args):
        word = args[i]
        i += 1
        if word.startswith("-") and word.endswith(("e", "E")) and not word.startswith("--"):
            program = args[i] if i < len(args) else None
            i += 1
        elif not word.startswith("-"):
            files.append(word)
    if not files and from_xargs(command):
        files = [WHOLE_TREE]
    changes = perl_changes(program) if program is not None else None
    return [c for path in files for c in _substituted(path, changes)]


def _awk(command: Command) -> Changes:
    if "inplace" not in command.args[:2]:
        return []
    words = operands(command.args, "-i -v -F -f")
    return [FileChange(path) for path in (words if "-f" in command.args else words[1:])]


def _ed(command: Command) -> Changes:
    return [FileChange(path) for path in operands(command.args, "-c -p")[:1] if command.stdin or "-c" in command.args]


def _python(command: Command) -> Changes:
    args = command.args
    if "-c" in args:
        at = args.index("-c") + 1
        code = args[at] if at < len(args) else ""
    elif command.stdin is not None and not operands([a for a in args if a != "-"], "-W -X"):
        code = command.stdin
    else:
        return []
    if len(code) < 12:
        return []
    return _copies(code)


def _copies(code: str) -> Changes:
    from .python import python_edits

    # The analysis is cached, and the paths are joined with a directory afterwards.
    return [
        FileChange(c.path, c.operation, list(c.hunks), None, c.after, c.new_path, c.replace_all)
        for c in python_edits(code)
    ]


_JS_STRING = r"(?P<q>['\"`])(?P<path>[^'\"`\n$]{1,300})(?P=q)"
_JS_WRITE = re.compile(
    r"\b(?P<call>writeFileSync|writeFile|appendFileSync|appendFile|File\.write|file_put_contents)\s*\(\s*" + _JS_STRING
)
_JS_DELETE = re.compile(r"\b(?:unlinkSync|rmSync|unlink|File\.delete|FileUtils\.rm_rf?)\s*\(\s*" + _JS_STRING)
_JS_RENAME = re.compile(r"\brenameSync\s*\(\s*" + _JS_STRING + r"\s*,\s*['\"`](?P<new>[^'\"`\n$]{1,300})")
_JS_LITERAL = re.compile(r"\s*,\s*(?:`([^`$\\]*)`|'([^'\\\n]*)'|\"([^\"\\\n]*)\")\s*[,)]")


def _javascript(command: Command) -> Changes:
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


def _formatter(
    *needs: str, unless: tuple[str, ...] = ("--check", "--diff", "-l", "--dry-run", "-d")
) -> Callable[[Command], Changes]:
    def rule(command: Command) -> Changes:
        args = command.args
        if (needs and not any(a in needs for a in args)) or any(a in unless for a in args):
            return []
        files = operands(
            args, "--config -c --line-length --rules --select --ignore --profile --style -r --parser --ext"
        )
        return [FileChange(f) for f in files if "." in posixpath.basename(f) and "*" not in f and f not in (".", "..")]

    return rule


def _ruff(command: Command) -> Changes:
    if command.args[:1] == ["format"] or "--fix" in command.args:
        return _formatter()(Command("ruff", command.args[1:]))
    return []


_RULES: dict[str, Callable[[Command], Changes]] = {
    **FILE_RULES,
    **dict.fromkeys(("tee", "sponge"), _tee),
    **dict.fromkeys(("sed", "gsed"), _sed),
    "perl": _perl,
    **dict.fromkeys(("awk", "gawk"), _awk),
    **dict.fromkeys(("ed", "ex"), _ed),
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "tsx", "ruby", "php"), _javascript),
    "ruff": _ruff,
    **dict.fromkeys(("black", "isort", "djlint", "rustfmt", "dos2unix"), _formatter()),
    **dict.fromkeys(("autopep8", "yapf", "clang-format"), _formatter("-i", "--in-place")),
    **dict.fromkeys(("prettier", "biome"), _formatter("--write", "-w", "--apply", "--fix")),
    **dict.fromkeys(("eslint", "stylelint", "oxlint", "standard"), _formatter("--fix")),
    **dict.fromkeys(("gofmt", "goimports", "gofumpt", "shfmt"), _formatter("-w", unless=("-d",))),
    **dict.fromkeys(("rubocop", "standardrb"), _formatter("-a", "-A", "--autocorrect", "--autocorrect-all", "--fix")),
}
