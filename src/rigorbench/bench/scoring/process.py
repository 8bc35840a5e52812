"""Starts the scoring of a run in a process of its own: from the engine's loop and for a resumed experiment."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import msgspec

from .finish import ScoringAnswer, ScoringRequest

# Seconds. Replay and hidden tests have limits of their own, which are far below; so a scoring of this length hangs.
LONGEST = 3600.0


async def score_run(request: ScoringRequest) -> ScoringAnswer:
    """Score a run in a process of its own. Its failures are in the answer; cancelling kills the process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "rigorbench.bench.scoring.finish",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONGEST):
            out, err = await process.communicate(msgspec.json.encode(request))
    except TimeoutError:
        return ScoringAnswer(f"scoring took longer than {LONGEST:.0f} s and was stopped")
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # Until the process is gone it may still write into the run's directory.
            await asyncio.shield(process.wait())
    try:
        return msgspec.json.decode(out, type=ScoringAnswer)
    except msgspec.DecodeError:
        last = err.decode("utf-8", "replace").strip().splitlines()
        return ScoringAnswer(f"scoring died (status {process.returncode}{': ' + last[-1][:200] if last else ''})")
