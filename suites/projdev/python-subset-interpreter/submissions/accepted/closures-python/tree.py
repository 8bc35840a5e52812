# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Tokens and the syntax tree. A node is a tuple: its kind, its line, then its parts; parameters and named arguments are lists."""

import re

KEYWORDS = set(
    "None True False and break continue def elif else for global if in lambda nonlocal not or pass return while".split()
)
TOKEN = re.compile(
    r"(?P<space> +|#.*)"
    r"|(?P<real>\d+\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+)"
    r"|(?P<integer>\d+)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<symbol>\*\*=|//=|\*\*|//|[=!<>+\-*/%]=|[-+*/%=<>()\[\],:.])"
)
ESCAPES = {"n": "\n", "t": "\t"}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not"}
UPDATES = {"+=", "-=", "*=", "/=", "//=", "%=", "**="}


def tokens(text):
    """(kind, text, line) of each token; kinds are word, keyword, integer, real, string, symbol, line, indent, dedent, end."""
    found, blocks, number = [], [0], 0
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.lstrip(" ")
        if not bare or bare[0] == "#":
            continue
        spaces = len(line) - len(bare)
        if spaces > blocks[-1]:
            blocks.append(spaces)
            found.append(("indent", "", number))
        while spaces < blocks[-1]:
            blocks.pop()
            found.append(("dedent", "", number))
        at = spaces
        while at < len(line):
            match = TOKEN.match(line, at)
            at = match.end()
            kind, value = match.lastgroup, match[0]
            if kind == "string":
                value = re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), value[1:-1])
            elif kind == "word" and value in KEYWORDS:
                kind = "keyword"
            if kind != "space":
                found.append((kind, value, number))
        found.append(("line", "", number))
    found += [("dedent", "", number)] * (len(blocks) - 1)
    found.append(("end", "", number))
    return found


class Parser:
    def __init__(self, text):
        self.tokens = tokens(text)
        self.at = 0

    @property
    def line(self):
        return self.tokens[self.at][2]

    def kind(self):
        return self.tokens[self.at][0]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1][1]

    def sees(self, *texts):
        kind, text, _ = self.tokens[self.at]
        return kind in ("symbol", "keyword") and text in texts

    def take(self, text):
        found = self.sees(text)
        self.at += found
        return found

    def need(self, text):
        if not self.take(text):
            raise SyntaxError(f"line {self.line}: {text} is missing")

    # -- statements

    def program(self):
        statements = []
        while self.kind() != "end":
            statements.append(self.statement())
        return statements

    def block(self):
        self.need(":")
        self.at += 2  # the ends of the line, the beginning of the block
        statements = []
        while self.kind() != "dedent":
            statements.append(self.statement())
        self.at += 1
        return statements

    def statement(self):
        line = self.line
        for word in ("if", "while", "for", "def"):
            if self.take(word):
                return getattr(self, f"{word}_statement")(line)
        made = self.simple(line)
        if self.kind() != "line":
            raise SyntaxError(f"line {line}: its end is missing")
        self.at += 1
        return made

    def if_statement(self, line):
        condition, yes = self.expression(), self.block()
        no = []
        below = self.line
        if self.take("elif"):
            no = [self.if_statement(below)]
        elif self.take("else"):
            no = self.block()
        return ("if", line, condition, yes, no)

    def while_statement(self, line):
        return ("while", line, self.expression(), self.block())

    def for_statement(self, line):
        names = [self.next()]
        several = self.sees(",")
        while self.take(","):
            if not self.sees("in"):
                names.append(self.next())
        self.need("in")
        return ("for", line, names if several else names[0], self.expressions(), self.block())

    def def_statement(self, line):
        name = self.next()
        self.need("(")
        parameters = self.parameters(")")
        self.need(")")
        return ("def", line, name, parameters, self.block())

    def parameters(self, end):
        found = []
        while not self.sees(end):
            name = self.next()
            found.append([name, self.expression() if self.take("=") else None])
            if not self.take(","):
                break
        return found

    def simple(self, line):
        for word in ("pass", "break", "continue"):
            if self.take(word):
                return (word, line)
        for word in ("global", "nonlocal"):
            if self.take(word):
                names = [self.next()]
                while self.take(","):
                    names.append(self.next())
                return (word, line, names)
        if self.take("return"):
            return ("return", line, ("none", line) if self.kind() == "line" else self.expressions())
        return self.assignment(line)

    def assignment(self, line):
        values = [self.expressions()]
        if self.sees(*UPDATES):
            operator = self.next()[:-1]
            name = values[0][2]
            return ("assign", line, [name], ("binary", line, operator, values[0], self.expressions()))
        while self.take("="):
            values.append(self.expressions())
        if len(values) == 1:
            return ("evaluate", line, values[0])
        targets = [value[2] if value[0] == "name" else [name[2] for name in value[2]] for value in values[:-1]]
        return ("assign", line, targets, values[-1])

    # -- expressions

    def expressions(self):
        line = self.line
        values = [self.expression()]
        several = self.sees(",")
        while self.take(","):
            if self.kind() == "line" or self.sees("=", ":", ")"):
                break
            values.append(self.expression())
        return ("tuple", line, values) if several else values[0]

    def expression(self):
        line = self.line
        if self.take("lambda"):
            parameters = self.parameters(":")
            self.need(":")
            return ("lambda", line, parameters, self.expression())
        value = self.either()
        if not self.take("if"):
            return value
        condition = self.either()
        self.need("else")
        return ("conditional", line, condition, value, self.expression())

    def either(self):
        left = self.both()
        while self.take("or"):
            left = ("or", self.line, left, self.both())
        return left

    def both(self):
        left = self.negation()
        while self.take("and"):
            left = ("and", self.line, left, self.negation())
        return left

    def negation(self):
        if self.take("not"):
            return ("not", self.line, self.negation())
        return self.comparison()

    def comparison(self):
        operands, operators = [self.sum()], []
        while self.sees(*COMPARISONS):
            operator = self.next()
            if operator == "not":
                self.need("in")
                operator = "not in"
            operators.append(operator)
            operands.append(self.sum())
        return ("compare", self.line, operators, operands) if operators else operands[0]

    def sum(self):
        left = self.product()
        while self.sees("+", "-"):
            left = ("binary", self.line, self.next(), left, self.product())
        return left

    def product(self):
        left = self.factor()
        while self.sees("*", "/", "//", "%"):
            left = ("binary", self.line, self.next(), left, self.factor())
        return left

    def factor(self):
        if self.sees("+", "-"):
            return ("sign", self.line, self.next(), self.factor())
        left = self.primary()
        if self.take("**"):
            return ("binary", self.line, "**", left, self.factor())
        return left

    def primary(self):
        made = self.atom()
        while True:
            line = self.line
            if self.take("("):
                made = ("call", line, made, *self.arguments())
            elif self.take("["):
                made = self.subscript(made, line)
            elif self.take("."):
                name = self.next()
                self.need("(")
                made = ("method", line, made, name, self.arguments()[0])
            else:
                return made

    def arguments(self):
        values, named = [], []
        while not self.sees(")"):
            if self.kind() == "word" and self.tokens[self.at + 1][:2] == ("symbol", "="):
                name = self.next()
                self.need("=")
                named.append([name, self.expression()])
            else:
                values.append(self.expression())
            if not self.take(","):
                break
        self.need(")")
        return values, named

    def subscript(self, sequence, line):
        bounds = [self.bound()]
        while self.take(":"):
            bounds.append(self.bound())
        self.need("]")
        if len(bounds) == 1:
            return ("index", line, sequence, bounds[0])
        return ("slice", line, sequence, bounds + [None] * (3 - len(bounds)))

    def bound(self):
        return None if self.sees(":", "]") else self.expression()

    def atom(self):
        kind, text, line = self.tokens[self.at]
        self.at += 1
        if kind == "integer":
            return ("constant", line, int(text))
        if kind == "real":
            return ("real", line, text)
        if kind == "string":
            return ("constant", line, text)
        if kind == "word":
            return ("name", line, text)
        if text in ("None", "True", "False"):
            return ("constant", line, {"None": None, "True": True, "False": False}[text])
        if text != "(":
            raise SyntaxError(f"line {line}: an expression is missing before {text}")
        if self.take(")"):
            return ("tuple", line, [])
        made = self.expressions()
        self.need(")")
        return made


def parse(text):
    return Parser(text).program()
