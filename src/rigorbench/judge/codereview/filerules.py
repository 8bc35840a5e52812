"""The rules about files: required, untouched, built ones committed, README, the target of the build."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...base.sanitize import one_line
from .cmake import Command, commands, live, targets
from .material import Material
from .model import Check, Finding, Undecidable
from .sources import SourceFile, Sources, matches
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
# The first bytes of programs, libraries and archives of object code.
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


def files(rule: Files, material: Material) -> list[Finding]:
    paths = material.sources.files
    found = [
        Finding("", None, f"{glob}: no such file")
        for glob in rule.require
        if not any(matches(path, (glob,), rooted=True) for path in paths)
    ]
    found += [file.finding(None, "a forbidden file") for file in _fitting(material.sources, rule.forbid)]
    found += [
        Finding(one_line(path, 300), None, "a forbidden link")
        for path in material.sources.links
        if matches(path, rule.forbid)
    ]
    return found


def _fitting(sources: Sources, globs: tuple[str, ...]) -> list[SourceFile]:
    return sources.chosen(globs) if globs else []


def untouched(rule: Untouched, material: Material) -> list[Finding]:
    folder = material.problem.attachments
    if folder is None:
        raise Undecidable("the package has no attachments to compare with")
    given = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    found: list[Finding] = []
    for glob in rule.files:
        chosen = [path for path in given if matches(path, (glob,), rooted=True)]
        if not chosen:
            raise Undecidable(f"no attachment of the package is called {glob}")
        found += _compared(material.sources, given, chosen)
    return found


def _compared(sources: Sources, given: dict[str, Path], chosen: list[str]) -> Iterator[Finding]:
    for path in chosen:
        mine = sources.files.get(path)
        if mine is None:
            yield Finding(path, None, "is missing")
            continue
        try:
            theirs = given[path].read_bytes()
        except OSError as error:
            raise Undecidable(f"attachment {path}: {error.strerror}") from None
        if mine.size != len(theirs) or mine.data != theirs:
            ours = theirs.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
            line = next((n for n, (a, b) in enumerate(zip(mine.lines, ours, strict=False), 1) if a != b), None)
            yield mine.finding(line, "is not as it was given")


def artefacts(rule: Artefacts, material: Material) -> list[Finding]:
    found: list[Finding] = []
    seen: set[str] = set()
    for path, file in material.sources.files.items():
        if rule.allow and matches(path, rule.allow):
            continue
        folder = next((glob for glob in _BUILT_FOLDERS if matches(path, (glob,), rooted=True)), None)
        if folder is not None:
            # One finding for a folder: it may hold thousands of files.
            top = re.sub(r"(?<=/)?(CMakeFiles|__pycache__|node_modules|\.ipynb_checkpoints)/.*", r"\1", path)
            top = top if top != path else path.split("/")[0]
            if top not in seen:
                seen.add(top)
                found.append(Finding(one_line(top, 300), None, "a folder of built or passing files"))
        elif matches(path, _BUILT_NAMES) or re.search(r"(?:^|/)core\.\d+$", path):
            found.append(file.finding(None, "a file that is built or left by a tool"))
        elif (what := _program(file)) is not None:
            found.append(file.finding(None, what))
    return found


def _program(file: SourceFile) -> str | None:
    if file.size < 4 or file.language is not None:
        return None
    try:
        head = file.data[:8]
    except Undecidable:
        return "too large to be looked at; a repository of sources has no such file"
    return next((what for magic, what in _MAGIC.items() if head.startswith(magic)), None)


def readme(rule: Readme, material: Material) -> list[Finding]:
    found = [file for path, file in material.sources.files.items() if _README.fullmatch(path)]
    if not found:
        return [Finding("", None, "there is no README at the top")]
    # Different words, so that one repeated is no text.
    most = max(len({word.lower() for word in _WORD.findall(file.text)}) for file in found)
    if most < rule.min_words:
        return [found[0].finding(None, f"{most} different words, at least {rule.min_words} are wanted")]
    return []


def cmake_target(rule: CMakeTarget, material: Material) -> list[Finding]:
    sources = material.sources
    if "CMakeLists.txt" not in sources.files:
        return [Finding("CMakeLists.txt", None, "is missing")]
    every = live(commands(sources))
    reached = _reached(every, sources)
    defined = targets([command for command in every if command.file in reached])
    mine = [target for target in defined if target.name == rule.target]
    for target in mine:
        if target.usable and target.kind != "custom":
            return []
    if mine:
        file = sources.files[mine[0].file]
        return [file.finding(mine[0].line, f"{rule.target} is a target that builds nothing")]
    unknown = next((target for target in defined if "${" in target.name or "$<" in target.name), None)
    if unknown is not None:
        raise Undecidable(
            f"{unknown.file}, line {unknown.line}: the name of the target {unknown.name[:60]} is computed"
        )
    names = ", ".join(target.name for target in defined[:5]) or "none"
    return [sources.files["CMakeLists.txt"].finding(None, f"no target {rule.target}; there is: {one_line(names, 200)}")]


def _reached(every: list[Command], sources: Sources) -> set[str]:
    """The CMake files that the topmost one leads to."""
    reached, waiting = {"CMakeLists.txt"}, ["CMakeLists.txt"]
    while waiting:
        path = waiting.pop()
        folder = posixpath.dirname(path)
        for command in every:
            if command.file != path or not command.arguments:
                continue
            word = re.sub(
                r"\$\{(?:CMAKE_CURRENT_)?(?:SOURCE_DIR|LIST_DIR)\}/|\$\{CMAKE_SOURCE_DIR\}/", "", command.arguments[0]
            )
            target = posixpath.normpath(posixpath.join(folder, word))
            if command.name == "add_subdirectory":
                target = posixpath.join(target, "CMakeLists.txt")
            elif command.name != "include":
                continue
            if target in sources.files and target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


CHECKS: dict[type[Any], Check] = {
    Files: files,
    Untouched: untouched,
    Artefacts: artefacts,
    Readme: readme,
    CMakeTarget: cmake_target,
}
