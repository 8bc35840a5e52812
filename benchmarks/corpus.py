"""Scoring a corpus into tables: peak memory over the number of logs, and logs per second over workers and executors.

    python benchmarks/corpus.py make DIR --count 20000         the corpus alone
    python benchmarks/corpus.py memory --counts 2000 20000     peak memory of `rigor corpus`, one worker
    python benchmarks/corpus.py throughput --count 3000        processes and Ray, 1 and 2 workers

The corpus is synthetic: real logs again and again, each copy with fresh ids and names of its own. Every figure is of
the command as a user starts it; the load of the machine is printed beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import corpora
from peaks import Peaks

from rigorbench.session.logfile import LogError
from rigorbench.session.registry import discover

RIGOR = [sys.executable, "-c", "import sys; from rigorbench.cli import main; sys.exit(main())"]
# Logs in a directory.
_FOLDER = 200


def sources(places: list[Path], largest: int) -> list[Path]:
    """The logs under these places that are single files, up to a size in bytes; each content once."""
    found: dict[bytes, Path] = {}
    for log in discover([str(p) for p in places if p.exists()]):
        if not isinstance(log, LogError) and log.path is not None and log.path.is_file():
            content = log.path.read_bytes()
            if len(content) <= largest and not content.startswith(b"SQLite"):
                found.setdefault(content, log.path)
    return list(found.values())


def make(paths: list[Path], target: Path, count: int) -> float:
    """A corpus of ``count`` logs in ``target``; its size in megabytes."""
    contents = [(p.name, p.read_bytes()) for p in paths]
    size = 0
    for number in range(count):
        name, content = contents[number % len(contents)]
        # As bytes of text; a log in another encoding is copied as it is.
        data = corpora.numbered(corpora.fresh(content, number, keep=None), number)
        folder = target / f"{number // _FOLDER:05d}"
        if number % _FOLDER == 0:
            folder.mkdir(parents=True)
        (folder / f"{number:07d}-{name}").write_bytes(data)
        size += len(data)
    return size / 1e6


class Run:
    """One run of the command: its summary, wall seconds, and peaks of resident memory in MB of itself and of its
    largest child (processes only: those of Ray are not its children)."""

    def __init__(self, logs: Path, out: Path, *arguments: str) -> None:
        command = [*RIGOR, "corpus", str(logs), "--out", str(out), "--json", *arguments]
        with tempfile.TemporaryFile() as answer:
            start = time.perf_counter()
            process = subprocess.Popen(command, stdout=answer)
            peaks = Peaks()
            while process.poll() is None:
                peaks.look(process.pid)
                time.sleep(0.2)
            self.wall = time.perf_counter() - start
            self.own, self.largest = peaks.own >> 20, peaks.largest >> 20
            answer.seek(0)
            self.summary = json.loads(answer.read() or b"{}")


def memory(paths: list[Path], counts: list[int]) -> None:
    print("| logs | MB of logs | found in s | scored in s | logs/s | peak MB, rigor | peak MB, worker | run again, s |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            logs, out = Path(name, "logs"), Path(name, "out")
            size = make(paths, logs, count)
            run = Run(logs, out, "--jobs", "1")
            again = Run(logs, out, "--jobs", "1")
            assert again.summary["skipped"] == run.summary["logs"] == count
            seconds = run.summary["seconds"]
            print(
                f"| {count:,} | {size:,.0f} | {run.wall - seconds:.1f} | {seconds:,.0f} | {count / seconds:.1f} "
                f"| {run.own} | {run.largest} | {again.wall:.1f} |",
                flush=True,
            )


def throughput(paths: list[Path], count: int, rounds: int) -> None:
    print(f"{count:,} logs; median of {rounds}; load of the machine before: {os.getloadavg()[0]:.1f}\n")
    print("| executor | workers | logs/s (Ray: with its start) | whole command, s | load |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        logs = Path(name, "logs")
        make(paths, logs, count)
        cases = [(executor, jobs) for executor in ("processes", "ray") for jobs in (1, 2)]
        times: dict[tuple[str, int], list[tuple[float, float]]] = {case: [] for case in cases}
        for number in range(rounds):
            for executor, jobs in cases:
                out = Path(name, f"{executor}-{jobs}-{number}")
                run = Run(logs, out, "--jobs", str(jobs), "--executor", executor)
                times[executor, jobs].append((run.wall, run.summary["seconds"]))
        for (executor, jobs), found in times.items():
            wall, seconds = sorted(found)[len(found) // 2]
            load = os.getloadavg()[0]
            print(f"| {executor} | {jobs} | {count / seconds:.1f} | {wall:.1f} | {load:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=corpora.DATA, help="directory of real logs")
    parser.add_argument("--largest", type=int, default=100_000, help="leave out logs of more bytes")
    commands = parser.add_subparsers(dest="what", required=True)
    made = commands.add_parser("make")
    made.add_argument("target", type=Path)
    made.add_argument("--count", type=int, default=20_000)
    of_memory = commands.add_parser("memory")
    of_memory.add_argument("--counts", type=int, nargs="+", default=[2_000, 20_000])
    of_throughput = commands.add_parser("throughput")
    of_throughput.add_argument("--count", type=int, default=3_000)
    of_throughput.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    paths = sources([args.data, corpora.SAMPLES, Path(__file__).parents[1] / "tests" / "data"], args.largest)
    if not paths:
        raise SystemExit(f"no logs under {args.data}")
    print(f"{len(paths)} real logs of up to {args.largest / 1e3:.0f} kB, repeated", file=sys.stderr)
    if args.what == "make":
        print(f"{make(paths, args.target, args.count):,.0f} MB in {args.target}")
    elif args.what == "memory":
        memory(paths, args.counts)
    else:
        throughput(paths, args.count, args.rounds)


if __name__ == "__main__":
    main()
