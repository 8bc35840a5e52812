"""The rules about files: required and forbidden files, untouched files, build artefacts, README, the build target."""

from __future__ import annotations

import re
from typing import Any

from ...base.sanitize import one_line
from .compiled import ReviewContext
from .result import Check, Undecidable, Violation
from .sources import matches
from .spec import Artefacts, CMakeTarget, Files, Readme, Untouched

_BUILT_NAMES = (
    *("*.o", "*.obj", "*.a", "*.lib", "*.so", "*.so.*", "*.dll", "*.dylib", "*.exe", "*.out", "*.gch", "*.pch"),
    *("*.class", "*.pyc", "*.pyo", "*.rlib", "*.rmeta", "*.gcda", "*.gcno", "*.d.tmp", "CMakeCache.txt"),
    *("*.swp", "*.swo", "*~", ".DS_Store", "Thumbs.db", "core.[0-9]*"),
)
_BUILT_FOLDERS = (
    *("build/**", "**/CMakeFiles/**", "cmake-build-*/**", "**/__pycache__/**", "**/node_modules/**", "_build/**"),
    *(".pytest_cache/**", ".mypy_cache/**", "**/.ipynb_checkpoints/**", "target/debug/**", "target/release/**"),
)
# The first bytes of programs, libraries and object archives.
_MAGIC = {
    b"\x7fELF": "an ELF program or library",
    b"MZ": "a Windows program",
    b"\xfe\xed\xfa": "a Mach-O program",
    b"\xcf\xfa\xed\xfe": "a Mach-O program",
    b"\xca\xfe\xba\xbe": "compiled Java",
    b"!<arch>\n": "an archive of object code",
    b"\0asm": "compiled WebAssembly",
}
_WORD = re.compile(r"[^\W\d_]{2,}")
_README = re.compile(r"readme(?:\.(?:md|markdown|rst|txt|adoc|org))?", re.IGNORECASE)


def files(rule: Files, context: ReviewContext) -> list[Violation]:
    paths = context.sources.files
    found = [
        Violation("", None, f"{glob}: no such file")
        for glob in rule.require
        if not any(matches(path, (glob,), rooted=True) for path in paths)
    ]
    forbidden = context.sources.matching(rule.forbid) if rule.forbid else []
    found += [file.finding(None, "a forbidden file") for file in forbidden]
    found += [
        Violation(one_line(path, 300), None, "a forbidden link")
        for path in context.sources.links
        if matches(path, rule.forbid)
    ]
    return found


def untouched(rule: Untouched, context: ReviewContext) -> list[Violation]:
    folder = context.problem.attachments
    if folder is None:
        raise Undecidable("the package has no attachments to compare with")
    attachments = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    found: list[Violation] = []
    for glob in rule.files:
        matching = [path for path in attachments if matches(path, (glob,), rooted=True)]
        if not matching:
            raise Undecidable(f"no attachment of the package matches {glob}")
        for path in matching:
            submitted = context.sources.files.get(path)
            if submitted is None:
                found.append(Violation(path, None, "the file is missing"))
                continue
            try:
                original = attachments[path].read_bytes()
            except OSError as error:
                raise Undecidable(f"attachment {path}: {error.strerror}") from None
            if submitted.size != len(original) or submitted.data != original:
                lines = original.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
                pairs = enumerate(zip(submitted.lines, lines, strict=False), 1)
                line = next((n for n, (a, b) in pairs if a != b), None)
                found.append(submitted.finding(line, "the file differs from the original"))
    return found


def artefacts(rule: Artefacts, context: ReviewContext) -> list[Violation]:
    found: list[Violation] = []
    seen: set[str] = set()
    for path, file in context.sources.files.items():
        if rule.allow and matches(path, rule.allow):
            continue
        folder = next((glob for glob in _BUILT_FOLDERS if matches(path, (glob,), rooted=True)), None)
        if folder is not None:
            # One finding for a folder, which may contain thousands of files.
            top = re.sub(r"(?<=/)?(CMakeFiles|__pycache__|node_modules|\.ipynb_checkpoints)/.*", r"\1", path)
            top = top if top != path else path.split("/")[0]
            if top not in seen:
                seen.add(top)
                found.append(Violation(one_line(top, 300), None, "a folder of generated or temporary files"))
        elif matches(path, _BUILT_NAMES) or re.search(r"(?:^|/)core\.\d+$", path):
            found.append(file.finding(None, "a generated file or a leftover of a tool"))
        elif file.size >= 4 and file.language is None:
            try:
                kind = next((kind for magic, kind in _MAGIC.items() if file.data.startswith(magic)), None)
            except Undecidable:
                kind = "too large to be read; a source repository has no such file"
            if kind is not None:
                found.append(file.finding(None, kind))
    return found


def readme(rule: Readme, context: ReviewContext) -> list[Violation]:
    found = [file for path, file in context.sources.files.items() if _README.fullmatch(path)]
    if not found:
        return [Violation("", None, "there is no README in the top directory")]
    # Different words are counted, so that one repeated word is not a text.
    word_count = max(len({word.lower() for word in _WORD.findall(file.text)}) for file in found)
    if word_count < rule.min_words:
        return [found[0].finding(None, f"{word_count} different words; at least {rule.min_words} are required")]
    return []


def cmake_target(rule: CMakeTarget, context: ReviewContext) -> list[Violation]:
    if context.is_for_others(("**/*.c", "**/*.cpp")):
        return []
    top = context.sources.files.get("CMakeLists.txt")
    if top is None:
        return [Violation("CMakeLists.txt", None, "the file is missing")]
    _, targets = context.reading
    if rule.target in targets:
        return []
    names = one_line(", ".join(targets[:5]), 200) or "none"
    return [top.finding(None, f"no target {rule.target} that makes a file; those that do are: {names}")]


CHECKS: dict[type[Any], Check] = {
    Files: files,
    Untouched: untouched,
    Artefacts: artefacts,
    Readme: readme,
    CMakeTarget: cmake_target,
}
