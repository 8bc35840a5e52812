"""Operators on the way through a function in JavaScript: conditions, calls, caches, handlers, returns, loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..model import Edit, Splice
from .source import LOOPS, OPERATORS, PLAIN, Site, function_around, last_name, named_parts, own_name, part

if TYPE_CHECKING:
    from tree_sitter import Node

_EMPTYING = frozenset({"clear", "delete", "invalidate", "reset", "evict"})
_TALK = frozenset({"require", "debug", "warn", "emitWarning"})
_LOGS = frozenset({"console", "debug", "log", "logger", "assert", "super"})
_CONDITIONS = frozenset({"if_statement", "while_statement", "ternary_expression", "do_statement"})


@OPERATORS.operator("stale-cache", "expression_statement")
def stale_cache(site: Site) -> Iterator[Edit]:
    emptied = _emptied_by(site, site.node.named_children[0])
    around = function_around(site.node)
    if emptied is not None and around is not None and own_name(around) not in ("constructor", "close", "destroy"):
        yield Edit(site.dropped(), site.name(emptied))


def _emptied_by(site: Site, node: Node) -> Node | None:
    """What an expression takes the content from, if it does that."""
    if node.type == "call_expression":
        function = part(node, "function")
        is_emptying = function.type == "member_expression" and last_name(function) in _EMPTYING
        return part(function, "object") if is_emptying else None
    if node.type == "unary_expression" and part(node, "operator").type == "delete":
        return part(node, "argument")
    if node.type == "assignment_expression" and part(node, "left").type == "member_expression":
        return part(node, "left") if site.text(part(node, "right")) in ("null", "undefined") else None
    return None


@OPERATORS.operator("missed-call", "expression_statement")
def missed_call(site: Site) -> Iterator[Edit]:
    value = site.node.named_children[0]
    if value.type == "await_expression":
        value = value.named_children[0]
    around = function_around(site.node)
    if value.type != "call_expression" or around is None or _emptied_by(site, value) is not None:
        return
    function = part(value, "function")
    talks = last_name(function) in _TALK or site.text(function).partition(".")[0] in _LOGS
    if function.type in ("identifier", "member_expression") and not talks:
        yield Edit(site.dropped(), site.name(function))


@OPERATORS.operator("dropped-condition", "binary_expression")
def dropped_condition(site: Site) -> Iterator[Edit]:
    left, sign, right = (part(site.node, field) for field in ("left", "operator", "right"))
    if sign.type not in ("&&", "||"):
        return
    yield Edit((Splice(left.end_byte, right.end_byte, ""),), _subject(site, right))
    if not _is_guard(site, left, right):
        yield Edit((Splice(left.start_byte, right.start_byte, ""),), _subject(site, left))


def _is_guard(site: Site, left: Node, right: Node) -> bool:
    """Whether the right part cannot be read without the left one: ``a && a.b``."""
    return left.type in PLAIN and site.text(right).startswith((site.text(left) + ".", site.text(left) + "["))


def _subject(site: Site, node: Node) -> str:
    """The first name in a condition."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in PLAIN and last_name(one):
            return site.name(one)
        waiting += reversed(one.named_children)
    return "the value"


@OPERATORS.operator("none-or-empty", "binary_expression")
def none_as_empty(site: Site) -> Iterator[Edit]:
    left, sign, right = (part(site.node, field) for field in ("left", "operator", "right"))
    if left.type in (*PLAIN, "call_expression") and site.text(right) in ("null", "undefined"):
        holder = site.node.parent
        while holder is not None and (holder.type == "parenthesized_expression" or _joins(holder)):
            holder = holder.parent
        if holder is None or holder.type not in _CONDITIONS:
            return
        if sign.type in ("==", "==="):
            yield Edit(site.replace(site.node, f"!{site.text(left)}"), site.name(left))
        elif sign.type in ("!=", "!=="):
            yield Edit(site.replace(site.node, site.text(left)), site.name(left))
    elif sign.type == "??" and (right.type != "binary_expression"):
        mixed = [site.node.parent, left]
        if not any(one is not None and one.type == "binary_expression" for one in mixed):
            yield Edit(site.replace(sign, "||"), site.name(left))


def _joins(node: Node) -> bool:
    return node.type == "binary_expression" and part(node, "operator").type in ("&&", "||")


@OPERATORS.operator("removed-handler", "catch_clause")
def removed_handler(site: Site) -> Iterator[Edit]:
    body, caught = part(site.node, "body"), site.node.child_by_field_name("parameter")
    if caught is not None and caught.type == "identifier":
        parts = named_parts(body)
        if parts and not any(one.type == "throw_statement" for one in parts):
            splice = Splice(parts[0].start_byte, parts[-1].end_byte, f"throw {site.text(caught)};")
            yield Edit((splice,), "the exceptions")


@OPERATORS.operator("removed-return", "if_statement")
def removed_return(site: Site) -> Iterator[Edit]:
    node, holder = site.node, site.node.parent
    if node.child_by_field_name("alternative") is not None or holder is None or holder.type != "statement_block":
        return
    body = part(node, "consequence")
    parts = named_parts(body) if body.type == "statement_block" else [body]
    if not parts or parts[-1].type != "return_statement" or named_parts(holder)[-1] == node:
        return
    inner = Site(site.data, parts[-1], site.qualname)
    yield Edit((site if len(parts) == 1 else inner).dropped(), _subject(site, part(node, "condition")))


@OPERATORS.operator("swapped-loop-exit", "break_statement", "continue_statement")
def swapped_loop_exit(site: Site) -> Iterator[Edit]:
    around = site.node.parent
    while around is not None and around.type not in LOOPS and around.type != "switch_statement":
        around = around.parent
    if around is not None and around.type in LOOPS and not site.node.named_children:
        word = site.node.children[0]
        yield Edit(site.replace(word, "continue" if word.type == "break" else "break"))
