"""Find forbidden constructs among the facts that libclang gives about C and C++ code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from .compiled import CodeFact, CodePlace, CodeSelection
from .presets import PRESETS
from .result import Violation

# Namespaces of the library beside std.
_LIBRARY = frozenset({"std", "__gnu_cxx", "__gnu_pbds", "__gnu_debug", "__gnu_parallel", "__gnu_profile", "__cxxabiv1"})
_INLINE_NAMESPACES = frozenset({"__cxx11", "__cxx1998", "__debug", "_V2", "_Cpo", "__cpo"})
# Namespaces in std; any other part of a name in it is a class.
_INNER_NAMESPACES = frozenset({"ranges", "pmr", "parallel", "__parallel", "execution", "tr1", "__detail"})
_NAMING = ("type", "own", "value", "function", "object", "method", "symbol", "statement")
_ALLOCATING = frozenset({"malloc", "calloc", "realloc", "strdup"})


class ForbiddenNames(Struct, frozen=True):
    """The names to look for, as in a preset, each with the description that a finding shows."""

    std_types: dict[str, str] = field(default_factory=dict)
    std_functions: dict[str, str] = field(default_factory=dict)
    std_methods: dict[str, str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    statements: dict[str, str] = field(default_factory=dict)
    qualified: dict[str, str] = field(default_factory=dict)
    """Further names that are not in std, such as "boost::any"."""


def _forbidden_names(presets: Sequence[str], names: Sequence[str]) -> ForbiddenNames:
    found = ForbiddenNames()
    for preset in (PRESETS[name] for name in presets):
        found.std_types.update(dict.fromkeys(preset.std_types, preset.what))
        found.std_functions.update(dict.fromkeys(preset.std_functions, preset.what))
        found.std_methods.update(dict.fromkeys(preset.std_methods, preset.what))
        found.functions.update(dict.fromkeys(preset.functions, preset.what))
        found.statements.update(dict.fromkeys(preset.keywords, preset.what))
    for name in names:
        if name.startswith("std::"):
            last = name.rsplit("::", 1)[-1]
            found.std_types[last] = found.std_functions[last] = "a forbidden name"
        elif "::" in name:
            found.qualified[name] = "a forbidden name"
        elif "." not in name:
            found.functions[name] = "a forbidden name"
    return found


def findings(selection: CodeSelection, presets: Sequence[str], names: Sequence[str]) -> Iterator[Violation]:
    """Every use of a construct of the presets, and of the names, in the code that a rule is about."""
    forbidden = _forbidden_names(presets, names)
    seen: set[tuple[CodePlace, str]] = set()
    for fact, place in selection.facts(*_NAMING):
        what = _description(fact, selection, forbidden) or forbidden.qualified.get(fact.name)
        # A call shows its function, and what it returns.
        if what is not None and (place, what) not in seen:
            seen.add((place, what))
            yield selection.project.finding(place, f"{fact.name}: {what}")
    for preset in presets:
        if PRESETS[preset].special:
            yield from _SPECIAL[preset](selection)


def _description(fact: CodeFact, selection: CodeSelection, forbidden: ForbiddenNames) -> str | None:
    if fact.kind == "statement":
        return forbidden.statements.get(fact.name)
    if fact.kind == "own":
        return None
    if fact.kind != "symbol":
        return _of_library(fact.kind, fact.name, forbidden)
    if fact.name in selection.project.defined:
        return None
    # The names under which compiler and library have the same function.
    return forbidden.functions.get(fact.name) or forbidden.functions.get(
        fact.name.removeprefix("__builtin_").removeprefix("__libc_").lstrip("_")
    )


def _of_library(kind: str, name: str, forbidden: ForbiddenNames) -> str | None:
    """The description of a forbidden name of the library; None: it is allowed, or not of the library."""
    parts = [part for part in name.split("::") if part not in _INLINE_NAMESPACES]
    if parts[0] not in _LIBRARY:
        return None
    *owners, last = parts[1:] or [""]
    if kind in ("type", "value"):
        return next((forbidden.std_types[part] for part in parts[1:] if part in forbidden.std_types), None)
    if kind == "method":
        methods = (f"{owners[-1]}::{last}", f"*::{last}") if owners else ()
        found = next((forbidden.std_methods[method] for method in methods if method in forbidden.std_methods), None)
        return found or _of_library("type", "::".join(parts[:-1]), forbidden)
    return forbidden.std_functions.get(last) if _INNER_NAMESPACES.issuperset(owners) else None


# -- constructs with facts of their own ------------------------------------------------------------------------------


def _global_state(selection: CodeSelection) -> Iterator[Violation]:
    for fact, place in selection.facts("variable"):
        yield selection.project.finding(place, f"{fact.name}: {fact.detail} that can change")


def _raw_new(selection: CodeSelection) -> Iterator[Violation]:
    for fact, place in selection.facts("allocation"):
        if fact.detail == "operator":
            yield selection.project.finding(place, f"{fact.name}: memory allocated outside a smart pointer")
        elif fact.detail != "held":
            yield selection.project.finding(place, "new outside a smart pointer")


def _new_without_delete(selection: CodeSelection) -> Iterator[Violation]:
    facts = list(selection.facts("allocation", "release", "symbol"))
    released = {place.path for fact, place in facts if fact.kind == "release" or "delete" in fact.name}
    freed = {place.path for fact, place in facts if fact.name in ("free", "__builtin_free")}
    for fact, place in facts:
        if fact.kind == "allocation" and fact.detail != "held" and place.path not in released:
            what = "new[]" if fact.detail == "array" else fact.name
            yield selection.project.finding(place, f"{what} without any delete in the file")
        elif fact.kind == "symbol" and fact.name.removeprefix("__builtin_") in _ALLOCATING and place.path not in freed:
            yield selection.project.finding(place, f"{fact.name} without any free in the file")


def _using_std(selection: CodeSelection) -> Iterator[Violation]:
    for fact, place in selection.facts("using"):
        if fact.name.split("::")[0] == "std":
            yield selection.project.finding(place, f"using namespace {fact.name}")


def _swallowed_exceptions(selection: CodeSelection) -> Iterator[Violation]:
    for _, place in selection.facts("catch"):
        yield selection.project.finding(place, "an exception is caught and ignored")


_SPECIAL = {
    "global-state": _global_state,
    "raw-new": _raw_new,
    "new-without-delete": _new_without_delete,
    "using-namespace-std": _using_std,
    "exceptions-swallowed": _swallowed_exceptions,
}
