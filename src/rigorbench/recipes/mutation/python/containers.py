"""Operators on containers that are shared, copied, or emptied."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model import Edit, Splice
from .operators import OPERATORS, dropped, fresh_container
from .walk import Site, name_of, shown

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript)
_EMPTYING = frozenset({"clear", "cache_clear", "invalidate", "invalidate_caches", "evict", "expire"})
# There a missing value is not stale: the object is new, or nobody uses it any more.
_START_OR_END = frozenset(
    {"__init__", "__new__", "__setstate__", "__del__", "__exit__", "__aexit__", "close", "aclose"}
)


@OPERATORS.operator("shared-default", ast.FunctionDef, ast.AsyncFunctionDef)
def shared_default(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, _Function)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)]
    pairs += [(one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value]
    for argument, default in pairs:
        container = _made_when_absent(node, argument.arg)
        if container and isinstance(default, ast.Constant) and default.value is None:
            yield Edit(site.source.replace(default, container), f"`{argument.arg}`")


def _made_when_absent(function: _Function, name: str) -> str | None:
    """The container that a function makes for an argument that is not given."""
    for statement in function.body[:6]:
        inner = statement
        if isinstance(statement, ast.If) and name in {name_of(one) for one in ast.walk(statement.test)}:
            inner = statement.body[0]
        if not isinstance(inner, ast.Assign) or [name_of(target) for target in inner.targets] != [name]:
            continue
        value = inner.value
        if isinstance(value, ast.BoolOp) and name_of(value.values[0]) == name:
            value = value.values[-1]
        if isinstance(value, ast.IfExp) and name in {name_of(one) for one in ast.walk(value.test)}:
            value = value.body if fresh_container(value.body) else value.orelse
        if container := fresh_container(value):
            return container
    return None


@OPERATORS.operator("shared-attribute", ast.Assign, ast.AnnAssign)
def shared_attribute(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Assign | ast.AnnAssign)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    container = fresh_container(node.value)
    holder = site.parent.parent if site.parent is not None else None
    if len(targets) != 1 or container is None or holder is None or not isinstance(holder.node, ast.ClassDef):
        return
    target = targets[0]
    is_own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    if (
        site.qualname.endswith(".__init__")
        and is_own
        and not _names_in_body(holder.node) & {name_of(target), "__slots__"}
    ):
        source, first = site.source, holder.node.body[0]
        if isinstance(first, ast.Expr) and len(holder.node.body) > 1:
            first = holder.node.body[1]
        decorators = getattr(first, "decorator_list", [])
        start = source.line_start(source.start(min([first, *decorators], key=lambda one: one.lineno)))
        indent = source.between(start, source.start(first) if not decorators else source.start(decorators[0]) - 1)
        if not indent.strip():
            added = Splice(start, start, f"{indent}{name_of(target)} = {container}{source.newline}")
            yield Edit((*dropped(site), added), shown(target))


def _names_in_body(node: ast.ClassDef) -> set[str]:
    names = {name_of(target) for one in node.body if isinstance(one, ast.Assign) for target in one.targets}
    names |= {one.name for one in node.body if isinstance(one, _Function)}
    return names | {name_of(one.target) for one in node.body if isinstance(one, ast.AnnAssign)}


@OPERATORS.operator("dropped-copy", ast.Call)
def dropped_copy(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    if node.keywords or (site.parent is not None and isinstance(site.parent.node, ast.Expr)):
        return
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in ("copy", "deepcopy"):
        copied = node.args[0] if name_of(function.value) == "copy" and node.args else function.value
    elif isinstance(function, ast.Name) and function.id in ("list", "dict", "set", "copy", "deepcopy") and node.args:
        copied = node.args[0]
    else:
        return
    if isinstance(copied, _PLAIN) and len(node.args) <= 1 and name_of(copied) != "copy":
        yield Edit(_uncopied(site, copied), shown(copied))


def _uncopied(site: Site, copied: ast.expr) -> tuple[Splice, ...]:
    """The thing in place of its copy; ``x = copy(x)`` is dropped."""
    parent = site.parent
    if parent is not None and isinstance(parent.node, ast.Assign):
        targets = [site.source.segment(target) for target in parent.node.targets]
        if targets == [site.source.segment(copied)]:
            return dropped(parent)
    return site.source.replace(site.node, site.source.standalone(copied))


@OPERATORS.operator("dropped-copy", ast.Subscript)
def dropped_slice_copy(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Subscript)
    part = node.slice
    if not isinstance(part, ast.Slice) or not isinstance(node.ctx, ast.Load) or not isinstance(node.value, _PLAIN):
        return
    if part.lower is None and part.upper is None and part.step is None:
        yield Edit(_uncopied(site, node.value), shown(node.value))


@OPERATORS.operator("stale-cache", ast.Expr, ast.Delete, ast.Assign)
def stale_cache(site: Site) -> Iterator[Edit]:
    emptied = emptied_by(site.node)
    function = site.function()
    if emptied is not None and function is not None and function.name not in _START_OR_END:
        yield Edit(dropped(site), shown(emptied))


def emptied_by(node: ast.AST) -> ast.expr | None:
    """What a statement takes the content from, if it does that."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        return node.value.func.value if node.value.func.attr in _EMPTYING else None
    if isinstance(node, ast.Delete) and len(node.targets) == 1:
        return node.targets[0] if isinstance(node.targets[0], ast.Attribute | ast.Subscript) else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Attribute):
        is_none = isinstance(node.value, ast.Constant) and node.value.value is None
        private = node.targets[0].attr.startswith("_") or "cache" in node.targets[0].attr
        return node.targets[0] if is_none and private else None
    return None
