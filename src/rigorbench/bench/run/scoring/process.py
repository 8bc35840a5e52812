"""Starts the scoring of a run in a process of its own: from the engine's loop and for a resumed experiment."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys

import msgspec
from msgspec.structs import replace

from .finish import ScoringAnswer, ScoringRequest

# Seconds. Replay and hidden tests have limits of their own, which are far below; so a scoring of this length hangs.
LONGEST = 3600.0
_DIED = "scoring died"


async def score_run(request: ScoringRequest) -> ScoringAnswer:
    """Score a run in a process of its own. Its failures are in the answer; cancelling kills the process.

    A run that breaks the scoring gets the worst values. A process that dies may have been short of memory for a while,
    so it gets a second try.
    """
    answer = await _score(request)
    if answer.problem is not None and answer.problem.startswith(_DIED):
        answer = await _score(request)
    if answer.broke and not request.again and not os.environ.get("RIGOR_DEBUG"):
        return await _score(replace(request, failed=answer.problem))
    return answer


async def _score(request: ScoringRequest) -> ScoringAnswer:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "rigorbench.bench.run.scoring.finish",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONGEST):
            out, err = await process.communicate(msgspec.json.encode(request))
    except TimeoutError:
        return ScoringAnswer(f"scoring took longer than {LONGEST:.0f} s and was stopped", broke=True)
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
        how = f"{_DIED} (status {process.returncode}{': ' + last[-1][:200] if last else ''})"
        return ScoringAnswer(how, broke=True)
