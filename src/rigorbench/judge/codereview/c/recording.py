"""Compile a submission as the judge does, in the sandbox, and keep what the compiler made of every source."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ....base.files import replace_file
from ....problems.model import Problem
from ...build import repository, table
from ...build.cache import key, place
from ...build.common import Common
from ...build.compile import choose, programs_of, with_included
from ...build.header import include_options
from ...build.source import fill
from ...build.sources import SourceError
from ...build.table import LanguageError, Sanitized
from ...build.toolchains import toolchain
from ...build.unit import Budget, Command, Place, Take, Unit, run_unit
from ...files import scratch
from ...model import JudgeError, Submission
from ..model import Undecidable

_REPOSITORIES = ("cmake", "make")
_WRAPPERS = "/rigor/bin"
# CPU seconds beside three compiles, and for each file that is compiled on its own.
_SPARE, _EACH = 60.0, 3.0
# Bytes of a unit's text, preprocessed or compiled: all headers of the library make less than a tenth of it.
_LARGEST = 32 << 20
_HEADER = re.compile(r"\.(?:h|hh|hp|hpp|hxx|h\+\+)$", re.IGNORECASE)
# Options that make the compiler another one, or give symbols other names.
_REPLACING = re.compile(
    r"-B|-?-specs|-fplugin|-iplugindir|-wrapper|-no-integrated-cpp|-fpreprocessed|-fpch|@|-T|-W[alp],.*(?:@|plugin)"
    r"|-Wa,(?:.*,)?[^-,]|.*(?:,-T|--?defsym|--?wrap\b|--?just-symbols|--?plugin\b|--?mri-script)",
)
_JUDGED = "/rigor/judged"
# Without names and debugging information, which say how something was compiled.
_CHECK = """
mkdir -p /w/units
for at in "/w/build/$1" "/w/src/$1"; do
  [ -f "$at" ] || continue
  sha256sum < "$at" | cut -c 1-64 > /w/units/program
  nm -D -u -P "$at" > /w/units/imports 2> /dev/null
  rm -f /w/units/same
  bare() { objcopy --strip-all --remove-section=.note.gnu.build-id "$@"; }
  bare "$at" /w/recorded && bare "$2" /w/judged && cmp -s /w/recorded /w/judged && : > /w/units/same
  exit 0
done
"""


class RecordedUnit(Struct, frozen=True):
    """One translation unit.

    Attributes:
        name: The path of its source as the compiler got it.
        cwd: The directory in which the compiler ran.
        arguments: All words of the command.
        output: The preprocessor's output; None: it failed.
        assembly: The compiled code without optimisation; None: it does not compile.
        raw_strings: Whether its dialect has raw strings.
        errors: What the compiler said.
        is_apart: Whether the compiler needed more than the preprocessor's output, and may have read anything.
        is_extra: Whether it was compiled on its own and not by the build.
    """

    name: str
    cwd: str
    arguments: tuple[str, ...]
    output: str | None
    assembly: str | None
    raw_strings: bool
    errors: str
    is_apart: bool = False
    is_extra: bool = False


class Recording(Struct, frozen=True):
    """A recorded build.

    Attributes:
        units: The translation units of the program.
        imports: What the linked program needs from libraries; None when nothing was linked.
        unknown: Why the program may contain code that no unit has; "": it does not.
    """

    units: tuple[RecordedUnit, ...]
    imports: frozenset[str] | None = None
    unknown: str = ""


def record(problem: Problem, submission: Submission, extra: Mapping[str, str]) -> Recording:
    """The translation units of a submission.

    Args:
        problem: Says how submissions are built.
        submission: The submission.
        extra: Further files that rules name and the build may leave out: path -> language ("c" or "cpp").

    Raises:
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
        tools = toolchain((*programs_of(kind, language), "gcc", "g++"))
        if tools.missing:
            raise Undecidable(f"C and C++ cannot be reviewed here: {'; '.join(tools.missing)}")
        budget = Budget(3 * problem.limits.compile_time + _SPARE + _EACH * len(extra), problem.limits.compile_memory)
        common = Common(language, Sanitized(), tools, problem.build, Place(), budget)
        try:
            unit = (
                _repository(problem, common, root, kind, extra)
                if kind in _REPOSITORIES
                else _alone(common, root, kind, extra)
            )
            entry, _ = run_unit(unit, budget, common.place)
        except JudgeError as error:
            raise Undecidable(f"the code cannot be compiled here: {error}") from None
        if not entry.ok:
            raise _does_not_compile(entry.log)
        return _read(Path(entry.code) / "units", linked=kind in _REPOSITORIES)


def _repository(problem: Problem, common: Common, root: Path, kind: str, extra: Mapping[str, str]) -> Unit:
    """The submission's own build with the recording compiler, and whether it makes the program that is judged.

    Raises:
        Undecidable: it does not build as it is judged.
    """
    unit = repository.unit(common, root, kind)
    judged, _ = run_unit(unit, Budget(problem.limits.compile_time, problem.limits.compile_memory), common.place)
    if not judged.ok:
        raise _does_not_compile(judged.log)
    known, words = table.languages(), _words(common)
    env = {
        **unit.env, "CC": f"{_WRAPPERS}/gcc", "CXX": f"{_WRAPPERS}/g++", "PATH": f"{_WRAPPERS}:{common.tools.path}",
        "RIGOR_CALLS": "/w/calls",
    }  # fmt: skip
    repeat = f"{_WRAPPERS}/repeat"
    compiles = [_compile(known[language].compile, words, path) for path, language in extra.items()]
    check = Command(("/bin/sh", "-c", _CHECK, "sh", problem.build.artefact, _JUDGED), cwd="/w")
    return replace(
        unit, commands=(*unit.commands, Command((repeat,), cwd="/w"), check, *_recorded_only(compiles, "/w/src")),
        shown={
            **unit.shown, **_wrappers(common), repeat: _script("repeat.sh"), _JUDGED: Path(judged.code) / "main",
        },
        env=env, take=_TAKEN, after=None, key=(*unit.key, "recorded"),
    )  # fmt: skip


def _does_not_compile(log: str) -> Undecidable:
    return Undecidable(f"the submission does not compile: {' '.join(log.split())[:200]}")


def _words(common: Common) -> dict[str, str | tuple[str, ...]]:
    return {
        "standard": common.standard, "flags": (), "include": ("-I.",), "pch": (), "runtime": (), "sources": (),
        "out": "/dev/null",
    }  # fmt: skip


def _wrappers(common: Common) -> dict[str, Path]:
    return {
        f"{_WRAPPERS}/{name}": _script("recorder.sh", program=common.tools.where[real], path=common.tools.path)
        for name, real in _NAMES.items()
    }


def _alone(common: Common, root: Path, kind: str, extra: Mapping[str, str]) -> Unit:
    """Each source on its own, with the judge's options."""
    tools, build = common.tools, common.build
    assert build is not None
    known, words = table.languages(), _words(common)
    shown = {"/src": root, **_wrappers(common)}
    options: tuple[str, ...] = ("-I.",)
    drivers: list[tuple[str, ...]] = []
    if kind == "header":
        options, more = include_options(common)
        shown |= more
        for name, path in build.drivers.items():
            inside = f"/driver/{name}/{path.name}"
            shown[inside] = path
            drivers.append(_compile(common.language.compile, {**words, "include": options}, inside))
    elif build.include is not None:
        shown["/include/0"] = build.include
        options = (*options, "-I", "/include/0")
    words["include"] = options
    own = {path: _compile(known[language].compile, words, path) for path, language in extra.items()}
    headers = [command for path, command in own.items() if _HEADER.search(path) or kind == "header"]
    sources = [command for command in own.values() if command not in headers]
    # A submission without a source is not an error of the compiler.
    start = Command(("/bin/mkdir", "-p", "/w/units"), cwd="/w")
    compiled = (*_recorded_only([*drivers, *sources], "/src", extra=False), *_recorded_only(headers, "/src"))
    return Unit(
        what="the submission", tools=tools, commands=(start, *compiled), take=_TAKEN, shown=shown, key=("recorded",),
    )  # fmt: skip


_TAKEN = (Take(("units",), "units", "tree"),)
_NAMES = {"gcc": "gcc", "cc": "gcc", "g++": "g++", "c++": "g++"}


def _compile(command: tuple[str, ...], words: Mapping[str, str | tuple[str, ...]], path: str) -> tuple[str, ...]:
    program, *options = fill(command, words)
    language = ("-x", "c" if program == "gcc" else "c++") if _HEADER.search(path) else ()
    inside = path if path.startswith("/") else f"./{path}"
    return (f"{_WRAPPERS}/{program}", *(word for word in options if not word.startswith("-l")), "-c", *language, inside)


def _recorded_only(compiles: list[tuple[str, ...]], cwd: str, *, extra: bool = True) -> tuple[Command, ...]:
    """The commands that only record, without the program that a compile would make."""
    only = "RIGOR_RECORD_ONLY=extra" if extra else "RIGOR_RECORD_ONLY=yes"
    return tuple(Command(("/usr/bin/env", "-u", "RIGOR_CALLS", only, *words), cwd=cwd) for words in compiles)


def _script(name: str, **words: str) -> Path:
    """A script of ours with words in braces replaced, as a file that is named by its content."""
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"{{{word}}}", value)
    path = place().parent / "wrappers" / key((text,))[:24]
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        replace_file(path, text.encode(), 0o755)
    return path


class _Call(Struct):
    """One call of the compiler. ``refused``: it was not repeated, as it would start programs of the submission."""

    units: list[RecordedUnit]
    refused: bool
    arguments: tuple[str, ...]
    inputs: list[tuple[str, str]]
    outputs: list[str]


def _read(folder: Path, *, linked: bool) -> Recording:
    calls = [_call(at) for at in sorted(folder.iterdir()) if at.is_dir()]
    if not linked:
        return Recording(tuple(unit for call in calls for unit in call.units))
    program = _text(folder / "program").strip()
    made = {output: call for call in calls for output in call.outputs}
    alone = [unit for call in calls if not call.outputs for unit in call.units]
    if not program:
        raise Undecidable("repeated, the build leaves no program: it changes assembly or compiled code")
    is_same = (folder / "same").exists()
    unknown = "" if is_same else "the build makes another program when it is reviewed than when it is judged"
    pending, seen = [(program, "the program")], {program}
    units: list[RecordedUnit] = []
    while pending:
        digest, path = pending.pop()
        call = made.get(digest)
        if call is None:
            unknown = unknown or f"{os.path.basename(path)}: assembly or compiled code, which the review cannot read"
            continue
        odd = next((word for word in call.arguments if _REPLACING.match(word)), "" if call.refused else None)
        if odd is not None:
            unknown = unknown or f"the option {odd[:60]} replaces parts of the compiler or renames symbols"
        units += call.units
        new = [entry for entry in call.inputs if entry[0] not in seen]
        seen |= {entry[0] for entry in new}
        pending += new
    imports = frozenset(
        line.split()[0].split("@")[0] for line in _text(folder / "imports").splitlines() if line.strip()
    )
    return Recording((*units, *alone), imports, unknown)


def _call(at: Path) -> _Call:
    cwd, arguments = _text(at / "cwd").strip(), tuple(_text(at / "args").splitlines())
    units = []
    for name in sorted(at.glob("*.name")):
        output, assembly = name.with_suffix(".ii"), name.with_suffix(".s")
        made = [path for path in (output, assembly) if path.is_file()]
        errors = _text(name.with_suffix(".err"))
        if any(path.stat().st_size > _LARGEST for path in made):
            # A few macros or includes can make gigabytes of it.
            made, errors = [], f"error: its code expands to more than {_LARGEST >> 20} MiB"
        units.append(
            RecordedUnit(
                _text(name).strip(), cwd, arguments,
                _text(output) if output in made else None,
                _text(assembly) if assembly in made else None,
                not name.with_suffix(".plain").exists(), errors,
                name.with_suffix(".apart").exists(), (at / "extra").exists(),
            )
        )  # fmt: skip
    inputs = []
    for line in _text(at / "inputs").splitlines():
        digest, _, path = line.partition(" ")
        inputs.append((digest, path))
    return _Call(units, (at / "refused").exists(), arguments, inputs, _text(at / "output").split())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
