"""The changes of the tools for files: rm, mv, cp, touch, truncate, downloads, patches, git."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from ...session.model import FileChange
from ...session.patches import parse_patch
from ..commands.vcs import git_subcommand, stash_action
from ..shell.types import SimpleCommand
from ..shell.values import operands

# The path of changes of the whole work tree that name no file (git reset --hard, git stash).
WHOLE_TREE = "."
Changes = list[FileChange]


def known(path: str) -> bool:
    return bool(path) and "$" not in path and "`" not in path and not path.startswith(("/dev/", "/proc/"))


def from_xargs(command: SimpleCommand) -> bool:
    return "xargs" in command.wrappers


def patch(command: SimpleCommand) -> Changes:
    if any(a in ("--dry-run", "--check") for a in command.args) or command.stdin is None:
        return []
    files = operands(command.args, "-d -i -o -r -p")
    changes = parse_patch(command.stdin)
    if files and len(changes) == 1:
        changes[0].path = files[0]
    if any(a in ("-R", "--reverse") for a in command.args):
        for change in changes:
            change.hunks = [(new, old) for old, new in change.hunks]
    return changes


def apply_patch(command: SimpleCommand) -> Changes:
    text = command.stdin if command.stdin is not None else next((a for a in command.args if "\n" in a), "")
    return parse_patch(text)


def _rm(command: SimpleCommand) -> Changes:
    return [FileChange(path, "delete") for path in operands(command.args)]


def _into(source: str, target: str, *, directory: bool) -> str:
    """The new path of a moved or copied file: a target without extension is a directory if the file has one."""
    name = posixpath.basename(source.rstrip("/"))
    directory = directory or target.endswith("/") or target in (".", "..")
    if directory or ("." in name[1:] and "." not in posixpath.basename(target)):
        return posixpath.normpath(posixpath.join(target, name))
    return target


def sources_and_target(args: Sequence[str]) -> tuple[list[str], str]:
    """The files that mv or cp takes, and where they go ("" if the command names no target)."""
    words = operands(args, "-S --suffix -m -o -g")
    for option, value in pairwise(args):
        if option in ("-t", "--target-directory"):
            return [w for w in words if w != value], value.rstrip("/") + "/"
    return (words[:-1], words[-1]) if len(words) > 1 else ([], "".join(words))


def touched(args: Sequence[str]) -> list[str]:
    """The files that touch makes if they are missing."""
    return operands(args, "-d -t -r --date --reference")


def _mv(command: SimpleCommand) -> Changes:
    sources, target = sources_and_target(command.args)
    many = len(sources) > 1
    return (
        [FileChange(s, "rename", new_path=_into(s, target, directory=many)) for s in sources] if known(target) else []
    )


def _cp(command: SimpleCommand) -> Changes:
    sources, target = sources_and_target(command.args)
    many = len(sources) > 1
    recursive = any(a.startswith("-") and not a.startswith("--") and set("rRa").intersection(a) for a in command.args)
    if recursive and not many:
        return [FileChange(target, "create")] if sources else []
    return [FileChange(_into(s, target, directory=many), "create") for s in sources]


def _touch(command: SimpleCommand) -> Changes:
    return [FileChange(path, "create") for path in touched(command.args)]


def _truncate(command: SimpleCommand) -> Changes:
    empty = "-s0" in command.args or any(
        a == "-s" and command.args[i + 1 : i + 2] == ["0"] for i, a in enumerate(command.args)
    )
    return [FileChange(path, after="" if empty else None) for path in operands(command.args, "-s -r --size")]


def _download(command: SimpleCommand) -> Changes:
    args = command.args
    for i, arg in enumerate(args):
        clustered = command.program == "curl" and re.fullmatch(r"-[a-zA-Z]+o", arg)
        if clustered or arg in ("-o", "--output", "--output-document") or (arg == "-O" and command.program == "wget"):
            return [FileChange(args[i + 1], "create")] if i + 1 < len(args) and args[i + 1] != "-" else []
        if arg.startswith(("--output=", "--output-document=")):
            return [FileChange(arg.partition("=")[2], "create")]
        if command.program == "wget" and arg.startswith(("-O", "-qO")) and len(arg) > 2:
            path = arg.partition("O")[2] or (args[i + 1] if i + 1 < len(args) else "")
            return [FileChange(path, "create")] if path and path != "-" else []
    remote_name = command.program == "wget" or any(a == "--remote-name" or re.match(r"-[a-zA-Z]*O", a) for a in args)
    if not remote_name or "--spider" in args:
        return []
    names = [posixpath.basename(a.partition("?")[0]) for a in args if "://" in a]
    return [FileChange(n, "create") for n in names if n]


def _find(command: SimpleCommand) -> Changes:
    args = command.args
    if "-exec" in args or "-execdir" in args:
        at = args.index("-exec") if "-exec" in args else args.index("-execdir")
        inner = args[at + 1 :]
        if inner[:1] in (["sed"], ["perl"]) and any(a.startswith(("-i", "-pi")) for a in inner[1:3]):
            return [FileChange(WHOLE_TREE)]
    return []


def _git(command: SimpleCommand) -> Changes:
    sub, rest = git_subcommand(command.args)
    if sub in ("apply", "am"):
        if any(a in ("--check", "--stat", "--numstat", "--summary", "--cached") for a in rest):
            return []
        return patch(SimpleCommand("patch", [a for a in rest if a in ("-R", "--reverse")], stdin=command.stdin))
    rule = _GIT.get(sub)
    return rule(rest) if rule is not None else []


def _git_checkout(rest: list[str]) -> Changes:
    if any(a in ("-b", "-B", "--orphan", "-p", "--patch", "-t", "--track") for a in rest):
        return []
    if "--ours" in rest or "--theirs" in rest:
        return []  # one side of a merge, which is no edit of the agent's
    if "--" in rest:
        return [FileChange(p) for p in rest[rest.index("--") + 1 :]]
    words = [a for a in rest if not a.startswith("-")]
    files = [w for w in words if w == "." or re.fullmatch(r"[^:]*[^/.:]\.[A-Za-z]\w{0,5}|[^:]+/", w)]
    if not files and any(a in ("-f", "--force") for a in rest):
        return [FileChange(WHOLE_TREE)]
    return [FileChange(p) for p in files]


def restores_index_only(rest: Sequence[str]) -> bool:
    """Whether ``git restore`` changes the index, but not the work tree."""
    return any(a in ("-S", "--staged") for a in rest) and not any(a in ("-W", "--worktree") for a in rest)


def _git_restore(rest: list[str]) -> Changes:
    return [] if restores_index_only(rest) else [FileChange(p) for p in operands(rest, "-s --source")]


def _git_stash(rest: list[str]) -> Changes:
    action, paths = stash_action(rest)
    if action not in ("push", "save", "pop", "apply"):
        return []
    return [FileChange(p) for p in paths] or [FileChange(WHOLE_TREE)]


def _git_clean(rest: list[str]) -> Changes:
    letters = {c for a in rest if a.startswith("-") and not a.startswith("--") for c in a}
    if not ("f" in letters or "--force" in rest) or "n" in letters or "--dry-run" in rest:
        return []
    return [FileChange(p, "delete") for p in operands(rest, "-e --exclude")] or [FileChange(WHOLE_TREE)]


_GIT: dict[str, Callable[[list[str]], Changes]] = {
    "checkout": _git_checkout,
    "restore": _git_restore,
    "reset": lambda rest: [FileChange(WHOLE_TREE)] if {"--hard", "--merge"} & {*rest} else [],
    "stash": _git_stash,
    "rm": lambda rest: [] if "--cached" in rest else [FileChange(p, "delete") for p in operands(rest)],
    "mv": lambda rest: _mv(SimpleCommand("mv", rest)),
    "clean": _git_clean,
}


FILE_RULES: dict[str, Callable[[SimpleCommand], Changes]] = {
    "patch": patch,
    **dict.fromkeys(("apply_patch", "applypatch"), apply_patch),
    **dict.fromkeys(("rm", "unlink", "shred", "trash", "Remove-Item"), _rm),
    **dict.fromkeys(("mv", "Move-Item"), _mv),
    **dict.fromkeys(("cp", "install", "Copy-Item"), _cp),
    "touch": _touch,
    "truncate": _truncate,
    **dict.fromkeys(("curl", "wget"), _download),
    "find": _find,
    "git": _git,
}
