"""A page stays readable whatever a session holds: it says what it leaves out, and no link of it leads nowhere."""

from __future__ import annotations

import re
from copy import deepcopy

import pytest
from msgspec.structs import replace

from rigorbench.evidence import events as ev
from rigorbench.review.pages.pages import render_session
from rigorbench.review.pages.places import LISTED, ROWS_SHOWN, level
from rigorbench.review.reviewed import ReviewedSession
from rigorbench.session.model import FileChange


def dangling(html: str) -> set[str]:
    return set(re.findall(r'href="#([^"]+)"', html)) - set(re.findall(r'id="([^"]+)"', html))


def edit(report: ReviewedSession) -> tuple[ev.EditEvent, int]:
    """An edit, and the number of its step."""
    steps = report.trajectory.steps
    return next((e, e.step) for e in report.events if isinstance(e, ev.EditEvent) and steps[e.step].calls)


def test_a_call_that_changes_very_many_files_does_not_fill_the_page(report: ReviewedSession) -> None:
    event, step = edit(report)
    run = next(e for e in report.events if isinstance(e, ev.TestRunEvent))
    place = {"step": step, "call": event.call, "lane": event.lane, "source": event.source}
    many = [replace(event, id=f"m{n}", path=f"pages/{n}.txt") for n in range(60_000)]
    # The run of tests comes last of what the call did, and is shown all the same.
    report.events += [*many, replace(run, id="last-run", **place)]
    call = report.trajectory.steps[step].calls[0]
    call.observed = [FileChange(f"pages/{n}.txt", "create", after="") for n in range(60_000)]
    report.score.pillars["VC"].submetrics["TCR"].evidence = [e.id for e in many]
    html = render_session(report, paper=True)
    assert len(html) < 8_000_000
    (said,) = re.findall(r'<p class="empty">Not shown: (.*?)\.', html)
    assert re.fullmatch(r"5\d,\d{3} events, 58,\d{3} files", said)
    assert f"This page leaves out {said[:6]} of 60," in html
    assert '<span class="code">last-run</span>' in html
    assert ">59984 more events</summary>" in html
    assert f"<span>and {60_000 - LISTED:,} more</span>" in html
    assert not dangling(html)


def test_of_very_many_steps_the_first_and_the_last_are_shown(report: ReviewedSession) -> None:
    event, step = edit(report)
    steps = report.trajectory.steps
    first = len(steps)
    for n in range(ROWS_SHOWN + 5_000):
        steps.append(replace(deepcopy(steps[step]) if n == 0 else steps[step], text="", reasoning=""))
        report.events.append(replace(event, id=f"s{n}", step=first + n, call=None))
    html = render_session(report)
    assert html.count('<li class="row') == ROWS_SHOWN
    assert re.search(r"This page leaves out [\d,]+ of [\d,]+ rows and [\d,]+ of [\d,]+ events, for its length", html)
    assert 'id="s0"' in html
    assert f'id="s{len(steps) - 1}"' in html
    assert f'id="s{len(steps) - 3_000}"' not in html
    assert not dangling(html)


@pytest.mark.parametrize("size", [0, 900, 300_000])
def test_no_name_or_item_makes_a_page_long(report: ReviewedSession, size: int) -> None:
    _, step = edit(report)
    long = "n" * size
    report.trajectory.steps[step].calls[0].observed = [
        FileChange(f"{n}{long}.py", "create", after="") for n in range(9)
    ]
    for other in report.events:
        if isinstance(other, ev.TestRunEvent):
            other.failing, other.command = [f"t{long}"] * 9, f"pytest {long}"
        if isinstance(other, ev.PlanEvent):
            other.items = [f"do {long}"] * 9
    html = render_session(report)
    assert len(html) < 1_000_000
    assert ("characters" in html.partition('id="log"')[2]) == (size > 1_000)


@pytest.mark.parametrize(
    ("sizes", "budget", "limit"),
    [([], 5, 1), ([1, 2], 5, 2), ([9], 5, 5), ([1, 9, 9], 9, 4), ([3, 3, 3], 9, 3), ([5] * 10, 3, 1)],
)
def test_the_longest_lists_are_cut_first(sizes: list[int], budget: int, limit: int) -> None:
    assert level(sizes, budget) == limit
