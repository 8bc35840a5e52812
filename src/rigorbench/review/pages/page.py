"""The log of a session as the rows of the page: one row per message and per tool call, in log order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from markupsafe import escape
from msgspec import Struct, field, structs

from ...base.sanitize import block, one_line
from ...evidence.events import AnyEvent
from ...session.model import (
    Ask,
    Edit,
    FileChange,
    Finish,
    Other,
    Plan,
    PlanItem,
    Read,
    Result,
    Search,
    Shell,
    ShellOutput,
    Spawn,
    Step,
    ToolCall,
    Wait,
)
from ...session.usage import TokenUsage
from ..result import SessionReport
from .diffs import Diff, bounded, diff, shorten
from .marks import TITLE_LENGTH, EventMark, mark
from .places import LISTED, by_place, ends, level, page_rows
from .words import plural, tokens

OUTPUT_LIMIT = 20_000
SMALLEST_LIMIT = 400
# What all texts of a page may take together, in bytes before escaping; the shells of the rows come on top.
PAGE_BUDGET = 2_300_000
ROW_OVERHEAD = 1_100
SMALLEST_BUDGET = 500_000
# Changed files of all rows.
FILES_SHOWN = 2_000

_BAD_TONES = frozenset({"fail", "error"})

BlockKind = Literal["text", "command", "output", "json"]


class TextBlock(Struct):
    """A text of a row. After :func:`cut` ``text`` may be the head and ``tail`` the end, with ``cut`` between them."""

    label: str
    kind: BlockKind
    text: str
    tail: str = ""
    cut: int = 0


class LogRow(Struct):
    """One line of the log list: a call, or the text of a step."""

    anchor: str
    index: int
    """That of the step."""
    step: Step
    call: ToolCall | None
    first: bool
    """It is the first row of its step."""
    events: list[AnyEvent]
    title: str = ""
    groups: str = ""
    """What the buttons choose it by."""
    blocks: list[TextBlock] = field(default_factory=list)
    diffs: list[Diff] = field(default_factory=list)
    plan: list[PlanItem] = field(default_factory=list)
    changes: list[FileChange] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    """What its lists leave out."""


def rows(report: SessionReport, anchors: Mapping[str, str], marks: Mapping[str, EventMark]) -> list[LogRow]:
    """All rows, with texts cut so that the page fits its budget. ``marks``: of events that have one of their own."""
    steps, places = report.trajectory.steps, by_place(report)
    found: list[LogRow] = []
    for index, number in ends(page_rows(report.trajectory, places)):
        step, events = steps[index], places.get((index, number), [])
        first = not found or found[-1].index != index
        call = None if number is None else step.calls[number]
        anchor = f"s{index}" if first else f"s{index}-{'t' if number is None else number}"
        row = LogRow(anchor, index, step, call, first, [event for event in events if event.id in anchors])
        if call is None:
            _message(row)
            groups, bad = ["message"], step.role == "interrupt"
        else:
            _describe(row, call)
            groups, bad = [], call.result is not None and bool(call.result.exit_status or failures(call.result))
        if len(events) > len(row.events):
            row.more.append(plural(len(events) - len(row.events), "event"))
        shown = [marks.get(e.id) or mark(e) for e in row.events]
        groups = list(dict.fromkeys([*(m.group for m in shown), *groups])) or ["other"]
        if bad or any(m.tone in _BAD_TONES for m in shown):
            groups.append("problem")
        row.groups = " ".join(groups)
        found.append(row)
    cut(found)
    return found


def cut(found: list[LogRow]) -> None:
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
    budget = max(SMALLEST_BUDGET, PAGE_BUDGET - ROW_OVERHEAD * len(found))
    limit = max(SMALLEST_LIMIT, level((min(size, OUTPUT_LIMIT) for size in sizes), budget))
    for row in found:
        for text in row.blocks:
            _cut_text(text, limit)
        for d in row.diffs:
            shorten(d, limit)


def _cut_text(text: TextBlock, limit: int) -> None:
    """Leaves the head and the end of a text that takes more than ``limit`` bytes in the page."""
    length = len(text.text)
    size = _size(text.text) if length > limit // 6 else length
    if size <= limit:
        return
    keep = limit * length // size
    head, tail = keep * 2 // 3, keep // 3
    text.cut = length - head - tail
    text.text, text.tail = text.text[:head], text.text[length - tail :]


def _size(text: str) -> int:
    return len(escape(text).encode("utf-8", "surrogatepass"))


def failures(result: Result) -> list[str]:
    """What went wrong with a call besides its exit status."""
    told = (
        (result.is_error is True and not result.exit_status, "tool error"),
        (result.denied, "denied by the user"),
        (result.timed_out, "timed out"),
        (result.interrupted and not result.timed_out, "interrupted"),
        (result.not_observed, "no program was observed to run"),
    )
    return [words for present, words in told if present]


def usage_line(usage: TokenUsage) -> str:
    parts = (
        (usage.input, "uncached input"),
        (usage.cache_read, "cache read"),
        (usage.cache_write, "cache write"),
        (usage.output, "output"),
    )
    return "tokens: " + (", ".join(f"{tokens(n)} {word}" for n, word in parts if n is not None) or "not reported")


def _message(row: LogRow) -> None:
    step = row.step
    row.title = one_line(step.text or step.reasoning, TITLE_LENGTH)
    if step.text:
        row.blocks.append(TextBlock("", "text", step.text))
    if step.reasoning:
        row.blocks.append(TextBlock("Reasoning", "text", step.reasoning))


def _describe(row: LogRow, call: ToolCall) -> None:
    """Title, input and output of a call, by what it does."""
    action = call.action
    match action:
        case Shell():
            row.title = action.command
            row.blocks.append(TextBlock("Command", "command", action.command))
        case Edit():
            row.title = ", ".join(c.path if c.new_path is None else f"{c.path} → {c.new_path}" for c in action.changes)
            row.changes = action.changes
        case Plan():
            row.title = plural(len(action.items), "plan item") if action.items else action.text or "plan"
            row.plan = [structs.replace(item, text=bounded(item.text)) for item in action.items[:LISTED]]
            row.more += [plural(len(action.items) - LISTED, "plan item")] if len(action.items) > LISTED else []
            if action.text:
                row.blocks.append(TextBlock("Plan", "text", action.text))
        case Spawn():
            row.title = action.description or action.prompt
            row.blocks.append(TextBlock("Prompt", "text", action.prompt))
        case Ask() | Finish():
            row.title = action.text
            row.blocks.append(TextBlock("Text", "text", action.text))
        case ShellOutput():
            row.title = " ".join(part for part in ("output of shell", action.shell_id, action.stdin) if part)
            if action.stdin:
                row.blocks.append(TextBlock("Typed in", "command", action.stdin))
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
    row.title = one_line(row.title, TITLE_LENGTH)
    if call.result is not None and call.result.text:
        row.blocks.append(TextBlock("Output", "output", call.result.text))


def _input(row: LogRow, call: ToolCall) -> None:
    if call.input is None or call.input == {}:
        return
    text = (
        call.input if isinstance(call.input, str) else json.dumps(call.input, indent=2, ensure_ascii=False, default=str)
    )
    row.title = row.title or text
    row.blocks.append(TextBlock("Input", "json", text))
