"""The static validator of a package: a program that reads a submission's files without running them."""

from __future__ import annotations

import contextlib
import shutil

from ...sandbox.cell.spec import CellSpec, Run
from ...sandbox.kit.mount import Mount
from ...sandbox.kit.trees import remove
from ..build.model import Program
from ..model import PointResult, Submission
from ..problems.model import Group, Problem
from .cells import ReusableCell
from .checking import checker_limits, decision
from .scoring import clamp
from .verdicts import usage
from .workspace import Workspace


def validate_files(
    problem: Problem,
    group: Group,
    program: Program,
    submission: Submission,
    language: str,
    slot: int,
    workspace: Workspace,
    *,
    trust: bool,
) -> PointResult:
    """The result of a group's static test point.

    The validator runs in a copy of the submission; its arguments are the language, the name of the only file (empty if
    there are several), the feedback directory and the group's arguments. It ends like a checker.

    Raises:
        CellError: the sandbox failed.
        ToolError: the validator failed.
    """
    files = workspace.directory("files")
    try:
        shutil.copytree(submission.root, files, dirs_exist_ok=True, symlinks=True)
        entries = [path for path in files.rglob("*") if not path.is_symlink()]
        for path in entries:
            path.chmod(0o755 if path.is_dir() else 0o644)
        names = [path.name for path in entries if path.is_file()]
        entry = names[0] if len(names) == 1 else ""
        limits = checker_limits(problem.limits)
        spec = CellSpec(slot=slot, role="checker", mounts=(*program.mounts, Mount(str(files), "/submission")))
        run = Run(
            argv=(*program.argv, language, entry, "/w/", *(group.static_args or ())),
            limits=limits,
            cwd="/submission",
            env=dict(program.env),
            fresh=False,
            address_space=program.address_space,
        )
        with contextlib.closing(ReusableCell(spec, workspace, trust)) as cell:
            measured = cell.run(run)
            checked = decision(measured, "static validator", "kattis", cell.work, limits)
    finally:
        remove(files)
    share = 1.0 if checked.share is None else clamp(checked.share, 1.0)
    if checked.points is not None and group.static_full > 0:
        share = clamp(checked.points / group.static_full, 1.0)
    return PointResult(
        id=f"{group.id}/static",
        verdict=checked.verdict,
        score=share if checked.verdict == "accepted" else 0.0,
        message=checked.message,
        told=checked.message,
        details=checked.details,
        usage=usage(measured),
    )
