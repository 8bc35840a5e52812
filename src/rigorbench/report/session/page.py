"""The log of a session as the rows of the page: one row per message and per tool call, in log order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal

from markupsafe import escape
from msgspec import Struct, field, structs

from ...base.sanitize import block, one_line
from ...evidence.events import AnyEvent
from ...metrics.result import SessionReport
from ...trajectory.model import (
    MAIN_LANE,
    Ask,
    Edit,
    FileChange,
    Finish,
    Other,
    Plan,
    PlanItem,
    Read,
    Search,
    Shell,
    ShellOutput,
    Source,
    Spawn,
    Step,
    ToolCall,
    Wait,
)
from ...trajectory.usage import Usage
from ..text.words import clock, is_policy, model, moment, plural, tokens
from .diffs import Diff, bounded, diff, shorten
from .marks import TITLE_LENGTH, Mark, mark
from .places import LISTED, by_place, ends, level, page_rows

OUTPUT_LIMIT = 20_000
SMALLEST_LIMIT = 400
# What all texts of a page may take together, in bytes before escaping; the shells of the rows come on top.
PAGE_BUDGET = 2_300_000
ROW_OVERHEAD = 1_100
SMALLEST_BUDGET = 500_000
# Changed files of all rows.
FILES_SHOWN = 2_000

_WHO = {"user": "user", "agent": "agent", "harness": "harness", "compaction": "compaction", "interrupt": "interrupt"}
_MESSAGE_GLYPHS = {"user": "user", "agent": "agent"}
_BAD_TONES = frozenset({"fail", "error"})

BlockKind = Literal["text", "command", "output", "json"]


class Block(Struct):
    """A text of a row. After :func:`cut` ``text`` may be the head and ``tail`` the end, with ``cut`` between them."""

    label: str
    kind: BlockKind
    text: str
    tail: str = ""
    cut: int = 0


class Row(Struct):
    """One line of the log list. ``first``: the first row of its step; ``more``: what its lists leave out."""

    anchor: str
    step: int
    first: bool
    lane: str | None
    lane_index: int
    who: str
    name: str
    title: str
    clock: str
    moment: str
    source: Source
    groups: str
    glyph: str | None = None
    badges: list[tuple[str, str]] = field(default_factory=list)
    events: list[AnyEvent] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    diffs: list[Diff] = field(default_factory=list)
    plan: list[PlanItem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    changes: list[FileChange] = field(default_factory=list)
    more: list[str] = field(default_factory=list)


def rows(report: SessionReport, anchors: Mapping[str, str], marks: Mapping[str, Mark]) -> list[Row]:
    """All rows, with texts cut so that the page fits its budget.

    Args:
        marks: of events that have one of their own.
    """
    found = list(_Rows(report, anchors, marks).all())
    cut(found)
    return found


def cut(found: list[Row]) -> None:
    """Cuts texts and makes the diffs: the longest first, to the greatest length that fits :data:`PAGE_BUDGET`."""
    sizes: list[int] = []
    files = level((len(row.changes) for row in found), FILES_SHOWN)
    for row in found:
        for text in row.blocks:
            text.text = block(text.text)
            sizes.append(_size(text.text))
        row.diffs = [diff(change, OUTPUT_LIMIT) for change in row.changes[:files]]
        if len(row.changes) > files:
            row.more.append(plural(len(row.changes) - files, "file"))
        row.changes = []
        sizes += [_size(run.text) for d in row.diffs for run in d.runs]
    limit = _limit(sizes, max(SMALLEST_BUDGET, PAGE_BUDGET - ROW_OVERHEAD * len(found)))
    for row in found:
        for text in row.blocks:
            _cut_text(text, limit)
        for d in row.diffs:
            shorten(d, limit)


def _cut_text(text: Block, limit: int) -> None:
    """Leaves the head and the end of a text that takes more than ``limit`` bytes in the page."""
    length = len(text.text)
    size = _size(text.text) if length > limit // 6 else length
    if size <= limit:
        return
    keep = limit * length // size
    head, tail = keep * 2 // 3, keep // 3
    text.cut = length - head - tail
    text.text, text.tail = text.text[:head], text.text[length - tail :]


def _limit(sizes: list[int], budget: int) -> int:
    """The greatest limit up to :data:`OUTPUT_LIMIT` with sum(min(size, limit)) <= budget (but a useful minimum)."""
    left = len(sizes)
    for size in sorted(sizes):
        if size >= OUTPUT_LIMIT or size * left > budget:
            break
        budget -= size
        left -= 1
    return max(SMALLEST_LIMIT, min(OUTPUT_LIMIT, budget // left)) if left else OUTPUT_LIMIT


def _size(text: str) -> int:
    """Bytes that ``text`` takes in the page."""
    return len(escape(text).encode("utf-8", "surrogatepass"))


class _Rows:
    """Makes the rows of one report."""

    def __init__(self, report: SessionReport, anchors: Mapping[str, str], marks: Mapping[str, Mark]) -> None:
        self.marks = marks
        self.trajectory, self.steps = report.trajectory, report.trajectory.steps
        self.anchors = anchors
        self.model = report.score.trajectory.model
        self.places = by_place(report)
        self.lanes = {lane: i for i, lane in enumerate(dict.fromkeys([MAIN_LANE, *(s.lane for s in self.steps)]))}
        self.lane_types = {lane.id: lane.agent_type for lane in report.trajectory.lanes.values()}

    def all(self) -> Iterator[Row]:
        before = -1
        for index, number in ends(page_rows(self.trajectory, self.places)):
            step, events = self.steps[index], self.places.get((index, number), [])
            shown = [event for event in events if event.id in self.anchors]
            if number is None:
                row = self._message(index, step, shown)
            else:
                row = self._call(index, number, step, step.calls[number], shown)
            if len(events) > len(shown):
                row.more.append(plural(len(events) - len(shown), "event"))
            if index != before:
                row.anchor, row.first, before = f"s{index}", True, index
                row.notes += self._notes(step)
            yield row

    def _notes(self, step: Step) -> list[str]:
        notes = [_by(step.model)] if step.model and step.model != self.model else []
        if step.usage is not None:
            notes.append(_usage(step.usage))
        return notes

    def _message(self, index: int, step: Step, events: list[AnyEvent]) -> Row:
        row = self._row(f"s{index}-t", index, step, step.source, step.time, _WHO.get(step.role, "agent"), events)
        row.title = one_line(step.text or step.reasoning, TITLE_LENGTH)
        row.name = "thinks" if step.role == "agent" and step.reasoning and not step.text else row.who
        row.glyph = None if row.events else _MESSAGE_GLYPHS.get(step.role, "harness")
        row.groups = self._groups(row.events, "message", bad=step.role == "interrupt")
        if step.text:
            row.blocks.append(Block("", "text", step.text))
        if step.reasoning:
            row.blocks.append(Block("Reasoning", "text", step.reasoning))
        return row

    def _call(self, index: int, number: int, step: Step, call: ToolCall, events: list[AnyEvent]) -> Row:
        time = call.time if call.time is not None else step.time
        row = self._row(f"s{index}-{number}", index, step, call.source, time, "call", events)
        row.name = one_line(call.name, 40)
        _describe(row, call)
        bad = _result(row, call)
        row.groups = self._groups(row.events, "other", bad)
        if not row.events:
            row.glyph = "run"
        return row

    def _row(
        self, anchor: str, index: int, step: Step, source: Source, time: float | None, who: str, events: list[AnyEvent]
    ) -> Row:
        lane = None
        if step.lane != MAIN_LANE:
            lane = one_line(self.lane_types.get(step.lane) or step.lane, 24)
        place, began, full = self.lanes[step.lane], clock(time), moment(time)
        return Row(anchor, index, False, lane, place, who, who, "", began, full, source, "", events=events)

    def _groups(self, events: list[AnyEvent], default: str, bad: bool) -> str:
        marks = [self.marks.get(e.id) or mark(e) for e in events]
        groups = list(dict.fromkeys(m.group for m in marks)) or [default]
        if default == "message" and default not in groups:
            groups.append(default)
        if bad or any(m.tone in _BAD_TONES for m in marks):
            groups.append("problem")
        return " ".join(groups)


def _by(name: str) -> str:
    return one_line(model(name) if is_policy(name) else f"model {name}", 80)


def _usage(usage: Usage) -> str:
    parts = (
        (usage.input, "uncached input"),
        (usage.cache_read, "cache read"),
        (usage.cache_write, "cache write"),
        (usage.output, "output"),
    )
    return "tokens: " + (", ".join(f"{tokens(n)} {word}" for n, word in parts if n is not None) or "not reported")


def _describe(row: Row, call: ToolCall) -> None:
    """Title and input of a call, by what it does."""
    action = call.action
    match action:
        case Shell():
            row.title = action.command
            row.blocks.append(Block("Command", "command", action.command))
            if action.cwd:
                row.notes.append(f"in {one_line(action.cwd, 200)}")
            if action.background:
                row.notes.append("in the background")
        case Edit():
            row.title = ", ".join(c.path if c.new_path is None else f"{c.path} → {c.new_path}" for c in action.changes)
            row.changes = action.changes
        case Plan():
            row.title = plural(len(action.items), "plan item") if action.items else action.text or "plan"
            row.plan = [structs.replace(item, text=bounded(item.text)) for item in action.items[:LISTED]]
            row.more += [plural(len(action.items) - LISTED, "plan item")] if len(action.items) > LISTED else []
            if action.text:
                row.blocks.append(Block("Plan", "text", action.text))
        case Spawn():
            row.title = action.description or action.prompt
            row.blocks.append(Block("Prompt", "text", action.prompt))
        case Ask() | Finish():
            row.title = action.text
            row.blocks.append(Block("Text", "text", action.text))
        case ShellOutput():
            row.title = " ".join(part for part in ("output of shell", action.shell_id, action.stdin) if part)
            if action.stdin:
                row.blocks.append(Block("Typed in", "command", action.stdin))
        case Read() | Search():
            row.title = action.target
            if isinstance(action, Search) or not action.target:
                _input(row, call)
        case Wait() | Other():
            row.title = action.target
            _input(row, call)
    if not row.title and call.input is not None and not row.blocks:
        _input(row, call)
    if call.observed is not None and (call.observed or row.changes):
        row.changes = call.observed
        row.notes.append("changes as recorded from outside the sandbox" if call.observed else "no change was recorded")
    row.title = one_line(row.title, TITLE_LENGTH)


def _input(row: Row, call: ToolCall) -> None:
    if call.input is None or call.input == {}:
        return
    text = (
        call.input if isinstance(call.input, str) else json.dumps(call.input, indent=2, ensure_ascii=False, default=str)
    )
    row.title = row.title or text
    row.blocks.append(Block("Input", "json", text))


def _result(row: Row, call: ToolCall) -> bool:
    """Badges and output of a call; True when it went wrong."""
    result = call.result
    if result is None:
        row.badges.append(("no result", "muted"))
        return False
    bad = False
    if result.exit_status is not None:
        failed = result.exit_status != 0
        bad |= failed
        row.badges.append((f"exit {result.exit_status}", "fail" if failed else "muted"))
    flags = (
        (result.is_error is True and not bad, "tool error"),
        (result.denied, "denied by the user"),
        (result.timed_out, "timed out"),
        (result.interrupted and not result.timed_out, "interrupted"),
        (result.not_observed, "no program was observed to run"),
    )
    for present, words in flags:
        if present:
            row.badges.append((words, "fail"))
            bad = True
    if result.duration is not None:
        row.notes.append(f"took {result.duration:.1f} s")
    if result.truncated:
        row.notes.append("the log contains only a part of the output")
    if result.full_output:
        row.notes.append(f"full output in {one_line(result.full_output, 200)}")
    if result.text:
        row.blocks.append(Block("Output", "output", result.text))
    else:
        row.notes.append("no output")
    return bad
