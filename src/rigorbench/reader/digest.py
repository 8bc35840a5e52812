"""One text that holds a session: every message and call in order, what our events say of them, cut to a budget.

The same run makes the same text whatever format it was logged in: agent, model, ids, times and the place of the
project on the disk are not told. A line that begins with a bracket is ours. What comes from the log stands behind
``word: `` at the end of such a line, or on a line that begins with one of the marks ``> $ | + - @``, so that no text of
a log can be taken for ours.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct, field

from ..base.sanitize import block
from ..base.text import count
from ..evidence.events import (
    AnyEvent,
    BuildEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    LintEvent,
    ReadEvent,
    ReproductionEvent,
    SearchEvent,
    TestRunEvent,
    VcsEvent,
)
from ..evidence.facts import Evidence
from ..trajectory.model import (
    Ask,
    Edit,
    FileChange,
    Finish,
    Plan,
    Read,
    Search,
    Shell,
    ShellOutput,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
    Wait,
)
from .secrets import mask

# English, code and our marks, with the tokenizers in use.
_CHARACTERS_PER_TOKEN = 3.5
_LEAST = 1_000
Take = Literal["head", "ends", "telling"]
Sort = Literal["messages", "commands", "outputs", "diffs"]


class Digest(Struct):
    """A session as one text."""

    text: str
    sha256: str
    """Of the text, in UTF-8."""
    budget: int
    """The most characters that it may have."""
    characters: int
    tokens: int
    """An estimate."""
    cut: dict[str, int] = field(default_factory=dict)
    """Characters of the log that are not told, by sort ("messages", "commands", "outputs", "diffs")."""
    masked: dict[str, int] = field(default_factory=dict)
    """Number of secrets masked in the text, by rule."""
    places: dict[str, list[str]] = field(default_factory=dict)
    """Every place of the session, told or not, in order ("12" is step 12, "12.3" its third call), with the ids of its
    events."""

    def place_of(self, event: str) -> str | None:
        """The place of an event of the session."""
        return self._places.get(event)

    @property
    def _places(self) -> dict[str, str]:
        return {event: place for place, events in self.places.items() for event in events}


class _Part:
    """A text of the log that belongs to a unit. ``weight``: its share of what there is room for."""

    __slots__ = ("cap", "clean", "mark", "size", "sort", "take", "text", "weight")

    def __init__(
        self, sort: Sort, mark: str, text: str | Callable[[], str], size: int, weight: float, take: Take = "ends"
    ) -> None:
        self.sort, self.mark, self.text, self.size, self.weight, self.take = sort, mark, text, size, weight, take
        # Its rows as they may be shown, by how much of it was looked at.
        self.clean: dict[int, list[str | int]] = {}
        # How much of it is told.
        self.cap = 0


class _Unit:
    """A message, or a call with its result."""

    __slots__ = ("kind", "lane", "names", "note", "parts", "place", "word")

    def __init__(self, place: str, lane: str, word: str, kind: str, note: str = "", names: Iterable[str] = ()) -> None:
        self.place, self.lane, self.word, self.kind, self.note, self.names = place, lane, word, kind, note, list(names)
        self.parts: list[_Part] = []

    def add(self, sort: Sort, mark: str, text: str, weight: float, take: Take = "ends") -> None:
        if text and not text.isspace():
            self.parts.append(_Part(sort, mark, text, len(text), weight, take))


def digest(evidence: Evidence, budget: int = 24_000) -> Digest:
    """The digest of one session.

    Args:
        evidence: of the session.
        budget: the most characters, at least 1,000.
    """
    budget = max(budget, _LEAST)
    told = _Session(evidence)
    text, masked = _Page(evidence, told.units, told.heading(), budget).fit()
    totals: Counter[str] = Counter()
    for unit in told.units:
        for part in unit.parts:
            totals[part.sort] += max(0, part.size - part.cap)
    return Digest(
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        budget=budget,
        characters=len(text),
        tokens=round(len(text) / _CHARACTERS_PER_TOKEN),
        cut={sort: number for sort, number in sorted(totals.items()) if number},
        masked=masked,
        places=told.places,
    )


# What a session has to tell


class _Session:
    """The units of a session in order, and its places."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.trajectory: Trajectory = evidence.trajectory
        self.places: dict[str, list[str]] = {}
        self.events: dict[tuple[str, int], list[AnyEvent]] = defaultdict(list)
        for event in evidence.events:
            if event.call is not None:
                self.events[event.lane, event.call].append(event)
        self.lanes = self._lanes()
        self.spawned = {lane.parent_call: lane.id for lane in self.trajectory.lanes.values() if lane.parent_call}
        self.weights = self._episode_weights()
        self.last_edit = {e.path: e.id for e in evidence.events if isinstance(e, EditEvent)}
        self.gone = {
            e.path for e in evidence.events if isinstance(e, EditEvent) and e.operation == "delete"
            and self.last_edit[e.path] == e.id
        }  # fmt: skip
        self.plan: dict[str, str] = {}
        self.units = list(self._units())
        self._place_events()

    def heading(self) -> list[str]:
        t = self.trajectory
        calls = sum(len(s.calls) for s in t.steps)
        ended = {"completed": "completed", "interrupted": "interrupted", "limit": "at a limit", "error": "by an error"}
        end = "not known" if t.end is None else ended[t.end]
        whole = {
            True: "the log is complete",
            False: "the log is cut off",
            None: "not known whether the log is complete",
        }
        lines = [f"[session: {count(len(t.steps), 'step')}, {count(calls, 'call')}; ended {end}; {whole[t.complete]}]"]
        if t.unread:
            lines.append(f"[{count(t.unread, 'part')} of the log could not be read]")
        return lines

    def _lanes(self) -> dict[str, tuple[str, str]]:
        """Of each lane but the main one: its letter, and what it is."""
        found: dict[str, tuple[str, str]] = {}
        calls = {c.id: f"{n}.{k}" for n, s in enumerate(self.trajectory.steps) for k, c in enumerate(s.calls, 1)}
        for step in self.trajectory.steps:
            if step.lane != "main" and step.lane not in found:
                lane = self.trajectory.lanes.get(step.lane)
                what = "taken back by the user" if lane is not None and lane.taken_back else "sub-agent"
                if lane is not None and lane.parent_call in calls:
                    what += f", started at [{calls[lane.parent_call]}]"
                if lane is not None and lane.parent in found:
                    what += f" by {found[lane.parent][0]}"
                found[step.lane] = _letters(len(found)), what
        return found

    def _episode_weights(self) -> dict[str, float]:
        """By event: how much an episode of errors makes it weigh. Between its ends it is told in less detail."""
        weights: dict[str, float] = {}
        for event in self.evidence.events:
            if isinstance(event, EpisodeEvent):
                for check in event.checks[1:-2]:
                    weights[check] = 0.4
                for edits in event.attempt_edits[:-1]:
                    weights.update(dict.fromkeys(edits, 0.6))
                weights.update(dict.fromkeys(event.attempt_edits[-1] if event.attempt_edits else (), 1.5))
                weights.update(dict.fromkeys((*event.checks[:1], *event.checks[-2:]), 1.3))
        return weights

    def _place_events(self) -> None:
        done: dict[str, int] = defaultdict(int)
        at: dict[tuple[str, int], str] = {}
        for n, step in enumerate(self.trajectory.steps):
            self.places[str(n)] = []
            for k, call in enumerate(step.calls, 1):
                self.places[f"{n}.{k}"] = []
                if step.role == "agent" and call.result is not None:
                    at[step.lane, done[step.lane]] = f"{n}.{k}"
                    done[step.lane] += 1
        for event in self.evidence.events:
            place = None if event.call is None else at.get((event.lane, event.call))
            self.places.setdefault(place or str(event.step), []).append(event.id)

    def _units(self) -> Iterator[_Unit]:
        done: dict[str, int] = defaultdict(int)
        steps = self.trajectory.steps
        users = 0
        closing = max((n for n, s in enumerate(steps) if s.role == "agent" and s.lane == "main"), default=-1)
        for n, step in enumerate(steps):
            lane = self.lanes[step.lane][0] if step.lane != "main" else ""
            late = 1.0 + 0.5 * (n > 0.85 * len(steps))
            users += step.role == "user" and not lane
            yield from self._messages(n, step, lane, users, 4.0 if n == closing else late)
            for k, call in enumerate(step.calls, 1):
                events = []
                if step.role == "agent" and call.result is not None:
                    events = self.events.get((step.lane, done[step.lane]), [])
                    done[step.lane] += 1
                yield self._call(f"{n}.{k}", lane, call, events, late)

    def _messages(self, n: int, step: Step, lane: str, users: int, late: float) -> Iterator[_Unit]:
        scale = 0.5 if lane else 1.0
        if step.role == "agent":
            if step.reasoning:
                unit = _Unit(str(n), lane, "thinks", "message")
                unit.add("messages", ">", step.reasoning, 0.4 * scale)
                yield unit
            unit = _Unit(str(n), lane, "says", "message")
            unit.add("messages", ">", step.text, (4.0 if late == 4.0 else 1.2 * late) * scale)
        else:
            words = {"user": "user", "harness": "harness", "compaction": "summary", "interrupt": "interrupt"}
            weight = {"user": 6.0 if users <= 1 else 2.5, "harness": 0.3 if n > 3 else 0.8, "compaction": 0.8}
            unit = _Unit(str(n), lane, words[step.role], "message", "the user stopped it" * (step.role == "interrupt"))
            unit.add("messages", ">", step.text, weight.get(step.role, 1.5) * scale)
        if unit.parts or step.role == "interrupt":
            yield unit

    def _call(self, place: str, lane: str, call: ToolCall, events: list[AnyEvent], late: float) -> _Unit:
        action, result = call.action, call.result
        notes = [*_result_notes(call), *(w for e in events for w in self._note(e))]
        failed = result is not None and bool(
            result.is_error or result.exit_status or result.denied or result.interrupted
            or any(getattr(e, "outcome", "") in ("failed", "error") for e in events)
        )  # fmt: skip
        checks = [e for e in events if isinstance(e, (TestRunEvent, BuildEvent, LintEvent, ReproductionEvent))]
        looks = bool(events) and all(isinstance(e, (ReadEvent, SearchEvent)) for e in events)
        weigh = max((self.weights.get(e.id, 1.0) for e in events), default=1.0) * late * (0.5 if lane else 1.0)
        note = "; ".join(dict.fromkeys(notes))
        edits = [e for e in events if isinstance(e, EditEvent)]
        shown = result.text if result is not None and result.stdout is None else (result and result.stdout) or ""
        unit = _Unit(place, lane, "tool", "other call", note, [e.path for e in edits])
        out = (1.3 if failed else 0.25 if checks else 0.4) * weigh
        take: Take = "telling" if failed or checks else "ends"
        if isinstance(action, Shell):
            unit.word, unit.kind = "$", "look" if looks else "check" if checks else "command"
            unit.add("commands", "$", action.command, (0.25 if looks and not failed else 0.9) * weigh)
            if looks and not failed:
                out = 0.05
        elif isinstance(action, Edit):
            unit.word, unit.kind = "edit", "edit"
            paths = " ".join(dict.fromkeys(c.path for c in action.changes))
            unit.add("commands", "@", paths, 1.2 * weigh)
            out = 0.6 if failed else 0.02
            if not edits:
                self._diffs(unit, [(c, 0.5 * weigh) for c in action.changes])
        elif isinstance(action, (Read, Search)):
            unit.word, unit.kind = ("read" if isinstance(action, Read) else "search"), "look"
            unit.add("commands", ">", action.target, 0.12)
            out = 0.3 if failed else 0.03
        elif isinstance(action, Plan):
            unit.word, unit.kind = "plan", "plan"
            unit.add("messages", ">", self._plan(action), 1.5)
            out = 0.01
        elif isinstance(action, Spawn):
            unit.word, unit.kind = "starts", "sub-agent"
            if call.id in self.spawned and self.spawned[call.id] in self.lanes:
                unit.note = "; ".join(filter(None, (f"sub-agent {self.lanes[self.spawned[call.id]][0]}", note)))
            unit.add("messages", ">", action.prompt, 0.6)
            out = 0.8
        elif isinstance(action, Ask):
            unit.word, unit.kind = "asks", "question"
            unit.add("messages", ">", action.text, 1.5)
            out = 1.5
        elif isinstance(action, Finish):
            unit.word, unit.kind = "ends", "message"
            unit.add("messages", ">", action.text, 4.0)
        elif isinstance(action, (Wait, ShellOutput)):
            unit.word, unit.kind = "waits", "wait"
            unit.add("commands", ">", (action.stdin or "") if isinstance(action, ShellOutput) else action.target, 0.3)
        else:
            unit.add("commands", ">", f"{call.name} {_compact(call.input)}", 0.35)
        self._diffs(unit, [(self.evidence.edits[e.id].change, self._edit_weight(e) * weigh) for e in edits])
        unit.add("outputs", "|", shown, out, take)
        return unit

    def _diffs(self, unit: _Unit, changes: list[tuple[FileChange, float]]) -> None:
        for change, weight in changes:
            size = sum(len(a) + len(b) for a, b in change.hunks) or len(change.after or "") + len(change.before or "")
            if size:
                head = f"{change.path}\n" if len(changes) > 1 or unit.word != "edit" else ""
                unit.parts.append(
                    _Part("diffs", "@" if head else "", lambda c=change, h=head: h + _diff(c), size, 1.5 * weight)  # type: ignore[misc]
                )

    def _edit_weight(self, event: EditEvent) -> float:
        facts = self.evidence.edits[event.id]
        weight = 1.0 if event.role in ("production", "test") else 0.5
        if facts.scratch or event.path in self.gone or not facts.in_root:
            weight *= 0.4
        if facts.layout or facts.restoring or event.via in ("git", "background"):
            weight *= 0.3
        return weight * (1.3 if self.last_edit[event.path] == event.id else 0.8)

    def _plan(self, action: Plan) -> str:
        """A plan as written; of one that is only brought up to date, the items that changed."""
        if action.text:
            return action.text
        lines = []
        for item in action.items:
            key = item.key or item.text
            if self.plan.get(key) != f"{item.status} {item.text}":
                lines.append(f"[{item.status}] {item.text or key}")
            self.plan[key] = f"{item.status} {item.text}"
        return "\n".join(lines)

    def _note(self, event: AnyEvent) -> Iterator[str]:
        """What an event says of its call; only what it proves, and no word of the log."""
        where = "".join(
            w for c in (self.evidence.checks.get(event.id),) if c is not None
            for w in (" on the start tree" * c.start_tree, " on another tree" * (c.mixed and not c.start_tree))
        )  # fmt: skip
        if isinstance(event, TestRunEvent):
            numbers = [f"{n:,} {w}" for w in ("passed", "failed", "skipped") if (n := getattr(event, w)) is not None]
            runner = re.sub(r"[^\w .+-]", "", event.runner)[:24]
            yield f"{runner or 'tests'} {_OUTCOMES[event.outcome]}{where}" + (
                f": {', '.join(numbers)}" if numbers else ""
            )
            checks = self.evidence.checks.get(event.id)
            if checks is not None and checks.distrusted:
                yield "its pass proves nothing"
        elif isinstance(event, (BuildEvent, LintEvent)):
            yield f"{'build' if isinstance(event, BuildEvent) else 'lint'} {_OUTCOMES[event.outcome]}{where}"
        elif isinstance(event, ReproductionEvent):
            yield f"own program {_OUTCOMES[event.outcome]}{where}"
        elif isinstance(event, CommitEvent):
            yield (
                "commit, replaced later"
                if event.amended
                else "commit" + f" of {count(len(event.files), 'file')}" * bool(event.files)
            )
        elif isinstance(event, EditEvent):
            facts = self.evidence.edits[event.id]
            what = {"create": "new ", "delete": "deletes a ", "rename": "renames a ", "modify": ""}[event.operation]
            role = "scratch" if facts.scratch else "outside" if not facts.in_root else event.role
            yield what + {"document": "document", "outside": "file outside the project"}.get(role, f"{role} file")
            if facts.removed_tests:
                yield "removes tests"
            if facts.weakened_tests:
                yield "skips or loosens tests"
        elif isinstance(event, VcsEvent) and _DISCARDS.search(event.command):
            yield "git command that discards work"


_OUTCOMES = {"passed": "passed", "failed": "failed", "error": "ended in an error", "unknown": "with unknown outcome"}
_DISCARDS = re.compile(
    r"git\b[^|;&]*?\b(?:reset\b.*--hard|clean\b.* -\w*f|checkout\b(?:.* -- | \.)|restore\b(?!.*--staged)|"
    r"push\b.* (?:-f\b|--force)|stash (?:drop|clear)|branch\b.* -D)"
)


def _result_notes(call: ToolCall) -> Iterator[str]:
    result = call.result
    if result is None:
        yield "no result in the log"
        return
    if result.not_observed:
        yield "did not run as the log says"
    for word, holds in (
        ("denied", result.denied), ("timed out", result.timed_out), ("interrupted", result.interrupted),
        ("still running", result.running), (f"exit {result.exit_status}", bool(result.exit_status)),
        ("error", bool(result.is_error) and not result.exit_status and not result.denied),
        ("changes recorded with no call of the agent", call.background),
    ):  # fmt: skip
        if holds:
            yield word


def _letters(number: int) -> str:
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(65 + number % 26)


def _compact(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _diff(change: FileChange) -> str:
    """The lines that a change removes and adds; a line of a huge one as it is."""
    pairs = change.hunks or [(change.before or "", change.after or "")]
    lines: list[str] = []
    for old, new in pairs:
        if len(old) + len(new) > 200_000 or not old or not new:
            lines += [f"-{line}" for line in old.splitlines()] + [f"+{line}" for line in new.splitlines()]
            continue
        found = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
        lines += [line for n, line in enumerate(found) if n > 1 and not line.startswith("@@")]
    return "\n".join(lines)


# The page

_MARKER = re.compile("\x02masked ([^\x03]*)\x03")
_TELLING = re.compile(
    r"(?i)error|fail|assert|exception|traceback|panic|expected|actual|received|not found|undefined|cannot|no such|"
    r"denied|✗|✕|×|^E  |mismatch|warning: unused|passed|\btests?\b.*\d"
)
_MARGIN = 4096


class _Page:
    """The units as a text that fits."""

    def __init__(self, evidence: Evidence, units: list[_Unit], heading: list[str], budget: int) -> None:
        self.units, self.heading, self.budget = units, heading, budget
        roots = [r for r in (evidence.root, *evidence.worktrees) if r and len(r) > 3]
        self.roots = (
            re.compile("|".join(re.escape(r) for r in sorted(roots, key=len, reverse=True)) + r"(?=[/\s'\":;,)]|$)/?")
            if roots
            else None
        )
        self.values: dict[str, str] = {}
        # Where a part begins to be told, in order.
        parts = [p for u in units for p in u.parts]
        self.parts = sorted(parts, key=lambda p: _floor(p) / p.weight)
        self.starts = [_floor(p) / p.weight for p in self.parts]

    def fit(self) -> tuple[str, dict[str, int]]:
        """The largest text that is within the budget, and the masked secrets in it by rule."""
        most = max((p.size / p.weight for p in self.parts), default=0.0) + 1
        scale = 16.0
        while scale < most and self._estimate(scale) < self.budget:
            scale *= 1.5
        low, best = 0.0, self._text(0.0)
        high = scale = min(scale, most)
        while len(text := self._text(scale)) > self.budget and scale > 1:
            high, scale = scale, scale / 1.5
        # Not every larger scale makes a longer text, so that what fits is kept as it was found.
        while len(text) <= self.budget:
            low, best = scale, text
            if scale >= most:
                break
            high = scale = min(scale * 1.5, most)
            text = self._text(scale)
        for _ in range(7):
            scale = (low + high) / 2
            text = self._text(scale)
            if len(text) <= self.budget:
                low, best = scale, text
            else:
                high = scale
        # What was found to be a secret in a larger text is masked here too. Each part keeps how much of it is told.
        while len(best := self._text(low)) > self.budget:
            low *= 0.98
        masked = Counter(m[1] for m in _MARKER.finditer(best))
        return best.replace("\x02", "<").replace("\x03", ">"), dict(sorted(masked.items()))

    def _estimate(self, scale: float) -> float:
        return sum(min(p.size, p.weight * scale) + 12 for p in self.parts[: bisect_right(self.starts, scale)])

    def _text(self, scale: float) -> str:
        lines = list(self.heading)
        folded: list[_Unit] = []
        for unit in self.units:
            parts = [p for p in unit.parts if p.weight * scale >= _floor(p)]
            for part in unit.parts:
                part.cap = 0
            if not parts and (unit.parts or not scale or unit.kind not in ("message",)):
                folded.append(unit)
                continue
            if folded:
                lines.append(self._fold(folded))
                folded = []
            lines += self._tell(unit, parts, scale)
        if folded:
            lines.append(self._fold(folded))
        lines.append("[end of session]")
        text = "\n".join(lines)
        for value, marker in self.values.items():
            if value in text:
                text = text.replace(value, marker)
        return text

    def _tell(self, unit: _Unit, parts: list[_Part], scale: float) -> list[str]:
        head = f"[{unit.place}]" + (f" {unit.lane}" if unit.lane else "") + (f" {{{unit.note}}}" if unit.note else "")
        lines: list[str] = []
        for part in parts:
            rows, part.cap = self._rows(part, int(part.weight * scale))
            for n, row in enumerate(rows):
                if isinstance(row, int):
                    lines.append(f"[{row:,} cut]")
                elif n == 0 and part is unit.parts[0] and not lines and part.sort != "diffs":
                    lines.append(f"{head} {unit.word}{'' if unit.word == '$' else ':'} {row}")
                elif part.sort == "diffs":
                    lines.append(row if row[:1] in "+-" else f"@ {row}")
                else:
                    lines.append(f"{part.mark} {row}")
        if not lines or not lines[0].startswith(head):
            lines.insert(0, f"{head} {unit.word}")
        return lines

    def _fold(self, units: list[_Unit]) -> str:
        """One line for units that are not told."""
        numbers = Counter(u.kind for u in units)
        what = ", ".join(
            count(numbers[kind], noun, nouns)
            for kind, noun, nouns in _FOLDED if numbers[kind]
        )  # fmt: skip
        first, last = units[0].place, units[-1].place
        failed = sum("failed" in u.note or "exit" in u.note or "error" in u.note for u in units)
        if failed:
            what += f"; {failed:,} failed"
        names = list(dict.fromkeys(n for u in units for n in u.names))
        line = f"[{first}]" if first == last else f"[{first}-{last}]"
        lanes = (
            "".join(dict.fromkeys(f" {u.lane}" for u in units if u.lane)) if len({u.lane for u in units}) == 1 else ""
        )
        more = f" +{len(names) - 3}" if len(names) > 3 else ""
        paths = " ".join(" ".join(self._clean(n).split())[-60:] for n in names[:3])
        return f"{line}{lanes} {{{what}}}" + (f" edits: {paths}{more}" if paths else "")

    # Texts

    def _rows(self, part: _Part, cap: int) -> tuple[list[str | int], int]:
        """The rows of a part within a number of characters, with what is left out between them, and what is told."""
        text = part.text if isinstance(part.text, str) else part.text()
        part.text = text
        window = _MARGIN + (1 << cap.bit_length())
        if len(text) <= 2 * window + _MARGIN:
            window = 0
        if window not in part.clean:
            part.clean[window] = self._lines(text, window, part.take == "telling")
        rows = part.clean[window]
        size = sum(1 + len(r) for r in rows if isinstance(r, str))
        whole = all(isinstance(r, str) for r in rows)
        if whole and size <= cap + 24:
            return rows, part.size
        longest = max(60, cap // 2)
        short: list[str | int] = []
        for row in rows:
            if isinstance(row, str) and len(row) > longest:
                head = longest * 2 // 3
                short += [row[:head], len(row) - longest, row[head - longest :]]
            else:
                short.append(row)
        texts = [n for n, row in enumerate(short) if isinstance(row, str)]
        keep: set[int] = set()
        left = cap
        for n in _order(short, texts, part.take):
            size = len(str(short[n])) + 1
            if n not in keep and (size <= left or not keep):
                keep.add(n)
                left -= size
            if left < 20:
                break
        out: list[str | int] = []
        dropped = 0
        for n, row in enumerate(short):
            if isinstance(row, str) and n in keep:
                out += ([dropped] if dropped else []) + [row]
                dropped = 0
            else:
                dropped += row if isinstance(row, int) else len(row) + 1
        if dropped:
            out.append(dropped)
        return out, cap - left

    def _lines(self, text: str, window: int, telling: bool) -> list[str | int]:
        """A text as clean rows. ``window``: how much of its beginning and of its end is looked at; 0: all of it.

        What may be the beginning or the end of a secret at the edge of a window is left out.
        """
        if not window:
            return [row.rstrip() for row in self._clean(text).split("\n") if row and not row.isspace()]
        head, tail = text[:window], text[-window:]
        cut = head.rfind("\n", window - _MARGIN)
        head = head[: cut if cut >= 0 else window - _MARGIN // 2]
        cut = tail.find("\n", 0, _MARGIN)
        tail = tail[cut + 1 :] if cut >= 0 else tail[_MARGIN // 2 :]
        rows = [r.rstrip() for r in self._clean(head).split("\n") if r and not r.isspace()]
        out: list[str | int] = [*rows]
        middle, done = len(text) - len(tail), len(head)
        if telling:
            for match in _TELLING.finditer(text, len(head), middle):
                start = text.rfind("\n", 0, match.start()) + 1
                end = text.find("\n", match.end())
                if start >= done and match.end() < end < middle and end - start < 400:
                    out += ([start - done] if start > done else []) + [" ".join(self._clean(text[start:end]).split())]
                    done = end
                    if len(out) > len(rows) + 40:
                        break
        if middle > done:
            out.append(middle - done)
        return out + [r.rstrip() for r in self._clean(tail).split("\n") if r and not r.isspace()]

    def _clean(self, text: str) -> str:
        """A text of the log as it may be shown and sent: one line a row, nothing invisible, no secret, paths short."""
        text = block(text)
        if self.roots is not None:
            text = self.roots.sub("", text)
        return mask(text, self._masked)

    def _masked(self, rule: str, value: str) -> str:
        marker = f"\x02masked {rule}\x03"
        if len(value) >= 10 and "\n" not in value and any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
            self.values[value] = marker
        return marker


_FOLDED = (
    ("look", "read or search", "reads and searches"), ("message", "message", None), ("command", "command", None),
    ("check", "check", None), ("edit", "edit", None), ("plan", "plan update", None), ("sub-agent", "sub-agent", None),
    ("question", "question", None), ("wait", "wait", None), ("other call", "other call", None),
)  # fmt: skip


def _floor(part: _Part) -> float:
    """The fewest characters of a part that say something."""
    return min(part.size, {"messages": 80, "commands": 50, "outputs": 60, "diffs": 90}[part.sort])


def _order(rows: list[str | int], texts: list[int], take: Take) -> Iterator[int]:
    """The rows in the order in which they say most."""
    if take == "telling":
        yield from texts[-1:]
        telling = [n for n in texts if _TELLING.search(str(rows[n]))]
        yield from telling[-2:]
        yield from telling[:12]
        yield from texts[:1]
        yield from reversed(texts[-12:])
        yield from telling
        yield from reversed(texts)
    elif take == "head":
        yield from texts
    else:
        # Two from the beginning for each from the end.
        low, high = 0, len(texts) - 1
        while low <= high:
            for n in (low, low + 1, high):
                if low <= n <= high:
                    yield texts[n]
            low, high = low + 2, high - 1
