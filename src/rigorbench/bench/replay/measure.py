"""Coverage of the agent's changes, and mutants that show whether its tests notice when a changed unit is reverted."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from ...base.text import differences
from ...evidence.code.units import Unit, changed_units, test_functions, units
from ...evidence.replayed import CoverageDelta, FileCoverage, UnitCheck
from .compare import TreeTests, split
from .runner import CoveredRun

_NO_COVER = re.compile(r"(#\s*pragma\s*:\s*no[ \t]*)(cover|branch)", re.IGNORECASE)


def changed_lines(before: str | None, after: str) -> set[int]:
    """1-based lines of ``after`` that are not in ``before``."""
    old = [] if before is None else before.splitlines()
    new = after.splitlines()
    return {line for _, _, start, end in differences(old, new) for line in range(start + 1, end + 1)}


def without_new_exclusions(text: str, changed: set[int]) -> str:
    """The text with the "no cover" comments of changed lines disabled; the line numbers stay the same."""
    lines = text.splitlines(keepends=True)
    return "".join(_NO_COVER.sub(r"\1-\2", line) if n in changed else line for n, line in enumerate(lines, 1))


def delta(
    changed: Mapping[str, set[int]],
    start_tests: Mapping[str, FileCoverage],
    all_tests: Iterable[Mapping[str, FileCoverage]],
) -> CoverageDelta:
    """Points covered among the changed lines and the branches from them.

    Args:
        changed: changed lines by file.
        start_tests: coverage by the start's tests (T0).
        all_tests: coverage of further runs; together with ``start_tests`` they make T0 + Ta.
    """
    runs = [start_tests, *all_tests]
    result = CoverageDelta(0, 0, 0)
    for path, lines in changed.items():
        measured = [run[path] for run in runs if path in run]
        if not measured:
            continue
        shape = measured[0]
        statements = (shape.executed | shape.missing) & lines
        branches = {b for b in shape.branches | shape.missing_branches if abs(b[0]) in lines}
        by_start = start_tests.get(path, FileCoverage())
        executed = set().union(*(m.executed for m in measured))
        taken = set().union(*(m.branches for m in measured))
        for run in measured[1:]:
            # Node names a branch only where its count differs from that of its function.
            whole = run.executed - {line for line, _ in run.missing_branches}
            taken |= {b for b in branches - run.branches if b[0] in whole}
        result.points += len(statements) + len(branches)
        result.start_tests += len(statements & by_start.executed) + len(branches & by_start.branches)
        result.all_tests += len(statements & executed) + len(branches & taken)
    return result


class Mutant(Struct):
    """A changed unit, and the texts of its file with the unit reverted or mutated."""

    path: str
    unit: Unit
    texts: list[str]
    check: UnitCheck


def mutants(path: str, before: str | None, after: str) -> list[Mutant]:
    """One per changed unit of a Python file that still exists and does something."""
    old = {} if before is None else units(path, before)
    new, final = units(path, after), _untyped(after)
    result: list[Mutant] = []
    for name in changed_units(path, before, after):
        unit = new.get(name)
        if unit is None:
            continue  # deleted: a test cannot execute it
        data = after.encode("utf-8", "surrogatepass")
        back = [] if name not in old or before is None else [reverted(path, before, data, old[name], unit, new, old)]
        if [_untyped(t) for t in back if t != after] == [final]:
            continue  # only annotations changed, or the place: it does the same as before, and no test could notice
        how: Literal["reverted", "mutated"] = "reverted"
        texts = [t for t in back if t != after and _parsed(t) is not None]
        if not texts and not _trivial(data, unit):
            how, texts = "mutated", [t for t in _mutated(data, unit) if t != after and _parsed(t) is not None]
        if texts:
            result.append(Mutant(path, unit, texts, UnitCheck(path, name, how)))
    return [*result, *_constant_mutants(path, before, after)]


def _constant_mutants(path: str, before: str | None, after: str) -> list[Mutant]:
    """One per constant of the module whose value changed. A new constant belongs to the units that use it."""
    old, new = _constants(before or ""), _constants(after)
    data = after.encode("utf-8", "surrogatepass")
    result = []
    for name, node in new.items():
        was = old.get(name)
        if was is None or ast.dump(was) == ast.dump(node) or before is None:
            continue
        start, end = _span(after, node)
        origin = before.encode("utf-8", "surrogatepass")[slice(*_span(before, was))]
        text = (data[:start] + origin + data[end:]).decode("utf-8", "surrogatepass")
        unit = Unit(name, "constant", node.lineno, node.end_lineno or node.lineno, start, end, None, "", "")
        if _parsed(text) is not None:
            result.append(Mutant(path, unit, [text], UnitCheck(path, name, "reverted")))
    return result


def changed_constants(before: str | None, after: str | None) -> set[str]:
    """The constants of a module that were added, changed or removed."""
    old, new = ({n: ast.dump(s) for n, s in _constants(t or "").items()} for t in (before, after))
    return {name for name, _ in old.items() ^ new.items()}


def _constants(text: str) -> dict[str, ast.Assign | ast.AnnAssign]:
    """The assignments of a module to one name in capitals, each name once."""
    module = _parsed(text)
    found: dict[str, ast.Assign | ast.AnnAssign] = {}
    for statement in module.body if module is not None else ():
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        target = statement.target if isinstance(statement, ast.AnnAssign) else targets[0] if len(targets) == 1 else None
        if isinstance(target, ast.Name) and target.id.isupper() and isinstance(statement, ast.Assign | ast.AnnAssign):
            found[target.id] = statement
    return found


def _span(text: str, node: ast.stmt) -> tuple[int, int]:
    """Byte offsets of a statement; columns of ``ast`` are in bytes already."""
    lines = [0]
    for line in text.encode("utf-8", "surrogatepass").split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)
    return lines[node.lineno - 1] + node.col_offset, lines[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def _source(data: bytes, unit: Unit) -> bytes:
    return data[unit.start : unit.end]


def reverted(
    path: str, before: str, data: bytes, old: Unit, new: Unit, finals: Mapping[str, Unit], starts: Mapping[str, Unit]
) -> str:
    """The file with one unit as it was at the start. A class is reverted without its methods."""
    origin = before.encode("utf-8", "surrogatepass")
    piece = _source(origin, old)
    if new.kind == "class":
        inside = [n for n in starts if n.startswith(old.name + ".") and n in finals and starts[n].kind == "function"]
        for name in sorted(inside, key=lambda n: -starts[n].start):
            first, last = starts[name].start - old.start, starts[name].end - old.start
            piece = piece[:first] + _source(data, finals[name]) + piece[last:]
        added = [
            u for n, u in finals.items() if n.startswith(new.name + ".") and n not in starts and u.kind == "function"
        ]
        for unit in added:
            piece += b"\n\n" + _indentation(data, unit.start) + _source(data, unit)
    indent = _indentation(data, new.start)
    if indent != _indentation(origin, old.start):
        return data.decode("utf-8", "replace")
    return (data[: new.start] + piece + data[new.end :]).decode("utf-8", "surrogatepass")


def _indentation(data: bytes, at: int) -> bytes:
    line = data.rfind(b"\n", 0, at) + 1
    return data[line:at] if not data[line:at].strip() else b""


def _mutated(data: bytes, unit: Unit) -> list[str]:
    """The file with the unit's body replaced: a function that returns None, and one that returns another object."""
    if unit.body is None:
        return []
    first, last = unit.body
    if unit.kind == "class":
        bodies = [b"def __init__(self, *args, **kwargs): raise NotImplementedError"]
    else:
        bodies = [b"return None", b"return object()"]
    return [(data[:first] + body + data[last:]).decode("utf-8", "surrogatepass") for body in bodies]


def _trivial(data: bytes, unit: Unit) -> bool:
    """A stub: nothing but a docstring, ``pass``, ``...`` or ``raise NotImplementedError`` (a class: no statement)."""
    if unit.body is None:
        return True
    indent = _indentation(data, unit.body[0])
    body = (indent + data[unit.body[0] : unit.body[1]]).decode("utf-8", "replace")
    tree = _parsed("if 1:\n" + body if indent else body)
    if tree is None:
        return False
    statements = tree.body[0].body if indent and isinstance(tree.body[0], ast.If) else tree.body
    return all(_empty(s) for s in statements)


def _empty(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        return "NotImplementedError" in ast.dump(statement.exc)
    return False


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: nested too deeply
        return None


class _WithoutTypes(ast.NodeTransformer):
    """Takes the annotations of functions and of their variables away. Those of a class stay: it may read its own."""

    inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        outer, self.inside, node.returns = self.inside, True, None
        self.generic_visit(node)
        self.inside = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if not self.inside:
            return node
        return ast.Pass() if node.value is None else ast.Assign([node.target], node.value)


def _untyped(text: str) -> str | None:
    """The syntax tree of a module without the annotations of its functions; None: no Python."""
    tree = _parsed(text)
    return None if tree is None else ast.dump(_WithoutTypes().visit(tree))


def checking(tests: Sequence[str], final: TreeTests) -> list[str]:
    """The tests that can fail."""
    known = {
        path: {t.name: final.can_fail(t) for t in test_functions(path, final.text(path) or "")}
        for path in {split(test)[0] for test in tests}
    }
    # A test that its file does not define is inherited, and assumed to assert.
    return [test for test in tests if known[split(test)[0]].get(split(test)[1], True)]


def executing(mutant: Mutant, tests: list[str], measured: CoveredRun) -> list[str]:
    """The tests that can notice the mutant: those that executed a line of the unit, all if it ran at import."""
    lines = measured.contexts.get(mutant.path)
    if lines is None:
        return []
    inside = range(mutant.unit.start_line, mutant.unit.end_line + 1)
    if mutant.unit.kind in ("class", "constant"):
        return tests
    header = mutant.unit.start_line
    names = {name for line in inside for name in lines.get(line, ()) if line != header or name}
    return [t for t in tests if t in names]


# Coverage reports in the LCOV format, which the coverage tools of most languages can write


def read_lcov(text: str, root: str) -> dict[str, FileCoverage]:
    """Coverage by file (relative to ``root``). A branch is (line, its number on that line). Skips bad records."""
    files: dict[str, FileCoverage] = {}
    current: FileCoverage | None = None
    count: dict[int, int] = {}
    for line in text.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "SF":
            path = rest.strip()
            if posixpath.isabs(path):
                path = posixpath.relpath(path, root)
            current = files.setdefault(posixpath.normpath(path), FileCoverage())
            count = {}
        elif current is not None and kind in ("DA", "BRDA"):
            fields = rest.split(",")
            if len(fields) < (2 if kind == "DA" else 4) or not fields[0].strip().isdigit():
                continue
            number, taken = int(fields[0]), fields[1 if kind == "DA" else 3].strip() not in ("0", "-")
            if kind == "DA":
                (current.executed if taken else current.missing).add(number)
            else:
                count[number] = count.get(number, 0) + 1
                (current.branches if taken else current.missing_branches).add((number, count[number]))
    for found in files.values():
        found.missing -= found.executed
    return files
