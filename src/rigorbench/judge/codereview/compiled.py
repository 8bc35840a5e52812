"""The C and C++ code of a submission as its build compiles it: translation units, and what the rules ask of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ...base.decoding import decoder
from ...base.extras import install
from ...base.sanitize import one_line
from ...sandbox.kit.mount import Mount
from ..build import repository, table
from ..build import unit as building
from ..build.compile import choose, included, programs_of, with_included
from ..build.image import build_root
from ..build.source import fill, include_options
from ..build.sources import SourceError, entry_point, of_language
from ..build.table import Language, LanguageError, Sanitized
from ..build.toolchains import toolchain
from ..files import read_regular, scratch
from ..judgement import JudgeError, Submission
from ..problems.problem import Problem
from .languages import LanguageFile
from .result import Undecidable, Violation
from .sources import MAX_FILE_BYTES, SourceFile, SubmissionSources, is_selected

_REPOSITORIES = ("cmake", "make")
# CPU seconds for reading the units, and for each that is read beside the build's own; bytes that libclang needs.
_SPARE, _EACH = 120.0, 5.0
_MEMORY = 2 << 30
# Bytes of what is read of one unit.
_LARGEST = 64 << 20
_HEADER = re.compile(r"\.(?:h|hh|hp|hpp|hxx|h\+\+|ipp|inl|inc|tcc|tpp|txx|cuh)$", re.IGNORECASE)
# Files that a compiler only gets when another includes them.
_FRAGMENT = re.compile(r"\.(?:ipp|inl|inc|tcc|tpp|txx|cu|cuh|i|ii|in|tmpl|template)$", re.IGNORECASE)
# What the sandbox shows beside the system and the submission; a build can write anywhere else, such as to /tmp.
_PROBLEM = ("/include/", "/driver/", "/rigor/")
_SYSTEM = ("/usr/", "/lib", "/opt/", "/etc/")
# Files that are imported by the name of their directory.
_FOLDERS = frozenset({"__init__", "__main__", "index", "mod"})
_QUERY = "mkdir -p /w/build/.cmake/api/v1/query && : > /w/build/.cmake/api/v1/query/codemodel-v2"


class CodeFact(Struct, frozen=True, array_like=True):
    """One fact about a place in the code."""

    kind: str
    """"type", "own" (a type of the submission), "value", "function", "method", "object", "symbol", "statement",
    "allocation", "release", "variable", "using", "catch", "size", "defines" (a function), "declares" (any name)."""
    name: str
    """A qualified name, a symbol, or the kind of statement."""
    file: str
    line: int
    detail: str = ""
    numbers: tuple[int, ...] = ()
    """The figures of a function: its last line, nesting and parameters."""


class Include(Struct, frozen=True, array_like=True):
    """One include: the header as written after macros, and the file that is read ("": there is none)."""

    file: str
    line: int
    name: str
    entered: str


class TranslationUnit(Struct):
    """One translation unit as ``unit_reader.py`` writes it, without the system's files; paths are those of the cell."""

    file: str
    files: list[str] = field(default_factory=list)
    includes: list[Include] = field(default_factory=list)
    facts: list[CodeFact] = field(default_factory=list)
    lines: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """(number, text) of the code of each file, without comments and strings."""
    errors: list[tuple[str, int, str]] = field(default_factory=list)
    """(file, line, message) of what libclang did not understand."""
    failed: str = ""


class CodePlace(Struct, frozen=True):
    """A place in the submission's own code, or in a file that its build made (a path in the build directory)."""

    path: str
    line: int
    generated: bool = False


def is_system(file: str) -> bool:
    """Whether a file of the cell is the system's: neither the submission's nor the problem's."""
    return file.startswith(_SYSTEM)


def read_units(
    problem: Problem, submission: Submission, extra: Mapping[str, str]
) -> tuple[list[TranslationUnit], list[str]]:
    """The units of a submission, built in a cell as the judge does, and the targets of its build that make a file.

    `extra`: Files to read as units of their own if no other unit has them: path -> language ("c" or "cpp"). Raises:
    Undecidable: it does not build, or cannot be built here.
    """
    with scratch("review") as base:
        root = submission.root
        try:
            root = with_included(problem, submission, base)
            kind, language = choose(problem, submission.language, root)
        except SourceError:
            # Not what the judge would build; its files can be read all the same.
            kind, language = "source", table.languages()["cpp"]
        except LanguageError as error:
            raise Undecidable(str(error)) from None
        if language.id not in ("c", "cpp"):
            kind, language = "source", table.languages()["cpp"]
        tools = toolchain((*programs_of(kind, language), "gcc", "g++", "python3"))
        if tools.missing:
            raise Undecidable(f"C and C++ cannot be reviewed here: {'; '.join(tools.missing)}")
        limits = problem.limits
        seconds = limits.compile_time + _SPARE + _EACH * len(extra)
        place = building.CompilePlace(time=seconds, memory=max(limits.compile_memory, _MEMORY))
        common = building.Common(language, Sanitized(), tools, problem.build, place)
        try:
            entry, _ = building.run_unit(_unit(common, root, kind, extra), place)
        except JudgeError as error:
            raise Undecidable(f"the code cannot be compiled here: {error}") from None
        if not entry.ok:
            raise Undecidable(f"the submission does not compile: {' '.join(entry.log.split())[:200]}")
        folder = Path(entry.code) / "units"
        files = sorted((path for path in folder.glob("[0-9]*.json")), key=lambda path: int(path.stem))
        if any(path.stat().st_size > _LARGEST for path in files):
            raise Undecidable(f"what libclang reads of a unit is more than {_LARGEST >> 20} MiB")
        try:
            units = [decoder(TranslationUnit).decode(path.read_bytes()) for path in files]
            targets = decoder(list[str]).decode((folder / "targets.json").read_bytes())
        except (msgspec.DecodeError, OSError) as error:
            raise Undecidable(f"the build damaged what was read of it ({one_line(str(error), 100)})") from None
        return units, targets


def _unit(common: building.Common, root: Path, kind: str, extra: Mapping[str, str]) -> building.CompileUnit:
    """The submission's own build where it has one, and after it the reader of units."""
    cwd = "/w/src" if kind in _REPOSITORIES else "/src"
    options: tuple[str, ...] = ("-I.",)
    shown: dict[str, Path] = {"/src": root}
    drivers: list[str] = []
    build = common.build
    assert build is not None
    if kind == "header":
        options, more = include_options(common)
        drivers = [f"/driver/{name}/{path.name}" for name, path in build.drivers.items()]
        shown |= {**more, **dict(zip(drivers, build.drivers.values(), strict=True))}
    elif build.include is not None:
        shown["/include/0"] = build.include
        options = (*options, "-I", "/include/0")
    # Headers last.
    last = sorted(extra.items(), key=lambda file: (_HEADER.search(file[0]) is not None, file[0]))
    files = [*((path, common.language.id) for path in drivers), *last]
    words: dict[str, str | tuple[str, ...]] = {
        **dict.fromkeys(("flags", "pch", "runtime", "sources"), ()),
        "standard": common.standard,
        "include": options,
        "out": "/dev/null",
    }
    units = []
    for path, language in files:
        arguments = fill(table.languages()[language].compile, words)
        as_cpp = ("-xc++",) if language != "c" and _HEADER.search(path) else ()
        units.append({"directory": cwd, "file": path, "arguments": [*arguments, *as_cpp]})
    if kind in _REPOSITORIES:
        unit = repository.unit(common, root, kind)
    else:
        unit = building.CompileUnit("the submission", common.tools, ())
    reader = Path(str(resources.files(__package__).joinpath("unit_reader.py")))
    task = json.dumps({"build": "/w/build" if kind == "cmake" else None, "units": units})
    read = (common.tools.where["python3"], "-I", "/rigor/unit_reader.py", task, "/w/units")
    query = [building.BuildCommand(("/bin/sh", "-c", _QUERY), cwd="/w")] if kind == "cmake" else []
    spec = find_spec("clang")
    folder = Path(spec.submodule_search_locations[0]) if spec is not None and spec.submodule_search_locations else None
    library = folder / "native/libclang.so" if folder is not None else None
    if folder is None or library is None or not library.is_file():
        raise Undecidable(f"C and C++ are reviewed with libclang, which is not installed; {install('judge')}")
    return replace(
        unit, commands=(*query, *unit.commands, building.BuildCommand(read, cwd="/w")),
        take=(*unit.take, building.Take(("units",), "units", "tree")),
        shown={**shown, **unit.shown, "/rigor/unit_reader.py": reader},
        extra=lambda: (Mount(str(folder), "/rigor/python/clang"),),
        root=partial(build_root, common.tools.where["python3"]) if unit.root is not None else None,
        env={**unit.env, "CMAKE_EXPORT_COMPILE_COMMANDS": "ON"}, after=None, address_space=True,
        key=(*unit.key, "reviewed", str(library.stat().st_size)),
    )  # fmt: skip


class ReviewContext:
    """One submission under review.

    `base`: The commit that the author started from, if known; this commit and earlier ones are not the author's.
    `named`: The globs of files that rules about code name.
    """

    def __init__(
        self, problem: Problem, submission: Submission, base: str | None = None, named: Sequence[tuple[str, ...]] = ()
    ) -> None:
        self.problem, self.submission, self.base, self._named = problem, submission, base, named
        self._language_files: dict[str, LanguageFile] = {}

    @cached_property
    def sources(self) -> SubmissionSources:
        return SubmissionSources(self.submission.root)

    def language_file(self, file: SourceFile) -> LanguageFile:
        if file.path not in self._language_files:
            self._language_files[file.path] = LanguageFile(file, self.sources)
        return self._language_files[file.path]

    @property
    def has_c_code(self) -> bool:
        """Whether there is anything for a C or C++ compiler."""
        if any(file.is_c_family for file in self.sources.files.values()):
            return True
        build = {"cmake": "CMakeLists.txt", "make": "Makefile"}.get(self.problem.build.kind)
        return build is not None and build in self.sources.files

    @cached_property
    def _way(self) -> tuple[str, Language | None]:
        """How the judge builds the submission, and its language; None: it does not build it."""
        try:
            return choose(self.problem, self.submission.language, self.submission.root)
        except (SourceError, LanguageError):
            return self.problem.build.kind, None

    @property
    def is_c_program(self) -> bool:
        """Whether the judge builds the submission with a C or C++ compiler."""
        _, language = self._way
        return self.has_c_code if language is None else language.id in ("c", "cpp")

    def is_for_others(self, files: Sequence[str]) -> bool:
        """Whether globs name files of other languages only, and there are none."""
        language = self._way[1]
        if language is None or self.is_c_program or not files or self.sources.matching(files):
            return False
        suffixes = {Path(glob).suffix for glob in files}
        return "" not in suffixes and suffixes.isdisjoint(language.extensions)

    @cached_property
    def given(self) -> frozenset[str]:
        """Files that are as the package gave them, or that it puts in their place."""
        top, files = self.problem.attachments, self.sources.files
        same = (p for p in files if top is not None and read_regular(top / p, MAX_FILE_BYTES + 1) == files[p].data)
        return self._included.union(same)

    @cached_property
    def _included(self) -> frozenset[str]:
        try:
            layers = included(self.problem, self.submission)
        except (SourceError, LanguageError):
            return frozenset()
        return frozenset(p.relative_to(top).as_posix() for top in layers for p in top.rglob("*"))

    @cached_property
    def program(self) -> frozenset[str]:
        """The files of a program that is not C or C++: all that its entry point may import, directly or not.

        Where that cannot be told, and in languages whose compiler gets all sources, it is every file.
        """
        files = {p: f for p, f in self.sources.files.items() if f.language not in (None, "c", "cpp")}
        language = self._way[1]
        if language is None or language.id not in ("python", "javascript", "rust"):
            return frozenset(files)
        try:
            pending = [entry_point(self.sources.root, of_language(self.sources.root, language), language)]
        except SourceError:
            return frozenset(files)
        found = set(pending)
        if not found <= files.keys():
            return frozenset(files)
        while pending:
            words = self.language_file(files[pending.pop()]).modules
            if words is None:
                return frozenset(files)
            for other in files.keys() - found:
                path = Path(other)
                name = path.parent.name if path.stem in _FOLDERS else path.stem
                if words.issuperset(re.split(r"\W+", name)):
                    found.add(other)
                    pending.append(other)
        return frozenset(found)

    @property
    def reading(self) -> tuple[list[TranslationUnit], list[str]]:
        """The units of the program, and of files that a rule names; and the targets of the build.

        Raises: Undecidable: the submission cannot be compiled.
        """
        # A failed build is expensive; it must not be repeated for every rule.
        if isinstance(self._reading, Undecidable):
            raise self._reading
        return self._reading

    @cached_property
    def _reading(self) -> tuple[list[TranslationUnit], list[str]] | Undecidable:
        # All sources are read on their own unless CMake tells the units, and what rules name.
        alone = self._way[0] == "make" or self.problem.build.kind not in ("cmake", "make", "header")
        extra = {}
        for path, file in self.sources.files.items():
            named = any(is_selected(path, globs, ()) for globs in self._named if globs)
            if file.is_c_family and not _FRAGMENT.search(path) and (named or (alone and not _HEADER.search(path))):
                extra[path] = file.language or "cpp"
        try:
            return read_units(self.problem, self.submission, extra)
        except Undecidable as error:
            return error

    @cached_property
    def defined(self) -> frozenset[str]:
        """The symbols of the functions that the submission defines."""
        return frozenset(f.name for unit in self.reading[0] for f in unit.facts if f.kind == "defines")

    def place(self, file: str, line: int) -> CodePlace | None:
        """The place of a line of a file in the cell; None: it is not the submission's."""
        if is_system(file) or file.startswith(_PROBLEM) or not file:
            return None
        for prefix in ("/w/src/", "/src/"):
            path = file.removeprefix(prefix)
            if path != file and path in self._included:
                return None
            if path != file and path in self.sources.files:
                return CodePlace(path, line)
        return CodePlace(file.removeprefix("/w/").removeprefix("src/"), line, True)

    def finding(self, place: CodePlace, message: str) -> Violation:
        file = self.sources.files.get(place.path) if not place.generated else None
        if file is not None:
            return file.finding(place.line, message)
        return Violation(one_line(place.path, 300), place.line, f"{message} (in a file that the build makes)")


class CodeSelection:
    """The part of the code that a rule is about: its files, and what they include."""

    def __init__(self, project: ReviewContext, files: Sequence[str], exclude: Sequence[str]) -> None:
        self.project = project
        self.units: list[TranslationUnit] = []
        self._paths: set[str] = set()
        for unit in project.reading[0]:
            places = [place for file in unit.files if (place := project.place(file, 1)) is not None]
            chosen = {place.path for place in places if is_selected(place.path, files, exclude)}
            pending = set(chosen) if files else set[str]()
            included: dict[str, set[str]] = {}
            for include in unit.includes if pending else ():
                place, inner = project.place(include.file, include.line), project.place(include.entered, 1)
                if place is not None and inner is not None:
                    included.setdefault(place.path, set()).add(inner.path)
            while pending:
                new = included.get(pending.pop(), set()) - chosen
                pending |= new
                chosen |= new
            chosen -= project.given
            if chosen or any(place.generated for place in places):
                self.units.append(unit)
                self._paths |= chosen

    @property
    def sources(self) -> list[SourceFile]:
        """The files of the submission in it."""
        files = self.project.sources.files
        return [files[path] for path in sorted(self._paths) if path in files]

    def place(self, file: str, line: int) -> CodePlace | None:
        """A place that the rule is about; what the build makes always counts."""
        place = self.project.place(file, line)
        return place if place is not None and (place.generated or place.path in self._paths) else None

    def facts(self, *kinds: str) -> Iterator[tuple[CodeFact, CodePlace]]:
        for unit in self.units:
            for fact in unit.facts:
                if fact.kind in kinds and (place := self.place(fact.file, fact.line)) is not None:
                    yield fact, place

    def includes(self) -> Iterator[tuple[TranslationUnit, Include, CodePlace]]:
        """The includes of headers that are neither the submission's nor the problem's."""
        for unit in self.units:
            for include in unit.includes:
                place = self.place(include.file, include.line)
                if place is not None and (not include.entered or is_system(include.entered)):
                    yield unit, include, place

    def lines(self, path: str) -> list[tuple[int, str]]:
        """The code of a file by line, without comments and strings, and without what no unit has."""
        found = {
            line for unit in self.units for file, lines in unit.lines.items() for line in lines
            if (place := self.project.place(file, 1)) is not None and place.path == path
        }  # fmt: skip
        return sorted(found)

    def check_decided(self) -> None:
        """Check that nothing was hidden from a rule without findings; only then is the rule kept.

        Raises: Undecidable: libclang did not read or understand a unit.
        """
        for unit in self.units:
            place = self.project.place(unit.file, 1)
            name = place.path if place is not None else unit.file
            if unit.failed:
                raise Undecidable(f"{name}: {unit.failed}")
            for file, line, message in unit.errors:
                place = self.project.place(file, line)
                where = f"{place.path}, line {place.line}" if place is not None else name
                raise Undecidable(f"{where}: does not compile: {one_line(message, 160)}")
