"""One program from the sources of one language, with the commands of the table of languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from ...sandbox.kit.mount import Mount
from ..files import copy_readable
from . import instrument, pch
from .sources import entry_point, includes, main_class, of_language
from .unit import BuildCommand, Common, CompileUnit, Take

_WORD = re.compile(r"\{(\w+)\}")
Words = Mapping[str, "str | tuple[str, ...]"]


def fill(command: tuple[str, ...], words: Words) -> tuple[str, ...]:
    """A command with its words in braces filled in; a word with several values becomes several words."""
    out: list[str] = []
    texts = {name: text for name, text in words.items() if isinstance(text, str)}
    for word in command:
        whole = _WORD.fullmatch(word)
        value = words.get(whole[1]) if whole else None
        if isinstance(value, tuple):
            out += value
            continue
        out.append(_WORD.sub(lambda match: texts.get(match[1], match[0]), word))
    return tuple(out)


def unit(common: Common, root: Path, *, include: tuple[Path, ...] = ()) -> CompileUnit:
    """The compile of a directory's sources. Raises: SourceError: there are none, or no entry point."""
    language = common.language
    sources = of_language(root, language)
    needs_main = any("{main" in word for word in (*language.compile, *language.run))
    main = entry_point(root, sources, language, common.own) if needs_main else sources[0]
    facts = {"main": main, "main_class": main_class(root, main)}
    shown = {"/src": root}
    directories = list(include)
    if common.build is not None and common.build.include is not None:
        directories.append(common.build.include)
    for n, directory in enumerate(directories):
        shown[f"/include/{n}"] = directory
    flags = ("-I.", *(word for n in range(len(directories)) for word in ("-I", f"/include/{n}")))
    if language.artefact == "sources":
        # The sources are run: the compile only checks whether they can be parsed.
        words: Words = {"sources": tuple(_dashed(path) for path in sources), "main": _dashed(main)}

        def copied(code: Path) -> dict[str, str]:
            copy_readable(root, code)
            return facts

        return CompileUnit(
            what=language.name,
            tools=common.tools,
            commands=(_command(common, fill(language.compile, words)),) if language.compile else (),
            shown=shown,
            key=("sources",),
            address_space=language.address_space,
            after=copied,
            env=language.compile_env,
        )
    return native(common, shown, tuple(_dashed(path) for path in sources), flags, facts, main_root=root, names=sources)


def native(
    common: Common, shown: dict[str, Path], sources: tuple[str, ...], flags: tuple[str, ...], facts: dict[str, str],
    *, main_root: Path, names: list[str], runtime: tuple[str, ...] = (),
    prefix: str = "",
) -> CompileUnit:  # fmt: skip
    """A compile that produces a program or classes in ``/w``."""
    language, sanitized = common.language, common.sanitized
    words: dict[str, str | tuple[str, ...]] = {
        "standard": common.standard,
        "flags": sanitized.flags,
        "include": flags,
        "sources": sources,
        "runtime": runtime,
        "pch": (),
        "out": "/w/classes" if language.artefact == "classes" else "/w/main",
        **{name: value for name, value in facts.items() if name != "main"},
        "main": _dashed(facts["main"]) if "main" in facts else "",
    }
    command = language.compile
    project = language.project
    if project is not None and (main_root / project.file).is_file():
        command = project.compile
    extra: Callable[[], tuple[Mount, ...]] | None = None
    if sanitized.reports == "sanitizer":
        runtime_shown, objects = instrument.runtime(common, instrument.CHECKS)
        shown.update(runtime_shown)
        words["runtime"] = (*runtime, *objects)
    if prefix:
        # With the include directories, because one of the includes is the judge's header.
        extra = partial(pch.prefix, common, (*fill(_header_flags(command), words), *flags), prefix, shown)
        words["include"] = ("-include", pch.PREFIX, *flags)
    elif language.pch and "{pch}" in command and includes(main_root, names, language.pch):
        extra = partial(pch.precompiled, common, fill(_header_flags(command), words))
        words["pch"] = ("-isystem", pch.TARGET)
    classes = language.artefact == "classes"

    def after(code: Path) -> dict[str, str]:
        instrument.checkable(code / "main", sanitized.reports)
        return facts

    return CompileUnit(
        what=language.name,
        tools=common.tools,
        commands=(_command(common, fill(command, words)),),
        take=(Take(("classes",), "classes", "tree") if classes else Take(("main",), "main"),),
        shown=shown,
        extra=extra,
        address_space=language.address_space,
        env=language.compile_env,
        after=after,
    )


def _command(common: Common, words: tuple[str, ...]) -> BuildCommand:
    return BuildCommand((common.tools.where.get(words[0], words[0]), *words[1:]))


def _header_flags(command: tuple[str, ...]) -> tuple[str, ...]:
    """The options of a compile that a precompiled header needs as well."""
    return tuple(
        word for word in command if word.startswith(("-", "{flags}")) and word != "-o" and not word.startswith("-l")
    )


def _dashed(path: str) -> str:
    """The path such that a name that begins with a dash is not taken for an option."""
    return f"./{path}" if path.startswith(("-", "@")) else path
