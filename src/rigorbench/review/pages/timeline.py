"""The session as swim lanes: the position of each mark on the strip, in percent of the width."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from itertools import groupby

from msgspec import Struct, field

from ...base.sanitize import one_line
from ...evidence.events import AnyEvent, EpisodeEvent
from ...session.model import MAIN_LANE
from ..result import SessionReport
from .marks import GROUPS, MINOR, EventMark, mark
from .words import clock, plural

ROW_HEIGHT = 24
LANE_GAP = 10
AXIS_HEIGHT = 34
# Every mark gets at least this many pixels, so a long session is wider than the screen and scrolls.
PIXELS_PER_MARK = 9.0
MAX_WIDTH = 24_000
# Time and step are written this far apart, in pixels, and five times at least.
TICK_DISTANCE = 220
TICKS = 5
# Up to this width (pixels) a strip has this class.
_CLASSES = ((240, "w0"), (420, "w1"), (640, "w2"), (940, "w3"))
# Minor events (reads, runs) get a fraction of the width that a plan, an edit or a check gets.
MINOR_WEIGHT = 0.25
# The narrowest bar on the axis of time, as a share of its length.
_THINNEST = 0.004
# Times from here on are absurd.
_LATEST = 1e11


class TimelinePoint(Struct):
    """A mark on the strip. ``x`` in percent of the width, ``y`` in pixels; ``href`` an anchor of the page.

    ``by_time``: its place on the axis of time; "" where there is no such axis.
    """

    x: str
    y: int
    glyph: str
    tone: str
    title: str
    href: str
    by_time: str = ""


class Bar(Struct):
    """A span: an episode, or a run of minor events. ``kind`` is its class; lengths are as in :class:`TimelinePoint`."""

    x: str
    width: str
    y: int
    height: int
    kind: str
    title: str
    href: str
    by_time: str = ""
    width_by_time: str = ""


# A place of an axis, which end of the text is there, step and time.
Tick = tuple[str, str, str, str]


class Timeline(Struct):
    """All that the template draws; heights are in pixels."""

    min_width: int
    """The narrowest width, in pixels, at which the marks do not overlap."""
    height: int = 0
    labels: list[tuple[int, str, bool]] = field(default_factory=list)
    """Height and name of the rows, and of the lanes of sub-agents, which are marked."""
    guides: list[int] = field(default_factory=list)
    """Height of the line through each row."""
    lines: list[int] = field(default_factory=list)
    """Height of the lines between lanes."""
    points: list[TimelinePoint] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    ticks: list[Tick] = field(default_factory=list)
    time_ticks: list[Tick] = field(default_factory=list)
    """The same along the axis of time; empty where the log has too few times for one."""
    glyphs: list[tuple[str, str, str]] = field(default_factory=list)
    """The legend: glyph, tone and label of each kind of mark."""

    @property
    def summary(self) -> str:
        """The legend in words, for screen readers."""
        return "; ".join(dict.fromkeys(label for _, _, label in self.glyphs)) + "."

    @property
    def css_class(self) -> str:
        """A short strip grows with the screen: the class says how narrow it may get."""
        return next((name for limit, name in _CLASSES if self.min_width <= limit), "")

    @property
    def css_width(self) -> str:
        """The width of a long strip, which scrolls, in pixels."""
        return "100%" if self.css_class else str(self.min_width)


class _Slot(Struct):
    """An event with its mark, and the part of the strip that it takes."""

    event: AnyEvent
    mark: EventMark
    left: float
    weight: float

    @property
    def right(self) -> float:
        return self.left + self.weight


def build(
    report: SessionReport, anchors: dict[str, str], marks: Mapping[str, EventMark] | None = None
) -> Timeline | None:
    """The timeline of a report; None when it has no events to show.

    Args:
        anchors: the events that the page shows.
        marks: of events that have one of their own.
    """
    shown = [e for e in report.events if e.id in anchors]
    slots = _slots([e for e in shown if not isinstance(e, EpisodeEvent)], marks or {})
    if not slots:
        return None
    episodes = [e for e in shown if isinstance(e, EpisodeEvent)]
    drawing = _Drawing(slots, anchors)
    lanes: dict[str, list[_Slot]] = {}
    for slot in slots:
        lanes.setdefault(slot.event.lane, []).append(slot)
    # The main lane first, the others in the order of their first event.
    for lane in sorted(lanes, key=lambda lane: lane != MAIN_LANE):
        known = report.trajectory.lanes.get(lane)
        name = None if lane == MAIN_LANE else one_line((known.agent_type if known else None) or lane, 15)
        drawing.lane(name, lanes[lane], [e for e in episodes if e.lane == lane])
    drawing.axes(episodes)
    return drawing.strip


def _slots(events: list[AnyEvent], marks: Mapping[str, EventMark]) -> list[_Slot]:
    slots: list[_Slot] = []
    for event in sorted(events, key=lambda e: e.step):
        shown = marks.get(event.id) or mark(event)
        weight = MINOR_WEIGHT if shown.group in MINOR else 1.0
        slots.append(_Slot(event, shown, slots[-1].right if slots else 0.0, weight))
    return slots


def _percent(position: float, total: float) -> str:
    return f"{position / total * 100:.2f}%"


class _Drawing:
    """Draws one lane below the other, then the axes."""

    def __init__(self, slots: list[_Slot], anchors: dict[str, str]) -> None:
        self._slots, self._anchors = slots, anchors
        self._total = slots[-1].right
        self._y = 0
        self.strip = Timeline(min(MAX_WIDTH, round(self._total * PIXELS_PER_MARK)))

    def lane(self, name: str | None, slots: list[_Slot], episodes: list[EpisodeEvent]) -> None:
        """Adds a lane: the main one (``name`` None) with a row for each kind, that of a sub-agent with one row."""
        strip = self.strip
        if self._y:
            strip.lines.append(self._y + LANE_GAP // 2)
            self._y += LANE_GAP
        if name is not None:
            strip.labels.append((self._y + ROW_HEIGHT // 2, name, True))
        if episodes:
            if name is None:
                strip.labels.append((self._y + ROW_HEIGHT // 2, "Episodes", False))
            self._episodes(slots, episodes)
            self._y += ROW_HEIGHT
        for group in [g for g in GROUPS if any(s.mark.group == g for s in slots)] if name is None else [""]:
            middle = self._y + ROW_HEIGHT // 2
            if group:
                strip.labels.append((middle, GROUPS[group], False))
            strip.guides.append(middle)
            row = [s for s in slots if s.mark.group == group] if group else slots
            self._activity([s for s in row if s.mark.group in MINOR], slots, middle)
            for slot in row:
                if slot.mark.group not in MINOR:
                    x = _percent(slot.left + slot.weight / 2, self._total)
                    title, href = self._title(slot.event, slot.mark), self._anchors[slot.event.id]
                    strip.points.append(TimelinePoint(x, middle, slot.mark.glyph, slot.mark.tone, title, href))
            self._y += ROW_HEIGHT

    def axes(self, episodes: list[EpisodeEvent]) -> None:
        """Adds the axes and the legend below the lanes."""
        strip, slots = self.strip, self._slots
        strip.height = self._y + AXIS_HEIGHT
        shares = _shares(min(max(TICKS, strip.min_width // TICK_DISTANCE), len(slots)))
        at = 0
        for share, end in shares:
            while slots[at].right < share * self._total and at + 1 < len(slots):
                at += 1
            event = slots[at].event
            strip.ticks.append((_percent(share, 1), end, f"step {event.step}", clock(event.time)))
        self._by_time(episodes)
        order = {group: i for i, group in enumerate(GROUPS)}
        seen = {s.mark.glyph: s.mark for s in slots if s.mark.group not in MINOR}
        legend = sorted(seen.values(), key=lambda m: (order[m.group], m.glyph))
        strip.glyphs = [(m.glyph, m.tone, _EDIT_LABELS.get(m.glyph, m.label)) for m in legend]

    def _bar(self, inside: list[_Slot], y: int, height: int, kind: str, title: str, event: AnyEvent) -> None:
        left, right = min(s.left for s in inside), max(s.right for s in inside)
        x, width = _percent(left, self._total), _percent(right - left, self._total)
        self.strip.bars.append(Bar(x, width, y, height, kind, title, self._anchors[event.id]))

    def _episodes(self, slots: list[_Slot], episodes: list[EpisodeEvent]) -> None:
        by_id = {s.event.id: s for s in slots}
        by_call: dict[int | None, list[_Slot]] = {}
        for slot in slots:
            by_call.setdefault(slot.event.call, []).append(slot)
        for episode in episodes:
            inside = [by_id[i] for i in episode.checks if i in by_id]
            for call in range(episode.start_call, episode.end_call + 1):
                inside += by_call.get(call, ())
            if not inside:
                inside = [s for s in slots if s.event.step >= episode.step][:1] or slots[-1:]
            kind = "green" if episode.resolved == "green" or not episode.counts else "red"
            self._bar(inside, self._y + 6, ROW_HEIGHT - 12, kind, self._title(episode, mark(episode)), episode)

    def _activity(self, minor: list[_Slot], lane: list[_Slot], middle: int) -> None:
        """Unbroken runs of minor events of a lane as one bar each."""
        position = {id(s): i for i, s in enumerate(lane)}
        for _, run in groupby(enumerate(minor), key=lambda each: position[id(each[1])] - each[0]):
            group = [slot for _, slot in run]
            first = group[0]
            title = ", ".join(plural(n, label) for label, n in Counter(s.mark.label for s in group).items())
            title = title if len(group) > 1 else self._title(first.event, first.mark)
            self._bar(group, middle - 3, 6, "activity", title, first.event)

    def _title(self, event: AnyEvent, shown: EventMark) -> str:
        at = clock(event.time)
        where = f"{self._anchors[event.id]}, step {event.step}" + (f", {at}" if at else "")
        return f"{shown.label}: {shown.detail} ({where})" if shown.detail else f"{shown.label} ({where})"

    def _by_time(self, episodes: list[EpisodeEvent]) -> None:
        """Gives marks and bars a place on an axis of time, where every event has a time and they differ."""
        strip, slots, anchors = self.strip, self._slots, self._anchors
        times = {anchors[s.event.id]: s.event.time for s in slots if s.event.time is not None}
        known = [t for t in times.values() if 0 < t < _LATEST]
        if len(known) < len(slots) or not (span := max(known) - min(known)):
            return
        start = min(known)
        ends = {anchors[e.id]: [times[anchors[c]] for c in e.checks if anchors.get(c) in times] for e in episodes}
        for point in strip.points:
            point.by_time = _percent(times[point.href] - start, span)
        for bar in strip.bars:
            inside = ends.get(bar.href) or [times.get(bar.href, start)]
            bar.by_time = _percent(min(inside) - start, span)
            # A span of no time is still to be seen.
            bar.width_by_time = _percent(max(max(inside) - min(inside), span * _THINNEST), span)
        steps = sorted((s.event.time or start, s.event.step) for s in slots)
        for share, end in _shares(max(TICKS, strip.min_width // TICK_DISTANCE)):
            moment = start + span * share
            _, step = steps[max(0, bisect_right(steps, moment, key=lambda known: known[0]) - 1)]
            strip.time_ticks.append((_percent(moment - start, span), end, clock(moment), f"step {step}"))


def _shares(number: int) -> list[tuple[float, str]]:
    """So many places of an axis from 0 to 1, with the end of the text that is there."""
    ends = ["start", *["middle"] * (number - 2), "end"][:number]
    return [(i / (number - 1) if number > 1 else 0.0, end) for i, end in enumerate(ends)]


_EDIT_LABELS = {"edit": "code edit", "testedit": "test edit", "otheredit": "other edit"}
