"""Replay of a captured run beside the naive way: every state checked out, built and tested, one after the other.

`python benchmarks/replay.py [--jobs N] [--states N] [--history CLONE [--end REVISION]]`. The run is one journal with
its store of trees, as the capture writes them: by default over a generated project, with `--history` over the last
states of a real repository's first-parent history. Both ways run in the same sandbox, and both must come to the same
verdict on every state: whether it builds, and the outcome of each test. Replay also measures coverage and takes changed
units back, which the naive way leaves out; its time is given for the verdicts alone and for everything.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rigorbench.api import extract, read
from rigorbench.base.journal import JOURNAL, SCHEMA, STORE
from rigorbench.bench.replay import sandbox
from rigorbench.bench.replay.captured import captured_snapshots, open_store
from rigorbench.bench.replay.run import replay
from rigorbench.bench.replay.runner import find_environment
from rigorbench.bench.replay.sandbox import CommandLimits, Mounts
from rigorbench.evidence.replayed import ReplayResult
from rigorbench.sandbox.kit.toolchain import PYTHON
from rigorbench.session.model import Trajectory

MODULES = 40
STARTED = 1_700_000_000.0
ROOT = "/work/project"
# The outcomes whose tests pytest's summary names in full.
SHOWN = ("passed", "failed", "error")
_OUTCOME = re.compile(r"^(PASSED|FAILED|ERROR) (\S+::\S+)", re.MULTILINE)

# One verdict: whether it builds, and the outcome of each test.
Verdict = tuple[bool, dict[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=80)
    parser.add_argument("--jobs", type=int, default=2, help="trees that replay works on at once")
    parser.add_argument("--history", type=Path, metavar="CLONE", help="a repository whose commits are the states")
    parser.add_argument("--end", default="HEAD", metavar="REVISION", help="the last state (with --history)")
    args = parser.parse_args()
    if (reason := sandbox.unavailable()) is not None:
        sys.exit(reason)
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory)
        repo = args.history or make_repository(base / "repo", args.states)
        session = read(capture(repo, args.end, args.states, base / "run"))[0]
        events = extract(session).events
        measured: list[float] = []

        def progress(what: str, done: int, total: int) -> None:
            if what != "trees" and not measured:
                measured.append(time.perf_counter())

        started = time.perf_counter()
        result = replay(session, events, cache_dir=base / "cache", jobs=args.jobs, progress=progress)
        ended = time.perf_counter()
        if result.unavailable is not None or result.snapshots is None:
            sys.exit(f"replay failed: {result.unavailable}")
        ours, all_of_it = (measured or [ended])[0] - started, ended - started
        started = time.perf_counter()
        theirs = naively(session, base)
        naive = time.perf_counter() - started
        found = verdicts(result)
        for number, (tree, verdict) in enumerate(theirs):
            if difference := differing(found[tree], verdict, set(result.flaky)):
                sys.exit(f"state {number} ({tree[:10]}): {difference}")
        started = time.perf_counter()
        replay(session, events, cache_dir=base / "cache", jobs=args.jobs)
        cached = time.perf_counter() - started
    tests = max(len(v[1]) for v in found.values())
    print(f"states {len(theirs)}, distinct trees {len(result.checked)}, tests {tests}, flaky {len(result.flaky)}")
    print(f"naive   {naive:7.2f} s  build and tests of every state")
    print(f"replay  {ours:7.2f} s  the same verdicts                        ratio {naive / ours:5.1f}")
    units = len(result.units or [])
    print(f"  all   {all_of_it:7.2f} s  and coverage, {units:2d} units taken back   ratio {naive / all_of_it:5.1f}")
    print(f"cached  {cached:7.2f} s  the same replay once more")


def differing(ours: Verdict, theirs: Verdict, flaky: set[str]) -> str:
    """In what two verdicts differ, "" if in nothing; flaky tests are set apart."""
    if ours[0] != theirs[0]:
        return f"replay says that it {'builds' if ours[0] else 'does not build'}, the naive way the contrary"
    names = sorted(t for t in {*ours[1], *theirs[1]} - flaky if ours[1].get(t) != theirs[1].get(t))
    return "; ".join(f"{t}: replay {ours[1].get(t)}, naively {theirs[1].get(t)}" for t in names[:3])


def git(repo: Path, *arguments: str, stamp: float = STARTED) -> str:
    date = f"{int(stamp)} +0000"
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_CONFIG_GLOBAL": os.devnull}
    command = ["git", "-C", str(repo), "-c", "user.name=B", "-c", "user.email=b@example.com", *arguments]
    return subprocess.run(command, check=True, env=env, capture_output=True, text=True).stdout


def capture(repo: Path, end: str, states: int, run: Path) -> Path:
    """A captured run whose states are the trees of the last commits, each made by a command of its own."""
    listed = git(repo, "rev-list", "--first-parent", f"--max-count={states + 1}", "--format=%T", end).split()
    trees = listed[2::3][::-1]  # "commit", its hash, its tree
    run.mkdir()
    git(run, "clone", "-q", "--bare", str(repo.absolute()), STORE)
    lines: list[dict[str, object]] = [
        {"type": "run", "schema": SCHEMA, "id": "benchmark", "root": ROOT, "start_tree": trees[0], "prompt": "Go on.",
         "scripted": True, "features": ["commands", "output", "trees", "models"]},
        {"type": "tree", "tree": trees[0], "cause": "start"},
    ]  # fmt: skip
    for number, tree in enumerate(trees[1:]):
        for kind, command in (("e", f"./edit {number}"), ("t", "python -m pytest -q")):
            name, before = f"{kind}{number}", f"t{number - 1}" if kind == "e" else f"e{number}"
            call = {"id": name, "name": "bash", "arguments": {"command": command}}
            lines += [
                {"type": "model", "id": name, "conversation": "main", "model": "scripted", "tools": 1,
                 "input": [{"role": "tool", "tool_call_id": before, "content": ""}],
                 "output": {"role": "assistant", "content": "", "tool_calls": [call]}},
                {"type": "command", "id": name, "pid": 1, "argv": ["bash", "-c", command], "cwd": ROOT},
                {"type": "exit", "id": name, "status": 0},
            ]  # fmt: skip
            if kind == "e":
                lines.append({"type": "tree", "tree": tree, "cause": "after", "command": name})
    rows = (json.dumps({"type": row.pop("type"), "time": STARTED + n, **row}) for n, row in enumerate(lines))
    (run / JOURNAL).write_text("".join(f"{row}\n" for row in rows))
    return run


def make_repository(repo: Path, states: int) -> Path:
    """A package of small modules, each with tests of its own, and one commit for each state."""
    files = {"shop/__init__.py": "", "pyproject.toml": "[project]\nname = 'shop'\n", "NOTES.md": "# Shop\n"}
    for n in range(MODULES):
        files[f"shop/part{n}.py"] = (
            f"def price(items):\n    return sum(items) + {n}\n\n\ndef label(name):\n    return name.strip() + '-{n}'\n"
        )
        files[f"tests/test_part{n}.py"] = (
            f"import pytest\n\nfrom shop.part{n} import label, price\n\n\n"
            f"@pytest.mark.parametrize('count', range(8))\ndef test_price(count):\n"
            f"    assert price([1] * count) == count + {n}\n\n\ndef test_label():\n    assert label(' a ') == 'a-{n}'\n"
        )
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    commit(repo, files, "start")
    for number in range(states):
        files.update(edited(number, files))
        commit(repo, files, f"state {number}")
    return repo


def commit(repo: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        path = repo / name
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", message)


def edited(number: int, files: dict[str, str]) -> dict[str, str]:
    """What a burst of edits changes: code, tests, notes, a break and its repair, a way back to an earlier state."""
    part, turn = (number // 8) * 3 % (MODULES - 2), number % 8
    code, tests = f"shop/part{part}.py", f"tests/test_part{part}.py"

    def new(path: str, old: str, text: str) -> dict[str, str]:
        return {path: files[path].replace(old, text)}

    if turn == 0:
        return new(code, f" + {part}", f" * 2 + {part}")  # red
    if turn == 1:
        return new(code, f" * 2 + {part}", f" + {part}")
    if turn == 2:
        return new(code, "name.strip()", "name.strip(")  # does not compile
    if turn == 3:
        return new(code, "name.strip(", "str(name).strip()")
    if turn == 4:
        return {tests.replace("test_", "test_more_"): more_tests(part)}
    if turn == 5:
        return {"NOTES.md": f"# Shop\n\nPart {part} takes any name.\n"}
    if turn == 6:
        return new(f"shop/part{part + 1}.py", "name.strip()", "str(name).strip()")
    return new(f"shop/part{part + 2}.py", "sum(items)", "sum(tuple(items))")


def more_tests(part: int) -> str:
    return f"from shop.part{part} import label\n\n\ndef test_any_label():\n    assert label(3) == '3-{part}'\n"


def naively(session: Trajectory, base: Path) -> list[tuple[str, Verdict]]:
    """(tree, verdict) of the start and of every state: a fresh directory, a fresh sandbox and a fresh Python each."""
    (base / "store").mkdir()
    with open_store(session, base / "store") as store:
        found = captured_snapshots(session, extract(session).events, store)
        environment = find_environment()
        trees = [found.start_tree, *(s.tree for s in found.states)]
        names = sorted(
            {p.split("/")[0] for p in store.files(trees[-1]) if re.fullmatch(r"(?!test)\w+/__init__\.py", p)}
        )
        build = f"{PYTHON} -m compileall -q . && {PYTHON} -c 'import {', '.join(names) or 'sys'}'"
        tests = f"{PYTHON} -m pytest -q -rA --continue-on-collection-errors -p no:cacheprovider"
        result = []
        for number, tree in enumerate(trees):
            work = base / f"naive{number}"
            work.mkdir()
            index = str(base / f"naive{number}.index")
            store.git("read-tree", "--reset", "-u", tree, extra={"GIT_WORK_TREE": str(work), "GIT_INDEX_FILE": index})
            mounts = Mounts(work, store.root, environment.binds)
            built = sandbox.run(build, mounts, env=environment.env, limits=CommandLimits())
            tested = sandbox.run(tests, mounts, env=environment.env, limits=CommandLimits())
            outcomes = {test: outcome.lower() for outcome, test in _OUTCOME.findall(tested.output)}
            result.append((tree, (built.exit_status == 0, outcomes)))
    return result


def verdicts(result: ReplayResult) -> dict[str, Verdict]:
    return {
        c.tree: (
            c.build.ok is True,
            {} if c.tests is None else {t: str(o) for t, o in c.tests.outcomes.items() if o in SHOWN},
        )
        for c in result.checked
    }


if __name__ == "__main__":
    main()
