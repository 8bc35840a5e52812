"""The rules about code: includes, constructs, identifiers, patterns, sizes of functions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from . import shape
from .c import constructs as cconstructs
from .c.headers import brings, fits
from .c.preprocessor import Include
from .c.project import CFile, CProject
from .languages import constructs as others
from .languages.file import OtherFile
from .material import Material
from .model import Check, Finding, Undecidable
from .sources import SourceFile
from .spec import Constructs, Functions, Identifiers, Includes, Patterns, _Rule
from .tree import text_of

# Characters of a line that an expression is tried on.
_LONGEST_LINE = 2_000
_ASSEMBLY = re.compile(r"\.(?:s|S|asm|sx)$")
_OPAQUE = re.compile(r"\.(?:s|S|asm|sx|o|obj|a|so|dylib|dll|lib|gch|class|pyc|rlib)$")
# Letters that look like Latin ones, as far as programmers' fonts go.
_ALIKE = str.maketrans(
    "аеорсухіјѕԁɡһӏԛԝαορνιкмтАВЕКМНОРСТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdghlqwaopvikmtABEKMHOPCTXABEZHIKMNOPTYX"
)


def _chosen(rule: _Rule, material: Material) -> tuple[list[CFile], list[SourceFile]]:
    """The files of a rule: those in C or C++, and those in other languages.

    Raises:
        Undecidable: there are none.
    """
    c = material.c_files(rule.files, rule.exclude) if material.c.files else []
    rest = [f for f in material.sources.chosen(rule.files, rule.exclude) if f.language not in (None, "c", "cpp")]
    if not c and not rest:
        raise Undecidable("there is no source file that the rule is about")
    for source in [*(file.source for file in c), *rest]:
        source.check_text()
    return c, rest


def includes(rule: Includes, material: Material) -> list[Finding]:
    c, rest = _chosen(rule, material)
    found: list[Finding] = []
    project = material.c
    for file in c:
        for include in file.includes:
            outside = project.own(file.source.path, include) is None and not project.is_given(include)
            if outside and not _own_module(include, project):
                found += _included(rule, include, file.source)
    for forced in project.forced():
        if isinstance(forced, tuple) and project.own(forced[0].path, forced[1]) is None:
            found += _included(rule, forced[1], forced[0])
    for source in rest:
        found += _imported(rule, material.other(source))
    if not found:
        _fully_seen(material, c, rest, parse_c=False)
    return found


def _included(rule: Includes, include: Include, source: SourceFile) -> Iterator[Finding]:
    if include.name is None:
        yield source.finding(include.line, f"what is included cannot be told: {include.excerpt[:80]}")
        return
    spelling = f"{include.how} of {include.name}"
    forbidden = brings(include.name, rule.forbid) if rule.forbid else None
    if forbidden is not None:
        yield source.finding(
            include.line, f"{spelling}: forbidden" + ("" if include.name == forbidden else f" ({forbidden})")
        )
    elif rule.allow is not None and not fits(include.name, rule.allow):
        yield source.finding(include.line, f"{spelling}: not among what is allowed")


def _own_module(include: Include, project: CProject) -> bool:
    if include.how != "module" or include.name is None:
        return False
    declared = re.compile(rf"\bmodule\s+{re.escape(include.name)}\s*[;:]")
    return include.name.startswith(":") or any(declared.search(file.source.text) for file in project.files)


def _imported(rule: Includes, file: OtherFile) -> Iterator[Finding]:
    separator = others.SEPARATORS.get(file.language, ".")
    for found in file.imports:
        if found.own:
            continue
        if found.module is None:
            yield file.source.finding(found.line, "what is imported cannot be told")
        elif any(_belongs(found.module, glob, separator) for glob in rule.forbid):
            yield file.source.finding(found.line, f"import of {found.module}: forbidden")
        elif rule.allow is not None and not any(_belongs(found.module, glob, separator) for glob in rule.allow):
            yield file.source.finding(found.line, f"import of {found.module}: not among what is allowed")


def _belongs(module: str, glob: str, separator: str) -> bool:
    return module == glob or module.startswith(f"{glob}{separator}") or fnmatchcase(module, glob)


def constructs(rule: Constructs, material: Material) -> list[Finding]:
    c, rest = _chosen(rule, material)
    found: list[Finding] = []
    if c:
        sought = cconstructs.wanted(rule.forbid, rule.names)
        qualified = [name for name in rule.names if "::" in name and not name.startswith("std::")]
        for file in c:
            found += cconstructs.findings(file, material.names, sought, qualified)
    for source in rest:
        found += others.findings(material.other(source), rule.forbid, rule.names)
    opaque = [f for f in material.sources.chosen(rule.files, rule.exclude) if _OPAQUE.search(f.path)]
    if "asm" in rule.forbid:
        found += [f.finding(None, "a file of assembly") for f in opaque if _ASSEMBLY.search(f.path)]
    elif opaque and not found:
        raise Undecidable(f"{opaque[0].path}: assembly or compiled code, which no rule can see into")
    for source in rest if not found else ():
        reason = others.unfollowed(material.other(source), rule.forbid, rule.names)
        if reason is not None:
            raise Undecidable(reason)
    if not found:
        _fully_seen(material, c, rest, parse_c=bool(set(rule.forbid) & set(cconstructs.SPECIAL)))
    return found


def identifiers(rule: Identifiers, material: Material) -> list[Finding]:
    c, rest = _chosen(rule, material)
    patterns = [re.compile(pattern) for pattern in rule.forbid]
    found: list[Finding] = []
    for source, names in [
        *((f.source, _c_identifiers(f)) for f in c),
        *((s, _identifiers(material.other(s))) for s in rest),
    ]:
        seen: set[tuple[str, int]] = set()
        for name, line in names:
            if (name, line) in seen:
                continue
            seen.add((name, line))
            if rule.ascii and not name.isascii():
                found.append(source.finding(line, f"{name[:60]}: letters that are not ASCII in a name"))
            else:
                looks = unicodedata.normalize("NFKC", name).translate(_ALIKE)
                if any(pattern.search(name) or pattern.search(looks) for pattern in patterns):
                    found.append(source.finding(line, f"{name[:60]}: a forbidden name"))
        if rule.ascii:
            found += _hidden(source)
    if not found:
        _fully_seen(material, (), rest, parse_c=False)
    return found


def _c_identifiers(file: CFile) -> Iterator[tuple[str, int]]:
    for token in [*file.unit.code, *file.code]:
        if token.kind == "name":
            yield token.text, token.line
    for macro in file.unit.macros:
        yield macro.name, macro.body[0].line if macro.body else 1


def _identifiers(file: OtherFile) -> Iterator[tuple[str, int]]:
    for node in file.nodes:
        if node.child_count == 0 and "identifier" in node.type:
            yield text_of(node), node.start_point[0] + 1


def _hidden(source: SourceFile) -> Iterator[Finding]:
    """Characters that show nothing or turn the direction of text ("Trojan source", CVE-2021-42574)."""
    if source.text.isascii():
        return
    for number, line in enumerate(source.lines, 1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        odd = {c for c in text if unicodedata.category(c) == "Cf" or c in "\u115f\u1160\u3164\uffa0"}
        if odd:
            names = ", ".join(f"U+{ord(c):04X}" for c in sorted(odd)[:5])
            yield source.finding(number, f"characters that cannot be seen: {names}")


def patterns(rule: Patterns, material: Material) -> list[Finding]:
    c, rest = _chosen(rule, material)
    expressions = [re.compile(pattern) for pattern in rule.forbid]
    found: list[Finding] = []
    for source, lines in [*((f.source, _c_lines(f)) for f in c), *((s, _code_lines(material.other(s))) for s in rest)]:
        for line, text in sorted(set(lines)):
            hit = next((e for e in expressions if e.search(text[:_LONGEST_LINE])), None)
            if hit is not None:
                found.append(source.finding(line, f"fits {hit.pattern!r}"))
    if not found:
        _fully_seen(material, c, rest, parse_c=False)
    return found


def _c_lines(file: CFile) -> Iterator[tuple[int, str]]:
    """The code line by line without comments and strings, once as it stands and once with macros expanded."""
    macros = [token for macro in file.unit.macros for token in macro.body]
    for tokens in (file.unit.code, file.code, macros):
        by_line: dict[int, list[str]] = {}
        for token in tokens:
            if token.kind != "newline":
                text = '""' if token.kind == "string" else "''" if token.kind == "char" else token.text
                by_line.setdefault(token.line, []).append((" " if token.spaced else "") + text)
        yield from ((line, "".join(parts).strip()) for line, parts in by_line.items())


def _code_lines(file: OtherFile) -> Iterator[tuple[int, str]]:
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


def functions(rule: Functions, material: Material) -> list[Finding]:
    c, rest = _chosen(rule, material)
    found: list[Finding] = []
    measured = [*((f.source, shape.of_c(f)) for f in c), *((s, shape.of_other(material.other(s))) for s in rest)]
    for source, every in measured:
        for one in every:
            for limit, value, what in (
                (rule.max_lines, one.lines, "lines"),
                (rule.max_nesting, one.nesting, "levels of nesting"),
                (rule.max_parameters, one.parameters, "parameters"),
            ):
                if limit is not None and value > limit:
                    found.append(source.finding(one.line, f"{one.name}: {value} {what}, at most {limit}"))
    if not found:
        _fully_seen(material, c, rest, parse_c=True)
    return found


def _fully_seen(material: Material, c: Sequence[CFile], rest: Sequence[SourceFile], *, parse_c: bool) -> None:
    """A rule is kept only where all was seen.

    Raises:
        Undecidable: some code does not parse, or is only made when the submission is built.
    """
    for file in c if parse_c else ():
        if file.view.errors:
            raise Undecidable(f"{file.source.path}: does not parse at line {file.view.errors[0]}")
    for source in rest:
        if errors := material.other(source).errors:
            raise Undecidable(f"{source.path}: does not parse at line {errors[0]}")
    if c and (made := material.c.generated()):
        raise Undecidable(f"{made[0].file}, line {made[0].line}: {made[0].message}, which no rule can see")


CHECKS: dict[type[Any], Check] = {
    Includes: includes,
    Constructs: constructs,
    Identifiers: identifiers,
    Patterns: patterns,
    Functions: functions,
}
