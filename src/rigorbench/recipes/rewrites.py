"""Rewrites: lines of a file that give way to our own, so that a recipe holds no text of the package."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from .trees import Tree, TreeError, lines


class Rewrite(Struct, frozen=True):
    """The lines FIRST to LAST of a file become ``code``; without code they are deleted.

    LAST is FIRST - 1 where nothing goes and the code comes before FIRST. A file that does not exist has the lines 1
    to 0.
    """

    file: str
    lines: tuple[int, int]
    code: str = ""


def rewritten(tree: Tree, rewrites: Iterable[Rewrite]) -> Tree:
    """The tree after some rewrites. All line numbers are those of the given tree.

    Raises:
        TreeError: a file does not have these lines, or two rewrites overlap.
    """
    result, limit = dict(tree), dict[str, int]()
    for rewrite in sorted(rewrites, key=lambda r: (r.file, r.lines), reverse=True):
        text = lines(result.get(rewrite.file))
        first, last = rewrite.lines
        end = limit.get(rewrite.file, len(text))
        if not (1 <= first <= last + 1 and last <= end):
            raise TreeError(f"{rewrite.file}: lines {first} to {last} are not among 1 to {end}, or rewritten already")
        limit[rewrite.file] = first - 1
        text[first - 1 : last] = [rewrite.code]
        result[rewrite.file] = "".join(text).encode("utf-8", "surrogateescape")
    return result
