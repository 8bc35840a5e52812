# rigorbench-canary 9a625236-3290-4684-9d26-901f0e50fcf0
"""The server's rules in the plainest way: every move keeps a copy of all cells, and floods go over a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

ARGUMENTS = {"open": 2, "mark": 2, "sweep": 2, "undo": 0, "show": 4, "state": 0}
NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class Game:
    def __init__(self, rows: int, columns: int, lives: int, mines: set[int]) -> None:
        self.rows, self.columns, self.lives, self.mines = rows, columns, lives, mines
        self.cells: dict[int, str] = {}  # "marked", "open", "exploded"; closed ones are left out
        self.before: list[dict[int, str]] = []

    def around(self, cell: int) -> Iterator[int]:
        row, column = divmod(cell, self.columns)
        for r in (row - 1, row, row + 1):
            for c in (column - 1, column, column + 1):
                if 0 <= r < self.rows and (r, c) != (row, column):
                    yield r * self.columns + c % self.columns

    def number(self, cell: int) -> int:
        return sum(near in self.mines for near in self.around(cell))

    def count(self, kind: str) -> int:
        return sum(state == kind for state in self.cells.values())

    def status(self) -> str:
        if self.count("exploded") >= self.lives:
            return "lost"
        return "won" if self.count("open") == self.rows * self.columns - len(self.mines) else "playing"

    def open(self, cell: int) -> tuple[int, int]:
        if cell in self.mines:
            self.cells[cell] = "exploded"
            return 0, 1
        waiting, opened = [cell], 0
        while waiting:
            here = waiting.pop()
            if here in self.cells:
                continue
            self.cells[here] = "open"
            opened += 1
            if self.number(here) == 0:
                waiting += self.around(here)
        return opened, 0


class Server:
    """Answers commands; the lines of a field that `new` announces come with the command."""

    def __init__(self) -> None:
        self.game: Game | None = None

    def answer(self, line: str, field: list[str] | None = None) -> list[str]:
        words = line.split(" ")
        if words[0] in ("new", "make"):
            return [self._begin(words, field or [])]
        if len(words) - 1 != ARGUMENTS.get(words[0]) or not all(NUMBER.fullmatch(w) for w in words[1:]):
            return ["error command"]
        if self.game is None:
            return ["error game"]
        return list(self._carry_out(self.game, words[0], [int(w) - 1 for w in words[1:]]))

    def _begin(self, words: list[str], field: list[str]) -> str:
        rows, columns = int(words[1]), int(words[2])
        if words[0] == "new":
            lives = int(words[3])
            mines = {r * columns + c for r in range(rows) for c in range(columns) if field[r][c] == "*"}
        else:
            lives, x, mines = int(words[4]), int(words[5]), set()
            while len(mines) < int(words[3]):
                x = (1664525 * x + 1013904223) % 2**32
                mines.add(x * rows * columns // 2**32)
        self.game = Game(rows, columns, lives, mines)
        return f"field {rows} {columns} {len(mines)}"

    def _carry_out(self, game: Game, word: str, at: list[int]) -> Iterator[str]:
        if word == "undo":
            if game.before:
                game.cells = game.before.pop()
                yield "undone"
            else:
                yield "nothing"
            return
        if word == "state":
            left = game.lives - game.count("exploded")
            yield f"{game.status()} {game.count('open')} {game.count('marked')} {game.count('exploded')} {left}"
            return
        if word != "show" and game.status() != "playing":
            yield "error over"
            return
        if any(r >= game.rows for r in at[0::2]) or any(c >= game.columns for c in at[1::2]):
            yield "error cell"
            return
        if word == "show":
            yield from _show(game, *at)
            return
        copy = dict(game.cells)
        yield getattr(self, f"_{word}")(game, at[0] * game.columns + at[1])
        if game.cells != copy:
            game.before.append(copy)
            if word != "mark" and game.status() != "playing":
                yield game.status()

    def _open(self, game: Game, cell: int) -> str:
        state = game.cells.get(cell)
        if state is not None:
            return "marked" if state == "marked" else "known"
        opened, exploded = game.open(cell)
        return f"mine {game.lives - game.count('exploded')}" if exploded else f"opened {opened}"

    def _mark(self, game: Game, cell: int) -> str:
        state = game.cells.get(cell)
        if state is None:
            game.cells[cell] = "marked"
            return "marked"
        if state == "marked":
            del game.cells[cell]
            return "unmarked"
        return "known"

    def _sweep(self, game: Game, cell: int) -> str:
        if game.cells.get(cell) != "open":
            return "closed"
        accounted = sum(game.cells.get(near) in ("marked", "exploded") for near in game.around(cell))
        if accounted != game.number(cell):
            return f"no {accounted}"
        opened = exploded = 0
        for near in game.around(cell):
            if near not in game.cells and game.status() != "lost":
                one = game.open(near)
                opened, exploded = opened + one[0], exploded + one[1]
        return f"swept {opened} {exploded}"


def _show(game: Game, row1: int, column1: int, row2: int, column2: int) -> Iterator[str]:
    if row2 < row1:
        yield "error cell"
        return
    last = column2 if column2 >= column1 else column2 + game.columns
    for row in range(row1, row2 + 1):
        cells = (row * game.columns + column % game.columns for column in range(column1, last + 1))
        yield "".join(_sign(game, cell) for cell in cells)


def _sign(game: Game, cell: int) -> str:
    state = game.cells.get(cell)
    if state == "open":
        return str(game.number(cell) or "-")
    return {None: "#", "marked": "?", "exploded": "*"}[state]
