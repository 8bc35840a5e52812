"""The static validator of a package: a program that looks at a submission's files, not at what they do."""

from __future__ import annotations

import contextlib
import shutil

from ...problems.model import Group, Problem
from ...sandbox.cell.spec import CellSpec, Run
from ...sandbox.mount import Mount
from ..build.model import Program
from ..submission import Submission
from .cells import OwnCell
from .checking import Broken, by_kattis, checker_limits, unusable
from .job import Trial
from .verdicts import usage
from .workspace import Workspace, remove


def validate(
    problem: Problem,
    group: Group,
    program: Program,
    submission: Submission,
    language: str,
    slot: int,
    workspace: Workspace,
    *,
    trust: bool,
) -> Trial:
    """Called with the language, the name of the file to be run (empty: there are several), the feedback directory and
    the group's arguments, in a copy of the submission; ends like a checker. Raises: CellError, Broken."""
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
        with contextlib.closing(OwnCell(spec, workspace, trust)) as cell:
            measured = cell.run(run)
            reason = unusable(measured, "static validator", limits)
            if reason is not None:
                raise Broken(reason)
            checked = by_kattis(measured, cell.work, "static validator")
    finally:
        remove(files)
    share = 1.0 if checked.share is None else min(max(checked.share, 0.0), 1.0)
    if checked.points is not None and group.static_full > 0:
        share = min(max(checked.points / group.static_full, 0.0), 1.0)
    return Trial(
        checked.verdict,
        share if checked.verdict == "accepted" else 0.0,
        message=checked.message,
        details=checked.details,
        usage=usage(measured),
    )
