"""Find forbidden constructs among the facts that libclang gives about C and C++ code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .compiled import CodePlace, CodeSelection
from .presets import PRESETS
from .result import Violation

# Namespaces of the library beside std.
_LIBRARY = frozenset({"std", "__gnu_cxx", "__gnu_pbds", "__gnu_debug", "__gnu_parallel", "__gnu_profile", "__cxxabiv1"})
_INLINE_NAMESPACES = frozenset({"__cxx11", "__cxx1998", "__debug", "_V2", "_Cpo", "__cpo"})
# Namespaces in std; any other part of a name in it is a class.
_INNER_NAMESPACES = frozenset({"ranges", "pmr", "parallel", "__parallel", "execution", "tr1", "__detail"})
_NAMING = ("type", "own", "value", "function", "object", "method", "symbol", "statement")
_ALLOCATING = frozenset({"malloc", "calloc", "realloc", "strdup"})
_KINDS = ("std_types", "std_functions", "std_methods", "functions", "keywords")
_BY_NAME = "a forbidden name"
_NEW = "new outside a smart pointer"
# Presets that are decided by facts of one kind -> that kind.
_SPECIAL = {
    "global-state": "variable",
    "raw-new": "allocation",
    "using-namespace-std": "using",
    "exceptions-swallowed": "catch",
}
# By kind of name as in a preset: the names to look for, each with the description that a finding shows.
Forbidden = dict[str, dict[str, str]]


def findings(selection: CodeSelection, presets: Sequence[str], names: Sequence[str]) -> Iterator[Violation]:
    """Every use of a construct of the presets, and of the names, in the code that a rule is about."""
    chosen = [PRESETS[name] for name in presets]
    forbidden: Forbidden = {k: {name: p.what for p in chosen for name in getattr(p, k)} for k in _KINDS}
    qualified: dict[str, str] = {}  # further names that are not in std, such as "boost::any"
    for name in names:
        if name.startswith("std::"):
            last = name.rsplit("::", 1)[-1]
            forbidden["std_types"][last] = forbidden["std_functions"][last] = _BY_NAME
        elif "::" in name:
            qualified[name] = _BY_NAME
        elif "." not in name:
            forbidden["functions"][name] = _BY_NAME
    seen: set[tuple[CodePlace, str]] = set()
    for fact, place in selection.facts(*_NAMING):
        what = None
        if fact.kind == "statement":
            what = forbidden["keywords"].get(fact.name)
        elif fact.kind == "symbol" and fact.name not in selection.project.defined:
            # The names under which compiler and library have the same function.
            plain = fact.name.removeprefix("__builtin_").removeprefix("__libc_").lstrip("_")
            what = forbidden["functions"].get(fact.name) or forbidden["functions"].get(plain)
        elif fact.kind not in ("own", "symbol"):
            what = _of_library(fact.kind, fact.name, forbidden)
        what = what or qualified.get(fact.name)
        # A call shows its function, and what it returns.
        if what is not None and (place, what) not in seen:
            seen.add((place, what))
            yield selection.project.finding(place, f"{fact.name}: {what}")
    for preset in presets:
        if preset == "new-without-delete":
            facts = list(selection.facts("allocation", "release", "symbol"))
            released = {place.path for fact, place in facts if fact.kind == "release" or "delete" in fact.name}
            freed = {place.path for fact, place in facts if fact.name in ("free", "__builtin_free")}
            for fact, place in facts:
                plain = fact.name.removeprefix("__builtin_")
                if fact.kind == "allocation" and fact.detail != "held" and place.path not in released:
                    what = "new[]" if fact.detail == "array" else fact.name
                    yield selection.project.finding(place, f"{what} without any delete in the file")
                elif fact.kind == "symbol" and plain in _ALLOCATING and place.path not in freed:
                    yield selection.project.finding(place, f"{fact.name} without any free in the file")
            continue
        for fact, place in selection.facts(_SPECIAL.get(preset, "")):
            outside = f"{fact.name}: memory allocated outside a smart pointer"
            message = {
                "global-state": f"{fact.name}: {fact.detail} that can change",
                "raw-new": outside if fact.detail == "operator" else _NEW,
                "using-namespace-std": f"{'declarations in' if fact.detail else 'using'} namespace {fact.name}",
                "exceptions-swallowed": "an exception is caught and ignored",
            }[preset]
            if fact.detail != "held" and (preset != "using-namespace-std" or fact.name.split("::")[0] == "std"):
                yield selection.project.finding(place, message)


def _of_library(kind: str, name: str, forbidden: Forbidden) -> str | None:
    """The description of a forbidden name of the library; None: it is allowed, or not of the library."""
    parts = [part for part in name.split("::") if part not in _INLINE_NAMESPACES]
    if parts[0] not in _LIBRARY:
        return None
    *owners, last = parts[1:] or [""]
    types, methods = forbidden["std_types"], forbidden["std_methods"]
    if kind in ("type", "value"):
        return next((types[part] for part in parts[1:] if part in types), None)
    if kind == "method":
        called = (f"{owners[-1]}::{last}", f"*::{last}") if owners else ()
        found = next((methods[method] for method in called if method in methods), None)
        return found or _of_library("type", "::".join(parts[:-1]), forbidden)
    return forbidden["std_functions"].get(last) if _INNER_NAMESPACES.issuperset(owners) else None
