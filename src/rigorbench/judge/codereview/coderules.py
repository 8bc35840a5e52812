"""The rules about code: includes, constructs, identifiers, patterns, sizes of functions."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from . import functionsize, languages
from .compiled import CodePlace, CodeSelection, ReviewContext, is_system
from .languages import text_of
from .result import Check, Undecidable, Violation
from .sources import SourceFile
from .spec import PRESETS, Constructs, Functions, Identifiers, Includes, Patterns, _Rule

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


def _of_c(selection: CodeSelection, presets: Sequence[str], names: Sequence[str]) -> Iterator[Violation]:
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


# An expression is tried on this many characters of a line.
_MAX_LINE_LENGTH = 2_000
_ASSEMBLY = re.compile(r"\.(?:s|S|asm|sx)$")
_COMPILED = re.compile(r"\.(?:s|S|asm|sx|o|obj|a|so|dylib|dll|lib|gch|class|pyc|rlib)$")
# Letters that look like Latin ones in common fonts.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁɡһӏԛԝαορνιкмтАВЕКМНОРСТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdghlqwaopvikmtABEKMHOPCTXABEZHIKMNOPTYX"
)
# Where compilers find headers, and parts of the library's headers that only these include.
_HEADER_DIRECTORIES = re.compile(r"^.*?/include/(?:[^/]+-linux-[^/]+/)?(?:c\+\+/[^/]+/)?")
_PART = re.compile(r"(?:bits|debug|pstl|parallel|backward)/")
_PART_OF = re.compile(r"(?:.*/)?(?:stl_)?(.+?)(?:\.h|\.tcc|\.hpp)?")
# These take in the whole library, whatever it is that is forbidden.
_EVERYTHING = frozenset({"bits/stdc++.h", "bits/extc++.h", "bits/stdtr1c++.h"})
_IDENTIFIER = re.compile(
    r"(?:[^\W\d]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\$)(?:\w|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\$)*"
)


class _Code:
    """What a rule is about: compiled C and C++ code (None: there is none), and files in other languages.

    A rule that names no files is about the program: tests and scripts beside it are not part of it. Files that are as
    the package gave them are nobody's fault.

    Raises: Undecidable: there is nothing, or the code cannot be compiled.
    """

    def __init__(self, rule: _Rule, context: ReviewContext) -> None:
        c = CodeSelection(context, rule.files, rule.exclude) if context.has_c_code else None
        self.c = c if c is not None and c.units else None
        others = [f for f in context.sources.matching(rule.files, rule.exclude) if f.language not in (None, "c", "cpp")]
        if not rule.files and context.is_c_program and c is not None:
            others = []
        elif not rule.files:
            others = [f for f in others if f.path in context.program]
        others = [f for f in others if f.path not in context.given]
        self.c_sources = self.c.sources if self.c is not None else []
        if self.c is None and not others:
            raise Undecidable("there is no source file that the rule applies to")
        for source in [*self.c_sources, *others]:
            source.check_text()
        self.others = [context.language_file(source) for source in others]


def _about_code(find: Callable[..., Iterator[Violation]]) -> Check:
    """A check of code: a rule without findings is kept only if all of the code was understood.

    A rule that names files of other languages only is kept.
    """

    def check(rule: _Rule, context: ReviewContext) -> list[Violation]:
        if context.is_for_others(rule.files):
            return []
        code = _Code(rule, context)
        found = list(find(rule, code, context))
        if not found and code.c is not None:
            code.c.check_decided()
        for file in code.others if not found else ():
            if file.errors:
                raise Undecidable(f"{file.source.path}: does not parse at line {file.errors[0]}")
        return found

    return check


@_about_code
def includes(rule: Includes, code: _Code, context: ReviewContext) -> Iterator[Violation]:
    for unit, include, place in code.c.includes() if code.c is not None else ():
        name, forbidden = _header_name(include.name), None
        if rule.forbid:
            # bits/stl_vector.h, debug/vector or an absolute path are "vector" spelled differently.
            names = [name, _header_name(include.entered)]
            if name in _EVERYTHING:
                names += [_header_name(file) for file in unit.files if is_system(file)]
            elif (part := _PART_OF.fullmatch(name)) is not None:
                names.append(part[1])
            forbidden = next((header for header in names if _matches_any(header, rule.forbid)), None)
            if forbidden is None and _PART.match(name) and name not in _EVERYTHING:
                # No program has a reason to include it.
                forbidden = "a part of a header of the library"
        if forbidden is not None:
            also = "" if include.name == forbidden else f" ({forbidden})"
            yield context.finding(place, f"include of {include.name}: forbidden{also}")
        elif rule.allow is not None and not _matches_any(name, rule.allow):
            yield context.finding(place, f"include of {include.name}: not allowed")
    for file in code.others:
        for found in file.imports:
            if found.own:
                continue
            if found.module is None:
                yield file.source.finding(found.line, "the imported module cannot be determined")
            elif _is_one_of(found.module, rule.forbid, file.separator):
                yield file.source.finding(found.line, f"import of {found.module}: forbidden")
            elif rule.allow is not None and not _is_one_of(found.module, rule.allow, file.separator):
                yield file.source.finding(found.line, f"import of {found.module}: not allowed")


def _header_name(name: str) -> str:
    """The name of a header as a program should write it: an absolute or climbing path is the same header."""
    name = posixpath.normpath(name)
    return _HEADER_DIRECTORIES.sub("", name) if name.startswith(("/", "..")) else name


def _matches_any(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _is_one_of(module: str, globs: Sequence[str], separator: str) -> bool:
    return any(module == glob or module.startswith(f"{glob}{separator}") or fnmatchcase(module, glob) for glob in globs)


@_about_code
def constructs(rule: Constructs, code: _Code, context: ReviewContext) -> Iterator[Violation]:
    found: list[Violation] = []
    if code.c is not None:
        found += _of_c(code.c, rule.forbid, rule.names)
    for file in code.others:
        found += languages.findings(file, rule.forbid, rule.names)
    # What is not compiled by the build counts as well: a program may load it.
    compiled = [f for f in context.sources.matching(rule.files, rule.exclude) if _COMPILED.search(f.path)]
    if "asm" in rule.forbid:
        found += [f.finding(None, "an assembly file") for f in compiled if _ASSEMBLY.search(f.path)]
    elif compiled and not found:
        raise Undecidable(f"{compiled[0].path}: assembly or compiled code, which the review cannot read")
    yield from found


@_about_code
def identifiers(rule: Identifiers, code: _Code, context: ReviewContext) -> Iterator[Violation]:
    patterns = [re.compile(pattern) for pattern in rule.forbid]
    named = [(source, _c_identifiers(code.c, source)) for source in code.c_sources if code.c is not None]
    for file in code.others:
        leaves = (node for node in file.nodes if node.child_count == 0 and "identifier" in node.type)
        named.append((file.source, ((text_of(node), node.start_point[0] + 1) for node in leaves)))
    for source, names in named:
        for name, line in dict.fromkeys(names):
            if rule.ascii and not name.isascii():
                yield source.finding(line, f"{name[:60]}: letters that are not ASCII in a name")
            else:
                looks = unicodedata.normalize("NFKC", name).translate(_LOOKALIKES)
                if any(pattern.search(name) or pattern.search(looks) for pattern in patterns):
                    yield source.finding(line, f"{name[:60]}: a forbidden name")
        if rule.ascii and not source.text.isascii():
            # Characters that are invisible or change the direction of text ("Trojan source", CVE-2021-42574).
            for number, text in enumerate(source.lines, 1):
                text = text.removeprefix("\ufeff") if number == 1 else text
                invisible = {c for c in text if unicodedata.category(c) == "Cf" or c in "\u115f\u1160\u3164\uffa0"}
                if invisible:
                    shown = ", ".join(f"U+{ord(c):04X}" for c in sorted(invisible)[:5])
                    yield source.finding(number, f"invisible characters: {shown}")


def _c_identifiers(c: CodeSelection, source: SourceFile) -> Iterator[tuple[str, int]]:
    """The names that a file has, and those that its macros make."""
    for line, text in c.lines(source.path):
        for name in _IDENTIFIER.findall(text):
            yield re.sub(r"\\(?:u(....)|U(.{8}))", lambda m: chr(int(m[1] or m[2], 16) % 0x110000), name), line
    for fact, place in c.facts("declares"):
        if place.path == source.path and fact.name.isidentifier():
            yield fact.name, place.line


@_about_code
def patterns(rule: Patterns, code: _Code, context: ReviewContext) -> Iterator[Violation]:
    expressions = [re.compile(pattern) for pattern in rule.forbid]
    shown = [(source, code.c.lines(source.path)) for source in code.c_sources if code.c is not None]
    shown += [(file.source, list(file.code_lines())) for file in code.others]
    for source, lines in shown:
        for line, text in lines:
            match = next((e for e in expressions if e.search(text[:_MAX_LINE_LENGTH])), None)
            if match is not None:
                yield source.finding(line, f"matches {match.pattern!r}")


@_about_code
def functions(rule: Functions, code: _Code, context: ReviewContext) -> Iterator[Violation]:
    measured = [(source, functionsize.c_functions(code.c, source)) for source in code.c_sources if code.c is not None]
    measured += [(file.source, functionsize.language_functions(file)) for file in code.others]
    for source, sizes in measured:
        for size in sizes:
            for limit, value, unit in (
                (rule.max_lines, size.lines, "lines"),
                (rule.max_nesting, size.nesting, "levels of nesting"),
                (rule.max_parameters, size.parameters, "parameters"),
            ):
                if limit is not None and value > limit:
                    yield source.finding(size.line, f"{size.name}: {value} {unit}, at most {limit}")


CHECKS: dict[type[Any], Check] = {
    Includes: includes,
    Constructs: constructs,
    Identifiers: identifiers,
    Patterns: patterns,
    Functions: functions,
}
