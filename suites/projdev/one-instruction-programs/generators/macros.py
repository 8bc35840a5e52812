# rigorbench-canary db51cb59-97c0-4244-bd0e-38998cd92480
"""Writes ``submissions/accepted/by-macros``: every task in a small language of macros, each expanded in the same general way.

Usage: ``python generators/macros.py [DIRECTORY]``. The programs are right and longer than those written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
CANARY = "; " + (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0].removeprefix("# ")


class Program:
    """Instructions, one a line. Macros leave every variable but their first argument as it was."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.labels = 0

    def code(self, *lines: str) -> None:
        self.lines += lines

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def new(self) -> str:
        self.labels += 1
        return f"l{self.labels}"

    def clear(self, x: str) -> None:
        self.code(f"{x} {x}")

    def move(self, x: str, y: str) -> None:
        self.clear(x)
        self.code(f"{x} {y}")

    def read(self, x: str) -> None:
        self.move(x, "in")

    def show(self, x: str) -> None:
        self.code(f"out {x}")

    def subtract(self, x: str, y: str) -> None:
        self.code(f"{x} {y}")

    def add(self, x: str, y: str) -> None:
        self.move("$sum", "big")
        self.subtract("$sum", x)
        self.subtract("$sum", y)
        self.move(x, "big")
        self.subtract(x, "$sum")

    def jump(self, where: str) -> None:
        self.clear("$jump")
        self.code(f"$jump one {where}")

    def jump_if_less(self, x: str, y: str, where: str) -> None:
        self.move("$left", x)
        self.code(f"$left {y} {where}")

    def address(self, label: str, base: str, index: str) -> None:
        """The operand at a label becomes base - index."""
        self.move(label, base)
        self.subtract(label, index)

    def text(self, comment: str) -> str:
        # A program must not run into its constants: the last instruction jumps over them.
        ends = ["$stop one end", "one: = 1", "base: = 5000", "big: = 1000000000000000"]
        return "\n".join([CANARY, f"; {comment}", *self.lines, "stop:", "$stop $stop", *ends, ""])


def copy(p: Program) -> None:
    p.label("loop")
    p.read("$x")
    p.show("$x")
    p.jump("loop")


def countdown(p: Program) -> None:
    p.read("$n")
    p.label("loop")
    p.show("$n")
    p.jump_if_less("$n", "one", "stop")
    p.subtract("$n", "one")
    p.jump("loop")


def largest(p: Program) -> None:
    p.read("$n")
    p.label("loop")
    p.jump_if_less("$n", "one", "done")
    p.subtract("$n", "one")
    p.read("$x")
    p.jump_if_less("$x", "$most", "loop")
    p.move("$most", "$x")
    p.jump("loop")
    p.label("done")
    p.show("$most")


def total(p: Program) -> None:
    p.read("$n")
    p.label("loop")
    p.jump_if_less("$n", "one", "done")
    p.subtract("$n", "one")
    p.read("$x")
    p.add("$all", "$x")
    p.jump("loop")
    p.label("done")
    p.show("$all")


def product(p: Program) -> None:
    p.read("$a")
    p.read("$b")
    p.label("loop")
    p.jump_if_less("$a", "one", "done")
    p.subtract("$a", "one")
    p.add("$all", "$b")
    p.jump("loop")
    p.label("done")
    p.show("$all")


def divide(p: Program) -> None:
    p.read("$a")
    p.read("$b")
    p.label("loop")
    p.jump_if_less("$a", "$b", "done")
    p.subtract("$a", "$b")
    p.add("$times", "one")
    p.jump("loop")
    p.label("done")
    p.show("$times")
    p.show("$a")


def gcd(p: Program) -> None:
    p.read("$a")
    p.read("$b")
    p.label("loop")
    p.jump_if_less("$a", "$b", "turn")
    p.subtract("$a", "$b")
    p.jump_if_less("$a", "one", "done")
    p.jump("loop")
    p.label("turn")
    p.move("$t", "$a")
    p.move("$a", "$b")
    p.move("$b", "$t")
    p.jump("loop")
    p.label("done")
    p.show("$b")


def powers(p: Program) -> None:
    p.read("$k")
    p.move("$x", "one")
    p.label("loop")
    p.show("$x")
    p.add("$x", "$x")
    p.jump_if_less("$k", "one", "stop")
    p.subtract("$k", "one")
    p.jump("loop")


def fill(p: Program) -> None:
    """Number i, from 0, goes to cell 5000 - i; $n stays the number of numbers."""
    p.read("$n")
    p.label("fill")
    p.jump_if_less("$i", "$n", "more")
    p.jump("filled")
    p.label("more")
    p.address("put", "base", "$i")
    p.code("put: 0 in")
    p.add("$i", "one")
    p.jump("fill")
    p.label("filled")


def reverse(p: Program) -> None:
    fill(p)
    p.label("back")
    p.jump_if_less("$n", "one", "stop")
    p.subtract("$n", "one")
    p.address("get+1", "base", "$n")
    p.code("get: out 0")
    p.jump("back")


def sort(p: Program) -> None:
    fill(p)
    p.move("$rounds", "$n")
    p.label("round")
    p.jump_if_less("$rounds", "one", "stop")
    p.subtract("$rounds", "one")
    p.move("$min", "big")
    p.clear("$i")
    p.label("scan")
    p.jump_if_less("$i", "$n", "look")
    p.jump("found")
    p.label("look")
    p.address("get+1", "base", "$i")
    p.clear("$x")
    p.code("get: $x 0")
    p.jump_if_less("$x", "$min", "less")
    p.jump("step")
    p.label("less")
    p.move("$min", "$x")
    p.move("$where", "$i")
    p.label("step")
    p.add("$i", "one")
    p.jump("scan")
    p.label("found")
    p.show("$min")
    p.address("kill", "base", "$where")
    p.code("kill: 0 big")
    p.jump("round")


TASKS = {
    "copy": copy, "countdown": countdown, "largest": largest, "sum": total, "product": product, "divide": divide,
    "gcd": gcd, "powers": powers, "reverse": reverse, "sort": sort,
}  # fmt: skip


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions" / "accepted" / "by-macros"
    place.mkdir(parents=True, exist_ok=True)
    for name, write in TASKS.items():
        program = Program()
        write(program)
        (place / f"{name}.one").write_text(program.text(f"{name}, from macros"), "ascii")
    (place / "double.one").write_text((PACKAGE / "attachments" / "double.one").read_text("ascii"), "ascii")


if __name__ == "__main__":
    main()
