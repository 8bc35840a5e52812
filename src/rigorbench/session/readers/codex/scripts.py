"""What a script of Codex's code mode does, as far as its text decides it.

The tool ``exec`` takes a JavaScript program that calls other tools (``await tools.exec_command({...})``) and shows
what it passes to ``text()``. The program is followed over constants, arrays, objects, templates, functions, lists and
``Promise.all``. What depends on a result, or on a loop with a condition, is not guessed: a call there is counted as
undecided.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import orjson
from msgspec import Struct, field

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_LONGEST = 1_000_000
_FUNCTIONS = ("arrow_function", "function_expression", "function_declaration")
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}
# Syntax that has the value of what is in it: of the last of several.
_TRANSPARENT = ("await_expression", "parenthesized_expression", "spread_element", "sequence_expression")

Scope = ChainMap[str, Any]
"""The variables of a block or function, and those around it."""


def read_script(source: str) -> Script:
    """What a script does. A script that cannot be parsed or followed has an undecided call."""
    root = _parser().parse(source.encode("utf-8", "surrogatepass")).root_node if len(source) <= _LONGEST else None
    if root is None or root.has_error:
        return Script(undecided=1)
    run = _Run()
    try:
        run.block(root, ChainMap())
    except Leave:
        pass
    except RecursionError:
        run.script.undecided += 1
    return run.script


class Leave(Exception):
    def __init__(self, value: Any = None) -> None:
        super().__init__()
        self.value = value


class _Run:
    """Follows one script. ``maybe``: how many conditions around the present place are not decided."""

    def __init__(self) -> None:
        self.script = Script()
        self.maybe = 0

    def perhaps(self, follow: Callable[..., Any], *arguments: Any) -> Any:
        """Follows something of which it is not decided whether it happens."""
        before = self.maybe
        self.maybe += 1
        try:
            return follow(*arguments)
        finally:
            self.maybe = before

    def branch(self, node: Node, scope: Scope, follow: Callable[[Node, Scope], Any]) -> Any:
        """``if`` or ``a ? b : c``. Where the condition is not decided, each side may be the one."""
        condition = truth(self.value(part(node, "condition"), scope))
        sides = [node.child_by_field_name("consequence"), node.child_by_field_name("alternative")]
        if condition is not None:
            side = sides[0 if condition else 1]
            return None if side is None else follow(side, scope)
        return agreed([self.perhaps(follow, side, scope) for side in sides if side is not None])

    def unfollowed(self, node: Node, scope: Scope) -> Any:
        """Syntax that is not followed: the calls of tools in it are counted, and what it assigns is not known."""
        for found in inside(node):
            if found.type.endswith(("assignment_expression", "update_expression")):
                left = found.child_by_field_name("left") or part(found, "argument")
                self.bind(left, computed(self.value(left, scope)), scope)
            elif found.type == "call_expression":
                function = part(found, "function")
                owner, name = text(function.child_by_field_name("object")), part(function, "property")
                # `write_stdin` goes on with a process that another call started.
                self.script.undecided += owner == "tools" and text(name) != "write_stdin"
        return UNKNOWN

    def block(self, node: Node, scope: Scope) -> None:
        for child in node.named_children:
            if child.type == "function_declaration":
                scope[text(part(child, "name"))] = Function(child, scope)
        for child in node.named_children:
            self.statement(child, scope)

    def statement(self, node: Node, scope: Scope) -> None:
        kind = node.type
        if kind in ("lexical_declaration", "variable_declaration"):
            for declared in node.named_children:
                value = declared.child_by_field_name("value")
                self.bind(part(declared, "name"), None if value is None else self.value(value, scope), scope, new=True)
        elif kind == "statement_block":
            self.block(node, scope.new_child())
        elif kind == "if_statement":
            self.branch(node, scope, self.statement)
        elif kind == "for_in_statement":
            self.each(node, scope.new_child())
        elif kind == "try_statement":
            self.statement(part(node, "body"), scope)
            for name, follow in (("handler", self.perhaps), ("finalizer", lambda f, *a: f(*a))):
                clause = node.child_by_field_name(name)
                if clause is not None:
                    follow(self.statement, part(clause, "body"), scope)
        elif kind in ("return_statement", "throw_statement"):
            values = [self.value(child, scope) for child in node.named_children]
            if not self.maybe:
                raise Leave(values[0] if values else None)
        elif kind in ("expression_statement", "else_clause"):
            for child in node.named_children:
                (self.statement if kind == "else_clause" else self.value)(child, scope)
        elif kind not in ("function_declaration", "comment", "empty_statement"):
            self.unfollowed(node, scope)

    def each(self, node: Node, scope: Scope) -> None:
        """``for ... of``, over a list that is known or not at all."""
        left, body = part(node, "left"), part(node, "body")
        values = self.value(part(node, "right"), scope)
        if isinstance(values, list) and text(part(node, "operator")) == "of":
            for value in values:
                self.bind(left, value, scope, new=True)
                self.statement(body, scope)
        else:
            self.bind(left, computed(values), scope, new=True)
            self.perhaps(self.statement, body, scope)

    def bind(self, target: Node, value: Any, scope: Scope, *, new: bool = False) -> None:
        """Assigns a value to a name, a pattern or a member. ``new``: it is declared here."""
        kind = target.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            name = text(target)
            owner = scope.maps[0] if new else next((m for m in scope.maps if name in m), scope.maps[0])
            if self.maybe and not new and name in owner:
                value = agreed([owner[name], value])
            owner[name] = value
        elif kind == "array_pattern":
            for index, child in enumerate(target.named_children):
                self.bind(child, member(value, index) if isinstance(value, list) else computed(value), scope, new=new)
        elif kind == "object_pattern":
            for child in target.named_children:
                if child.type == "pair_pattern":
                    self.bind(part(child, "value"), member(value, key(part(child, "key"))), scope, new=new)
                else:
                    self.bind(child, member(value, text(child)), scope, new=new)
        elif kind in ("member_expression", "subscript_expression"):
            held = self.value(part(target, "object"), scope)
            if isinstance(held, dict):
                held["?"] = UNKNOWN

    def name(self, node: Node, scope: Scope) -> Any:
        if node.type == "member_expression":
            return text(part(node, "property"))
        return self.value(part(node, "index"), scope)

    def value(self, node: Node, scope: Scope) -> Any:
        kind = node.type
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind == "string":
            return string(node)
        if kind == "number":
            return number(text(node))
        if kind in ("identifier", "shorthand_property_identifier"):
            name = text(node)
            return scope.get(name, ToolValue() if name == "tools" else UNKNOWN)
        if kind in _TRANSPARENT:
            return [self.value(child, scope) for child in node.named_children][-1]
        if kind in _FUNCTIONS:
            return Function(node, scope)
        if kind in ("member_expression", "subscript_expression"):
            return member(self.value(part(node, "object"), scope), self.name(node, scope))
        if kind == "ternary_expression":
            return self.branch(node, scope, self.value)
        if kind == "unary_expression":
            # `typeof r === "string" ? r : JSON.stringify(r)`: the result either way.
            return computed(self.value(part(node, "argument"), scope))
        follow = _EXPRESSIONS.get(kind)
        return self.unfollowed(node, scope) if follow is None else follow(self, node, scope)

    def template(self, node: Node, scope: Scope, *, raw: bool = False) -> Any:
        parts: list[Any] = []
        for child in node.named_children:
            if child.type == "template_substitution":
                parts.append(self.value(child.named_children[0], scope))
            else:
                parts.append(escaped(text(child)) if child.type == "escape_sequence" and not raw else text(child))
        return joined(parts)

    def elements(self, node: Node, scope: Scope) -> list[Any]:
        found: list[Any] = []
        for child in node.named_children:
            if child.type != "comment":
                value = self.value(child, scope)
                spread = child.type == "spread_element"
                found += [value] if not spread else value if isinstance(value, list) else [UNKNOWN]
        return found

    def object(self, node: Node, scope: Scope) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for child in node.named_children:
            if child.type == "pair":
                made[key(part(child, "key"))] = self.value(part(child, "value"), scope)
            elif child.type == "shorthand_property_identifier":
                made[text(child)] = self.value(child, scope)
            elif child.type == "spread_element":
                value = self.value(child, scope)
                made.update(value if isinstance(value, dict) else {"?": UNKNOWN})
        return made

    def assignment(self, node: Node, scope: Scope) -> Any:
        left, value = part(node, "left"), self.value(part(node, "right"), scope)
        if node.type == "augmented_assignment_expression":
            before, adds = self.value(left, scope), text(part(node, "operator")) == "+="
            value = plus(before, value) if adds else computed([before, value])
        self.bind(left, value, scope)
        return value

    def binary(self, node: Node, scope: Scope) -> Any:
        operator, left = text(part(node, "operator")), self.value(part(node, "left"), scope)
        if operator in ("&&", "||", "??"):
            known = (left is not None if is_decided(left) else None) if operator == "??" else truth(left)
            if known is not None:
                return self.value(part(node, "right"), scope) if known == (operator == "&&") else left
            right = self.perhaps(self.value, part(node, "right"), scope)
            # `r.output || "none"`: what is shown is the result, where there is one.
            return left if operator != "&&" and isinstance(left, Ref) else computed([left, right])
        right = self.value(part(node, "right"), scope)
        return plus(left, right) if operator == "+" else computed([left, right])

    def call(self, node: Node, scope: Scope) -> Any:
        function, given = part(node, "function"), part(node, "arguments")
        if given.type == "template_string":
            raw = text(function) == "String.raw"
            value = self.template(given, scope, raw=raw)
            return value if raw else computed(value)
        if function.type in ("member_expression", "subscript_expression"):
            owner, name = part(function, "object"), self.name(function, scope)
            held, arguments = self.value(owner, scope), self.elements(given, scope)
            if isinstance(held, ToolValue):
                return self.tool(name if isinstance(name, str) else "", arguments)
            return self.method(f"{text(owner)}.{name}", held, name, arguments)
        target, arguments = self.value(function, scope), self.elements(given, scope)
        if isinstance(target, ToolValue):
            return self.tool(target.name, arguments)
        if isinstance(target, Function):
            return self.apply(target, arguments)
        name = text(function)
        if name == "text":
            self.script.prints.append(PrintedValue(arguments[0] if arguments else "", bool(self.maybe)))
        elif name == "exit" and not self.maybe:
            raise Leave
        elif name == "String" and arguments:
            return joined(arguments[:1])
        return computed(arguments)

    def method(self, whole: str, held: Any, name: Any, arguments: list[Any]) -> Any:
        """``held.name(...)``, of the functions that scripts use to bring calls and results together."""
        first = arguments[0] if arguments else None
        if whole == "Promise.all":
            return first
        if whole == "Promise.allSettled" and isinstance(first, list):
            return [{"status": "fulfilled", "value": value} for value in first]
        if whole == "JSON.stringify":
            return as_json(first)
        if isinstance(held, list):
            if name in ("map", "forEach") and isinstance(first, Function):
                made = [self.apply(first, [value, index]) for index, value in enumerate(held)]
                return made if name == "map" else None
            if name == "join":
                between = "," if first is None else first
                return joined([x for value in held for x in (between, value)][1:])
            if name == "push":
                held += [UNKNOWN] if self.maybe else arguments
                return len(held)
        if isinstance(held, Ref):
            if name == "then" and isinstance(first, Function):
                return self.apply(first, [held])
            if name in ("catch", "finally", "toString"):
                return held
        for function in arguments:
            if isinstance(function, Function):
                for value in held if isinstance(held, list) else [computed(held)]:
                    self.perhaps(self.apply, function, [value])
        return computed([held, *(a for a in arguments if not isinstance(a, Function))])

    def tool(self, name: str, arguments: list[Any]) -> Any:
        given = arguments[0] if arguments else {}
        session = given.get("session_id") if isinstance(given, dict) else None
        if name == "write_stdin" and isinstance(session, Ref):
            return Ref(session.call)  # the process of that call goes on, and so does its result
        if self.maybe or not name:
            self.script.undecided += 1
            return UNKNOWN
        self.script.calls.append(InnerCall(name, given if is_decided(given) else UNKNOWN))
        return Ref(len(self.script.calls) - 1)

    def apply(self, function: Function, arguments: list[Any]) -> Any:
        node, scope, before = function.node, function.scope.new_child(), self.maybe
        single, many = node.child_by_field_name("parameter"), node.child_by_field_name("parameters")
        names = [single] if single is not None else many.named_children if many is not None else []
        for index, name in enumerate(names):
            self.bind(name, arguments[index] if index < len(arguments) else None, scope, new=True)
        body = part(node, "body")
        if body.type != "statement_block":
            return self.value(body, scope)
        try:
            self.block(body, scope)
        except Leave as leave:
            return leave.value
        finally:
            self.maybe = before
        return None


_EXPRESSIONS: dict[str, Callable[[_Run, Node, Scope], Any]] = {
    "template_string": _Run.template,
    "array": _Run.elements,
    "object": _Run.object,
    "call_expression": _Run.call,
    "binary_expression": _Run.binary,
    "assignment_expression": _Run.assignment,
    "augmented_assignment_expression": _Run.assignment,
}


# Values, in which results of tool calls stand for themselves: what they are only shows when the script runs


class Ref(Struct, frozen=True):
    """The result of the script's ``call``-th tool call, or a part of it.

    ``field`` is "output", "exit_code", "session_id"; "" is the whole result, "?" what was computed from it.
    """

    call: int
    field: str = ""


class Mix(Struct, frozen=True):
    """A text of literal pieces and results."""

    parts: tuple[Any, ...]


class ToolValue(Struct, frozen=True):
    """A tool as a value; "" is the object that contains all of them."""

    name: str = ""


class Function(Struct, frozen=True, eq=False):
    """A function of the script: its syntax node and the variables that it sees."""

    node: Any
    scope: Any


class InnerCall(Struct):
    """A tool call of the script. ``given`` is UNKNOWN where its arguments are not decided."""

    tool: str
    given: Any


class PrintedValue(Struct):
    """A value that the script shows. ``maybe``: only under a condition that is not decided."""

    value: Any
    maybe: bool


class Script(Struct):
    """What a script does: its calls and what it shows, both in order; ``undecided`` calls may be made besides."""

    calls: list[InnerCall] = field(default_factory=list)
    prints: list[PrintedValue] = field(default_factory=list)
    undecided: int = 0


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
"""A value that the text of the script does not decide."""


def joined(values: list[Any]) -> Any:
    flat: list[Any] = []
    for value in values:
        for piece in value.parts if isinstance(value, Mix) else (value,):
            made = piece if isinstance(piece, Ref) else printed(piece)
            if isinstance(made, str) and flat and isinstance(flat[-1], str):
                flat[-1] += made
            else:
                flat.append(made)
    if all(isinstance(piece, str) for piece in flat):
        return "".join(flat)
    return Mix(tuple(flat))


def printed(value: Any) -> Any:
    """How JavaScript prints a value in a text; UNKNOWN where that is not plain."""
    if isinstance(value, str):
        return value
    if value is None:
        return "undefined"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() else str(value)
    return UNKNOWN


def plus(left: Any, right: Any) -> Any:
    texts = isinstance(left, str | Mix) or isinstance(right, str | Mix)
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left + right
    if texts or (isinstance(left, Ref) and isinstance(right, Ref)):
        return joined([left, right])
    return computed([left, right])


def is_decided(value: Any) -> bool:
    """Whether nothing in the value depends on a result or on anything unknown."""
    if isinstance(value, list):
        return all(map(is_decided, value))
    if isinstance(value, dict):
        return all(map(is_decided, value.values()))
    return value is None or isinstance(value, str | bool | int | float)


def refs(value: Any) -> set[int]:
    if isinstance(value, Ref):
        return {value.call}
    held = value.parts if isinstance(value, Mix) else value.values() if isinstance(value, dict) else value
    return set().union(*map(refs, held)) if isinstance(value, Mix | dict | list) else set()


def computed(value: Any) -> Any:
    """What is computed from a value in a way that is not followed; of one call's result, it is known whose."""
    calls = refs(value)
    return Ref(calls.pop(), "?") if len(calls) == 1 else UNKNOWN


def agreed(values: list[Any]) -> Any:
    """One of several values of which it is not decided which: all the same, or what is known of all of them."""
    return values[0] if values and all(value == values[0] for value in values) else computed(values)


def member(value: Any, name: Any) -> Any:
    """``value.name`` or ``value[name]``."""
    if isinstance(value, ToolValue):
        return ToolValue(name) if isinstance(name, str) and not value.name else UNKNOWN
    if isinstance(value, Ref):
        # A settled promise has the result as its value.
        plain = value.field == "" and isinstance(name, str)
        return (value if name == "value" else Ref(value.call, str(name))) if plain else Ref(value.call, "?")
    if isinstance(value, dict):
        return value.get(name) if "?" not in value or name in value else UNKNOWN
    if isinstance(value, list | str):
        if name == "length":
            return len(value)
        if isinstance(name, int) and not isinstance(name, bool):
            return value[name] if 0 <= name < len(value) else None
    return UNKNOWN


def as_json(value: Any) -> Any:
    """The value as ``JSON.stringify`` writes it. Lists and objects with results in them stay what they are."""
    if isinstance(value, list | dict | Ref) and refs(value):
        return value
    return orjson.dumps(value).decode() if is_decided(value) else UNKNOWN


def truth(value: Any) -> bool | None:
    """Whether JavaScript takes the value as true; None: not decided."""
    if isinstance(value, list | dict | ToolValue | Function):
        return True
    return bool(value) if is_decided(value) else None


# The syntax tree, and its literals


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


@cache
def _parser() -> Parser:
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_javascript.language()))


def text(node: Node | None) -> str:
    content = node.text if node is not None else None
    return content.decode("utf-8", "surrogatepass") if content is not None else ""


def part(node: Node, name: str) -> Node:
    """A part that this kind of node always has."""
    found = node.child_by_field_name(name)
    return node if found is None else found


def inside(node: Node) -> Iterator[Node]:
    """All nodes below (and with) this one."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += found.named_children


def string(node: Node) -> str:
    parts = (
        text(child) if child.type == "string_fragment" else escaped(text(child))
        for child in node.named_children
        if child.type in ("string_fragment", "escape_sequence")
    )
    # A pair of surrogates is one character.
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def escaped(sequence: str) -> str:
    mark = sequence[1:2]
    if mark in "ux" and len(sequence) > 2:
        try:
            return chr(int(sequence[2:].strip("{}"), 16))
        except (ValueError, OverflowError):
            return ""
    return _ESCAPES.get(mark, sequence[1:])


def number(literal: str) -> int | float | None:
    plain = literal.replace("_", "").rstrip("n")
    try:
        return int(plain, 0)
    except ValueError:
        try:
            return float(plain)
        except ValueError:
            return None


def key(node: Node) -> str:
    return string(node) if node.type == "string" else text(node)
