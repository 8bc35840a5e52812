"""A closer look at Python tests: which of their assertions can fail, and which names they really use.

A test checks nothing if it returns before its assertion, catches its failure, asserts what is always true, or tests a
copy of the code in the test file itself. Only tests with a sign of this are parsed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from textwrap import dedent

from msgspec import Struct
from msgspec.structs import replace

from ...base.code.testcode import TestFunction
from ...base.code.words import referenced_names
from ...base.patterns import lazy

_SIGN = lazy(
    r"\bor\b|\btry\s*:|\bsuppress\(|\bif (?:False|0|None|not True)\b|\b(?:return|raise|skip)\b[^\n]*\n[^\n]*\S|"
    r"\bdef\b[\s\S]*\bdef\b|\bis not None\b|!= None|\bassert\s+\(?[\w.]+\)?\s*(?:,[^\n]*)?(?:\n|$)|"
    r"\b(?:callable|hasattr|isinstance)\(|\bassert(?P<call>[^\n]*\))\s*(?:==|<=|>=|is)(?P=call)|\[\]\s*:"
)
_TOP = lazy(r"^(?:async )?(?:def|class) (\w+)\b(.*(?:\n(?:[ \t)\]].*)?)*)", re.MULTILINE)
_IMPORT = lazy(r"^[ \t]*(?:from\s+[\w.]+\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([^\n]*))", re.MULTILINE)
_ALWAYS_EQUAL = lazy(r"\bdef __eq__\([^\n]*:\s*(?:\n\s+)?return True\b|\b__eq__ = lambda [^\n]*: True\b")
_HELPER = lazy(r"^(?:assert|expect|verify|check|should|fail|raises|warns|Assert)", re.IGNORECASE)
_SWALLOWING = frozenset(("AssertionError", "Exception", "BaseException"))
_PASSIVE = frozenset(("callable", "hasattr", "isinstance", "type", "id", "bool"))


class _Names(Struct, frozen=True):
    """Names in a test file: what it imports, and the classes and values that equal everything."""

    imported: frozenset[str]
    equal: frozenset[str]


def look_closely(path: str, text: str, tests: Sequence[TestFunction]) -> tuple[TestFunction, ...]:
    """The tests of a file or fragment, with only those assertions that can fail and the names that they really use.

    What a test uses through the helpers and fixtures of its file counts as used by it. A name that the file itself
    defines does not count: it may be a copy.
    """
    if not tests or not path.endswith((".py", ".pyi")):
        return tuple(tests)
    lines = text.split("\n")
    own = {m[1]: m[2] for m in _TOP.finditer(text) if not m[1].lower().startswith("test")}
    imported = _imported(text) if "import" in text else frozenset()
    equal = frozenset(n for n, body in own.items() if _ALWAYS_EQUAL.search(body)) | (imported & {"ANY"})
    uses = {name: referenced_names(path, body) for name, body in own.items()} if own else {}
    found: list[TestFunction] = []
    for test in tests:
        names = _through(test.references, uses, imported) if uses else test.references
        asserts = test.has_assertion
        if asserts:
            body = "\n".join(lines[test.start_line - 1 : test.end_line])
            if _SIGN.search(body) or any(name in body for name in equal):
                asserts = _can_fail(body, _Names(imported, equal))
        changed = asserts != test.has_assertion or names != test.references
        found.append(replace(test, has_assertion=asserts, references=names) if changed else test)
    return tuple(found)


def _imported(text: str) -> frozenset[str]:
    names: set[str] = set()
    for match in _IMPORT.finditer(text):
        for part in (match[1] or match[2] or "").strip("() \n").split(","):
            words = part.split("#")[0].split()
            if words:
                names.add(words[-1].split(".")[0])
    return frozenset(names)


def _through(names: frozenset[str], uses: dict[str, frozenset[str]], imported: frozenset[str]) -> frozenset[str]:
    """The names a test uses, those that its helpers use included, those that the file defines itself left out.

    ``uses``: by what the file defines, the names that it uses.
    """
    found = set(names)
    todo = [n for n in names if n in uses]
    seen: set[str] = set()
    inside: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        inside |= uses[name]
        todo += [n for n in uses[name] if n in uses and n not in seen]
    found |= inside
    return frozenset(n for n in found if n not in uses or n in imported or n in inside)


def _can_fail(body: str, names: _Names) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about the agent's code are not for our users
            return _may_fail(ast.parse(dedent(body)), names)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # a fragment, or too large: assumed to be able to fail


def _may_fail(tree: ast.Module, names: _Names) -> bool:
    function = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    if function is None:
        return True
    live = list(_live(function.body))
    used = {n.id for s in live for n in _own(s) if isinstance(n, ast.Name)}
    for statement in live:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name in used:
            live += list(_live(statement.body))
    return any(_asserts(node, names) for s in live for node in _own(s))


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """A statement and its expressions, without the statements inside it."""
    yield statement
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from ast.walk(child)


def _live(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that can be reached and whose failing assertions are not caught."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            constant = isinstance(statement.test, ast.Constant)
            if not constant or statement.test.value:  # type: ignore[attr-defined]
                yield from _live(statement.body)
            yield from _live(statement.orelse)
        elif isinstance(statement, ast.Try):
            if not any(_swallows(h) for h in statement.handlers):
                yield from _live(statement.body)
            for handler in statement.handlers:
                yield from _live(handler.body)
            yield from _live([*statement.orelse, *statement.finalbody])
        elif isinstance(statement, ast.With | ast.AsyncWith):
            if not any(
                "suppress" in ast.dump(i.context_expr) and _names_swallowed(i.context_expr) for i in statement.items
            ):
                yield from _live(statement.body)
        elif isinstance(statement, ast.For | ast.AsyncFor):
            if not (isinstance(statement.iter, ast.List | ast.Tuple) and not statement.iter.elts):
                yield from _live([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.While):
            yield from _live([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Match):
            for case in statement.cases:
                yield from _live(case.body)
        if isinstance(statement, ast.Return | ast.Raise | ast.Continue | ast.Break) or _skips(statement):
            return


def _skips(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and _name(call.func) in ("skip", "skipTest", "xfail", "exit")


def _swallows(handler: ast.ExceptHandler) -> bool:
    if handler.type is not None and not _names_swallowed(handler.type):
        return False
    return not any(
        isinstance(n, ast.Raise | ast.Assert) or (isinstance(n, ast.Call) and _HELPER.match(_name(n.func)))
        for s in handler.body
        for n in ast.walk(s)
    )


def _names_swallowed(expression: ast.AST) -> bool:
    return any(isinstance(n, ast.Name) and n.id in _SWALLOWING for n in ast.walk(expression))


def _name(function: ast.AST) -> str:
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _asserts(node: ast.AST, names: _Names) -> bool:
    if isinstance(node, ast.Assert):
        return not _holds(node.test, names)
    if isinstance(node, ast.withitem):  # ``with pytest.raises(X):`` fails unless its block raises
        call = node.context_expr
        return isinstance(call, ast.Call) and _HELPER.match(_name(call.func)) is not None
    if isinstance(node, ast.Call) and _HELPER.match(_name(node.func)):
        if len(node.args) >= 2 and _name(node.func).lower().startswith("assertequal"):
            return ast.dump(node.args[0]) != ast.dump(node.args[1])
        return not (node.args and all(_holds(a, names) for a in node.args[:1])) or len(node.args) > 1
    return False


def _holds(test: ast.expr, names: _Names) -> bool:
    """Whether an asserted expression is true whatever the code does."""
    match test:
        case ast.Constant():
            return bool(test.value)
        case ast.BoolOp(op=ast.Or()):
            return any(_holds(v, names) for v in test.values)
        case ast.BoolOp():
            return all(_holds(v, names) for v in test.values)
        case ast.UnaryOp(op=ast.Not()):
            return isinstance(test.operand, ast.Constant) and not test.operand.value
        case ast.Name():
            return test.id in names.imported
        case ast.Compare(ops=[ast.Eq()]) if names.equal and any(
            (_name(side.func if isinstance(side, ast.Call) else side) in names.equal)
            for side in (test.left, *test.comparators)
        ):
            return True
        case ast.Lambda() | ast.Tuple(elts=[_, *_]) | ast.List(elts=[_, *_]):
            return True
        case ast.Call() if _name(test.func) in _PASSIVE:
            return all(
                isinstance(a, ast.Constant) or (isinstance(a, ast.Name) and a.id in names.imported)
                for a in test.args[:1]
            )
        case ast.Compare(ops=[operator], comparators=[right]):
            if isinstance(operator, ast.Eq | ast.Is | ast.LtE | ast.GtE):
                return ast.dump(test.left) == ast.dump(right)
            none = isinstance(right, ast.Constant) and right.value is None
            return none and isinstance(operator, ast.IsNot | ast.NotEq) and _holds(test.left, names)
    return False
