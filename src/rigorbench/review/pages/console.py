"""Printing to a terminal. Text of logs is sanitised first, so that neither markup nor escapes in it act."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ...base.sanitize import ELLIPSIS, terminal
from . import words

# From this width on there is room for long titles.
WIDE = 104
# Off a terminal there is no width to ask for.
PLAIN_WIDTH = 100
_WORD = re.compile(r"\S+")
_GRADES = {"pass": "green", "talk": "yellow", "fail": "red"}
_EIGHTHS = " ▏▎▍▌▋▊▉"


class Glyphs(Struct, frozen=True):
    """The characters that a terminal can show. ``fine``: whether it shows more than ASCII."""

    fine: bool
    full: str
    empty: str
    dot: str
    quotes: tuple[str, str]


_UNICODE = Glyphs(True, "█", "─", " · ", ("“", "”"))
_ASCII = Glyphs(False, "#", ".", " | ", ('"', '"'))


class Printer:
    """Prints to one console. Every text passes :meth:`text`."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.glyphs = _ASCII if console.options.ascii_only or console.legacy_windows else _UNICODE
        self.wide = console.width >= WIDE

    def text(self, words: str, style: str = "") -> Text:
        """``words`` without anything that acts on a terminal, in characters that the terminal can show."""
        safe = terminal(words)
        if not self.glyphs.fine:
            safe = safe.replace("…", "...").replace("→", "->").replace("–", "-").replace("−", "-")
            safe = safe.encode("ascii", "backslashreplace").decode("ascii")
        return Text(safe, style=style)

    def bar(self, value: float | None, cells: int, colour: str = "") -> Text:
        """A bar of ``cells`` cells: eighths of a cell where the terminal can show them. No value: an empty track.

        ``colour``: default: that of a score.
        """
        if value is None:
            return Text(self.glyphs.empty * cells, style="dim")
        value = min(1.0, max(0.0, value))
        colour = colour or tone(value)
        filled = Text()
        if self.glyphs.fine:
            eighths = round(value * cells * 8)
            whole, part = divmod(eighths, 8)
            filled.append(self.glyphs.full * whole + (_EIGHTHS[part] if part else ""), style=colour)
            left = cells - whole - (1 if part else 0)
        else:
            whole = round(value * cells)
            filled.append(self.glyphs.full * whole, style=colour)
            left = cells - whole
        # A bar of nothing is as red as a short one: it must not look like a value that is not there.
        return filled.append(self.glyphs.empty * left, style=colour if left == cells else "dim")

    def line(self, *parts: Text) -> None:
        """Prints parts one after the other, wrapped to the width."""
        self.lines(Text().join(parts), "")

    def lines(self, text: Text, indent: str, first: Text | None = None) -> None:
        """Prints ``text`` wrapped to the width behind an indent; ``first`` replaces the indent of the first line."""
        room = max(20, self.console.width - len(indent))
        for number, line in enumerate(_whole_words(text, room).wrap(self.console, room)):
            line.rstrip()
            front = first if number == 0 and first is not None else Text(indent)
            shown = Text().join([front, line])  # a sum would have the style of its first part throughout
            self.console.print(shown, highlight=False, no_wrap=True, overflow="ignore", crop=False)

    def row(self, cells: Sequence[Text]) -> None:
        """Prints cells beside each other, which are as wide as they should be."""
        line = Text("  ").join(cells)
        line.rstrip()
        self.console.print(line, highlight=False, no_wrap=True, overflow="ignore", crop=False)

    def join(self, parts: list[Text]) -> Text:
        """Parts divided by dots, each in its own style."""
        dot = self.text(self.glyphs.dot, "dim")
        return Text().join([each for part in parts for each in (dot, part)][1:])

    def wrapped(self, parts: list[Text], indent: int) -> None:
        """Prints parts divided by dots on as few lines as possible; only a part longer than a line is broken."""
        room = max(20, self.console.width - indent)
        lines: list[list[Text]] = [[]]
        used = 0
        for part in parts:
            length = part.cell_len + len(self.glyphs.dot)
            if lines[-1] and used + part.cell_len > room:
                lines.append([])
                used = 0
            lines[-1].append(part)
            used += length
        for line in lines:
            self.lines(self.join(line), " " * indent)


def _whole_words(text: Text, room: int) -> Text:
    """``text`` with the middle left out of words that fit on no line, so that no path is broken over two."""
    if max(map(cell_len, text.plain.split()), default=0) <= room:
        return text
    parts: list[Text] = []
    at = 0
    for word in _WORD.finditer(text.plain):
        if cell_len(word[0]) <= room or not word[0].isascii():
            continue  # scripts without spaces are broken anywhere
        head = room // 3
        parts += [text[at : word.start() + head], Text(ELLIPSIS, text[word.start()].style)]
        at = word.end() - (room - head - 1)
    return Text().join([*parts, text[at:]])


def tone(value: float) -> str:
    """The colour of a score of the paper, in [0, 1]."""
    return "green" if value >= 0.75 else "yellow" if value >= 0.4 else "red"


def grade_tone(value: float) -> str:
    """The colour of a grade, or of a median of grades: that of its class in a page (:func:`.text.words.tone`)."""
    return _GRADES[words.tone(value)]


def fit(text: Text, cells: int, fine: bool) -> Text:
    """``text`` cut or padded to exactly ``cells`` cells, wide characters counted as two."""
    text.truncate(cells, overflow="ellipsis" if fine else "crop")
    text.pad_right(cells - text.cell_len)
    return text


def default_console() -> Console:
    """Standard output, without colours where it is no terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)
