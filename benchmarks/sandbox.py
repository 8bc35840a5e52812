"""What the sandbox costs: start, one command, stop; beside bubblewrap started anew for each command.

    python benchmarks/sandbox.py [ROUNDS]

Medians and 90th percentiles of wall clock, in milliseconds, with the load of the machine at the beginning.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from rigorbench.sandbox.box import layout
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec
from rigorbench.sandbox.kit import bwrap

Times = dict[str, list[float]]


async def clock(times: Times, name: str, work: Callable[[], Awaitable[object]]) -> object:
    begun = time.perf_counter()
    result = await work()
    times.setdefault(name, []).append((time.perf_counter() - begun) * 1e3)
    return result


async def boxes(times: Times, rounds: int, base: Path, capture: bool) -> None:
    mark = " (recorded)" if capture else ""
    for number in range(rounds):
        place = base / f"{number}{'c' if capture else ''}"
        spec = BoxSpec(str(place), capture=str(place / "run") if capture else None)
        begun = time.perf_counter()
        box = await Box.start(spec)
        times.setdefault("start" + mark, []).append((time.perf_counter() - begun) * 1e3)
        await box.exec(["true"])
        for _ in range(5):
            await clock(times, "command: true" + mark, partial(box.exec, ["true"]))
            await clock(times, "command: sh -c 'true; exit'" + mark, partial(box.exec, ["sh", "-c", "true; exit"]))
        await clock(times, "write a file" + mark, partial(box.write, "f", b"x" * 1000))
        await clock(times, "read it" + mark, partial(box.read, "f"))
        await clock(times, "stop" + mark, box.stop)


def plain(times: Times, rounds: int, base: Path) -> None:
    """The same mounts and namespaces, made for one command and thrown away."""
    spec = BoxSpec(str(base / "plain"))
    root = bwrap.privileged()
    layout.prepare(spec, layout.UID if root else None)
    line = layout.view(spec, [], user_namespace=not root).command(["/usr/bin/true"])
    for _ in range(rounds * 2):
        begun = time.perf_counter()
        subprocess.run(line, check=True)
        times.setdefault("bwrap anew: true", []).append((time.perf_counter() - begun) * 1e3)
    for _ in range(rounds * 2):
        begun = time.perf_counter()
        subprocess.run(["/usr/bin/true"], check=True)
        times.setdefault("no sandbox: true", []).append((time.perf_counter() - begun) * 1e3)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    times: Times = {}
    with tempfile.TemporaryDirectory(prefix="rigor-benchmark-") as directory:
        base = Path(directory)
        begun = time.perf_counter()
        asyncio.run(boxes({}, 1, base / "first", False))
        first = (time.perf_counter() - begun) * 1e3
        print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, {rounds} rounds, uid {os.geteuid()}")
        print(f"first sandbox of a process, from nothing to stopped: {first:.0f} ms")
        asyncio.run(boxes(times, rounds, base, False))
        asyncio.run(boxes(times, rounds, base, True))
        plain(times, rounds, base)
    print(f"{'':44}{'median':>8}{'p90':>8}  ms")
    for name, values in times.items():
        tenths = statistics.quantiles(values, n=10)
        print(f"{name:44}{statistics.median(values):8.1f}{tenths[8]:8.1f}")


if __name__ == "__main__":
    main()
