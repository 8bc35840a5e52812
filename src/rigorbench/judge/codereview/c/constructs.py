"""Find forbidden constructs among the facts that a compiler found out about C and C++ code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..model import Finding
from ..presets import PRESETS
from .project import Place, Selection

# Prefixes of the names that the library and the compiler use internally for a C function.
_INTERNAL_PREFIX = re.compile(r"(?:__builtin_|__libc_|_IO_|_+)(?=[a-z])")
# Namespaces of the library beside std.
_LIBRARY = frozenset({"std", "__gnu_cxx", "__gnu_pbds", "__gnu_debug", "__gnu_parallel", "__gnu_profile", "__cxxabiv1"})
# All that these have is containers, whatever their names.
_CONTAINER_NAMESPACES = frozenset({"__gnu_pbds"})
_NUMBER_STRING = re.compile(r"^(?:const )?std::(?:__cxx11::)?basic_string<(?!char\d*_?t?\b|wchar_t\b)")
_RESERVED = re.compile(r"_[A-Z_]")
_INLINE_NAMESPACES = frozenset({"__cxx11", "__cxx1998", "__debug", "_V2", "_Cpo", "__cpo"})


_NAMING = ("type", "own", "value", "function", "object", "method", "symbol", "statement")


class ForbiddenNames(Struct, frozen=True):
    """The names to look for, each with the description that a finding shows.

    Attributes:
        std_types: Types of the namespace std.
        std_functions: Functions of the namespace std.
        std_methods: Methods of types of the namespace std, as "type::method", or "*::method" for any type.
        functions: Functions of the C library.
        statements: Kinds of statements.
        special: Presets that are decided by facts of their own.
        presets: All presets.
    """

    std_types: dict[str, str]
    std_functions: dict[str, str]
    std_methods: dict[str, str]
    functions: dict[str, str]
    statements: dict[str, str]
    special: tuple[str, ...]
    presets: tuple[str, ...]


def forbidden_names(presets: Sequence[str], names: Sequence[str]) -> ForbiddenNames:
    special = tuple(preset for preset in presets if PRESETS[preset].special)
    found = ForbiddenNames({}, {}, {}, {}, {}, special, tuple(presets))
    for name in presets:
        preset = PRESETS[name]
        found.std_types.update(dict.fromkeys(preset.std_types, preset.what))
        found.std_functions.update(dict.fromkeys(preset.std_functions, preset.what))
        found.std_methods.update(dict.fromkeys(preset.std_methods, preset.what))
        found.functions.update(dict.fromkeys(preset.functions, preset.what))
        found.statements.update(dict.fromkeys(preset.keywords, preset.what))
    for name in names:
        if name.startswith("std::"):
            last = name.rsplit("::", 1)[-1]
            found.std_types[last] = found.std_functions[last] = "a forbidden name"
        elif "." not in name and "::" not in name:
            found.functions[name] = "a forbidden name"
    return found


def findings(selection: Selection, forbidden: ForbiddenNames, qualified: Sequence[str] = ()) -> Iterator[Finding]:
    """Every forbidden use in the code that a rule is about.

    Args:
        selection: The code.
        forbidden: What to look for.
        qualified: Further names that are not in std, such as "boost::any".
    """
    project = selection.project
    seen: set[tuple[Place, str]] = set()
    for place, name, what in _uses(selection, forbidden, qualified):
        # The syntax tree and the compiled code show the same use.
        if (place, what) not in seen:
            seen.add((place, what))
            yield project.finding(place, f"{name}: {what}")
    for special in forbidden.special:
        yield from SPECIAL[special](selection)


def _uses(
    selection: Selection, forbidden: ForbiddenNames, qualified: Sequence[str]
) -> Iterator[tuple[Place, str, str]]:
    for _, fact, place in selection.facts(*_NAMING):
        what: str | None
        if fact.kind == "statement":
            what = forbidden.statements.get(fact.name)
        elif fact.kind == "own":
            what = None
        elif fact.kind == "symbol":
            what = _c_function(fact.name, selection, forbidden)
        else:
            what = _library_name(fact.kind, fact.name, forbidden)
            if what is None and "std-containers" in forbidden.presets and _NUMBER_STRING.match(fact.detail):
                what = PRESETS["std-containers"].what
        if what is None and fact.name in qualified:
            what = "a forbidden name"
        if what is not None:
            yield place, fact.name, what
    for reference, place in selection.references():
        what = _compiled(reference.symbol, reference.name, selection, forbidden)
        if what is None and reference.name in qualified:
            what = "a forbidden name"
        if what is not None:
            yield place, reference.name, what
    yield from _assembly(selection, forbidden)
    imports = selection.project.recording.imports
    for name in sorted(imports or ()):
        # What no unit shows came into the program by another way.
        if name in forbidden.functions and name in _SYSTEM_ONLY:
            yield Place("", 0, True), name, f"{forbidden.functions[name]}; the linked program calls it"


# Functions that no header of the library calls on its own, so that a program that needs one calls it itself.
_SYSTEM_ONLY = PRESETS["process"].functions | PRESETS["network"].functions


def _assembly(selection: Selection, forbidden: ForbiddenNames) -> Iterator[tuple[Place, str, str]]:
    """Assembly can do whatever a rule about the system forbids; without instructions it is a barrier."""
    presets = [name for name in ("process", "network", "dynamic-code", "asm") if name in forbidden.presets]
    if not presets:
        return
    for unit in selection.units:
        for file, line in unit.facts.compiled.assembly:
            assert unit.pre is not None
            place = unit.at(file or unit.pre.main, line or 1)
            if place is not None and selection.has(place):
                what = "assembly" if presets == ["asm"] else f"assembly, which can be {PRESETS[presets[0]].what}"
                yield place, "asm", what


def _c_function(symbol: str, selection: Selection, forbidden: ForbiddenNames) -> str | None:
    if symbol in selection.project.defined:
        return None
    return forbidden.functions.get(symbol) or forbidden.functions.get(_INTERNAL_PREFIX.sub("", symbol, count=1))


def _compiled(symbol: str, name: str, selection: Selection, forbidden: ForbiddenNames) -> str | None:
    if not symbol.startswith("_Z"):
        return _c_function(symbol, selection, forbidden)
    if "::" not in name:
        return None
    owner = name.rsplit("::", 1)[0]
    return (
        _library_name("function", name, forbidden)
        or _library_name("method", name, forbidden)
        or _library_name("value", owner, forbidden)
    )


def _library_name(kind: str, name: str, forbidden: ForbiddenNames) -> str | None:
    """The description of a forbidden name of the library; None: it is allowed, or not of the library."""
    parts = [part for part in name.split("::") if part not in _INLINE_NAMESPACES]
    if parts[0] not in _LIBRARY:
        return None
    last = parts[-1]
    containers, algorithms = "std-containers" in forbidden.presets, "std-algorithms" in forbidden.presets
    if kind in ("type", "value"):
        if containers and parts[0] in _CONTAINER_NAMESPACES:
            return PRESETS["std-containers"].what
        return next((forbidden.std_types[part] for part in parts[1:] if part in forbidden.std_types), None)
    if kind == "method":
        if len(parts) < 3:
            return None
        what = forbidden.std_methods.get(f"{parts[-2]}::{last}") or forbidden.std_methods.get(f"*::{last}")
        return what or _library_name("type", "::".join(parts[:-1]), forbidden)
    if last in forbidden.std_functions and len(parts) <= 3 and not _is_class(parts[1:-1]):
        return forbidden.std_functions[last]
    if kind == "function" and algorithms and _is_internal_algorithm(parts):
        return f"{PRESETS['std-algorithms'].what}, by its internal name"
    return None


def _is_class(inner: Sequence[str]) -> bool:
    """Whether a name is that of a method: the namespaces in std are known."""
    return any(
        part not in ("ranges", "pmr", "parallel", "__parallel", "execution", "tr1", "__detail") for part in inner
    )


def _is_internal_algorithm(parts: Sequence[str]) -> bool:
    """An internal function of std on the algorithms' ways: named with underscores and one of their words."""
    if len(parts) != 2 or not _RESERVED.match(parts[1]):
        return False
    words = set(parts[1].strip("_").split("_"))
    return bool(words & _ALGORITHM_WORDS)


_ALGORITHM_WORDS = frozenset(
    """
    sort introsort insertion heap introselect merge partition rotate reverse unique search find bound remove count
    select permutation shuffle accumulate median set includes element
    """.split()
)


# -- constructs with facts of their own ------------------------------------------------------------------------------


def _global_state(selection: Selection) -> Iterator[Finding]:
    for _, fact, place in selection.facts("variable"):
        yield selection.project.finding(place, f"{fact.name}: {fact.detail} that can change")


def _raw_new(selection: Selection) -> Iterator[Finding]:
    for _, fact, place in selection.facts("allocation"):
        if fact.detail == "operator":
            yield selection.project.finding(place, f"{fact.name}: memory allocated outside a smart pointer")
        elif fact.detail != "held":
            yield selection.project.finding(place, "new outside a smart pointer")


_ALLOCATING = frozenset({"malloc", "calloc", "realloc", "strdup"})


def _new_without_delete(selection: Selection) -> Iterator[Finding]:
    facts = [(fact, place) for _, fact, place in selection.facts("allocation", "release", "symbol")]
    released = {place.path for fact, place in facts if fact.kind == "release" or "delete" in fact.name}
    freed = {place.path for fact, place in facts if fact.name in ("free", "__builtin_free")}
    for fact, place in facts:
        if fact.kind == "allocation" and fact.detail != "held" and place.path not in released:
            what = "new[]" if fact.detail == "array" else fact.name
            yield selection.project.finding(place, f"{what} without any delete in the file")
        elif fact.kind == "symbol" and fact.name.removeprefix("__builtin_") in _ALLOCATING and place.path not in freed:
            yield selection.project.finding(place, f"{fact.name} without any free in the file")


def _using_std(selection: Selection) -> Iterator[Finding]:
    for _, fact, place in selection.facts("using"):
        if fact.name.split("::")[0] == "std":
            yield selection.project.finding(place, f"using namespace {fact.name}")


def _swallowed_exceptions(selection: Selection) -> Iterator[Finding]:
    for _, _, place in selection.facts("catch"):
        yield selection.project.finding(place, "an exception is caught and ignored")


SPECIAL = {
    "global-state": _global_state,
    "raw-new": _raw_new,
    "new-without-delete": _new_without_delete,
    "using-namespace-std": _using_std,
    "exceptions-swallowed": _swallowed_exceptions,
}
