"""What a user sees of a fault: the steps, the call, what was expected and what came, read off a failing test."""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Collection, Iterator

from msgspec import Struct

from .failures import Failure

_MOST_LINES, _MOST_CHARACTERS = 14, 320
_UNEQUAL = re.compile(r"(?P<got>.+) != (?P<expected>.+)")
# Texts of values that are others in each run.
_UNSTEADY = re.compile(r"\bat 0x|/tmp/|/work\b|<no text>")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Example(Struct, frozen=True):
    """One case in which the fault shows; every text is code or a value, with its lines.

    Attributes:
        setup: the lines before the call: imports, definitions and statements.
        call: what is called.
        got: what came: a value or an error.
        trace: places of the code that the error went through, the last one last; empty without an error.
        fixtures: names in the steps that fixtures of the tests give.
    """

    setup: str
    call: str
    expected: str
    got: str
    trace: tuple[str, ...]
    fixtures: tuple[str, ...]


class _Place(Struct, frozen=True):
    """Where a test fails: its statements up to the failing one, and the frames of the trace behind the test."""

    function: ast.FunctionDef
    before: list[ast.stmt]
    statement: ast.stmt
    inner: list[tuple[str, int, str]]


def example(source: str, failure: Failure) -> Example | None:
    """The example that a failing test of a file gives; None if it cannot be told in a few lines."""
    tree = ast.parse(source)
    place = _place(tree, failure)
    shown = _shown(source, place.statement, failure) if place is not None else None
    if place is None or shown is None:
        return None
    call, expected, got = shown
    steps = [_dedented(source, node) for node in place.before]
    said = "\n".join([*steps, call])
    if re.search(r"\bself\b", said) or any(isinstance(node, ast.Return) for node in place.before):
        return None
    used = _read([*place.before, place.statement]) - {"self"}
    if not re.search(r"\bpytest\b", f"{said}\n{expected}"):
        used.discard("pytest")
    arguments = {a.arg for a in (*place.function.args.args, *place.function.args.kwonlyargs)} & used
    fixtures = sorted(arguments - failure.params.keys())
    definitions = _definitions(source, tree, used - arguments)
    if definitions is None or any(name not in failure.fixtures for name in fixtures):
        return None
    given = [f"{name} = {value}" for name, value in sorted(failure.params.items()) if name in used]
    trace = [f'File "{file}", line {n}, in {name}' for file, n, name in place.inner if not file.startswith("..")]
    setup = "\n".join([*definitions, *given, *steps])
    found = Example(setup, call, expected, got, tuple(trace[-3:] if _is_error(failure) else ()), tuple(fixtures))
    return found if _is_short(found) else None


def _place(tree: ast.Module, failure: Failure) -> _Place | None:
    parts = failure.test.partition("[")[0].split("::")[1:]
    function = _find(tree, parts)
    own = (n for n, (file, _, name) in enumerate(failure.frames) if name == parts[-1] and failure.test.startswith(file))
    level = next(own, None)
    if level is None or not isinstance(function, ast.FunctionDef):
        return None
    line = failure.frames[level][1]
    body = [node for node in function.body if not _is_text(node)]
    number = next((n for n, node in enumerate(body) if node.lineno <= line <= (node.end_lineno or line)), None)
    if number is None:
        return None
    # Assertions that hold are no steps.
    before = [node for node in body[:number] if not isinstance(node, ast.Assert)]
    return _Place(function, before, body[number], failure.frames[level + 1 :])


def _is_short(found: Example) -> bool:
    lines = f"{found.setup}\n{found.call}".count("\n") + 1
    texts = (found.call, found.expected, found.got)
    return (
        lines <= _MOST_LINES
        and all(text.strip() and len(text) <= _MOST_CHARACTERS for text in texts)
        and not any(_UNSTEADY.search(text) for text in (found.setup, *texts))
    )


def _is_error(failure: Failure) -> bool:
    return failure.error not in ("AssertionError", "Failed")


def _find(tree: ast.Module, parts: list[str]) -> _Function | None:
    nodes: list[ast.stmt] = tree.body
    for part in parts[:-1]:
        nodes = next((n.body for n in nodes if isinstance(n, ast.ClassDef) and n.name == part), [])
    return next((n for n in nodes if isinstance(n, _Function) and n.name == parts[-1]), None)


# -- call, expected, got -----------------------------------------------------------------------------------------------


def _shown(source: str, node: ast.stmt, failure: Failure) -> tuple[str, str, str] | None:
    """The texts of call, expected and got of the statement that fails."""
    message = _ANSI.sub("", failure.message).strip()
    error = f"{failure.error}: {message.splitlines()[0] if message else ''}".rstrip(": ")
    call, expected = _called(source, node)
    if _is_error(failure):
        return call, expected or "no error", error
    if failure.error == "Failed":
        return (call, expected, "no error") if "DID NOT RAISE" in message and expected else None
    if failure.compared:
        operator, left, right = failure.compared
        if operator != "==":
            return _dedented(source, node), "no error", "AssertionError"
        return call, right, left
    unequal = _UNEQUAL.fullmatch(message.splitlines()[0] if message else "")
    if unequal is not None:
        return call, unequal["expected"], unequal["got"]
    if isinstance(node, ast.Assert):
        negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
        test = node.test.operand if isinstance(node.test, ast.UnaryOp) and negated else node.test
        return _segment(source, test), str(not negated), str(negated)
    return None


def _called(source: str, node: ast.stmt) -> tuple[str, str | None]:
    """What a statement of a test calls, and what it expects, if it says so."""
    if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Eq):
        return _segment(source, node.test.left), _segment(source, node.test.comparators[0])
    if isinstance(node, ast.Assert):
        return _segment(source, node.test), None
    if isinstance(node, ast.With) and (raised := _raised(source, node.items[0].context_expr)) is not None:
        return "\n".join(_dedented(source, n) for n in node.body), raised
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _method(node.value) is not None:
        arguments = node.value.args
        if _method(node.value) in ("assertEqual", "assertEquals", "assertListEqual") and len(arguments) > 1:
            return _segment(source, arguments[0]), _segment(source, arguments[1])
    return _dedented(source, node), None


def _raised(source: str, context: ast.expr) -> str | None:
    """The exception that ``pytest.raises(E)`` or ``self.assertRaises(E)`` expects."""
    if isinstance(context, ast.Call) and context.args:
        name = context.func.attr if isinstance(context.func, ast.Attribute) else ""
        name = context.func.id if isinstance(context.func, ast.Name) else name
        if name in ("raises", "assertRaises"):
            return _segment(source, context.args[0])
    return None


def _method(call: ast.Call) -> str | None:
    """``x`` of ``self.x()``."""
    function = call.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return None
    return function.attr if function.value.id == "self" else None


# -- the steps before the call -----------------------------------------------------------------------------------------


def _definitions(source: str, tree: ast.Module, names: Collection[str]) -> list[str] | None:
    """The imports and definitions of a file that give these names; None if one cannot be shown by itself."""
    wanted, done, found = sorted(names), set[str](), dict[int, str]()
    while wanted:
        name = wanted.pop(0)
        if name in done or hasattr(builtins, name):
            continue
        done.add(name)
        node = next((n for n in tree.body if name in _bound([n])), None)
        if node is None or (isinstance(node, ast.ImportFrom) and node.level):
            return None
        if isinstance(node, ast.Import | ast.ImportFrom):
            alias = next(a for a in node.names if (a.asname or a.name).partition(".")[0] == name)
            one = alias.name if alias.asname is None else f"{alias.name} as {alias.asname}"
            start = f"from {node.module} import" if isinstance(node, ast.ImportFrom) else "import"
            found[node.lineno * 1000 + node.names.index(alias)] = f"{start} {one}"
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.FunctionDef | ast.ClassDef):
            found[node.lineno * 1000] = _dedented(source, node)
            wanted += sorted(_read([node]))
        else:
            return None
    return [found[key] for key in sorted(found)]


def _read(nodes: list[ast.stmt]) -> set[str]:
    """The names that statements read and do not bind themselves."""
    walked = [one for node in nodes for one in ast.walk(node)]
    names = [one for one in walked if isinstance(one, ast.Name)]
    own = {one.id for one in names if not isinstance(one.ctx, ast.Load)} | {
        one.arg for one in walked if isinstance(one, ast.arg)
    }
    return {one.id for one in names if isinstance(one.ctx, ast.Load)} - own - _bound(nodes)


def _bound(nodes: list[ast.stmt]) -> set[str]:
    """The names that statements bind, those inside of functions and classes left out."""
    return {name for node in nodes for name in _binds(node)}


def _binds(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, _Function | ast.ClassDef):
        yield node.name
        return
    for one in ast.walk(node):
        if isinstance(one, ast.alias):
            yield (one.asname or one.name).partition(".")[0]
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id
        elif isinstance(one, _Function | ast.ClassDef):
            yield one.name


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _segment(source: str, node: ast.AST) -> str:
    text = ast.get_source_segment(source, node, padded=False) or ""
    first, _, rest = text.partition("\n")
    return first if not rest else f"{first}\n{textwrap.dedent(rest)}"


def _dedented(source: str, node: ast.stmt) -> str:
    start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    lines = source.splitlines()[start - 1 : node.end_lineno]
    return textwrap.dedent("\n".join(lines))
