"""Measures how much more time and memory an algorithm takes in other languages than in C++.

The kernels in ``kernels/`` are small programs: arithmetic, sorting, a hash map, allocation, reading and writing;
``empty`` shows what a run-time needs itself. Languages take turns within a round, so that a busy machine affects all of
them. Factors are geometric means, over the kernels, of ratios of medians. From memory the use of an empty program is
subtracted first; arithmetic and input use too little memory to compare.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from ...problems.model import Build, Limits, Problem
from ...sandbox.cell.cell import Cell
from ...sandbox.cell.spec import CellError, CellSpec, Run
from ...sandbox.cell.spec import Limits as RunLimits
from ..build import versions
from ..build.compile import build
from ..build.model import Program
from ..build.table import Language, Table
from ..build.toolchains import toolchain
from ..files import scratch
from ..model import JudgeError
from ..submission import from_bytes

KERNELS = ("arith", "sort", "hash", "alloc", "io")
EMPTY = "empty"
# Kernels with enough data for their memory to be compared.
_HOLDING = ("sort", "hash", "alloc")
REFERENCE = "cpp"
_LINES = 400_000
_MEMORY = 2 << 30
_PLACE = Path(__file__).with_name("kernels")
CALIBRATION_SCHEMA = "rigor-calibration/1"


class Kernel(Struct):
    """One kernel in one language.

    Attributes:
        cpu: seconds of each run.
        memory: peak bytes of each run.
        time_ratio, memory_ratio: of medians, to those of C++; None for C++ itself.
    """

    cpu: list[float]
    memory: list[int]
    time_ratio: float | None = None
    memory_ratio: float | None = None


class Calibrated(Struct):
    """The result for one language.

    Attributes:
        time, memory: factors.
        spread: smallest and largest ratio of time over the kernels.
        startup_cpu: seconds of an empty program.
        startup_memory: bytes of an empty program.
    """

    language: str
    time: float | None
    memory: float | None
    spread: tuple[float, float] | None
    startup_cpu: float
    startup_memory: int | None
    versions: dict[str, str]
    kernels: dict[str, Kernel]


class Calibration(Struct):
    languages: list[Calibrated]
    missing: dict[str, str]
    repeats: int
    memory_by: str
    schema: str = CALIBRATION_SCHEMA


def calibrate(
    table: Table, names: Sequence[str], repeats: int, progress: Callable[[str], None] = lambda _: None
) -> Calibration:
    """Build and run every kernel `repeats` times in C++, which is the unit, and the languages named.

    Raises:
        JudgeError: there is no sandbox here, C++ is missing, or a kernel fails or its output differs from that in C++.
    """
    missing: dict[str, str] = {}
    programs: dict[str, dict[str, Program]] = {}
    for name in dict.fromkeys((REFERENCE, *names)):
        language = table[name]
        not_found = toolchain(language.programs).missing
        if not_found:
            missing[name] = "; ".join(not_found)
        elif not _kernel(language, EMPTY).is_file():
            missing[name] = "there are no kernels for it"
        else:
            progress(f"compiling {language.name}")
            programs[name] = _built(language)
    if REFERENCE in missing:
        raise JudgeError(f"C++ is the unit of every factor: {missing[REFERENCE]}")
    measured: dict[str, dict[str, Kernel]] = {name: {} for name in programs}
    answers: dict[str, bytes] = {}
    for kernel in (EMPTY, *KERNELS):
        for turn in range(repeats):
            progress(f"{kernel}, round {turn + 1} of {repeats}")
            for name in programs:
                _once(name, kernel, programs[name][kernel], measured[name], answers)
    by = "cgroup" if _exact(programs[REFERENCE][EMPTY]) else "rlimit"
    unit = measured[REFERENCE]
    found = [_calibrated(table[name], measured[name], unit) for name in programs]
    return Calibration(found, missing, repeats, by)


def _kernel(language: Language, kernel: str) -> Path:
    return _PLACE / language.id / f"{kernel}{language.extensions[0]}"


def _built(language: Language) -> dict[str, Program]:
    limits = Limits(time=60.0, memory=_MEMORY, compile_time=120.0, compile_memory=4 << 30)
    problem = Problem(
        id="calibration", name="", root=_PLACE, digest="", statement="", groups=(), limits=limits, build=Build(),
        memory_multipliers={language.id: 1.0},
    )  # fmt: skip
    programs: dict[str, Program] = {}
    for kernel in (EMPTY, *KERNELS):
        source = _kernel(language, kernel).read_bytes()
        with scratch("kernel") as base:
            submission = from_bytes(language.main[0], source, base / "tree", language=language.id)
            built = build(problem, submission)
        if not built.compilation.ok:
            raise JudgeError(f"the {language.name} kernel {kernel} does not compile: {built.compilation.log[:300]}")
        programs[kernel] = built.programs[""]
    return programs


def _once(name: str, kernel: str, program: Program, measured: dict[str, Kernel], answers: dict[str, bytes]) -> None:
    limits = RunLimits(cpu=120.0, wall=600.0, memory=_MEMORY + program.startup_memory, processes=64 + program.processes)
    run = Run(
        program.argv, limits, env=program.env, stdin=_input() if kernel == "io" else None,
        address_space=program.address_space,
    )  # fmt: skip
    try:
        with Cell.start(CellSpec(mounts=program.mounts)) as cell:
            done = cell.run(run)
    except CellError as error:
        raise JudgeError(str(error)) from None
    if done.exit_code != 0:
        how = done.killed or done.failed or (f"signal {done.signal}" if done.signal else f"exit {done.exit_code}")
        raise JudgeError(f"the kernel {kernel} in {name} failed: {how}: {done.stderr[:200].decode(errors='replace')}")
    if answers.setdefault(kernel, done.stdout) != done.stdout:
        raise JudgeError(f"the kernel {kernel} in {name} gives another output than in C++")
    kept = measured.setdefault(kernel, Kernel([], []))
    kept.cpu.append(done.cpu)
    if done.memory is not None:
        kept.memory.append(done.memory)


def _exact(program: Program) -> bool:
    with Cell.start(CellSpec(mounts=program.mounts)) as cell:
        return cell.run(Run(program.argv)).memory_by == "cgroup"


def _input() -> bytes:
    lines: list[str] = []
    x = 11
    for _ in range(_LINES):
        x = x * 48271 % 2147483647
        lines.append(f"{x} {x % 1000 - 500}\n")
    return "".join(lines).encode()


def _calibrated(language: Language, kernels: dict[str, Kernel], unit: dict[str, Kernel]) -> Calibrated:
    startup = _median(kernels[EMPTY].memory)
    base = _median(unit[EMPTY].memory)
    times: list[float] = []
    sizes: list[float] = []
    for name in KERNELS:
        kernel = kernels[name]
        if language.id == REFERENCE:
            continue
        kernel.time_ratio = statistics.median(kernel.cpu) / statistics.median(unit[name].cpu)
        times.append(kernel.time_ratio)
        mine, theirs = _median(kernel.memory), _median(unit[name].memory)
        if name not in _HOLDING or mine is None or theirs is None or startup is None or base is None:
            continue
        kernel.memory_ratio = max(mine - startup, 1) / max(theirs - base, 1)
        sizes.append(kernel.memory_ratio)
    return Calibrated(
        language=language.id,
        time=statistics.geometric_mean(times) if times else None,
        memory=statistics.geometric_mean(sizes) if sizes else None,
        spread=(min(times), max(times)) if times else None,
        startup_cpu=statistics.median(kernels[EMPTY].cpu),
        startup_memory=startup,
        versions=versions(language.id),
        kernels=kernels,
    )


def _median(values: list[int]) -> int | None:
    return int(statistics.median(values)) if values else None


def as_table(calibration: Calibration) -> str:
    """The factors as a file that overlays the table of languages: rounded up to halves, and at least 1."""
    lines = [f"# Written by `rigor judge calibrate` ({calibration.repeats} rounds)."]
    for found in calibration.languages:
        if found.time is None:
            continue
        lines += ["", f"[{found.language}]", f"time = {up(found.time)}"]
        if found.memory is not None:
            lines.append(f"memory = {up(found.memory)}")
    return "\n".join(lines) + "\n"


def up(factor: float) -> float:
    """The next half above a factor; up to a twentieth above a half is noise."""
    return max(1.0, math.ceil((factor - 0.05) * 2) / 2)
