"""One program from the sources of one language, or of each driver of a header problem, by the table of languages.

Parsing <bits/stdc++.h> takes most of the time of a short program's compile, so it is precompiled once for each compiler
and set of flags. The compiler uses it only where that changes nothing, and otherwise reads the plain header beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec import structs

from ...sandbox.kit.mount import Mount
from ..files import copy_readable, scratch
from ..judgement import JudgeError
from . import instrument
from .cache import CacheEntry
from .sources import SourceError, entry_point, includes, main_class, of_language
from .unit import BuildCommand, Common, CompileUnit, Take, run_unit

TARGET = "/pch"
PREFIX = "/prefix/all.hpp"
_TIME, _MEMORY = 120.0, 4 << 30


def precompiled(common: Common, flags: tuple[str, ...]) -> tuple[Mount, ...]:
    """What is mounted at `TARGET`; nothing if the header cannot be precompiled (compiles then work without)."""
    name = common.language.pch
    # The compiler opens the header behind the precompiled one where a program includes it again by another header.
    entry = _header(common, flags, name, f"#include <{name}>\n", f"#include_next <{name}>\n", {})
    return (Mount(entry.code, TARGET),) if entry.ok else ()


def precompiled_prefix(
    common: Common, flags: tuple[str, ...], text: str, shown: Mapping[str, Path]
) -> tuple[Mount, ...]:
    """The first includes of a driver, precompiled: what is mounted to provide `PREFIX`.

    Raises: JudgeError: they do not compile, which is a fault of the package.
    """
    place, _, name = PREFIX.rpartition("/")
    ours = {target: path for target, path in shown.items() if target.startswith("/rigor/")}
    entry = _header(common, flags, name, text, text, ours)
    if not entry.ok:
        raise JudgeError(f"what a driver of the problem includes does not compile: {entry.log[:300]}")
    return (Mount(entry.code, place),)


def _header(
    common: Common, flags: tuple[str, ...], name: str, text: str, plain: str, shown: Mapping[str, Path]
) -> CacheEntry:
    compiler = common.tools.where[common.language.programs[0]]
    kind = "c-header" if common.language.id == "c" else "c++-header"
    with scratch("header") as base:
        sources = {"/src/all.hpp": base / "all.hpp", "/src/plain.hpp": base / "plain.hpp"}
        for path, content in zip(sources.values(), (text, plain), strict=True):
            path.write_text(content, encoding="utf-8")
        unit = CompileUnit(
            what="a precompiled header",
            tools=common.tools,
            commands=(
                BuildCommand((compiler, *flags, "-x", kind, "/src/all.hpp", "-o", "/w/all.gch")),
                BuildCommand(("/bin/cp", "/src/plain.hpp", "/w/plain.hpp")),
            ),
            take=(Take(("all.gch",), f"{name}.gch", "file"), Take(("plain.hpp",), name, "file")),
            shown={**shown, **sources},
            awaited=True,
            verified=False,  # a hundred megabytes, which the compiler checks itself
        )
        return run_unit(unit, structs.replace(common.place, time=_TIME, memory=_MEMORY))[0]


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
        extra = partial(precompiled_prefix, common, (*fill(_header_flags(command), words), *flags), prefix, shown)
        words["include"] = ("-include", PREFIX, *flags)
    elif language.pch and "{pch}" in command and includes(main_root, names, language.pch):
        extra = partial(precompiled, common, fill(_header_flags(command), words))
        words["pch"] = ("-isystem", TARGET)
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


_INCLUDE = re.compile(r'#\s*include\s*(?:<[\w./+-]+>|"rigor_driver\.hpp")\s*(?://[^\\]*)?')


def header_units(common: Common, root: Path) -> dict[str, CompileUnit]:
    """One unit for each driver.

    Raises: SourceError: a required header is missing. JudgeError: the package itself has a header of that name.
    """
    build = common.build
    assert build is not None
    for name in build.headers:
        if not (root / name).is_file():
            raise SourceError(f"{name} is missing: the problem requires {', '.join(build.headers)}")
    flags, shown = include_options(common)
    shown["/src"] = root
    objects, words = instrument.runtime(common, instrument.RESULTS)
    shown.update(objects)
    made: dict[str, CompileUnit] = {}
    for name, path in build.drivers.items():
        inside = f"/driver/{path.name}"
        made[name] = native(
            common,
            {**shown, inside: path},
            (inside,),
            flags,
            {},
            main_root=path.parent,
            names=[path.name],
            runtime=words,
            prefix=driver_prefix(path.read_text(encoding="utf-8", errors="replace")),
        )
    return made


def include_options(common: Common) -> tuple[tuple[str, ...], dict[str, Path]]:
    """The options that say where drivers find headers, and what must be shown for them: path in the cell -> path here.

    Raises: JudgeError: the package itself has a header that a submission must bring.
    """
    build = common.build
    assert build is not None
    shown: dict[str, Path] = {"/rigor/include": instrument.RESOURCES / "include"}
    # The judge's and the package's directories come first, and the submission's is for includes in quotes only: it must
    # not replace rigor_driver.hpp, what the drivers share, or a header of the standard library.
    flags = ["-iquote", "/rigor/include"]
    if build.include is not None:
        for name in build.headers:
            if (build.include / name).exists():
                raise JudgeError(f"{build.include / name} would hide the submission's own: remove it from the package")
        shown["/include/0"] = build.include
        flags += ["-iquote", "/include/0", "-I", "/include/0"]
    flags += ["-iquote", "."]
    return tuple(flags), shown


def driver_prefix(text: str) -> str:
    """The first lines of a driver that only include system headers and the judge's header.

    They are the same for every submission, and compiling them takes most of the time of a driver.
    """
    taken: list[str] = []
    comment = False
    for line in text.splitlines():
        bare = line.strip()
        if comment or bare.startswith("/*"):
            comment = "*/" not in bare
            if not comment and not bare.endswith("*/"):
                break
            continue
        if not bare or bare.startswith("//"):
            if bare.endswith("\\"):
                break
            continue
        if not _INCLUDE.fullmatch(bare):
            break
        taken.append(bare.partition("//")[0].rstrip() + "\n")
    return "".join(taken)
