"""The pages of an experiment: inert, complete, readable without what is missing, quick for many runs."""

from __future__ import annotations

import html
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import msgspec
import pytest

from builders_capture import Capture
from fake_experiment import (
    TASKS,
    digest,
    make_journal,
    make_manifest,
    make_result,
    trouble,
    write_experiment,
    write_reading,
    write_store,
)
from rigorbench.api import read
from rigorbench.base import journal
from rigorbench.base.points import JudgedPoint
from rigorbench.bench.experiment.compare import MEASURES, Effect, Measure, compare
from rigorbench.bench.experiment.records import (
    Breach,
    Cell,
    Manifest,
    Manipulation,
    Outcome,
    RunResult,
    Subject,
    TestOutcome,
)
from rigorbench.bench.pages.experiment.figures import reading_of
from rigorbench.bench.pages.experiment.runs import run_lists
from rigorbench.bench.pages.experiment.site import ExperimentPage, write_site
from rigorbench.evidence.facts import RefutedPass
from rigorbench.evidence.walk.extract import extract
from rigorbench.review.pages.html import render
from rigorbench.review.result import ReplayComparison, ReplayedTree, ReplaySummary, Score

from .hostile import PAYLOADS
from .test_html import Page, _check_inert


def words(path: Path) -> str:
    """The text of a page in reading order, white space as one space."""
    body = path.read_text(encoding="utf-8").split("<body>")[1].split("<script>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def run_page(out: Path, ending: str = ".html") -> Path:
    (found,) = (out / "report" / "runs").glob(f"*{ending}")
    return found


def index_of(manifest: Manifest, pages: dict[str, str] | None = None) -> str:
    """The first page alone, of runs of which each went well."""
    results = [make_result(c) for c in manifest.cells]
    return render(ExperimentPage(manifest, compare(manifest, results), results, pages or {}))


MIXED = {"models": ("acme/x", "scripted/disciplined", "scripted/reckless"), "harnesses": ("baseline", "agent-rigor")}


def one_run(
    out: Path, change: Callable[[RunResult], RunResult] | None = None, **written: bool
) -> tuple[Manifest, RunResult]:
    """An experiment of one task and one model, on disk."""
    manifest = make_manifest(tasks=TASKS[:1], models=("acme/x",))
    (result,) = write_experiment(out, manifest, change, **written)
    return manifest, result


@contextmanager
def scored(out: Path, result: RunResult) -> Iterator[Score]:
    """The score of a run, to be changed."""
    path = out / "runs" / result.cell.id / "score.json"
    score = msgspec.json.decode(path.read_bytes(), type=Score)
    yield score
    path.write_bytes(msgspec.json.encode(score))


def site(out: Path, manifest: Manifest, results: list[RunResult]) -> tuple[dict[str, Page], list[str]]:
    """Pages by their address from the index, each checked to be inert, and the problems told."""
    problems: list[str] = []
    index = write_site(out, manifest, results, problem=problems.append)
    pages = {}
    for path in sorted(index.parent.rglob("*.html")):
        pages[path.relative_to(index.parent).as_posix()] = parsed = Page(path.read_text(encoding="utf-8"))
        _check_inert(parsed)
        ids = parsed.values("id")
        assert len(ids) == len(set(ids))
        assert {v[1:] for v in parsed.values("href") if v.startswith("#")} <= set(ids)
    return pages, problems


Mixed = tuple[Path, Manifest, list[RunResult], dict[str, Page]]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Mixed:
    """Models and scripted policies under two harnesses, with something of everything that may go wrong."""
    out = tmp_path_factory.mktemp("mixed")
    manifest = make_manifest(repeats=3, **MIXED)
    manifest.history = [{"time": 1_790_000_500.0, "command": ["rigor", "run", "again"], "added": ["x", "y"]}]
    results = write_experiment(out, manifest, trouble)
    pages, problems = site(out, manifest, results)
    assert problems == []
    return out, manifest, results, pages


def test_a_page_for_every_run_and_every_link_has_its_target(mixed: Mixed) -> None:
    _, manifest, results, pages = mixed
    assert len([n for n in pages if n.startswith("runs/")]) == len(results) < len(manifest.cells)
    assert {n for n in pages if n.startswith("tasks/")} == {f"tasks/{task}.html" for task in TASKS}
    links = {v for v in pages["index.html"].values("href") if not v.startswith("#")}
    assert links == set(pages) - {"index.html"}
    ids = {name: set(page.values("id")) for name, page in pages.items()}
    for name, page in pages.items():
        for link in page.values("href"):
            target, _, place = link.partition("#")
            there = name if not target else os.path.normpath(os.path.join(os.path.dirname(name), target))
            assert there in pages
            assert not place or place in ids[there], (name, link)
        if name.startswith("runs/"):
            assert {v for v in page.values("href") if not v.startswith("#")} > {"../index.html"}


def test_the_index_tells_what_was_compared_and_how(mixed: Mixed) -> None:
    _, manifest, _, pages = mixed
    text = pages["index.html"].all_text
    for part in (
        "--model acme/x,scripted/disciplined,scripted/reckless", "rigor run again", "added 2 runs", "inspect_ai",
        "1 h 00 min, 5.0M tokens (sent and written, cached or not)", "bwrap", "8 GB",
        str(manifest.tasks["invented-hash"].digest)[:23], "percentile bootstrap over tasks", "agent-rigor − baseline",
        "What went wrong", "SandboxError: bwrap could not be started (invented)",
    ):  # fmt: skip
        assert str(part) in text


def test_pressure_has_a_table_of_its_own() -> None:
    manifest = make_manifest(tasks=["a", "b", "a@hurry", "b@hurry"], models=["acme/x"])
    for name in ("a", "b"):
        manifest.tasks[f"{name}@hurry"].facts.update({"pressure": "hurry", "plain": name})
    text = Page(index_of(manifest)).all_text
    assert "Under pressure" in text
    assert "hurry − plain (acme/x)" in text
    assert "Differences" not in text


def test_scripted_policies_have_a_section_and_a_list_of_their_own(mixed: Mixed) -> None:
    report = mixed[0] / "report"
    index = (report / "index.html").read_text(encoding="utf-8")
    sections = dict(re.findall(r'<section id="(g\d|runs)".*?>(.*?)</section>', index, re.S))
    assert "disciplined" not in sections["g0"]
    assert "acme/x" not in sections["g1"]
    models, policies = re.findall(r'<tbody class="rows">(.*?)</tbody>', sections["runs"], re.S)
    assert "scripted" not in models
    assert "acme/x" not in policies
    assert policies.count('data-model="scripted policy ') == policies.count("<tr") == 60
    assert "With scripted policies." in index
    page = next((report / "runs").glob("*scripted-reckless*")).read_text(encoding="utf-8")
    assert "Scripted policy." in page
    assert "Model calls" not in page
    assert not re.search(r"<dt>Model</dt>", page)


def test_a_page_says_at_the_top_when_everything_is_scripted() -> None:
    header = Page(index_of(make_manifest())).all_text.split("Experiment", 1)[0]
    assert "Everything here was done by scripted policies" in header
    assert "scripted" not in Page(index_of(make_manifest(models=("acme/x",)))).all_text.lower()


def test_scripted_policies_have_no_column_for_p() -> None:
    for name, tested in (("scripted/disciplined", False), ("acme/x", True)):
        tasks = [f"task-{n}" for n in range(12)]
        page = index_of(make_manifest(models=(name,), harnesses=("baseline", "nudge"), tasks=tasks))
        assert (">adjusted p</th>" in page) is tested
        assert ("the adjusted p is under 0.05" in page) is tested


def test_cells_without_a_value_are_empty_and_say_why(mixed: Mixed) -> None:
    index = (mixed[0] / "report" / "index.html").read_text(encoding="utf-8")
    runs = index.split('<tbody class="rows">')[1]
    for reason in ("the run broke", "too little evidence", "not run", "the hidden tests could not be started"):
        assert re.search(rf'<td class="num" data-label="[A-Za-z ]+" title="{reason}[^"]*"></td>', runs)
    assert "n = 2 runs on 1 task of 3 runs; too little evidence: 1" in index


def test_the_page_of_a_run_shows_session_outcome_and_capture(tmp_path: Path) -> None:
    manifest = make_manifest(tasks=("gateway",), models=("acme/x",))
    manifest.tasks["gateway"] = Subject(
        "gateway", facts={"requirements": {"R1": "routes requests"}, "requirement_tests": {"R1": ["t::a"]}}
    )

    def change(result: RunResult) -> RunResult:
        tests = [TestOutcome("t::a[1-x]", "passed"), TestOutcome("t::b", "failed")]
        result.outcome = Outcome(0.5, 1.0, ["old::test"], False, tests, {"R1": True})
        result.manipulation = Manipulation(False, ["CLAUDE.md unread"], "no read was seen")
        return result

    pages, problems = site(tmp_path, manifest, write_experiment(tmp_path, manifest, change))
    assert problems == []
    (page,) = [p for n, p in pages.items() if n.startswith("runs/")]
    text = words(run_page(tmp_path))
    for part in (
        "0.50 (1 of 2)", "1.00 (1 of 1)", "met R1 routes requests passed t::a[1-x]",
        "Without a requirement failed t::b",
        "old::test", "the agent did not load it no read was seen; CLAUDE.md unread",
        "harness not loaded no read was seen",
        "4 +0:02.0 python -m pytest -q in /repo 1 1.00 s 1", "sh -c printf 'x = 1\\n' > src/invented.py",
        "after the command journal line 12", "1 path changed src/invented.py", "Planning Fidelity",
        "Invented task: add x.",
    ):  # fmt: skip
        assert part in text
    assert "c4" in page.values("id")
    assert "#c10" in page.values("href")


def test_breaches_limits_gaps_and_decoys_name_their_journal_lines(tmp_path: Path) -> None:
    manifest = make_manifest(tasks=("invented-gateway",), models=("acme/x",), repeats=2)
    results = write_experiment(tmp_path, manifest)
    with (tmp_path / "runs" / results[0].cell.id / "journal.jsonl").open("ab") as file:
        for record in (
            journal.Decoy(1.0, "/tests", "open"),
            journal.Limit(2.0, "tokens", 200_000, 201_234),
            journal.Gap(3.0, "output", "a terminal is left alone"),
        ):
            file.write(msgspec.json.encode(record) + b"\n")
        file.write(b'{"type": "torn')
    _, problems = site(tmp_path, manifest, results)
    text = words(run_page(tmp_path, "r1.html"))
    assert "looked for tests /tests (open) journal line 15" in text
    assert "limit tokens: 201234 of 200000 journal line 16" in text
    assert "gap output: a terminal is left alone journal line 17" in text
    assert "the last line is cut off" in text
    assert len(problems) == 1
    assert "journal.jsonl" in problems[0]


def test_replay_is_shown_with_its_disagreements(tmp_path: Path) -> None:
    manifest, result = one_run(tmp_path)
    trees = [ReplayedTree("a" * 40, "passed", 4, 0, [], True), ReplayedTree("b" * 40, None, None, None, ["t::x"])]
    why = "the run said passed, ours: t::x failed"
    differing = [ReplayComparison("e7", "b" * 40, "passed", "failed", why, ["t::x"])]
    with scored(tmp_path, result) as score:
        score.replay = ReplaySummary(None, 3, trees, "make", "pytest", ["t::flaky"], 5, differing)
    _, problems = site(tmp_path, manifest, [result])
    assert problems == []
    text = words(run_page(tmp_path))
    for part in (
        "aaaaaaaaaaaa start passed 4 0 none", "bbbbbbbbbbbb unknown 1 t::x", why, "1 of 5 differ", "t::flaky",
        "2 trees of 3 states and the start",
    ):  # fmt: skip
        assert part in text


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda d: (d / "score.json").unlink(), "score.json is missing"),
        (lambda d: (d / "score.json").write_bytes(b'{"schema": 3'), "score.json is damaged"),
        (lambda d: (d / "score.json").write_bytes(b"[]"), "score.json is damaged"),
        (lambda d: (d / "score.json").write_bytes(b"[" * 200_000), "score.json is damaged"),
        (lambda d: (d / "journal.jsonl").unlink(), "journal.jsonl is missing"),
        (lambda d: (d / "journal.jsonl").write_bytes(b"\x00\xff\n{}\n"), "journal"),
        (lambda d: (d / "journal.jsonl").write_bytes(b""), "is not a known agent log"),
    ],
)
def test_a_damaged_run_has_a_page_that_says_so(tmp_path: Path, damage, told: str) -> None:
    manifest = make_manifest(tasks=TASKS[:1])
    results = write_experiment(tmp_path, manifest)
    damage(tmp_path / "runs" / results[0].cell.id)
    pages, problems = site(tmp_path, manifest, results)
    hurt = next(p for n, p in pages.items() if "disciplined" in n)
    assert told in hurt.all_text
    assert "Hidden tests passed" in hurt.all_text
    assert problems
    assert all(str(tmp_path) in p and "reckless" not in p and "\n" not in p for p in problems)
    whole = next(p for n, p in pages.items() if "reckless" in n)
    assert "Planning Fidelity" in whole.all_text


def test_a_score_of_another_version_is_shown_with_a_warning(tmp_path: Path) -> None:
    manifest, result = one_run(tmp_path)
    site(tmp_path, manifest, [result])
    assert "links to events may be wrong" not in words(run_page(tmp_path))
    with scored(tmp_path, result) as score:
        score.trajectory.events += 1
    _, problems = site(tmp_path, manifest, [result])
    assert problems == []
    assert "links to events may be wrong" in words(run_page(tmp_path))


def test_the_page_has_the_events_that_were_scored_with_a_refuted_pass(tmp_path: Path) -> None:
    manifest, result = one_run(tmp_path)
    run = tmp_path / "runs" / result.cell.id
    shutil.rmtree(run / "store.git", ignore_errors=True)
    capture = Capture(tmp_path / "boat", {"boat/sails.py": "REEFS = 2\n"})
    capture.write("boat/sails.py", "REEFS = 3\n").pytest(4)
    shutil.copytree(capture.done(), run, dirs_exist_ok=True)
    trajectory, refuted = read(run)[0], RefutedPass(("tests/test_sails.py::test_reef",), covered=True)
    events = len(extract(trajectory, {0: refuted}).events)
    assert events != len(extract(trajectory).events)
    with scored(tmp_path, result) as score:
        score.trajectory.events = events
        score.replay = ReplaySummary(None, 1, [], refuted={"0": refuted})
    site(tmp_path, manifest, [result])
    assert "links to events may be wrong" not in words(run_page(tmp_path))


def test_a_run_that_broke_needs_no_score(tmp_path: Path) -> None:
    def change(result: RunResult) -> RunResult:
        return RunResult("rigor-run/1", result.cell, "error", 0.0, 0.0, error="Traceback\n  line\nNoBwrap: none")

    manifest, result = one_run(tmp_path, change, journals=False)
    pages, problems = site(tmp_path, manifest, [result])
    (page,) = [p for n, p in pages.items() if n.startswith("runs/")]
    assert problems == []
    assert "Traceback\n  line\nNoBwrap: none" in page.all_text
    assert "The run broke: no outcome was measured." in page.all_text


def test_a_run_of_which_nothing_is_known_has_a_page(tmp_path: Path) -> None:
    manifest, result = one_run(
        tmp_path, lambda r: RunResult("rigor-run/1", r.cell, "completed", 0.0, 0.0), scores=False
    )
    pages, problems = site(tmp_path, manifest, [result])
    (page,) = [p for n, p in pages.items() if n.startswith("runs/")]
    assert "No outcome was measured." in page.all_text
    assert "no RigorScore: not scored" in page.all_text
    assert [p.rpartition(": ")[2] for p in problems] == ["score.json is missing; score the run again with `rigor run`"]
    assert "0.00" not in page.all_text + pages["index.html"].all_text.split("Runs")[0]


def test_leftovers_of_killed_runs_are_listed(tmp_path: Path) -> None:
    manifest = make_manifest(tasks=TASKS[:1])
    results = write_experiment(tmp_path, manifest)
    (tmp_path / "runs" / f"{results[0].cell.id}.killed-1").mkdir()
    pages, _ = site(tmp_path, manifest, results)
    assert f"runs/{results[0].cell.id}.killed-1" in pages["index.html"].all_text


@pytest.mark.parametrize("empty", [{"tasks": ()}, {"models": ("acme/x",)}])
def test_an_experiment_without_runs_has_an_index(tmp_path: Path, empty: dict) -> None:
    manifest = make_manifest(**empty)
    pages, _ = site(tmp_path, manifest, [])
    assert {n.partition("/")[0] for n in pages} <= {"index.html", "tasks"}


Named = Callable[[str], list[Page]]


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Named:
    """The pages of an experiment with a word as every name, reason, test and text that somebody else chooses."""

    @cache
    def made(word: str) -> list[Page]:
        manifest = make_manifest(
            tasks=(f"{word} task", "b"),
            agents=(f"{word} agent",),
            harnesses=(word, "baseline"),
            models=(f"{word} model",),
        )
        manifest.id = manifest.suite = manifest.sandbox = word
        manifest.command, manifest.versions, manifest.machine = [word], {word: word}, {word: word}

        def change(result: RunResult) -> RunResult:
            made = make_result(Cell("task", "agent", (result.cell.harness == "baseline" and "h") or "i", "m"))
            made.cell, made.status, made.limit, made.gaps, made.notes = result.cell, "limit", word, [word], [word]
            made.outcome = Outcome(0.0, 0.0, [word], False, [TestOutcome(word, word)], {word: False}, reason=word)
            made.manipulation = Manipulation(False, [word], word)
            return made

        out = tmp_path_factory.mktemp("named")
        results = write_experiment(out, manifest, change)
        for result in results:
            write_reading(out, result, *points(f"{word} item", f"{word}?"))
            in_store(out, result, {"a.txt": b"one\n"}, {"a.txt": f"{word}\nlast\n".replace("\0", "").encode()})
        found, problems = site(out, manifest, results)
        assert problems == []
        return list(found.values())

    return made


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_names_items_and_diffs_add_no_element(named: Named, payload: str) -> None:
    """Hostile and harmless words give the same elements and attributes in the same order."""
    # What a file may hold: JSON is UTF-8.
    hostile, harmless = named(payload.encode("utf-8", "replace").decode()), named("word")
    assert sorted(str(p.elements) for p in hostile) == sorted(str(p.elements) for p in harmless)
    links = [v for page in hostile for v in page.values("href")]
    assert all(
        re.fullmatch(r"#[\w-]+|(\.\./)?index\.html(#runs)?|(\.\./)?(runs|tasks)/[\w.-]+\.html(#[\w-]+)?", v)
        for v in links
    )


def test_what_is_the_same_in_all_runs_is_said_once_and_not_in_a_column() -> None:
    def listed(*models: str, change: str = "") -> tuple[list[str], str]:
        manifest = make_manifest(tasks=TASKS[:3], models=models, repeats=2 if change == "repeats" else 1)
        results = [make_result(c) for c in manifest.cells]
        if change == "status":
            results[1].status, results[1].error = "error", "no sandbox"
        found = run_lists(manifest, compare(manifest, results), results, {}, {})[0]
        assert all(len(row.cells) == len(found.columns) for row in found.rows)
        return [label for label, _, _ in found.columns], found.same

    columns, same = listed("acme/x", "acme/y")
    assert {"Agent", "Harness", "Repeat", "Status"}.isdisjoint(columns)
    assert columns[:2] == ["Model", "RigorScore"]
    assert same.startswith("All 6 runs: agent react, harness baseline, repeat 1, completed")
    assert same.endswith("no trouble.")
    assert "Repeat" in listed("acme/x", change="repeats")[0]
    columns, same = listed("acme/x", change="status")
    assert "Status" in columns
    assert same.startswith("All 3 runs: agent react, harness baseline, model acme/x, repeat 1")
    alone = make_manifest(tasks=TASKS[:1], models=("acme/x",))
    results = [make_result(c) for c in alone.cells]
    (one,) = run_lists(alone, compare(alone, results), results, {}, {})
    assert (len(one.columns), one.same, one.troubled) == (11, "", True)


def test_the_index_of_a_thousand_runs_is_small() -> None:
    tasks = tuple(f"task-{n}" for n in range(50))
    manifest = make_manifest(tasks=tasks, harnesses=("baseline", "agent-rigor"), repeats=5)
    assert len(manifest.cells) == 1_000
    index = index_of(manifest, {c.id: f"runs/{c.id}.html" for c in manifest.cells})
    assert index.count("<tr data-task=") == 1_000
    assert len(index.encode()) < 1_500_000


def test_same_input_same_bytes(tmp_path: Path) -> None:
    manifest = make_manifest(tasks=TASKS[:2])
    results = write_experiment(tmp_path, manifest)
    write_site(tmp_path, manifest, results, tmp_path / "a")
    write_site(tmp_path, manifest, results[::-1], tmp_path / "b")
    names = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.html"))
    assert len(names) == 7
    assert all((tmp_path / "a" / n).read_bytes() == (tmp_path / "b" / n).read_bytes() for n in names)


def in_store(out: Path, result: RunResult, *states: dict[str, bytes]) -> list[str]:
    """Gives the captured states of a run (at the start, after its edit) these files; returns their trees."""
    run = out / "runs" / result.cell.id
    trees = write_store(run, *states)
    lines = [msgspec.json.encode(r) for r in make_journal(result, (trees[0], trees[1]))]
    (run / "journal.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    return trees


def test_snapshots_have_their_diffs_and_what_the_replay_found(tmp_path: Path) -> None:
    manifest, result = one_run(tmp_path)
    kept = {"old/kept.py": b"a = 1\n", "old/moved.txt": b"the same text\n" * 9}
    after = {"old/kept.py": b"a = 2\nb = <b>3</b>\n", "new/moved.txt": kept["old/moved.txt"], "logo.png": b"\x89\0\0"}
    trees = in_store(tmp_path, result, kept, after)
    replayed = [ReplayedTree(trees[0], "passed", 4, 0, [], True), ReplayedTree(trees[1], "passed", 3, 1, ["t::gone"])]
    with scored(tmp_path, result) as score:
        score.replay = ReplaySummary(None, 1, replayed)
    _, problems = site(tmp_path, manifest, [result])
    assert problems == []
    text = words(run_page(tmp_path))
    for part in (
        "start build passed, 4 passed", "after the command build passed, 3 passed, 1 failed, 1 regression",
        "t::gone", "3 files changed +2 −1", "modify old/kept.py +2 −1", "-a = 1 +a = 2 +b = <b>3</b>",
        "rename old/moved.txt → new/moved.txt the content is the same", "create logo.png not text, 3 bytes",
    ):  # fmt: skip
        assert part in text
    assert f'<a href="#tree-12"><code>{trees[1][:12]}' in run_page(tmp_path).read_text(encoding="utf-8")


SINGLE = "Is the item a single piece of work?"
ORDERED = "Can the items be carried out in their order?"


def points(item: str = "Write a failing test", question: str = SINGLE) -> list[JudgedPoint]:
    return [
        JudgedPoint("plan1_single/1", "DQ", question, item, [True, False, True]),
        JudgedPoint("plan1_single/2", "DQ", question, "Add x to src/invented.py", [True, False, False]),
        JudgedPoint("plan1_ordered", "DQ", ORDERED, "", [True, True, None]),
        JudgedPoint("commit_imperative/1", "CH", "Is the subject an order?", "Add x", [True, True, True]),
    ]


def test_answers_are_shown_with_their_majority(tmp_path: Path) -> None:
    manifest, result = one_run(tmp_path)
    write_reading(tmp_path, result, *points())
    pages, problems = site(tmp_path, manifest, [result])
    assert problems == []
    text = words(run_page(tmp_path))
    for part in (
        "DQ decomposition quality: ", "read by strict, middling, lenient", "1 2 3 Majority",
        f"{SINGLE} 1. Write a failing test yes no yes yes split",
        f"{SINGLE} 2. Add x to src/invented.py yes no no no split", f"{ORDERED} yes yes – yes",
    ):  # fmt: skip
        assert part in text
    assert "is estimated" not in text
    assert "Is the subject an order?" not in text, "no value rests on it"
    index = words(tmp_path / "report" / "index.html")
    assert "DQ judged in 1 run. Judged: by strict, middling, lenient," in index
    assert [p for p in pages if "invented" in p]


def test_without_readers_the_page_says_what_is_estimated(tmp_path: Path) -> None:
    manifest, result = one_run(tmp_path)
    with scored(tmp_path, result) as score:
        score.pillars["PF"].submetrics["DQ"].method = "estimated"
    site(tmp_path, manifest, [result])
    assert (
        "No value of this run was judged by a reader. DQ (decomposition quality) is estimated from features of the text"
        in words(run_page(tmp_path))
    )
    assert "DQ estimated in 1 run." in words(tmp_path / "report" / "index.html")


def test_the_page_of_a_task_has_its_runs_side_by_side(tmp_path: Path) -> None:
    manifest = make_manifest(
        tasks=("invented-gateway", "twin"), models=("acme/x",), harnesses=("baseline", "h"), repeats=2
    )
    manifest.tasks["invented-gateway"].facts.update(
        category="plan-then-build", solvable="yes", twin="twin", title="Add a gateway",
        requirements={"R1": "routes <b>requests</b>", "R9": "nobody tried"},
    )  # fmt: skip

    def change(result: RunResult) -> RunResult | None:
        if result.cell.harness == "h" and result.cell.repeat == 2:
            return None if result.cell.task == "twin" else trouble(result) and RunResult(
                "rigor-run/1", result.cell, "error", 0.0, 1.0, error="it broke"
            )  # fmt: skip
        if result.cell.harness == "h":
            result.breaches = [Breach("decoy", "looked", [])]
        return result

    results = write_experiment(tmp_path, manifest, change)
    pages, _ = site(tmp_path, manifest, results)
    page = pages["tasks/invented-gateway.html"]
    text = words(tmp_path / "report" / "tasks" / "invented-gateway.html")
    by_cell = {(r.cell.task, r.cell.harness, r.cell.repeat): r for r in results}
    first, second, third = (by_cell["invented-gateway", h, n] for h, n in (("h", 1), ("baseline", 1), ("baseline", 2)))
    for part in (
        "Add a gateway …", "Runs counted 3 of 4 runs", "Category plan-then-build", "Twin : twin", "Means over repeats",
        "Status completed broke completed completed", "Trouble breach error none none",
        f"RigorScore {first.rigor_score:.2f} – {second.rigor_score:.2f} {third.rigor_score:.2f}",
        "PF Planning Fidelity", "evidence 100 %", "PAC plan artifact creation", "R1 routes <b>requests</b> ",
        "R9 nobody tried – unknown – unknown – unknown – unknown", "Tests broken", "Timelines", "code edit",
    ):  # fmt: skip
        assert part.replace(" : ", ": ") in text.replace(" : ", ": "), part
    assert 'title="the run broke"' in (tmp_path / "report" / "tasks" / "invented-gateway.html").read_text()
    assert {v.partition("#")[0] for v in page.values("href") if v.startswith("../runs/")} == {
        f"../runs/{r.cell.id}.html" for r in results if r.cell.task == "invented-gateway"
    }
    assert "1 planned run of this task has no result yet" in words(tmp_path / "report" / "tasks" / "twin.html")


def test_many_runs_of_a_task_are_cut_and_counted(tmp_path: Path) -> None:
    manifest = make_manifest(tasks=("a",), models=("acme/x",), repeats=60)
    site(tmp_path, manifest, write_experiment(tmp_path, manifest, journals=False))
    page = tmp_path / "report" / "tasks" / "a.html"
    assert "12 more runs are in the list of all runs" in words(page)
    assert page.stat().st_size < 400_000


def hash_of(text: str) -> float:
    return int(digest(text)[:6], 16) / 0xFFFFFF


def test_the_analysis_is_told_in_words(tmp_path: Path) -> None:
    """Tokens make tasks harder and, within a task, runs better: the sign turns round, and the page says so."""
    manifest = make_manifest(
        tasks=[f"t{n}" for n in range(8)], models=("acme/x",), harnesses=("h", "baseline"), repeats=2
    )
    for number, name in enumerate(manifest.tasks):
        manifest.tasks[name].facts["category"] = "abcd"[number % 4]

    def change(result: RunResult) -> RunResult:
        hard = int(result.cell.task[1:])
        more = (result.cell.harness == "h") + result.cell.repeat / 4
        result.metered = 10_000 * hard + round(1_000 * more)
        result.rigor_score = 0.9 - hard / 12 + more / 20 + (hash_of(result.cell.id) - 0.5) / 100
        return result

    site(tmp_path, manifest, write_experiment(tmp_path, manifest, change))
    text = words(tmp_path / "report" / "index.html")
    assert "effect size" not in text.replace("no effect size", "")  # eight tasks are too few for one
    for part in (
        "The two have opposite signs, both clearly different from 0, for tokens with RigorScore",
        "reversal The sign changes when runs of the same task are compared: over all runs more tokens goes with less",
        "h over baseline +", "ICC is the share of the variance", "pass@2", "predict the order in a category",
        "adjusted p", "h − baseline", "better",
    ):  # fmt: skip
        assert part in text


def test_the_figure_is_inline_with_tooltips_and_links(tmp_path: Path) -> None:
    manifest = make_manifest(models=("acme/x", "scripted/reckless"))
    pages, _ = site(tmp_path, manifest, write_experiment(tmp_path, manifest))
    page = pages["index.html"]
    assert page.values("class").count("figure1") == 2
    tips = [
        t for t in page.texts["title"] if "RigorScore 0." in t and "invented-hash--react--baseline--acme-x--r1" in t
    ]
    assert len(tips) == 1
    assert page.values("href").count("runs/invented-hash--react--baseline--acme-x--r1.html") == 2
    assert "-1" not in page.values("tabindex")


def test_many_points_are_no_walk_by_keyboard(tmp_path: Path) -> None:
    """The list of runs is: with more than forty points the tab key passes the figure."""
    manifest = make_manifest(models=("acme/x",), repeats=9)
    pages, _ = site(tmp_path, manifest, write_experiment(tmp_path, manifest, journals=False))
    assert pages["index.html"].values("tabindex").count("-1") == 45


def test_tables_are_linked_where_they_are(tmp_path: Path) -> None:
    manifest = make_manifest(tasks=TASKS[:1])
    results = write_experiment(tmp_path, manifest)
    write_site(tmp_path, manifest, results)
    assert "Tables of the paper" not in words(tmp_path / "report" / "index.html")
    (tmp_path / "report" / "tables.html").write_text("<p>tables</p>")
    write_site(tmp_path, manifest, results)
    assert 'href="tables.html"' in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_better_needs_a_small_p_too() -> None:
    measure = next(m for m in MEASURES if m.name == "rigor_score")
    less = next(m for m in MEASURES if m.name == "regressions")

    def read(low: float, high: float, p: float | None, of: Measure = measure) -> tuple[str, str]:
        return reading_of(of, Effect(0.1, low, high, 9, 18, p_adjusted=p))

    assert read(0.01, 0.2, 0.04) == ("better", "better")
    assert read(-0.3, -0.1, 0.04) == ("worse", "worse")
    assert read(0.01, 0.2, 0.04, less) == ("worse", "worse")
    assert read(0.01, 0.2, 0.05) == ("not certain", "")
    assert read(0.01, 0.2, None) == ("", "")
    assert reading_of(measure, Effect(0.1, 0.01, 0.2, 5, 10, needed=9)) == ("too few tasks", "")
    assert read(-0.01, 0.2, 0.01) == ("", "")
    assert read(0.01, 0.2, 0.04, next(m for m in MEASURES if m.name == "tokens")) == ("", "")
