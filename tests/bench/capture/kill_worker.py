"""A run with a steady stream of commands, to be killed from outside. Prints what it was told, as it is told."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from rigorbench.base import journal
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def main(directory: Path) -> None:
    box = await Box.start(BoxSpec(directory=str(directory / "box"), capture=str(directory / "run")))
    await box.record(journal.RunRecord(time.time(), schema=journal.SCHEMA, id="run", root="/work"))
    await box.snapshot("start")
    say(f"ready {box.pid}")
    for number in range(10_000):
        script = f"echo {number} > f; echo said-{number}; (sleep 100 &) ; git add f; git commit -qm {number}"
        done = await box.exec(["bash", "-c", script], tag=str(number))
        say(f"exec {number} {done.status}")
        tree = await box.snapshot("model")
        say(f"tree {number} {tree}")
        await box.record(journal.Note(time.time(), "step", {"number": number}))
        say(f"note {number}")


asyncio.run(main(Path(sys.argv[1])))
