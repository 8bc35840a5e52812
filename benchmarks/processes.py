"""What whole runs of the command cost: wall time of a process, peak memory, and how both grow.

Every figure is of a child process as a user would start it. Byte code is cached, as after an installation: the cache is
in a temporary directory, and the first run, which fills it, does not count.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import corpora
from peaks import Peaks

RIGOR = [sys.executable, "-c", "import sys; from rigorbench.cli import main; sys.exit(main())"]


class Run:
    """One run of the command: wall seconds, and peaks of resident memory in bytes (``workers``: the largest one's)."""

    def __init__(self, arguments: list[str], cache: str, *, watch: bool = False) -> None:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        peaks = Peaks()
        with tempfile.TemporaryFile() as out:
            start = time.perf_counter()
            process = subprocess.Popen([*RIGOR, *arguments], stdout=out, env=environment)
            while watch and process.poll() is None:
                peaks.look(process.pid)
                time.sleep(0.1)
            self.status = process.wait()
            self.wall = time.perf_counter() - start
            self.own, self.workers = peaks.own, peaks.largest
            out.seek(0)
            digest = hashlib.sha256()
            self.lines = 0
            while chunk := out.read(1 << 20):
                digest.update(chunk)
                self.lines += chunk.count(b"\n")
            self.digest = digest.hexdigest()


def _mb(number: int) -> str:
    return f"{number / 1e6:.0f} MB"


def startup(data: Path, runs: int) -> None:
    logs = corpora.claude_logs(data)
    cases = [("rigor --help", ["--help"]), ("rigor --version", ["--version"])]
    if logs:
        log = corpora.ordinary(logs)
        size = f"a session of {log.stat().st_size / 1e6:.1f} MB"
        cases.append((f"rigor score ({size})", ["score", str(log)]))
        cases.append((f"rigor score --json ({size})", ["score", "--json", str(log)]))
        cases.append((f"rigor events --json ({size})", ["events", "--json", str(log)]))
    print(f"| whole process, median of {runs} | ms | fastest .. slowest |\n|---|---:|---:|")
    with tempfile.TemporaryDirectory() as cache:
        for name, arguments in cases:
            Run(arguments, cache)
            times = sorted(Run(arguments, cache).wall * 1000 for _ in range(runs))
            print(f"| `{name}` | {statistics.median(times):.0f} | {times[0]:.0f} .. {times[-1]:.0f} |")


def memory(data: Path, megabytes: float) -> None:
    source = corpora.densest(corpora.claude_logs(data))
    print(f"the lines of {source.name} again and again, with fresh ids\n")
    print("| one session | wall | peak memory |\n|---|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        log = corpora.long_claude_session(source, directory, megabytes)
        size = log.stat().st_size / 1e6
        for what, arguments in {
            "score --json": ["score", "--json", str(log)],
            "score --html": ["score", "--html", str(directory / "page.html"), str(log)],
            "events --json": ["events", "--json", str(log)],
        }.items():
            run = Run(arguments, str(directory / "cache"), watch=True)
            failed = "" if run.status == 0 else f" (exit status {run.status})"
            print(f"| `{what}`, {size:.0f} MB{failed} | {run.wall:.1f} s | {_mb(max(run.own, run.workers))} |")
            sys.stdout.flush()


def jobs(data: Path, runs: int) -> None:
    logs = corpora.claude_logs(data)
    size = corpora.total_megabytes(logs) * 4
    busy = os.getloadavg()[0]
    print(f"{len(os.sched_getaffinity(0))} cores, load {busy:.1f}; {len(logs)} sessions four times, {size:.0f} MB\n")
    print(f"| `rigor score --json`, best of {runs} | wall | against one process |\n|---|---:|---:|")
    digests: set[str] = set()
    first = 0.0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        corpora.many_small(logs, directory / "logs", 4 * len(logs))
        for count in (1, 2, 4):
            arguments = ["score", "--json", "--jobs", str(count), str(directory / "logs")]
            done = [Run(arguments, str(directory / "cache")) for _ in range(runs + 1)]
            digests.update(r.digest for r in done)
            wall = min(r.wall for r in done)  # whatever else the machine does only adds to it
            first = first or wall
            print(f"| `--jobs {count}` | {wall:.2f} s | {first / wall:.2f} |")
            sys.stdout.flush()
    print("\nthe output is the same byte for byte" if len(digests) == 1 else "\nTHE OUTPUTS DIFFER")


def stream(data: Path, counts: list[int]) -> None:
    print(
        "| sessions | found | wall | per session | the process | its largest worker |\n|---:|---:|---:|---:|---:|---:|"
    )
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            sources = corpora.smallest(corpora.codex_logs(data) + corpora.claude_logs(data), 8)
            corpora.many_small(sources, directory / "logs", count)
            run = Run(["score", "--json", str(directory / "logs")], str(directory / "cache"), watch=True)
            each = run.wall / count * 1000
            print(f"| {count} | {run.lines} | {run.wall:.0f} s | {each:.1f} ms | {_mb(run.own)} | {_mb(run.workers)} |")
            sys.stdout.flush()
