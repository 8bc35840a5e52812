"""The local variables of a function that can be renamed."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
# They see variables by their names as text.
_BY_NAME = frozenset(
    {"locals", "vars", "eval", "exec", "dir", "globals", "_getframe", "currentframe", "stack", "getframeinfo"}
)


def locals_of(
    function: ast.FunctionDef | ast.AsyncFunctionDef, kept: Collection[str]
) -> Iterator[tuple[str, list[ast.Name]]]:
    """The variables that only plain assignments of this function bind, each with all places of it.

    Left out: arguments, names of inner functions, imports and handlers, global names, names that an inner scope binds
    again, names in an f-string or with a text of the same name in the function. A function that looks at its variables
    by name has none.
    """
    nodes = list(ast.walk(function))
    if any(_name(node) in _BY_NAME for node in nodes):
        return
    blocked = set(kept) | _texts(nodes) | set(_bound_otherwise(nodes))
    for scope in nodes:
        if isinstance(scope, _SCOPES) and scope is not function:
            blocked |= {
                node.id for node in _own(scope) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
            }
    places: dict[str, list[ast.Name]] = {}
    stored = set()
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in blocked and not node.id.startswith("_"):
            places.setdefault(node.id, []).append(node)
            if isinstance(node.ctx, ast.Store):
                stored.add(node.id)
    # What decorators, defaults and annotations read belongs to the scope around the function.
    outside = {one.id for part in _outside(function) for one in ast.walk(part) if isinstance(one, ast.Name)}
    for name in sorted(stored - outside):
        yield name, places[name]


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope. Those of the scopes in it are among them: a name bound further in is left out as well."""
    return ast.walk(scope)


def _texts(nodes: list[ast.AST]) -> set[str]:
    """Words that strings of the function consist of, and names inside f-strings."""
    found = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    words = {
        word
        for text in found
        for word in text.replace("{", " ").replace("}", " ").replace("%(", " ").replace(")s", " ").split()
    }
    inside = (one for node in nodes if isinstance(node, ast.JoinedStr) for one in ast.walk(node))
    return words | {one.id for one in inside if isinstance(one, ast.Name)}


def _bound_otherwise(nodes: list[ast.AST]) -> Iterator[str]:
    """Names that something else than an assignment binds."""
    for node in nodes:
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest


def _outside(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    annotations = [one.annotation for one in every if one is not None and one.annotation is not None]
    defaults = [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]
    returns = [function.returns] if function.returns is not None else []
    return [*function.decorator_list, *annotations, *defaults, *returns]
