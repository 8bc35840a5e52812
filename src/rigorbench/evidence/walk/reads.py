"""The files that the commands of a line show, as far as their words, or the programs that were seen to run, tell."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from ...session.model import ObservedProcess
from ..commands.classify import Classified, classify
from ..commands.programs import programs
from ..commands.vcs import git_subcommand
from ..edits.files import from_xargs
from ..edits.python import python_prints
from ..shell.types import SimpleCommand
from ..shell.values import EXPANSION, join, operands
from ..testruns.reproductions import program_text

# Not which file is read, but how much of it: `sed -n 10,20p`, `head -n 30`, `bat -r 1:9`.
_EXTENT = re.compile(r"\d+(?:[,:][+~]?\d+)?p?|\d+,\$p|\$p")
_BRACES = re.compile(r"([^{]*)\{([^{}]*,[^{}]*)\}(.*)")
_MOST_BRACES = 3
# Options of readers that take what to look for.
_GIVEN = ("-e", "--expression", "-f", "--file")


# Paths and patterns of files, as seen from the directory of the call; whether others are shown that nobody can name.
Shown = tuple[list[str], bool]


def shown_files(
    part: Classified, line: Sequence[Classified], ran: Sequence[ObservedProcess], own: tuple[str, str] | None
) -> Shown:
    """What a command of a line shows. ``ran``: the programs that were seen to run for the line; they decide."""
    reader = _reader(part)
    if reader is None:
        return _printed(part, own)
    before = line[: next((n for n, p in enumerate(line) if p is part), 0)]
    if seen := [p for p in ran if p.argv and posixpath.basename(p.argv[0]) == reader.program]:
        told = any((other := _reader(p)) is not None and other.program == reader.program for p in before)
        # A pattern that the shell left as it was matched nothing.
        named = (join(p.cwd, w) for p in seen for w in _operands(reader.program, p.argv[1:]) if "*" not in w)
        return [] if told else list(dict.fromkeys(named)), False
    words = [f for w in _operands(reader.program, reader.args) for f in _alternatives(w)]
    words += [r.target for r in reader.redirects if r.operator == "<"]
    known = [w for w in words if not EXPANSION.search(w) and w != "{}"]
    more = len(known) < len(words) or from_xargs(reader) or reader is not part.command
    lists = [part.command] if reader is not part.command else [p.command for p in before]
    if more and len(listed := [found for c in lists if (found := _listed(c))]) == 1:
        known, more = known + listed[0], False
    return [join(reader.cwd, w) for w in known], more


def _printed(part: Classified, own: tuple[str, str] | None) -> Shown:
    """What a command shows that is no reader: what a program prints, nobody knows."""
    command = part.command
    if part.kind == "noop":
        given = command.program not in programs().groups.filters or command.piped_from or command.stdin is not None
        return [], "$(" in command.text or "`" in command.text or not (given or not operands(command.args))
    if part.kind not in ("run", "service"):
        return [], part.kind == "search" and "-exec" in command.args
    name, text = program_text(part, own) or ("", "")
    files = python_prints(text) if name.endswith(".py") else ()
    return [join(command.cwd, file) for file in files], True


def _reader(part: Classified) -> SimpleCommand | None:
    """The command that shows files: the command itself, or the one that ``find`` starts."""
    command = part.command
    if part.kind == "read":
        return command
    start = next((n for n, a in enumerate(command.args) if a in ("-exec", "-execdir")), None)
    if command.program != "find" or start is None or not (words := command.args[start + 1 :]):
        return None
    inner = SimpleCommand(posixpath.basename(words[0]), [w for w in words[1:] if w not in (";", "+")], cwd=command.cwd)
    return inner if classify(inner).kind == "read" else None


def _operands(program: str, args: Sequence[str]) -> list[str]:
    """The files among the words of a reading command."""
    filters = programs().groups.pattern_filters
    words = operands(args, "-e --expression -f --file -v -F -d" if program in filters else "")
    if program in filters and not any(a.startswith(_GIVEN) for a in args):
        words = words[1:]
    return [w for w in words if not _EXTENT.fullmatch(w) and w not in ("-", "/dev/null")]


def _alternatives(word: str) -> list[str]:
    """``src/{a,b}.py`` as the words that the shell makes of it."""
    found = _BRACES.fullmatch(word) if word.count("{") <= _MOST_BRACES and "${" not in word else None
    if found is None:
        return [word]
    return [w for option in found[2].split(",") for w in _alternatives(found[1] + option + found[3])]


def _listed(command: SimpleCommand) -> list[str]:
    """Patterns of the files whose names a command prints; [] for a command that prints no names."""
    args = command.args
    if command.program == "find":
        end = next((n for n, a in enumerate(args) if a[:1] in ("-", "(", "!")), len(args))
        pairs = zip(["", *args], args, args[1:], strict=False)
        names = [v for before, a, v in pairs if a in ("-name", "-iname") and before not in ("-not", "!")] or [""]
        return [join(command.cwd, posixpath.join(root, "**", name)) for root in args[:end] or ["."] for name in names]
    if command.program == "ls":
        return [join(command.cwd, w) for w in operands(args)]
    if command.program == "git" and git_subcommand(args)[0] == "ls-files":
        return [join(command.cwd, w) for w in operands(git_subcommand(args)[1])]
    return []
