"""What the paper's tables add to the figures of runs: the best in bold, composites, relative changes, the survey."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from fake_experiment import make_manifest, write_experiment
from rigorbench.bench.experiment.records import RunResult
from rigorbench.bench.pages.experiment.site import check
from rigorbench.bench.pages.tables.build import ReportTables, build, files, write
from rigorbench.bench.pages.tables.conditions import composite
from rigorbench.bench.pages.tables.figure import figure_svg
from rigorbench.bench.pages.tables.formats import latex, markdown
from rigorbench.bench.pages.tables.gather import GivenFactsError
from rigorbench.bench.pages.tables.query import change
from rigorbench.bench.pages.tables.suite import ASPECTS, benchmarks
from rigorbench.bench.pages.tables.table import Column, Table, TableCell, TableRow, with_best
from rigorbench.review.result import WEIGHTS, Score
from sources import text_file


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ReportTables:
    out = tmp_path_factory.mktemp("paper") / "out"
    made = make_manifest(tasks="abcdef", harnesses=("agent-rigor", "baseline"), models=("acme/x",), repeats=2)
    write_experiment(out, made, journals=False)
    # The waste of a condition is in its score documents.
    for path in out.glob("runs/*/score.json"):
        score = msgspec.json.decode(path.read_bytes(), type=Score)
        score.pillars["RE"].submetrics["1-TWR"].value = 0.95 if "agent-rigor" in path.parent.name else 0.8
        path.write_bytes(msgspec.json.encode(score))
    return build([out])


def rows(report: ReportTables, name: str) -> dict[tuple[str, ...], dict[str, TableCell]]:
    table = next(t for t in report.tables if t.name == name)
    names = [column.name for column in table.columns]
    return {tuple(row.labels): dict(zip(names, row.entries, strict=True)) for row in table.rows}


def test_the_best_of_a_column_is_bold_within_its_block() -> None:
    columns = [Column("a", "a", best="most"), Column("b", "b", best="least"), Column("c", "c")]

    def row(block: str, *values: float | None) -> TableRow:
        return TableRow([block, "x"], [TableCell(v, reason="" if v is not None else "none") for v in values])

    given = [row("1", 0.5, 2, 1), row("1", 0.7, 3, 2), row("2", 0.1, 4, 3), row("2", None, 4, 4)]
    marked = [[e.best for e in r.entries] for r in with_best(given, columns, 1)]
    # The second block has one value of a, and the same value of b twice: neither is the best of anything.
    assert marked == [[False, True, False], [True, False, False], [False] * 3, [False] * 3]
    table = Table("t", "", "T", "C", ["block", "row"], columns, with_best(given, columns, 1))
    assert "| **0.70** |" in markdown(table)
    assert r"\textbf{0.70}" in latex(table)


def test_the_composite_follows_from_its_row(report: ReportTables) -> None:
    for entries in rows(report, "table-6").values():
        known = {name: entries[name].value for name in WEIGHTS if entries[name].value is not None}
        weight = sum(WEIGHTS[name][0] for name in known)
        follows = sum(WEIGHTS[name][0] * value for name, value in known.items()) / weight
        assert entries["composite"].value == pytest.approx(follows, abs=1e-6)
        assert entries["composite"].reason == "without AQ, which has no value"
    assert composite({"PF": TableCell(None, reason="none")}).value is None


def test_a_score_that_is_not_the_composite_says_why(tmp_path: Path) -> None:
    def without_recovery(result: RunResult) -> RunResult:
        if result.cell.task == "a":
            result.pillars["RE"], result.pillar_status["RE"], result.rigor_score = None, "not_applicable", 0.1
        return result

    made = make_manifest(tasks="abc", harnesses=("x", "baseline"), models=("acme/x",))
    write_experiment(tmp_path / "out", made, without_recovery, journals=False)
    entry = rows(build([tmp_path / "out"]), "table-6")["x",]["rigor_score"]
    assert entry.reason.startswith("not the composite of the row: RE apply to some of the runs only")


def test_a_relative_change_is_that_of_the_means_over_shared_tasks() -> None:
    found = change({"a": [0.6], "b": [0.9], "c": [0.9], "d": [1.0]}, {"a": [0.4, 0.6], "b": [0.5], "c": [0.8]})
    assert found.value == pytest.approx(2.4 / 1.8 - 1, abs=1e-6)
    assert found.tasks == 3
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high
    assert change({"a": [1.0]}, {"a": [0.0]}).reason == "the baseline is 0: nothing to relate it to"
    assert change({"a": [1.0]}, {"b": [1.0]}).value is None


def test_the_abstracts_figures_are_relative_to_the_baseline(report: ReportTables) -> None:
    found = rows(report, "relative")["agent-rigor",]
    assert found["waste"].value == pytest.approx(0.05 / 0.2 - 1)
    tokens = {key: e["tokens"].value for key, e in rows(report, "tokens").items()}
    assert found["tokens"].value == pytest.approx(tokens["agent-rigor",] / tokens["baseline",] - 1, abs=1e-4)
    assert rows(report, "relative")["baseline",]["waste"].reason == "this is the baseline"


def test_sub_metrics_are_listed_by_condition(report: ReportTables) -> None:
    found = rows(report, "submetrics")
    label = ("RE", "1-TWR: share of tokens not wasted", "agent-rigor")
    assert [k[2] for k in found if k[1].startswith("1-TWR")] == ["agent-rigor", "baseline"]
    twr = next(e for k, e in found.items() if k[1].startswith("1-TWR") and k[2] == label[2])
    assert (twr["value"].value, twr["value"].best) == (0.95, True)
    assert twr["difference"].value == pytest.approx(0.15)
    assert len(found) == 2 * sum(len(parts) for name, (_, parts) in WEIGHTS.items() if name != "AQ")


def test_the_picture_has_r_p_n_and_the_line(report: ReportTables) -> None:
    (figure,) = report.figures
    pooled = figure.correlations.pooled
    drawn = [text for e in ElementTree.fromstring(figure_svg(figure)).iter() if (text := (e.text or "").strip())]
    (line,) = [text for text in drawn if text.startswith("all runs: r = ")]
    assert f"n = {pooled.n}, y = " in line
    assert " p = " in line or " p < " in line
    assert line.endswith(" x")
    assert any(text.startswith("within tasks: r = ") for text in drawn)
    assert "Outcome score" in drawn
    assert pooled.intercept is not None
    assert f"intercept {pooled.intercept:.2f}".replace("-", "−") in figure.caption


def test_the_survey_has_a_source_for_each_row() -> None:
    found = benchmarks()
    assert len({one["name"] for one in found}) == len(found)
    assert [one["year"] for one in found] == sorted(one["year"] for one in found)
    assert all(one["source"].startswith(("arXiv ", "ACL Anthology ")) for one in found)
    for one in found:
        given = {one.get(name, "no") for name in ASPECTS}
        assert one.keys() <= {"name", "year", "tasks", "source", "outcome", "note", *ASPECTS}, one["name"]
        assert given <= {"yes", "partly", "no"}, one["name"]
        assert "partly" not in given or one["note"], one["name"]


def test_departures_are_undone_one_by_one_and_together(tmp_path: Path) -> None:
    made = make_manifest(tasks="ab", harnesses=("x", "baseline"), models=("acme/x",))

    def flat(result: RunResult) -> RunResult:
        result.pillars = {name: 0.5 if name != "AQ" else None for name in result.pillars}
        result.rigor_score = 0.5
        return result

    write_experiment(tmp_path / "out", made, flat, journals=False)
    # By the letter, the baseline has a much better f(RAC).
    for path in tmp_path.glob("out/runs/*--baseline--*/score.json"):
        score = msgspec.json.decode(path.read_bytes(), type=Score)
        score.pillars["RE"].submetrics["f(RAC)"].paper = 1.0
        path.write_bytes(msgspec.json.encode(score))
    found = rows(build([tmp_path / "out"]), "departures")
    cycles = "f of the number of recovery attempts in the session"
    assert [found["our formulas", c]["rank"].value for c in ("x", "baseline")] == [1, 1]
    assert found["our formulas", "baseline"]["rigor_score"].value == 0.5
    follows = 0.5 + 0.5 * 0.3 * 0.25 / 0.85
    for formula in (cycles, "all, by the letter"):
        assert found[formula, "baseline"]["rigor_score"].value == pytest.approx(follows, abs=1e-5)
        assert [found[formula, c]["moved"].value for c in ("x", "baseline")] == ["1 to 2", "none"]
    assert found["coverage delta not divided by the headroom", "x"]["moved"].value == "none"
    exact = build([tmp_path / "out"], paper_exact=True)
    assert rows(exact, "table-3")["baseline",]["rigor_score"].value == pytest.approx(follows, abs=1e-5)
    assert rows(exact, "table-3")["x",]["rigor_score"].value == 0.5
    assert all("--paper-exact" in t.caption for t in exact.tables if t.name == "table-6")
    # A committed report is checked with the formulas that it was made with.
    write(tmp_path / "report", files(exact, pictures=False))
    assert check([tmp_path / "out"], tmp_path / "report") == []


FACTS = text_file("paper_tables.facts.toml")


def test_given_facts_are_columns_and_part_of_what_a_report_rests_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_experiment(out, make_manifest(tasks="ab", models=("acme/x", "acme/y")), journals=False)
    plain = build([out])
    assert not {"weights", "human_minutes"} & {c.name for t in plain.tables for c in t.columns}
    (out / "facts.toml").write_text(FACTS)
    found = build([out])
    main = rows(found, "table-3")
    assert [main[m,]["weights"].value for m in ("acme/x", "acme/y")] == ["open", None]
    assert main["acme/x",]["released"].value == "2026-03-01"
    suite = rows(found, "table-2")["no category",]
    assert (suite["human_minutes"].value, suite["human_solved"].value) == (30, 0.9)
    assert suite["human_solved"].reason == "not given in facts.toml for 1 task"
    write(tmp_path / "report", files(found, pictures=False))
    assert check([out], tmp_path / "report") == []
    (out / "facts.toml").write_text(FACTS.replace("25", "26"))
    assert check([out], tmp_path / "report") != []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[models."acme/z"]\nweights = "open"\n', "the experiment has no model acme/z; it has: acme/x"),
        ('[models."acme/x"]\nweights = "half"\n', "Invalid enum value 'half'"),
        ("[tasks.a.human]\nsolved = 9\n", "<= 1.0"),
        ("[tasks.a]\nhumans = 9\n", "human"),
        ("=", "Invalid"),
    ],
)
def test_given_facts_that_cannot_be_are_named(tmp_path: Path, text: str, why: str) -> None:
    out = tmp_path / "out"
    write_experiment(out, make_manifest(tasks="a", models=("acme/x",)), journals=False)
    (out / "facts.toml").write_text(text)
    with pytest.raises(GivenFactsError, match=r"facts\.toml") as raised:
        build([out])
    assert why in str(raised.value)
