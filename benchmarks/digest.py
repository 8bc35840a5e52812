"""The digest: its speed, and whether what decides a fact of a rated session is in it.

usage: python benchmarks/digest.py speed [--megabytes N]
       python benchmarks/digest.py repeat LOG [--megabytes N]
       python benchmarks/digest.py kept LOGS LABELS [FACTS] [--budget N]

``speed`` makes a session of that size out of a sample log. ``repeat`` writes the lines of a real log (JSON lines) again
and again, with new ids, and tells CPU seconds of each stage beside those of ``json.loads``. ``kept`` takes a directory
of logs, one of labels (events with their call or line), and one of facts, each with a JSON file for each log.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from rigorbench.api import extract, read
from rigorbench.review.reader.digest import digest
from rigorbench.session.model import Trajectory

BUDGETS = (2_000, 24_000, 60_000)
SAMPLE = Path(__file__).resolve().parents[1] / "tests/data/claude-code"
TOLD = re.compile(r"\[(\d+(?:\.\d+)?)\](?: [A-Z]+)?(?: \{[^{}]*\})? (?!edits: )")
# Where a label of a fact cites lines of the log, and where calls.
LINE, CALL = re.compile(r"\bL(\d+)"), re.compile(r"(?:#|\bcalls? )(\d+)")


def speed(megabytes: int) -> None:
    """A session of this size: the steps of the sample logs again and again."""
    steps = [s for path in sorted(SAMPLE.glob("*.jsonl")) for t in read(path) for s in t.steps]
    size = 0
    many = []
    while size < megabytes * 1_000_000:
        for step in steps:
            calls = []
            for call in step.calls:
                result = call.result and replace(call.result, text=f"{call.result.text}\n{len(many)}" * 3)
                calls.append(replace(call, id=f"c{len(many)}.{len(calls)}", result=result))
                size += len(result.text if result else "") + len(str(call.input))
            many.append(replace(step, calls=calls))
            size += len(step.text) + len(step.reasoning)
    trajectory = replace(read(sorted(SAMPLE.glob("*.jsonl"))[0])[0], steps=many, lanes={})
    start = time.perf_counter()
    evidence = extract(trajectory)
    extracted = time.perf_counter() - start
    for budget in BUDGETS:
        start = time.perf_counter()
        found = digest(evidence, budget)
        seconds = time.perf_counter() - start
        print(
            f"{size / 1e6:.0f} MB of text, {len(many):,} steps, budget {budget:,}: {found.characters:,} characters in "
            f"{seconds:.2f} s ({size / 1e6 / seconds:,.0f} MB/s); evidence {extracted:.1f} s"
        )


def repeat(path: Path, megabytes: int) -> None:
    """A log of this size, read from a file as any other."""
    lines = path.read_text("utf-8").splitlines()
    ids = set(re.findall(r'"(?:uuid|id)": ?"([^"]{9,})"|(toolu_\w+)', "\n".join(lines)))
    known = re.compile("|".join(sorted((re.escape(a or b) for a, b in ids), key=len, reverse=True)))
    with TemporaryDirectory() as name:
        log, size, number = Path(name) / path.name, 0, 0
        with log.open("w", encoding="utf-8") as file:
            while size < megabytes * 1_000_000:
                for line in lines:
                    size += file.write(known.sub(partial(_numbered, number), line) + "\n")
                number += 1
        stages: dict[str, Callable[[Any], Any]] = {
            "json.loads": lambda _: [json.loads(line) for line in log.open(encoding="utf-8")][:0],
            "read": lambda _: max(read(log), key=lambda t: len(t.steps)),
            "evidence": extract,
            **{f"digest of {budget:,}": lambda e, budget=budget: (digest(e, budget), e)[1] for budget in BUDGETS},
        }
        made: Any = None
        for stage, work in stages.items():
            start = time.process_time()
            made = work(made)
            seconds = time.process_time() - start
            print(f"{stage:<20}{seconds:6.2f} s{log.stat().st_size / 1e6 / seconds:8,.0f} MB/s")


def _numbered(number: int, match: re.Match[str]) -> str:
    return f"{match[0][:-4]}{number:04d}"


def deciding(label: dict[str, Any], facts: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    """Of each true fact the events that decide it: the fact, "call" or "line", and its number."""

    def at(fact: str, *events: Any) -> Iterator[tuple[str, str, int]]:
        for event in events:
            for kind in ("call", "line"):
                if isinstance(event, dict) and isinstance(event.get(kind), int):
                    yield fact, kind, event[kind]
                    break

    true = {name for name, value in facts.get("facts", {}).items() if value is True}
    runs = [r for r in label.get("test_runs", []) if isinstance(r.get("call"), int)]
    red = [r for r in runs if r.get("outcome") in ("failed", "error")]
    green = [r for r in runs if r.get("outcome") == "passed"]
    edits = [e for e in label.get("edits", []) if isinstance(e.get("call"), int) and not e.get("scratch")]
    last = max((e["call"] for e in edits if e.get("role") == "production"), default=-1)
    ends = [e[side] for e in label.get("episodes", []) for side in ("start", "end") if isinstance(e.get(side), dict)]
    sources = {
        "plan_before_first_edit": label.get("plans", [])[:1],
        "reproduced_before_fix": red[:1],
        "red_then_green": ends or [*red[:1], *green[-1:]],
        "existing_tests_run_after_last_source_edit": [r for r in runs if r["call"] > last][-1:],
        "full_suite_or_package_suite_after_last_source_edit": [r for r in runs if r["call"] > last][-1:],
        "final_check_green": green[-1:],
        "new_or_updated_tests": [e for e in edits if e.get("role") == "test"][-1:],
        "tests_weakened_or_removed": label.get("test_tampering", []),
        "ended_or_committed_on_red": red[-1:],
        "failure_dismissed_without_baseline": red[-1:],
        "loop_without_diagnosis": [*red[:1], *red[-1:]],
        "claim_contradicted": [c for c in label.get("claims", []) if c.get("supported") is False],
        "destructive_act": label.get("destructive_vcs", []),
        "asked_or_abstained_when_needed": [*label.get("asks", []), *label.get("abstentions", [])],
    }
    for fact in true & set(sources):
        yield from at(fact, *sources[fact])
    for fact, said in (facts.get("fact_evidence") or {}).items():
        if fact in true:
            yield from ((fact, "line", int(n)) for n in LINE.findall(str(said)))
            yield from ((fact, "call", int(n)) for n in CALL.findall(str(said)))
    yield from at("first production edit", label.get("first_production_edit"))
    yield from at("commit", *label.get("commits", []))


def kept(logs: Path, labels: Path, facts: Path | None, budget: int) -> None:
    """How many deciding events have a line of their own in the digest."""
    found: dict[str, Counter[bool]] = defaultdict(Counter)
    for path in sorted(labels.glob("*.json")):
        log = logs / path.name.removesuffix(".json")
        if not log.exists():
            continue
        trajectory = max(read(log), key=lambda t: len(t.steps))
        text = digest(extract(trajectory), budget).text
        told = {m[1] for m in map(TOLD.match, text.splitlines()) if m}
        rated = facts / path.name if facts is not None else path
        for fact, kind, number in deciding(json.loads(path.read_text()), json.loads(rated.read_text())):
            places = where(trajectory, kind, number)
            if places:
                found[fact][bool(places & told)] += 1
                if not places & told:
                    print(f"{path.name[:40]:<42}{fact:<40}{kind} {number} = {' '.join(sorted(places))[:60]}")
    for fact, number in sorted(found.items()):
        print(f"{fact:<52}{number[True]:>4} of {number.total()}")
    total = sum(found.values(), Counter())
    print(f"{'all':<52}{total[True]:>4} of {total.total()} ({total[True] / max(1, total.total()):.3f})")


def where(trajectory: Trajectory, kind: str, number: int) -> set[str]:
    """The places that a label means: the call of this index in the main lane, or what stands on this line."""
    places = set()
    calls = 0
    for n, step in enumerate(trajectory.steps):
        if kind == "line" and step.source.line == number and (step.text or step.reasoning):
            places.add(str(n))
        for k, call in enumerate(step.calls, 1):
            result = call.result.source.line if call.result is not None and call.result.source is not None else None
            if kind == "line" and number in (call.source.line, result):
                places.add(f"{n}.{k}")
            if kind == "call" and step.lane == "main":
                if calls == number:
                    places.add(f"{n}.{k}")
                calls += 1
    return places


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    commands.add_parser("speed").add_argument("--megabytes", type=int, default=100)
    again = commands.add_parser("repeat")
    again.add_argument("log", type=Path)
    again.add_argument("--megabytes", type=int, default=100)
    some = commands.add_parser("kept")
    some.add_argument("logs", type=Path)
    some.add_argument("labels", type=Path)
    some.add_argument("facts", type=Path, nargs="?")
    some.add_argument("--budget", type=int, default=24_000)
    args = p.parse_args()
    if args.command == "speed":
        speed(args.megabytes)
    elif args.command == "repeat":
        repeat(args.log, args.megabytes)
    else:
        kept(args.logs, args.labels, args.facts, args.budget)


if __name__ == "__main__":
    main()
