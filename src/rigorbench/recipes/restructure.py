"""Steps of a refactoring as operations on the syntax tree, so that a recipe holds none of the code that moves."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct, field

from .rewrites import Rewrite, rewritten
from .trees import Tree, TreeError, selected

_WIDTH = 79


class Move(Struct, frozen=True):
    """Definitions of a module go into a new one, in their order; ``head`` is how that begins."""

    names: list[str]
    file: str
    to: str
    head: str


class Retarget(Struct, frozen=True):
    """``from MODULE import NAME`` becomes ``from TO import NAME`` in files. MODULE, TO: the ends of dotted paths."""

    names: list[str]
    module: str
    to: str
    files: list[str]


class Rename(Struct, frozen=True):
    """Every name OLD in the code of files becomes NEW; comments and strings stay."""

    old: str
    new: str
    files: list[str]


class Step(Struct, frozen=True):
    """A stage of a refactoring, and a commit: moves, then imports, then names, then lines of our own.

    Attributes:
        text: what is done, as a plan or a commit says it.
        check: a shell command that succeeds from this stage on.
    """

    id: str
    text: str
    check: str
    moves: list[Move] = field(default_factory=list)
    retargets: list[Retarget] = field(default_factory=list)
    renames: list[Rename] = field(default_factory=list)
    rewrites: list[Rewrite] = field(default_factory=list)


def stages(tree: Tree, steps: Iterable[Step]) -> list[Tree]:
    """The trees after each of the steps.

    Raises:
        TreeError: a step does not fit; the message begins with its id.
    """
    found = []
    for step in steps:
        try:
            tree = _after(tree, step)
        except TreeError as error:
            raise TreeError(f"step {step.id}: {error}") from None
        found.append(tree)
    return found


def _after(tree: Tree, step: Step) -> Tree:
    for move in step.moves:
        tree = _moved(tree, move)
    for retarget in step.retargets:
        tree = _in_files(tree, retarget.files, partial(_retargeted, retarget))
    for rename in step.renames:
        tree = _in_files(tree, rename.files, partial(_renamed, rename))
    return rewritten(tree, step.rewrites)


def _in_files(tree: Tree, globs: list[str], change: Callable[[str], str]) -> Tree:
    """The tree with some files changed; each pattern must change one."""
    result = dict(tree)
    for glob in globs:
        new = {p: change(c.decode()).encode() for p, c in selected(tree, [glob]).items() if p.endswith(".py")}
        if all(content == tree[path] for path, content in new.items()):
            raise TreeError(f"nothing to change in {glob}")
        result |= new
    return result


def _parsed(file: str, text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise TreeError(f"{file}: does not parse ({error.msg})") from None


# -- moves -----------------------------------------------------------------------------------------------------------


def _moved(tree: Tree, move: Move) -> Tree:
    if move.file not in tree or move.to in tree:
        raise TreeError(f"{move.file if move.file not in tree else move.to}: missing, or there already")
    text = tree[move.file].decode()
    lines = text.splitlines(keepends=True)
    spans = {name: span for node in _parsed(move.file, text).body for name, span in _defined(node, lines)}
    if missing := [name for name in move.names if name not in spans]:
        raise TreeError(f"{move.file}: defines no {', '.join(missing)}")
    chosen = sorted({spans[name] for name in move.names})
    parts = ["".join(lines[first:last]) for first, last in chosen]
    for first, last in reversed(chosen):
        # The blank lines behind a definition go with it.
        while last < len(lines) and not lines[last].strip():
            last += 1
        del lines[first:last]
    new = "\n\n".join([move.head, *parts])
    return {**tree, move.file: f"{''.join(lines).rstrip()}\n".encode(), move.to: new.encode()}


def _defined(node: ast.stmt, lines: list[str]) -> list[tuple[str, tuple[int, int]]]:
    """The names that a statement of a module defines, with its lines and the comments right before it."""
    names: list[str] = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        names = [node.name]
    elif isinstance(node, ast.Assign):
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)]) - 1
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return [(name, (first, node.end_lineno or node.lineno)) for name in names]


# -- imports and names -----------------------------------------------------------------------------------------------


def _retargeted(one: Retarget, text: str) -> str:
    lines = text.splitlines(keepends=True)
    for node in reversed(list(ast.walk(_parsed(one.module, text)))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        before, dot, last = f".{node.module}".rpartition(f".{one.module}")
        gone = [alias for alias in node.names if alias.name in one.names]
        if last or not dot or not gone:
            continue
        stay = [alias for alias in node.names if alias not in gone]
        prefix = f"{before}.".removeprefix(".")
        indent = " " * node.col_offset
        new = [_import(indent, f"{'.' * node.level}{node.module}", stay)] if stay else []
        new.append(_import(indent, f"{'.' * node.level}{prefix}{one.to}", gone))
        lines[node.lineno - 1 : node.end_lineno] = new
    return "".join(lines)


def _import(indent: str, module: str, names: list[ast.alias]) -> str:
    words = [name.name if name.asname is None else f"{name.name} as {name.asname}" for name in names]
    line = f"{indent}from {module} import {', '.join(words)}\n"
    if len(line) <= _WIDTH + 1:
        return line
    inner = "".join(f"{indent}    {word},\n" for word in words)
    return f"{indent}from {module} import (\n{inner}{indent})\n"


def _renamed(one: Rename, text: str) -> str:
    lines = text.splitlines(keepends=True)
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.NAME]
    for token in reversed([t for t in tokens if t.string == one.old]):
        row, start, end = token.start[0] - 1, token.start[1], token.end[1]
        lines[row] = lines[row][:start] + one.new + lines[row][end:]
    return "".join(lines)
