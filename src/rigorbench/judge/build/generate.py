"""Makes the test data of a package that are not stored in it, and compares them with the hashes it records."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Final

from ...sandbox.cell.cell import JudgeCell
from ...sandbox.cell.spec import CellLimits, CellRun, CellSpec
from ..files import read_regular
from ..judgement import JudgeError
from ..problems.files import new_directory
from ..problems.problem import Generated, Problem
from . import cache
from .compile import build_tool

# Of all files of a package together, and of one.
_MOST: Final = 2 << 30
_LARGEST: Final = 1 << 30
_MOST_FILES: Final = 10_000
_SECONDS: Final = 120.0
_MEMORY: Final = 2 << 30


def make_files(problem: Problem, *, slot: int = 0, trust: bool = False) -> None:
    """Make the generated files of a package in the user's cache, unless they are there.

    Raises: JudgeError: the program failed, or made something else than the package records. CellError: there is no
    sandbox, or it failed.
    """
    generated = problem.generated
    if generated is None:
        return
    with cache.lock(generated.place.name):
        if generated.place.is_dir():
            if all(_digest(generated.place / name) == expected for name, expected in generated.hashes.items()):
                return
            shutil.rmtree(generated.place)  # damaged: made again
        _make(problem, generated, slot, trust)


def _make(problem: Problem, generated: Generated, slot: int, trust: bool) -> None:
    file = f"{problem.root / 'problem.yaml'}: generated"
    program = build_tool(generated.program.parent, main=generated.program.name, slot=slot, trust=trust)
    with tempfile.TemporaryDirectory(prefix="rigor-generated-") as work:
        limits = CellLimits(cpu=_SECONDS, wall=3 * _SECONDS, memory=_MEMORY, disk=_MOST, files=_MOST_FILES)
        spec = CellSpec(slot=slot, role="checker", mounts=program.mounts, work=work)
        with JudgeCell.start(spec, trust=trust) as cell:
            argv = (*program.argv, *generated.args, ".")
            run = cell.run(CellRun(argv, limits, env=program.env, fresh=False, address_space=True))
            if run.exit_code != 0:
                ended = f"exit {run.exit_code}" if run.signal is None else f"signal {run.signal}"
                how = run.failed or run.killed or ended
                last = run.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
                why = ": ".join([str(how), *last])[:300]
                raise JudgeError(f"{file}.program: {generated.program.name} failed ({why}); correct it")
            with new_directory(generated.place) as draft:
                for name, expected in generated.hashes.items():
                    where = f"{file}.files: {name}: "
                    data = read_regular(Path(work) / name, _LARGEST)
                    if data is None:
                        raise JudgeError(f"{where}the program did not make it; correct the program, or remove the line")
                    found = hashlib.sha256(data).hexdigest()
                    if found != expected:
                        raise JudgeError(
                            f"{where}the program made a file with SHA-256 {found}, not {expected}; correct the program "
                            "(it must not depend on versions, hash seeds or the clock), or record the new hash if the "
                            "change is meant"
                        )
                    target = draft / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
