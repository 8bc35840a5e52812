"""A Python source with its tree, its tokens and the byte positions of both."""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from ..model import MutationError, Splice

_LINE_END = re.compile(r"\r\n|\r|\n")
_BOM = "\ufeff"
_SILENT = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class Token(Struct, frozen=True):
    """A token with its byte positions."""

    kind: int
    text: str
    start: int
    end: int


class Span(Struct, frozen=True):
    """The byte positions of one of several parts, with the brackets around it."""

    start: int
    end: int


def parse(text: str) -> ast.Module:
    """The tree of a module.

    Raises:
        MutationError: the text is not Python.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix(_BOM))
    except SyntaxError as error:
        raise MutationError(
            f"line {error.lineno}: not Python of this version ({error.msg}); leave the file out"
        ) from error
    except (ValueError, RecursionError) as error:
        raise MutationError(f"not Python that can be read ({error}); leave the file out") from error


def same_tree(first: ast.AST, second: ast.AST) -> bool:
    """Whether two trees are equal but for positions."""
    waiting: list[tuple[object, object]] = [(first, second)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, ast.AST):
            waiting += [(getattr(a, field, None), getattr(b, field, None)) for field in a._fields]
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            waiting += zip(a, b, strict=True)
        elif repr(a) != repr(b):
            return False
    return True


class Source:
    """The text of one module.

    Raises:
        MutationError: it is not Python.
    """

    def __init__(self, text: str) -> None:
        self.tree = parse(text)
        self.data = text.encode()
        self._text = text.removeprefix(_BOM)
        self._lines = _LINE_END.split(self._text)
        base = len(self.data) - len(self._text.encode())
        self._starts = [base]
        for found in _LINE_END.finditer(self._text):
            length = len(self._lines[len(self._starts) - 1].encode()) + len(found.group())
            self._starts.append(self._starts[-1] + length)

    def start(self, node: ast.AST) -> int:
        return self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined, no-any-return]

    def end(self, node: ast.AST) -> int:
        return self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined, no-any-return]

    def segment(self, node: ast.AST) -> str:
        """The text of a node, without the brackets around it."""
        return self.between(self.start(node), self.end(node))

    def standalone(self, node: ast.AST) -> str:
        """The text of a node so that it can be put where no brackets are around it."""
        text = self.segment(node)
        if "\n" in text or "\r" in text:
            try:
                ast.parse(text)
            except SyntaxError:
                return f"({text})"
        return text

    def between(self, start: int, end: int) -> str:
        return self.data[start:end].decode()

    def line_of(self, offset: int) -> int:
        """The line (from 1) of a byte position."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """The byte position at which the line of a byte position starts."""
        return self._starts[self.line_of(offset) - 1]

    def next_line(self, offset: int) -> int:
        """The byte position at which the next line starts, or the end of the text."""
        line = self.line_of(offset)
        return self._starts[line] if line < len(self._starts) else len(self.data)

    @cached_property
    def newline(self) -> str:
        """The line end that the text uses."""
        found = _LINE_END.search(self._text)
        return found.group() if found else "\n"

    @cached_property
    def all_tokens(self) -> list[Token]:
        """Every token. Those inside an f-string depend on the version of Python, so no operator looks there."""
        lines = iter([line + "\n" for line in self._lines])
        try:
            return [
                Token(kind, text, self._at(start), self._at(end))
                for kind, text, start, end, _ in tokenize.generate_tokens(lambda: next(lines, ""))
                if text and start[0] <= len(self._lines)
            ]
        except (tokenize.TokenError, SyntaxError) as error:
            raise MutationError(f"tokens cannot be read ({error}); leave the file out") from error

    def _at(self, place: tuple[int, int]) -> int:
        row, column = place
        if row > len(self._lines):
            return len(self.data)
        line = self._lines[row - 1]
        return self._starts[row - 1] + (column if line.isascii() else len(line[:column].encode()))

    @cached_property
    def _tokens(self) -> tuple[list[Token], list[int]]:
        tokens = [token for token in self.all_tokens if token.kind not in _SILENT]
        return tokens, [token.start for token in tokens]

    def tokens(self, start: int, end: int) -> Iterator[Token]:
        """The tokens between two byte positions, without comments and line ends."""
        tokens, starts = self._tokens
        for token in tokens[bisect_left(starts, start) :]:
            if token.end > end:
                return
            yield token

    def replace(self, node: ast.AST, text: str) -> tuple[Splice, ...]:
        return (Splice(self.start(node), self.end(node), text),)

    def token_between(self, left: ast.AST, right: ast.AST, text: str) -> Splice | None:
        """The place of an operator sign between two nodes, as a splice that changes nothing yet."""
        for token in self.tokens(self.end(left), self.start(right)):
            if token.text == text:
                return Splice(token.start, token.end, text)
        return None

    def arguments(self, call: ast.Call) -> list[Span]:
        """The arguments of a call in the order of the text."""
        tokens = [*self.tokens(self.end(call.func), self.end(call))]
        first = next((at for at, token in enumerate(tokens) if token.text == "("), None)
        if first is None:
            return []
        starts = sorted(self.start(node) for node in (*call.args, *call.keywords))
        found = list[Span]()
        for span in _parts(tokens[first + 1 : -1], ","):
            # The arguments of a lambda are in no brackets: a part in which no argument starts belongs to the last one.
            if found and not any(span.start <= start < span.end for start in starts):
                found[-1] = Span(found[-1].start, span.end)
            else:
                found.append(span)
        return found

    def operands(self, node: ast.BoolOp) -> list[Span]:
        """The operands of ``and`` or ``or``; none if a lambda makes it unclear which sign belongs to which."""
        sign = "and" if isinstance(node.op, ast.And) else "or"
        parts = _parts([*self.tokens(self.start(node), self.end(node))], sign)
        return parts if len(parts) == len(node.values) else []


def _parts(tokens: list[Token], separator: str) -> list[Span]:
    """The parts between separators that are in no brackets."""
    depth, current, found = 0, list[Token](), list[Span]()
    for token in tokens:
        if depth == 0 and token.text == separator:
            found += [Span(current[0].start, current[-1].end)] if current else []
            current = []
            continue
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        current.append(token)
    return [*found, Span(current[0].start, current[-1].end)] if current else found


def without(spans: list[Span], at: int) -> tuple[Splice, ...]:
    """Drops one of several parts, with the separator beside it."""
    if at > 0:
        return (Splice(spans[at - 1].end, spans[at].end, ""),)
    end = spans[1].start if len(spans) > 1 else spans[0].end
    return (Splice(spans[0].start, end, ""),)
