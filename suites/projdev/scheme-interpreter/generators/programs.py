# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
"""Random programs: expressions that mostly have the types that they need, with wrong ones between."""

from __future__ import annotations

import random


class Writer:
    """Writes expressions. `errors`: how often something of any type stands where one type is needed."""

    def __init__(self, chance: random.Random, errors: float = 0.03, extended: bool = True) -> None:
        self.chance, self.errors, self.extended = chance, errors, extended
        self.count = 0

    def pick(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def variable(self, kind: str, scope: dict[str, str]) -> str | None:
        names = [name for name, known in scope.items() if known == kind]
        return self.chance.choice(names) if names else None

    def expression(self, kind: str, depth: int, scope: dict[str, str]) -> str:
        if self.chance.random() < self.errors:
            kind = self.pick("number", "truth", "list", "text")
        found = self.variable(kind, scope)
        if found and self.chance.random() < 0.35:
            return found
        if depth <= 0:
            return self.atom(kind)
        if self.chance.random() < 0.3:
            return self.form(kind, depth - 1, scope)
        return getattr(self, kind)(depth - 1, scope)

    def atom(self, kind: str) -> str:
        if kind == "number":
            return str(self.chance.choice([0, 1, 2, 3, -1, -7, 10, 4_611_686_018_427_387_904, self.chance.randint(-99, 99)]))
        if kind == "truth":
            return self.pick("#t", "#f")
        if kind == "text":
            return self.pick('""', '"a"', '"ab c"', '"12"', '"q\\"\\\\"')
        return self.pick("'()", "'(1 2 3)", "'(4 -5)", "(list 1)", "'(7 . (8 9))")

    def number(self, depth: int, scope: dict[str, str]) -> str:
        a, b = (self.expression("number", depth, scope) for _ in range(2))
        items = self.expression("list", depth, scope)
        choices = [
            f"({self.pick('+', '-', '*', 'min', 'max')} {a} {b})",
            f"({self.pick('+', '*', '-')} {a} {b} {self.atom('number')})",
            f"({self.pick('quotient', 'remainder', 'modulo')} {a} {b})",
            f"({self.pick('abs', '-')} {a})",
            f"(length {items})",
            f"(car {items})",
            f"(apply + {items})",
            f"(fold-left (lambda (a b) (- b a)) {a} {items})",
        ]
        if self.extended:
            string = self.expression("text", depth, scope)
            choices += [
                f"(string-length {string})",
                f"(vector-ref (list->vector {items}) {self.pick('0', '1', a)})",
                f"(guard (e ({self.pick('#t', '#t', '(number? e)')} {b})) {self.pick('(raise ' + a + ')', a)})",
                f"(call/cc (lambda (k) (+ 1 {self.pick('(k ' + a + ')', a)})))",
                f"(force (delay {a}))",
                f"(do ((i 0 (+ i 1)) (s {a} (- i s))) ((= i {self.chance.randint(0, 6)}) s))",
                f"(case {a} ((0 1 2) {b}) ((-1 3) 5) (else {self.atom('number')}))",
            ]
        return self.chance.choice(choices)

    def truth(self, depth: int, scope: dict[str, str]) -> str:
        a, b = (self.expression("number", depth, scope) for _ in range(2))
        kind = self.pick("number", "truth", "list", "text")
        any_one = self.expression(kind, depth, scope)
        return self.chance.choice(
            [
                f"({self.pick('<', '>', '=', '<=', '>=')} {a} {b})",
                f"({self.pick('<', '>=')} {a} {b} {self.atom('number')})",
                f"({self.pick('null?', 'pair?', 'number?', 'list?', 'not', 'boolean?', 'symbol?')} {any_one})",
                f"(equal? {any_one} {self.expression(kind, depth, scope)})",
                f"({self.pick('zero?', 'even?', 'odd?', 'negative?')} {a})",
                f"({self.pick('and', 'or')} {self.expression('truth', depth, scope)} {self.expression('truth', depth, scope)})",
            ]
        )

    def list(self, depth: int, scope: dict[str, str]) -> str:
        number, items, other = (self.expression(kind, depth, scope) for kind in ("number", "list", "list"))
        name = self.name()
        inner = scope | {name: "number"}
        choices = [
            f"(cons {number} {items})",
            f"(list {number} {self.expression('number', depth, scope)})",
            f"(append {items} {other})",
            f"(reverse {items})",
            f"(cdr {items})",
            f"(map (lambda ({name}) {self.expression('number', depth, inner)}) {items})",
            f"(filter (lambda ({name}) {self.expression('truth', depth, inner)}) {items})",
            f"(or (memq {number} {items}) {other})",
        ]
        if self.extended:
            choices += [
                f"`({self.pick('1', 'x')} ,{number} ,@{items} {self.pick('2', '. 3', '(y)')})",
                f"((lambda ({name} . r) r) {number} {self.atom('number')} {self.atom('number')})",
                f"(vector->list (make-vector {self.chance.randint(0, 3)} {number}))",
                f"(list-tail {items} {self.pick('0', '1', number)})",
                f"(eval (list 'list {number} {self.atom('number')}))",
            ]
        return self.chance.choice(choices)

    def text(self, depth: int, scope: dict[str, str]) -> str:
        a, b = (self.expression("text", depth, scope) for _ in range(2))
        number = self.expression("number", depth, scope)
        return self.pick(f"(string-append {a} {b})", f"(number->string {number})", f"(substring {a} 0 {self.pick('0', '1')})")

    def form(self, kind: str, depth: int, scope: dict[str, str]) -> str:
        """A special form whose value is of this kind."""
        bound = self.pick("number", "list", "truth")
        value = self.expression(bound, depth, scope)
        name = self.name()
        inner = scope | {name: bound}
        body = self.expression(kind, depth, inner)
        test, other = self.expression("truth", depth, scope), self.expression(kind, depth, scope)
        return self.chance.choice(
            [
                f"(if {test} {other} {self.expression(kind, depth, scope)})",
                f"(let (({name} {value})) {body})",
                f"(let* (({name} {value}) (z {self.atom('number')})) {body})",
                f"((lambda ({name}) {body}) {value})",
                f"(letrec ((f (lambda ({name} n) (if (< n 1) {body} (f {name} (- n 1)))))) (f {value} 2))",
                f"(let () (define {name} {value}) {body})",
                f"(let (({name} {value})) (set! {name} {self.expression(bound, depth, inner)}) {body})",
                f"(cond ({test} {other}) ((null? {value}) {other}) (else {self.expression(kind, depth, scope)}))",
                f"(begin {value} {other})",
                f"(let loop ((i 0)) (if (< i 3) (loop (+ i 1)) {other}))",
            ]
        )

    def program(self, forms: int, depth: int) -> str:
        scope: dict[str, str] = {}
        lines = []
        for _ in range(forms):
            kind = self.pick("number", "truth", "list", "text") if self.extended else self.pick("number", "truth", "list")
            text = self.expression(kind, depth, scope)
            if self.chance.random() < 0.25:
                name = f"g{len(scope)}"
                lines.append(f"(define {name} {text})")
                scope[name] = kind
            else:
                lines.append(text)
        return "".join(f"{line}\n" for line in lines)
