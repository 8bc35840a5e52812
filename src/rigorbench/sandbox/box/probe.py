"""Whether recorded sandboxes work on this machine, tried with a real one. Needs no engine."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from msgspec import Struct, field

from ...base import journal
from ..kit.errors import SandboxError
from .box import Box
from .spec import BoxSpec

_PATIENCE = 30.0


class BoxProbe(Struct):
    """Whether recorded sandboxes work here."""

    ok: bool
    features: list[str] = field(default_factory=list)
    limits: dict[str, str] = field(default_factory=dict)
    """{limit: how it is enforced here}."""
    why: str = ""


def probe() -> BoxProbe:
    """Start a sandbox with a recorder, run a program in it, and check that the program was recorded."""
    try:
        return asyncio.run(_probe())
    except (SandboxError, OSError, TimeoutError) as error:
        return BoxProbe(False, why=" ".join(str(error).split()) or "it did not come up in time")


async def _probe() -> BoxProbe:
    with tempfile.TemporaryDirectory(prefix="rigor-probe-", ignore_cleanup_errors=True) as name:
        directory = Path(name)
        spec = BoxSpec(str(directory / "box"), capture=str(directory / "run"))
        async with asyncio.timeout(_PATIENCE):
            box = await Box.start(spec)
            try:
                await box.record(journal.RunRecord(time.time(), schema=journal.SCHEMA, id="probe", root=spec.root))
                done = await box.exec(["sh", "-c", "exit 3"], timeout=10)
            finally:
                await box.stop(journal.End(time.time(), "completed"))
        if done.status != 3:
            return BoxProbe(False, why=f"a program in it did not run (status {done.status})")
        lines = (directory / "run" / journal.JOURNAL).read_text(encoding="utf-8", errors="replace")
        if "commands" in box.features and '"type":"command"' not in lines:
            return BoxProbe(False, box.features, box.limits_in_force, "programs run, but are not recorded")
        return BoxProbe(True, box.features, box.limits_in_force)
