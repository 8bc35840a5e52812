"""What judging costs, and how well it measures; in one run, interleaved, so that load falls on all alike.

    python benchmarks/judge.py [--rounds N] [--json FILE] [--only overhead|throughput|accuracy]

Overhead: a C program that adds two numbers, run by a bare spawn, in a bubblewrap of its own, by runexec (BenchExec,
where installed), by isolate (where installed) and as a test point of a judge, comparison included. Wall clock and CPU
of everything that takes part: this process, the sandbox's own processes and the program.
Throughput: submissions with 10 test points each, compiled anew and taken from the cache.
Accuracy: CPU time and peak memory of programs that work, fork, start threads and hold memory, beside runexec's.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rigorbench.judge.build.compile import build
from rigorbench.judge.engine import Judge, JudgeSettings
from rigorbench.judge.engine.cells import SubmissionCells
from rigorbench.judge.engine.checking import Job
from rigorbench.judge.engine.resources import machine
from rigorbench.judge.engine.trial import run_trial
from rigorbench.judge.problems.problem import BuildKind, Case, PointGroup, PointLimits, Problem
from rigorbench.judge.submission import from_bytes

_FIRST = [min(os.sched_getaffinity(0))]
ADD = """#include <stdio.h>
int main(void) { int a, b; if (scanf("%d%d", &a, &b) != 2) return 1; printf("%d\\n", a + b); return 0; }
"""
PROGRAMS = {
    "1 s of CPU": """
int main(void) { volatile unsigned x = 1; for (unsigned long i = 0; i < 1300000000UL; i++) x = x * 5 + 1; return 0; }
""",
    "4 processes": """
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (int p = 0; p < 4; p++) if (fork() == 0) {
        volatile unsigned x = 1; for (unsigned long i = 0; i < 250000000UL; i++) x = x * 5 + 1; _exit(0);
    }
    while (wait(0) > 0) {}
    return 0;
}
""",
    "4 threads": """
#include <pthread.h>
static void *work(void *a) { volatile unsigned x = 1; for (unsigned long i = 0; i < 250000000UL; i++) x = x * 5 + 1;
    return a; }
int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0); return 0; }
""",
    "100 MiB": """
#include <stdlib.h>
#include <string.h>
int main(void) { size_t n = 100UL << 20; char *volatile p = malloc(n); memset(p, 1, n);
    return p[n / 2] - 1; }
""",
    "400 MiB": """
#include <stdlib.h>
#include <string.h>
int main(void) { size_t n = 400UL << 20; char *volatile p = malloc(n); memset(p, 1, n);
    return p[n / 2] - 1; }
""",
    "8 processes of 40 MiB": """
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int ready[2], go[2]; char c;
    if (pipe(ready) || pipe(go)) return 1;
    for (int p = 0; p < 8; p++) if (fork() == 0) {
        size_t n = 40UL << 20; char *volatile m = malloc(n); memset(m, 1, n);
        if (write(ready[1], "x", 1) != 1) _exit(1);
        if (read(go[0], &c, 1) != 1) _exit(1);
        _exit(m[n / 2] - 1);
    }
    for (int p = 0; p < 8; p++) if (read(ready[0], &c, 1) != 1) return 1;
    if (write(go[1], "xxxxxxxx", 8) != 8) return 1;
    while (wait(0) > 0) {}
    return 0;
}
""",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", choices=("overhead", "throughput", "accuracy"))
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    result: dict[str, Any] = {"machine": machine("c"), "load": os.getloadavg()[0], "rounds": args.rounds}
    with tempfile.TemporaryDirectory(prefix="rigor-benchmark-") as directory:
        place = Path(directory)
        if args.only in (None, "overhead"):
            result["overhead"] = overhead(place, args.rounds)
        if args.only in (None, "throughput"):
            result["throughput"] = throughput(place)
        if args.only in (None, "accuracy"):
            result["accuracy"] = accuracy(place, max(5, args.rounds // 10))
    show(result)
    if args.json is not None:
        args.json.write_text(json.dumps(result, indent=1) + "\n")


def problem(place: Path, points: int = 10) -> Problem:
    place.mkdir()
    (place / "data").mkdir()
    cases = []
    for number in range(points):
        (place / "data" / f"{number}.in").write_text(f"{number} {number}\n")
        (place / "data" / f"{number}.ans").write_text(f"{2 * number}\n")
        cases.append(Case(f"secret/{number}", place / "data" / f"{number}.in", place / "data" / f"{number}.ans"))
    group = PointGroup("secret", tuple(cases), full=100.0)
    limits = PointLimits(time=10.0, memory=1 << 30)
    return Problem(
        "add", "Add", place, str(place), "", (group,), limits=limits, build=BuildKind("source", languages=("c", "cpp"))
    )


def overhead(place: Path, rounds: int) -> dict[str, dict[str, float]]:
    task = problem(place / "overhead")
    case = task.groups[0].cases[0]
    submission = from_bytes("add.c", ADD.encode(), place / "add", language="c")
    source, program = place / "add.c", place / "add.bin"
    source.write_text(ADD)
    subprocess.run(["gcc", "-O2", "-o", program, source], check=True)
    ways: dict[str, Callable[[], float]] = {
        "bare spawn": lambda: spawn([str(program)], case.input),
        "bwrap anew": lambda: spawn([*bwrap(program), "/code"], case.input),
    }
    executor = runexec()
    if executor is not None:
        ways["runexec (in process)"] = lambda: execute(executor, [str(program)], case.input, place)[0]
    if shutil.which("isolate"):
        subprocess.run(["isolate", "--init"], check=True, stdout=subprocess.DEVNULL)
        ways["isolate"] = lambda: spawn(
            ["isolate", "--run", "--dir=/code=" + str(place), "--", "/code/add.bin"], case.input
        )
    times: dict[str, list[float]] = {}
    used: dict[str, list[float]] = {}
    with Judge(JudgeSettings(slots=1)) as judge:
        built = build(task, submission)
        cells = SubmissionCells(judge.workspace, False, judge.idle_cells)
        job = Job(task, task.groups[0], case, judge.tools(task, 0))
        cell = cells.of(0, built.programs[""])

        def point() -> float:
            trial = run_trial(job, built.programs[""], cell, judge.slot_tools[0])
            assert trial.point.verdict == "accepted", trial
            return trial.point.usage.cpu or 0.0

        ways["judge, test point"] = point
        for number in range(rounds + 3):
            for name, way in ways.items():
                before, started = cpu(), time.perf_counter()
                # The program's own CPU where it is not among our children.
                extra = way()
                wall = time.perf_counter() - started
                if number >= 3:
                    times.setdefault(name, []).append(wall)
                    used.setdefault(name, []).append(cpu() - before + extra)
        cells.close()
    return {
        name: {
            "wall_ms": statistics.median(times[name]) * 1e3,
            "wall_p90_ms": statistics.quantiles(times[name], n=10)[8] * 1e3,
            "cpu_ms": statistics.median(used[name]) * 1e3,
        }
        for name in ways
    }


def spawn(line: list[str], given: Path) -> float:
    with given.open("rb") as file:
        subprocess.run(line, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return 0.0


def bwrap(program: Path) -> list[str]:
    line = ["bwrap", "--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for name in ("/usr", "/lib", "/lib64", "/bin"):
        if os.path.islink(name):
            line += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            line += ["--ro-bind", name, name]
    return [*line, "--ro-bind", str(program), "/code", "--"]


def runexec() -> Any:
    try:
        from benchexec.runexecutor import RunExecutor
    except ImportError:
        return None
    return RunExecutor(use_namespaces=False)


def execute(executor: Any, line: list[str], given: Path | None, place: Path) -> tuple[float, Any]:
    """The program's CPU lies in a control group of its own, and it is a child of ours: counted there already."""
    with (given or Path(os.devnull)).open("rb") as file:
        # On one processor, as a test point: two threads of one core slow each other down.
        found = executor.execute_run(
            line, str(place / "runexec.out"), stdin=file, memlimit=1 << 30, hardtimelimit=60, cores=_FIRST
        )
    return 0.0, found


def cpu() -> float:
    """CPU seconds of this process, of its children that ended, and of those that live (the sandbox's own)."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
    todo = [os.getpid()]
    while todo:
        for child in _children(todo.pop()):
            todo.append(child)
            with contextlib.suppress(OSError):
                total += int(Path(f"/proc/{child}/schedstat").read_text().split()[0]) / 1e9
    return total


def _children(pid: int) -> list[int]:
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += [int(word) for word in Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
    except OSError:
        pass
    return found


def throughput(place: Path, count: int = 12) -> dict[str, float]:
    """Submissions per second; several at a time, as a server judges them."""
    task = problem(place / "throughput")
    rates: dict[str, float] = {}
    with Judge() as judge:
        sources = [ADD + f"/* {time.time_ns()} {number} */\n" for number in range(count)]
        submissions = [
            from_bytes("add.c", source.encode(), place / f"s{number}", language="c")
            for number, source in enumerate(sources)
        ]
        for name in ("uncached", "cached", "cached again"):
            queue = list(submissions)

            def work(queue: list[Any] = queue) -> None:
                while True:
                    try:
                        submission = queue.pop()
                    except IndexError:
                        return
                    assert judge.judge(task, submission).verdict == "accepted"

            workers = [threading.Thread(target=work) for _ in range(judge.slots.count)]
            started = time.perf_counter()
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            rates[name] = count / (time.perf_counter() - started)
    return rates


def accuracy(place: Path, rounds: int) -> dict[str, dict[str, float | None]]:
    task = problem(place / "accuracy", 1)
    executor = runexec()
    found: dict[str, dict[str, float | None]] = {}
    with Judge(JudgeSettings(slots=1)) as judge:
        job = Job(task, task.groups[0], task.groups[0].cases[0], judge.tools(task, 0))
        for name, text in PROGRAMS.items():
            slug = name.replace(" ", "-")
            submission = from_bytes("main.c", text.encode(), place / slug, language="c")
            program = build(task, submission).programs[""]
            binary = place / f"{slug}.bin"
            (place / f"{slug}.c").write_text(text)
            subprocess.run(["gcc", "-O2", "-pthread", "-o", binary, place / f"{slug}.c"], check=True)
            ours: list[tuple[float, int]] = []
            theirs: list[tuple[float, int]] = []
            cells = SubmissionCells(judge.workspace, False, judge.idle_cells)
            for _ in range(rounds):
                usage = run_trial(job, program, cells.of(0, program), judge.slot_tools[0]).point.usage
                ours.append((usage.cpu or 0.0, usage.memory or 0))
                if executor is not None:
                    seen = execute(executor, [str(binary)], None, place)[1]
                    theirs.append((float(seen["cputime"]), int(seen["memory"])))
            cells.close()
            # Of CPU time the least: other work on the machine makes the same instructions take longer, never shorter.
            cpu_ours, memory_ours = min(cpu for cpu, _ in ours), statistics.median(memory for _, memory in ours)
            entry: dict[str, float | None] = {
                "cpu": cpu_ours,
                "memory": memory_ours,
                "cpu_ratio": None,
                "memory_ratio": None,
            }
            if theirs:
                cpu_theirs = min(cpu for cpu, _ in theirs)
                memory_theirs = statistics.median(memory for _, memory in theirs)
                # Below some milliseconds and some hundred kilobytes a ratio says nothing.
                entry["cpu_ratio"] = cpu_ours / cpu_theirs if cpu_theirs > 0.05 else None
                entry["memory_ratio"] = memory_ours / memory_theirs if memory_theirs > 16 << 20 else None
            found[name] = entry
    return found


def show(result: dict[str, Any]) -> None:
    print(f"{result['machine'].get('cpu')}, {result['machine'].get('cores')} cores, load {result['load']:.1f}")
    if "overhead" in result:
        print(f"\n{'per test point, ms':28}{'wall':>8}{'p90':>8}{'CPU':>8}   (medians of {result['rounds']})")
        for name, row in result["overhead"].items():
            print(f"{name:28}{row['wall_ms']:8.1f}{row['wall_p90_ms']:8.1f}{row['cpu_ms']:8.1f}")
    if "throughput" in result:
        print("\nsubmissions per second, 10 test points each")
        for name, rate in result["throughput"].items():
            print(f"{name:28}{rate:8.1f}")
    if "accuracy" in result:
        print(f"\n{'measured':28}{'CPU s':>8}{'MiB':>8}{'/runexec CPU':>14}{'memory':>8}")
        for name, row in result["accuracy"].items():
            ratios = [f"{row[key]:.3f}" if row[key] is not None else "-" for key in ("cpu_ratio", "memory_ratio")]
            print(f"{name:28}{row['cpu']:8.3f}{row['memory'] / (1 << 20):8.1f}{ratios[0]:>14}{ratios[1]:>8}")


if __name__ == "__main__":
    main()
