"""The places of a Python module that an operator may look at, and those that no operator touches."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .source import Source

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*FUNCTIONS, ast.ClassDef)
_NO_PLACES = (ast.Assert, ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)
_SHOWN = frozenset({"__repr__", "_repr_html_", "_repr_pretty_", "__rich_repr__", "__del__", "__dir__"})
_LOGS = frozenset({"log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER", "warnings"})
_TALK = frozenset({"warn", "warning", "print", "debug"})
_ABOUT = frozenset(
    {"__all__", "__version__", "__author__", "__license__", "__slots__", "VERSION", "version", "version_info"}
)


@dataclass(frozen=True, slots=True)
class Site:
    """One node and the way to it.

    Attributes:
        source: the module.
        node: the node.
        parent: the site of the node that holds it; none for the module.
        field: the field of the parent that holds it.
        qualname: the function or class around it, or the node itself if it is one.
    """

    source: Source
    node: ast.AST
    parent: Site | None
    field: str
    qualname: str

    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The nearest function around the node."""
        site: Site | None = self
        while site is not None and not isinstance(site.node, FUNCTIONS):
            site = site.parent
        return site.node if site is not None and isinstance(site.node, FUNCTIONS) else None

    def siblings(self) -> list[ast.stmt]:
        """The statements of the block that the node, a statement, is in."""
        return list(getattr(self.parent.node, self.field)) if self.parent is not None else []


def sites(source: Source) -> Iterator[Site]:
    """Every node of the module that may be changed."""
    waiting = [Site(source, source.tree, None, "", "<module>")]
    while waiting:
        site = waiting.pop()
        yield site
        for field, value in ast.iter_fields(site.node):
            if field in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _untouched(child, site, field):
                    waiting.append(Site(source, child, site, field, _qualname(child, site)))


def _qualname(node: ast.AST, parent: Site) -> str:
    if not isinstance(node, _SCOPES):
        return parent.qualname
    return node.name if parent.qualname == "<module>" else f"{parent.qualname}.{node.name}"


def _untouched(node: ast.AST, parent: Site, field: str) -> bool:
    """Whether a change below a node is harmless, or is one that no test of the library is meant to find."""
    if isinstance(node, _NO_PLACES):
        return True
    if isinstance(node, FUNCTIONS):
        return node.name in _SHOWN or any(name_of(each) == "overload" for each in node.decorator_list)
    if isinstance(node, ast.Call):
        return _talks(node.func)
    if isinstance(node, ast.If):
        return _is_about_environment(node.test)
    if isinstance(node, ast.Assign):
        return any(name_of(target) in _ABOUT for target in node.targets)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or (isinstance(node.value, ast.Call) and _talks(node.value.func))
    return field == "test" and _is_about_environment(node) and isinstance(parent.node, ast.IfExp)


def _talks(function: ast.expr) -> bool:
    """Whether a call writes to a log or warns."""
    if isinstance(function, ast.Attribute):
        return name_of(function.value) in _LOGS
    return name_of(function) in _TALK


def _is_about_environment(test: ast.expr | ast.AST) -> bool:
    """Whether a condition asks for the type checker, the version of Python, the platform, or the main program."""
    names = {name_of(node) for node in ast.walk(test) if isinstance(node, ast.Name | ast.Attribute)}
    return bool(names & {"TYPE_CHECKING", "version_info", "platform", "__name__", "hexversion", "PY2", "PY3"})


def name_of(node: ast.AST | None) -> str:
    """The last name of an expression, ``b`` of ``a.b`` and ``f`` of ``f(x)``; empty if it has none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call):
        return name_of(node.func)
    if isinstance(node, ast.Subscript | ast.Starred):
        return name_of(node.value)
    return ""


def shown(node: ast.AST | None, otherwise: str = "the value") -> str:
    """The last name of an expression as a description shows it."""
    name = name_of(node)
    return f"`{name}`" if name else otherwise
