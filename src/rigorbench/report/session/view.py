"""What the page of a session shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...base.sanitize import one_line
from ...evidence.events import AnyEvent, EpisodeEvent
from ...metrics.result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS, Finding, Pillar, SessionReport, SubMetric
from ...review.model import Review
from ...trajectory.cost import session_cost
from ...trajectory.model import MAIN_LANE, Skipped
from ..pages import slug
from ..text import words
from ..text.costs import cost_line
from . import timeline
from .marks import GROUPS, mark, review_marks
from .page import Row, rows
from .places import LISTED, Link, by_place, linked, page_rows, used_by
from .review_view import Anchors, ReviewView, check_anchor, review_view
from .title import session_title, shortened

# Skipped parts of a log that the page lists; the rest is counted.
SKIPPED_SHOWN = 100
# The title is a heading: what is longer is in the log.
TITLE = 180
_FIRST_FACTS = ("Agent", "Model", "Policy", "Started", "Lasted", "Model calls", "Turns", "Tokens", "Cost", "Broke off")
NO_HEADLINE = "There is no RigorScore without a task: it is made for requirements and hidden tests."


class MetricView(Struct):
    """A sub-metric. ``weight``: its share of the pillar; None outside the pillars. ``links``: its evidence."""

    name: str
    title: str
    anchor: str
    value: str
    weight: str | None
    scored: SubMetric
    links: list[Link]


class PillarView(Struct):
    """A pillar with its sub-metrics. ``share``: its evidence share."""

    name: str
    title: str
    anchor: str
    value: str
    share: str
    weight: str
    scored: Pillar
    metrics: list[MetricView]


class FindingView(Struct):
    """A finding. ``metric``: the anchor of its sub-metric. An ``href`` is None where its target is not in the page."""

    cost: str
    text: str
    quote: str | None
    metric: str
    submetric: str
    step: int | None
    step_href: str | None
    event: str | None
    event_href: str | None


class EpisodeView(Struct):
    """An error episode.

    Attributes:
        resolved: how it ended.
        attempts: how many there were, and how many failed, in words.
        lane: None on the main lane.
        signature: what failed.
        rule: what opened and closed it.
        checks: the failing checks and the one that closed it.
        edits: the edits of each attempt.
        users: the checks and sub-metrics that rest on it.
    """

    anchor: str
    id: str
    tone: str
    resolved: str
    attempts: str
    lane: str | None
    signature: str
    rule: str
    checks: list[Link]
    edits: list[list[Link]]
    users: list[Link]


class PaperView(Struct):
    """The paper's measure of a session.

    Attributes:
        headline: whether its RigorScore is meant: only with a task or a replay.
        folded: nobody asked for it, so it is in a fold.
        has_score: whether it has a RigorScore.
        score_text: the RigorScore, or a dash.
        lead: how much of the score has evidence, or why there is none.
        extended: the measures of the extended profile.
        findings: what lowered the RigorScore most; none without a headline.
    """

    headline: bool
    folded: bool
    has_score: bool
    score_text: str
    lead: str
    pillars: list[PillarView]
    extended: list[MetricView]
    findings: list[FindingView]


class SessionView(Struct):
    """What a page shows of a session, cut to the size that a page may have.

    Attributes:
        title: the user's request, where the log has one.
        project: the last part of the working directory.
        facts: name and value of what is known of the session.
        review: None where the run was recorded before there were reviews.
        paper: None where it was not computed, and neither a task nor ``--paper`` asks for it.
        strip: the timeline; None without events.
        rows: the log.
        filters: kind of row, its label, and the number of its rows.
        lanes: names, in the order of :attr:`.page.Row.lane_index`.
        skipped: the first parts of the log that could not be read.
        skipped_text: how many such parts there are; empty without one.
        left_out: how many rows and events the page does not show; empty where it shows all.
        undecided: how many tool calls the log does not decide; empty without one.
    """

    title: str | None
    agent: str
    project: str | None
    facts: list[tuple[str, str]]
    review: ReviewView | None
    paper: PaperView | None
    episodes: list[EpisodeView]
    strip: timeline.Timeline | None
    rows: list[Row]
    filters: list[tuple[str, str, int]]
    lanes: list[str]
    skipped: list[Skipped]
    skipped_text: str
    left_out: str
    undecided: str

    @property
    def first_facts(self) -> list[tuple[str, str]]:
        """What is asked first of a session."""
        return [fact for fact in self.facts if fact[0] in _FIRST_FACTS]

    @property
    def other_facts(self) -> list[tuple[str, str]]:
        return [fact for fact in self.facts if fact[0] not in _FIRST_FACTS]


def session_view(
    report: SessionReport, anchors: dict[str, str], review: Review | None, *, paper: bool, headline: bool
) -> SessionView:
    """The view of a session.

    Args:
        anchors: the place of each event in the page (:func:`.places.anchors`).
        review: of this session, if there is one.
        paper: show the paper's measure; otherwise it is in a fold, if it was computed.
        headline: and its RigorScore and findings.
    """
    score, trajectory = report.score, report.trajectory
    users = used_by([*_checks(review), *(_submetrics(report) if paper else ())])
    measured = any(m.status == "scored" for p in score.pillars.values() for m in p.submetrics.values())
    marks = review_marks(review, report.events)
    found = rows(report, anchors, users, marks)
    places = Anchors(anchors, {row.anchor for row in found})
    skipped = max(score.trajectory.skipped_lines, len(trajectory.skipped))
    title = session_title(trajectory)
    return SessionView(
        title=None if title is None else shortened(title, TITLE),
        agent=words.agent(score.trajectory),
        project=words.project(trajectory.cwd),
        facts=_facts(report),
        review=None if review is None else review_view(review, report, places),
        paper=_paper(report, places, paper, headline) if paper or measured else None,
        episodes=_episodes(report, anchors, users),
        strip=timeline.build(report, anchors, marks),
        rows=found,
        filters=_filters(found),
        lanes=_lanes(report),
        skipped=trajectory.skipped[:SKIPPED_SHOWN],
        skipped_text=f"{words.plural(skipped, 'part')} of the log left out" if skipped else "",
        left_out=_left_out(report, anchors, found),
        undecided=words.undecided(trajectory),
    )


def _checks(review: Review | None) -> Iterator[tuple[Link, list[str]]]:
    for fired in review.checks if review is not None else ():
        yield Link(fired.id, check_anchor(fired.id)), fired.events


def _submetrics(report: SessionReport) -> Iterator[tuple[Link, list[str]]]:
    """All sub-metrics, those of the extended profile last."""
    for metrics in [*(p.submetrics for p in report.score.pillars.values()), report.score.extended]:
        for name, metric in metrics.items():
            yield Link(name, f"m-{slug(name)}"), metric.evidence


def _paper(report: SessionReport, places: Anchors, asked: bool, headline: bool) -> PaperView:
    score = report.score
    return PaperView(
        headline=headline,
        folded=not asked,
        has_score=score.rigor_score is not None,
        score_text=words.score(score.rigor_score),
        lead=_lead(report) if headline else NO_HEADLINE,
        pillars=[_pillar(name, p, places.events) for name, p in score.pillars.items()],
        extended=[_metric(name, m, None, places.events) for name, m in score.extended.items()],
        findings=[_finding(f, places) for f in report.findings] if headline else [],
    )


def _facts(report: SessionReport) -> list[tuple[str, str]]:
    header, trajectory = report.score.trajectory, report.trajectory
    steps = f"{words.count(header.steps)}, {words.plural(header.events, 'event')}"
    back = {lane.id for lane in trajectory.lanes.values() if lane.taken_back}
    sub_agents = len({s.lane for s in trajectory.steps} - {MAIN_LANE} - back)
    if sub_agents:
        steps += f", {words.plural(sub_agents, 'sub-agent')}"
    facts = [
        ("Agent", words.agent(header) if session_title(trajectory) else None),
        ("Policy" if words.is_policy(header.model) else "Model", header.model and words.model(header.model)),
        ("Started", words.date(header.started_at)),
        ("Lasted", words.span(header)),
        ("Turns" if words.is_policy(header.model) else "Model calls", steps),
        ("Tokens", words.token_line(header.tokens, complete=trajectory.usage_complete)),
        ("Cost", cost_line(session_cost(trajectory))),
        ("Broke off", {"limit": "at a limit", "error": "with an error"}.get(trajectory.end or "")),
        ("Directory", trajectory.cwd),
        ("Branch", trajectory.branch),
        ("Log format", header.format),
        ("Log", header.source),
    ]
    return [(name, value) for name, value in facts if value]


def _lead(report: SessionReport) -> str:
    score = report.score
    if score.rigor_score is None:
        return f"{words.no_score(score)}."
    parts = ["Everything that applies could be scored."]
    if score.evidence_share is not None and score.evidence_share < 1:
        parts = [f"The log has evidence for {words.exact_share(score.evidence_share)} of the weight that applies."]
    for status, what in (("not_applicable", "Not applicable here"), ("unscorable", "Without enough evidence")):
        names = [words.SHORT_TITLES.get(name, name) for name, p in score.pillars.items() if p.status == status]
        parts += [f"{what}: {', '.join(names)}."] if names else []
    return " ".join(parts)


def _pillar(name: str, pillar: Pillar, anchors: Mapping[str, str]) -> PillarView:
    weights = WEIGHTS[name][1] if name in WEIGHTS else {}
    return PillarView(
        name,
        PILLAR_TITLES.get(name, name),
        f"p-{slug(name)}",
        words.value_or_status(pillar),
        words.percent(pillar.evidence_share),
        words.percent(pillar.weight),
        pillar,
        [_metric(key, metric, weights.get(key), anchors) for key, metric in pillar.submetrics.items()],
    )


def _metric(name: str, metric: SubMetric, weight: float | None, anchors: Mapping[str, str]) -> MetricView:
    title = SUBMETRIC_TITLES.get(name, "")
    shown = None if weight is None else words.percent(weight)
    return MetricView(
        name, title, f"m-{slug(name)}", words.value_or_status(metric), shown, metric, linked(metric.evidence, anchors)
    )


def _finding(finding: Finding, places: Anchors) -> FindingView:
    return FindingView(
        words.cost(finding.cost),
        finding.text,
        finding.quote,
        f"m-{slug(finding.submetric)}",
        finding.submetric,
        finding.step,
        places.step(finding.step),
        finding.event,
        places.events.get(finding.event) if finding.event is not None else None,
    )


def _episodes(report: SessionReport, anchors: dict[str, str], users: dict[str, list[Link]]) -> list[EpisodeView]:
    by_id = {e.id: e for e in report.events}
    return [
        _episode(e, by_id, users, anchors) for e in report.events if isinstance(e, EpisodeEvent) and e.id in anchors
    ]


def _episode(
    event: EpisodeEvent, by_id: dict[str, AnyEvent], users: dict[str, list[Link]], anchors: dict[str, str]
) -> EpisodeView:
    shown = mark(event)
    text = words.plural(event.attempts, "attempt")
    if event.failed_attempts:
        text += f", {words.count(event.failed_attempts)} failed"
    if event.repeats:
        text += f", {words.plural(event.repeats, 'repeat')} of an earlier one"
    checks = []
    for check in linked(event.checks, anchors):
        known = by_id.get(check.id)
        check.note = getattr(known, "outcome", "")
        check.tone = mark(known).tone if known is not None else ""
        checks.append(check)
    return EpisodeView(
        anchors[event.id],
        event.id,
        shown.tone,
        event.resolved.replace("_", " "),
        text,
        None if event.lane == MAIN_LANE else one_line(event.lane, 40),
        event.signature,
        event.rule,
        checks,
        [linked(attempt, anchors) for attempt in event.attempt_edits[:LISTED]],
        users.get(event.id, []),
    )


def _filters(found: list[Row]) -> list[tuple[str, str, int]]:
    """(group, label, rows) of the filter buttons: problems first, then the kinds in the order of the timeline."""
    counts = Counter(group for row in found for group in row.groups.split())
    labels = {"problem": "Problems", **GROUPS, "message": "Messages"}
    return [(group, label, counts[group]) for group, label in labels.items() if counts[group]]


def _left_out(report: SessionReport, anchors: dict[str, str], found: list[Row]) -> str:
    """What the page does not show for its length."""
    rows, events = len(page_rows(report.trajectory, by_place(report))), len(report.events)
    left = ((rows - len(found), rows, "rows"), (events - len(anchors), events, "events"))
    parts = [f"{words.count(less)} of {words.count(total)} {noun}" for less, total, noun in left if less]
    return f"This page leaves out {' and '.join(parts)}, for its length." if parts else ""


def _lanes(report: SessionReport) -> list[str]:
    """Names of the lanes in the order of :attr:`.page.Row.lane_index`."""
    lanes = report.trajectory.lanes
    names = []
    for lane in dict.fromkeys([MAIN_LANE, *(s.lane for s in report.trajectory.steps)]):
        known = lanes.get(lane)
        kind = known.agent_type if known and lane != MAIN_LANE else None
        names.append(one_line(f"{kind} {lane}" if kind else lane, 40))
    return names
