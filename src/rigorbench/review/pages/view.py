"""What the page of a session reads: the reviewed session itself, its log as rows, and where things are in the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ...base.sanitize import one_line
from ...evidence.events import AnyEvent, BuildEvent, EpisodeEvent, LintEvent, PlanEvent, TestRunEvent
from ...session.model import MAIN_LANE
from ..result import PILLAR_TITLES, SUBMETRIC_TITLES, WEIGHTS, SessionReport
from ..review import Review
from ..verdict import verdict
from . import said, timeline, words
from .diffs import bounded
from .facts import FIRST, session_facts
from .html import slug
from .marks import GROUPS, EventMark, mark, review_marks
from .page import failures, rows, usage_line
from .places import LISTED, Link, by_place, linked, page_rows, used_by
from .proof import Proofs, place
from .title import shortened, titled

# The title is a heading: what is longer is in the log.
TITLE = 180
_PLACE = re.compile(r"(\d{1,9})(?:\.([1-9]\d{0,8}))?")


class SessionView:
    said = said
    """The functions that say what a review says."""
    listed = LISTED
    """Of what fires very often, so many occurrences are listed."""
    skipped_shown = 100
    """Skipped parts of a log that the page lists; the rest is counted."""
    pillars, submetrics = PILLAR_TITLES, SUBMETRIC_TITLES
    mark = staticmethod(mark)
    place = staticmethod(place)
    failures = staticmethod(failures)
    usage_line = staticmethod(usage_line)

    def __init__(
        self, report: SessionReport, anchors: dict[str, str], review: Review | None, *, paper: bool, headline: bool
    ) -> None:
        trajectory, score = report.trajectory, report.score
        self.report, self.review, self.anchors = report, review, anchors
        self.score, self.trajectory = score, trajectory
        measured = any(m.status == "scored" for p in score.pillars.values() for m in p.submetrics.values())
        self.paper = "open" if paper else "folded" if measured else ""
        self.headline = headline
        self.verdict = None if review is None else verdict(review)
        self.grades = {} if review is None else said.grades(review)
        self.agent = words.agent(score.trajectory)
        self.project = words.project(trajectory.cwd)
        self.title = shortened(titled(trajectory)[0] or "", TITLE) or None
        self.facts = session_facts(report)
        self.events = {e.id: e for e in report.events}
        named = [(self.checks([fired.id])[0], fired.events) for fired in (() if review is None else review.checks)]
        self.users = used_by([*named, *(self._submetrics() if paper else ())])
        self.marks = review_marks(review, report.events)
        self.rows = rows(report, anchors, self.marks)
        self.strip = timeline.build(report, anchors, self.marks)
        self.episodes = [e for e in report.events if isinstance(e, EpisodeEvent) and e.id in anchors]
        lanes = dict.fromkeys([MAIN_LANE, *(s.lane for s in trajectory.steps)])
        self.lane_index = {lane: number for number, lane in enumerate(lanes)}
        self.proofs = Proofs(report)
        self._row_anchors = {row.anchor for row in self.rows}
        self._inside: dict[str, list[str]] = {}
        for episode in (e for e in report.events if isinstance(e, EpisodeEvent)):
            for id in dict.fromkeys([*episode.checks, *(e for attempt in episode.attempt_edits for e in attempt)]):
                self._inside.setdefault(id, []).append(anchors.get(episode.id, episode.id))

    @property
    def first_facts(self) -> list[tuple[str, str]]:
        return [fact for fact in self.facts if fact[0] in FIRST]

    @property
    def other_facts(self) -> list[tuple[str, str]]:
        return [fact for fact in self.facts if fact[0] not in FIRST]

    def mark_of(self, event: AnyEvent) -> EventMark:
        """The mark of an event in this session: a check of the review may give it one of its own."""
        return self.marks.get(event.id) or mark(event)

    def command(self, event: AnyEvent) -> str | None:
        return bounded(event.command) if isinstance(event, TestRunEvent | BuildEvent | LintEvent) else None

    def failing(self, event: AnyEvent) -> list[str]:
        return [bounded(test) for test in event.failing] if isinstance(event, TestRunEvent) else []

    def items(self, event: AnyEvent) -> list[str]:
        """The first items of a plan, each of a length that can be read."""
        if not isinstance(event, PlanEvent):
            return []
        more = [f"and {len(event.items) - LISTED:,} more"] if len(event.items) > LISTED else []
        return [bounded(item) for item in event.items[:LISTED]] + more

    def around(self, event: AnyEvent) -> list[str]:
        """Anchors of the episodes that an event is in."""
        return self._inside.get(event.id, [])

    def links(self, events: Iterable[str]) -> list[Link]:
        return linked(events, self.anchors)

    def step(self, step: int | None) -> str | None:
        """The first row of a step; None: the page does not have it."""
        return row if step is not None and (row := f"s{step}") in self._row_anchors else None

    def places(self, named: Iterable[str]) -> list[Link]:
        """Links to the places that a reader names: "12" is a step, "12.3" the third call of it."""
        found = []
        for name in named:
            match = _PLACE.fullmatch(name)
            step, call = match.groups() if match else ("", None)
            anchors = [f"s{step}-{int(call) - 1}"] if call else []
            found.append((name, next((r for r in (*anchors, f"s{step}") if r in self._row_anchors), None)))
        return found

    def where(self, told: said.Told) -> list[Link]:
        """Links to what an accusation rests on: the check, or the places that a reader names."""
        return self.places(told.places) if told.check is None else self.checks([told.check])

    def checks(self, ids: Iterable[str]) -> list[Link]:
        return [(id, f"c-{slug(id)}") for id in ids]

    def weight(self, pillar: str, submetric: str) -> float | None:
        return WEIGHTS[pillar][1].get(submetric) if pillar in WEIGHTS else None

    @property
    def filters(self) -> list[tuple[str, str, int]]:
        """(kind of row, label, number) of the buttons: problems first, then the kinds in the order of the timeline."""
        counts = Counter(group for row in self.rows for group in row.groups.split())
        labels = {"problem": "Problems", **GROUPS, "message": "Messages"}
        return [(group, label, counts[group]) for group, label in labels.items() if counts[group]]

    @property
    def lanes(self) -> list[str]:
        """Names of the lanes, in the order of :attr:`lane_index`."""
        kinds = {lane: self.agent_type(lane) for lane in self.lane_index if lane != MAIN_LANE}
        return [one_line(f"{kind} {lane}" if (kind := kinds.get(lane)) else lane, 40) for lane in self.lane_index]

    def agent_type(self, lane: str) -> str | None:
        known = self.trajectory.lanes.get(lane)
        return None if known is None else known.agent_type

    @property
    def left_out(self) -> str:
        """What the page does not show for its length; "" where it shows all."""
        rows, events = len(page_rows(self.trajectory, by_place(self.report))), len(self.report.events)
        left = ((rows - len(self.rows), rows, "rows"), (events - len(self.anchors), events, "events"))
        parts = [f"{words.count(less)} of {words.count(total)} {noun}" for less, total, noun in left if less]
        return f"This page leaves out {' and '.join(parts)}, for its length." if parts else ""

    def _submetrics(self) -> Iterator[tuple[Link, list[str]]]:
        """All sub-metrics, those of the extended profile last."""
        for metrics in [*(p.submetrics for p in self.score.pillars.values()), self.score.extended]:
            for name, metric in metrics.items():
                yield (name, f"m-{slug(name)}"), metric.evidence
