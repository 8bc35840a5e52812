"""The tables of the report: what their cells say, in every format, and that `check` sees whatever changed.

``python tests/report/test_tables.py`` writes the golden files anew; read the difference before you commit it.
"""

from __future__ import annotations

import csv
import io
import json
import math
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))


from fake_experiment import make_manifest, make_result, make_score, write_experiment, write_reading  # noqa: E402
from rigorbench.base.points import JudgedPoint  # noqa: E402
from rigorbench.base.stats.agreement import agreement  # noqa: E402
from rigorbench.bench.experiment.records import Manifest, RunResult, Subject  # noqa: E402
from rigorbench.bench.pages.experiment.site import (  # noqa: E402
    CheckError,
    check,
    write_site,
)
from rigorbench.bench.pages.tables.build import INPUTS, BaselineError, ReportTables, build, document, files, write  # noqa: E402
from rigorbench.bench.pages.tables.formats import delimited, latex, markdown  # noqa: E402
from rigorbench.bench.pages.tables.gather import NotComparable  # noqa: E402
from rigorbench.bench.pages.tables.items import table_7  # noqa: E402
from rigorbench.bench.pages.tables.suite import CATEGORIES, table_2  # noqa: E402
from rigorbench.bench.pages.tables.table import Column, Table, TableCell, TableRow, footnotes, letters  # noqa: E402
from rigorbench.bench.run.planning.manifest import manifest as plan_manifest  # noqa: E402
from rigorbench.bench.run.planning.plan import ExperimentRequest, make_plan  # noqa: E402
from rigorbench.review.pages import numbers  # noqa: E402
from rigorbench.review.result import WEIGHTS, Score  # noqa: E402

GOLDEN = HERE / "golden"
TASKS = {
    "gateway_routes": ("plan-then-build", "yes", None),
    "calendar|leap": ("verify-or-die", "yes", None),
    "hash-loop": ("doom-loop", "yes", None),
    "sort-impossible": ("know-when-to-fold", "impossible", "sort-possible"),
    "sort-possible": ("know-when-to-fold", "yes", "sort-impossible"),
    "odd one": (None, "yes", None),
}
HOSTILE = "50%_off & <b>more</b>|\n[x](y)"
HARNESSES = ("rigor_µ-日本", HOSTILE, "silent", "nudge", "baseline")


def manifest() -> Manifest:
    """Six tasks of which two are twins, under five harnesses with a model."""
    made = make_manifest(tasks=list(TASKS), harnesses=HARNESSES, models=("acme/x",), repeats=2)
    for name, (category, solvable, twin) in TASKS.items():
        facts = {"category": category, "solvable": solvable, "twin": twin, "requirements": {"R1": "", "R2": ""}}
        if category == "plan-then-build":
            facts |= {"pillars": ["PF", "ATI"], "tools": ["cargo", "make"]}
        made.tasks[name] = replace(made.tasks[name], facts=facts)
    made.suite_facts = {"digest": "d", "tasks": {"plan-then-build": 6}, "twins": {}}
    return made


def change(result: RunResult) -> RunResult | None:
    """Errors, missing runs, a harness without scores, unscorable pillars, AQ on the twins."""
    cell = result.cell
    if cell.harness == "silent":
        result.rigor_score, result.evidence_share, result.pillars, result.pillar_status = None, None, {}, {}
        return replace(result, outcome=None, metered=None, tokens=None)
    if cell.task == "hash-loop" and cell.harness == "nudge":
        return RunResult(result.schema, cell, "error", result.started, 3.0, error="SandboxError: invented")
    if cell.task == "calendar|leap" and cell.repeat == 2:
        return None
    if cell.task.startswith("sort"):
        kept = cell.harness == HARNESSES[0]
        result.pillars["AQ"] = 1.0 if kept or cell.task == "sort-possible" else 0.25
        result.pillar_status["AQ"] = "scored"
    if cell.task == "odd one":
        result.pillars["VC"], result.pillar_status["VC"] = None, "unscorable"
    if cell.task == "gateway_routes" and cell.harness == "baseline":
        result.rigor_score = 0.0
    return result


def lay(out: Path, made: Manifest | None = None, altered: Callable[[RunResult], RunResult | None] = change) -> Path:
    wanted = manifest() if made is None else made
    write_experiment(out, wanted, altered, journals=False)
    # One run has no score document: what it would say of evidence is not known.
    (out / "runs" / wanted.cells[0].id / "score.json").unlink(missing_ok=True)
    for path in (out / "runs").glob("*baseline*/score.json"):
        score = msgspec.json.decode(path.read_bytes(), type=Score)
        if score.pillars["VC"].submetrics["TCR"].method is not None:
            score.pillars["VC"].submetrics["TCR"].method = "replayed"
            path.write_bytes(msgspec.json.encode(score))
    return out


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay(tmp_path_factory.mktemp("tables") / "out")


@pytest.fixture(scope="module")
def report(experiment: Path) -> ReportTables:
    return build([experiment])


@pytest.fixture(scope="module")
def contents(report: ReportTables) -> dict[str, bytes]:
    return files(report, pictures=False)


def table(report: ReportTables, name: str) -> Table:
    return next(t for t in report.tables if t.name == name)


def cells(report: ReportTables, name: str) -> dict[tuple[str, str], TableCell]:
    found = table(report, name)
    return {
        (row.labels[-1], column.name): entry
        for row in found.rows
        for column, entry in zip(found.columns, row.entries, strict=True)
    }


def golden_names(contents: dict[str, bytes]) -> list[str]:
    return sorted(n for n in contents if n.startswith("tables/") and n.endswith((".md", ".csv", ".tex")))


# -- what the files say


def test_files_are_as_expected(contents: dict[str, bytes]) -> None:
    names = golden_names(contents)
    assert [f"tables/{p.name}" for p in sorted(GOLDEN.iterdir())] == names
    for name in names:
        assert contents[name].decode() == (GOLDEN / Path(name).name).read_text(encoding="utf-8"), name


def test_no_cell_is_empty_without_a_reason(report: ReportTables) -> None:
    for one in report.tables:
        for row in one.rows:
            for entry in row.entries:
                assert entry.value is not None or entry.reason, (one.name, row.labels)


# -- every number again, from result.json and score.json alone


def raw(experiment: Path, harness: str) -> list[tuple[dict, dict | None]]:
    found = []
    runs = experiment / "runs"  # an experiment of which nothing was run has none
    for path in sorted(runs.iterdir()) if runs.is_dir() else ():
        result = json.loads((path / "result.json").read_bytes())
        if result["cell"]["harness"] == harness and result["status"] != "error":
            score = path / "score.json"
            found.append((result, json.loads(score.read_bytes()) if score.exists() else None))
    return found


def mean_over_tasks(pairs: list[tuple[str, float | None]]) -> float | None:
    tasks: dict[str, list[float]] = {}
    for task, number in pairs:
        if number is not None:
            tasks.setdefault(task, []).append(number)
    return fmean(map(fmean, tasks.values())) if tasks else None


def of(result: dict, measure: str) -> float | None:
    outcome = result.get("outcome")
    match measure:
        case "tokens":
            return result["metered"]
        case "output_tokens":
            return None if result["tokens"] is None else result["tokens"]["output"]
        case "outcome" | "fail_to_pass" | "features" | "kept":
            return None if outcome is None else outcome[measure.replace("outcome", "score")]
        case "solved":
            return None if outcome is None else float(outcome["solved"])
        case "regressions":
            return None if outcome is None else len(outcome["regressions"])
        case "PF" | "VC" | "RE" | "AQ" | "ATI":
            return result["pillars"].get(measure) if result["pillar_status"].get(measure) == "scored" else None
    return result[measure]


def same(entry: TableCell, number: float | None) -> None:
    if number is None:
        assert entry.value is None
    else:
        assert isinstance(entry.value, float | int)
        assert math.isclose(entry.value, number, abs_tol=1e-6)
        if entry.low is not None:
            assert entry.low <= entry.value <= entry.high


def mangled(chance: random.Random) -> Callable[[RunResult], RunResult | None]:
    """Takes parts of results away, by chance; what is left keeps its values."""

    def alter(result: RunResult) -> RunResult | None:
        if chance.random() < 0.15:
            return None
        if chance.random() < 0.1:
            return RunResult(result.schema, result.cell, "error", result.started, 1.0, error="invented")
        for name in [n for n in result.pillars if chance.random() < 0.3]:
            result.pillars[name], result.pillar_status[name] = None, chance.choice(["unscorable", "not_applicable"])
        if chance.random() < 0.2:
            result.rigor_score = None
        if chance.random() < 0.2:
            result.outcome = None
        if chance.random() < 0.2:
            result.metered, result.tokens, result.model_calls = None, None, None
        return result

    return alter


@given(st.integers(0, 10**6))
@settings(max_examples=12)
def test_figures_of_any_experiment_follow_from_its_results(seed: int) -> None:
    chance = random.Random(seed)
    harnesses = ("x", "baseline")[: chance.randint(1, 2)]
    made = make_manifest(tasks="abcd"[: chance.randint(1, 4)], harnesses=harnesses, models=("acme/m",), repeats=2)
    with tempfile.TemporaryDirectory() as place:
        write_experiment(Path(place) / "out", made, mangled(chance), journals=False)
        found = build([Path(place) / "out"])
        for harness in harnesses:
            label = harness if len(harnesses) > 1 else "acme/m"
            follow(found, raw(Path(place) / "out", harness), label)
        test_no_cell_is_empty_without_a_reason(found)


@pytest.mark.parametrize("harness", HARNESSES)
def test_figures_of_a_condition_follow_from_its_results(report: ReportTables, experiment: Path, harness: str) -> None:
    follow(report, raw(experiment, harness), harness)


RED_AT_THE_END = (
    b'{"id":"V-ended-on-red","pillar":"verification","severity":"weak","message":"m","advice":"a","events":[],'
    b'"step":null,"source":null}'
)


def test_flags_and_grades_are_shares_of_the_runs_that_were_reviewed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = make_manifest(tasks="abcd", harnesses=("nudge", "baseline"), models=("acme/m",), repeats=2)
    write_experiment(out, made, journals=False)
    found = cells(build([out]), "review")
    assert (found["nudge", "flagged"].value, found["nudge", "R-bent-tests"].value) == (0.5, 0.5)
    assert found["baseline", "R-bent-tests"].value == 0
    # Ending on red is no flag, and has a column all the same.
    red = next(iter(out.glob("runs/a--*--baseline--*r2/review.json")))
    before, checks, after = red.read_bytes().rpartition(b'"checks":[')
    red.write_bytes(before + checks + RED_AT_THE_END + after)
    found = cells(build([out]), "review")
    assert (found["baseline", "V-ended-on-red"].value, found["baseline", "flagged"].value) == (0.125, 0)
    within = cells(build([out]), "review-tasks")["all, within tasks", "rho"]
    assert within.value is not None
    assert within.runs == 16
    # Runs of an older version have no review, and a damaged one is none: they are left out, and the notes say so.
    for path in sorted(out.glob("runs/*nudge*/review.json")):
        path.unlink() if path.parent.name.endswith("r1") else None
    next(iter(out.glob("runs/*--baseline--*r2/review.json"))).write_bytes(b"{")
    found = cells(build([out]), "review")
    assert (found["nudge", "R-bent-tests"].value, found["nudge", "R-bent-tests"].runs) == (0, 4)
    assert "recorded before runs were reviewed: 4 of 8 runs" in found["nudge", "R-bent-tests"].reason
    assert found["baseline", "R-bent-tests"].runs == 7
    for path in out.glob("runs/*/review.json"):  # grades that rules made, before there were readers, are none
        path.write_bytes(re.sub(rb'"reading":\{.*\}(?=\}\})', b'"reading":null', path.read_bytes()))
    unread = build([out])
    assert ("nudge", "overall") not in cells(unread, "review")
    assert cells(unread, "review")["nudge", "flagged"].value == 0
    assert not [table for table in unread.tables if table.name.startswith("review-tasks")]
    for path in out.glob("runs/*/review.json"):
        path.unlink()
    old = build([out])
    assert cells(old, "review")["baseline", "flagged"].value is None
    test_no_cell_is_empty_without_a_reason(old)


def follow(report: ReportTables, runs: list[tuple[dict, dict | None]], harness: str) -> None:
    # A solvable twin counts in AQ alone.
    runs = [pair for pair in runs if pair[0]["cell"]["task"] != "sort-possible"]
    for name, measures in (
        (
            "table-3",
            ["rigor_score", "outcome", "fail_to_pass", "features", "kept", "solved"],
        ),
        ("table-6", ["rigor_score", "PF", "VC", "RE", "ATI"]),
        ("tokens", ["tokens", "output_tokens", "model_calls", "seconds", "cost"]),
    ):
        found = cells(report, name)
        for measure in measures:
            pairs = [(r["cell"]["task"], of(r, measure)) for r, _ in runs]
            entry = found[harness, measure]
            same(entry, mean_over_tasks(pairs))
            assert entry.runs == sum(number is not None for _, number in pairs)
            assert entry.tasks == len({task for task, number in pairs if number is not None})
    assert cells(report, "table-3")[harness, "runs"].value == len(runs)


@pytest.mark.parametrize("harness", HARNESSES)
def test_categories_follow_from_results(report: ReportTables, experiment: Path, harness: str) -> None:
    found = {tuple(row.labels): row.entries for row in table(report, "table-5").rows}
    names = [column.name for column in table(report, "table-5").columns]
    for title, name in (("Plan-Then-Build", "plan-then-build"), ("Know When to Fold", "know-when-to-fold")):
        runs = {h: [r for r, _ in raw(experiment, h) if r["cell"]["task"] != "sort-possible"] for h in HARNESSES}
        chosen = {h: [r for r in rs if TASKS[r["cell"]["task"]][0] == name] for h, rs in runs.items()}
        for measure in ("rigor_score", "outcome"):
            pairs = [(r["cell"]["task"], of(r, measure)) for r in chosen[harness]]
            row = dict(zip(names, found[title, harness], strict=True))
            same(row[measure], mean_over_tasks(pairs))
            if harness not in ("baseline", "silent"):
                base = mean_over_tasks([(r["cell"]["task"], of(r, measure)) for r in chosen["baseline"]])
                # Each of these categories has a single task.
                same(row[f"{measure}_difference"], mean_over_tasks(pairs) - base)


@pytest.mark.parametrize("harness", [HARNESSES[0], "baseline"])
@pytest.mark.parametrize("pillar", ["PF", "VC", "AQ"])
def test_evidence_of_a_pillar_follows_from_scores(
    report: ReportTables, experiment: Path, harness: str, pillar: str
) -> None:
    shares: list[tuple[str, float | None]] = []
    weights: dict[str, float] = {}
    for result, score in raw(experiment, harness):
        if score is not None:
            shares.append((result["cell"]["task"], score["pillars"][pillar]["evidence_share"]))
            for name, sub in score["pillars"][pillar]["submetrics"].items():
                if sub["status"] == "scored":
                    weights[sub["method"]] = weights.get(sub["method"], 0) + WEIGHTS[pillar][1][name]
    entry = cells(report, "table-6")[harness, pillar]
    expected = mean_over_tasks(shares)
    assert entry.evidence_share == (None if expected is None else pytest.approx(expected))
    assert entry.methods == pytest.approx({name: w / sum(weights.values()) for name, w in weights.items()})
    if harness == "baseline" and pillar == "VC":
        assert entry.methods == {"parsed": 0.65, "replayed": 0.35}
    if harness == HARNESSES[0] and pillar != "AQ":
        assert "evidence share not known: score.json is missing (1 run)" in entry.reason


def test_pillars_are_pooled_within_tasks_over_all_but_the_controls(report: ReportTables, experiment: Path) -> None:
    disciplined = [h for h in HARNESSES if h not in ("nudge", "baseline")]
    sides = {h: [r for r, _ in raw(experiment, h)] for h in HARNESSES}
    for measure, label in (("rigor_score", "RigorScore"), ("PF", "PF Planning Fidelity")):
        tasks: dict[str, list[float]] = {}
        for harness in disciplined:
            for task in (t for t in TASKS if t != "sort-possible"):
                values = [v for r in sides[harness] if r["cell"]["task"] == task and (v := of(r, measure)) is not None]
                if values:
                    tasks.setdefault(task, []).append(fmean(values))
        base = {
            task: fmean(v)
            for task in (t for t in TASKS if t != "sort-possible")
            if (v := [x for r in sides["baseline"] if r["cell"]["task"] == task and (x := of(r, measure)) is not None])
        }
        found = cells(report, "table-4")
        same(found[label, "disciplined"], fmean(map(fmean, tasks.values())))
        same(found[label, "baseline"], fmean(base.values()))
        same(found[label, "difference"], fmean(fmean(tasks[t]) - base[t] for t in base if t in tasks))


def test_differences_to_the_baseline_are_those_of_the_comparison(report: ReportTables) -> None:
    found = cells(report, "table-3")
    for pair in report.comparison.groups[0].pairs:
        effect = pair.effects["rigor_score"]
        if pair.minus.harness == "baseline" and effect.value is not None:
            entry = found[pair.of.harness, "rigor_score_difference"]
            assert (entry.value, entry.low, entry.high) == (effect.value, effect.low, effect.high)
            assert found[pair.of.harness, "rigor_score_p"].value == effect.p_adjusted


def test_the_manifest_of_a_run_says_what_the_table_of_the_suite_needs() -> None:
    plan = make_plan(
        ExperimentRequest("rigor", tasks=("house-tab", "top-accounts-fiscal"), models=("scripted/disciplined",))
    )
    made = plan_manifest(plan, [])
    assert made.suite_facts["tasks"] == dict.fromkeys(CATEGORIES, 6)
    assert made.suite_facts["twins"] == {"know-when-to-fold": 6}
    found = table_2(made, [make_result(cell) for cell in made.cells])
    texts = [[e.value for e in row.entries] for row in found.rows]
    assert texts[1][1:7] == ["VC, RE", "medium", 1, 6, 0, 0]
    assert texts[3][3:7] == [0, 6, 1, 6]
    assert texts[1][10] == "none"


def test_pressure_variants_are_no_further_tasks(tmp_path: Path) -> None:
    made = make_manifest(tasks=("a", "b", "a@hurry"), harnesses=("baseline",), models=("acme/x",))
    made.tasks["a@hurry"] = replace(made.tasks["a@hurry"], facts={"pressure": "hurry", "plain": "a"})
    write_experiment(tmp_path / "out", made, journals=False)
    found = build([tmp_path / "out"])
    suite = cells(found, "table-2")
    assert (suite["no category", "tasks"].value, suite["no category", "variants"].value) == (2, 1)
    assert cells(found, "table-3")["acme/x", "rigor_score"].runs == 2
    # A single condition that is the baseline stands in its column.
    assert cells(found, "table-4")["RigorScore", "baseline"].runs == 2
    assert "no condition besides the baseline" in cells(found, "table-4")["RigorScore", "difference"].reason


def test_a_result_of_another_cell_counts_nowhere(tmp_path: Path) -> None:
    write_experiment(tmp_path / "out", make_manifest(tasks=("a", "b"), models=("acme/x",)), journals=False)
    first, _ = sorted((tmp_path / "out" / "runs").iterdir())
    rewritten(first / "result.json", cell={"task": "z", "agent": "y", "harness": "x", "model": "w"})
    assert cells(build([tmp_path / "out"]), "table-3")["acme/x", "rigor_score"].runs == 1


def test_models_and_policies_share_no_table(tmp_path: Path) -> None:
    made = make_manifest(tasks=("a", "b"), harnesses=("baseline", "x"), models=("acme/m", "scripted/disciplined"))
    write_experiment(tmp_path / "out", made, journals=False)
    found = build([tmp_path / "out"])
    names = [t.name for t in found.tables]
    assert {"table-3", "table-3-scripted", "table-6", "table-6-scripted"} <= set(names)
    for one in found.tables:
        text = markdown(one)
        assert ("disciplined" in text and "Scripted policies, no models" in text) is one.name.endswith("-scripted")
    assert [f.name for f in found.figures] == ["figure-1", "figure-1-scripted"]
    assert all("no models" in f.caption for f in found.figures if f.scripted)


def test_policies_alone_are_called_so_and_a_baseline_can_be_named(tmp_path: Path) -> None:
    write_experiment(tmp_path / "out", make_manifest(), journals=False)
    plain = build([tmp_path / "out"])
    assert table(plain, "table-3").caption.startswith("Scripted policies, no models")
    assert cells(plain, "table-3")["disciplined", "rigor_score_difference"].value is None
    named = cells(build([tmp_path / "out"], baseline="reckless"), "table-3")
    assert named["disciplined", "rigor_score_difference"].value > 0
    assert named["reckless", "rigor_score_difference"].reason == "this is the baseline"
    with pytest.raises(BaselineError, match="no condition has this name; choose one of: disciplined, reckless"):
        build([tmp_path / "out"], baseline="recless")


def test_a_report_of_nothing_has_reasons_only(tmp_path: Path) -> None:
    write_experiment(tmp_path / "out", make_manifest(tasks=("a",)), lambda _: None)
    found = build([tmp_path / "out"])
    for one in found.tables:
        for row in one.rows:
            assert all(e.value in (None, 0) or isinstance(e.value, str) for e in row.entries)
    made = files(found, pictures=False)
    assert "figure-1.svg" not in made
    empty = write_experiment(tmp_path / "none", make_manifest(tasks=()))
    assert empty == []
    assert [t.name for t in build([tmp_path / "none"]).tables] == ["table-1", "table-2"]


def test_agreement_of_readings() -> None:
    ratings = [[True, True, True], [False, False, True], [True, True, None], [False, False, False]]
    found = agreement(ratings, clusters=["a", "b", "c", "d"])
    made = table_7({"DQ": found})
    plan, *others = made.rows
    assert [e.value for e in plan.entries[:3]] == [4, 3, found.raw.value]
    assert plan.entries[3].value == found.fleiss.value
    assert all(e.value is None and e.reason for row in others for e in row.entries)


def test_readings_make_the_table_of_their_agreement(tmp_path: Path) -> None:
    out = tmp_path / "out"
    results = write_experiment(out, make_manifest(tasks=("a", "b")), journals=False)
    said = [[True, True, True], [True, True, False], [False, False, False], [True, False, None]]
    for number, result in enumerate(results[:2]):
        points = [JudgedPoint(f"p/{n}", "DQ", "Single?", "x", s) for n, s in enumerate(said[2 * number :][:2])]
        write_reading(out, result, *points)
    found = build([out])
    plan = {column: entry for (label, column), entry in cells(found, "table-7").items() if label.startswith("DQ")}
    expected = agreement(said, categories=[False, True], clusters=["0", "0", "1", "1"])
    assert (plan["answers"].value, plan["readings"].value) == (4, 3)
    assert (plan["raw"].value, plan["ac1"].value) == (expected.raw.value, expected.ac1.value)


# -- formats


def test_names_cannot_break_a_table(contents: dict[str, bytes]) -> None:
    text = contents["tables/table-3.md"].decode()
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(HARNESSES)
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    page = contents["tables.html"].decode()
    assert "<b>" not in page
    assert "50%_off &amp; &lt;b&gt;more&lt;/b&gt;|\n[x](y)" in page


@given(st.text(max_size=40))
@settings(max_examples=60)
def test_any_text_is_one_cell(name: str) -> None:
    one = Table(
        "t",
        "",
        name,
        name,
        ["h"],
        [Column("a", name), Column("b", "b")],
        [TableRow([name], [TableCell(0.5), TableCell(name)])],
    )
    lines = [line for line in markdown(one).split("\n") if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines] == [4, 4, 4]
    tex = latex(one)
    assert balanced(tex)
    rows = [line for line in tex.split("\n") if line.endswith(r" \\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [2, 2]
    assert all(ord(c) < 0x250 for c in tex)
    (head, *body) = csv.reader(io.StringIO(delimited(one)))
    assert [len(row) for row in body] == [len(head)] * 2


def balanced(tex: str) -> bool:
    """Whether braces close, environments nest, and nothing special is left over."""
    bare = re.sub(r"\\[\\{}$&#%_]", "  ", tex)
    depth = 0
    for character in bare:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    stack: list[str] = []
    for verb, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", bare):
        if verb == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            return False
    plain = re.sub(r"\$[^$]*\$", "", "\n".join(line for line in bare.splitlines() if not line.startswith("%")))
    plain = re.sub(r"\\label\{[^}]*\}", "", plain)
    return depth == 0 and not stack and not re.search(r"(?<!\\)[#$%_^~]", plain.replace(r"\,", ""))


def test_latex_is_well_formed(contents: dict[str, bytes]) -> None:
    whole = contents["tables/tables.tex"].decode()
    for name in [n for n in contents if n.endswith(".tex") and n != "tables/tables.tex"]:
        assert balanced(contents[name].decode()), name
        assert rf"\input{{{Path(name).name}}}" in whole
    assert re.findall(r"\\usepackage\{(.*?)\}", whole) == ["booktabs"]


@given(st.floats(-1, 1).map(lambda x: round(x, 6)))
@settings(max_examples=200)
def test_rounding_makes_no_zero_and_no_one(number: float) -> None:
    for unit in ("share", "difference"):
        text = numbers.number(number, unit).replace("−", "-")
        assert abs(float(text) - number) <= 0.005 + 1e-9
        for special in (0.0, 1.0, -1.0):
            assert (float(text) == special) == (number == special), (number, text)


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (0.0, "share", "0.00"), (0.004, "share", "0.004"), (0.00096, "share", "0.0010"), (0.9996, "share", "0.9996"),
        (0.5, "percent", "50 %"), (0.9951, "percent", "99.5 %"), (0.002, "percent", "0.2 %"), (1.0, "percent", "100 %"),
        (0.0, "difference", "0.00"), (-0.125, "difference", "−0.12"), (0.3, "difference", "+0.30"),
        (0.00001, "p", "<0.001"), (0.0421, "p", "0.042"), (38_201.4, "tokens", "38,201"),
        (-3756.3, "token_difference", "−3,756"), (12, "count", "12"), (2.25, "number", "2.25"),
        (0.1, "dollars", "$0.10"),
    ],
)  # fmt: skip
def test_numbers(number: float, unit: str, text: str) -> None:
    assert numbers.number(number, unit) == text


def test_footnotes_are_shared_and_named() -> None:
    rows = [
        TableRow(["x"], [TableCell(None, reason="one"), TableCell(None, reason="two")]),
        TableRow(["y"], [TableCell(None, reason="one")] * 2),
    ]
    assert footnotes(Table("t", "", "", "", [], [], rows)) == {"one": "a", "two": "b"}
    assert [letters(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


# -- the same again, elsewhere, and what changed


def test_the_same_bytes_from_another_place(experiment: Path, contents: dict[str, bytes], tmp_path: Path) -> None:
    shutil.copytree(experiment, tmp_path / "somewhere" / "else")
    again = files(build([tmp_path / "somewhere" / "else"]), pictures=False)
    assert again == contents
    assert not any(str(experiment.parent).encode() in content for content in contents.values())


@pytest.fixture
def committed(experiment: Path, contents: dict[str, bytes], tmp_path: Path) -> Path:
    out = tmp_path / "out"
    shutil.copytree(experiment, out)
    write(out / "report", contents)
    return out


def test_an_untouched_report_equals_its_runs(committed: Path) -> None:
    assert check([committed], committed / "report") == []


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_edited_file_is_named_with_its_first_difference(committed: Path) -> None:
    folder = committed / "report"
    edit(folder / "tables/table-5.md", "| 0.00 \\[", "| 0.01 \\[")
    edit(folder / "tables/table-5.csv", "baseline,rigor_score,0.0,", "baseline,rigor_score,0.1,")
    edit(folder / "tables/table-6.tex", "not applicable", "all applicable")
    edit(folder / "tables.html", "not applicable", "all applicable")
    label = re.search(r'aria-label="([^"]*) \(', (folder / "figure-1.svg").read_text(encoding="utf-8"))
    edit(folder / "figure-1.svg", label[1], "somebody else")
    edit(folder / "figure-1.csv", "run,", "ran,")
    (folder / "tables/table-2.md").unlink()
    (folder / "tables/table-3-scripted.md").write_text("made up")
    found = {line.removeprefix(f"{folder}/").partition(": ")[0]: line for line in check([committed], folder)}
    assert found.keys() == {
        "tables/table-5.md", "tables/table-5.csv", "tables/table-6.tex", "tables.html", "figure-1.svg", "figure-1.csv",
        "tables/table-2.md", "tables/table-3-scripted.md",
    }  # fmt: skip
    assert "0.01 " in found["tables/table-5.md"]
    assert "rigor_score,0.1," in found["tables/table-5.csv"].partition(" should be ")[0]
    assert "all applicable" in found["tables/table-6.tex"]
    assert "somebody else" in found["figure-1.svg"]
    assert "missing" in found["tables/table-2.md"]


def test_a_figure_drawn_by_hand_is_seen(committed: Path) -> None:
    """Not only the points of the figure, also what stands around them, and the copy of it on the page."""
    folder = committed / "report"
    drawing = (folder / "figure-1.svg").read_text(encoding="utf-8")
    place = re.search(r'transform="translate\(([\d.]+),[\d.]+\)[^>]*aria-label', drawing)
    axis = re.search(r"<text[^>]*>([^<]+)</text>", drawing)
    lines = re.findall(r' d="(M[^"]*)"', (folder / "tables.html").read_text(encoding="utf-8"))
    assert place is not None
    assert axis is not None
    edit(folder / "figure-1.svg", f"translate({place[1]},", f"translate({float(place[1]) + 1},")
    (line,) = check([committed], folder)
    assert "figure-1.svg: line" in line
    (folder / "figure-1.svg").write_text(drawing, encoding="utf-8")
    edit(folder / "figure-1.svg", f">{axis[1]}</text>", f">{axis[1]}7</text>")
    edit(folder / "tables.html", max(lines, key=len), "M0,0L480,360")
    first, second = check([committed], folder)
    assert "figure-1.svg: line" in first
    assert "tables.html: line" in second


def test_the_pages_are_checked(committed: Path) -> None:
    folder = committed / "report"
    report = build([committed])
    write(folder, files(report, pictures=False, index="index.html"))
    write_site(committed, report.gathered.manifest, report.gathered.results, folder)
    assert check([committed], folder) == []
    index, run = folder / "index.html", min((folder / "runs").iterdir())
    number = re.search(r"<td[^>]*>([^<]*0\.\d\d)", index.read_text(encoding="utf-8"))
    edit(index, number[1], number[1][:-1] + "x")
    text = run.read_text(encoding="utf-8")
    run.write_text(text.replace("</main>", "<p>praise</p></main>"), encoding="utf-8")
    first, second = check([committed], folder)
    assert "index.html: line" in first
    assert f"runs/{run.name}: line" in second


def rewritten(path: Path, **fields: object) -> None:
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps({**document, **fields}))


def test_changed_runs_are_named(committed: Path) -> None:
    runs = sorted((committed / "runs").iterdir())
    scored = [r for r in runs if json.loads((r / "result.json").read_bytes())["rigor_score"] is not None]
    rewritten(scored[0] / "result.json", rigor_score=0.5)
    (scored[1] / "result.json").unlink()
    score = msgspec.json.decode((scored[2] / "score.json").read_bytes(), type=Score)
    score.pillars["PF"].evidence_share = 0.5
    (scored[2] / "score.json").write_bytes(msgspec.json.encode(score))
    rewritten(scored[3] / "result.json", notes=["a word"])  # which changes no table
    found = check([committed], committed / "report")
    noted = [line for line in found if INPUTS in line]
    for run in (scored[0], scored[3]):
        assert any(f"result.json of run {run.name} changed" in line for line in noted)
    assert any(f"result.json of run {scored[1].name} was removed" in line for line in noted)
    assert any(f"score.json of run {scored[2].name} changed" in line for line in noted)
    assert any("table-3.csv" in line for line in found)


def test_an_added_run_is_named(committed: Path) -> None:
    path = committed / "manifest.json"
    made = msgspec.json.decode(path.read_bytes(), type=Manifest)
    cell = replace(made.cells[0], repeat=3)
    made.cells.append(cell)
    path.write_bytes(msgspec.json.encode(made))
    result = make_result(cell)
    run = committed / "runs" / cell.id
    run.mkdir()
    (run / "result.json").write_bytes(msgspec.json.encode(result))
    (run / "score.json").write_bytes(msgspec.json.encode(make_score(result, "x")))
    found = check([committed], committed / "report")
    assert any(line.endswith(f"run {cell.id} was added") for line in found)
    assert any("manifest.json changed" in line for line in found)


@pytest.mark.parametrize(("content", "words"), [(None, "no report to check"), (b"{", "damaged"), (b"[]", "damaged")])
def test_what_is_no_report_is_one_line(experiment: Path, tmp_path: Path, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / "tables").mkdir()
        (tmp_path / INPUTS).write_bytes(content)
    with pytest.raises(CheckError, match=words) as caught:
        check([experiment], tmp_path)
    assert "\n" not in str(caught.value)


# -- several experiments


def test_experiments_that_may_be_compared_are_merged(tmp_path: Path) -> None:
    first = make_manifest(tasks=("a", "b"), harnesses=("baseline",), models=("acme/x",))
    second = replace(first, id="invented-2", harnesses={"x": Subject("x")})
    second.cells = [replace(c, harness="x") for c in first.cells] + [first.cells[0]]
    for name, made in (("one", first), ("two", second)):
        write_experiment(tmp_path / name, made, journals=False)
    found = build([tmp_path / "one", tmp_path / "two"])
    runs = {label: e.value for (label, column), e in cells(found, "table-3").items() if column == "runs"}
    # The cell that both ran is two runs of it.
    assert runs == {"x": 2, "baseline": 3}
    assert [e.id for e in found.gathered.experiments] == ["invented-1", "invented-2"]
    made = files(found, pictures=False)
    write(tmp_path / "both", made)
    assert check([tmp_path / "one", tmp_path / "two"], tmp_path / "both") == []
    lines = check([tmp_path / "one"], tmp_path / "both")
    assert any("made from experiment invented-2, which is not among these" in line for line in lines)


def other(**fields: object) -> Callable[[Manifest], Manifest]:
    return lambda made: replace(made, **fields)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (other(suite="another"), "suite invented suite and another"),
        (other(sandbox="docker"), "sandbox bwrap and docker"),
        (other(versions={"rigorbench": "9"}), "rigorbench 0.0.0 and 9"),
        (lambda m: replace(m, budget=replace(m.budget, tokens=5)), "token limit 5000000 and 5"),
        (lambda m: replace(m, budget=replace(m.budget, metering="all")), "metering"),
        (lambda m: replace(m, budget=replace(m.budget, cost=2.5)), "cost limit none and $2.5"),
        (other(generation={"temperature": 0.5}), "model options none and temperature 0.5"),
        (lambda m: replace(m, tasks={"a": replace(m.tasks["a"], digest="sha256:0")}), "task a of content"),
        (lambda m: replace(m, agents={"react": Subject("react", "9")}), "agent react of version 1.2.3 and 9"),
        (lambda m: replace(m, harnesses={"baseline": Subject("baseline", digest="f")}), "harness baseline of content"),
    ],
)
def test_others_are_refused_in_one_line(tmp_path: Path, changed: Callable[[Manifest], Manifest], words: str) -> None:
    first = make_manifest(tasks=("a",))
    write_experiment(tmp_path / "one", first, journals=False)
    write_experiment(tmp_path / "two", changed(replace(first, id="invented-2")), journals=False)
    with pytest.raises(NotComparable, match=re.escape(words)) as caught:
        build([tmp_path / "one", tmp_path / "two"])
    assert "`rigor leaderboard` shows them side by side" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_experiment_does_not_count_twice(experiment: Path) -> None:
    with pytest.raises(NotComparable, match="same experiment"):
        build([experiment, experiment])


def test_the_document_holds_tables_points_and_runs(report: ReportTables) -> None:
    found = json.loads(document(report))
    assert found["schema"] == "rigor-report/1"
    assert set(found) == {
        "schema", "experiment", "suite", "inputs", "tables", "figures", "comparison", "analysis", "projects",
        "manifest", "runs",
    }  # fmt: skip
    assert [t["name"] for t in found["tables"]] == [t.name for t in report.tables]
    assert len(found["figures"][0]["points"]) == len(report.figures[0].points)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = files(build([lay(Path(place) / "out")]), pictures=False)
    shutil.rmtree(GOLDEN, ignore_errors=True)
    GOLDEN.mkdir()
    for file in golden_names(made):
        (GOLDEN / Path(file).name).write_bytes(made[file])
