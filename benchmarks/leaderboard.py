"""Times `rigor leaderboard` and the page it makes, on invented experiments.

    python benchmarks/leaderboard.py [--experiments 100] [--runs 100] [--keep DIR] [--browser]

No agent, model or policy produced any of these results: names and figures are invented, and every name says so.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from rigorbench.bench.experiment.records import (
    MANIFEST_SCHEMA,
    RESULT_SCHEMA,
    Budget,
    Cell,
    Manifest,
    Outcome,
    RunResult,
    Subject,
    TestOutcome,
)
from rigorbench.review.result import WEIGHTS, Header, Pillar, Score, SubMetric, Tokens

START = 1_780_000_000.0
DAY = 86_400.0
CONDITIONS = 4
TESTS = 12
AGENTS = [f"invented-agent-{n}" for n in range(1, 6)]
HARNESSES = ["invented-baseline", "invented-rules", "invented-skills", "invented-review"]
MODELS = [f"invented/model-{n}" for n in range(1, 9)]
CATEGORIES = ["plan", "verify", "recover", "abstain", "refactor"]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def make_experiment(out: Path, number: int, runs: int) -> None:
    """An experiment of ``runs`` runs: four conditions on as many tasks as that takes, each once."""
    chance = random.Random(number)
    tasks = [f"invented-task-{n:02}" for n in range(max(1, runs // CONDITIONS))]
    agent, model = chance.choice(AGENTS), chance.choice(MODELS)
    cells = [Cell(task, agent, harness, model) for task in tasks for harness in HARNESSES[:CONDITIONS]][:runs]
    created = START + number * DAY
    subjects = {t: Subject(t, None, digest(t), None, {"category": CATEGORIES[n % 5]}) for n, t in enumerate(tasks)}
    version = f"1.{number // 25}"
    manifest = Manifest(
        MANIFEST_SCHEMA, f"invented-{number:06}", created, "invented", ["rigor", "run", "invented"], cells,
        Budget(tokens=200_000 if number % 4 else 400_000), "bwrap", subjects,
        {agent: Subject(agent, version)},
        {h: Subject(h, "1", digest(h)) for h in HARNESSES}, {model: Subject(model)}, [],
        {"rigorbench": "0.1.0", "python": "3.11.0"}, {"os": "invented", "architecture": "x86_64", "cores": 2},
        suite_facts={"digest": digest("invented"), "tasks": {"invented": len(tasks)}, "twins": {}},
    )  # fmt: skip
    out.mkdir(parents=True)
    (out / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    skill = 0.3 + 0.04 * MODELS.index(model) + 0.03 * (number // 25)
    for n, cell in enumerate(cells):
        directory = out / "runs" / cell.id
        directory.mkdir(parents=True)
        base = skill + 0.06 * HARNESSES.index(cell.harness) - 0.1 * (tasks.index(cell.task) % 3)
        result, score = make_run(cell, base, created + 60 * n, chance)
        (directory / "score.json").write_bytes(msgspec.json.format(msgspec.json.encode(score)))
        (directory / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)))


def make_run(cell: Cell, base: float, started: float, chance: random.Random) -> tuple[RunResult, Score]:
    pillars: dict[str, Pillar] = {}
    for name, (weight, parts) in WEIGHTS.items():
        value = round(min(1.0, max(0.0, chance.gauss(base, 0.15))), 6)
        subs = {
            s: SubMetric(
                value, "scored", "estimated" if s == "DQ" else "parsed", 5, [f"e{n}" for n in range(20)], "invented"
            )
            for s in parts
        }
        pillars[name] = Pillar(value, "scored", weight, 1.0, subs)
    total = round(sum(p.weight * (p.value or 0.0) for p in pillars.values()), 6)
    tests = [
        TestOutcome(f"test_hidden.py::test_invented_{n}", "passed" if chance.random() < base else "failed")
        for n in range(TESTS)
    ]
    passed = sum(t.outcome == "passed" for t in tests)
    header = Header(
        cell.id, "invented", "rigor-capture", cell.agent, None, cell.model, None, None, 20, 90, Tokens(1, 2, 3, 4)
    )
    result = RunResult(
        RESULT_SCHEMA, cell, "completed", started, chance.uniform(60, 900), metered=chance.randrange(20_000, 200_000),
        tokens={"input": 9_000, "cache_read": 90_000, "cache_write": None, "output": 7_000},
        model_calls=chance.randrange(10, 90), cost=round(chance.uniform(0.1, 3), 4), rigor_score=total,
        evidence_share=1.0, pillars={n: p.value for n, p in pillars.items()},
        pillar_status=dict.fromkeys(pillars, "scored"),
        outcome=Outcome(round(passed / TESTS, 6), None, [], passed == TESTS, tests),
    )  # fmt: skip
    return result, Score("rigor-score/1", header, total, 1.0, pillars)


def timed(*words: str) -> float:
    begin = time.perf_counter()
    subprocess.run([Path(sys.executable).with_name("rigor"), *words], check=True)
    return time.perf_counter() - begin


def measure_page(index: Path) -> None:
    """In Chromium: until the page answers, and the time from a click or a key to the changed table, drawn."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("RIGOR_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        print("no chromium: the page was not measured")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        begin = time.perf_counter()
        page.goto(index.resolve().as_uri())
        page.wait_for_selector("#tools:not([hidden])")
        print(f"page loads and answers       {(time.perf_counter() - begin) * 1000:8.0f} ms")
        # Until the second frame after the change: by then it has been laid out and painted.
        script = """(act) => new Promise((done) => {
          const begin = performance.now();
          act();
          requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
        })"""
        find = "const f = document.getElementById('find'); f.value = '%s'; f.dispatchEvent(new Event('input'))"
        agent = "const s = document.querySelector('select[name=agent]'); s.selectedIndex = 1; "
        for name, act in (
            ("sort by RigorScore", "document.querySelector('th[data-key=score] button').click()"),
            ("sort by entry", "document.querySelector('th[data-key=entry] button').click()"),
            ("find a model", find % "model-3"),
            ("all again", find % ""),
            ("choose an agent", agent + "s.dispatchEvent(new Event('change'))"),
        ):
            took = [page.evaluate(f"({script})(() => {{ {act} }})") for _ in range(5)]
            print(f"{name:28} {sorted(took)[2]:8.0f} ms (median of 5, largest {max(took):.0f})")
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=100)
    parser.add_argument("--runs", type=int, default=100, help="runs of each")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make them there, and leave them")
    parser.add_argument("--browser", action="store_true", help="measure the page in Chromium, too")
    args = parser.parse_args()
    root = args.keep or Path(tempfile.mkdtemp(prefix="rigor-invented-"))
    try:
        if not (root / "out").exists():
            for number in range(args.experiments):
                make_experiment(root / "out" / f"invented-{number:06}", number, args.runs)
        site = root / "site"
        for name, words in (
            ("build from JSON", ("leaderboard", str(root / "out"), "--out", str(site))),
            ("export as Parquet", ("query", str(root / "out"), "--export", str(root / "parquet"))),
            ("build from Parquet", ("leaderboard", str(root / "parquet"), "--out", str(root / "site-2"))),
            ("count by SQL", ("query", str(root / "parquet"), "SELECT count(*) FROM submetrics")),
        ):
            print(f"{name:28} {timed(*words):8.1f} s", flush=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        index = site / "index.html"
        pages = list((site / "entries").iterdir())
        print(f"peak memory                  {peak:8.0f} MB; load of the machine {os.getloadavg()[0]:.1f}")
        print(f"first page                   {index.stat().st_size / 1024:8.0f} KB; {len(pages)} pages of entries")
        if args.browser:
            measure_page(index)
    finally:
        if args.keep is None:
            shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
