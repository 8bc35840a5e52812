"""File changes as the lines of a unified diff, cheap even for large files."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from ...session.model import FileChange

Sign = Literal["+", "-", " ", "@"]
CONTEXT = 3
LINE_LENGTH = 1000
# Above this product of line counts a block is shown as removed and added whole: the comparison is quadratic at worst.
_MATCH_LIMIT = 400_000


class DiffRun(Struct):
    """Consecutive lines of a diff with the same sign; ``text`` has each line with its sign in front."""

    sign: Sign
    text: str


class Diff(Struct):
    """One changed file. ``cut``: lines left out at the end because the diff is long."""

    title: str
    operation: str
    runs: list[DiffRun]
    added: int
    removed: int
    cut: int = 0


def diff(change: FileChange, max_chars: int) -> Diff:
    """The diff of one change with about ``max_chars`` characters; ``added`` and ``removed`` count all lines."""
    title = bounded(change.path)
    result = Diff(
        title if change.new_path is None else f"{title} → {bounded(change.new_path)}", change.operation, [], 0, 0
    )
    pending: list[str] = []
    sign: Sign = " "
    room = max_chars

    def flush() -> None:
        if pending:
            result.runs.append(DiffRun(sign, "".join(pending)))
            pending.clear()

    for next_sign, line in _lines(change):
        if next_sign == "+":
            result.added += 1
        elif next_sign == "-":
            result.removed += 1
        if room <= 0:
            result.cut += 1
            continue
        line = bounded(line)
        room -= len(line) + 2
        if next_sign != sign:
            flush()
            sign = next_sign
        pending.append(f"{'' if sign == '@' else sign}{line}\n")
    flush()
    return result


def bounded(line: str) -> str:
    """A line, cut where it is too long to be read."""
    if len(line) <= LINE_LENGTH:
        return line
    return f"{line[:LINE_LENGTH]} … {len(line) - LINE_LENGTH:,} more characters"


def shorten(made: Diff, max_chars: int) -> None:
    """Leaves out whole lines at the end of a diff until it has about ``max_chars`` characters."""
    room = max_chars
    for index, run in enumerate(made.runs):
        if len(run.text) <= room:
            room -= len(run.text)
            continue
        end = run.text.find("\n", max(0, room)) + 1
        made.cut += sum(r.text.count("\n") for r in made.runs[index:]) - run.text[:end].count("\n")
        run.text = run.text[:end]
        del made.runs[index + 1 :]
        return


def _lines(change: FileChange) -> Iterator[tuple[Sign, str]]:
    if change.before is not None and change.after is not None:
        yield from _compare(change.before.splitlines(), change.after.splitlines(), whole=True)
    elif change.hunks:
        several = len(change.hunks) > 1
        for number, (old, new) in enumerate(change.hunks, 1):
            if several:
                yield "@", f"@@ {number} of {len(change.hunks)} @@"
            elif change.replace_all:
                yield "@", "@@ every occurrence @@"
            elif change.at_line is not None:
                yield "@", f"@@ after line {change.at_line} @@"
            yield from _compare(old.splitlines(), new.splitlines(), whole=False)
    elif change.after is not None:
        for line in change.after.splitlines():
            yield "+", line
    elif change.before is not None:
        for line in change.before.splitlines():
            yield "-", line


def _compare(old: list[str], new: list[str], whole: bool) -> Iterator[tuple[Sign, str]]:
    """Lines of the difference; with ``whole`` both are complete files, so far context is left out behind an "@@"."""
    head = 0
    while head < len(old) and head < len(new) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < len(old) - head and tail < len(new) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    keep = CONTEXT if whole else max(head, tail)
    start = max(0, head - keep)
    if whole:
        yield "@", f"@@ -{start + 1} +{start + 1} @@"
    for line in old[start:head]:
        yield " ", line
    yield from _middle(old[head : len(old) - tail], new[head : len(new) - tail], head, whole)
    for line in old[len(old) - tail : len(old) - tail + min(tail, keep)]:
        yield " ", line


def _middle(old: list[str], new: list[str], offset: int, whole: bool) -> Iterator[tuple[Sign, str]]:
    if len(old) * len(new) > _MATCH_LIMIT:
        yield from (("-", line) for line in old)
        yield from (("+", line) for line in new)
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            same = old[i1:i2]
            if whole and len(same) > 2 * CONTEXT + 1:
                yield from ((" ", line) for line in same[:CONTEXT])
                yield "@", f"@@ -{offset + i2 - CONTEXT + 1} +{offset + j2 - CONTEXT + 1} @@"
                same = same[-CONTEXT:]
            yield from ((" ", line) for line in same)
        else:
            yield from (("-", line) for line in old[i1:i2])
            yield from (("+", line) for line in new[j1:j2])
