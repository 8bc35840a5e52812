"""A preprocessor for reviews: directives, includes, and code with its macros expanded.

Nothing is executed and no system header is read. Both branches of a condition are kept, because the macros that a
compiler will define are unknown here; only ``#if 0``, ``#if 1`` and names of known systems are decided. The macros of
all files apply to all files, so that a macro from a header is expanded where it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from msgspec import Struct, field

from ..model import Undecidable
from .lexer import Token, tokens

# The number of tokens that the macros of one file may expand to, and the nesting depth of their arguments.
_MAX_EXPANDED = 100_000
_MAX_DEPTH = 40
# The number of combinations of alternative definitions of the macros that one file uses.
_MAX_CHOICES = 32
# Names that compilers on the judge's system never define, and names that they always define.
UNDEFINED = frozenset(
    "_WIN32 _WIN64 WIN32 WIN64 _WINDOWS _MSC_VER __MINGW32__ __MINGW64__ __CYGWIN__ __APPLE__ __MACH__ __ANDROID__ "
    "__FreeBSD__ __OpenBSD__ __NetBSD__ __EMSCRIPTEN__ __sun _AIX".split()
)
DEFINED = frozenset("__linux__ __linux linux __unix__ __unix unix __GNUC__ __STDC__".split())
_HEADER = re.compile(r'\s*(?:<([^>\n]+)>|"([^"\n]+)")')


class Macro(Struct, frozen=True):
    """A macro definition.

    Attributes:
        name: Its name.
        parameters: The parameters of a function-like macro; None for an object-like macro.
        variadic: Whether the last parameter takes all remaining arguments.
        body: The replacement tokens.
    """

    name: str
    parameters: tuple[str, ...] | None
    variadic: bool
    body: tuple[Token, ...]

    @property
    def spelling(self) -> tuple[str, ...]:
        return (*(self.parameters or ("",)), *(token.text for token in self.body))


class Include(Struct, frozen=True):
    """One include or module import.

    Attributes:
        name: The header or module; None when a macro computes it and the result is not a header name.
        line: The line, from 1.
        directive: The directive or option, such as "include".
        angled: Whether the name is in <>.
        excerpt: The source text of a computed include.
    """

    name: str | None
    line: int
    directive: str
    angled: bool
    excerpt: str = ""


class Unit(Struct):
    """One file: its directives, and the rest of its code as tokens.

    Attributes:
        code: The tokens outside directives.
        macros: All macro definitions.
        includes: Includes that name their header.
        computed: Includes whose header a macro computes: (line, directive, tokens).
        undefined: Names in ``#undef``.
        pragmas: The tokens of all pragmas.
    """

    code: list[Token]
    macros: list[Macro] = field(default_factory=list)
    includes: list[Include] = field(default_factory=list)
    computed: list[tuple[int, str, list[Token]]] = field(default_factory=list)
    undefined: set[str] = field(default_factory=set)
    pragmas: list[Token] = field(default_factory=list)


def read(text: str, first_line: int = 1, fixed_names: frozenset[str] = frozenset()) -> Unit:
    """Read a source file without expanding macros.

    Args:
        text: The source text.
        first_line: The line number of its first line.
        fixed_names: The names of :data:`UNDEFINED` and :data:`DEFINED` that the submission does not define or undefine.
    """
    unit = Unit([])
    # For each open condition: whether this branch is certainly dead, and whether an earlier branch was certainly taken.
    conditions: list[tuple[bool, bool]] = []
    for line in _lines(tokens(text, first_line)):
        if line and line[0].kind == "punct" and line[0].text == "#":
            if len(line) > 1 and line[1].kind == "name":
                _read_directive(unit, line, conditions, fixed_names)
        elif not any(dead for dead, _ in conditions):
            unit.code += line
            unit.code.append(Token("newline", "\n", line[-1].line if line else 0))
    return unit


def _lines(found: Sequence[Token]) -> Iterable[list[Token]]:
    line: list[Token] = []
    for token in found:
        if token.kind == "newline":
            yield line
            line = []
        else:
            line.append(token)
    yield line


def _read_directive(
    unit: Unit, line: list[Token], conditions: list[tuple[bool, bool]], fixed_names: frozenset[str]
) -> None:
    name, rest = line[1].text, line[2:]
    match name:
        case "if" | "ifdef" | "ifndef":
            value = _condition_value(name, rest, fixed_names)
            conditions.append((value is False, value is True))
        case "elif" | "elifdef" | "elifndef":
            if conditions:
                taken = conditions[-1][1]
                value = _condition_value(name.removeprefix("el"), rest, fixed_names)
                conditions[-1] = (taken or value is False, taken or value is True)
        case "else":
            if conditions:
                conditions[-1] = (conditions[-1][1], conditions[-1][1])
        case "endif":
            if conditions:
                conditions.pop()
        case _ if any(dead for dead, _ in conditions):
            pass
        case "define":
            if rest and rest[0].kind == "name":
                unit.macros.append(_parse_macro(rest))
        case "pragma":
            unit.pragmas += rest
        case "undef":
            if rest:
                unit.undefined.add(rest[0].text)
        case "include" | "include_next" | "import" | "embed":
            _read_include(unit, line[0].line, name, rest)


def _condition_value(directive: str, condition: list[Token], fixed_names: frozenset[str]) -> bool | None:
    """The value of a condition if it is a constant or tests a name in ``fixed_names``; None when it is unknown."""
    texts = [token.text for token in condition if token.text not in "()"]
    negated = directive == "ifndef"
    while texts[:1] == ["!"]:
        texts, negated = texts[1:], not negated
    if directive != "if" or texts[:1] == ["defined"]:
        name = texts[-1] if texts else ""
        if len(texts) != (1 if directive != "if" else 2) or name not in fixed_names:
            return None
        return (name in DEFINED) != negated
    if len(texts) != 1:
        return None
    value = {"0": False, "false": False, "1": True, "true": True}.get(texts[0])
    return None if value is None else value != negated


def _parse_macro(rest: list[Token]) -> Macro:
    name, body = rest[0].text, rest[1:]
    if not body or body[0].text != "(" or body[0].spaced:
        return Macro(name, None, False, tuple(body))
    end = next((n for n, token in enumerate(body) if token.text == ")"), len(body))
    inner = [token.text for token in body[1:end] if token.text != ","]
    variadic = bool(inner) and inner[-1] == "..."
    if variadic:
        # "args..." names the remaining arguments; "..." alone names them __VA_ARGS__.
        named = len(inner) > 1 and end >= 2 and body[end - 2].text not in (",", "(")
        inner = inner[:-1] if named else [*inner[:-1], "__VA_ARGS__"]
    return Macro(name, tuple(inner), variadic, tuple(body[end + 1 :]))


def _read_include(unit: Unit, line: int, directive: str, rest: list[Token]) -> None:
    text = spelled(rest)
    match = _HEADER.match(text)
    if match is not None:
        unit.includes.append(Include((match[1] or match[2]).strip(), line, directive, match[1] is not None))
    else:
        unit.computed.append((line, directive, rest))


def spelled(found: Sequence[Token]) -> str:
    """The tokens as text, with a space where there was white space."""
    return "".join((" " if token.spaced else "") + token.text for token in found)


def macro_from_option(text: str) -> Macro | None:
    """The macro that a compiler option defines: NAME, NAME=BODY or F(x)=BODY."""
    name, equals, body = text.partition("=")
    rest = tokens(f"{name} {body if equals else '1'}")
    rest = [token for token in rest if token.kind != "newline"]
    return _parse_macro(rest) if rest and rest[0].kind == "name" else None


class Macros:
    """The macros of all files of a submission; one name may have several different definitions.

    A ``choice`` gives the index of the definition to use, by name; without an entry the first one is used.
    """

    def __init__(self, macros: Iterable[Macro]) -> None:
        self._by_name: dict[str, dict[tuple[str, ...], Macro]] = {}
        for macro in macros:
            self._by_name.setdefault(macro.name, {}).setdefault(macro.spelling, macro)
        self._budget = 0
        self._choice: Mapping[str, int] = {}
        self._ambiguous: set[str] = set()

    def choices(self, code: Sequence[Token]) -> list[dict[str, int]]:
        """All combinations of definitions for the macros that this code uses directly or indirectly.

        Raises:
            Undecidable: there are too many.
        """
        used: dict[str, int] = {}
        while True:
            made = [dict(zip(used, each, strict=True)) for each in product(*map(range, used.values()))]
            self._ambiguous = set()
            for choice in made:
                self.expand(code, choice)
            if self._ambiguous <= used.keys():
                return made
            used |= {name: len(self._by_name[name]) for name in sorted(self._ambiguous)}
            if prod(used.values()) > _MAX_CHOICES:
                names = ", ".join(sorted(used)[:5])
                raise Undecidable(f"too many macros have more than one definition: {names[:200]}")

    def expand(self, code: Sequence[Token], choice: Mapping[str, int] | None = None) -> list[Token]:
        """``code`` with every macro expanded.

        Raises:
            Undecidable: the result is too large or nested too deeply.
        """
        self._budget, self._choice = _MAX_EXPANDED, choice or {}
        return self._expand(code, 0) if self._by_name else list(code)

    def _definition_of(self, name: str) -> Macro | None:
        definitions = self._by_name.get(name)
        if definitions is None:
            return None
        if len(definitions) > 1:
            self._ambiguous.add(name)
        return list(definitions.values())[self._choice.get(name, 0)]

    def header(self, rest: Sequence[Token], choice: Mapping[str, int] | None = None) -> tuple[str, bool] | None:
        """The header that a computed include names, and whether it is in <>; None when it cannot be determined."""
        text = spelled(self.expand(rest, choice))
        match = _HEADER.match(text)
        if match is None:
            return None
        # White space between macros in <> does not matter to a compiler.
        return (match[1].replace(" ", ""), True) if match[1] else (match[2], False)

    def _expand(self, code: Sequence[Token], depth: int) -> list[Token]:
        if depth > _MAX_DEPTH:
            raise Undecidable("macros are nested too deeply to be expanded")
        out: list[Token] = []
        pending = list(reversed(code))
        while pending:
            token = pending.pop()
            macro = (
                self._definition_of(token.text) if token.kind == "name" and token.text not in token.hide_set else None
            )
            arguments: list[list[Token]] | None = []
            if macro is not None and macro.parameters is not None:
                arguments = _arguments(pending)
            if macro is None or arguments is None:
                out.append(token)
            else:
                pending += reversed(self._substitute(macro, arguments, token, depth))
        return out

    def _substitute(self, macro: Macro, arguments: list[list[Token]], call: Token, depth: int) -> list[Token]:
        named = _bind_arguments(macro, arguments)
        hide_set = call.hide_set | {macro.name}
        made: list[Token] = []
        body = _resolve_va_opt(macro, named)
        skip = False
        for n, token in enumerate(body):
            if skip:
                skip = False
                continue
            following = body[n + 1] if n + 1 < len(body) else None
            pasted = (made and n and body[n - 1].text == "##") or (following is not None and following.text == "##")
            if token.text == "##" and token.kind == "punct":
                continue
            if token.text == "#" and following is not None and following.text in named:
                text = spelled(named[following.text]).strip().replace("\\", "\\\\").replace('"', '\\"')
                piece, skip = [Token("string", f'"{text}"', call.line)], True
            elif token.kind == "name" and token.text in named:
                argument = named[token.text]
                piece = list(argument) if pasted else self._expand(argument, depth + 1)
                if piece:
                    piece[0] = piece[0]._replace(spaced=token.spaced)
            else:
                piece = [token]
            if n and body[n - 1].text == "##" and made and piece:
                piece = [*_paste(made.pop(), piece[0]), *piece[1:]]
            made += piece
            self._budget -= len(piece)
            if self._budget < 0:
                raise Undecidable("macros expand to more code than the review can read")
        from_macro = call.from_macro or macro.name
        return [
            token._replace(line=call.line, from_macro=from_macro, hide_set=token.hide_set | hide_set) for token in made
        ]


def _bind_arguments(macro: Macro, arguments: list[list[Token]]) -> dict[str, list[Token]]:
    names = macro.parameters or ()
    if macro.variadic and len(arguments) > len(names):
        rest: list[Token] = []
        for argument in arguments[len(names) - 1 :]:
            rest += ([Token("punct", ",", 0)] if rest else []) + argument
        arguments = [*arguments[: len(names) - 1], rest]
    return {name: arguments[n] if n < len(arguments) else [] for n, name in enumerate(names)}


def _resolve_va_opt(macro: Macro, named: dict[str, list[Token]]) -> list[Token]:
    """The body with ``__VA_OPT__`` resolved."""
    body = list(macro.body)
    if not macro.variadic or not any(token.text == "__VA_OPT__" for token in body):
        return body
    has_rest = bool(named[(macro.parameters or ("",))[-1]])
    made: list[Token] = []
    depth, inside = 0, False
    for n, token in enumerate(body):
        if token.text == "__VA_OPT__" and not inside and n + 1 < len(body) and body[n + 1].text == "(":
            inside, depth = True, 0
        elif inside:
            depth += (token.text == "(") - (token.text == ")")
            inside = depth > 0
            if has_rest and inside and not (depth == 1 and token.text == "("):
                made.append(token)
        else:
            made.append(token)
    return made


def _arguments(pending: list[Token]) -> list[list[Token]] | None:
    """The arguments of a call that follows, removed from ``pending`` (a reversed list); None when there is no call."""
    n = len(pending) - 1
    while n >= 0 and pending[n].kind == "newline":
        n -= 1
    if n < 0 or pending[n].text != "(":
        return None
    depth, arguments = 0, [[]]  # type: tuple[int, list[list[Token]]]
    while n >= 0:
        token = pending[n]
        n -= 1
        if token.kind == "punct" and token.text in ("(", ")"):
            depth += 1 if token.text == "(" else -1
            if depth == 0:
                del pending[n + 1 :]
                return arguments
            if depth == 1 and token.text == "(":
                continue
        if depth == 1 and token.kind == "punct" and token.text == ",":
            arguments.append([])
        elif token.kind != "newline":
            arguments[-1].append(token)
    return None


def _paste(left: Token, right: Token) -> list[Token]:
    made = [token for token in tokens(left.text + right.text) if token.kind != "newline"]
    hide_set = left.hide_set | right.hide_set
    return [token._replace(line=left.line, spaced=left.spaced, hide_set=hide_set) for token in made]
