"""Values and calls in a script of Codex's code mode, as far as its text decides them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .library import method, static
from .syntax import escaped, inside, key, names_tool, number, part, string, text
from .values import (
    OPERATORS,
    UNKNOWN,
    Function,
    InnerCall,
    Printed,
    Ref,
    Scope,
    Script,
    Tool,
    agreed,
    computed,
    is_decided,
    joined,
    member,
    plus,
    truth,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_STEPS = 20_000
_FUNCTIONS = ("arrow_function", "function_expression", "function_declaration")
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}


class Leave(Exception):
    """Leaves a loop, a function or the script ("break", "continue", "return", "throw", "exit")."""

    def __init__(self, kind: str, value: Any = None) -> None:
        super().__init__(kind)
        self.kind, self.value = kind, value


class Expressions(ABC):
    """Follows the expressions of one script.

    Attributes:
        maybe: how many conditions around the present place are not decided.
    """

    def __init__(self) -> None:
        self.script = Script()
        self.maybe = 0
        self.steps = 0

    @abstractmethod
    def block(self, node: Node, scope: Scope) -> None:
        """Follows statements."""

    def step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            self.script.undecided += 1
            raise Leave("exit")

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

    def unfollowed(self, node: Node) -> Any:
        """Syntax that is not followed: the calls of tools in it are counted."""
        self.script.undecided += sum(map(names_tool, inside(node)))
        return UNKNOWN

    # Variables

    def bind(self, target: Node, value: Any, scope: Scope, *, new: bool = False) -> None:
        """Assigns a value to a name, a pattern or a member. ``new``: it is declared here."""
        kind = target.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            name = text(target)
            owner = scope if new else scope.owner(name) or scope
            if self.maybe and not new and name in owner.own:
                value = agreed([owner.own[name], value])
            owner.own[name] = value
        elif kind == "array_pattern":
            for index, child in enumerate(target.named_children):
                self.bind(child, member(value, index) if isinstance(value, list) else computed(value), scope, new=new)
        elif kind == "object_pattern":
            for child in target.named_children:
                pair = child.type == "pair_pattern"
                name = (
                    key(part(child, "key"))
                    if pair
                    else text(child.named_children[0] if child.named_children else child)
                )
                self.bind(part(child, "value") if pair else child, member(value, name), scope, new=new)
        elif kind in ("assignment_pattern", "object_assignment_pattern"):
            self.bind(target.named_children[0], value, scope, new=new)
        elif kind in ("member_expression", "subscript_expression"):
            held, name = self.value(part(target, "object"), scope), self.name(target, scope)
            if isinstance(held, dict):
                held[name if isinstance(name, str) else "?"] = UNKNOWN if self.maybe else value

    def name(self, node: Node, scope: Scope) -> Any:
        """The name or index of a member."""
        if node.type == "member_expression":
            return text(part(node, "property"))
        return self.value(part(node, "index"), scope)

    # Expressions

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
            owner = scope.owner(name)
            return owner.own[name] if owner is not None else Tool() if name == "tools" else UNKNOWN
        if kind in ("await_expression", "parenthesized_expression", "spread_element"):
            return self.value(node.named_children[0], scope)
        if kind in _FUNCTIONS:
            return Function(node, scope)
        if kind in ("member_expression", "subscript_expression"):
            return member(self.value(part(node, "object"), scope), self.name(node, scope))
        if kind == "ternary_expression":
            return self.branch(node, scope, self.value)
        follow = _EXPRESSIONS.get(kind)
        return self.unfollowed(node) if follow is None else follow(self, node, scope)

    def template(self, node: Node, scope: Scope, *, raw: bool = False) -> Any:
        parts: list[Any] = []
        for child in node.named_children:
            if child.type == "template_substitution":
                parts.append(self.value(child.named_children[0], scope))
            else:
                parts.append(escaped(text(child)) if child.type == "escape_sequence" and not raw else text(child))
        return joined(parts)

    def elements(self, node: Node, scope: Scope) -> list[Any]:
        """The values of an array, or the arguments of a call."""
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
                named = part(child, "key")
                computed_name = named.type == "computed_property_name"
                name = self.value(named.named_children[0], scope) if computed_name else key(named)
                made[name if isinstance(name, str) else "?"] = self.value(part(child, "value"), scope)
            elif child.type == "shorthand_property_identifier":
                made[text(child)] = self.value(child, scope)
            elif child.type == "spread_element":
                value = self.value(child, scope)
                made.update(value if isinstance(value, dict) else {"?": UNKNOWN})
        return made

    def assignment(self, node: Node, scope: Scope) -> Any:
        value = self.value(part(node, "right"), scope)
        if node.type == "augmented_assignment_expression":
            before, adds = self.value(part(node, "left"), scope), text(part(node, "operator")) == "+="
            value = plus(before, value) if adds else computed([before, value])
        self.bind(part(node, "left"), value, scope)
        return value

    def update(self, node: Node, scope: Scope) -> Any:
        count, step = self.value(part(node, "argument"), scope), 1 if text(part(node, "operator")) == "++" else -1
        self.bind(part(node, "argument"), count + step if isinstance(count, int) else UNKNOWN, scope)
        return count

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
        if operator == "+":
            return plus(left, right)
        if not is_decided(left) or not is_decided(right) or operator not in OPERATORS:
            return computed([left, right])
        try:
            return OPERATORS[operator](left, right)
        except (TypeError, ZeroDivisionError):
            return UNKNOWN

    def unary(self, node: Node, scope: Scope) -> Any:
        operator, value = text(part(node, "operator")), self.value(part(node, "argument"), scope)
        known = truth(value)
        if operator == "!" and known is not None:
            return not known
        if operator == "-" and isinstance(value, int | float):
            return -value
        # `typeof r === "string" ? r : JSON.stringify(r)`: the result either way.
        return computed(value)

    # Calls

    def call(self, node: Node, scope: Scope) -> Any:
        function, given = part(node, "function"), part(node, "arguments")
        if given.type == "template_string":
            raw = text(function) == "String.raw"
            value = self.template(given, scope, raw=raw)
            return value if raw else computed(value)
        if function.type in ("member_expression", "subscript_expression"):
            owner, name = part(function, "object"), self.name(function, scope)
            held = self.value(owner, scope)
            arguments = self.elements(given, scope)
            if isinstance(held, Tool):
                return self.tool(name if isinstance(name, str) else "", arguments)
            known, value = static(text(owner), name, arguments)
            if known:
                return value
            if self.maybe and name == "push" and isinstance(held, list):
                arguments = [UNKNOWN]
            return method(held, name, arguments, self.apply, lambda f, a: self.perhaps(self.apply, f, a))
        target, arguments = self.value(function, scope), self.elements(given, scope)
        if isinstance(target, Tool):
            return self.tool(target.name, arguments)
        if isinstance(target, Function):
            return self.apply(target, arguments)
        name = text(function)
        if name == "text":
            self.script.prints.append(Printed(arguments[0] if arguments else "", bool(self.maybe)))
        elif name == "exit" and not self.maybe:
            raise Leave("exit")
        elif name == "String" and arguments:
            return joined(arguments[:1])
        return computed(arguments)

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
        self.step()
        node, scope, before = function.node, Scope(function.scope), self.maybe
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
            if leave.kind != "return":
                raise
            return leave.value
        finally:
            self.maybe = before
        return None


_EXPRESSIONS: dict[str, Callable[[Expressions, Node, Scope], Any]] = {
    "template_string": Expressions.template,
    "array": Expressions.elements,
    "object": Expressions.object,
    "call_expression": Expressions.call,
    "binary_expression": Expressions.binary,
    "assignment_expression": Expressions.assignment,
    "augmented_assignment_expression": Expressions.assignment,
    "update_expression": Expressions.update,
    "unary_expression": Expressions.unary,
    "sequence_expression": lambda run, node, scope: [run.value(c, scope) for c in node.named_children][-1],
}
