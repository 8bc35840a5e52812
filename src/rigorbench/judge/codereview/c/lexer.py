"""C and C++ source as preprocessing tokens with lines; comments are removed, digraphs and escapes are replaced.

A parse tree shows a directive differently depending on its spelling. This lexer therefore reads line continuations,
digraphs, comments within a directive and raw strings as the compiler does ([lex] of the C++ standard).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal, NamedTuple

TokenKind = Literal["name", "number", "string", "char", "punct", "newline"]


class Token(NamedTuple):
    """One preprocessing token.

    Attributes:
        kind: The kind of token.
        text: Its text, with alternative spellings replaced.
        line: The line in the original file, from 1.
        spaced: Whether white space precedes it.
        from_macro: The outermost macro whose expansion produced it.
        hide_set: Macros that are not expanded in it any more.
    """

    kind: TokenKind
    text: str
    line: int
    spaced: bool = False
    from_macro: str | None = None
    hide_set: frozenset[str] = frozenset()


_SPLICE = re.compile(r"\\[ \t\v\f\r]*\n")
_UNIVERSAL_NAME = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\u\{([0-9a-fA-F]{1,8})\}")
_LETTER = r"(?:[^\W\d]|\$|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]{1,8}\})"
_TOKEN = re.compile(
    r"(?P<space>[ \t\f\v\r\0]+)"
    r"|(?P<newline>\n)"
    r"|(?P<comment>//[^\n]*|/\*(?s:.*?)(?:\*/|\Z))"
    r'|(?P<raw>(?:u8|[uUL])?R"(?=[^ ()\\\t\v\f\n"]{0,16}\())'
    r'|(?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"?)'
    r"|(?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])*'?)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)"
    rf"|(?P<name>{_LETTER}(?:\w|{_LETTER})*)"
    r"|(?P<punct>%:%:|\?\?=|%:|<%|%>|<:(?!:[^:>])|:>|##|->\*?|\.\.\.|\.\*|::|<=>|<<=|>>=|[-+*/%&|^!=<>]=|&&|\|\|"
    r"|\+\+|--|<<|.)",
)
# Other spellings of the same punctuation; the trigraph matters only at the start of a directive.
_ALTERNATIVE_SPELLINGS = {"%:%:": "##", "%:": "#", "??=": "#", "<%": "{", "%>": "}", "<:": "[", ":>": "]"}


def tokens(text: str, first_line: int = 1) -> list[Token]:
    """All tokens, each logical line ended by a ``newline``. Never raises: an unknown character is punctuation."""
    spliced = _Spliced(text.removeprefix("\ufeff"), first_line)
    found: list[Token] = []
    body, position, spaced = spliced.text, 0, False
    while position < len(body):
        match = _TOKEN.match(body, position)
        assert match is not None
        assert match.lastgroup is not None
        kind, value, start = match.lastgroup, match[0], position
        position = match.end()
        if kind in ("space", "comment"):
            spaced = True
            continue
        if kind == "raw":
            position = spliced.raw_end(start, position)
            found.append(Token("string", body[start:position], spliced.line(start), spaced))
        elif kind == "newline":
            found.append(Token("newline", "\n", spliced.line(start)))
        elif kind == "punct":
            found.append(Token("punct", _ALTERNATIVE_SPELLINGS.get(value, value), spliced.line(start), spaced))
        elif kind == "name":
            found.append(Token("name", _decode_universal_names(value), spliced.line(start), spaced))
        else:
            found.append(Token(_kind(kind), value, spliced.line(start), spaced))
        spaced = False
    return found


def _kind(name: str) -> TokenKind:
    return "number" if name == "number" else "char" if name == "char" else "string"


def _decode_universal_names(name: str) -> str:
    if "\\" not in name:
        return name

    def character(match: re.Match[str]) -> str:
        code = int(match[1] or match[2] or match[3], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]

    return _UNIVERSAL_NAME.sub(character, name)


class _Spliced:
    """The text without line continuations, and the original positions of its characters."""

    def __init__(self, original: str, first_line: int) -> None:
        self.original = original
        self.text = _SPLICE.sub("", original)
        # The start of each piece between two splices: in the text, and in the original.
        self._starts, self._origins = [0], [0]
        removed = 0
        for match in _SPLICE.finditer(original):
            removed += match.end() - match.start()
            self._starts.append(match.end() - removed)
            self._origins.append(match.end())
        self._newlines = [match.start() for match in re.finditer("\n", original)]
        self._first = first_line

    def line(self, position: int) -> int:
        return bisect_right(self._newlines, self._origin(position) - 1) + self._first

    def raw_end(self, start: int, opened: int) -> int:
        """The end of a raw string. It is read in the original text, because it keeps line continuations."""
        begin = self._origin(opened - 1) + 1
        parenthesis = self.original.find("(", begin)
        if parenthesis < 0:
            return len(self.text)
        delimiter = self.original[begin:parenthesis]
        end = self.original.find(f'){delimiter}"', parenthesis)
        if end < 0:
            return len(self.text)
        return max(self._position(end + len(delimiter) + 2), start + 1)

    def _origin(self, position: int) -> int:
        piece = bisect_right(self._starts, position) - 1
        return self._origins[piece] + position - self._starts[piece]

    def _position(self, origin: int) -> int:
        piece = bisect_right(self._origins, origin) - 1
        return self._starts[piece] + origin - self._origins[piece]
