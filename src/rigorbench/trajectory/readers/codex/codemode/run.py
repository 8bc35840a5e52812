"""What a script of Codex's code mode does, as far as its text decides it.

The tool ``exec`` takes a JavaScript program that calls other tools (``await tools.exec_command({...})``) and shows
what it passes to ``text()``. The program is followed over constants, arrays, objects, templates, functions, loops over
known values and ``Promise.all``. What depends on a result is not guessed: a call there is counted as undecided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .expressions import Expressions, Leave
from .syntax import parse, part, text
from .values import UNKNOWN, Function, Scope, Script, computed, truth

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 1_000_000


def read_script(source: str) -> Script:
    """What a script does. A script that cannot be parsed or followed has an undecided call."""
    if len(source) > _LONGEST:
        return Script(undecided=1)
    root = parse(source)
    if root.has_error:
        return Script(undecided=1)
    run = _Run()
    try:
        run.block(root, Scope())
    except Leave:
        pass
    except RecursionError:
        run.script.undecided += 1
    return run.script


class _Run(Expressions):
    """Follows one script, statement by statement."""

    def block(self, node: Node, scope: Scope) -> None:
        for child in node.named_children:
            if child.type == "function_declaration":
                scope.own[text(part(child, "name"))] = Function(child, scope)
        for child in node.named_children:
            self.statement(child, scope)

    def statement(self, node: Node, scope: Scope) -> None:
        self.step()
        kind = node.type
        if kind in ("lexical_declaration", "variable_declaration"):
            for declared in node.named_children:
                value = declared.child_by_field_name("value")
                self.bind(part(declared, "name"), None if value is None else self.value(value, scope), scope, new=True)
        elif kind == "statement_block":
            self.block(node, Scope(scope))
        elif kind == "if_statement":
            self.branch(node, scope, self.statement)
        elif kind == "for_in_statement":
            self.each(node, Scope(scope))
        elif kind in ("for_statement", "while_statement"):
            self.loop(node, Scope(scope))
        elif kind == "try_statement":
            self.attempt(node, scope)
        elif kind in ("return_statement", "throw_statement", "break_statement", "continue_statement"):
            values = [self.value(child, scope) for child in node.named_children]
            if not self.maybe:
                raise Leave(kind.partition("_")[0], values[0] if values else None)
            # Under a condition: what follows may not be reached. A script that threw does not end as completed.
            self.maybe += kind != "throw_statement"
        elif kind in ("expression_statement", "else_clause"):
            for child in node.named_children:
                (self.statement if kind == "else_clause" else self.value)(child, scope)
        elif kind not in ("function_declaration", "comment", "empty_statement"):
            self.unfollowed(node)

    def each(self, node: Node, scope: Scope) -> None:
        """``for ... of``, over a list that is known or not at all."""
        left, body = part(node, "left"), part(node, "body")
        values = self.value(part(node, "right"), scope)
        if text(part(node, "operator")) == "in":
            values = list(values) if isinstance(values, dict) else UNKNOWN
        if not isinstance(values, list):
            self.bind(left, computed(values), scope, new=True)
            self.perhaps(self.statement, body, scope)
            return
        for value in values:
            self.bind(left, value, scope, new=True)
            if not self.goes_on(body, scope):
                return

    def loop(self, node: Node, scope: Scope) -> None:
        """A loop with a condition, as often as the condition is decided."""
        initial, condition = node.child_by_field_name("initializer"), part(node, "condition")
        update = node.child_by_field_name("increment")
        if initial is not None:
            self.statement(initial, scope)
        if condition.type == "expression_statement":
            condition = condition.named_children[0]
        while True:
            self.step()
            goes_on = True if condition.type == "empty_statement" else truth(self.value(condition, scope))
            if goes_on is None:
                self.perhaps(self.statement, part(node, "body"), scope)
                return
            if not goes_on or not self.goes_on(part(node, "body"), scope):
                return
            if update is not None:
                self.value(update, scope)

    def goes_on(self, body: Node, scope: Scope) -> bool:
        """Follows the body of a loop once; False if it left the loop."""
        try:
            self.statement(body, scope)
        except Leave as leave:
            if leave.kind not in ("break", "continue"):
                raise
            return leave.kind == "continue"
        return True

    def attempt(self, node: Node, scope: Scope) -> None:
        handler, last = node.child_by_field_name("handler"), node.child_by_field_name("finalizer")
        try:
            self.statement(part(node, "body"), scope)
            if handler is not None:
                self.perhaps(self.statement, part(handler, "body"), scope)
        except Leave as leave:
            if leave.kind != "throw" or handler is None:
                raise
            self.statement(part(handler, "body"), scope)
        if last is not None:
            self.statement(part(last, "body"), scope)
