"""The strip: marks in the order of the session, in the rows of their kinds, lanes apart."""

from __future__ import annotations

from rigorbench.evidence import events as ev
from rigorbench.review.pages.marks import GROUPS, mark, review_marks
from rigorbench.review.pages.places import anchors
from rigorbench.review.pages.timeline import MAX_WIDTH, Timeline, build
from rigorbench.review.result import SessionReport
from rigorbench.review.reviewed import ReviewedSession
from rigorbench.session.model import Source


def strip_of(report: SessionReport) -> Timeline:
    strip = build(report, anchors(report))
    assert strip is not None
    return strip


def x(value: str) -> float:
    return float(value.removesuffix("%"))


def test_marks_follow_the_session_from_left_to_right(report: SessionReport) -> None:
    strip = strip_of(report)
    place = {p.href: x(p.x) for p in strip.points}
    order = [e.id for e in report.events if e.id in place]
    assert [place[e] for e in order] == sorted(place.values())
    assert len(place) == len(set(place.values()))
    assert all(0 <= v <= 100 for v in place.values())


def test_every_kind_of_event_is_drawn(report: SessionReport) -> None:
    strip = strip_of(report)
    drawn = {p.href for p in strip.points} | {b.href for b in strip.bars}
    minor = {e.id for e in report.events if mark(e).group == "other"}
    assert {e.id for e in report.events} - minor <= drawn


def test_red_green_and_unknown_differ_by_shape_not_only_by_colour(report: SessionReport) -> None:
    template = next(e for e in report.events if isinstance(e, ev.TestRunEvent))
    glyphs = set()
    for outcome in ("passed", "failed", "error", "unknown"):
        template.outcome = outcome
        glyphs.add(mark(template).glyph)
    assert len(glyphs) == 4


def test_rows_are_labelled_and_sub_agents_get_a_lane(report: SessionReport) -> None:
    labels = [text for _, text, _ in strip_of(report).labels]
    assert labels[:2] == ["Episodes", "Plan"]
    assert labels[-1] == "doc-reviewer"
    assert set(labels[1:-1]) <= set(GROUPS.values())


def test_an_episode_spans_its_checks(report: SessionReport) -> None:
    episode = next(e for e in report.events if isinstance(e, ev.EpisodeEvent))
    strip = strip_of(report)
    (bar,) = [b for b in strip.bars if b.href == episode.id]
    place = {p.href: x(p.x) for p in strip.points}
    for check in episode.checks:
        assert x(bar.x) < place[check] < x(bar.x) + x(bar.width)
    assert place["e3"] < x(bar.x)
    assert bar.kind == "green"


def test_runs_of_reads_are_one_bar(report: SessionReport) -> None:
    reads = [ev.ReadEvent(id=f"r{i}", step=2, call=0, source=Source("log"), target="f") for i in range(500)]
    report.events = [*reads, *report.events]
    bars = [b for b in strip_of(report).bars if b.kind == "activity"]
    assert "501 reads, 1 search" in [b.title for b in bars]


def test_a_long_session_is_wide_but_not_endless(report: SessionReport) -> None:
    run = next(e for e in report.events if isinstance(e, ev.TestRunEvent))
    report.events = [ev.TestRunEvent(**{**_fields(run), "id": f"t{i}"}) for i in range(50_000)]
    strip = strip_of(report)
    assert strip.min_width == MAX_WIDTH


def _fields(event: ev.TestRunEvent) -> dict[str, object]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def test_what_counts_against_a_session_has_marks_of_its_own(report: ReviewedSession) -> None:
    changed = next(e for e in report.events if isinstance(e, ev.EditEvent) and e.role == "test")
    bent = report.review.checks[0]
    bent.events = [changed.id]
    marks = review_marks(report.review, report.events)
    assert {id: (m.glyph, m.tone) for id, m in marks.items()} == {changed.id: ("test-weakened", "fail")}
    strip = build(report, anchors(report), marks)
    assert {p.href for p in strip.points if p.glyph == "test-weakened"} == {changed.id}
    assert mark(ev.ClaimEvent(id="c", step=0, source=Source("log"), text="", verdict="contradicted")).tone == "fail"
    gone = ev.EditEvent(id="d", step=0, source=Source("log"), path="tests/a.py", operation="delete", role="test")
    assert mark(gone).glyph == "test-deleted"


def test_the_axis_of_time_keeps_the_order_and_needs_a_time_of_every_event(report: SessionReport) -> None:
    strip = strip_of(report)
    at = {p.href: x(p.by_time) for p in strip.points}
    order = [e.id for e in sorted(report.events, key=lambda e: e.time or 0) if e.id in at]
    assert [at[e] for e in order] == sorted(at.values())
    assert all(0 <= v <= 100 for v in at.values())
    assert strip.time_ticks[0][2:] == ("14:03:08", "step 2")
    report.events[3].time = None
    assert strip_of(report).time_ticks == []
    assert {p.by_time for p in strip_of(report).points} == {""}


def test_nothing_to_draw(report: SessionReport) -> None:
    report.events = [e for e in report.events if isinstance(e, ev.EpisodeEvent)]
    assert build(report, anchors(report)) is None


def test_summary_says_it_in_words(report: SessionReport) -> None:
    summary = strip_of(report).summary
    assert {"tests failed", "tests passed", "code edit"} <= {*summary.removesuffix(".").split("; ")}
