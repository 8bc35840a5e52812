"""Whether a handler of exceptions does anything about the exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .casts import is_false


class Handlers:
    """Judges handlers.

    Args:
        kinds: The kinds of nodes of libclang.
        functions: Those that are functions.
        is_own: Whether a line is the submission's.
    """

    def __init__(self, kinds: Any, functions: set[Any], is_own: Callable[[int], bool]) -> None:
        self._kinds, self._functions, self._is_own = kinds, functions, is_own

    def handles(self, node: Any, around: tuple[Any, ...]) -> bool:
        """Whether the body of a catch does anything: a call, a throw, a jump, a change of a value from outside."""
        k = self._kinds
        doing = {k.CXX_THROW_EXPR, k.BREAK_STMT, k.GOTO_STMT, k.CXX_DELETE_EXPR, k.CXX_NEW_EXPR, k.ASM_STMT}
        pending = [child for child in node.get_children() if child.kind == k.COMPOUND_STMT]
        while pending:
            found = pending.pop()
            children = list(found.get_children())
            if found.kind in (k.IF_STMT, k.WHILE_STMT) and is_false(children[0]):
                children = children[2:]
            elif found.kind in doing or (found.kind == k.CALL_EXPR and not self._is_empty(found.referenced)):
                return True
            elif found.kind in (k.RETURN_STMT, k.CONTINUE_STMT):
                if children or not self._goes_on_anyway(found, around):
                    return True
            elif found.kind == k.COMPOUND_ASSIGNMENT_OPERATOR or (
                found.kind in (k.BINARY_OPERATOR, k.UNARY_OPERATOR)
                and {"=", "++", "--"} & {token.spelling for token in found.get_tokens()}
            ):
                changed = next((c.referenced for c in found.walk_preorder() if c.kind == k.DECL_REF_EXPR), None)
                if changed is None or not _is_within(changed, node):
                    return True
            pending += children
        return False

    def _is_empty(self, function: Any) -> bool:
        """Whether a function of the submission has a body without a statement."""
        definition = function.get_definition() if function is not None else None
        if definition is None or not self._is_own(definition.location.line):
            return False
        body = [child for child in definition.get_children() if child.kind == self._kinds.COMPOUND_STMT]
        return bool(body) and not list(body[0].get_children())

    def _goes_on_anyway(self, jump: Any, around: tuple[Any, ...]) -> bool:
        """Whether a jump without a value in a handler leads to where the code without it would have gone on."""
        k = self._kinds
        outer = [n for n in around if n.kind != k.UNEXPOSED_STMT]
        if len(outer) > 2 and outer[-2].kind == k.COMPOUND_STMT and list(outer[-2].get_children())[-1] == outer[-1]:
            outer.pop(-2)
        if len(outer) < 2:
            return False
        loops = {k.FOR_STMT, k.CXX_FOR_RANGE_STMT, k.WHILE_STMT, k.DO_STMT}
        ends = {*self._functions, k.LAMBDA_EXPR} if jump.kind == k.RETURN_STMT else loops
        return outer[-2].kind in ends


def _is_within(declaration: Any, node: Any) -> bool:
    extent = node.extent
    return bool(extent.start.offset <= declaration.extent.start.offset <= extent.end.offset)
