"""Megabytes of log per second of CPU: the parsers as a floor, other converters beside us, and the whole of our work.

Every contender reads every file from disk (the page cache) in this process, one file after the other; the collector
runs as it does in the program. Rounds alternate between the contenders, and the median is reported.
"""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import corpora
import orjson

from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.evidence.walk.extract import extract
from rigorbench.session.logfile import COLLECT_EVERY, LogError, LogFile
from rigorbench.session.registry import detect, discover, read_log

Work = Callable[[Path], None]


def stdlib(path: Path) -> None:
    _each_line(path, json.loads)


def with_orjson(path: Path) -> None:
    _each_line(path, orjson.loads)


def _each_line(path: Path, decode: Callable[[bytes], object]) -> None:
    for line in path.read_bytes().split(b"\n"):
        if line:
            try:
                decode(line)
            except ValueError:  # the real logs have a few damaged lines
                continue


def read(path: Path) -> None:
    read_log(LogFile(path))


def read_extract(path: Path) -> None:
    for trajectory in read_log(LogFile(path)):
        extract(trajectory)


def read_extract_review(path: Path) -> None:
    """What ``rigor score`` does, but for printing."""
    for trajectory in read_log(LogFile(path)):
        score_and_review(trajectory, measure=False)


def read_extract_review_score(path: Path) -> None:
    """The same with the paper's sub-metrics."""
    for trajectory in read_log(LogFile(path)):
        score_and_review(trajectory)


CONTENDERS: dict[str, Work] = {
    "json.loads": stdlib,
    "orjson.loads": with_orjson,
    "rigor: read": read,
    "rigor: read + evidence": read_extract,
    "rigor: read + evidence + review": read_extract_review,
    "rigor: with the paper's sub-metrics": read_extract_review_score,
}


def forget() -> None:
    """Empty every bounded cache of ours, so that no round profits from the one before."""
    for name, module in list(sys.modules.items()):
        if name.startswith("rigorbench"):
            for value in list(vars(module).values()):
                parameters = getattr(value, "cache_parameters", None)
                if parameters is not None and parameters()["maxsize"] is not None:
                    value.cache_clear()


def seconds(work: Work, paths: list[Path]) -> float:
    forget()
    start = time.process_time()
    for path in paths:
        work(path)
    return time.process_time() - start


def measure(work: dict[str, Work], paths: list[Path], runs: int, atif_make: str | None) -> dict[str, list[float]]:
    """CPU seconds of each round by contender, in order of the table."""
    gc.set_threshold(COLLECT_EVERY)
    for task in work.values():
        task(paths[0])  # imports, grammars, expressions compiled at first use
    found: dict[str, list[float]] = {name: [] for name in work}
    other: list[float] = []
    for _ in range(runs):
        for name, task in work.items():
            found[name].append(seconds(task, paths))
        if atif_make is not None:
            other.append(_atif_make_seconds(atif_make, paths))
    if other:
        found["atif-make: convert"] = other
    return found


def _atif_make_seconds(python: str, paths: list[Path]) -> float:
    worker = Path(__file__).with_name("atif_make_worker.py")
    text = "\n".join(str(p.resolve()) for p in paths)
    done = subprocess.run([python, str(worker)], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"atif-make: {done.stderr.strip().splitlines()[-1]}")
    return float(done.stdout)


def atif_make_python(directory: Path) -> str:
    """The interpreter of a virtual environment that holds atif-make, made here when it is missing."""
    python = directory / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(directory)], check=True)
        # It asks for a later Python than it needs.
        command = [str(python), "-m", "pip", "install", "--quiet", "--ignore-requires-python", "atif-make"]
        subprocess.run(command, check=True)
    return str(python)


def by_format(places: list[Path]) -> dict[str, list[Path]]:
    """The logs under these places that are single files, by format; each content once."""
    found: dict[str, dict[bytes, Path]] = {}
    for log in discover(str(p) for p in places if p.exists()):
        if not isinstance(log, LogError) and log.path is not None and log.path.is_file():
            reader = detect(log)
            if reader is not None:
                found.setdefault(reader.format, {}).setdefault(log.path.read_bytes(), log.path)
    return {name: list(paths.values()) for name, paths in sorted(found.items())}


def as_json(path: Path) -> None:
    """The floor: the same bytes as JSON values, of a whole document or of lines."""
    content = path.read_bytes()
    try:
        orjson.loads(content)
    except orjson.JSONDecodeError:
        with_orjson(path)


def formats(places: list[Path], runs: int) -> None:
    """A table of all formats, measured in turn in one run: the median rate of each stage, orjson as the floor."""
    logs = by_format(places)
    stages = {
        "orjson": as_json,
        "read": read,
        "+ evidence": read_extract,
        "+ review": read_extract_review,
        "+ sub-metrics": read_extract_review_score,
    }
    gc.set_threshold(COLLECT_EVERY)
    times: dict[tuple[str, str], list[float]] = {}
    for paths in logs.values():
        read_extract_review_score(paths[0])  # imports, grammars, expressions compiled at first use
    for _ in range(runs):
        for name, paths in logs.items():
            for stage, work in stages.items():
                times.setdefault((name, stage), []).append(seconds(work, paths))
    print(f"All formats, MB per CPU second, median of {runs} rounds\n")
    print(f"| format | logs | MB | {' | '.join(stages)} |\n|---|---:|---:|{'---:|' * len(stages)}")
    for name, paths in logs.items():
        size = corpora.total_megabytes(paths)
        rates = [size / max(statistics.median(times[name, stage]), 1e-9) for stage in stages]
        print(f"| {name} | {len(paths)} | {size:.1f} | {' | '.join(f'{rate:.0f}' for rate in rates)} |")
    sys.stdout.flush()


def command(data: Path, more: list[Path], runs: int, megabytes: float, atif_make: Path | None) -> None:
    formats([data, data.parent / "labelled" / "logs", *more], runs)
    python = atif_make_python(atif_make) if atif_make is not None else None
    with tempfile.TemporaryDirectory() as name:
        claude = corpora.claude_logs(data)
        sources = corpora.codex_logs(data)
        codex = corpora.codex_corpus(sources, Path(name), megabytes) if sources else []
        tables = {
            f"Claude Code: {len(claude)} real sessions, {corpora.total_megabytes(claude):.1f} MB": claude,
            f"Codex: {len(sources)} rollouts copied with fresh ids and names to {len(codex)}, "
            f"{corpora.total_megabytes(codex):.1f} MB": codex,
        }
        for title, paths in tables.items():
            if not paths:
                print(f"{title}: no logs under {data}", file=sys.stderr)
                continue
            size = corpora.total_megabytes(paths)
            print(f"\n{title}; median of {runs} rounds\n\n| | MB per CPU s | slowest .. fastest |\n|---|---:|---:|")
            for contender, times in measure(CONTENDERS, paths, runs, python).items():
                rates = sorted(size / t for t in times)
                print(f"| {contender} | {statistics.median(rates):.0f} | {rates[0]:.0f} .. {rates[-1]:.0f} |")
            sys.stdout.flush()
    if python is None:
        print("\natif-make was left out; --atif-make DIR makes a virtual environment for it there and runs it beside.")
