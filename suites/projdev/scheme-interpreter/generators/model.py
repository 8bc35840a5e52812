# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
"""The language of the statement in Python: forms become Python closures over dictionaries. Slow, and made to be read.

``answers(program)`` is the output of a program. Recursion that is deeper than some thousand calls is not for it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 30_000
TOKEN = re.compile(r"""\s+|;[^\n]*|(,@|['`,()])|("(?:[^"\\]|\\.)*")|([^\s()"';]+)""")
LEAST, MOST = -(2**63), 2**63 - 1


class Symbol(str):
    """A name; all others of Python's strings are strings of the language."""

    __slots__ = ()


@dataclass(eq=False)
class Text:
    text: str


@dataclass(eq=False)
class Pair:
    head: Any
    tail: Any


class Nothing:
    """The unspecified value."""


class Empty:
    """The empty list."""


NONE, NIL = Nothing(), Empty()


@dataclass(eq=False)
class Procedure:
    run: Callable[..., Any]
    least: int
    most: int | None


@dataclass(eq=False)
class Promise:
    thunk: Procedure | None
    value: Any = NONE


@dataclass(eq=False)
class Condition:
    message: str
    irritants: list[Any] = field(default_factory=list)


class Raised(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Escape(Exception):
    def __init__(self, mark: object, value: Any) -> None:
        super().__init__()
        self.mark, self.value = mark, value


class Leave(Exception):
    pass


def fail(message: str) -> Any:
    raise Raised(Condition(message))


def require(holds: bool) -> None:
    if not holds:
        fail("bad syntax")


def need(holds: bool) -> None:
    if not holds:
        fail("wrong type")


def in_range(holds: bool) -> None:
    if not holds:
        fail("out of range")


# ---------------------------------------------------------------------------------------------------------- data and text
def tokens(program: str) -> Iterator[str]:
    for match in TOKEN.finditer(program):
        token = match[1] or match[2] or match[3]
        if token:
            yield token


PREFIXES = {"'": "quote", "`": "quasiquote", ",": "unquote", ",@": "unquote-splicing"}


def parse(token: str, rest: Iterator[str]) -> Any:
    if token == "(":
        items, tail = [], NIL
        for inner in rest:
            if inner == ")":
                break
            if inner == ".":
                tail = parse(next(rest), rest)
            else:
                items.append(parse(inner, rest))
        return listed(items, tail)
    if token in PREFIXES:
        return listed([Symbol(PREFIXES[token]), parse(next(rest), rest)])
    if token[0] == '"':
        return Text(re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], token[1:-1], flags=re.S))
    if token in {"#t", "#f"}:
        return token == "#t"
    return int(token) if re.fullmatch(r"[+-]?[0-9]+", token) else Symbol(token)


def listed(items: list[Any], tail: Any = NIL) -> Any:
    for item in reversed(items):
        tail = Pair(item, tail)
    return tail


def unlisted(value: Any, complain: Callable[[bool], None] = need) -> list[Any]:
    items = []
    while isinstance(value, Pair):
        items.append(value.head)
        value = value.tail
    complain(value is NIL)
    return items


def show(value: Any, quoted: bool = True) -> str:
    if isinstance(value, bool):
        return "#t" if value else "#f"
    if isinstance(value, (int, Symbol)):
        return str(value)
    if isinstance(value, Text):
        escaped = value.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"' if quoted else value.text
    if isinstance(value, Pair):
        words = []
        while isinstance(value, Pair):
            words.append(show(value.head, quoted))
            value = value.tail
        return "(" + " ".join(words + ([] if value is NIL else [".", show(value, quoted)])) + ")"
    if isinstance(value, list):
        return "#(" + " ".join(show(item, quoted) for item in value) + ")"
    named = {Empty: "()", Procedure: "#<procedure>", Promise: "#<promise>", Condition: "#<error>"}
    return named.get(type(value), "#<unspecified>")


# --------------------------------------------------------------------------------------------------------------- evaluation
@dataclass(eq=False)
class Tail:
    """A call that is put off."""

    procedure: Any
    arguments: list[Any]


Scope = dict[str, Any]
Code = Callable[["Scope"], Any]


class Scheme:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.globals: Scope = {}
        self.builtins()

    # The scope of a procedure has its outer one under "".
    def find(self, name: str, scope: Scope) -> Scope:
        while name not in scope:
            if "" not in scope:
                fail(f"unbound variable {name}")
            scope = scope[""]
        return scope

    def call(self, procedure: Any, arguments: list[Any]) -> Any:
        while True:
            if not isinstance(procedure, Procedure):
                fail("not a procedure")
            if len(arguments) < procedure.least or (procedure.most is not None and len(arguments) > procedure.most):
                fail("wrong number of arguments")
            result = procedure.run(*arguments)
            if not isinstance(result, Tail):
                return result
            procedure, arguments = result.procedure, result.arguments

    def full(self, code: Code, scope: Scope) -> Any:
        result = code(scope)
        return self.call(result.procedure, result.arguments) if isinstance(result, Tail) else result

    def compile(self, form: Any) -> Code:
        if isinstance(form, Symbol):
            return lambda scope: self.find(form, scope)[form]
        if not isinstance(form, Pair):
            require(form is not NIL)
            return lambda scope: form
        parts = unlisted(form, require)
        special = getattr(self, "do_" + SPECIALS[parts[0]], None) if isinstance(parts[0], Symbol) and parts[0] in SPECIALS else None
        if special:
            return special(parts)
        codes = [self.compile(part) for part in parts]

        def call(scope: Scope) -> Any:
            procedure, *arguments = [self.full(code, scope) for code in codes]
            return Tail(procedure, arguments)

        return call

    def sequence(self, parts: list[Any]) -> Code:
        require(bool(parts))
        *before, last = [self.compile(part) for part in parts]

        def run(scope: Scope) -> Any:
            for code in before:
                self.full(code, scope)
            return last(scope)

        return run

    def body(self, parts: list[Any]) -> Code:
        inner = self.sequence(parts)
        return lambda scope: inner({"": scope})

    def procedure(self, parameters: Any, parts: list[Any]) -> Code:
        names = []
        while isinstance(parameters, Pair):
            names.append(parameters.head)
            parameters = parameters.tail
        rest = None if parameters is NIL else parameters
        require(all(isinstance(name, Symbol) for name in names + ([] if rest is None else [rest])))
        body = self.body(parts)
        most = len(names) if rest is None else None

        def make(scope: Scope) -> Procedure:
            def run(*arguments: Any) -> Any:
                inner = {"": scope, **dict(zip(names, arguments, strict=False))}
                if rest is not None:
                    inner[rest] = listed(list(arguments[len(names) :]))
                return body(inner)

            return Procedure(run, len(names), most)

        return make

    def bindings(self, form: Any) -> list[tuple[str, Any]]:
        pairs = [unlisted(each, require) for each in unlisted(form, require)]
        for pair in pairs:
            require(len(pair) == 2 and isinstance(pair[0], Symbol))
        return [(name, value) for name, value in pairs]

    def do_quote(self, parts: list[Any]) -> Code:
        require(len(parts) == 2)
        return lambda scope: parts[1]

    def do_if(self, parts: list[Any]) -> Code:
        require(len(parts) in {3, 4})
        test, then = self.compile(parts[1]), self.compile(parts[2])
        other = self.compile(parts[3]) if len(parts) == 4 else lambda scope: NONE
        return lambda scope: (other if self.full(test, scope) is False else then)(scope)

    def do_define(self, parts: list[Any]) -> Code:
        require(len(parts) >= 2)
        if isinstance(parts[1], Pair):
            name, value = parts[1].head, self.procedure(parts[1].tail, parts[2:])
        else:
            require(len(parts) == 3)
            name, value = parts[1], self.compile(parts[2])
        require(isinstance(name, Symbol))

        def run(scope: Scope) -> Any:
            scope[name] = self.full(value, scope)
            return NONE

        return run

    def do_set(self, parts: list[Any]) -> Code:
        require(len(parts) == 3 and isinstance(parts[1], Symbol))
        name, value = parts[1], self.compile(parts[2])

        def run(scope: Scope) -> Any:
            found = self.full(value, scope)
            self.find(name, scope)[name] = found
            return NONE

        return run

    def do_lambda(self, parts: list[Any]) -> Code:
        require(len(parts) >= 3)
        return self.procedure(parts[1], parts[2:])

    def do_begin(self, parts: list[Any]) -> Code:
        return self.sequence(parts[1:])

    def do_let(self, parts: list[Any]) -> Code:
        require(len(parts) >= 3)
        if isinstance(parts[1], Symbol):
            require(len(parts) >= 4)
            bound = self.bindings(parts[2])
            make = self.procedure(listed([name for name, _ in bound]), parts[3:])
            values = [self.compile(value) for _, value in bound]

            def loop(scope: Scope) -> Any:
                inner: Scope = {"": scope}
                inner[parts[1]] = make(inner)
                return Tail(inner[parts[1]], [self.full(value, scope) for value in values])

            return loop
        bound = self.bindings(parts[1])
        values, body = [self.compile(value) for _, value in bound], self.body(parts[2:])
        return lambda scope: body(
            {"": scope} | {name: self.full(value, scope) for (name, _), value in zip(bound, values, strict=True)}
        )

    def do_let_star(self, parts: list[Any]) -> Code:
        require(len(parts) >= 3)
        bound = self.bindings(parts[1])
        values, body = [self.compile(value) for _, value in bound], self.body(parts[2:])

        def run(scope: Scope) -> Any:
            for (name, _), value in zip(bound, values, strict=True):
                scope = {"": scope, name: self.full(value, scope)}
            return body(scope)

        return run

    def do_letrec(self, parts: list[Any]) -> Code:
        require(len(parts) >= 3)
        bound = self.bindings(parts[1])
        values, body = [self.compile(value) for _, value in bound], self.body(parts[2:])

        def run(scope: Scope) -> Any:
            inner = {"": scope}
            for (name, _), value in zip(bound, values, strict=True):
                inner[name] = self.full(value, inner)
            return body(inner)

        return run

    def clauses(self, parts: list[Any], otherwise: Code) -> Code:
        if not parts:
            return otherwise
        clause = unlisted(parts[0], require)
        require(bool(clause))
        if clause[0] == "else" and isinstance(clause[0], Symbol):
            return self.sequence(clause[1:])
        test, then = self.compile(clause[0]), self.sequence(clause[1:]) if clause[1:] else None
        rest = self.clauses(parts[1:], otherwise)

        def run(scope: Scope) -> Any:
            value = self.full(test, scope)
            if value is False:
                return rest(scope)
            return value if then is None else then(scope)

        return run

    def do_cond(self, parts: list[Any]) -> Code:
        require(len(parts) >= 2)
        return self.clauses(parts[1:], lambda scope: NONE)

    def do_case(self, parts: list[Any]) -> Code:
        require(len(parts) >= 3)
        key, chosen = self.compile(parts[1]), []
        for part in parts[2:]:
            clause = unlisted(part, require)
            require(len(clause) >= 2)
            always = isinstance(clause[0], Symbol) and clause[0] == "else"
            chosen.append((None if always else unlisted(clause[0], require), self.sequence(clause[1:])))

        def run(scope: Scope) -> Any:
            value = self.full(key, scope)
            for data, body in chosen:
                if data is None or any(same(value, datum) for datum in data):
                    return body(scope)
            return NONE

        return run

    def either(self, parts: list[Any], until: bool) -> Code:
        if len(parts) == 1:
            return lambda scope: not until
        *before, last = [self.compile(part) for part in parts[1:]]

        def run(scope: Scope) -> Any:
            for code in before:
                value = self.full(code, scope)
                if (value is not False) == until:
                    return value
            return last(scope)

        return run

    def do_and(self, parts: list[Any]) -> Code:
        return self.either(parts, False)

    def do_or(self, parts: list[Any]) -> Code:
        return self.either(parts, True)

    def when(self, parts: list[Any], wanted: bool) -> Code:
        require(len(parts) >= 3)
        test, then = self.compile(parts[1]), self.sequence(parts[2:])
        return lambda scope: then(scope) if (self.full(test, scope) is not False) == wanted else NONE

    def do_when(self, parts: list[Any]) -> Code:
        return self.when(parts, True)

    def do_unless(self, parts: list[Any]) -> Code:
        return self.when(parts, False)

    def do_do(self, parts: list[Any]) -> Code:
        require(len(parts) >= 3)
        variables = [unlisted(each, require) for each in unlisted(parts[1], require)]
        for each in variables:
            require(len(each) in {2, 3} and isinstance(each[0], Symbol))
        first = [self.compile(each[1]) for each in variables]
        steps = [self.compile(each[2]) if len(each) == 3 else None for each in variables]
        end = unlisted(parts[2], require)
        require(bool(end))
        test, results = self.compile(end[0]), self.sequence(end[1:]) if end[1:] else None
        body = [self.compile(part) for part in parts[3:]]

        def run(scope: Scope) -> Any:
            inner = {"": scope} | {each[0]: self.full(code, scope) for each, code in zip(variables, first, strict=True)}
            while self.full(test, inner) is False:
                for code in body:
                    self.full(code, inner)
                inner = {"": scope} | {
                    each[0]: inner[each[0]] if code is None else self.full(code, inner)
                    for each, code in zip(variables, steps, strict=True)
                }
            return NONE if results is None else results(inner)

        return run

    def do_delay(self, parts: list[Any]) -> Code:
        require(len(parts) == 2)
        make = self.procedure(NIL, parts[1:])
        return lambda scope: Promise(make(scope))

    def do_quasiquote(self, parts: list[Any]) -> Code:
        require(len(parts) == 2)
        return self.quasi(parts[1])

    def quasi(self, pattern: Any) -> Code:
        if not isinstance(pattern, Pair):
            return lambda scope: pattern
        if is_form(pattern, "unquote"):
            parts = unlisted(pattern, require)
            require(len(parts) == 2)
            return self.compile(parts[1])
        if is_form(pattern.head, "unquote-splicing"):
            parts = unlisted(pattern.head, require)
            require(len(parts) == 2)
            items, rest = self.compile(parts[1]), self.quasi(pattern.tail)
            return lambda scope: self.splice(self.full(items, scope), self.full(rest, scope))
        head, tail = self.quasi(pattern.head), self.quasi(pattern.tail)
        return lambda scope: Pair(self.full(head, scope), self.full(tail, scope))

    def splice(self, items: Any, rest: Any) -> Any:
        return listed(unlisted(items), rest)

    def do_guard(self, parts: list[Any]) -> Code:
        require(len(parts) >= 3)
        handler = unlisted(parts[1], require)
        require(len(handler) >= 2 and isinstance(handler[0], Symbol))
        body = self.body(parts[2:])

        def reraise(scope: Scope) -> Any:
            raise Raised(scope[handler[0]])

        clauses = self.clauses(handler[1:], reraise)

        def run(scope: Scope) -> Any:
            try:
                return self.full(body, scope)
            except Raised as raised:
                value = raised.value
            return clauses({"": scope, handler[0]: value})

        return run

    # ------------------------------------------------------------------------------------------------------------- built in
    def call_cc(self, procedure: Any) -> Any:
        mark = object()

        def escape(value: Any) -> Any:
            raise Escape(mark, value)

        try:
            return self.call(procedure, [Procedure(escape, 1, 1)])
        except Escape as found:
            if found.mark is not mark:
                raise
            return found.value

    def map(self, procedure: Any, *lists: Any) -> Any:
        columns = [unlisted(each) for each in lists]
        return listed([self.call(procedure, list(row)) for row in zip(*columns, strict=True)])

    def for_each(self, procedure: Any, *lists: Any) -> Any:
        self.map(procedure, *lists)
        return NONE

    def fold(self, procedure: Any, value: Any, items: Any) -> Any:
        for item in unlisted(items):
            value = self.call(procedure, [value, item])
        return value

    def force(self, promise: Any) -> Any:
        if not isinstance(promise, Promise):
            return promise
        if promise.thunk is not None:
            value = self.call(promise.thunk, [])
            if promise.thunk is not None:
                promise.thunk, promise.value = None, value
        return promise.value

    def display(self, text: str) -> Any:
        self.out.append(text)
        return NONE

    def builtins(self) -> None:
        def add(name: str, run: Callable[..., Any], least: int, most: int | None) -> None:
            self.globals[Symbol(name)] = Procedure(run, least, most)

        for name, (run, least, most) in DATA.items():
            add(name, run, least, most)
        add("apply", lambda f, *rest: Tail(f, [*rest[:-1], *unlisted(rest[-1])]), 2, None)
        add("call/cc", self.call_cc, 1, 1)
        add("eval", lambda form: self.full(self.compile(form), self.globals), 1, 1)
        add("map", self.map, 2, 3)
        add("for-each", self.for_each, 2, 3)
        add("filter", lambda f, x: listed([i for i in unlisted(x) if self.call(f, [i]) is not False]), 2, 2)
        add("fold-left", self.fold, 3, 3)
        add("force", self.force, 1, 1)
        add("display", lambda value: self.display(show(value, quoted=False)), 1, 1)
        add("write", lambda value: self.display(show(value)), 1, 1)
        add("newline", lambda: self.display("\n"), 0, 0)

    def answer(self, line: str) -> None:
        written = next((text for text in reversed(self.out) if text), "\n")
        self.out.append(("" if written.endswith("\n") else "\n") + line + "\n")

    def run(self, program: str) -> str:
        rest = tokens(program)
        try:
            for token in rest:
                form = parse(token, rest)
                try:
                    value = self.full(self.compile(form), self.globals)
                    if value is not NONE:
                        self.answer(show(value))
                except Raised as raised:
                    self.answer(complaint(raised.value))
        except Leave:
            pass
        return "".join(self.out)


def complaint(raised: Any) -> str:
    if not isinstance(raised, Condition):
        return f"error: uncaught {show(raised)}"
    return " ".join([f"error: {raised.message}", *map(show, raised.irritants)])


SPECIALS = {name: name.replace("*", "_star").rstrip("!") for name in (
    "quote if define set! lambda begin let let* letrec cond case and or when unless do delay quasiquote guard".split()
)}  # fmt: skip


def is_form(value: Any, word: str) -> bool:
    return isinstance(value, Pair) and isinstance(value.head, Symbol) and value.head == word


def same(a: Any, b: Any) -> bool:
    if isinstance(a, (bool, int, Symbol)):
        return type(a) is type(b) and a == b
    return a is b


def equal(a: Any, b: Any) -> bool:
    while isinstance(a, Pair) and isinstance(b, Pair):
        if not equal(a.head, b.head):
            return False
        a, b = a.tail, b.tail
    if isinstance(a, Text) and isinstance(b, Text):
        return a.text == b.text
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b, strict=True))
    return same(a, b)


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def numbers(values: tuple[Any, ...]) -> tuple[int, ...]:
    need(all(is_number(value) for value in values))
    return values


def fits(number: int) -> int:
    if not LEAST <= number <= MOST:
        fail("integer overflow")
    return number


def folded(values: tuple[Any, ...], first: int, step: Callable[[int, int], int]) -> int:
    for value in numbers(values):
        first = fits(step(first, value))
    return first


def minus(*values: Any) -> int:
    numbers(values)
    return fits(-values[0]) if len(values) == 1 else folded(values[1:], values[0], lambda a, b: a - b)


def divided(kind: str) -> Callable[[Any, Any], int]:
    def run(a: Any, b: Any) -> int:
        numbers((a, b))
        if b == 0:
            fail("division by zero")
        toward_zero = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return fits({"quotient": toward_zero, "remainder": a - b * toward_zero, "modulo": a % b}[kind])

    return run


def power(base: Any, exponent: Any) -> int:
    numbers((base, exponent))
    in_range(exponent >= 0)
    if abs(base) > 1 and exponent > 64:
        fail("integer overflow")
    return fits(base**exponent if abs(base) > 1 else base ** (exponent % 2 if base == -1 else min(exponent, 1)))


def chain(holds: Callable[[int, int], bool]) -> Callable[..., bool]:
    return lambda *values: all(holds(a, b) for a, b in zip(numbers(values), values[1:], strict=False))


def parity(odd: int) -> Callable[[Any], bool]:
    return lambda value: numbers((value,))[0] % 2 == odd


def from_text(value: Any) -> Any:
    need(isinstance(value, Text))
    if not re.fullmatch(r"[+-]?[0-9]+", value.text) or not LEAST <= int(value.text) <= MOST:
        return False
    return int(value.text)


def part(*path: str) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        for name in path:
            need(isinstance(value, Pair))
            value = getattr(value, name)
        return value

    return run


def set_part(name: str) -> Callable[[Any, Any], Any]:
    def run(pair: Any, value: Any) -> Any:
        need(isinstance(pair, Pair))
        setattr(pair, name, value)
        return NONE

    return run


def append(*values: Any) -> Any:
    if not values:
        return NIL
    items = [item for value in [unlisted(each) for each in values[:-1]] for item in value]
    return listed(items, values[-1])


def list_tail(value: Any, count: Any) -> Any:
    need(isinstance(value, (Pair, Empty)))
    in_range(numbers((count,))[0] >= 0)
    for _ in range(count):
        in_range(isinstance(value, Pair))
        value = value.tail
    return value


def list_ref(value: Any, count: Any) -> Any:
    value = list_tail(value, count)
    in_range(isinstance(value, Pair))
    return value.head


def member(is_same: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def run(wanted: Any, items: Any) -> Any:
        unlisted(items)
        while isinstance(items, Pair):
            if is_same(wanted, items.head):
                return items
            items = items.tail
        return False

    return run


def association(is_same: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def run(wanted: Any, items: Any) -> Any:
        for item in unlisted(items):
            need(isinstance(item, Pair))
            if is_same(wanted, item.head):
                return item
        return False

    return run


def text(value: Any) -> str:
    need(isinstance(value, Text))
    return value.text


def substring(value: Any, start: Any, end: Any) -> Text:
    whole = text(value)
    numbers((start, end))
    in_range(0 <= start <= end <= len(whole))
    return Text(whole[start:end])


def items_of(value: Any) -> list[Any]:
    need(isinstance(value, list))
    return value


def make_vector(size: Any, value: Any = 0) -> list[Any]:
    in_range(numbers((size,))[0] >= 0)
    return [value] * size


def vector_ref(value: Any, at: Any) -> Any:
    items_of(value)
    in_range(0 <= numbers((at,))[0] < len(value))
    return value[at]


def vector_set(value: Any, at: Any, new: Any) -> Any:
    vector_ref(value, at)
    value[at] = new
    return NONE


def vector_fill(value: Any, new: Any) -> Any:
    items_of(value)[:] = [new] * len(value)
    return NONE


def raise_(value: Any) -> Any:
    raise Raised(value)


def error(message: Any, *irritants: Any) -> Any:
    raise Raised(Condition(text(message), list(irritants)))


def condition(value: Any) -> Condition:
    need(isinstance(value, Condition))
    return value


def symbol_text(value: Any) -> Text:
    need(isinstance(value, Symbol))
    return Text(str(value))


def leave() -> Any:
    raise Leave


def is_list(value: Any) -> bool:
    while isinstance(value, Pair):
        value = value.tail
    return value is NIL


DATA: dict[str, tuple[Callable[..., Any], int, int | None]] = {
    "+": (lambda *v: folded(v, 0, lambda a, b: a + b), 0, None),
    "*": (lambda *v: folded(v, 1, lambda a, b: a * b), 0, None),
    "-": (minus, 1, None),
    "quotient": (divided("quotient"), 2, 2),
    "remainder": (divided("remainder"), 2, 2),
    "modulo": (divided("modulo"), 2, 2),
    "=": (chain(lambda a, b: a == b), 1, None),
    "<": (chain(lambda a, b: a < b), 1, None),
    ">": (chain(lambda a, b: a > b), 1, None),
    "<=": (chain(lambda a, b: a <= b), 1, None),
    ">=": (chain(lambda a, b: a >= b), 1, None),
    "min": (lambda *v: min(numbers(v)), 1, None),
    "max": (lambda *v: max(numbers(v)), 1, None),
    "abs": (lambda v: fits(abs(numbers((v,))[0])), 1, 1),
    "expt": (power, 2, 2),
    "zero?": (lambda v: numbers((v,))[0] == 0, 1, 1),
    "positive?": (lambda v: numbers((v,))[0] > 0, 1, 1),
    "negative?": (lambda v: numbers((v,))[0] < 0, 1, 1),
    "even?": (parity(0), 1, 1),
    "odd?": (parity(1), 1, 1),
    "number->string": (lambda v: Text(str(numbers((v,))[0])), 1, 1),
    "string->number": (from_text, 1, 1),
    "not": (lambda v: v is False, 1, 1),
    "eq?": (same, 2, 2),
    "eqv?": (same, 2, 2),
    "equal?": (equal, 2, 2),
    "number?": (is_number, 1, 1),
    "integer?": (is_number, 1, 1),
    "boolean?": (lambda v: isinstance(v, bool), 1, 1),
    "symbol?": (lambda v: isinstance(v, Symbol), 1, 1),
    "string?": (lambda v: isinstance(v, Text), 1, 1),
    "vector?": (lambda v: isinstance(v, list), 1, 1),
    "procedure?": (lambda v: isinstance(v, Procedure), 1, 1),
    "pair?": (lambda v: isinstance(v, Pair), 1, 1),
    "null?": (lambda v: v is NIL, 1, 1),
    "list?": (is_list, 1, 1),
    "cons": (Pair, 2, 2),
    "car": (part("head"), 1, 1),
    "cdr": (part("tail"), 1, 1),
    "caar": (part("head", "head"), 1, 1),
    "cadr": (part("tail", "head"), 1, 1),
    "cddr": (part("tail", "tail"), 1, 1),
    "caddr": (part("tail", "tail", "head"), 1, 1),
    "set-car!": (set_part("head"), 2, 2),
    "set-cdr!": (set_part("tail"), 2, 2),
    "list": (lambda *v: listed(list(v)), 0, None),
    "length": (lambda v: len(unlisted(v)), 1, 1),
    "append": (append, 0, None),
    "reverse": (lambda v: listed(unlisted(v)[::-1]), 1, 1),
    "list-tail": (list_tail, 2, 2),
    "list-ref": (list_ref, 2, 2),
    "memq": (member(same), 2, 2),
    "member": (member(equal), 2, 2),
    "assq": (association(same), 2, 2),
    "assoc": (association(equal), 2, 2),
    "symbol->string": (symbol_text, 1, 1),
    "string->symbol": (lambda v: Symbol(text(v)), 1, 1),
    "string-length": (lambda v: len(text(v)), 1, 1),
    "string-append": (lambda *v: Text("".join([text(each) for each in v])), 0, None),
    "substring": (substring, 3, 3),
    "string=?": (lambda a, b: [text(a), text(b)][0] == text(b), 2, 2),
    "string<?": (lambda a, b: text(a) < text(b), 2, 2),
    "make-vector": (make_vector, 1, 2),
    "vector": (lambda *v: list(v), 0, None),
    "vector-length": (lambda v: len(items_of(v)), 1, 1),
    "vector-ref": (vector_ref, 2, 2),
    "vector-set!": (vector_set, 3, 3),
    "vector-fill!": (vector_fill, 2, 2),
    "vector->list": (lambda v: listed(items_of(v)), 1, 1),
    "list->vector": (lambda v: unlisted(v), 1, 1),
    "raise": (raise_, 1, 1),
    "error": (error, 1, None),
    "error-object?": (lambda v: isinstance(v, Condition), 1, 1),
    "error-message": (lambda v: Text(condition(v).message), 1, 1),
    "error-irritants": (lambda v: listed(condition(v).irritants), 1, 1),
    "exit": (leave, 0, 0),
}


def answers(program: str) -> str:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    try:
        return Scheme().run(program)
    finally:
        sys.setrecursionlimit(limit)
