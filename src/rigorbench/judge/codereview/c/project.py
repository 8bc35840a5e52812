"""The C and C++ code of a submission as the compiler has it: translation units, and what the rules ask of them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from ....base.extras import install
from ....base.processes import Died, in_processes
from ....base.sanitize import one_line
from ....problems.model import Problem
from ...build.compile import choose
from ...build.sources import SourceError
from ...build.table import LanguageError
from ...model import Submission
from ..model import Finding, Undecidable
from ..sources import SourceFile, Sources, is_selected
from .assembly import Reference
from .facts import Fact, Facts, Task
from .preprocessed import ForgedMarkersError, Include, Preprocessed, asks_outside, may_write_markers, owner
from .recording import RecordedUnit, Recording, record
from .syntax import read_syntax

_HEADER = re.compile(r"\.(?:h|hh|hp|hpp|hxx|h\+\+|ipp|inl|inc|tcc|tpp|txx|cuh)$", re.IGNORECASE)
# Files that a compiler only gets when another includes them.
_FRAGMENT = re.compile(r"\.(?:ipp|inl|inc|tcc|tpp|txx|cu|cuh|i|ii|in|tmpl|template)$", re.IGNORECASE)
# Two units at a time: a small machine runs other reviews as well.
_PROCESSES = 2


class Place(Struct, frozen=True):
    """A place in the submission's own code.

    Attributes:
        path: The path in the submission; for code that the build made, its path in the build directory.
        line: The line.
        generated: Whether the build made the file.
    """

    path: str
    line: int
    generated: bool = False


class Unit:
    """One translation unit with its facts."""

    def __init__(self, project: CProject, recorded: RecordedUnit) -> None:
        self._project, self.recorded = project, recorded
        self.facts = Facts()
        self.reason = ""
        self.pre: Preprocessed | None = None
        name = project.path_of(posixpath.normpath(posixpath.join(recorded.cwd, recorded.name)))
        self.name = name[0] if name is not None else one_line(recorded.name, 200)
        if recorded.output is None:
            self.reason = f"{self.name}: does not compile: {_first_error(recorded.errors)}"
            return
        try:
            self.pre = Preprocessed(recorded.output, recorded.cwd, raw_strings=recorded.raw_strings)
        except ForgedMarkersError as error:
            self.reason = f"{self._shown(str(error))}: passes its code off as another file (a line marker)"
            return
        for path in self.pre.reentered:
            file = project.source(path)
            if file is None or may_write_markers(file.text):
                self.reason = f"{self._shown(path)}: may pass its code off as another file (a line marker)"
        for path in self.pre.files:
            file = project.source(path)
            if file is not None and asks_outside(file.text, file.path):
                self.reason = f"{file.path}: asks with __has_include for a file outside the submission"
        if recorded.is_apart and not self.reason:
            self.reason = f"{self.name}: cannot be compiled from the preprocessor's output (modules, for example)"
        if recorded.assembly is None and not self.reason:
            self.reason = f"{self.name}: does not compile: {_first_error(recorded.errors)}"

    def _shown(self, path: str) -> str:
        found = self._project.path_of(path)
        return found[0] if found is not None else path

    def task(self) -> Task | None:
        if self.pre is None:
            return None
        standard = next((w for w in reversed(self.recorded.arguments) if w.startswith("-std=")), "")
        own = tuple((first, last) for first, last, file in self.pre.ranges() if owner(file) != "system")
        return Task(self.pre.text, self.pre.is_cpp, standard, own, self.recorded.assembly or "")

    def place(self, line: int) -> Place | None:
        """The place of a line of the text; None: it is not the submission's."""
        assert self.pre is not None
        origin = self.pre.origin(line)
        return self._project.place(origin.file, origin.line)

    def referred(self, reference: Reference) -> Place | None:
        """The place of compiled code; None: it is not the submission's. A name that the unit gives is its own."""
        if not reference.file:
            assert self.pre is not None
            return self._project.place(self.pre.main, 1)
        return self.at(reference.file, reference.line)

    def at(self, file: str, line: int) -> Place | None:
        """A place by the name that the compiler gives the file."""
        return self._project.place(posixpath.normpath(posixpath.join(self.recorded.cwd, file)), line)

    @cached_property
    def places(self) -> list[Place]:
        """The submission's files in it."""
        if self.pre is None:
            return []
        found = [self._project.place(file, 1) for file in self.pre.files]
        return [place for place in found if place is not None]

    @cached_property
    def files(self) -> set[str]:
        """The paths of the submission's files in it; that of its source if it was not read."""
        return {place.path for place in self.places} if self.pre is not None else {self.name}


class CProject:
    """The C and C++ code of a submission.

    Attributes:
        sources: All files of the submission.
    """

    def __init__(
        self, problem: Problem, submission: Submission, sources: Sources, named: Sequence[tuple[str, ...]]
    ) -> None:
        self.sources = sources
        self._problem, self._submission, self._named = problem, submission, named

    @property
    def has_code(self) -> bool:
        """Whether there is anything for a C or C++ compiler."""
        if any(file.is_c_family for file in self.sources.files.values()):
            return True
        build = {"cmake": "CMakeLists.txt", "make": "Makefile"}.get(self._problem.build.kind)
        return build is not None and build in self.sources.files

    @cached_property
    def is_program(self) -> bool:
        """Whether the judge builds the submission with a C or C++ compiler."""
        try:
            return choose(self._problem, self._submission.language, self._submission.root)[1].id in ("c", "cpp")
        except (SourceError, LanguageError):
            return self._problem.build.kind in ("cmake", "make", "header")

    @property
    def units(self) -> list[Unit]:
        """The translation units of the program, and of files that a rule names.

        Raises:
            Undecidable: the submission cannot be compiled.
        """
        # A failed build is expensive; it must not be repeated for every rule.
        if isinstance(self._loaded, Undecidable):
            raise self._loaded
        return self._loaded[1]

    @property
    def recording(self) -> Recording:
        if isinstance(self._loaded, Undecidable):
            raise self._loaded
        return self._loaded[0]

    @cached_property
    def _loaded(self) -> tuple[Recording, list[Unit]] | Undecidable:
        try:
            recording = record(self._problem, self._submission, self._extra())
            units = [Unit(self, recorded) for recorded in recording.units]
            built = {unit.name for unit in units if not unit.recorded.is_extra}
            covered = {path for unit in units if not unit.recorded.is_extra for path in unit.files}
            units = [
                unit for unit in units
                if not unit.recorded.is_extra or unit.name not in (covered if _HEADER.search(unit.name) else built)
            ]  # fmt: skip
            _read_facts(units)
        except Undecidable as error:
            return error
        return recording, units

    def _extra(self) -> dict[str, str]:
        """The files that are compiled on their own: all sources without a build, and what rules name."""
        kind = self._problem.build.kind
        alone = kind not in ("cmake", "make", "header")
        found = {}
        for path, file in self.sources.files.items():
            named = any(is_selected(path, globs, ()) for globs in self._named if globs)
            if file.is_c_family and not _FRAGMENT.search(path) and (named or (alone and not _HEADER.search(path))):
                found[path] = file.language or "cpp"
        return found

    @cached_property
    def defined(self) -> frozenset[str]:
        """The symbols that the submission defines."""
        return frozenset(symbol for unit in self.units for symbol in unit.facts.compiled.defined)

    def path_of(self, path: str) -> tuple[str, bool] | None:
        """The path in the submission, and whether the build made the file; None: the file is not the submission's."""
        if owner(path) != "submission":
            return None
        for prefix in ("/w/src/", "/src/"):
            if path.startswith(prefix) and path.removeprefix(prefix) in self.sources.files:
                return path.removeprefix(prefix), False
        return path.removeprefix("/w/").removeprefix("src/"), True

    def source(self, path: str) -> SourceFile | None:
        found = self.path_of(path)
        return self.sources.files.get(found[0]) if found is not None else None

    def place(self, path: str, line: int) -> Place | None:
        found = self.path_of(path)
        return Place(found[0], line, found[1]) if found is not None else None

    def finding(self, place: Place, message: str) -> Finding:
        file = self.sources.files.get(place.path) if not place.generated else None
        if file is not None:
            return file.finding(place.line, message)
        return Finding(one_line(place.path, 300), place.line, f"{message} (in a file that the build makes)")

    def outside(self, include: Include) -> bool:
        """Whether an include is of a header that is neither the submission's nor the problem's."""
        return include.entered is None or owner(include.entered) == "system"


class Selection:
    """The part of the code that a rule is about: its files, and what they include."""

    def __init__(self, project: CProject, files: Sequence[str], exclude: Sequence[str]) -> None:
        self.project = project
        self.units: list[Unit] = []
        self._paths: set[str] = set()
        for unit in project.units:
            chosen = {p for p in unit.files if is_selected(p, files, exclude)}
            if files and chosen:
                chosen |= self._included(unit, chosen, exclude)
            if chosen or any(place.generated for place in unit.places):
                self.units.append(unit)
                self._paths |= chosen

    def _included(self, unit: Unit, chosen: set[str], exclude: Sequence[str]) -> set[str]:
        found: set[str] = set()
        pending = set(chosen)
        by_file: dict[str, set[str]] = {}
        for include in unit.pre.includes if unit.pre is not None else ():
            place = self.project.place(include.file, include.line)
            inner = self.project.place(include.entered, 1) if include.entered is not None else None
            if place is not None and inner is not None:
                by_file.setdefault(place.path, set()).add(inner.path)
        while pending:
            new = by_file.get(pending.pop(), set()) - found - chosen
            found |= new
            pending |= new
        return found

    @property
    def paths(self) -> list[str]:
        return sorted(self._paths)

    def has(self, place: Place | None) -> bool:
        """Whether the rule is about this place; what the build makes always counts."""
        return place is not None and (place.generated or place.path in self._paths)

    def facts(self, *kinds: str) -> Iterator[tuple[Unit, Fact, Place]]:
        for unit in self.units:
            for fact in unit.facts.facts:
                if fact.kind in kinds:
                    place = unit.place(fact.line)
                    if place is not None and self.has(place):
                        yield unit, fact, place

    def lines(self, path: str) -> Iterator[tuple[int, str]]:
        """The code of a file by line, without comments and strings: with macros expanded, and the directives."""
        seen: set[tuple[int, str]] = set()
        for unit in self.units:
            if unit.pre is None:
                continue
            for origin, text in unit.pre.code():
                place = self.project.place(origin.file, origin.line)
                if place is not None and place.path == path and (origin.line, text) not in seen:
                    seen.add((origin.line, text))
                    yield origin.line, text

    def references(self) -> Iterator[tuple[Reference, Place]]:
        for unit in self.units:
            if unit.pre is None:
                continue
            for reference in unit.facts.compiled.references:
                place = unit.referred(reference)
                if place is not None and self.has(place):
                    yield reference, place

    def check_decided(self, *, tree: bool = True) -> None:
        """Check that nothing was hidden from a rule without findings; only then is the rule kept.

        Raises:
            Undecidable: a unit was not read, or the program has code that no unit has.
        """
        if self.project.recording.unknown:
            raise Undecidable(self.project.recording.unknown)
        for unit in self.units:
            if unit.reason:
                raise Undecidable(unit.reason)
            if unit.facts.failed:
                raise Undecidable(f"{unit.name}: {unit.facts.failed}")
            for line, message in unit.facts.errors if tree else ():
                place = unit.place(line)
                where = f"{place.path}, line {place.line}" if place is not None else unit.name
                raise Undecidable(f"{where}: not understood: {one_line(message, 160)}")
            for file, line in unit.facts.compiled.directives if tree else ():
                place = unit.at(file, line) if file else unit.referred(Reference("", ""))
                if place is not None:
                    raise Undecidable(f"{place.path}: assembly with directives, which the review does not read")


def _read_facts(units: list[Unit]) -> None:
    """Read the syntax trees, each in a process that may die.

    Raises:
        Undecidable: the library is not installed.
    """
    remedy = install("judge")
    try:
        from clang import cindex
    except ImportError:
        raise Undecidable(f"C and C++ are reviewed with libclang, which is not installed; {remedy}") from None
    try:
        cindex.Index.create()
    except cindex.LibclangError as error:
        reason = one_line(str(error), 160)
        raise Undecidable(f"libclang, which reads C and C++, cannot be loaded ({reason}); {remedy}") from None
    waiting: Mapping[int, Task] = {n: task for n, unit in enumerate(units) if (task := unit.task()) is not None}
    if not waiting:
        return
    results = in_processes(iter(waiting.values()), read_syntax, _PROCESSES, _died)
    for n, facts in zip(waiting, results, strict=True):
        units[n].facts = facts


def _died(task: Task, error: Died) -> Facts:
    return Facts(failed=f"too large or too deeply nested to be read ({error})")


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or ["no message"]
    return one_line(lines[0], 200)
