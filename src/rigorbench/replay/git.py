"""Git's work-tree commands, carried out on the session's own files, index and HEAD."""

from __future__ import annotations

import re

from ..evidence.commands.formatters import has_option
from ..evidence.commands.vcs import git_subcommand
from ..evidence.edits.files import restores_index_only
from .files import Resolve, move_files
from .state import State

_FOREIGN = frozenset({"merge", "rebase", "cherry-pick", "revert", "pull", "am", "apply", "bisect", "submodule"})


def follow_git(state: State, args: list[str], resolve: Resolve, where: str, *, edits_seen: bool) -> None:
    sub, rest = git_subcommand(args)
    plain = [a for a in rest if not a.startswith("-")]
    after = rest[rest.index("--") + 1 :] if "--" in rest else None
    if sub == "add":
        everything = has_option(rest, "-A") or has_option(rest, "-u") or "--all" in rest or "--update" in rest
        names = ["."] if everything and not plain else plain
        for name in names:
            path = resolve(name)
            if path is not None:
                prefix = "" if path in ("", ".") else path + "/"
                changed = [p for p in {*state.work, *state.index} if p == path or p.startswith(prefix)]
                state.stage(p for p in changed if "-u" not in rest or state.tracked(p))
    elif sub == "commit":
        everything = any(
            a == "--all" or (re.fullmatch(r"-[a-zA-Z]*a[a-zA-Z]*", a) and not a.startswith("--")) for a in rest
        )
        named = [p for a in after or [] if (p := resolve(a)) is not None]
        state.commit([f for p in named for f in {*state.under(p), p}] if named else None, everything=everything)
    elif sub in ("checkout", "restore", "switch"):
        _checkout(state, sub, rest, after, plain, resolve, where)
    elif sub == "reset":
        if "--hard" in rest:
            if plain and plain != ["HEAD"]:
                state.lose(f"{where} moves to a commit that the log does not describe")
            else:
                state.reset_hard()
        elif "--soft" not in rest:
            _unstage(state, [p for p in plain if p != "HEAD"], resolve)
    elif sub == "stash":
        action = plain[0] if plain else "push"
        if action in ("push", "save"):
            if "-u" in rest or "--include-untracked" in rest or "-a" in rest or len(plain) > 1:
                state.lose(f"{where} stashes a selection of files")
            else:
                state.stash()
        elif action in ("pop", "apply") and not state.unstash():
            state.lose(f"{where} restores a stash that cannot be followed")
    elif sub in ("rm", "mv"):
        if "--cached" in rest:
            return
        move_files(state, sub, rest, resolve, where)
        state.stage({*state.work, *state.index})
    elif sub == "clean" and not (has_option(rest, "-n") or "--dry-run" in rest):
        _clean(state, rest, plain, resolve)
    elif sub in _FOREIGN and not (edits_seen or {"--abort", "--check", "--stat"} & set(rest)):
        state.lose(f"{where} brings in changes that the log does not show (git {sub})")


def _checkout(
    state: State, sub: str, rest: list[str], after: list[str] | None, plain: list[str], resolve: Resolve, where: str
) -> None:
    if any(a in ("-b", "-B", "-c", "-C", "--orphan") for a in rest):
        if len(plain) > 1:
            state.lose(f"{where} starts a branch at another commit")
        return
    source: str | None = None
    for i, a in enumerate(rest):
        if a.startswith("--source="):
            source = a[9:]
        elif a in ("--source", "-s") and i + 1 < len(rest):
            source = rest[i + 1]
    names = after
    if names is not None and sub == "checkout":
        before = [a for a in rest[: rest.index("--")] if not a.startswith("-")]
        source = before[0] if before else None
    if names is None:
        names = [a for a in plain if a != source]
        if (
            sub == "checkout"
            and len(names) > 1
            and resolve(names[0]) is not None
            and not state.under(resolve(names[0]) or "-")
        ):
            source, names = names[0], names[1:]
        if sub == "switch" or (sub == "checkout" and len(names) == 1 and not _names_file(state, names[0], resolve)):
            state.lose(f"{where} moves to another branch or commit")
            return
    if sub == "restore" and restores_index_only(rest):
        _unstage(state, names, resolve)
        return
    if source not in (None, "HEAD", "@"):
        state.mark_unknown(
            [f for n in names if (p := resolve(n)) is not None for f in {*state.under(p), p}],
            f"{where} takes files from {source}",
        )
        return
    layer = state.head if source is not None or "--staged" in rest else state.index
    for name in names:
        path = resolve(name)
        if path is None:
            continue
        prefix = "" if path in ("", ".") else path + "/"
        touched = [p for p in {*state.work, *state.unknown} if p == path or p.startswith(prefix)]
        state.restore([p for p in touched if state.get(p, layer) is not None], layer)
        if source is not None:
            state.stage(touched)


def _names_file(state: State, name: str, resolve: Resolve) -> bool:
    path = resolve(name)
    return path is not None and (path in ("", ".") or bool(state.under(path)) or bool(state.under(path, state.index)))


def _unstage(state: State, names: list[str], resolve: Resolve) -> None:
    chosen = [p for n in names if (p := resolve(n)) is not None]
    for path in list(state.index):
        if not names or any(p in ("", ".") or path == p or path.startswith(p + "/") for p in chosen):
            if path in state.head:
                state.index[path] = state.head[path]
            else:
                del state.index[path]


def _clean(state: State, rest: list[str], plain: list[str], resolve: Resolve) -> None:
    directories = has_option(rest, "-d") or any(a.startswith("-") and "d" in a and not a.startswith("--") for a in rest)
    chosen = [p for n in plain if (p := resolve(n)) is not None]
    known = {p.rsplit("/", 1)[0] for p in state.paths(state.index) if "/" in p}
    for path in [p for p, entry in state.work.items() if entry is not None and not state.tracked(p)]:
        if chosen and not any(path == c or path.startswith(c + "/") for c in chosen):
            continue
        if "/" not in path or directories or path.rsplit("/", 1)[0] in known:
            state.set(path, None)
