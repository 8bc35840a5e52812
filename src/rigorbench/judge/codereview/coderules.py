"""The rules about code: includes, constructs, identifiers, patterns, sizes of functions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from . import functionsize
from .c import constructs as c_constructs
from .c.headers import forbidden_header, header_name, matches_any
from .c.preprocessed import Include, owner
from .c.project import Selection
from .context import ReviewContext
from .languages import constructs as language_constructs
from .languages.source import LanguageFile
from .model import Check, Finding, Undecidable
from .sources import SourceFile
from .spec import Constructs, Functions, Identifiers, Includes, Patterns, _Rule
from .tree import text_of, unescape

# An expression is tried on this many characters of a line.
_MAX_LINE_LENGTH = 2_000
_ASSEMBLY = re.compile(r"\.(?:s|S|asm|sx)$")
_COMPILED = re.compile(r"\.(?:s|S|asm|sx|o|obj|a|so|dylib|dll|lib|gch|class|pyc|rlib)$")
# Letters that look like Latin ones in common fonts.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁɡһӏԛԝαορνιкмтАВЕКМНОРСТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdghlqwaopvikmtABEKMHOPCTXABEZHIKMNOPTYX"
)


def _files_of_rule(rule: _Rule, context: ReviewContext) -> tuple[Selection | None, list[SourceFile]]:
    """What a rule is about: compiled C and C++ code (None: there is none), and files in other languages.

    A rule that names no files is about the program: scripts beside a C or C++ program are not part of it.

    Raises:
        Undecidable: there is nothing, or the code cannot be compiled.
    """
    c = context.selection(rule.files, rule.exclude) if context.c.has_code else None
    if c is not None and not c.units:
        if context.c.recording.unknown:
            raise Undecidable(context.c.recording.unknown)
        c = None
    other_sources = [
        f for f in context.sources.matching(rule.files, rule.exclude) if f.language not in (None, "c", "cpp")
    ]
    if c is not None and not rule.files and context.c.is_program:
        other_sources = []
    if c is None and not other_sources:
        raise Undecidable("there is no source file that the rule applies to")
    for source in [*_c_sources(c), *other_sources]:
        source.check_text()
    return c, other_sources


def _c_sources(c: Selection | None) -> list[SourceFile]:
    """The files of the submission that a rule about C and C++ is about."""
    if c is None:
        return []
    return [c.project.sources.files[path] for path in c.paths if path in c.project.sources.files]


def includes(rule: Includes, context: ReviewContext) -> list[Finding]:
    c, other_sources = _files_of_rule(rule, context)
    found: list[Finding] = []
    for unit in c.units if c is not None else ():
        if unit.pre is None:
            continue
        read = sorted(file for file in unit.pre.files if owner(file) == "system")
        for include in unit.pre.includes:
            place = context.c.place(include.file, include.line)
            if place is not None and c is not None and c.has(place) and context.c.outside(include):
                message = _include_message(rule, include, read)
                if message is not None:
                    found.append(context.c.finding(place, message))
    for source in other_sources:
        found += _import_findings(rule, context.language_file(source))
    if not found:
        _check_everything_read(context, c, other_sources, tree=False)
    return found


def _include_message(rule: Includes, include: Include, read: Sequence[str]) -> str | None:
    name = header_name(include.name)
    spelling = f"{include.directive} of {include.name}"
    forbidden = forbidden_header(name, rule.forbid, read) if rule.forbid else None
    if forbidden is not None:
        return f"{spelling}: forbidden" + ("" if include.name == forbidden else f" ({forbidden})")
    if rule.allow is not None and not matches_any(name, rule.allow):
        return f"{spelling}: not allowed"
    return None


def _import_findings(rule: Includes, file: LanguageFile) -> Iterator[Finding]:
    separator = language_constructs.SEPARATORS.get(file.language, ".")
    for found in file.imports:
        if found.own:
            continue
        if found.module is None:
            yield file.source.finding(found.line, "the imported module cannot be determined")
        elif any(_module_matches(found.module, glob, separator) for glob in rule.forbid):
            yield file.source.finding(found.line, f"import of {found.module}: forbidden")
        elif rule.allow is not None and not any(_module_matches(found.module, glob, separator) for glob in rule.allow):
            yield file.source.finding(found.line, f"import of {found.module}: not allowed")


def _module_matches(module: str, glob: str, separator: str) -> bool:
    return module == glob or module.startswith(f"{glob}{separator}") or fnmatchcase(module, glob)


def constructs(rule: Constructs, context: ReviewContext) -> list[Finding]:
    c, other_sources = _files_of_rule(rule, context)
    found: list[Finding] = []
    if c is not None:
        forbidden = c_constructs.forbidden_names(rule.forbid, rule.names)
        qualified = [name for name in rule.names if "::" in name and not name.startswith("std::")]
        found += c_constructs.findings(c, forbidden, qualified)
    for source in other_sources:
        found += language_constructs.findings(context.language_file(source), rule.forbid, rule.names)
    # What is not compiled by the build counts as well: a program may load it.
    compiled = [f for f in context.sources.matching(rule.files, rule.exclude) if _COMPILED.search(f.path)]
    if "asm" in rule.forbid:
        found += [f.finding(None, "an assembly file") for f in compiled if _ASSEMBLY.search(f.path)]
    elif compiled and not found:
        raise Undecidable(f"{compiled[0].path}: assembly or compiled code, which the review cannot read")
    for source in other_sources if not found else ():
        reason = language_constructs.undecidable_reason(context.language_file(source), rule.forbid, rule.names)
        if reason is not None:
            raise Undecidable(reason)
    if not found:
        _check_everything_read(context, c, other_sources)
    return found


def identifiers(rule: Identifiers, context: ReviewContext) -> list[Finding]:
    c, other_sources = _files_of_rule(rule, context)
    patterns = [re.compile(pattern) for pattern in rule.forbid]
    found: list[Finding] = []
    for source, names in [
        *((s, _c_identifiers(c, s)) for s in _c_sources(c) if c is not None),
        *((s, _identifiers(context.language_file(s))) for s in other_sources),
    ]:
        seen: set[tuple[str, int]] = set()
        for name, line in names:
            if (name, line) in seen:
                continue
            seen.add((name, line))
            if rule.ascii and not name.isascii():
                found.append(source.finding(line, f"{name[:60]}: letters that are not ASCII in a name"))
            else:
                looks = unicodedata.normalize("NFKC", name).translate(_LOOKALIKES)
                if any(pattern.search(name) or pattern.search(looks) for pattern in patterns):
                    found.append(source.finding(line, f"{name[:60]}: a forbidden name"))
        if rule.ascii:
            found += _invisible_characters(source)
    if not found:
        _check_everything_read(context, c, other_sources, tree=False)
    return found


_IDENTIFIER = re.compile(
    r"(?:[^\W\d]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\$)(?:\w|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\$)*"
)


def _c_identifiers(c: Selection, source: SourceFile) -> Iterator[tuple[str, int]]:
    """The names in a file after macros are expanded, and those in the definitions of macros."""
    for line, text in c.lines(source.path):
        for name in _IDENTIFIER.findall(text):
            yield unescape(name), line


def _identifiers(file: LanguageFile) -> Iterator[tuple[str, int]]:
    for node in file.nodes:
        if node.child_count == 0 and "identifier" in node.type:
            yield text_of(node), node.start_point[0] + 1


def _invisible_characters(source: SourceFile) -> Iterator[Finding]:
    """Characters that are invisible or change the direction of text ("Trojan source", CVE-2021-42574)."""
    if source.text.isascii():
        return
    for number, line in enumerate(source.lines, 1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        invisible = {c for c in text if unicodedata.category(c) == "Cf" or c in "\u115f\u1160\u3164\uffa0"}
        if invisible:
            names = ", ".join(f"U+{ord(c):04X}" for c in sorted(invisible)[:5])
            yield source.finding(number, f"invisible characters: {names}")


def patterns(rule: Patterns, context: ReviewContext) -> list[Finding]:
    c, other_sources = _files_of_rule(rule, context)
    expressions = [re.compile(pattern) for pattern in rule.forbid]
    found: list[Finding] = []
    for source, lines in [
        *((s, c.lines(s.path)) for s in _c_sources(c) if c is not None),
        *((s, _code_lines(context.language_file(s))) for s in other_sources),
    ]:
        for line, text in sorted(set(lines)):
            match = next((e for e in expressions if e.search(text[:_MAX_LINE_LENGTH])), None)
            if match is not None:
                found.append(source.finding(line, f"matches {match.pattern!r}"))
    if not found:
        _check_everything_read(context, c, other_sources, tree=False)
    return found


def _code_lines(file: LanguageFile) -> Iterator[tuple[int, str]]:
    data = bytearray(file.root.text or b"")
    shift = file.root.start_byte
    for node in file.nodes:
        if "comment" in node.type or node.type in ("string_content", "string_fragment", "escape_sequence"):
            begin, end = node.start_byte - shift, node.end_byte - shift
            data[begin:end] = re.sub(rb"[^\n]", b" ", bytes(data[begin:end]))
    first = file.root.start_point[0] + 1
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), first):
        if line.strip():
            yield number, line.strip()


def functions(rule: Functions, context: ReviewContext) -> list[Finding]:
    c, other_sources = _files_of_rule(rule, context)
    found: list[Finding] = []
    measured = [
        *((s, functionsize.c_functions(c, s)) for s in _c_sources(c) if c is not None),
        *((s, functionsize.language_functions(context.language_file(s))) for s in other_sources),
    ]
    for source, sizes in measured:
        for size in sizes:
            for limit, value, unit in (
                (rule.max_lines, size.lines, "lines"),
                (rule.max_nesting, size.nesting, "levels of nesting"),
                (rule.max_parameters, size.parameters, "parameters"),
            ):
                if limit is not None and value > limit:
                    found.append(source.finding(size.line, f"{size.name}: {value} {unit}, at most {limit}"))
    if not found:
        _check_everything_read(context, c, other_sources)
    return found


def _check_everything_read(
    context: ReviewContext, c: Selection | None, other_sources: Sequence[SourceFile], *, tree: bool = True
) -> None:
    """Check that nothing was hidden from a rule without findings; only then is the rule kept.

    Raises:
        Undecidable: some code does not parse.
    """
    if c is not None:
        c.check_decided(tree=tree)
    for source in other_sources:
        if errors := context.language_file(source).errors:
            raise Undecidable(f"{source.path}: does not parse at line {errors[0]}")


CHECKS: dict[type[Any], Check] = {
    Includes: includes,
    Constructs: constructs,
    Identifiers: identifiers,
    Patterns: patterns,
    Functions: functions,
}
