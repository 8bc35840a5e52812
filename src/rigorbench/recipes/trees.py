"""Trees of files in memory: the files of a distribution, what differs between two trees, and patches."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

# Path -> content. Modes do not matter to a library; scripts in it are not run.
Tree = dict[str, bytes]


class Change(Struct, frozen=True):
    """One place where two versions of a file differ: its lines in each."""

    file: str
    number: int
    start: int
    end: int
    new_start: int
    new_end: int


class TreeError(ValueError):
    """A place in a tree that does not exist. One line."""


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path is one of these, below one, or matches a glob (``*`` within a part, ``**`` any depth)."""
    return any(_pattern(pattern).fullmatch(path) for pattern in patterns)


def _pattern(glob: str) -> re.Pattern[str]:
    kinds = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = [kinds.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*|\?)", glob.rstrip("/"))]
    return re.compile("".join(parts) + "(?:/.*)?")


def selected(tree: Tree, patterns: Iterable[str], without: Iterable[str] = ()) -> Tree:
    patterns, without = list(patterns), list(without)
    return {p: c for p, c in tree.items() if matches(p, patterns) and not matches(p, without)}


def lines(content: bytes | None) -> list[str]:
    """The lines with their ends; only a line feed ends one, as for git."""
    text = (content or b"").decode("utf-8", "surrogateescape")
    return [line for line in re.split(r"(?<=\n)", text) if line]


def changes(old: Tree, new: Tree) -> list[Change]:
    """Where two trees differ, by file and line. A file that is only in one of them is one change."""
    found = []
    for file in sorted(old.keys() | new.keys()):
        before, after = lines(old.get(file)), lines(new.get(file))
        if (file in old) != (file in new):
            found.append(Change(file, 1, 0, len(before), 0, len(after)))
            continue
        if old[file] == new[file]:
            continue
        codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        real = (code for code in codes if code[0] != "equal")
        found += [Change(file, n, *code[1:]) for n, code in enumerate(real, 1)]
    return found


def with_changes(old: Tree, new: Tree, undo: Iterable[str]) -> Tree:
    """The new tree with some changes undone: all of FILE, or FILE#N for its Nth.

    Raises:
        TreeError: there is no such change.
    """
    everything, undone = changes(old, new), set[Change]()
    for name in undo:
        file, _, number = name.partition("#")
        hits = [c for c in everything if c.file == file and number in ("", str(c.number))]
        if not hits:
            known = ", ".join(f"{c.file}#{c.number}" for c in everything[:12])
            raise TreeError(f"no change {name!r} between the trees; there are {known}")
        undone.update(hits)
    result = dict(new)
    for file in {change.file for change in undone}:
        mine = [c for c in everything if c.file == file]
        if file not in new or file not in old:
            result.pop(file, None)
            result |= {file: old[file]} if file in old else {}
            continue
        before, after = lines(old[file]), lines(new[file])
        for change in sorted(mine, key=lambda c: c.new_start, reverse=True):
            if change in undone:
                after[change.new_start : change.new_end] = before[change.start : change.end]
        result[file] = "".join(after).encode("utf-8", "surrogateescape")
    return result


def patch(old: Tree, new: Tree) -> str:
    """The difference of two trees as git reads it.

    Raises:
        TreeError: a file that differs is no text.
    """
    return "".join(part for file in sorted(old.keys() | new.keys()) for part in _file_patch(file, old, new))


def _file_patch(file: str, old: Tree, new: Tree) -> Iterator[str]:
    before, after = old.get(file), new.get(file)
    if before == after:
        return
    if b"\0" in (before or b"") + (after or b""):
        raise TreeError(f"{file} differs and is no text; leave it out by package.drop")
    yield f"diff --git a/{file} b/{file}\n"
    if before is None:
        yield "new file mode 100644\n"
    if after is None:
        yield "deleted file mode 100644\n"
    names = ("/dev/null" if before is None else f"a/{file}", "/dev/null" if after is None else f"b/{file}")
    for line in difflib.unified_diff(lines(before), lines(after), *names):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def write_tree(tree: Tree, directory: Path) -> None:
    for path, content in tree.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
