# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Random programs. Every expression is made for a type, so that most programs run to their end; `errors` is the share of those that are made wrong."""

from __future__ import annotations

import random

WORDS = ("fig", "pear", "plum", "kiwi", "oak")


class Writer:
    def __init__(
        self,
        chance: random.Random,
        errors: float = 0.0,
        kinds: tuple[str, ...] = ("int", "str", "tuple"),
        big: bool = False,
    ) -> None:
        self.chance = chance
        self.errors = errors
        self.kinds = kinds
        self.big = big
        self.functions: list[tuple[str, int, int]] = []  # name, parameters, those with a default

    # -- expressions

    def expr(self, kind: str, names: dict[str, list[str]], depth: int) -> str:
        if self.chance.random() < self.errors:
            kind = self.chance.choice(self.kinds)
        if depth <= 0:
            return self.leaf(kind, names)
        if self.chance.random() < 0.08:
            return f"({self.expr(kind, names, depth - 1)} if {self.condition(names, depth - 1)} else {self.expr(kind, names, depth - 1)})"
        return str(getattr(self, f"{kind}_expr")(names, depth - 1))

    def leaf(self, kind: str, names: dict[str, list[str]]) -> str:
        if names[kind] and self.chance.random() < 0.6:
            return self.chance.choice(names[kind])
        if kind == "int":
            if self.big and self.chance.random() < 0.4:
                return str(self.chance.getrandbits(self.chance.choice((40, 63, 64, 65, 100, 200))))
            return str(self.chance.randrange(self.chance.choice((3, 10, 1000))))
        if kind == "float":
            return str(self.chance.randrange(1, 4000) / self.chance.choice((1, 2, 4, 8, 10, 1e-5, 1e12)))
        if kind == "str":
            return f'"{self.chance.choice(WORDS)}"'
        return f"({self.chance.randrange(9)}, {self.chance.randrange(99)}, {self.chance.randrange(9)})"

    def int_expr(self, names: dict[str, list[str]], depth: int) -> str:
        one, other = self.expr("int", names, depth), self.expr("int", names, depth)
        kind = self.chance.randrange(11)
        if kind < 5:
            return f"({one} {self.chance.choice('+-*')} {other})"
        if kind == 5:
            return f"{one} {self.chance.choice(('//', '%'))} (abs({other}) + 1)"
        if kind == 6:
            return f"{one} {self.chance.choice(('//', '%'))} (-abs({other}) - 1)"
        if kind == 7:
            return f"-{one}" if self.chance.random() < 0.5 else f"{self.chance.choice(('min', 'max'))}({one}, {other})"
        if kind == 8:
            return f"len({self.expr(self.chance.choice(('str', 'tuple')), names, depth)})"
        if kind == 9 and self.functions:
            return self.call(names, depth)
        return f"{self.expr('tuple', names, depth)}[{self.chance.choice((0, 1, -1, 2))}]"

    def float_expr(self, names: dict[str, list[str]], depth: int) -> str:
        one, other = self.expr("float", names, depth), self.expr(self.chance.choice(("float", "int")), names, depth)
        if self.chance.random() < 0.5:
            one, other = other, one
        kind = self.chance.randrange(8)
        if kind < 4:
            return f"({one} {self.chance.choice('+-*')} {other})"
        if kind < 6:
            return f"({one} {self.chance.choice(('/', '/', '//', '%'))} (abs({other}) + {self.chance.choice(('1', '0.25'))}))"
        return f"float({other})" if kind == 6 else f"abs({one})"

    def str_expr(self, names: dict[str, list[str]], depth: int) -> str:
        one = self.expr("str", names, depth)
        return self.chance.choice(
            (
                f"({one} + {self.expr('str', names, depth)})",
                f"{one}[{self.bounds()}]",
                f"str({self.expr(self.chance.choice(self.kinds), names, depth)})",
                f'{one}.replace("{self.chance.choice("iaelp")}", {self.expr("str", names, depth)})[:20]',
                f"{one}.{self.chance.choice(('upper', 'lower', 'strip'))}()",
                f"({one} * {self.chance.randrange(3)})",
                f'"{self.chance.choice("-, ")}".join(({one}, {self.expr("str", names, depth)}))',
            )
        )

    def tuple_expr(self, names: dict[str, list[str]], depth: int) -> str:
        one = self.expr("tuple", names, depth)
        parts = ", ".join(self.expr("int", names, depth) for _ in range(3))
        return self.chance.choice(
            (f"({parts})", f"({one} + ({parts}))[-3:]", f"({one} * 2)[1:4]", f"sorted({one})", f"{one}[::-1]")
        )

    def bounds(self) -> str:
        bound = [self.chance.choice(("", "0", "1", "2", "-1", "-2", "9", "-9")) for _ in range(2)]
        return ":".join((*bound, self.chance.choice(("", "1", "2", "-1", "-2"))))

    def condition(self, names: dict[str, list[str]], depth: int) -> str:
        kind = self.chance.choice(self.kinds)
        one, other = self.expr(kind, names, depth), self.expr(kind, names, depth)
        how = self.chance.randrange(6)
        if how == 0:
            return f"not {one} == {other}"
        if how == 1:
            return f"({one} < {other} or {self.expr('int', names, depth)} % 2 == 0)"
        if how == 2:
            return f"{self.expr('int', names, 0)} < {self.expr('int', names, depth)} <= {self.expr('int', names, 0)}"
        return f"{one} {self.chance.choice(('<', '<=', '>', '>=', '==', '!='))} {other}"

    def call(self, names: dict[str, list[str]], depth: int) -> str:
        name, parameters, defaults = self.chance.choice(self.functions)
        given = self.chance.randrange(parameters - defaults, parameters + 1)
        by_place = self.chance.randrange(given + 1)
        places = [self.expr("int", names, depth) for _ in range(by_place)]
        left = [f"p{i}" for i in range(by_place, parameters)]
        needed = [name for name in left if int(name[1:]) < parameters - defaults]
        optional = [name for name in left if name not in needed and self.chance.random() < 0.5]
        named = needed + optional
        self.chance.shuffle(named)
        arguments = places + [f"{one}={self.expr('int', names, depth)}" for one in named]
        return f"{name}({', '.join(arguments)})"

    # -- statements

    def assignment(self, names: dict[str, list[str]], depth: int, new: bool = True) -> str:
        kind = self.chance.choice(self.kinds)
        known = names[kind]
        if known and (not new or self.chance.random() < 0.5):
            name = self.chance.choice(known)
            if kind == "int" and self.chance.random() < 0.4:
                return f"{name} {self.chance.choice(('+=', '-='))} {self.expr(kind, names, depth)}"
            return f"{name} = {self.expr(kind, names, depth)}"
        if not new:
            return "pass"
        name = f"{kind[0]}{len(known)}"
        made = f"{name} = {self.expr(kind, names, depth)}"
        known.append(name)
        return made

    def block(self, names: dict[str, list[str]], depth: int, size: int, indent: str, new: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(size):
            kind = self.chance.randrange(8)
            if kind < 4 or depth == 0:
                lines.append(indent + self.assignment(names, 2, new))
            elif kind == 4:
                lines += [
                    f"{indent}if {self.condition(names, 1)}:",
                    *self.block(names, depth - 1, 2, indent + "    ", False),
                ]
                if self.chance.random() < 0.5:
                    lines += [
                        f"{indent}elif {self.condition(names, 1)}:",
                        *self.block(names, depth - 1, 1, indent + "    ", False),
                    ]
                lines += [f"{indent}else:", *self.block(names, depth - 1, 1, indent + "    ", False)]
            elif kind == 5:
                inside = {**names, "int": [*names["int"], f"k{depth}"]}
                lines.append(f"{indent}for k{depth} in range({self.chance.randrange(1, 5)}):")
                lines += self.block(inside, depth - 1, 2, indent + "    ", False)
                if self.chance.random() < 0.3:
                    lines += [
                        f"{indent}    if {self.condition(inside, 0)}:",
                        f"{indent}        {self.chance.choice(('break', 'continue'))}",
                    ]
            else:
                kinds = [self.chance.choice(self.kinds) for _ in range(self.chance.randrange(1, 4))]
                # Numbers that grow in loops are cut, so that nothing becomes too long.
                lines.append(f"{indent}print({', '.join(f'str({self.expr(one, names, 2)})[:60]' for one in kinds)})")
        return lines

    def function(self) -> list[str]:
        name = f"f{len(self.functions)}"
        count = self.chance.randrange(1, 4)
        defaults = self.chance.randrange(count + 1)
        parameters = [f"p{i}" if i < count - defaults else f"p{i}={self.chance.randrange(50)}" for i in range(count)]
        names: dict[str, list[str]] = {kind: [] for kind in ("int", "float", "str", "tuple")}
        names["int"] = [f"p{i}" for i in range(count)]
        lines = [f"def {name}({', '.join(parameters)}):"]
        if self.chance.random() < 0.5:
            variable = self.chance.choice(names["int"])
            inside = {**names, "int": [*names["int"], "q"]}
            lines += [f"    def inner(q={self.chance.randrange(9)}):", f"        nonlocal {variable}"]
            lines += [f"        {variable} = ({self.expr('int', inside, 2)}) % 1000003", "        return q"]
            lines += self.block(names, 1, 2, "    ", True) + [f"    {variable} += inner({self.expr('int', names, 1)})"]
        else:
            lines += self.block(names, 1, 2, "    ", True)
        lines.append(f"    return ({self.expr('int', names, 2)}) % 1000003")
        self.functions.append((name, count, defaults))
        return lines

    def program(self, size: int, functions: int = 2) -> str:
        names: dict[str, list[str]] = {kind: [] for kind in ("int", "float", "str", "tuple")}
        lines: list[str] = []
        for _ in range(functions):
            lines += self.function()
        lines += self.block(names, 2, size, "", True)
        for known in names.values():
            lines += [f"print({name!r}, str({name})[:100])".replace("'", '"') for name in known]
        return "\n".join(lines) + "\n"
