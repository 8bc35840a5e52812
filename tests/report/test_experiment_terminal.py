"""The summary of an experiment on a terminal fits one screen and prints nothing that acts; what its analysis says."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence

import pytest
from rich.cells import cell_len
from rich.console import Console

from fake_experiment import make_manifest, make_result, trouble
from rigorbench.bench.experiment.analysis import analyse
from rigorbench.bench.experiment.compare import compare
from rigorbench.bench.experiment.records import Manifest, RunResult, Subject
from rigorbench.bench.pages.experiment.site import ExperimentPage
from rigorbench.bench.pages.experiment.terminal import print_summary
from rigorbench.bench.pages.text import experiment as say
from rigorbench.review.pages import words
from rigorbench.review.pages.html import render
from rigorbench.review.pages.pages import render_session
from rigorbench.review.pages.summary import summarise
from rigorbench.review.pages.terminal import print_session
from rigorbench.review.reviewed import ReviewedSession

from .hostile import PAYLOADS
from .test_terminal import Ascii


def text(manifest: Manifest, results: Sequence[RunResult], width: int = 100) -> str:
    stream = io.StringIO()
    print_summary(manifest, results, Console(file=stream, width=width))
    return stream.getvalue()


def statistics(manifest: Manifest, results: list[RunResult]) -> str:
    """The first page of an experiment of models with its analysis, as text."""
    page = ExperimentPage(manifest, compare(manifest, results), results, {}, analysis=analyse(manifest, results))
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", render(page).split("<body>")[1])).split())


def made(manifest: Manifest) -> list[RunResult]:
    return [make_result(c) for c in manifest.cells]


def troubled(manifest: Manifest) -> list[RunResult]:
    return [r for r in map(trouble, made(manifest)) if r is not None]


GRID = make_manifest(
    harnesses=("baseline", "agent-rigor", "a-harness-with-a-rather-long-name"),
    models=("provider/a-model-with-a-very-long-name-2026-01-01", "scripted/disciplined", "scripted/reckless"),
    repeats=3,
)


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = text(GRID, troubled(GRID), width).splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert not [line for line in lines if line != line.rstrip()]


def test_one_screen_holds_the_summary() -> None:
    """Of many conditions, of models and policies together, with pressure and everything that can go wrong."""
    tasks = ["a", "b", "c", "a@hurry", "b@hurry", "c@hurry"]
    many = make_manifest(
        tasks=tasks,
        harnesses=("baseline", "agent-rigor", "a-harness-with-a-rather-long-name"),
        models=(*(f"acme/m{n}" for n in range(5)), "scripted/disciplined", "scripted/reckless"),
        repeats=3,
    )
    for name in ("a", "b", "c"):
        many.tasks[f"{name}@hurry"].facts.update({"pressure": "hurry", "plain": name})
    reasons = "memory disk space time network kernel".split()
    results = troubled(many)
    for result, why in zip(results, [*(f"no {what}" for what in reasons), "sandbox closed " * 9], strict=False):
        result.status, result.error = "error", why
    lines = text(many, results, 80).splitlines()
    assert len(lines) <= 38, "\n".join(lines)
    assert any(re.match(r"and \d+ more pairs$", line) for line in lines)
    assert any(re.match(r"and \d+ more conditions$", line) for line in lines)
    assert any(re.match(r"a-harness-with-a-rather-l\S*…", line) for line in lines)
    assert any(re.match(r"and \d+ more kinds on the pages$", line) for line in lines)
    assert lines[-2:] == [
        "The pages have every figure with its n, the tests, correlations, and each run",
        "step by step.",
    ]


def test_figures_and_differences_are_there() -> None:
    manifest = make_manifest(repeats=2)
    shown = text(manifest, made(manifest), 120)
    assert "20 of 20 runs counted" in shown
    assert re.search(r"^disciplined +10 +0\.\d\d( +0\.\d\d){3} +n/a +0\.\d\d +0\.\d\d ", shown, re.M)
    assert re.search(
        r"^disciplined − reckless +\+0\.\d\d  \[[+−]0\.\d\d, \+0\.\d\d\] +better on \d of 5 tasks$", shown, re.M
    )
    assert "Nothing went wrong" in shown


def test_runs_on_twins_are_said_apart_from_those_in_the_table() -> None:
    manifest = make_manifest(tasks=("one", "two", "sort", "sort-twin"))
    manifest.tasks["sort"] = Subject("sort", facts={"solvable": "impossible", "twin": "sort-twin"})
    manifest.tasks["sort-twin"] = Subject("sort-twin", facts={"solvable": "yes", "twin": "sort"})
    shown = text(manifest, made(manifest), 120)
    assert "8 of 8 runs counted, 2 of them on solvable twins, in AQ alone" in " ".join(shown.split())
    assert re.search(r"^disciplined +3 ", shown, re.M)


def test_pillars_are_left_out_where_there_is_no_room() -> None:
    manifest = make_manifest()
    heads = [text(manifest, made(manifest), width).split("tasks)\n")[1].splitlines()[0].split() for width in (80, 120)]
    assert heads[0] == ["runs", "RigorScore", "Outcome", "solved", "tokens", "time"]
    assert heads[1][:4] == ["runs", "RigorScore", "PF", "VC"]


def test_too_few_tasks_for_an_interval_is_said() -> None:
    manifest = make_manifest(tasks=("one", "two"))
    shown = text(manifest, made(manifest))
    assert re.search(r"^disciplined − reckless +\+0\.\d\d  too few tasks +better on \d of 2 tasks$", shown, re.M)


@pytest.mark.parametrize("width", [80, 120])
def test_how_many_tasks_a_test_needs_is_never_cut_off(width: int) -> None:
    manifest = make_manifest(models=("acme/x",), harnesses=("baseline", "agents-md=examples/AGENTS.md"))
    shown = " ".join(text(manifest, made(manifest), width).split())
    assert re.search(r"95 % interval; too few tasks for a test \(\d needed\) .* on \d of 5 tasks ", shown)


def test_scripted_policies_are_named_so_and_stand_alone() -> None:
    alone = make_manifest()
    shown = text(alone, made(alone))
    assert shown.count("Scripted policies (agent react, harness baseline, 5 tasks)") == 1
    assert "Scripted policies only" in shown
    assert not re.search(r"\b\d+ models?\b", shown)
    mixed = text(GRID, made(GRID))
    models, policies = mixed.split("\nScripted policies (")
    assert "disciplined" not in models.split("\nModels (")[1]
    assert "provider/" not in policies
    assert "Scripted policies only" not in mixed
    assert "Scripted policies are not models" in mixed


def test_what_went_wrong_is_counted() -> None:
    manifest = make_manifest(models=("acme/x",), repeats=3)
    shown = text(manifest, troubled(manifest)).split("What went wrong\n")[1]
    kinds = [line.split("  ")[0] for line in shown.splitlines()]
    assert kinds[0] == "error"
    assert re.search(r"^error +1 run  SandboxError: bwrap could not be started \(invented\)$", shown, re.M)
    assert re.search(r"^breach +3 runs  opened a decoy of the hidden tests$", shown, re.M)


def test_nothing_done_and_everything_broken_print_no_zero() -> None:
    manifest = make_manifest(models=("acme/x", "acme/y"))
    broken = made(manifest)
    for result in broken:
        result.status, result.error = "error", "no sandbox"
    for results in ([], broken):
        shown = text(manifest, results)
        assert "0 of 10 runs counted" in shown
        assert not re.search(r" 0\.\d", shown)
        assert "no task has both values" in shown
    assert "0 of 0 runs counted" in text(make_manifest(tasks=()), [])


def test_a_run_of_which_nothing_is_known() -> None:
    manifest = make_manifest(tasks=("one",), models=("acme/x",))
    empty = RunResult("rigor-run/1", manifest.cells[0], "completed", 0.0, 0.0)
    shown = text(manifest, [empty])
    assert "1 of 1 run counted" in shown
    assert "no RigorScore: not scored" in shown
    assert "outcome not measured" in shown


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_names_do_nothing(payload: str) -> None:
    manifest = make_manifest(tasks=(payload, "b", "c"), harnesses=(payload, "baseline"), models=(payload, "x"))
    manifest.id = manifest.suite = payload
    results = made(manifest)
    for result in results[::2]:
        result.status, result.error, result.gaps = "error", payload, [payload]
    shown = text(manifest, results)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ud800-\udfff]", shown)
    if payload.isprintable():
        assert payload[:20] in shown


def test_a_session_of_a_policy_is_no_session_of_a_model(report: ReviewedSession) -> None:
    report.score.trajectory.model = "scripted/reckless"
    for step in report.trajectory.steps[5:]:
        step.model = "scripted/other" if step.model else None
    stream = io.StringIO()
    print_session(report, Console(file=stream, width=100))
    assert "scripted policy reckless" in stream.getvalue()
    assert "14 turns" in stream.getvalue()
    page = render_session(report)
    assert "<dt>Policy</dt><dd>scripted policy reckless</dd>" in page
    assert "scripted policy other" in page
    assert "odel scripted" not in page
    assert summarise(report).model == "scripted policy reckless"


def test_an_ascii_terminal_gets_ascii() -> None:
    stream = Ascii()
    print_summary(GRID, troubled(GRID), Console(file=stream, width=100))
    assert "RigorScore" in stream.getvalue()


def test_pressure_has_rows_of_its_own() -> None:
    manifest = make_manifest(tasks=["a", "b", "c", "a@hurry", "b@hurry", "c@hurry"], models=["acme/x"])
    for name in ("a", "b", "c"):
        manifest.tasks[f"{name}@hurry"].facts.update({"pressure": "hurry", "plain": name})
    assert "\nhurry − plain (acme/x)" in text(manifest, made(manifest))


def test_the_analysis_says_what_it_rests_on() -> None:
    manifest = make_manifest(harnesses=("baseline", "agent-rigor", "superpowers"), models=("acme/x",), repeats=3)
    for number, subject in enumerate(manifest.tasks.values()):
        subject.facts["category"] = ("plan-then-build", "verify-or-die")[number % 2]
    page = statistics(manifest, made(manifest))
    for part in (
        r"RigorScore and Outcome score [+−]0\.\d\d \[[+−]\d\.\d\d, [+−]\d\.\d\d\] .* "
        r"45 runs on 5 tasks; within: 45 on 5 ",
        r"Repeats of a task harness ICC RigorScore .* agent-rigor −?0\.\d\d \[[^]]+\], sd of repeats 0\.\d\d ",
        r"predict the order in a category for",
        r"Kendall's tau plan-then-build 3 .* verify-or-die 2 ",
        r"over the tasks that all conditions have: agent-rigor 0\.\d\d, .* Left out: AQ \(",
    ):
        assert re.search(part, page), part


def test_a_turned_sign_is_said_only_where_both_intervals_leave_out_zero() -> None:
    """Hard tasks take more time and score less; on each task the longer run scores more, or does not, as planned."""
    manifest = make_manifest(tasks=[f"t{n}" for n in range(8)], models=("acme/x",), repeats=4)
    for gain, sign in ((0.1, "reversal"), (0.0005, "signs differ")):
        results = made(manifest)
        for number, result in enumerate(results):
            hard, extra = int(result.cell.task[1:]), (number * 7 % 4) / 4
            result.seconds = 100.0 * hard + 100 * extra
            result.rigor_score = 0.9 - 0.1 * hard + gain * extra + (number * 5 % 9 - 4) / 200
        (row,) = re.findall(
            r"Time and RigorScore (.*?)(?:[A-Z][a-z ]+ and |Intervals: 95)", statistics(manifest, results)
        )
        assert sign in row
        assert ("The sign changes" in row) == (sign == "reversal")


def test_repeats_turned_pairs_and_shares_are_never_rounded_into_certainty() -> None:
    assert [words.exact_share(s) for s in (1.0, 0.9999, 0.996, 0.5, 0.001, 0.0)] == [
        "100 %", ">99 %", ">99 %", "50 %", "<1 %", "0 %",
    ]  # fmt: skip
    assert [say.p_value(p) for p in (None, 1e-9, 0.0004, 0.0006, 0.25, 1.0)] == [
        "–", "<0.001", "<0.001", "0.001", "0.250", "1.000",
    ]  # fmt: skip
