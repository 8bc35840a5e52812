"""Version control: what a git command does to history and to work that is not committed."""

from __future__ import annotations

import re
from itertools import pairwise

from ..facts import Exchange
from ..shell.types import SimpleCommand
from .programs import Purpose, ToolRow, rule

# Options of git itself that take the next word.
_GLOBAL = frozenset(
    ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env")
)
_COMMIT_VALUED = frozenset(
    "--message --file --author --date --fixup --squash --trailer --cleanup --reuse-message --template".split()
)
_FILE_NAME = re.compile(r"[^:]*[^/.:][.][A-Za-z]\w{0,5}$")


def git_subcommand(args: list[str]) -> tuple[str, list[str]]:
    """``commit`` and the words after it, past git's own options."""
    i = 0
    while i < len(args):
        word = args[i]
        if not word.startswith("-"):
            return word, args[i + 1 :]
        i += 2 if word in _GLOBAL else 1
    return "", []


@rule
def git(command: SimpleCommand, tool: ToolRow) -> Purpose:
    sub, rest = git_subcommand(command.args)
    if sub == "commit":
        return _commit(command, rest)
    if sub == "grep":
        return Purpose("search")
    if sub == "apply":
        return Purpose("probe" if "--check" in rest or "--stat" in rest else "edit")
    if sub == "am":
        return Purpose("commit")
    return Purpose("vcs")


def exchanges_files(command: SimpleCommand) -> bool:
    """Whether a git command puts other files into the work tree: a restore, another branch, a merge, a rebase.

    Not what puts changes aside, since it puts them back later.
    """
    sub, rest = git_subcommand(command.args)
    match sub:
        case "checkout" | "switch":
            return not {"-b", "-B", "-c", "-C", "--orphan"} & set(rest)
        case "reset":
            return bool({"--hard", "--merge", "--keep"} & set(rest))
        case "restore":
            return not _has(rest, "S", "--staged") or _has(rest, "W", "--worktree")
    return sub in TAKES_COMMITS


# What takes over commits that are there; git writes the messages itself, or keeps those that it finds.
TAKES_COMMITS = frozenset(("merge", "rebase", "pull", "cherry-pick", "revert"))
_STASH = frozenset("push save pop apply drop clear list show branch create store export import".split())


def stash_action(rest: list[str]) -> tuple[str, list[str]]:
    """What ``git stash`` does, and the paths to which it is limited (``[]``: to none)."""
    words = [a for a in rest if not a.startswith("-")]
    action = words[0] if words and words[0] in _STASH and rest[0] != "--" else "push"
    if action != "push":
        return action, []
    if "--" in rest:
        return action, rest[rest.index("--") + 1 :]
    valued = {b for a, b in pairwise(rest) if a in ("-m", "--message")}
    return action, [w for w in words if w != "push" and w not in valued]


def revision(command: SimpleCommand) -> str | None:
    """The revision that ``git checkout`` or ``git switch`` brings into the work tree; None: it is about files."""
    sub, rest = git_subcommand(command.args)
    words = [a for a in rest if not a.startswith("-") or a == "-"]
    if sub not in ("checkout", "switch") or "--" in rest or {"-p", "--patch", "--ours", "--theirs"} & set(rest):
        return None
    if {"-b", "-B", "-c", "-C", "--orphan"} & set(rest):
        return words[0] if words else None
    is_file = len(words) != 1 or words[0] == "." or words[0].endswith("/") or _FILE_NAME.match(words[0])
    return words[0] if (sub == "switch" and words) or not is_file else None


def exchange(command: SimpleCommand) -> Exchange:
    """How git exchanges files all over the work tree.

    "aside": it puts changes aside (``git stash``); "back": back from there; "reset": it undoes them; "clean": it
    removes what is untracked; "switch": to another revision; "": it does not.
    """
    sub, rest = git_subcommand(command.args)
    if sub == "stash":
        action = stash_action(rest)[0]
        return "aside" if action in ("push", "save") else "back" if action in ("pop", "apply") else ""
    if sub in ("checkout", "switch") and revision(command) is not None:
        return "" if {"-b", "-B", "-c", "-C", "--orphan"} & set(rest) else "switch"
    if sub in ("checkout", "restore") and takes_other_state(command):
        return "switch"
    return "reset" if sub in ("reset", "checkout", "restore") else "clean" if sub == "clean" else ""


def takes_other_state(command: SimpleCommand) -> bool:
    """Whether git puts files into the state of a named revision (``git checkout v1 -- FILE``), not of the last."""
    sub, rest = git_subcommand(command.args)
    if sub == "restore":
        named = [b for a, b in pairwise(rest) if a in ("-s", "--source")]
        named += [a.removeprefix("--source=") for a in rest if a.startswith("--source=")]
    else:
        words = [a for a in rest if not a.startswith("-") or a == "--"]
        named = [w for w in words[:1] if w != "--" and len(words) > 1 and not _FILE_NAME.match(w) and w[-1] not in "./"]
    return sub in ("checkout", "restore") and any(n not in ("HEAD", "@") for n in named)


def _has(rest: list[str], letter: str, long: str = "") -> bool:
    return any(a == long or (len(a) > 1 and a[0] == "-" and a[1] != "-" and letter in a[1:]) for a in rest if a)


def _commit(command: SimpleCommand, rest: list[str]) -> Purpose:
    commit = Purpose("commit")
    parts: list[str] = []
    i = 0
    while i < len(rest):
        word = rest[i]
        i += 1
        if word in ("--dry-run", "--help", "-h"):
            return Purpose("vcs")
        if word == "--":
            commit.targets.extend(rest[i:])
            break
        if word == "--amend":
            commit.amend = True
        elif word == "--all":
            commit.all_files = True
        elif word.startswith("--message="):
            parts.append(word[10:])
        elif word.startswith("--file="):
            parts.extend(_from_file(command, word[7:], commit))
        elif word in _COMMIT_VALUED:
            value = rest[i] if i < len(rest) else ""
            i += 1
            if word == "--message":
                parts.append(value)
            elif word == "--file":
                parts.extend(_from_file(command, value, commit))
            elif word in ("--fixup", "--squash"):
                parts.append(f"{word[2:]}! {value}")
        elif word.startswith(("--fixup=", "--squash=")):
            name, _, value = word[2:].partition("=")
            parts.append(f"{name}! {value}")
        elif word.startswith("--") or not word.startswith("-"):
            if not word.startswith("-"):
                commit.targets.append(word)
        else:
            # A cluster of letters (-qam): the first one that takes a value ends it.
            for at, letter in enumerate(word[1:], 2):
                if letter == "a":
                    commit.all_files = True
                elif letter in "mFCct":
                    value = word[at:]
                    if not value:
                        value = rest[i] if i < len(rest) else ""
                        i += 1
                    if letter == "m":
                        parts.append(value)
                    elif letter == "F":
                        parts.extend(_from_file(command, value, commit))
                    break
                elif letter in "uS":
                    break
    commit.message = "\n\n".join(parts) if parts else None
    return commit


def _from_file(command: SimpleCommand, name: str, commit: Purpose) -> list[str]:
    if name in ("-", "/dev/stdin"):
        return [command.stdin.rstrip("\n")] if command.stdin is not None else []
    commit.message_file = name or None
    return []


@rule
def other_vcs(command: SimpleCommand, tool: ToolRow) -> Purpose:
    """hg, svn, jj: commits have their message in -m as well."""
    sub, rest = git_subcommand(command.args)
    if sub in ("commit", "ci", "describe"):
        return _commit(command, rest)
    return Purpose("vcs")


@rule
def code_host(command: SimpleCommand, tool: ToolRow) -> Purpose:
    """gh and glab: mostly looking."""
    words = [a for a in command.args if not a.startswith("-")][:2]
    if words[1:2] == ["watch"]:
        return Purpose("wait")
    if words[:1] == ["api"] and any(
        a.upper() in ("POST", "PUT", "PATCH", "DELETE") or a in ("-f", "-F", "--field") for a in command.args
    ):
        return Purpose("vcs")
    if words[1:2] in (["view"], ["list"], ["status"], ["diff"], ["checks"]) or words[:1] in (
        ["api"],
        ["auth"],
        ["search"],
    ):
        return Purpose("probe")
    return Purpose("vcs")
