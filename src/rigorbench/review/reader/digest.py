"""One text that holds a session: every message and call in order, what our events say of them, cut to a budget.

The same run makes the same text whatever format it was logged in: agent, model, ids, times and the place of the project
on the disk are not told. A line that begins with a bracket is ours. Words of the log stand behind ``word: `` at the end
of such a line, or on a line that begins with one of ``> $ | + - @``, so that none can be taken for ours.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate, chain, groupby

from msgspec import Struct, field

from ...base.sanitize import block
from ...base.secrets import mask
from ...base.text import count
from ...evidence import events as ev
from ...evidence.facts import Evidence
from ...session import model as log

# English, code and our marks, by the tokenizers in use, on the side of too many tokens.
CHARACTERS_PER_TOKEN = 3.5
_LEAST = 1_000
# Beyond what is told of a text, so much is looked at, so that no secret is told in part.
_MARGIN = 1024


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
    cut: dict[str, int]
    """Characters of the log that are not told, by sort ("messages", "commands", "outputs", "diffs")."""
    masked: dict[str, int]
    """Number of secrets masked in the text, by rule."""
    places: dict[str, list[str]]
    """Every place of the session, told or not ("12" is step 12, "12.3" its third call), with the ids of its events."""

    def place_of(self, event: str) -> str | None:
        """The place of an event of the session."""
        return next((place for place, events in self.places.items() if event in events), None)


class _Part(Struct, eq=False, gc=False):
    """A text of the log."""

    sort: str
    mark: str
    text: str | log.FileChange
    size: int
    weight: float
    """Its share of the room that there is."""
    telling: bool = False
    """Whether single lines say most; else its beginning and its end do."""
    sign: str | None = None
    """What stands before its first line, where that is on the line of the unit."""
    enough: int = 1 << 62
    """The least room known to be enough for all of it."""


class _Unit(Struct, eq=False, gc=False):
    """A message, or a call with its result."""

    place: str
    lane: str
    word: str
    kind: str
    call: log.ToolCall | None = None
    failed: bool = False
    parts: list[_Part] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """Paths of the files that it edits."""

    def add(self, sort: str, mark: str, text: str | None, weight: float, telling: bool = False) -> None:
        if text and not text.isspace():
            sign = None if self.parts else "" if self.word == "$" else ":"
            self.parts.append(_Part(sort, mark, text, len(text), weight, telling, sign))


_ENOUGH = {"messages": 80, "commands": 50, "outputs": 60, "diffs": 90}
# For kinds of calls: word, kind, where the text is, weight of the text, weight of the output.
_KINDS: dict[type, tuple[str, str, str, float, float]] = {
    log.Shell: ("$", "command", "command", 0.9, 0.4),
    log.Edit: ("edit", "edit", "", 1.2, 0.02),
    log.Read: ("read", "look", "target", 0.12, 0.03),
    log.Search: ("search", "look", "target", 0.12, 0.03),
    log.Plan: ("plan", "plan", "", 1.5, 0.01),
    log.Spawn: ("starts", "sub-agent", "prompt", 0.6, 0.8),
    log.Ask: ("asks", "question", "text", 1.5, 1.5),
    log.Finish: ("ends", "message", "text", 4.0, 0.1),
    log.Wait: ("waits", "wait", "target", 0.2, 0.1),
    log.ShellOutput: ("waits", "wait", "stdin", 0.3, 0.4),
    log.Other: ("tool", "other call", "", 0.35, 0.4),
}
_FOLDED = {"look": ("read or search", "reads and searches"), "plan": ("plan update", None)}
_CHECKS = (ev.TestRunEvent, ev.BuildEvent, ev.LintEvent, ev.ReproductionEvent)
_OUTCOMES = {"passed": "passed", "failed": "failed", "error": "ended in an error", "unknown": "with unknown outcome"}
_OPERATIONS = {"create": "new ", "delete": "deletes a ", "rename": "renames a ", "modify": ""}
_ROLES = {"document": "document", "outside": "file outside the project"}
_WHOLE = {True: "the log is complete", False: "the log is cut off", None: "not known whether the log is complete"}
_ROLE_WORDS = {"user": "user", "harness": "harness", "compaction": "summary", "interrupt": "interrupt"}
_DISCARDS = re.compile(
    r"git\b[^|;&]*?\b(?:reset\b.*--hard|clean\b.* -\w*f|checkout\b(?:.* -- | \.)|restore\b(?!.*--staged)|"
    r"push\b.* (?:-f\b|--force)|stash (?:drop|clear)|branch\b.* -D)"
)
_TELLING = re.compile(
    r"(?i)error|fail|assert|exception|traceback|panic|expected|actual|received|not found|undefined|cannot|no such|"
    r"denied|✗|✕|×|^E  |mismatch|passed|\btests?\b.*\d"
)
_NAMING = re.compile(r"\bFAIL(?:ED)?\b|✗|✕|×|\bnot ok\b|panicked|\berror[:\[]")
_MASKED = re.compile("\x02masked ([^\x03]*)\x03")


def digest(evidence: Evidence, budget: int = 24_000) -> Digest:
    """The digest of one session. ``budget``: the most characters, at least 1,000."""
    session = _Session(evidence)
    page = _Page(evidence, session, max(budget, _LEAST))
    text = page.fit()
    masked = Counter(m[1] for m in _MASKED.finditer(text))
    text = text.replace("\x02", "<").replace("\x03", ">")
    size: Counter[str] = Counter()
    for part in page.parts:
        size[part.sort] += part.size
    for part, told in page.told:
        size[part.sort] -= told
    cut = {sort: number for sort, number in sorted(size.items()) if number > 0}
    return Digest(
        text, hashlib.sha256(text.encode()).hexdigest(), page.budget, len(text),
        round(len(text) / CHARACTERS_PER_TOKEN), cut, dict(sorted(masked.items())), session.places,
    )  # fmt: skip


class _Session:
    """What a session has to tell."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.trajectory = evidence, evidence.trajectory
        self.last = {e.path: e for e in evidence.events if isinstance(e, ev.EditEvent)}
        self.plan: dict[str, str] = {}
        self.events: dict[tuple[str, int], list[ev.AnyEvent]] = defaultdict(list)
        self.weights: dict[str, float] = {}
        for event in evidence.events:
            if event.call is not None:
                self.events[event.lane, event.call].append(event)
            if isinstance(event, ev.EpisodeEvent):
                # What opens an episode of errors and what ends it is told in detail, what is between in less.
                self.weights |= dict.fromkeys(event.checks[1:-2], 0.4)
                self.weights |= {e: 0.6 for attempt in event.attempt_edits[:-1] for e in attempt}
                self.weights |= {e: 1.5 for attempt in event.attempt_edits[-1:] for e in attempt}
                self.weights |= dict.fromkeys(event.checks[:1] + event.checks[-2:], 1.3)
        # Of each lane but the main one: its letter, and what it is.
        self.lanes: dict[str, tuple[str, str]] = {}
        self.spawned = {lane.parent_call: lane.id for lane in self.trajectory.lanes.values() if lane.parent_call}
        steps = self.trajectory.steps
        self.request = next((n for n, s in enumerate(steps) if s.role == "user"), -1)
        self.with_steps = {s.lane for s in steps}
        self.places: dict[str, list[str]] = {}
        self.units = list(self._units())
        at = {e.id: place for place, events in self._placed.items() for e in events}
        for event in evidence.events:
            self.places[at.get(event.id, str(event.step))].append(event.id)

    def _units(self) -> Iterator[_Unit]:
        steps = self.trajectory.steps
        done: Counter[str] = Counter()
        self._placed: dict[str, list[ev.AnyEvent]] = {}
        closing = max((n for n, s in enumerate(steps) if s.role == "agent" and s.lane == log.MAIN_LANE), default=-1)
        starts = {c.id: f"{n}.{k}" for n, s in enumerate(steps) for k, c in enumerate(s.calls, 1)}
        for n, step in enumerate(steps):
            self.places[str(n)] = []
            if step.lane != log.MAIN_LANE and step.lane not in self.lanes:
                lane = self.trajectory.lanes.get(step.lane)
                start = starts.get(lane.parent_call or "") if lane is not None else None
                what = "taken back by the user" if lane is not None and lane.taken_back else "a sub-agent"
                self.lanes[step.lane] = (_letters(len(self.lanes)), what + (f", started at {start}" if start else ""))
            letter, _ = self.lanes.get(step.lane, ("", ""))
            scale, late = 0.5 if letter else 1.0, 1.0 + 0.5 * (n > 0.85 * len(steps))
            weights = {"agent": 1.2 * (4.0 if n == closing else late), "user": 2.5, "harness": 0.5 if n < 4 else 0.2}
            text = step.text or "(stopped the agent)" * (step.role == "interrupt")
            said = _ROLE_WORDS.get(step.role, "says"), text, 6.0 if n == self.request else weights.get(step.role, 0.8)
            for word, text, weight in (("thinks", step.reasoning, 0.3), said):
                unit = _Unit(str(n), letter, word, "message")
                unit.add("messages", ">", text, weight * scale)
                if unit.parts:
                    yield unit
            for k, call in enumerate(step.calls, 1):
                self.places[place := f"{n}.{k}"] = []
                if step.role == "agent" and call.result is not None:
                    self._placed[place] = self.events.get((step.lane, done[step.lane]), [])
                    done[step.lane] += 1
                yield self._call(place, letter, call, late * scale)

    def _call(self, place: str, lane: str, call: log.ToolCall, scale: float) -> _Unit:
        action, result, events = call.action, call.result, self._placed.get(place, [])
        word, kind, where, weight, out = _KINDS[type(action)]
        edits = [e for e in events if isinstance(e, ev.EditEvent)]
        failed = any(isinstance(e, (*_CHECKS, ev.VcsEvent)) and e.outcome in ("failed", "error") for e in events) or (
            result is not None and bool(result.is_error or result.exit_status or result.denied or result.interrupted)
        )
        checks = any(isinstance(e, _CHECKS) for e in events)
        weigh = max((self.weights.get(e.id, 1.0) for e in events), default=1.0) * scale
        looks = bool(events) and all(isinstance(e, (ev.ReadEvent, ev.SearchEvent)) for e in events)
        if isinstance(action, log.Shell) and looks and not failed:
            kind, weight, out = "look", 0.25, 0.05
        elif checks:
            kind, out = "check" if kind == "command" else kind, 0.25
        unit = _Unit(place, lane, word, kind, call, failed, names=[e.path for e in edits])
        text = getattr(action, where, None) or ""
        if isinstance(action, log.Other):
            raw = call.input if isinstance(call.input, str) else json.dumps(call.input, ensure_ascii=False, default=str)
            text = f"{call.name} {raw}"
        elif isinstance(action, log.Edit):
            text = " ".join(dict.fromkeys(c.path for c in action.changes))
        elif isinstance(action, log.Plan):
            text = self._plan(action)
        sort = "messages" if word in ("plan", "starts", "asks", "ends") else "commands"
        unit.add(sort, {"$": "$", "edit": "@"}.get(word, ">"), text, weight * weigh)
        changes = [(self.evidence.edits[e.id].change, self._edit_weight(e) * weigh) for e in edits]
        if isinstance(action, log.Edit) and not edits:
            changes = [(c, 0.5) for c in action.changes]
        for change, share in changes:
            size = sum(len(a) + len(b) for a, b in change.hunks) or len(change.after or "") + len(change.before or "")
            if size:
                unit.parts.append(_Part("diffs", "@" * (len(changes) > 1 or word != "edit"), change, size, 1.5 * share))
        if result is not None:
            shown = result.text if result.stdout is None else result.stdout
            unit.add("outputs", "|", shown, (1.3 if failed else out) * weigh, failed or checks)
        return unit

    def _edit_weight(self, event: ev.EditEvent) -> float:
        facts, last = self.evidence.edits[event.id], self.last[event.path]
        weight = 1.0 if event.role in ("production", "test") else 0.5
        if facts.scratch or not facts.in_root or last.operation == "delete":
            weight *= 0.4
        if facts.layout or event.via in ("git", "background"):
            weight *= 0.3
        return weight * (1.3 if last is event else 0.8)

    def _plan(self, action: log.Plan) -> str:
        """A plan as written; of one that is only brought up to date, the items that changed."""
        items = {item.key or item.text: f"[{item.status}] {item.text or item.key}" for item in action.items}
        new = [line for key, line in items.items() if self.plan.get(key) != line]
        self.plan |= items
        return action.text or "\n".join(new)

    def note(self, unit: _Unit) -> str:
        """What is told of a call beside its texts."""
        if (call := unit.call) is None:
            return ""
        said: dict[str, object] = {"sub-agent": self.spawned.get(call.id) in self.with_steps}
        said |= {"no result in the log": True} if (r := call.result) is None else {
            "did not run as the log says": r.not_observed, "denied": r.denied, "timed out": r.timed_out,
            "interrupted": r.interrupted, "still running": r.running, f"exit {r.exit_status}": r.exit_status,
            "error": r.is_error and not r.exit_status and not r.denied, "no call of the agent": call.background,
        }  # fmt: skip
        notes = (word for event in self._placed.get(unit.place, ()) for word in self._notes(event))
        return "; ".join(dict.fromkeys([*(word for word, holds in said.items() if holds), *notes]))

    def _notes(self, event: ev.AnyEvent) -> Iterator[str]:
        """What an event says of its call: only what it proves, and no word of the log."""
        checks = self.evidence.checks.get(event.id)
        outcome = _OUTCOMES[event.outcome] if isinstance(event, _CHECKS) else ""
        if checks is not None and (checks.start_tree or checks.mixed):
            outcome += " on the start tree" if checks.start_tree else " on another tree"
        if isinstance(event, ev.TestRunEvent):
            numbers = [f"{n:,} {w}" for w in ("passed", "failed", "skipped") if (n := getattr(event, w)) is not None]
            runner = re.sub(r"(?a)[^\w .+-]", "", event.runner)[:24] or "tests"
            yield f"{runner} {outcome}" + (f": {', '.join(numbers)}" if numbers else "")
            if checks is not None and checks.distrusted:
                yield "its pass proves nothing"
        elif isinstance(event, ev.BuildEvent | ev.LintEvent | ev.ReproductionEvent):
            yield f"{str(event.__struct_config__.tag).replace('reproduction', 'own program')} {outcome}"
        elif isinstance(event, ev.CommitEvent):
            yield "commit, replaced later" if event.amended else "commit"
        elif isinstance(event, ev.EditEvent):
            facts = self.evidence.edits[event.id]
            role = "scratch" if facts.scratch else event.role if facts.in_root else "outside"
            yield _OPERATIONS[event.operation] + _ROLES.get(role, f"{role} file")
            yield from ("removes tests",) * bool(facts.removed_tests)
            yield from ("skips or loosens tests",) * bool(facts.weakened_tests)
        elif isinstance(event, ev.VcsEvent) and _DISCARDS.search(event.command):
            yield "git command that discards work"


def _letters(number: int) -> str:
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(65 + number % 26)


def _diff(change: log.FileChange) -> str:
    """The lines that a change removes and adds."""
    lines: list[str] = []
    for old, new in change.hunks or [(change.before or "", change.after or "")]:
        before, after = old.splitlines(), new.splitlines()
        if before and after and len(before) + len(after) < 2_000:
            lines += [x for x in list(difflib.unified_diff(before, after, lineterm="", n=0))[2:] if x[:2] != "@@"]
        else:
            lines += [f"-{line}" for line in before] + [f"+{line}" for line in after]
    return "\n".join(lines)


class _Page:
    """The units of a session as a text that fits."""

    def __init__(self, evidence: Evidence, session: _Session, budget: int) -> None:
        t, self.budget, self.units, self.note = session.trajectory, budget, session.units, cache(session.note)
        ended = {None: "not known how", "limit": "at a limit", "error": "by an error"}.get(t.end, t.end)
        size = f"{count(len(t.steps), 'step')}, {count(sum(len(s.calls) for s in t.steps), 'call')}"
        self.heading = [f"[session: {size}; ended: {ended}; {_WHOLE[t.complete]}]"]
        if t.unread:
            self.heading.append(f"[{count(t.unread, 'part')} of the log left out]")
        roots = sorted({r for r in (evidence.root, *evidence.worktrees) if r and len(r) > 3}, key=len, reverse=True)
        self.roots = re.compile(f"(?:{'|'.join(map(re.escape, roots))})(?:/|(?![\\w-]|\\.\\w))") if roots else None
        # The values that were found to be secrets, and what stands for them.
        self.values: dict[str, str] = {}
        self.lanes = dict(session.lanes.values())
        # The parts that were told, and how much of each.
        self.told: Iterable[tuple[_Part, int]] = ()
        self.parts = [part for unit in self.units for part in unit.parts]
        self.unit_of = [n for n, unit in enumerate(self.units) for _ in unit.parts]
        # The room from which on a part says something. Where many begin together, they are spread over the session.
        order = sorted(
            ((_ENOUGH[p.sort] if p.weight < 0.2 else min(p.size, _ENOUGH[p.sort])) / p.weight, n * 0.618034 % 1, n, at)
            for at, (n, p) in enumerate(zip(self.unit_of, self.parts, strict=True))
        )  # fmt: skip
        self.starts, self.order = [start for start, *_ in order], [at for *_, at in order]
        self.most = max((p.size / p.weight for p in self.parts), default=1.0) + 1
        self.kinds, self.lane_of = [u.kind for u in self.units], [u.lane for u in self.units]
        self.failed = list(accumulate((u.failed for u in self.units), initial=0))
        self.editing = [n for n, u in enumerate(self.units) if u.names]
        # A text is tried with many rooms, and most of it is the same in all.
        self.frame, self.show, self.cut = cache(self._frame), cache(self._show), cache(self._cut)
        self.rows, self.name = cache(self._rows), cache(lambda name: " ".join(self._clean(name).split())[-60:])

    def fit(self) -> str:
        """The largest text that is found within the budget."""
        starts, text, budget = [0.0, *self.starts, self.most], self._text, self.budget
        # How many parts, each with the room that the last of them needs to say something...
        low, high = 0, 64
        while high < len(self.parts) and len(text(high, starts[high])) <= budget:
            low, high = high, 2 * high
        high = min(high, len(self.parts) + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if len(text(middle, starts[middle])) <= budget else (low, middle)
        # ... and how much more room before another part is told.
        scale, more = starts[low], starts[low + 1]
        if low and len(text(low, more)) <= budget:
            scale = more
        for _ in range(10 if low and scale < more else 0):
            between = (scale * more) ** 0.5
            scale, more = (between, more) if len(text(low, between)) <= budget else (scale, between)
        # What was found to be a secret in a larger text is masked here too, which may make it longer.
        while len(found := text(low, scale)) > budget and low:
            low -= 1
        return found

    def _text(self, number: int, scale: float) -> str:
        """The text with so many parts, of each as much as its weight says."""
        frame, parts = self.frame(number)
        told = [self.show(p, min(int(p.weight * scale), p.enough)) for p in parts]
        self.told = zip(parts, [size for _, size in told], strict=True)
        text = "".join(chain(*zip(frame, [*(shown for shown, _ in told), ""], strict=True)))
        for value, marker in self.values.items():
            text = text.replace(value, marker)
        return text

    def _frame(self, number: int) -> tuple[list[str], list[_Part]]:
        """The text without its parts, cut where they are, and so many parts."""
        frame = ["\n".join(self.heading)]
        lanes, done = dict(self.lanes), 0
        order = sorted(self.order[:number])
        for n, parts in groupby(order, self.unit_of.__getitem__):
            unit = self.units[n]
            if n > done:
                frame[-1] += self._fold(done, n)
            if what := lanes.pop(unit.lane, ""):
                frame[-1] += f"\n[lane {unit.lane}: {what}]"
            note = f" {{{note}}}" if (note := self.note(unit)) else ""
            frame[-1] += f"\n[{unit.place}]" + f" {unit.lane}" * bool(unit.lane) + f"{note} {unit.word}"
            frame += ["" for _ in parts]
            done = n + 1
        frame[-1] += (self._fold(done, len(self.units)) if done < len(self.units) else "") + "\n[end of session]"
        return frame, [self.parts[at] for at in order]

    def _fold(self, low: int, high: int) -> str:
        """One line for units that are not told."""
        first, last, lanes = self.units[low], self.units[high - 1], set(self.lane_of[low:high])
        numbers = sorted(Counter(self.kinds[low:high]).items())
        what = ", ".join(count(n, *_FOLDED.get(kind, (kind, None))) for kind, n in numbers)
        if failed := self.failed[high] - self.failed[low]:
            what += f"; {failed:,} failed"
        if len(lanes) > 1:
            what += f"; of lanes {', '.join(sorted(lane or 'main' for lane in lanes)[:9])}"
        edits = self.editing[(at := bisect_left(self.editing, low)) : at + 9]
        names = list(dict.fromkeys(name for n in edits if n < high for name in self.units[n].names))[:3]
        paths = " ".join(map(self.name, names))
        places = first.place + f"-{last.place}" * (first.place != last.place)
        lane = f" {first.lane}" if first.lane and len(lanes) == 1 else ""
        return f"\n[{places}]{lane} {{{what}}}" + f" edits: {paths}" * bool(paths)

    def _show(self, part: _Part, room: int) -> tuple[str, int]:
        """What is shown of a part for which there is so much room, and how much of the log that tells."""
        if not isinstance(part.text, str):
            part.text = (f"{part.text.path}\n" if part.mark else "") + _diff(part.text)
        window = _MARGIN + (1 << room.bit_length())
        window = window if len(part.text) > 2 * window + _MARGIN else 0
        rows, size, widest = self.rows(part, window)
        told = part.size
        if not window and size <= room + 24:
            part.enough = min(part.enough, room)
        else:
            longest = max(60, room // 2)
            rows, left = _pick(*self.cut(part, window, longest if widest > longest else 0), room)
            told = min(told, room - left)
        shown, mark = "", part.mark
        for row in rows:
            if isinstance(row, int):
                shown += f"\n[{row:,} cut]"
            elif part.sort != "diffs":
                shown += f"\n{mark} {row}"
            else:
                # The end of a long line is marked as its beginning is.
                mark = row[0] if row[0] in "+-" else mark or "+"
                shown += f"\n{row}" if row[0] in "+-" else f"\n{mark}{row}"
        if part.sign is not None and rows and isinstance(rows[0], str):
            shown = part.sign + shown[2:]
        return shown, told

    def _rows(self, part: _Part, window: int) -> tuple[list[str | int], int, int]:
        """The lines of a part as they may be shown; how long they are together, and the longest."""
        rows = self._lines(str(part.text), window, part.telling)
        sizes = [len(str(row)) for row in rows]
        return rows, sum(sizes) + len(rows), max(sizes, default=0)

    def _cut(self, part: _Part, window: int, longest: int) -> tuple[list[str | int], list[int], list[int]]:
        """Lines of which none is longer, the order in which they say most, and how much is before each."""
        short: list[str | int] = []
        for row in self.rows(part, window)[0]:
            if longest and isinstance(row, str) and len(row) > longest:
                head = longest * 2 // 3 if longest > 160 and part.sort != "diffs" else longest
                short += [row[:head], len(row) - longest, *[row[head - longest :]] * (head < longest)]
            else:
                short.append(row)
        sizes = [row if isinstance(row, int) else len(row) + 1 for row in short]
        return short, _order(short, part.telling), list(accumulate(sizes, initial=0))

    def _lines(self, text: str, window: int, telling: bool) -> list[str | int]:
        """A text as clean lines. ``window``: how much of its beginning and of its end is looked at; 0: all of it."""
        if not window:
            return [line for row in self._clean(text).split("\n") if (line := row.rstrip())]
        # What is at the edge of a window may be a part of a secret, or the end of one whose name is not in it.
        head, tail = self._clean(text[:window])[: -_MARGIN // 2], self._clean(text[-window:])[_MARGIN // 2 :]
        head, tail = head[: head.rfind("\n") + 1] or head, tail[tail.find("\n") + 1 :]
        low, high, found = len(head), len(text) - len(tail), 0
        out: list[str | int] = [row.rstrip() for row in head.split("\n") if row.strip()]
        for match in _TELLING.finditer(text, window, len(text) - window) if telling else ():
            start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
            if found == 40:
                break
            if low < start < end < len(text) - window and end - start < 400:
                out += [start - low, *self._lines(text[start:end], 0, False)]
                low, found = end, found + 1
        return [*out, max(1, high - low), *(row.rstrip() for row in tail.split("\n") if row.strip())]

    def _clean(self, text: str) -> str:
        """A text of the log as it may be shown: nothing invisible, no secret, paths from the project's root."""
        text = block(text)
        if self.roots is not None:
            text = self.roots.sub(lambda found: "" if found[0].endswith("/") else ".", text)
        return mask(text, self._mask)

    def _mask(self, rule: str, value: str) -> str:
        marker = f"\x02masked {rule}\x03"
        # A value that is no word is one wherever it stands; none of ours is without blanks and brackets.
        if re.fullmatch(r"(?![a-z]+$)[^\s\[\]{}\x02\x03]{10,}", value):
            self.values[value] = marker
        return marker


def _pick(rows: list[str | int], order: list[int], before: list[int], room: int) -> tuple[list[str | int], int]:
    """The lines for which there is room, with what is left out between them; the room that is left."""
    keep: list[int] = []
    left = room
    for n in order:
        size = before[n + 1] - before[n]
        if size <= left or not keep:
            keep.append(n)
            left -= size
            if left < 20:
                break
    out: list[str | int] = []
    done = 0
    for n in (*sorted(keep), len(rows)):
        out += [before[n] - before[done]] * (n > done) + rows[n : n + 1]
        done = n + 1
    return out, left


# The lines of a part stay the same where more of it is looked at.
_tells, _names = lru_cache(1 << 14)(_TELLING.search), lru_cache(1 << 14)(_NAMING.search)


def _order(rows: list[str | int], telling: bool) -> list[int]:
    """The lines in the order in which they say most."""
    texts = [n for n, row in enumerate(rows) if isinstance(row, str)]
    if not telling:
        # Two from the beginning for each from the end.
        return list(dict.fromkeys(chain(*zip(texts[::2], [*texts[1::2], *texts[-1:]], texts[::-1], strict=False))))
    marked = [n for n in texts if _tells(str(rows[n]))]
    named = [n for n in marked if _names(str(rows[n]))]
    groups = named[:2], texts[-1:], marked[-2:], named[:12], marked[:12], texts[:-12:-1], marked, texts[::-1]
    return list(dict.fromkeys(chain(*groups)))
