"""What recording costs: the same commands in a sandbox with and without capture, one session of each in turn.

`python benchmarks/capture.py [--rounds N] [--files N]`. The session is that of a developer in a repository of 300
files: reading, searching, editing, running single test files and the whole suite, looking at git, committing; one test
fails on the way. No agent and no model is in it, so there is no thinking time that would make the share look smaller.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from rigorbench.base import journal
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec
from rigorbench.sandbox.kit.toolchain import Toolchain, toolchain

MODULE = '''\
"""Stock keeping, part {number}."""


def reserve(stock, item, count):
    if stock.get(item, 0) < count:
        raise KeyError(item)
    return {{**stock, item: stock[item] - count}}


def total(stock):
    return sum(stock.values()) + {number} - {number}
'''
TEST = """\
import pytest

from shop.part{number} import reserve, total


@pytest.mark.parametrize("count", range(20))
def test_reserve(count):
    assert reserve({{"a": 20}}, "a", count)["a"] == 20 - count


def test_missing():
    with pytest.raises(KeyError):
        reserve({{}}, "a", 1)


def test_total():
    assert total({{"a": 1, "b": 2}}) == 3
"""
COMMANDS = [
    "ls -la && git log --oneline | head",
    "cat README.md shop/part0.py",
    "grep -rn 'def reserve' shop | head -20",
    "python -m pytest -q tests/test_part0.py",
    "cat tests/test_part1.py && git status --short",
    "sed -i 's/raise KeyError(item)/raise LookupError(item)/' shop/part1.py",
    "python -m pytest -q tests/test_part1.py",
    "printf '\\n\\ndef release(stock, item, n):\\n    return stock | {item: stock[item] + n}\\n' >> shop/part2.py",
    "python -m pytest -q",
    "git diff && git add -A && git commit -qm 'Releases stock again'",
    "cat > tests/test_release.py <<'END'\nfrom shop.part2 import release\n\n\ndef test_release():\n"
    "    assert release({'a': 1}, 'a', 2) == {'a': 3}\nEND",
    "python -m pytest -q tests/test_release.py",
    "python - <<'END'\nfrom pathlib import Path\nfor p in sorted(Path('shop').glob('part1*.py')):\n"
    "    p.write_text(p.read_text().replace('Stock keeping', 'Keeps stock'))\nEND",
    "git status --short && git diff --stat",
    "python -m pytest -q -x tests/test_part10.py tests/test_part11.py",
    "python -m compileall -q shop",
    "git add -A && git commit -qm 'Words' && git log --stat -2 | head -40",
    "find . -name '*.py' -not -path './.git/*' | xargs wc -l | tail -1",
    "python -m pytest -q",
    "sed -i 's/LookupError(item)/KeyError(item)/' shop/part1.py && python -m pytest -q tests/test_part1.py",
    'for n in 1 2 3 4 5; do python -c "import shop.part$n"; done',
    "git diff HEAD~1 --stat; git stash -q; git stash pop -q; git status --short",
    "rm -rf .pytest_cache && python -m pytest -q",
    "git add -A && git commit -qm 'The old error again'",
    "git log --oneline | wc -l",
]


def make_repository(root: Path, files: int) -> None:
    parts = files // 3
    for number in range(parts):
        for name, content in (
            (f"shop/part{number}.py", MODULE),
            (f"tests/test_part{number}.py", TEST),
            (f"docs/part{number}.md", "# Part {number}\n\nKeeps stock.\n" * 20),
        ):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content.format(number=number))
    (root / "shop" / "__init__.py").write_text("")
    (root / "README.md").write_text("# Shop\n")
    (root / ".gitignore").write_text("*.pyc\n__pycache__/\n.pytest_cache/\n")
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\n")


def supervisor_seconds(init: int) -> float:
    """CPU time so far of the process that started bubblewrap, itself the parent of process 1."""
    pid = init
    for _ in range(2):
        pid = int(fields(pid)[1])
    return sum(int(ticks) for ticks in fields(pid)[11:13]) / os.sysconf("SC_CLK_TCK")


def fields(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


async def session(directory: Path, repository: Path, tools: Toolchain, capture: bool) -> tuple[list[float], float]:
    """Wall seconds of each command, and CPU seconds of the sandbox's supervisor, the process that records."""
    spec = BoxSpec(
        directory=str(directory / "box"),
        binds=tools.binds,
        env=(("PATH", tools.path), ("PYTHONDONTWRITEBYTECODE", "")),
        decoys=("/tests",),
        capture=str(directory / "run") if capture else None,
    )
    (directory / "box").mkdir(parents=True)
    shutil.copytree(repository, directory / "box" / "work")
    box = await Box.start(spec)
    try:
        set_up = "git init -q && git add -A && git commit -qm start"
        done = await box.exec(["bash", "-c", set_up], origin="engine")
        if done.status:
            raise SystemExit(
                f"benchmarks/capture.py: the repository could not be set up: {done.stderr.decode()[-300:]}"
            )
        await box.record(journal.RunRecord(time.time(), schema=journal.SCHEMA, id="benchmark", root=spec.root))
        await box.snapshot("start")
        before = supervisor_seconds(box.pid)
        times = []
        for number, command in enumerate(COMMANDS):
            start = time.perf_counter()
            done = await box.exec(["bash", "-c", command], tag=str(number))
            times.append(time.perf_counter() - start)
            if done.status > 1:  # 1: a test failed
                raise SystemExit(f"benchmarks/capture.py: {command!r} failed: {(done.stdout + done.stderr)[-500:]!r}")
        return times, supervisor_seconds(box.pid) - before
    finally:
        await box.stop(journal.End(time.time(), "completed"))


async def measure(rounds: int, files: int, tools: Toolchain, scratch: Path) -> None:
    repository = scratch / "repository"
    make_repository(repository, files)
    walls: dict[bool, list[list[float]]] = {False: [], True: []}
    cpu: dict[bool, list[float]] = {False: [], True: []}
    for number in range(rounds + 1):
        order = (False, True) if number % 2 else (True, False)
        for capture in order:
            directory = scratch / f"{number}-{capture}"
            times, seconds = await session(directory, repository, tools, capture)
            if number:  # the first round warms the caches
                walls[capture].append(times)
                cpu[capture].append(seconds)
            if number < rounds or not capture:
                shutil.rmtree(directory)
    report(walls, cpu, scratch / f"{rounds}-True" / "run", files)


def report(walls: dict[bool, list[list[float]]], cpu: dict[bool, list[float]], run: Path, files: int) -> None:
    kinds = Counter(json.loads(line)["type"] for line in (run / journal.JOURNAL).read_bytes().splitlines())
    size = (run / journal.JOURNAL).stat().st_size
    store = int(subprocess.run(["du", "-sk", str(run)], capture_output=True, text=True, check=True).stdout.split()[0])
    totals = {capture: [sum(times) for times in sessions] for capture, sessions in walls.items()}
    ratios = [with_ / without for without, with_ in zip(totals[False], totals[True], strict=True)]
    best = {capture: sum(min(column) for column in zip(*sessions, strict=True)) for capture, sessions in walls.items()}
    middle = {c: sum(statistics.median(column) for column in zip(*s, strict=True)) for c, s in walls.items()}
    print(
        f"{len(COMMANDS)} commands, repository of {files} files, {len(ratios)} rounds, load {os.getloadavg()[0]:.1f}\n"
    )
    print("| wall seconds of the session | without | with capture | more |\n|---|---:|---:|---:|")
    rows = {
        "median of the sessions": (statistics.median(totals[False]), statistics.median(totals[True])),
        "sum of the commands' medians": (middle[False], middle[True]),
        "sum of the commands' fastest": (best[False], best[True]),
    }
    more = min(cpu[True]) - min(cpu[False])
    for name, (without, with_) in rows.items():
        print(f"| {name} | {without:.2f} | {with_:.2f} | {100 * (with_ / without - 1):+.1f} % |")
    print(f"\nmedian of the {len(ratios)} paired ratios: {100 * (statistics.median(ratios) - 1):+.1f} %")
    print(f"CPU seconds of recording: {more:.2f}, {100 * more / best[False]:.1f} % of the fastest session without")
    print(f"recorded: {dict(sorted(kinds.items()))}; journal {size >> 10} KiB, all {store} KiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--files", type=int, default=300)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rigorbench-capture-") as scratch:
        tools = toolchain(Path(scratch) / "tools")
        asyncio.run(measure(args.rounds, args.files, tools, Path(scratch)))


if __name__ == "__main__":
    main()
