"""The check of inputs: the package's validators, each in a sandbox, accept them and reject damaged ones."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from ...sandbox.cell.cell import JudgeCell
from ...sandbox.cell.spec import CellLimits, CellRun, CellSpec
from ..build.compile import build_tool
from ..build.generate import make_files
from ..build.program import BuiltProgram
from ..problems import RESOURCES
from ..problems.problem import Case, Problem
from .proof import PackageCheck, decide

# Exit codes with which a validator accepts an input: the format's and testlib's.
_KATTIS, _TESTLIB = 42, 0
_DAMAGED_CASES: Final = 5
_LARGEST_DAMAGED: Final = 1 << 20


# None if all validators accept the input of a test point (or the bytes instead); else which one rejects it.
Validate = Callable[[Case, bytes | None], str | None]


@contextmanager
def validators(problem: Problem, *, trust: bool = False) -> Iterator[Validate]:
    """The package's validators, compiled, each with a sandbox of its own.

    Raises: JudgeError: one does not compile, the generated inputs cannot be made, or there is no sandbox. CellError.
    """
    make_files(problem, trust=trust)
    limits = CellLimits(
        cpu=problem.limits.validation_time,
        wall=3 * problem.limits.validation_time + 2,
        memory=problem.limits.validation_memory,
    )
    running: list[tuple[str, JudgeCell, BuiltProgram]] = []

    def accepts(case: Case, data: bytes | None) -> str | None:
        for name, cell, program in running:
            given = case.validator_args.get(name, case.validator_args.get("", ()))
            with case.input.open("rb") as file:
                stdin: int | bytes = file.fileno() if data is None else data
                argv = (*program.argv, *given, *case.args)
                run = cell.run(CellRun(argv, limits, env=program.env, stdin=stdin, address_space=True))
            if run.exit_code not in (_KATTIS, _TESTLIB):
                ended = f"signal {run.signal}" if run.signal is not None else f"exit code {run.exit_code}"
                how = run.failed or run.killed or ended
                text = b" ".join((run.stderr or run.stdout)[:200].split()).decode("utf-8", "replace")
                return f"{name} rejects it ({how}{': ' + text if text else ''})"
        return None

    with ExitStack() as stack:
        for path in problem.validators:
            program = build_tool(path, include=(RESOURCES,), trust=trust)
            work = stack.enter_context(tempfile.TemporaryDirectory(prefix="rigor-validator-"))
            spec = CellSpec(role="checker", mounts=program.mounts, work=work)
            cell = stack.enter_context(JudgeCell.start(spec, trust=trust))
            # A validator's name is that of its file without suffix, or of its directory.
            running.append((path.stem if path.is_file() else path.name, cell, program))
        yield accepts


def check_inputs(problem: Problem, validate: Validate) -> PackageCheck:
    """Every input is accepted; those in ``data/invalid_input``, and damaged ones, are rejected.

    Every validator must reject text after the end. Whether half an input, or none, is valid depends on the problem, but
    a validator that rejects none of them checks nothing. Validators of earlier versions of the format were not written
    for damaged inputs.
    """
    if not problem.validators and problem.earlier:
        return PackageCheck("inputs", "skipped", "no validator that can be run here")
    if not problem.validators:
        return decide("inputs", "", ["input_validators: empty; write a program that ends with 42 or 43"])
    problems = []
    cases = [case for group in problem.groups if group.twin_of is None for case in group.cases]
    for case in cases:
        rejected = validate(case, None)
        if rejected is not None:
            problems.append(f"{case.id}: {rejected}")
    for case in problem.invalid_inputs:
        if validate(case, None) is None:
            problems.append(f"{case.id}: is accepted, but must be rejected")
    tried = caught = 0
    damaged = 0 if problem.earlier else _DAMAGED_CASES
    for case in sorted(cases, key=lambda case: (case.input.stat().st_size, case.id))[:damaged]:
        data = case.input.read_bytes()
        half = len(data) // 2
        damages = {"text after its end": data + b"\x01 ###\n"}
        if data:
            damages |= {"nothing": b"", "half of it": data[:half]}
            damages["a letter in its middle"] = data[:half] + b"\x7f~" + data[half:]
        for kind, damage in damages.items() if len(data) <= _LARGEST_DAMAGED else ():
            tried += 1
            if validate(case, damage) is not None:
                caught += 1
            elif kind == "text after its end":
                problems.append(f"{case.id}: is also accepted with {kind}")
    if tried and not caught and not problems:
        problems.append(f"none of {tried} damaged inputs is rejected")
    detail = f"{len(cases)} inputs accepted" if not problems else f"{len(cases)} inputs"
    invalid = f", {len(problem.invalid_inputs)} invalid ones rejected" if problem.invalid_inputs else ""
    return decide("inputs", f"{detail}{invalid}, {caught} of {tried} damaged ones rejected", problems)
