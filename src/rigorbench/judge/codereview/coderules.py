"""The rules about code: includes, constructs, identifiers, patterns, sizes of functions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from . import functionsize
from .c import constructs as c_constructs
from .c.headers import forbidden_header, matches_any
from .c.preprocessor import Include
from .c.project import CFile, CProject
from .context import ReviewContext
from .languages import constructs as language_constructs
from .languages.source import LanguageFile
from .model import Check, Finding, Undecidable
from .sources import SourceFile
from .spec import Constructs, Functions, Identifiers, Includes, Patterns, _Rule
from .tree import text_of

# An expression is tried on this many characters of a line.
_MAX_LINE_LENGTH = 2_000
_ASSEMBLY = re.compile(r"\.(?:s|S|asm|sx)$")
_COMPILED = re.compile(r"\.(?:s|S|asm|sx|o|obj|a|so|dylib|dll|lib|gch|class|pyc|rlib)$")
# Letters that look like Latin ones in common fonts.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁɡһӏԛԝαορνιкмтАВЕКМНОРСТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdghlqwaopvikmtABEKMHOPCTXABEZHIKMNOPTYX"
)


def _files_of_rule(rule: _Rule, context: ReviewContext) -> tuple[list[CFile], list[SourceFile]]:
    """The files of a rule: those in C or C++, and those in other languages.

    Raises:
        Undecidable: there are none.
    """
    c = context.c_files(rule.files, rule.exclude) if context.c.files else []
    other_sources = [
        f for f in context.sources.matching(rule.files, rule.exclude) if f.language not in (None, "c", "cpp")
    ]
    if not c and not other_sources:
        raise Undecidable("there is no source file that the rule applies to")
    for source in [*(file.source for file in c), *other_sources]:
        source.check_text()
    return c, other_sources


def includes(rule: Includes, context: ReviewContext) -> list[Finding]:
    c, other_sources = _files_of_rule(rule, context)
    found: list[Finding] = []
    project = context.c
    for file in c:
        for include in file.includes:
            outside = project.own_path(file.source.path, include) is None and not project.is_provided(include)
            if outside and not _own_module(include, project):
                found += _include_findings(rule, include, file.source)
    for source, include in project.forced_includes():
        if project.own_path(source.path, include) is None:
            found += _include_findings(rule, include, source)
    for source in other_sources:
        found += _import_findings(rule, context.language_file(source))
    if not found:
        _check_everything_read(context, c, other_sources, parse_c=False)
    return found


def _include_findings(rule: Includes, include: Include, source: SourceFile) -> Iterator[Finding]:
    if include.name is None:
        yield source.finding(include.line, f"the included header cannot be determined: {include.excerpt[:80]}")
        return
    spelling = f"{include.directive} of {include.name}"
    forbidden = forbidden_header(include.name, rule.forbid) if rule.forbid else None
    if forbidden is not None:
        yield source.finding(
            include.line, f"{spelling}: forbidden" + ("" if include.name == forbidden else f" ({forbidden})")
        )
    elif rule.allow is not None and not matches_any(include.name, rule.allow):
        yield source.finding(include.line, f"{spelling}: not allowed")


def _own_module(include: Include, project: CProject) -> bool:
    if include.directive != "module" or include.name is None:
        return False
    declared = re.compile(rf"\bmodule\s+{re.escape(include.name)}\s*[;:]")
    return include.name.startswith(":") or any(declared.search(file.source.text) for file in project.files)


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
    if c:
        forbidden = c_constructs.forbidden_names(rule.forbid, rule.names)
        qualified = [name for name in rule.names if "::" in name and not name.startswith("std::")]
        for file in c:
            found += c_constructs.findings(file, context.names, forbidden, qualified)
    for source in other_sources:
        found += language_constructs.findings(context.language_file(source), rule.forbid, rule.names)
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
        _check_everything_read(context, c, other_sources, parse_c=bool(set(rule.forbid) & set(c_constructs.SPECIAL)))
    return found


def identifiers(rule: Identifiers, context: ReviewContext) -> list[Finding]:
    c, other_sources = _files_of_rule(rule, context)
    patterns = [re.compile(pattern) for pattern in rule.forbid]
    found: list[Finding] = []
    for source, names in [
        *((f.source, _c_identifiers(f)) for f in c),
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
        _check_everything_read(context, (), other_sources, parse_c=False)
    return found


def _c_identifiers(file: CFile) -> Iterator[tuple[str, int]]:
    for token in [*file.unit.code, *file.code]:
        if token.kind == "name":
            yield token.text, token.line
    for macro in file.unit.macros:
        yield macro.name, macro.body[0].line if macro.body else 1


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
        *((f.source, _c_lines(f)) for f in c),
        *((s, _code_lines(context.language_file(s))) for s in other_sources),
    ]:
        for line, text in sorted(set(lines)):
            match = next((e for e in expressions if e.search(text[:_MAX_LINE_LENGTH])), None)
            if match is not None:
                found.append(source.finding(line, f"matches {match.pattern!r}"))
    if not found:
        _check_everything_read(context, c, other_sources, parse_c=False)
    return found


def _c_lines(file: CFile) -> Iterator[tuple[int, str]]:
    """The code by line without comments and strings: as written, with macros expanded, and the macros' bodies."""
    macros = [token for macro in file.unit.macros for token in macro.body]
    for tokens in (file.unit.code, file.code, macros):
        by_line: dict[int, list[str]] = {}
        for token in tokens:
            if token.kind != "newline":
                text = '""' if token.kind == "string" else "''" if token.kind == "char" else token.text
                by_line.setdefault(token.line, []).append((" " if token.spaced else "") + text)
        yield from ((line, "".join(parts).strip()) for line, parts in by_line.items())


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
        *((f.source, functionsize.c_functions(f)) for f in c),
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
        _check_everything_read(context, c, other_sources, parse_c=True)
    return found


def _check_everything_read(
    context: ReviewContext, c: Sequence[CFile], other_sources: Sequence[SourceFile], *, parse_c: bool
) -> None:
    """Check that nothing was hidden from a rule without findings; only then is the rule kept.

    Raises:
        Undecidable: some code does not parse, or is only created during the build.
    """
    for file in c if parse_c else ():
        if file.parsed.errors:
            raise Undecidable(f"{file.source.path}: does not parse at line {file.parsed.errors[0]}")
    for source in other_sources:
        if errors := context.language_file(source).errors:
            raise Undecidable(f"{source.path}: does not parse at line {errors[0]}")
    if c and (generated := context.c.generated_code()):
        raise Undecidable(
            f"{generated[0].file}, line {generated[0].line}: {generated[0].message}, which the review cannot see"
        )


CHECKS: dict[type[Any], Check] = {
    Includes: includes,
    Constructs: constructs,
    Identifiers: identifiers,
    Patterns: patterns,
    Functions: functions,
}
