"""Objects that are linked into programs to send drivers' results and sanitizers' reports; checks against evasion."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..judgement import JudgeError
from .collect import ArtefactError
from .program import Reports
from .unit import BuildCommand, CompileUnit, Take, run_unit

if TYPE_CHECKING:
    from .unit import Common

RESOURCES: Final = Path(__file__).with_name("resources")
RESULTS: Final = "RIGOR_RESULTS"
CHECKS: Final = "RIGOR_CHECKS"

# Hooks that switch a sanitizer off. A program that has one is checked with valgrind, which has no such hooks.
_HOOKS: Final = (
    b"__lsan_is_turned_off", b"__lsan_default_options", b"__lsan_default_suppressions", b"__lsan_disable",
    b"__lsan_ignore_object", b"__lsan_register_root_region", b"__asan_default_options", b"__asan_default_suppressions",
    b"__asan_on_error", b"__asan_set_death_callback", b"__asan_set_error_report_callback",
    b"__sanitizer_set_report_path", b"__sanitizer_set_death_callback", b"__sanitizer_report_error_summary",
    b"__sanitizer_on_print",
)  # fmt: skip
_OWN_PREFIXES: Final = (b"__lsan_", b"__asan_", b"__sanitizer_", b"__interceptor_")
# Symbols that compilers themselves put into a program.
_USUAL: Final = (
    b"__asan_option_detect_stack_use_after_return",
    b"__asan_report_",
    b"__asan_version_",
    b"__asan_register_",
)
_DYNSYM: Final = 11
_LONGEST: Final = 64


def runtime(common: Common, part: str) -> tuple[dict[str, Path], tuple[str, ...]]:
    """An object of the judge to be linked in: (files to mount, words for the command line).

    Raises: JudgeError: the C compiler here does not compile it.
    """
    compiler = common.tools.where.get("gcc") or common.tools.where[common.language.programs[0]]
    name = part.lower()
    unit = CompileUnit(
        what="the judge's run-time part",
        tools=common.tools,
        commands=(
            BuildCommand(
                (
                    *(compiler, "-x", "c", "-std=gnu11", "-O2", "-fPIC", f"-D{part}"),
                    *("-c", "/src/runtime.c", "-o", "/w/it.o"),
                )
            ),
        ),
        take=(Take(("it.o",), f"{name}.o", "file"),),
        shown={"/src/runtime.c": RESOURCES / "runtime.c"},
    )
    entry, _ = run_unit(unit, common.place)
    if not entry.ok:
        raise JudgeError(f"the judge's own run-time part does not compile here: {entry.log[:200]}")
    inside = f"/rigor/{name}.o"
    return {inside: Path(entry.code) / f"{name}.o"}, (inside,)


def checkable(program: Path, reports: Reports | None) -> None:
    """Refuse a program that could avoid the check by its sanitizer or valgrind.

    Raises: ArtefactError: it contains such a hook, defines a symbol of the sanitizer itself, or is linked statically,
    so that its allocations cannot be observed.
    """
    if reports is None:
        return
    data = program.read_bytes()
    if data.startswith(b"\x7fELF") and b"/ld-" not in data[:4096]:
        raise ArtefactError("a statically linked program cannot be checked for leaks: link it without -static")
    if reports == "valgrind":
        return
    for hook in _HOOKS:
        if hook in data:
            raise ArtefactError(f"{program.name} uses {hook.decode()}, which belongs to the sanitizer")
    for name in _defined(data):
        if name.startswith(_OWN_PREFIXES) and not name.startswith(_USUAL):
            raise ArtefactError(
                f"{program.name} defines {name.decode('ascii', 'replace')}, which belongs to the sanitizer"
            )
    if b"__lsan_do_recoverable_leak_check" not in data:
        raise ArtefactError(f"{program.name} was linked without the leak check")


def _defined(data: bytes) -> list[bytes]:
    """Names of the dynamic symbols that a program (ELF, 64 bits, little-endian) defines.

    Raises: ArtefactError: it is not such a program.
    """
    try:
        if data[:6] != b"\x7fELF\x02\x01":
            raise ArtefactError("the program is of a kind whose symbols cannot be read")
        (offset,) = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + n * size) for n in range(count)]
        found: list[bytes] = []
        for section in sections:
            if section[1] != _DYNSYM:
                continue
            strings = sections[section[6]]
            for at in range(section[4], section[4] + section[5], 24):
                name, _, _, where = struct.unpack_from("<IBBH", data, at)
                if where:
                    start = strings[4] + name
                    # Limited, because only the beginning is compared.
                    found.append(data[start : start + _LONGEST].partition(b"\0")[0])
        return found
    except (struct.error, IndexError, ValueError):
        raise ArtefactError("the program's symbols cannot be read") from None
