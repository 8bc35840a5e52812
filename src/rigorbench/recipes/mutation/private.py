"""The private names of a package that can be renamed in all of its files at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from .python.source import Source
from .python.walk import FUNCTIONS, name_of

_PRIVATE = re.compile(r"_[A-Za-z]\w*(?<!_)")
_WORD = re.compile(r"\w+")
_PLACEHOLDER = re.compile(r"%(\(\w*\))?[a-z]|\{[^}]*\}")
# Names that the standard library calls or gives.
_KNOWN = frozenset(
    "_replace _asdict _fields _make _field_defaults _source _getframe _exit _current_frames _name _value _anchor "
    "_ignore _generate_next_value _missing _order _create_pseudo_member".split()
)
# A base of these gives no private names of its own that a subclass has to meet.
_PLAIN_BASES = frozenset(
    {"object", "Exception", "ValueError", "TypeError", "KeyError", "RuntimeError", "ABC", "Generic", "Protocol"}
)
_BY_TEXT = frozenset({"getattr", "setattr", "hasattr", "delattr", "globals", "vars", "attrgetter", "methodcaller"})


def private_names(sources: Mapping[str, Source], kept: Collection[str]) -> list[str]:
    """The names that may be renamed, sorted.

    They are functions and variables of modules, methods, and attributes of ``self``. Left out are names of files, names
    bound in the body of a class (a data class makes arguments of them), names in a class that inherits from elsewhere,
    names read from another package, and all names with which a string begins or ends.
    """
    trees = [source.tree for source in sources.values()]
    own = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    defined = {name for tree in trees for name in _defined(tree)}
    files = _files(sources)
    blocked = set(kept) | _KNOWN | files
    texts, parts = set[str](), set[str]()
    for tree in trees:
        blocked |= set(_foreign(tree, own, files))
        texts |= set(_strings(tree))
        parts |= set(_looked_up(tree))
    words = {word for text in texts for word in _WORD.findall(text)}
    return sorted(
        name
        for name in defined - blocked - words
        if _PRIVATE.fullmatch(name) and not name.startswith(tuple(parts)) and not name.endswith(tuple(parts))
    )


def _files(sources: Mapping[str, Source]) -> set[str]:
    return {part for path in sources for part in PurePosixPath(path).with_suffix("").parts}


def _defined(tree: ast.Module) -> Iterator[str]:
    """The functions and variables of the module, the methods, and the attributes of ``self``."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and name_of(node.value) == "self":
            yield node.attr


def _foreign(tree: ast.Module, own: Collection[str], files: Collection[str]) -> Iterator[str]:
    """Names that belong to something outside the package, or that a class makes arguments or fields of."""
    imported = {name for node in ast.walk(tree) for name in _from_elsewhere(node, files)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
            for statement in node.body:
                if isinstance(statement, ast.Assign | ast.AnnAssign):
                    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                    yield from (name_of(one) for target in targets for one in ast.walk(target))
            bases = {name_of(base) for base in node.bases}
            if node.keywords or any(base not in own and base not in _PLAIN_BASES for base in bases):
                yield from _defined(ast.Module(body=list(node.body), type_ignores=[]))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            yield node.attr
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import_words(node, files)
        elif isinstance(node, ast.arg | ast.keyword):
            yield node.arg or ""


def _from_elsewhere(node: ast.AST, files: Collection[str]) -> Iterator[str]:
    """The names that an import of another package binds."""
    if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not _is_own(node, files)):
        yield from ((one.asname or one.name).partition(".")[0] for one in node.names)


def _is_own(node: ast.ImportFrom, files: Collection[str]) -> bool:
    return node.level > 0 or (node.module or "").partition(".")[0] in files


def _import_words(node: ast.Import | ast.ImportFrom, files: Collection[str]) -> Iterator[str]:
    """The names of modules in an import, and what comes from another package."""
    if isinstance(node, ast.ImportFrom):
        yield from (node.module or "").split(".")
    if isinstance(node, ast.Import) or not _is_own(node, files):
        for one in node.names:
            yield from one.name.split(".")
            yield one.asname or ""


def _strings(tree: ast.Module) -> Iterator[str]:
    """Every string, and every name inside an f-string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            yield node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        elif isinstance(node, ast.JoinedStr):
            yield from (name_of(one) for one in ast.walk(node) if isinstance(one, ast.Name | ast.Attribute))


def _looked_up(tree: ast.Module) -> Iterator[str]:
    """Parts of private names that are put together as text: ``"_read_" + kind``, ``"_read_{}".format(kind)``.

    A single underscore counts only where an attribute is looked up: elsewhere it joins words of a message.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in _BY_TEXT:
            yield from (part for one in ast.walk(node) for part in _parts(one))
        else:
            yield from (part for part in _parts(node) if part != "_")


def _parts(node: ast.AST) -> Iterator[str]:
    """The words of a string that begin as private names do. A text of several words is a message."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) == 1:
        yield from (word for word in _WORD.findall(_PLACEHOLDER.sub(" ", node.value)) if word.startswith("_"))
