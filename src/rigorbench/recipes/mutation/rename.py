"""The same library with other private names, so that a text learnt by heart does not match."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Mapping
from random import Random

from msgspec import Struct

from .model import MutationError, Splice, spliced
from .private import private_names
from .python.source import Source
from .python.walk import FUNCTIONS
from .scopes import locals_of

_WORD = re.compile(r"[^\W\d]\w*")
_FIRST = (
    "active base bound bulk chosen common current direct early entire extra final first fixed former given hidden "
    "initial inner joint known last later local main major minor narrow nested next open outer own partial past plain "
    "prior proper ready recent related rest second select shared short single spare stored total upper "
    "usual valid whole wide"
).split()
_SECOND = (
    "area array batch block body branch bundle cell chain chunk clause cluster column content detail digest draft "
    "element entry extent figure form frame group handle head holder input kind label layer lot mark match member mode "
    "note object outcome output pair part piece point portion range record region row run sample section segment "
    "series share slot source span stage state step store strip table tail term token trace track tree unit view"
).split()


class Renaming(Struct, frozen=True):
    """The tree with new names.

    Attributes:
        tree: the texts of all files by path.
        private: old and new names of private functions, methods, attributes and variables of modules.
        local: old and new names of local variables, by file and function.
    """

    tree: dict[str, str]
    private: dict[str, str]
    local: dict[tuple[str, str, str], str]


def mentioned(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts that may name a symbol: tests, docs. Names among them are to be kept."""
    return frozenset(word for text in texts for word in _WORD.findall(text))


def rename(tree: Mapping[str, str], seed: int, keep: Collection[str], *, local: bool = True) -> Renaming:
    """Gives private symbols and local variables new names, the same ones in all files.

    Only names that nothing mentions: no string, docstring, ``__all__`` or other file of the tree (stubs, docs), and
    nothing in `keep`. Arguments keep their names, because callers may use them.

    Args:
        tree: the texts of the files of a package by path; ``.py`` files are changed, the others only read.
        seed: chooses the new names.
        keep: names that tests and docs mention.
        local: also rename local variables. Without it two versions of a file, given in one tree, differ in the same
            lines before and after.

    Raises:
        MutationError: a file is not Python.
    """
    sources = {path: _source(path, text) for path, text in sorted(tree.items()) if path.endswith(".py")}
    used = {word for source in sources.values() for word in _names(source)}
    spoken = mentioned(text for path, text in tree.items() if path not in sources)
    kept = frozenset(keep) | spoken | frozenset(dir(builtins)) | frozenset(keyword.kwlist)
    rng = Random(seed)
    fresh = _fresh_names(rng, kept | used)
    private = {name: _like(name, next(fresh)) for name in private_names(sources, kept)}
    changed, new_local = dict(tree), dict[tuple[str, str, str], str]()
    for path, source in sources.items():
        splices = list(_private_splices(source, private))
        for function, qualname in _functions(source.tree) if local else ():
            for name, nodes in locals_of(function, kept):
                new = new_local[path, f"{qualname}:{function.lineno}", name] = next(fresh)
                splices += [splice for node in nodes for splice in source.replace(node, new)]
        changed[path] = spliced(tree[path], tuple(splices))
        _source(path, changed[path])
    return Renaming(changed, private, new_local)


def _source(path: str, text: str) -> Source:
    try:
        return Source(text)
    except MutationError as error:
        raise MutationError(f"{path}: {error}") from error


def _like(name: str, new: str) -> str:
    """A private name; a constant stays one."""
    return f"_{new.upper() if name.isupper() else new}"


def _names(source: Source) -> Iterator[str]:
    """Every word of a file; a new name is none of them, so it hides nothing."""
    return iter(_WORD.findall(source.data.decode()))


def _fresh_names(rng: Random, taken: frozenset[str]) -> Iterator[str]:
    """Names that are not taken, with or without an underscore before them, each of them once."""
    names = [f"{first}_{second}" for first in _FIRST for second in _SECOND]
    rng.shuffle(names)
    turn = 0
    while True:
        for name in names:
            numbered = name if turn == 0 else f"{name}_{turn + 1}"
            if not {numbered, f"_{numbered}", f"_{numbered.upper()}"} & taken:
                yield numbered
        turn += 1


def _private_splices(source: Source, names: Mapping[str, str]) -> Iterator[Splice]:
    """The places of private names in the code and in comments."""
    inside = [
        (source.start(node), source.end(node)) for node in ast.walk(source.tree) if isinstance(node, ast.JoinedStr)
    ]
    for token in source.all_tokens:
        if any(start <= token.start < end for start, end in inside):
            continue
        if token.kind == tokenize.NAME and token.text in names:
            yield Splice(token.start, token.end, names[token.text])
        elif token.kind == tokenize.COMMENT:
            new = _WORD.sub(lambda found: names.get(found.group(), found.group()), token.text)
            if new != token.text:
                yield Splice(token.start, token.end, new)


def _functions(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    """The functions that are in no other function, with their qualified names."""
    waiting = [(tree, "")]
    while waiting:
        node, around = waiting.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTIONS):
                yield child, around + child.name
            else:
                waiting.append((child, f"{around}{child.name}." if isinstance(child, ast.ClassDef) else around))
