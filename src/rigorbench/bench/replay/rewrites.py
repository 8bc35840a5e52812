"""Rewrites of code that do what it does.

A test that passes on the code and not on its rewrite looks at the text or at the compiled code: such a test notices any
change at all, and so it shows nothing about a unit or a requirement.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from ...base.code.grammars import grammar_for, parse

# So many rewrites on end must fail no test. Of tests that each look at one bit of the code, half fail on every rewrite.
REWRITES = 6
MOST = 24
# Languages in which a comment may stand between any two tokens.
_COMMENTED = frozenset("js mjs cjs jsx ts mts cts tsx rs java c h cc cpp cxx hh hpp".split())
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_INNER = (*_FUNCTIONS, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# With these, the name of a local variable is seen by the program.
_SEES_NAMES = frozenset({"locals", "vars", "dir", "eval", "exec", "globals"})
_BUILTINS = ("int", "str", "list", "dict", "set", "tuple", "float", "bytes")


def can_be_rewritten(path: str) -> bool:
    return path.rsplit(".", 1)[-1].lower() in {"py", *_COMMENTED}


def rewritten(path: str, text: str, number: int) -> str | None:
    """Another text of a file that does the same; None: it cannot be rewritten.

    Python: without comments, in another layout, with other names of local variables, and with a local variable more
    that nobody reads. Other languages: with a comment before each comma and closing bracket.

    Args:
        number: of the rewrite; each is another one.
    """
    return _python(text, number) if path.endswith(".py") else _commented(path, text, number)


def _commented(path: str, text: str, number: int) -> str | None:
    grammar, data = grammar_for(path, text), text.encode("utf-8", "surrogatepass")
    parsed = parse(grammar, data) if grammar is not None else None
    if parsed is None or parsed[0].root_node.has_error or parsed[2]:
        return None
    cursor, at = parsed[0].walk(), [0]
    for index in range(parsed[0].root_node.descendant_count):
        cursor.goto_descendant(index)
        node = cursor.node
        if node is None or node.type not in (",", ")", "}"):
            continue
        # What is between the brackets of a raw string of C++ is its text.
        if node.parent is None or not node.parent.type.endswith("string_literal"):
            at.append(node.start_byte)
    comment = f"/*{number}*/".encode()
    return comment.join(data[a:b] for a, b in pairwise([*at, len(data)])).decode("utf-8", "surrogatepass")


def _python(text: str, number: int) -> str | None:
    try:
        module = ast.parse(text)
        for node in list(ast.walk(module)):
            if isinstance(node, _FUNCTIONS):
                _rename(node, number)
                _add_local(node, number)
        return f"{ast.unparse(ast.fix_missing_locations(module))}\n# {number}\n"
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _rename(function: ast.FunctionDef | ast.AsyncFunctionDef, number: int) -> None:
    """Rename the variables that are assigned in the function's own scope and seen in no other."""
    own = list(_own_scope(function))
    everything = list(ast.walk(function))
    if any(isinstance(n, ast.Name) and n.id in _SEES_NAMES for n in everything):
        return
    plain = {id(n) for n in own if isinstance(n, ast.Name)}
    # Arguments, imports, handlers, patterns and definitions have a name as well, and so have scopes inside.
    taken = {name for n in everything if id(n) not in plain for name in _names(n)}
    assigned = {n.id for n in own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    renamed = {name for name in assigned - taken if not name.startswith("__")}
    for node in own:
        if isinstance(node, ast.Name) and node.id in renamed:
            node.id = f"{node.id}_{number}"


def _own_scope(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, _INNER):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def _names(node: ast.AST) -> list[str]:
    """The names that a node binds or reads."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    return [v for f in ("id", "arg", "name", "rest") if isinstance(v := getattr(node, f, None), str)]


def _add_local(function: ast.FunctionDef | ast.AsyncFunctionDef, number: int) -> None:
    """Add a variable that nobody reads, so that the compiled code is another one, too."""
    taken = {name for node in ast.walk(function) for name in _names(node)}
    free = [name for name in _BUILTINS if name not in taken]
    read = [ast.Name(free[number % len(free)], ast.Load())] if free else []
    value = ast.Tuple([*read, ast.Constant(number)], ast.Load())
    at = int(ast.get_docstring(function, clean=False) is not None)
    function.body.insert(at, ast.Assign([ast.Name(f"unread_{number}", ast.Store())], value))
