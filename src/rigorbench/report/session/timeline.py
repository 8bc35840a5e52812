"""The session as swim lanes: the position of each mark on the strip, in percent of the width."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field

from ...base.sanitize import one_line
from ...evidence.events import AnyEvent, EpisodeEvent
from ...metrics.result import SessionReport
from ...trajectory.model import MAIN_LANE
from ..text.words import clock, plural
from .marks import GROUPS, MINOR, Mark, mark

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


class Point(Struct):
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
    """A span: an episode, or a run of minor events. ``kind`` is its class; lengths are as in :class:`Point`."""

    x: str
    width: str
    y: int
    height: int
    kind: str
    title: str
    href: str
    by_time: str = ""
    width_by_time: str = ""


class RowLabel(Struct):
    """The name of a row, or with ``lane`` that of a sub-agent's lane."""

    y: int
    text: str
    lane: bool = False


class Tick(Struct):
    """Step and time at a place of the axis; ``anchor``: which end of the text is at ``x``."""

    x: str
    anchor: str
    step: str
    clock: str


class Timeline(Struct):
    """All that the template draws.

    Attributes:
        height: in pixels.
        min_width: the narrowest width, in pixels, at which the marks do not overlap.
        labels: names of the rows, and of the lanes of sub-agents.
        guides: height of the line through each row.
        lines: height of the lines between lanes.
        points: the marks.
        bars: episodes, and runs of minor events.
        ticks: step and time along the axis.
        time_ticks: the same along the axis of time; empty where the log has too few times for one.
        glyphs: the legend: glyph, tone and label of each kind of mark.
        summary: the same in words, for screen readers.
    """

    height: int
    min_width: int
    labels: list[RowLabel] = field(default_factory=list)
    guides: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    ticks: list[Tick] = field(default_factory=list)
    time_ticks: list[Tick] = field(default_factory=list)
    glyphs: list[tuple[str, str, str]] = field(default_factory=list)
    summary: str = ""

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
    mark: Mark
    left: float
    weight: float

    @property
    def center(self) -> float:
        return self.left + self.weight / 2


def build(report: SessionReport, anchors: dict[str, str], marks: Mapping[str, Mark] | None = None) -> Timeline | None:
    """The timeline of a report; None when it has no events to show.

    Args:
        anchors: the events that the page shows.
        marks: of events that have one of their own.
    """
    shown = [e for e in report.events if e.id in anchors]
    slots, total = _slots([e for e in shown if not isinstance(e, EpisodeEvent)], marks or {})
    if not slots:
        return None
    episodes = [e for e in shown if isinstance(e, EpisodeEvent)]
    strip = Timeline(0, min(MAX_WIDTH, round(total * PIXELS_PER_MARK)))
    y = 0
    for lane, own in _by_lane(slots):
        bottom = _lane(strip, report, lane, own, [e for e in episodes if e.lane == lane], y, total, anchors)
        y = bottom + LANE_GAP
        strip.lines.append(bottom + LANE_GAP // 2)
    strip.lines.pop()
    strip.height = y - LANE_GAP + AXIS_HEIGHT
    strip.ticks = _ticks(slots, total, strip.min_width)
    _place_by_time(strip, slots, episodes, anchors)
    strip.glyphs = _legend(slots, episodes)
    strip.summary = "; ".join(dict.fromkeys(label for _, _, label in strip.glyphs)) + "."
    return strip


def _slots(events: list[AnyEvent], marks: Mapping[str, Mark]) -> tuple[list[_Slot], float]:
    order = sorted(range(len(events)), key=lambda i: (events[i].step, i))
    slots: list[_Slot] = []
    left = 0.0
    for index in order:
        shown = marks.get(events[index].id) or mark(events[index])
        weight = MINOR_WEIGHT if shown.group in MINOR else 1.0
        slots.append(_Slot(events[index], shown, left, weight))
        left += weight
    return slots, left


def _by_lane(slots: list[_Slot]) -> list[tuple[str, list[_Slot]]]:
    """Lanes that have events, with them: main first, the others in the order of their first event."""
    lanes: dict[str, list[_Slot]] = {}
    for slot in slots:
        lanes.setdefault(slot.event.lane, []).append(slot)
    return sorted(lanes.items(), key=lambda item: item[0] != MAIN_LANE)


def _percent(position: float, total: float) -> str:
    return f"{position / total * 100:.2f}%"


def _lane(
    strip: Timeline,
    report: SessionReport,
    lane: str,
    slots: list[_Slot],
    episodes: list[EpisodeEvent],
    top: int,
    total: float,
    anchors: dict[str, str],
) -> int:
    """Adds one lane below ``top`` and returns its bottom. The main lane has a row per kind, a sub-agent one row."""
    main = lane == MAIN_LANE
    y = top
    if not main:
        strip.labels.append(RowLabel(y + ROW_HEIGHT // 2, _lane_name(report, lane), lane=True))
    if episodes:
        if main:
            strip.labels.append(RowLabel(y + ROW_HEIGHT // 2, "Episodes"))
        by_id = {s.event.id: s for s in slots}
        by_call: dict[int | None, list[_Slot]] = {}
        for slot in slots:
            by_call.setdefault(slot.event.call, []).append(slot)
        for episode in episodes:
            left, right = _extent(episode, slots, by_call, by_id)
            strip.bars.append(
                Bar(
                    _percent(left, total),
                    _percent(right - left, total),
                    y + 6,
                    ROW_HEIGHT - 12,
                    "green" if episode.resolved == "green" or not episode.counts else "red",
                    _title(episode, mark(episode), anchors),
                    anchors[episode.id],
                )
            )
        y += ROW_HEIGHT
    groups = [g for g in GROUPS if any(s.mark.group == g for s in slots)] if main else [""]
    for group in groups:
        middle = y + ROW_HEIGHT // 2
        row = [s for s in slots if s.mark.group == group] if main else slots
        if main:
            strip.labels.append(RowLabel(middle, GROUPS[group]))
        strip.guides.append(middle)
        minor = [s for s in row if s.mark.group in MINOR]
        strip.bars.extend(_activity(minor, slots, middle, total, anchors))
        for slot in row:
            if slot.mark.group not in MINOR:
                strip.points.append(
                    Point(
                        _percent(slot.center, total),
                        middle,
                        slot.mark.glyph,
                        slot.mark.tone,
                        _title(slot.event, slot.mark, anchors),
                        anchors[slot.event.id],
                    )
                )
        y += ROW_HEIGHT
    return y


def _lane_name(report: SessionReport, lane: str) -> str:
    known = report.trajectory.lanes.get(lane)
    return one_line((known.agent_type if known else None) or lane, 15)


def _extent(
    episode: EpisodeEvent, slots: list[_Slot], by_call: dict[int | None, list[_Slot]], by_id: dict[str, _Slot]
) -> tuple[float, float]:
    inside = [by_id[i] for i in episode.checks if i in by_id]
    for call in range(episode.start_call, episode.end_call + 1):
        inside += by_call.get(call, ())
    if not inside:
        inside = [s for s in slots if s.event.step >= episode.step][:1] or slots[-1:]
    return min(s.left for s in inside), max(s.left + s.weight for s in inside)


def _activity(minor: list[_Slot], lane: list[_Slot], middle: int, total: float, anchors: dict[str, str]) -> list[Bar]:
    """Unbroken runs of minor events of a lane as one bar each."""
    position = {id(s): i for i, s in enumerate(lane)}
    bars: list[Bar] = []
    group: list[_Slot] = []
    for slot in [*minor, None]:
        if group and (slot is None or position[id(slot)] != position[id(group[-1])] + 1):
            left, right = group[0].left, group[-1].left + group[-1].weight
            if len(group) == 1:
                title = _title(group[0].event, group[0].mark, anchors)
            else:
                title = ", ".join(plural(n, label) for label, n in Counter(s.mark.label for s in group).items())
            bars.append(
                Bar(
                    _percent(left, total),
                    _percent(right - left, total),
                    middle - 3,
                    6,
                    "activity",
                    title,
                    anchors[group[0].event.id],
                )
            )
            group = []
        if slot is not None:
            group.append(slot)
    return bars


def _title(event: AnyEvent, shown: Mark, anchors: dict[str, str]) -> str:
    at = clock(event.time)
    where = f"{anchors[event.id]}, step {event.step}" + (f", {at}" if at else "")
    return f"{shown.label}: {shown.detail} ({where})" if shown.detail else f"{shown.label} ({where})"


def _ticks(slots: list[_Slot], total: float, width: int) -> list[Tick]:
    ticks: list[Tick] = []
    number = min(max(TICKS, width // TICK_DISTANCE), len(slots))
    after = iter(slots)
    slot = next(after)
    for i in range(number):
        share = i / (number - 1) if number > 1 else 0.0
        while slot.left + slot.weight < share * total and (later := next(after, None)) is not None:
            slot = later
        anchor = "start" if i == 0 else "end" if i == number - 1 else "middle"
        ticks.append(Tick(f"{share * 100:.2f}%", anchor, f"step {slot.event.step}", clock(slot.event.time)))
    return ticks


def _place_by_time(strip: Timeline, slots: list[_Slot], episodes: list[EpisodeEvent], anchors: dict[str, str]) -> None:
    """Gives marks and bars a place on an axis of time, where every event has a time and they differ."""
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
    number = max(TICKS, strip.min_width // TICK_DISTANCE)
    for i in range(number):
        moment = start + span * i / (number - 1)
        _, step = steps[max(0, bisect_right(steps, moment, key=lambda known: known[0]) - 1)]
        anchor = "start" if i == 0 else "end" if i == number - 1 else "middle"
        strip.time_ticks.append(Tick(_percent(moment - start, span), anchor, clock(moment), f"step {step}"))


def _legend(slots: list[_Slot], episodes: list[EpisodeEvent]) -> list[tuple[str, str, str]]:
    """(glyph, tone, label) of the marks that occur, in the order of the rows."""
    order = {group: i for i, group in enumerate(GROUPS)}
    seen = {s.mark.glyph: s.mark for s in slots if s.mark.group not in MINOR}
    labels = sorted(seen.values(), key=lambda m: (order[m.group], m.glyph))
    return [(m.glyph, m.tone, _EDIT_LABELS.get(m.glyph, m.label)) for m in labels]


_EDIT_LABELS = {"edit": "code edit", "testedit": "test edit", "otheredit": "other edit"}
