# rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
"""The language of the statement in Python: lines become Python closures.

``answers(session)`` is what a session writes.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

TOKEN = re.compile(r' *(?:([0-9]+)|([A-Za-z][A-Za-z0-9]*)|"([^"]*)"|(<=|>=|<>|[-+*/%()=<>,;])|(.))')
KEYWORDS = set(
    "REM LET DIM PRINT INPUT GOTO GOSUB RETURN IF THEN FOR TO STEP NEXT END AND OR NOT ABS SGN MIN MAX RUN LIST "
    "RENUMBER NEW CLEAR BYE".split()
)
SIMPLE = {"LET", "PRINT", "INPUT", "GOTO", "GOSUB", "RETURN", "END"}
IMMEDIATE = {"LET", "DIM", "PRINT", "INPUT"}
LARGEST = 99_999


class Failure(Exception):
    pass


def fits(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise Failure("OVERFLOW")
    return value


def divided(a: int, b: int) -> int:
    if b == 0:
        raise Failure("DIVISION BY ZERO")
    return fits(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def rest(a: int, b: int) -> int:
    if b == 0:
        raise Failure("DIVISION BY ZERO")
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


OPERATIONS = {
    "+": lambda a, b: fits(a + b), "-": lambda a, b: fits(a - b), "*": lambda a, b: fits(a * b), "/": divided, "%": rest,
}  # fmt: skip
RELATIONS = {"=": operator.eq, "<>": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
FUNCTIONS: dict[str, tuple[int, Callable[..., int]]] = {
    "ABS": (1, lambda a: fits(abs(a))), "SGN": (1, lambda a: (a > 0) - (a < 0)), "MIN": (2, min), "MAX": (2, max),
}  # fmt: skip
Value = Callable[[], int]
Action = Callable[[], None]


def split(text: str) -> list[tuple[str, str, int]]:
    """(kind, value, place) of each token."""
    tokens, at = [], 0
    while text[at:].strip(" "):
        if tokens and tokens[-1][:2] == ("word", "REM"):
            break
        match = TOKEN.match(text, at)
        assert match is not None
        kind = ("number", "word", "text", "sign", "bad")[match.lastindex - 1 if match.lastindex else 0]
        tokens.append((kind, match[match.lastindex or 0], match.start(match.lastindex or 0)))
        at = match.end()
    return tokens


def line_number(digits: str) -> int:
    number = int(digits)
    if not 1 <= number <= LARGEST:
        raise Failure("SYNTAX ERROR")
    return number


class Line:
    """A line's parser; afterwards `action` does what the line says."""

    def __init__(self, session: Session, text: str) -> None:
        self.session, self.text = session, text
        self.tokens = split(text)
        self.at = 0
        self.targets: list[tuple[int, str]] = []
        self.next_of: str | None = None
        self.word = self.tokens[0][1] if self.tokens else ""
        self.action = self.statement()
        self.require(self.at == len(self.tokens))

    def require(self, holds: bool) -> None:
        if not holds:
            raise Failure("SYNTAX ERROR")

    def peek(self, *values: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][0] in {"word", "sign"} and self.tokens[self.at][1] in values

    def accept(self, *values: str) -> str | None:
        if not self.peek(*values):
            return None
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, value: str) -> None:
        self.require(self.accept(value) is not None)

    def take(self, kind: str) -> str:
        self.require(self.at < len(self.tokens) and self.tokens[self.at][0] == kind)
        self.at += 1
        return self.tokens[self.at - 1][1]

    def name(self) -> str:
        word = self.take("word")
        self.require(word not in KEYWORDS and len(word) <= 16)
        return word

    def target(self) -> int:
        digits = self.take("number")
        self.targets.append((self.tokens[self.at - 1][2], digits))
        return line_number(digits)

    def statement(self) -> Action:
        word = self.take("word")
        self.require(word in KEYWORDS)
        known = getattr(self, "do_" + word.lower(), None)
        self.require(known is not None)
        return known()

    def do_rem(self) -> Action:
        self.at = len(self.tokens)
        return lambda: None

    def do_end(self) -> Action:
        return self.session.end

    def do_let(self) -> Action:
        name, session = self.name(), self.session
        index = self.index() if self.peek("(") else None
        self.expect("=")
        value = self.expression()
        if index is None:
            return lambda: session.variables.__setitem__(name, value())

        def run() -> None:
            array, place = session.place(name, index())
            array[place] = value()

        return run

    def index(self) -> Value:
        self.expect("(")
        index = self.expression()
        self.expect(")")
        return index

    def do_dim(self) -> Action:
        name, session = self.name(), self.session
        size = self.index()

        def run() -> None:
            count = size()
            if name in session.arrays:
                raise Failure("ARRAY EXISTS")
            if not 1 <= count <= 1_000_000:
                raise Failure("BAD SIZE")
            session.arrays[name] = [0] * count

        return run

    def do_print(self) -> Action:
        items: list[str | Value] = []
        end = "\n"
        while self.at < len(self.tokens):
            end = "\n"
            items.append(self.take("text") if self.tokens[self.at][0] == "text" else self.expression())
            if self.at == len(self.tokens):
                break
            if self.accept(","):
                items.append(" ")
                self.require(self.at < len(self.tokens))
            else:
                self.expect(";")
                end = ""
        return lambda: self.session.print(
            "".join([item if isinstance(item, str) else str(item()) for item in items]) + end
        )

    def do_input(self) -> Action:
        name = self.name()
        return lambda: self.session.input(name)

    def do_goto(self) -> Action:
        number = self.target()
        return lambda: self.session.goto(number)

    def do_gosub(self) -> Action:
        number = self.target()
        return lambda: self.session.gosub(number)

    def do_return(self) -> Action:
        return self.session.back

    def do_if(self) -> Action:
        test = self.condition()
        self.expect("THEN")
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "number":
            then = self.do_goto()
        else:
            self.require(self.at < len(self.tokens) and self.tokens[self.at][1] in SIMPLE)
            then = self.statement()
        return lambda: then() if test() else None

    def do_for(self) -> Action:
        name = self.name()
        self.expect("=")
        first = self.expression()
        self.expect("TO")
        limit = self.expression()
        step = self.expression() if self.accept("STEP") else lambda: 1
        return lambda: self.session.begin_loop(name, first(), limit(), step())

    def do_next(self) -> Action:
        name = self.next_of = self.name()
        return lambda: self.session.next_round(name)

    def condition(self) -> Callable[[], bool]:
        parts = [self.conjunction()]
        while self.accept("OR"):
            parts.append(self.conjunction())
        return lambda: any(part() for part in parts)

    def conjunction(self) -> Callable[[], bool]:
        parts = [self.comparison()]
        while self.accept("AND"):
            parts.append(self.comparison())
        return lambda: all(part() for part in parts)

    def comparison(self) -> Callable[[], bool]:
        negated = self.accept("NOT") is not None
        left = self.expression()
        sign = self.accept(*RELATIONS)
        self.require(sign is not None)
        right = self.expression()
        return lambda: RELATIONS[sign](left(), right()) != negated

    def chain(self, signs: str, part: Callable[[], Value]) -> Value:
        left = part()
        while sign := self.accept(*signs):
            left = self.operation(sign, left, part())
        return left

    def operation(self, sign: str, left: Value, right: Value) -> Value:
        return lambda: OPERATIONS[sign](left(), right())

    def expression(self) -> Value:
        return self.chain("+-", self.product)

    def product(self) -> Value:
        return self.chain("*/%", self.factor)

    def factor(self) -> Value:
        self.require(self.at < len(self.tokens))
        if self.accept("-"):
            return self.operation("-", lambda: 0, self.factor())
        if self.peek("("):
            return self.index()
        if self.tokens[self.at][0] == "number":
            number = int(self.take("number"))
            self.require(number < 2**63)
            return lambda: number
        if word := self.accept(*FUNCTIONS):
            count, function = FUNCTIONS[word]
            self.expect("(")
            values = [self.expression()]
            if count == 2:
                self.expect(",")
                values.append(self.expression())
            self.expect(")")
            return lambda: function(*[value() for value in values])
        name, session = self.name(), self.session
        if not self.peek("("):
            return lambda: session.value(name)
        index = self.index()

        def element() -> int:
            array, place = session.place(name, index())
            return array[place]

        return element


class Session:
    def __init__(self, text: str) -> None:
        self.given = iter(text.splitlines())
        self.out: list[str] = []
        self.lines: dict[int, Line] = {}
        self.variables: dict[str, int] = {}
        self.arrays: dict[str, list[int]] = {}
        self.start()

    def start(self) -> None:
        self.numbers = sorted(self.lines)
        self.next, self.ended = 0, False
        self.loops: list[tuple[str, int, int, int]] = []
        self.calls: list[tuple[int, int]] = []

    # ------------------------------------------------------------------------------------------------- what statements do
    def print(self, text: str) -> None:
        if text:
            self.out.append(text)

    def fresh_line(self) -> None:
        if self.out and not self.out[-1].endswith("\n"):
            self.out.append("\n")

    def complain(self, message: str) -> None:
        self.fresh_line()
        self.out.append(f"{message}\n")

    def value(self, name: str) -> int:
        if name not in self.variables:
            raise Failure("UNDEFINED VARIABLE")
        return self.variables[name]

    def place(self, name: str, index: int) -> tuple[list[int], int]:
        if name not in self.arrays:
            raise Failure("UNDEFINED ARRAY")
        if not 0 <= index < len(self.arrays[name]):
            raise Failure("INDEX OUT OF RANGE")
        return self.arrays[name], index

    def input(self, name: str) -> None:
        for line in self.given:
            if re.fullmatch(" *-?[0-9]+ *", line) and -(2**63) <= int(line) < 2**63:
                self.variables[name] = int(line)
                return
            self.complain("INVALID NUMBER")
        raise Failure("END OF INPUT")

    def end(self) -> None:
        self.ended = True

    def goto(self, number: int) -> None:
        at = bisect_left(self.numbers, number)
        if at == len(self.numbers) or self.numbers[at] != number:
            raise Failure("LINE NUMBER ERROR")
        self.next = at

    def gosub(self, number: int) -> None:
        if len(self.calls) == 10_000:
            raise Failure("TOO MANY SUBROUTINES")
        back = self.next
        self.goto(number)
        self.calls.append((back, len(self.loops)))

    def back(self) -> None:
        if not self.calls:
            raise Failure("RETURN WITHOUT GOSUB")
        self.next, loops = self.calls.pop()
        del self.loops[loops:]

    def loop_of(self, name: str) -> int | None:
        first = self.calls[-1][1] if self.calls else 0
        return next((i for i in range(len(self.loops) - 1, first - 1, -1) if self.loops[i][0] == name), None)

    def begin_loop(self, name: str, first: int, limit: int, step: int) -> None:
        if step == 0:
            raise Failure("BAD STEP")
        self.variables[name] = first
        found = self.loop_of(name)
        if found is not None:
            del self.loops[found:]
        if (first - limit) * step <= 0:
            self.loops.append((name, limit, step, self.next))
            return
        for at in range(self.next, len(self.numbers)):
            if self.lines[self.numbers[at]].next_of == name:
                self.next = at + 1
                return
        raise Failure("FOR WITHOUT NEXT")

    def next_round(self, name: str) -> None:
        found = self.loop_of(name)
        if found is None:
            raise Failure("NEXT WITHOUT FOR")
        del self.loops[found + 1 :]
        _, limit, step, body = self.loops[found]
        self.variables[name] = fits(self.value(name) + step)
        if (self.variables[name] - limit) * step > 0:
            self.loops.pop()
        else:
            self.next = body

    # ------------------------------------------------------------------------------------------------------------ commands
    def run(self) -> None:
        self.variables, self.arrays = {}, {}
        self.start()
        number = 0
        try:
            while not self.ended and self.next < len(self.numbers):
                number = self.numbers[self.next]
                self.next += 1
                self.lines[number].action()
        except Failure as failure:
            self.complain(f"{failure} IN LINE {number}")
        self.fresh_line()

    def list(self) -> None:
        self.fresh_line()
        self.out += [f"{number} {line.text}\n" for number, line in sorted(self.lines.items())]

    def renumber(self) -> None:
        changed = {number: 10 * (i + 1) for i, number in enumerate(sorted(self.lines))}
        if 10 * len(changed) > LARGEST:
            raise Failure("LINE NUMBER ERROR")
        lines = {}
        for number, line in self.lines.items():
            text = line.text
            for place, digits in reversed(line.targets):
                new = changed.get(int(digits))
                if new is not None:
                    text = text[:place] + str(new) + text[place + len(digits) :]
            lines[changed[number]] = Line(self, text)
        self.lines = lines

    def edit(self, text: str) -> None:
        digits = re.match(" *([0-9]+)", text)
        assert digits is not None
        number = line_number(digits[1])
        content = text[digits.end() :].strip(" ")
        if content:
            self.lines[number] = Line(self, content)
        else:
            self.lines.pop(number, None)

    def take(self, text: str) -> bool:
        word = text.strip(" ")
        if not word:
            return True
        if word[0].isdigit():
            self.edit(text)
        elif word == "BYE":
            return False
        elif word in {"RUN", "LIST", "RENUMBER"}:
            getattr(self, word.lower())()
        elif word in {"NEW", "CLEAR"}:
            self.variables, self.arrays = {}, {}
            if word == "NEW":
                self.lines = {}
        else:
            line = Line(self, text)
            if line.word not in IMMEDIATE:
                raise Failure("SYNTAX ERROR")
            line.action()
        return True


def answers(text: str) -> str:
    session = Session(text)
    for line in session.given:
        try:
            if not session.take(line):
                break
        except Failure as failure:
            session.complain(str(failure))
    return "".join(session.out)
