"""Compiles submissions, and the programs of packages, in sandboxes of their own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from ...sandbox.kit.mount import Mount
from ..files import copy_readable, scratch
from ..judgement import Compilation, JudgeError, ProgramUsage, Submission, ToolMissing
from ..problems.problem import Problem
from . import repository, source, table
from .cache import CacheEntry, key
from .image import image
from .program import Built, BuiltProgram, Variant
from .sources import SourceError, guess, listing
from .table import Language, LanguageError, Sanitized
from .toolchains import CompilerToolchain, toolchain
from .unit import BuildCommand, Common, CompilePlace, CompileUnit, Stop, Take, first_error, run_unit

_PLAIN = Sanitized()
_TOOL_TIME, _TOOL_MEMORY = 120.0, 4 << 30
# A script's own shell, and what it starts.
_SCRIPT_PROCESSES = 16
# valgrind checks native programs as they are; it is used where a sanitizer does not work.
_FALLBACK: Variant = "uninitialised"
_MARKS = {"cmake": ("CMakeLists.txt",), "make": ("Makefile", "makefile", "GNUmakefile")}
_REPOSITORIES = tuple(_MARKS)
# What a script may expect to find; one that is missing here shows when the script calls it.
_SCRIPT_PROGRAMS = ("gcc", "g++", "make", "python3")
# Archives lose modes, so the scripts are made executable here.
_SCRIPT_BUILD = (
    'cp -R "$1" "$2" && cd "$2" && chmod +x build run 2>/dev/null; '
    "if [ -f build ]; then ./build; fi && [ -f run ] && chmod +x run"
)
_SCRIPT_RUN = "/code/tool/run"
_SCRIPTS = frozenset({"build", "run"})


def build(
    problem: Problem,
    submission: Submission,
    *,
    variant: Variant = "plain",
    slot: int = 0,
    trust: bool = False,
    stop: Stop | None = None,
) -> Built:
    """Build what a submission's test points run, or take it from the cache.

    A submission that does not compile is not an error: ``compilation.ok`` is False.

    `stop`: ends it, from another thread. Raises: BuildStopped: it was ended. JudgeError: a compiler is missing here, or
    the sandbox failed.
    """
    with scratch("tree") as base:
        try:
            root = with_included(problem, submission, base)
            kind, language = choose(problem, submission.language, root)
            # Files of the package are no programs of their own, unless they are named like one.
            own = frozenset(listing(submission.root) if root != submission.root else ())
            limits = problem.limits
            place = CompilePlace(slot, trust, stop, limits.compile_time, limits.compile_memory)
            return _build(problem, root, kind, language, variant, place, own)
        except SourceError as error:
            return Built(Compilation(False, str(error)), language=submission.language)
        except LanguageError as error:
            raise JudgeError(str(error)) from None


def choose(problem: Problem, named: str, root: Path) -> tuple[str, Language]:
    """The way of building and the language of a submission.

    Raises: SourceError: the problem does not accept the language, or it is not recognised. LanguageError: the table of
    languages is wrong.
    """
    known = table.languages()
    kind = problem.build.kind
    named_by_files = named in ("auto", "header", *_REPOSITORIES)
    names: dict[str, None] = {}
    for name in problem.build.languages:
        if name not in _REPOSITORIES and name not in ("header", "auto"):
            try:
                names[table.find(name, known).id] = None
            except LanguageError as error:
                raise LanguageError(f"problem {problem.id}: build.languages: {error}") from None
    accepted = tuple(names)
    try:
        chosen = None if named_by_files else table.find(named, known)
    except LanguageError as error:
        raise SourceError(str(error)) from None
    if kind == "header":
        suffixes = {os.path.splitext(path.name)[1] for path in problem.build.drivers.values()}
        language = known["c"] if suffixes == {".c"} else known["cpp"]
        other = chosen or language
        if other.id not in (language.id, *accepted):
            raise SourceError(f"this problem requires headers in {language.name}, not in {other.name}")
        return kind, language
    if kind in _REPOSITORIES and named_by_files:
        order = (kind, *(other for other in _REPOSITORIES if other != kind)) if named == "auto" else (named,)
        for way in order:
            if any((root / name).is_file() for name in _MARKS.get(way, ())):
                return way, known["cpp"]
        if named != "auto" or not accepted:
            raise SourceError(f"no {_MARKS[kind][0]} at the root of the submission")
    language = chosen or guess(root, known, accepted, problem.attachments)
    if accepted and language.id not in accepted:
        raise SourceError(f"{language.name} is not accepted by this problem: one of {', '.join(accepted)}")
    if kind in _REPOSITORIES and not accepted and language.id in ("c", "cpp"):
        # Such a problem is about building a repository; single sources are for other languages only.
        raise SourceError(f"this problem requires a repository: no {_MARKS[kind][0]} at the root of the submission")
    return "source", language


def resolved(problem: Problem, submission: Submission) -> str:
    """The name of the submission's language or way of building, by its files; as it was named if nothing fits."""
    try:
        with scratch("tree") as base:
            kind, language = choose(problem, submission.language, with_included(problem, submission, base))
    except (SourceError, LanguageError):
        return submission.language
    return kind if kind in _REPOSITORIES else language.id


def with_included(problem: Problem, submission: Submission, base: Path) -> Path:
    """The submission's files, overlaid with the package's files for every language or for this one.

    Raises: SourceError, LanguageError: as `choose`.
    """
    layers = included(problem, submission)
    if not layers:
        return submission.root
    root = base / "tree"
    for layer in (submission.root, *layers):
        copy_readable(layer, root)
    return root


def included(problem: Problem, submission: Submission) -> list[Path]:
    """The directories of the package's files for every language and for this one. Raises: as `with_included`."""
    place = problem.included
    if place is None:
        return []
    _, language = choose(problem, submission.language, submission.root)
    # The directory is named by the format's code, which may be another name of the language here.
    names = dict.fromkeys(("default", language.id, *language.aliases))
    return [place / name for name in names if (place / name).is_dir()]


def _build(
    problem: Problem,
    root: Path,
    kind: str,
    language: Language,
    variant: Variant,
    place: CompilePlace,
    own: frozenset[str],
) -> Built:
    sanitized = _PLAIN if variant == "plain" else language.variants.get(variant)
    if sanitized is None:
        # The language manages memory, so nothing can be found: the points simply run once more.
        sanitized, variant = _PLAIN, "plain"
    tools = toolchain((*programs_of(kind, language), *sanitized.programs))
    if tools.missing:
        raise ToolMissing(f"{language.name} cannot be judged here: {'; '.join(tools.missing)}")
    common = Common(language, sanitized, tools, problem.build, place, own)
    if kind == "header":
        units = source.header_units(common, root)
    else:
        units = {"": repository.unit(common, root, kind) if kind in _REPOSITORIES else source.unit(common, root)}
    compiled = partial(run_unit, place=place)
    with ThreadPoolExecutor(max_workers=max(1, min(len(units), os.cpu_count() or 1))) as pool:
        results = dict(zip(units, pool.map(compiled, units.values()), strict=True))
    compilation = _summary(results)
    if not compilation.ok and sanitized.reports == "sanitizer" and variant != _FALLBACK:
        plain = _build(problem, root, kind, language, _FALLBACK, place, own)
        if plain.compilation.ok:
            plain.compilation.log = f"checked with valgrind instead of -fsanitize={variant}:\n{compilation.log}"
            return plain
    if not compilation.ok:
        return Built(compilation, language=language.id)
    programs = {
        name: _program(language, sanitized, tools, entry, problem, kind) for name, (entry, _) in results.items()
    }
    return Built(compilation, programs, language.id)


def programs_of(kind: str, language: Language) -> tuple[str, ...]:
    if kind == "cmake":
        return ("cmake", "make", "gcc", "g++")
    if kind == "make":
        return ("make", "gcc", "g++")
    return (*language.programs, "gcc") if kind == "header" else language.programs


def _summary(results: Mapping[str, tuple[CacheEntry, bool]]) -> Compilation:
    """The compilation of all units: total CPU, largest memory, and the messages of the units that failed, if any."""
    entries = [entry for entry, _ in results.values()]
    failed = {name: entry for name, (entry, _) in results.items() if not entry.ok}
    logged = failed or {name: entry for name, (entry, _) in results.items() if entry.log}
    log = "\n".join(f"[{name}] {entry.log}" if name else entry.log for name, entry in logged.items())
    usage = ProgramUsage(
        cpu=sum(entry.usage.cpu or 0.0 for entry in entries),
        wall=max((entry.usage.wall or 0.0 for entry in entries), default=None),
        memory=max((entry.usage.memory or 0 for entry in entries), default=0) or None,
        memory_by=entries[0].usage.memory_by if entries else None,
    )
    digest = None
    if not failed:
        digest = entries[0].digest if len(entries) == 1 else key(entry.digest or "" for entry in entries)
    return Compilation(not failed, log[:20_000], usage, all(cached for _, cached in results.values()), digest)


def _program(
    language: Language,
    sanitized: Sanitized,
    tools: CompilerToolchain,
    entry: CacheEntry,
    problem: Problem | None,
    kind: str = "",
) -> BuiltProgram:
    """How to run what was built; `problem`: whose limits apply (None: a package's own program, which has others)."""
    time, memory, allowed = 1.0, 1.0, 1 << 30
    if problem is not None:
        # The problem's factors for the language or for all others ("*"), else the language table's.
        times, memories = problem.time_multipliers, problem.memory_multipliers
        time = times.get(language.id, times.get("*", language.time)) * sanitized.time
        memory = memories.get(language.id, memories.get("*", language.memory)) * sanitized.memory
        allowed = int(problem.limits.memory * memory)
    # The stack of a program is part of its memory.
    stack = min(language.stack_limit or allowed, allowed)
    words = {
        "out": "/code/main",
        "memory_mb": str(max(1, allowed >> 20)),
        "stack_mb": str(max(1, stack >> 20)),
        "stack_kb": str(max(512, (stack >> 10) * 9 // 10)),
        **entry.facts,
    }
    wrap = [tools.where.get(word, word) for word in sanitized.wrap]
    run = source.fill(language.run, words)
    env = {name: source.fill((value,), words)[0] for name, value in {**language.env, **sanitized.env}.items()}
    argv = (*wrap, tools.where.get(run[0], run[0]), *run[1:])
    files: tuple[Mount, ...] = ()
    mounts = tools.mounts
    if problem is not None:
        interpreted = argv[0] != words["out"]
        files = image(
            argv[0] if interpreted else "", (*language.image, *sanitized.image), mounts if interpreted else ()
        )
        mounts = ()
    return BuiltProgram(
        argv=argv,
        mounts=(*mounts, Mount(entry.code, "/code")),
        image=files,
        env={"PATH": tools.path, **env} if tools.mounts and problem is not None else env,
        language=language.id,
        time=time,
        memory=memory,
        startup_memory=language.startup_memory + sanitized.startup_memory,
        processes=language.processes + sanitized.processes,
        driver=kind == "header",
        reports=sanitized.reports,
        address_space=language.address_space or sanitized.address_space,
        memory_marker=language.memory_marker,
    )


def build_tool(
    source_path: Path, *, include: tuple[Path, ...] = (), main: str | None = None, slot: int = 0, trust: bool = False
) -> BuiltProgram:
    """Build a program of a package, such as its checker.

    `source_path`: a file or a directory. `include`: directories of headers. `main`: the file of a directory that has
    the entry point, if its name does not tell. Raises: JudgeError: it does not compile, or cannot be compiled here.
    """
    place = CompilePlace(slot, trust, None, _TOOL_TIME, _TOOL_MEMORY)
    if not source_path.exists():
        raise JudgeError(f"{source_path}: no such file")
    with scratch("tool") as base:
        root = base / "tool"
        copy_readable(source_path, root / source_path.name if source_path.is_file() else root)
        if _SCRIPTS & set(listing(root)):
            # The format's alternative to sources: the program's own script, run in a copy of its directory.
            found = toolchain(_SCRIPT_PROGRAMS)
            shown = {"/src": root, **{f"/include/{n}": directory for n, directory in enumerate(include)}}
            unit = CompileUnit(
                what="the package's build script",
                tools=found,
                commands=(BuildCommand(("/bin/sh", "-c", _SCRIPT_BUILD, "sh", "/src", "/w/tool"), cwd="/w"),),
                take=(Take(("tool",), "tool", "programs"),),
                shown=shown,
                env={"CPATH": ":".join(place for place in shown if place != "/src")},
                key=("scripts",),
            )
            entry, _ = run_unit(unit, place)
            if not entry.ok:
                raise JudgeError(f"{source_path}: its build script failed: {first_error(entry.log)}")
            return BuiltProgram(
                argv=(_SCRIPT_RUN,),
                mounts=(*found.mounts, Mount(entry.code, "/code")),
                env={"PATH": found.path},
                processes=_SCRIPT_PROCESSES,
                address_space=True,
            )
        try:
            language = guess(root, table.languages())
            tools = toolchain(language.programs)
            if tools.missing:
                raise JudgeError(f"{source_path}: {'; '.join(tools.missing)}")
            own = frozenset({main} if main is not None else ())
            common = Common(language, _PLAIN, tools, None, place, own)
            entry, _ = run_unit(source.unit(common, root, include=include), place)
        except SourceError as error:
            raise JudgeError(f"{source_path}: {error}") from None
        except LanguageError as error:
            raise JudgeError(str(error)) from None
    if not entry.ok:
        raise JudgeError(f"{source_path} does not compile: {first_error(entry.log)}")
    return _program(language, _PLAIN, tools, entry, None)
