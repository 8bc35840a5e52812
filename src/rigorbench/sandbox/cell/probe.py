"""Whether the judge's sandbox works on this machine, tried with a real cell. For ``rigor doctor``."""

from __future__ import annotations

from msgspec import Struct

from ..kit import hardening
from . import filter, groups
from .cell import JudgeCell
from .groups import Controlless
from .spec import CellError, CellLimits, CellRun, CellSpec


class CellProbe(Struct, frozen=True):
    """Whether cells work here."""

    ok: bool
    found: str
    """What works, or why it does not."""
    remedy: str | None = None
    """What would improve it; None: nothing to do."""


def probe() -> CellProbe:
    """Run a program in a cell."""
    try:
        with JudgeCell.start(CellSpec()) as cell:
            measured = cell.run(CellRun(("/bin/cat",), CellLimits(memory=64 << 20), stdin=b"probe"))
            how = cell.limits_by
            user = "as an unprivileged user" if cell.process.uid is not None else "in a user namespace"
    except CellError as error:
        found, _, remedy = str(error).rpartition(": ")
        return CellProbe(False, found or remedy, remedy)
    if measured.stdout != b"probe":
        return CellProbe(False, f"a first program failed: {measured.failed or measured}", "see the message")
    found = f"programs run {user}; limits by {how}"
    if filter.program() is None or hardening.program() is None:
        return CellProbe(True, f"{found}; system calls are not filtered", "use x86_64 or aarch64")
    where = groups.controls()
    if isinstance(where, Controlless):
        remedy = (
            "without control groups programs cannot fork and only the memory of the largest process is measured "
            f"({where.why}): run as root, or by systemd-run --user --scope -p Delegate=yes"
        )
        return CellProbe(True, found, remedy)
    return CellProbe(True, found)
