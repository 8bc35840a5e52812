"""Leaderboards: who may be compared with whom, ranks with their uncertainty, and pages that hold in a browser."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fake_experiment import make_manifest, trouble
from results.board_data import TASKS, manifest_of, rewrite, scored, with_score, write
from rigorbench.bench.experiment.records import Budget, Manifest, RunResult
from rigorbench.bench.experiment.results.database import read_all
from rigorbench.bench.experiment.results.read import ResultTables
from rigorbench.bench.experiment.results.sources import find_sources

from .browser import barriers, browser, visit  # noqa: F401
from .hostile import PAYLOADS
from .test_experiment_site import words
from .test_html import Page, _check_inert

np = pytest.importorskip("numpy")
leaderboard = pytest.importorskip("rigorbench.bench.pages.leaderboard.build")
site_module = pytest.importorskip("rigorbench.bench.pages.leaderboard.pages")
rank = pytest.importorskip("rigorbench.bench.pages.leaderboard.rank")

from rigorbench.bench.pages.leaderboard import words as say  # noqa: E402
from rigorbench.bench.pages.leaderboard.board import Board, BoardEntry, Leaderboard, Thresholds  # noqa: E402
from rigorbench.bench.pages.leaderboard.words import differences_in_words  # noqa: E402


def tables_of(root: Path) -> ResultTables:
    told: list[str] = []
    tables = read_all(find_sources([root], told.append), told.append, now=1_800_000_000.0)
    assert told == []
    return tables


def board_of(root: Path, **options: Any) -> Leaderboard:
    told: list[str] = []
    found = leaderboard.build(tables_of(root), tell=told.append, **options)
    assert told == []
    return found


def by_model(board: Board) -> dict[str, BoardEntry]:
    return {e.key.model: e for e in board.entries}


# -- comparability


def test_one_board_holds_what_may_be_compared(tmp_path: Path) -> None:
    write(tmp_path / "1", manifest_of("1", models=("acme/x",)), scored({"acme/x": 0.5}))
    write(tmp_path / "2", manifest_of("2", models=("acme/y",), day=3), scored({"acme/y": 0.6}, day=3))
    found = board_of(tmp_path)
    (board,) = found.boards
    assert [e.key.model for e in board.entries] == ["acme/y", "acme/x"]
    assert board.differs == []
    assert board.conditions.size == 12
    assert (found.experiments, found.runs, found.counted) == (2, 24, 24)


APART: dict[str, tuple[str, Any]] = {
    "content of the suite": (
        "content of the suite",
        lambda m: replace(m, suite_facts={**m.suite_facts, "digest": "b"}),
    ),
    "time": ("budget", lambda m: replace(m, budget=Budget(seconds=60.0))),
    "tokens": ("budget", lambda m: replace(m, budget=Budget(tokens=None))),
    "hints": ("budget", lambda m: replace(m, budget=Budget(hints=2))),
    "metering": ("metering", lambda m: replace(m, budget=Budget(metering="output"))),
    "sandbox": ("sandbox", lambda m: replace(m, sandbox="docker")),
    "scoring": ("scoring", lambda m: replace(m, versions={"rigorbench": "9.1.0"})),
}


@pytest.mark.parametrize("what", APART)
def test_what_differs_is_a_board_of_its_own_with_the_reason(tmp_path: Path, what: str) -> None:
    word, change = APART[what]
    first = manifest_of("1")
    write(tmp_path / "1", first)
    write(tmp_path / "2", change(replace(first, id="2")))
    one, other = board_of(tmp_path).boards
    assert [len(one.entries), len(other.entries)] == [1, 1]
    ((number, text),) = one.differs
    assert number == other.number
    assert text.startswith(f"{word} (")
    assert text == differences_in_words(one.conditions, other.conditions)
    assert text.count("; there ") == 1


def test_a_patch_of_the_scoring_is_no_difference(tmp_path: Path) -> None:
    for number, version in enumerate(("0.4.1", "0.4.9", "0.5.0")):
        write(tmp_path / version, replace(manifest_of(str(number)), versions={"rigorbench": version}))
    assert sorted(len(b.entries[0].sources) for b in board_of(tmp_path).boards) == [1, 2]


def test_judged_and_estimated_runs_are_apart(tmp_path: Path) -> None:
    for name, methods in (("estimated", ["estimated"]), ("judged", ["judged"]), ("both", ["judged", "estimated"])):
        out = tmp_path / name
        write(out, manifest_of(name))
        for n, path in enumerate(sorted(out.glob("runs/*/score.json"))):
            path.write_text(path.read_text().replace('"method":"parsed"', f'"method":"{methods[n % len(methods)]}"', 1))
    write(tmp_path / "no score", manifest_of("no score"), scores=False)
    assert sorted(b.conditions.judging for b in board_of(tmp_path).boards) == [
        "estimated", "judged", "partly judged", "unknown",
    ]  # fmt: skip


def test_other_readers_make_another_board(tmp_path: Path) -> None:
    who = {"1": ["anna"], "2": ["anna"], "3": ["anna", "bert"]}
    for name, readers in who.items():
        write(tmp_path / name, manifest_of(name))
        for path in tmp_path.glob(f"{name}/runs/*/score.json"):
            judged = f'"method":"judged","readers":{msgspec.json.encode(readers).decode()}'
            path.write_text(path.read_text().replace('"method":"parsed"', judged, 1))
    boards = board_of(tmp_path).boards
    together = sorted(sorted(s.experiment for e in b.entries for s in e.sources) for b in boards)
    assert together == [["1", "2"], ["3"]]


def test_scripted_policies_never_stand_among_models(tmp_path: Path) -> None:
    models = ("acme/x", "scripted/reckless", "acme/dressed-up")
    write(tmp_path / "1", manifest_of("1", models=models), lambda run: _dressed(run))
    boards = board_of(tmp_path).boards
    assert [(b.conditions.scripted, sorted(by_model(b))) for b in boards] == [
        (False, ["acme/x"]),
        (True, ["acme/dressed-up", "scripted/reckless"]),
    ]
    assert all(b.differs == [] for b in boards)


def _dressed(run: RunResult) -> RunResult | None:
    """One policy goes by the name of a model; its first run was not done."""
    if run.cell.model != "acme/dressed-up":
        return run
    return None if run.cell.task == TASKS[0] else replace(run, scripted=True)


def test_an_experiment_with_another_task_under_the_same_suite_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "1", manifest_of("1"))
    second = manifest_of("2", day=1, models=("acme/y",))
    second.tasks[TASKS[4]] = replace(second.tasks[TASKS[4]], digest="easier")
    write(tmp_path / "2", second)
    told: list[str] = []
    found = leaderboard.build(tables_of(tmp_path), tell=told.append)
    assert len(told) == 1
    assert f"task {TASKS[4]} has other content than in 1" in told[0]
    assert [e.key.model for b in found.boards for e in b.entries] == ["acme/x"]


def test_without_the_digest_of_the_suite_only_the_same_tasks_compare(tmp_path: Path) -> None:
    write(tmp_path / "1", manifest_of("1", suite=None))
    write(tmp_path / "2", manifest_of("2", suite=None, models=("acme/y",)))
    write(tmp_path / "3", manifest_of("3", suite=None, tasks=TASKS[:11]))
    boards = board_of(tmp_path).boards
    assert [(b.conditions.size, len(b.entries), b.conditions.whole) for b in boards] == [(12, 2, False), (11, 1, False)]


def test_versions_and_content_make_entries_of_one_series(tmp_path: Path) -> None:
    changed = manifest_of("3", day=2)
    changed.harnesses["baseline"] = replace(changed.harnesses["baseline"], digest="other")
    for name, manifest, day in (
        ("1", manifest_of("1"), 0),
        ("2", manifest_of("2", day=1, version="2.0"), 1),
        ("3", changed, 2),
        ("4", manifest_of("4", day=3), 3),
    ):
        write(tmp_path / name, manifest, scored({"acme/x": 0.3 + 0.1 * day}, day=day))
    found = board_of(tmp_path)
    (board,) = found.boards
    assert sorted(len(e.sources) for e in board.entries) == [1, 1, 2]
    ((_, entries),) = found.series().items()
    assert len(entries) == 3


def test_pressure_variants_of_tasks_that_are_there_count_nowhere(tmp_path: Path) -> None:
    manifest = manifest_of("1", tasks=(*TASKS[:3], "under-pressure"))
    facts = {"pressure": "hurry", "plain": TASKS[0]}
    manifest.tasks["under-pressure"] = replace(manifest.tasks["under-pressure"], facts=facts)
    write(tmp_path / "1", manifest, lambda run: with_score(run, 0.1 if run.cell.task == "under-pressure" else 0.9))
    (board,) = board_of(tmp_path).boards
    (entry,) = board.entries
    assert [t.task for t in entry.tasks] == list(TASKS[:3])
    assert entry.score.value == pytest.approx(0.9)
    assert entry.statuses == {"completed": 3}


# -- what it takes to be ranked


def test_too_little_is_listed_and_says_what_lacks(tmp_path: Path) -> None:
    def change(run: RunResult) -> RunResult | None:
        place = TASKS.index(run.cell.task)
        match run.cell.model:
            case "few":
                return run if place < 6 else None
            case "broken":
                return replace(run, status="error", rigor_score=None) if place < 2 else run
            case "unscored":
                return with_score(run, None) if place < 6 else run
        return run

    write(tmp_path / "1", manifest_of("1", models=("all", "few", "broken", "unscored")), change)
    (board,) = board_of(tmp_path).boards
    entries = by_model(board)
    assert {m: e.rank for m, e in entries.items()} == {"all": 1, "few": None, "broken": None, "unscored": None}
    assert entries["few"].lacks == [
        "ran 6 of 12 tasks, at least 11 are needed",
        "6 of 12 planned runs are counted, at least 90 % are needed",
    ]
    assert entries["broken"].lacks[1:] == ["10 of 12 planned runs are counted, at least 90 % are needed"]
    assert entries["unscored"].lacks == ["ran 6 of 12 tasks, at least 11 are needed"]
    assert entries["few"].flags == {"not run": 6}
    assert entries["broken"].flags == {"broke": 2}
    assert board.entries[0].key.model == "all"
    (board,) = board_of(tmp_path, thresholds=Thresholds(1, 1, 0.0, 0.0)).boards
    assert board.ranked == 4
    (board,) = board_of(tmp_path, thresholds=Thresholds(10, 2, 0.9, 0.9)).boards
    assert board.ranked == 0


def test_figures_are_means_over_tasks_of_means_over_runs(tmp_path: Path) -> None:
    def change(run: RunResult) -> RunResult | None:
        place, repeat = TASKS.index(run.cell.task), run.cell.repeat
        return with_score(run, 0.9 if place == 0 else 0.1 * repeat) if place or repeat == 1 else None

    write(tmp_path / "1", manifest_of("1", tasks=TASKS[:3], repeats=2), change)
    (board,) = board_of(tmp_path).boards
    score = board.entries[0].score
    assert score.value == pytest.approx((0.9 + 0.15 + 0.15) / 3)
    assert (score.tasks, score.runs) == (3, 5)


def test_the_review_of_an_entry_has_intervals_and_no_rank(tmp_path: Path) -> None:
    models = ("acme/x", "acme/reckless")  # the invented reviews of a reckless model have a flag in odd repeats
    write(tmp_path / "1", manifest_of("1", models=models, repeats=2))
    for path in (tmp_path / "1" / "runs").glob("invented-00--*/review.json"):
        path.unlink()
    (board,) = board_of(tmp_path).boards
    fine, bent = (by_model(board)[m] for m in models)
    assert (fine.figures["flagged"].value, bent.figures["flagged"].value) == (0, 0.5)
    assert bent.figures["R-bent-tests"] == bent.figures["flagged"]
    assert bent.figures["H-claim-contradicted"].value == 0
    overall = fine.figures["overall"]
    assert (overall.tasks, overall.runs) == (len(TASKS) - 1, 2 * (len(TASKS) - 1))
    assert overall.low < overall.value < overall.high <= 100
    assert fine.flags["not read"] == 2
    page = site_module.pages(board_of(tmp_path), lambda _: None)["index.html"]
    assert f"] {overall.runs} of {overall.runs + 2} read</span>" in page
    without = tmp_path / "without"
    write(without / "1", manifest_of("1", models=models, repeats=2))
    for path in (without / "1" / "runs").glob("*/review.json"):
        path.unlink()
    (plain,) = board_of(without).boards
    assert [e.rank for e in plain.entries] == [e.rank for e in board.entries]
    assert plain.entries[0].figures["overall"].value is None
    assert plain.entries[0].figures["flagged"].value is None
    heads = {label for label, _, _ in say.columns(plain)}
    assert "Review" not in heads
    assert "Flagged" in heads
    shown = say.figure_titles(plain.entries[0], scripted=False).values()
    assert not [title for title in shown if title.startswith("reader")]


def test_the_pages_show_the_review_beside_the_score(tmp_path: Path) -> None:
    write(tmp_path / "1", manifest_of("1", models=("acme/x", "acme/reckless"), repeats=2))
    pages = site_module.pages(board_of(tmp_path), lambda _: None)
    (row,) = re.findall(r'<tr data-suite=[^>]*data-model="acme/reckless".*?</tr>', pages["index.html"])
    cells = dict(re.findall(r'data-label="([^"]*)"[^>]*>(.*?)</td>', row))
    # The same on every task: no width to show.
    assert cells["Flagged"] == "50 %"
    assert re.fullmatch(r'\d+<br><span class="how">\[\d+, \d+\]</span>', cells["Review"])  # all were read
    (entry,) = (text for name, text in pages.items() if "reckless" in name)
    rows = dict(re.findall(r'<th scope="row">([^<]*)</th><td class="num">([^<]*)</td>', entry))
    assert rows["review: runs with R-bent-tests"] == "50 %"
    assert rows["reader: verification"].isdigit()


def test_abstention_of_an_entry_is_that_of_the_report(tmp_path: Path) -> None:
    from rigorbench.bench.experiment.compare import compare

    manifest = manifest_of("1", repeats=2)
    for n, name in enumerate(TASKS):
        solvable = ("impossible", "yes", "yes")[n % 3]
        manifest.tasks[name] = replace(manifest.tasks[name], facts={"solvable": solvable})
    results = write(tmp_path / "1", manifest, scored({"acme/x": 0.7}, spread=0.2))
    (board,) = board_of(tmp_path).boards
    (group,) = compare(manifest, results).groups
    for name in ("AQ", "rigor_score", "pass_rate", "tokens", "VC", "regressions"):
        mean = group.conditions[0].means[name]
        assert board.entries[0].figures[name].value == pytest.approx(mean.value)
        assert board.entries[0].figures[name].runs == mean.runs


# -- ranks


def test_ties_and_ranks_of_known_differences(tmp_path: Path) -> None:
    base = {"best": 0.8, "twin-a": 0.5, "twin-b": 0.5, "last": 0.2}

    def change(run: RunResult) -> RunResult:
        place = TASKS.index(run.cell.task)
        wobble = {"twin-a": 0.02 * (-1) ** place, "twin-b": -0.02 * (-1) ** place}.get(run.cell.model, 0.0)
        return with_score(run, round(base[run.cell.model] + wobble + 0.01 * place, 6))

    write(tmp_path / "1", manifest_of("1", models=tuple(base)), change)
    (board,) = board_of(tmp_path).boards
    ranks = {m: (e.rank, e.last_rank) for m, e in by_model(board).items()}
    assert ranks == {"best": (1, 1), "twin-a": (2, 3), "twin-b": (2, 3), "last": (4, 4)}
    best = board.entries[0]
    assert best.key.model == "best"
    assert [v.verdict for v in best.versus] == ["better"] * 3
    assert [board.entries[v.other].key.model for v in best.versus] == [e.key.model for e in board.entries[1:]]
    twin = by_model(board)["twin-a"]
    assert sorted(v.verdict for v in twin.versus) == ["", "better", "worse"]


def test_differences_are_those_of_the_report() -> None:
    from rigorbench.base.stats.paired import paired_difference

    chance = np.random.default_rng(7)
    entries = [{f"t{n}": [float(chance.random())] for n in range(9) if (n + e) % 5} for e in range(4)]
    found = rank.differences(rank.matrix([{t: v[0] for t, v in e.items()} for e in entries]))
    for i in range(4):
        for j in range(4):
            if i == j:
                continue
            one = paired_difference(entries[i], entries[j], resamples=rank.RESAMPLES)
            assert found.value[i, j] == pytest.approx(one.value, abs=1e-6)
            assert found.shared[i, j] == one.tasks
            assert (found.low[i, j], found.high[i, j]) == pytest.approx((one.low, one.high), abs=1e-6)


def test_an_entry_gains_no_place_by_lacking_the_hard_tasks() -> None:
    hard = {f"t{n}": 0.1 if n < 3 else 0.9 for n in range(10)}
    honest = {t: v + 0.02 for t, v in hard.items()}
    picky = {t: v for t, v in hard.items() if v > 0.5}
    values = rank.matrix([hard, honest, picky])
    means = np.nanmean(values, axis=1)
    assert means[2] > means[1]
    fair = rank.adjusted(values)
    assert fair[1] > fair[2] == pytest.approx(fair[0], abs=1e-6)
    whole = values[:2]
    assert rank.adjusted(whole) == pytest.approx(whole.mean(axis=1))


@settings(max_examples=30)
@given(st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), min_size=1, max_size=6))
def test_ranks_allow_each_other(rows: list[list[float]]) -> None:
    values = np.array(rows)
    found = rank.differences(values)
    ranges = rank.rank_ranges(found)
    for n, (low, high) in enumerate(ranges):
        assert 1 <= low <= high <= len(rows)
        surely_worse = [m for m in range(len(rows)) if found.low[n, m] > 1e-6]
        assert all(ranges[m][0] > 1 for m in surely_worse)
    assert min(low for low, _ in ranges) == 1
    assert max(high for _, high in ranges) == len(rows)
    assert np.array_equal(np.nan_to_num(found.low), -np.nan_to_num(found.high.T))


def test_two_tasks_make_no_interval_and_no_order() -> None:
    found = rank.differences(np.array([[0.9, 0.9], [0.1, 0.1]]))
    assert np.isnan(found.low).all()
    assert rank.rank_ranges(found) == [(1, 2), (1, 2)]
    assert rank.mean_interval([0.1, 0.2]) is None


# -- time


def test_new_is_what_was_first_seen_since(tmp_path: Path) -> None:
    write(tmp_path / "1", manifest_of("1"), scored({}))
    write(tmp_path / "2", manifest_of("2", models=("acme/y",), day=40), scored({}, day=40))
    (board,) = board_of(tmp_path).boards
    assert {m: e.new for m, e in by_model(board).items()} == {"acme/x": False, "acme/y": True}
    (board,) = board_of(tmp_path, since=datetime(2020, 1, 1)).boards
    assert not any(e.new for e in board.entries)
    (board,) = board_of(tmp_path, since=datetime(2030, 1, 1)).boards
    assert not any(e.new for e in board.entries)


# -- pages


def build_site(root: Path, site: Path, **options: Any) -> dict[str, Page]:
    tables = tables_of(root)
    found = leaderboard.build(tables, **options)
    sources = find_sources([root], print)
    places = {place: directory for directory, place in sources.experiments}
    site_module.write_site(site, found, tables, site_module.addresses(site, places))
    pages = {}
    for path in sorted(site.rglob("*.html")):
        pages[path.relative_to(site).as_posix()] = page = Page(path.read_text(encoding="utf-8"))
        _check_inert(page)
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        for address in page.values("href"):
            target, _, anchor = address.partition("#")
            where = (path.parent / target).resolve() if target else path
            assert where.is_file(), address
            assert not anchor or f'id="{anchor}"' in where.read_text(encoding="utf-8"), address
    return pages


def mixed(root: Path) -> None:
    models = ("acme/x", "acme/y", "scripted/reckless")
    quality = {"acme/x": 0.4, "acme/y": 0.6}
    for day in (0, 20, 60):
        manifest = manifest_of(f"e{day}", models=models, harnesses=("baseline", "agent-rigor"), day=day)
        if day == 60:
            manifest = replace(manifest, agents={n: replace(s, version="2.0") for n, s in manifest.agents.items()})
        write(root / f"e{day}", manifest, scored({m: q + day / 600 for m, q in quality.items()}, day=day))
    write(root / "other", replace(manifest_of("other"), budget=Budget(tokens=1000)))
    old = make_manifest(repeats=3, models=("acme/x", "scripted/disciplined"))
    write(root / "old", replace(old, id="old"), trouble)


def test_every_entry_has_a_page_and_every_link_a_target(tmp_path: Path) -> None:
    mixed(tmp_path / "out")
    (tmp_path / "out" / "e0" / "report").mkdir()
    (tmp_path / "out" / "e0" / "report" / "index.html").write_text("<html>")
    pages = build_site(tmp_path / "out", tmp_path / "site")
    links = {a for a in pages["index.html"].values("href") if a.startswith("entries/")}
    assert links == pages.keys() - {"index.html"}
    linked = [name for name, page in pages.items() if "../../out/e0/report/index.html" in page.values("href")]
    assert len(linked) == 6
    text = words(tmp_path / "site" / "index.html")
    for part in (
        "Board 1",
        "To be ranked an entry needs 10 tasks",
        "budget (1 h 00 min, 5.0M tokens; there",
        "Not ranked To be ranked",
        "ran 5 of 5 tasks, at least 10 are needed",
    ):
        assert part in text
    assert "scripted policies" in text


def test_the_same_sources_give_the_same_bytes_also_from_tables(tmp_path: Path) -> None:
    from rigorbench.bench.experiment.results.database import Results

    mixed(tmp_path / "out")
    build_site(tmp_path / "out", tmp_path / "one")
    build_site(tmp_path / "out", tmp_path / "two")
    results = Results(find_sources([tmp_path / "out"], print), print)
    results.export(tmp_path / "tables")
    results.export(tmp_path / "all.duckdb")
    results.close()
    for place in ("tables", "all.duckdb", "one/data"):
        found = leaderboard.build(tables_of(tmp_path / place))
        assert site_module.compare_site(tmp_path / "one", found, lambda place: None) == []
    one, two = (
        {p.relative_to(r).as_posix(): p.read_bytes() for p in r.rglob("*") if p.is_file()}
        for r in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two


def test_pages_of_entries_that_are_gone_go(tmp_path: Path) -> None:
    mixed(tmp_path / "out")
    before = build_site(tmp_path / "out", tmp_path / "site")
    (tmp_path / "out" / "other").rename(tmp_path / "away")
    after = build_site(tmp_path / "out", tmp_path / "site")
    assert after.keys() < before.keys()


def hostile(manifest: Manifest, text: str) -> Manifest:
    """The manifest with ``text`` as every name that somebody else chooses."""
    subject = {text: replace(manifest.agents["react"], name=text, version=text, digest=text)}
    return replace(
        manifest,
        suite=text,
        sandbox=text,
        budget=Budget(metering=text),
        versions={"rigorbench": text},
        machine={"os": text, "architecture": text},
        agents=subject,
        harnesses=subject,
        models=subject,
        cells=[
            replace(c, agent=text, harness=text, model=text, task=f"{text}{n}") for n, c in enumerate(manifest.cells)
        ],
        tasks={
            f"{text}{n}": replace(t, digest=text, facts={"category": text})
            for n, t in enumerate(manifest.tasks.values())
        },
    )


@pytest.mark.parametrize("text", [p for p in PAYLOADS if "\ud800" not in p] + ["../../../etc/passwd", "..", "a/b\\c"])
def test_hostile_names_stay_text(tmp_path: Path, text: str) -> None:
    write(tmp_path / "out", hostile(manifest_of(text), text))
    pages = build_site(tmp_path / "out", tmp_path / "site")
    assert len(pages) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "site"]
    for path in (tmp_path / "site" / "entries").iterdir():
        assert re.fullmatch(r"[a-z0-9-]+\.html", path.name)


def test_nothing_to_show_is_a_page_too(tmp_path: Path) -> None:
    write(tmp_path / "out", manifest_of("1", tasks=()))
    tables = read_all(find_sources([tmp_path], print), print)
    site_module.write_site(tmp_path / "site", leaderboard.build(tables), tables, lambda place: None)
    assert "There are no entries" in words(tmp_path / "site" / "index.html")


# -- in a browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("leaderboard")
    mixed(root / "out")
    build_site(root / "out", root / "site")
    return root / "site"


ROWS = "section.one tbody tr"


def test_filters_sorting_and_the_address(browser: Any, site: Path) -> None:  # noqa: F811
    index = (site / "index.html").as_uri()
    with visit(browser) as v:
        page = v.page
        page.goto(index)
        total = page.locator(ROWS).count()
        assert page.locator("#shown").inner_text() == f"{total} entries"
        page.select_option("select[name=model]", "acme/y")
        left = page.locator(ROWS).count()
        assert 0 < left < total
        assert page.locator("#shown").inner_text() == f"{left} of {total} entries"
        assert all("acme/y" in t for t in page.locator(f"{ROWS} th").all_text_contents())
        page.check("input[name=ranked]")
        # By the keyboard: to the head of a column, and sorted both ways.
        page.focus("#b1 th[data-key=score] button")
        page.keyboard.press("Enter")
        assert page.get_attribute("#b1 th[data-key=score]", "aria-sort") == "descending"
        page.keyboard.press("Enter")
        assert page.get_attribute("#b1 th[data-key=score]", "aria-sort") == "ascending"
        scores = [float(c.get_attribute("data-v")) for c in page.locator("#b1 td.total").all()]
        assert scores == sorted(scores)
        assert len(scores) > 1
        kept, shown = page.url, page.locator(ROWS).all_text_contents()
        assert "model=acme" in kept
        assert "sort=b1.score.up" in kept
        page.goto("about:blank")
        page.goto(kept)
        assert page.locator(ROWS).all_text_contents() == shown
        assert page.input_value("select[name=model]") == "acme/y"
        page.click("#reset")
        assert page.locator(ROWS).count() == total
        assert page.url == index
        page.fill("#find", "no such entry")
        assert page.locator(ROWS).count() == 0
        assert page.locator("p.none:visible").count() == page.locator("section.one").count()
        page.fill("#find", "")
        page.select_option("select[name=kind]", "policy")
        assert all("reckless" in t or "disciplined" in t for t in page.locator(f"{ROWS} th").all_text_contents())
        page.click("#reset")
        page.fill("input[name=fresh]", "2026-11-01")
        assert 0 < page.locator(ROWS).count() < total
        assert v.errors == []
        assert v.foreign() == []


def test_an_entry_opens_and_shows_its_history(browser: Any, site: Path) -> None:  # noqa: F811
    with visit(browser) as v:
        v.page.goto((site / "index.html").as_uri())
        row = v.page.locator("#b1 tbody tr", has_text="agent-rigor · acme/y").filter(has_text="react 1.2.3").first
        assert row.locator("svg.spark polyline").count() == 1
        row.locator("a").click()
        page = v.page
        assert page.locator("h1").inner_text() == "react · agent-rigor · acme/y"
        assert page.locator("svg.history g.own circle").count() == 2
        assert page.locator("svg.history g.other circle").count() == 1
        assert page.locator("svg.history").is_visible()
        assert page.locator("#history tbody tr").count() == 3
        page.click("#history tbody a")
        assert "react 2.0" in page.locator("dl.facts").first.inner_text().replace("\n", " ")
        page.click("p.brand a")
        assert page.locator(ROWS).count() > 0
        assert v.errors == []
        assert v.foreign() == []


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
def test_pages_hold_at_any_width_and_light(browser: Any, site: Path, width: int, dark: bool) -> None:  # noqa: F811
    entry = next(
        p for p in sorted((site / "entries").iterdir()) if 'id="others"' in p.read_text() and "tied" in p.read_text()
    )
    with visit(browser, width=width, dark=dark) as v:
        for path in (site / "index.html", entry):
            v.page.goto(path.as_uri())
            assert v.sideways() == 0
            assert barriers(v.page) == []
        assert v.errors == []


def test_the_pages_work_without_their_script(browser: Any, site: Path) -> None:  # noqa: F811
    with visit(browser, java_script_enabled=False) as v:
        v.page.goto((site / "index.html").as_uri())
        assert v.page.locator("#tools").is_hidden()
        assert v.page.locator(ROWS).count() == len(list((site / "entries").iterdir()))


def test_a_long_board_shows_a_part_and_more_on_demand(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    models = tuple(f"acme/m{n:03}" for n in range(120))
    write(tmp_path / "out", manifest_of("1", tasks=TASKS[:1], models=models), scored({}))
    build_site(tmp_path / "out", tmp_path / "site")
    with visit(browser) as v:
        v.page.goto((tmp_path / "site" / "index.html").as_uri())
        assert v.page.locator(ROWS).count() == 50
        v.page.click("p.more button")
        assert v.page.locator(ROWS).count() == 100
        v.page.click("p.more button")
        assert v.page.locator(ROWS).count() == 120
        assert v.page.locator("p.more:visible").count() == 0
        v.page.fill("#find", "acme/m119")
        assert v.page.locator(ROWS).count() == 1


def test_a_suite_at_hand_is_what_its_tasks_are_checked_against(tmp_path: Path) -> None:
    manifest = manifest_of("1")
    known = {str(manifest.suite_facts["digest"]): {n: str(t.digest) for n, t in manifest.tasks.items()}}
    write(tmp_path / "true", manifest)
    invented = manifest_of("2", models=("acme/y",), tasks=(*TASKS[:11], "easy"))
    write(tmp_path / "invented", invented)
    silent = manifest_of("3", models=("acme/z",))
    silent.tasks = {n: replace(t, digest=None) for n, t in silent.tasks.items()}
    write(tmp_path / "silent", silent)
    write(tmp_path / "of another suite", manifest_of("4", tasks=("easy",), suite="suite-2"))
    tables, told = tables_of(tmp_path), []
    assert len(leaderboard.build(tables).boards[0].entries) == 3
    found = leaderboard.build(tables, suites=known, tell=told.append)
    assert [line.split(": ")[0] for line in told] == ["invented", "silent"]
    assert "task easy differs from the suite" in told[0]
    assert sorted(e.key.model for b in found.boards for e in b.entries) == ["acme/x", "acme/x"]


def test_a_site_among_its_sources_is_no_source(tmp_path: Path) -> None:
    write(tmp_path / "one", manifest_of("1"))
    build_site(tmp_path, tmp_path)
    build_site(tmp_path, tmp_path)
    build_site(tmp_path, tmp_path / "site")
    assert board_of(tmp_path).experiments == 1
    assert board_of(tmp_path / "site").experiments == 1


def test_a_report_that_is_older_than_its_files_says_so(tmp_path: Path) -> None:
    import msgspec

    from rigorbench.bench.experiment.results.files import INPUTS_SCHEMA, Inputs
    from rigorbench.bench.pages.tables.gather import gather

    out = tmp_path / "out"
    results = write(out, manifest_of("1", tasks=TASKS[:3]), scored({}))
    (source,) = board_of(tmp_path).boards[0].entries[0].sources
    assert source.report is None
    (out / "report" / "tables").mkdir(parents=True)
    (out / "report" / "index.html").write_text("<html>")
    (source,) = board_of(tmp_path).boards[0].entries[0].sources
    assert (source.report, source.report_stale) == ("report/index.html", None)
    inputs = Inputs(INPUTS_SCHEMA, "0.0.0", None, [], gather([out]).experiments)
    (out / "report" / "tables" / "inputs.json").write_bytes(msgspec.json.encode(inputs))
    (source,) = board_of(tmp_path).boards[0].entries[0].sources
    assert (source.report, source.report_stale) == ("report/index.html", False)
    rewrite(out, with_score(results[0], 0.9))
    build_site(tmp_path, tmp_path / "site")
    (entry,) = (tmp_path / "site" / "entries").iterdir()
    assert "its report is older than its files" in words(entry)


def test_ranked_entries_come_first_and_the_others_apart_with_one_note(tmp_path: Path) -> None:
    write(tmp_path / "out" / "1", manifest_of("1", models=("acme/x", "acme/y")), scored({"acme/x": 0.3, "acme/y": 0.6}))
    write(tmp_path / "out" / "2", manifest_of("2", models=("acme/few",), tasks=TASKS[:4]), scored({"acme/few": 0.9}))
    build_site(tmp_path / "out", tmp_path / "site")
    text = words(tmp_path / "site" / "index.html")
    assert text.count("RigorBench leaderboard") == 1
    text = text[text.index("invented: models") :]
    places = [text.index(part) for part in ("acme/y", "acme/x", "Not ranked", "To be ranked", "acme/few")]
    assert places == sorted(places)
    assert text.count("To be ranked") == 1
    assert "An entry is an agent" in text[places[-1] :]
    assert "ran 4 of 12 tasks, at least 11 are needed" in text


def test_solvable_twins_are_no_further_tasks_of_a_board(tmp_path: Path) -> None:
    manifest = manifest_of("1", tasks=("a", "sort", "sort-2"), suite=None)
    for name, solvable, twin in (("sort", "impossible", "sort-2"), ("sort-2", "yes", "sort")):
        manifest.tasks[name] = replace(manifest.tasks[name], facts={"solvable": solvable, "twin": twin})
    scores = {"a": 0.2, "sort": 0.4, "sort-2": 0.9}
    write(tmp_path / "1", manifest, lambda run: with_score(run, scores[run.cell.task]))
    (board,) = board_of(tmp_path).boards
    (entry,) = board.entries
    assert board.conditions.size == 2
    assert entry.score.value == pytest.approx(0.3)
    assert (entry.figures["AQ"].value, entry.figures["AQ"].runs) == (pytest.approx(0.3), 3)
