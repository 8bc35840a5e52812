"""The words of a command: their values, the redirections, and the commands inside substitutions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from .heredocs import MARK, Extracted, extract
from .tables import programs
from .types import Command, Redirect
from .values import DOUBLE_QUOTE_ESCAPE, ESCAPE, EXPANSION, LITERAL, VARIABLE, ansi_c, unescape, unescape_unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

Input = tuple[str, bool]  # text on standard input, and whether it is literal
# Longer lines are cut (bodies of here-documents not counted). The grammar's time grows with the square of the number of
# pipes and of open arrays, so a line with very many of them is cut much earlier; real lines stay far below either.
_MAX_TEXT = 200_000
_MAX_PIPES = 1000
_MAX_TEXT_OF_PIPES = 10_000
MAX_DEPTH = 40
_MAX_VALUE = 256
# Backslashes that separate directories, not escapes.
_WINDOWS_PATH = re.compile(r"(?:[A-Za-z]:|\.{1,2})\\|(?:[\w.-]+\\)+[\w-]+(?:\.\w+)+$|[\w.\\-]+\\(?:Scripts|bin)\\")
_SUBSTITUTIONS = frozenset(("command_substitution", "process_substitution"))
_TEMPORARY = re.compile(r"(?:\$\(|`)\s*mktemp\b[^()$`]*[)`]")  # a place outside the project, whatever its name


class Words:
    """The source of one line and what is known while it is walked. ``out`` collects the commands."""

    def __init__(self, text: str, nested: int = 0) -> None:
        self.nested = nested
        self.heredocs: Extracted = extract(text)
        text = self.heredocs.text
        if len(text) > _MAX_TEXT_OF_PIPES:
            text = text[: _MAX_TEXT_OF_PIPES if text.count("|") + text.count("=(") > _MAX_PIPES else _MAX_TEXT]
        self.source = text.encode("utf-8", "replace")
        self.out: list[Command] = []
        self.cwd: str | None = None
        self.previous_cwd: str | None = None
        self.pipefail = False
        self.errexit = False
        self.variables: dict[str, str] = {}
        self.functions: dict[str, Node] = {}
        self.depth = 0

    def statements(self, nodes: Iterable[Node]) -> None:
        """Walks a list of statements; :class:`.walk.Line` does it."""
        raise TypeError(f"{type(self).__name__} has no structure to walk")

    def slice(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "ignore")

    def word(self, node: Node) -> str:
        """The value of a word; commands inside its substitutions are walked on the way."""
        kind = node.type
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "ignore")
        if kind == "word":
            if "\\" in text and not _WINDOWS_PATH.match(text):
                text = ESCAPE.sub(unescape, text)
        elif kind == "number":
            return text
        elif kind == "raw_string":
            text = text.strip(" \t\n")[1:-1]
        elif kind == "string":
            if "$(" in text or "`" in text:
                self.substitutions(node)
            text = text.strip(" \t\n") if not text.startswith('"') else text
            text = text[1:-1] if len(text) > 1 and text.endswith('"') else text[1:]
            text = self.expand(text)
            if "\\" in text:
                text = DOUBLE_QUOTE_ESCAPE.sub(unescape, text)
        elif kind == "concatenation":
            parts = node.children
            # In broken text the grammar joins what blanks separate: then it stays as written.
            if all(a.end_byte == b.start_byte for a, b in pairwise(parts)) and not node.has_error:
                return "".join([self.word(c) for c in parts])
        elif kind == "ansi_c_string":
            text = ansi_c(text.strip(" \t\n")[2:-1])
        elif kind in ("simple_expansion", "expansion"):
            text = self.expand(text)
        elif "$(" in text or "`" in text or "(" in text:
            self.substitutions(node)
        return self.heredocs.in_word(text) if MARK in text else _TEMPORARY.sub("/tmp/mktemp", text)

    def fields(self, node: Node) -> list[str]:
        """The words that a word becomes: a variable without quotes is split at blanks."""
        value = self.word(node)
        return value.split() if node.type in ("simple_expansion", "expansion") and "$" not in value else [value]

    def expand(self, text: str) -> str:
        if "$" in text and self.variables:
            return VARIABLE.sub(lambda m: self.variables.get(m[1] or m[2], m[0]), text)
        return text

    def remember(self, name: str, value: str) -> None:
        """Keeps a variable's value, if it is literal (and short: a long one could grow without bound)."""
        if len(value) <= _MAX_VALUE and LITERAL.fullmatch(value):
            self.variables[name] = value
        else:
            self.variables.pop(name, None)

    def assignment(self, node: Node) -> tuple[str, str]:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        return (self.slice(name) if name is not None else ""), (self.word(value) if value is not None else "")

    def substitutions(self, node: Node) -> None:
        """Walks the commands in ``$(...)``; those that only compute a word leave nothing."""
        if self.depth >= MAX_DEPTH:
            return
        todo = [node]
        while todo:
            node = todo.pop()
            if node.type not in _SUBSTITUTIONS:
                todo.extend(reversed(node.children))
                continue
            start = len(self.out)
            before = self.cwd, self.errexit, self.pipefail
            self.statements(node.children)
            self.cwd, self.errexit, self.pipefail = before
            inner = self.out[start:]
            if all(c.program in programs().computing or c.args[:1] == ["rev-parse"] for c in inner):
                del self.out[start:]
            for c in inner:
                c.status = "none"

    def redirections(self, nodes: Iterable[Node], into: list[Redirect], words: list[str] | None = None) -> Input | None:
        """Adds redirections to ``into``; returns the standard input, if one of them provides it.

        The grammar takes words after a target (``cat > out file``) for more targets; they are arguments: ``words``.
        """
        stdin: Input | None = None
        for node in nodes:
            operator, target = "", ""
            for child in node.children:
                kind = child.type
                if kind == "file_descriptor" or not child.is_named:
                    operator += self.slice(child).strip()
                elif kind == "ERROR":
                    continue
                elif target:
                    if words is not None:
                        words.append(self.word(child))
                else:
                    target = self.source[child.start_byte : child.end_byte].decode("utf-8", "ignore")
                    if not target.startswith(MARK):
                        target = self.word(child)
            if operator == "<" and self.source[max(node.start_byte - 2, 0) : node.start_byte] == b"<<":
                operator = "<<<"  # which the grammar misses after another redirection
            if operator == "<<<":
                stdin = target + "\n", not EXPANSION.search(target)
            elif target.startswith(MARK):
                stdin = self.here_document(target)
            elif target:
                into.append(Redirect(operator, target))
        return stdin

    def here_document(self, marker: str) -> Input | None:
        document = self.heredocs.document(marker)
        if document is None:
            return None
        body = document.body
        if document.literal or ("$" not in body and "`" not in body and "\\" not in body):
            return body, True
        body = self.expand(body)
        literal = not EXPANSION.search(body)
        return DOUBLE_QUOTE_ESCAPE.sub(unescape_unquoted, body), literal
