"""Scoring in processes of its own, from the engine's loop and from a resumed experiment."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path

import msgspec

from .finish import Answer, Order

# Beyond this a scoring hangs: replay and hidden tests have limits of their own, which are far below.
LONGEST = 3600.0


async def score_run(order: Order) -> Answer:
    """Score a run in a process of its own. However that ends, the answer says so; cancelling kills it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "rigorbench.bench.finish",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONGEST):
            out, err = await process.communicate(msgspec.json.encode(order))
    except TimeoutError:
        return Answer(f"scoring took longer than {LONGEST:.0f} s and was stopped")
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # Until it is gone it may still write into the run's directory.
            await asyncio.shield(process.wait())
    try:
        return msgspec.json.decode(out, type=Answer)
    except msgspec.DecodeError:
        last = err.decode("utf-8", "replace").strip().splitlines()
        return Answer(f"scoring died (status {process.returncode}{': ' + last[-1][:200] if last else ''})")


def order_for(run: Path, task: str, harness: str, agent: str, *, replay: bool) -> Order:
    return Order(str(run), task, harness, agent, replay)
