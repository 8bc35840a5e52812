"""Agreement of rigor's events with the labels of independent readers, by kind of event and by format.

    python scripts/agreement.py DIR [--more LOGS] [--misses] [--json] [--facts | --keep TABLE | --against TABLE]

``DIR`` has ``labels/FILE.json`` and ``logs/FILE``; ``--more`` names a directory with further logs of these labels.
``--misses`` prints every disagreement. ``--keep`` stores the figures, ``--against`` fails if one is lower than stored.

An event and a label are the same if they have the same kind and the same place: the same call, or the same line (where
the call stands, or where it completed); of several, those with the same outcome first. A command that is the same may
be three calls away. A plan or a claim may be one call away, and a claim must have most of its words in common with the
label. An episode is the same if it starts within one call, or if at least half of both together is common to both.
Events of sub-agents are left out on both sides. What a reader called debatable is neither missed nor spurious.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from rapidfuzz import fuzz

from rigorbench.api import read
from rigorbench.evidence.events import (
    AnyEvent,
    BuildEvent,
    ClaimEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    LintEvent,
    PlanEvent,
    TestRunEvent,
)
from rigorbench.evidence.facts import Evidence
from rigorbench.evidence.walk.extract import extract
from rigorbench.session.model import Trajectory

KINDS = ("test runs", "builds and lints", "edits", "commits", "episodes", "plans", "claims")
SHARES = ("outcomes", "resolutions")
# Red is red: a run that failed and one that could not start are told apart by few readers alike.
RED = {"error": "failed"}
Label = dict[str, Any]
L = TypeVar("L")
E = TypeVar("E")


@dataclass
class Count:
    """Labels found, labels missed, and events that no label has."""

    right: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def precision(self) -> float | None:
        found = self.right + self.spurious
        return self.right / found if found else None

    @property
    def recall(self) -> float | None:
        labels = self.right + self.missed
        return self.right / labels if labels else None

    @property
    def f1(self) -> float | None:
        all_ = 2 * self.right + self.missed + self.spurious
        return 2 * self.right / all_ if all_ else None


@dataclass
class Share:
    """Of matched pairs, how many say the same."""

    same: int = 0
    n: int = 0

    @property
    def value(self) -> float | None:
        return self.same / self.n if self.n else None


@dataclass
class Figures:
    """All figures of one format."""

    counts: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    shares: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    sessions: int = 0

    def add(self, other: Figures) -> None:
        self.sessions += other.sessions
        for kind, count in other.counts.items():
            own = self.counts[kind]
            own.right += count.right
            own.missed += count.missed
            own.spurious += count.spurious
        for kind, share in other.shares.items():
            self.shares[kind].same += share.same
            self.shares[kind].n += share.n


@dataclass(frozen=True)
class Place:
    """Where an event or a label stands. ``lines``: any of them will do. ``call`` of a text: that of the next call."""

    call: int | None
    lines: frozenset[int]
    command: str = ""

    def same(self, other: Place) -> bool:
        return (self.call is not None and self.call == other.call) or bool(self.lines & other.lines)

    def near(self, other: Place, calls: int) -> bool:
        if self.same(other):
            return True
        if self.call is not None and other.call is not None and abs(self.call - other.call) <= calls:
            return True
        return any(abs(a - b) <= 1 for a in self.lines for b in other.lines)


class Calls:
    """The calls of the main lane: which one comes next after a text."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.before: list[int] = []
        # The line where a call completed, by the line where it stands.
        self.completed: dict[int, int] = {}
        total = 0
        for step in trajectory.steps:
            self.before.append(total)
            if step.lane == "main":
                total += len(step.calls)
            for call in step.calls:
                end = call.result.source if call.result is not None else None
                if call.source.line is not None and end is not None and end.line is not None:
                    self.completed[call.source.line] = end.line

    def place(self, event: AnyEvent) -> Place:
        call = event.call if event.call is not None else self.before[event.step]
        line = event.source.line
        lines = frozenset() if line is None else frozenset({line, self.completed.get(line, line)})
        return Place(call, lines, getattr(event, "command", ""))


def place_of(label: Label) -> Place:
    lines = {label.get(k) for k in ("line", "line_completed", "start_line", "result_line")} - {None}
    call = label.get("call")
    return Place(call if isinstance(call, int) else None, frozenset(lines), label.get("command") or "")


def main_lane(labels: Sequence[Label]) -> list[Label]:
    return [x for x in labels if (x.get("lane") or "main") == "main" and "sub_call" not in x]


def pairs(
    labels: Sequence[L], events: Sequence[E], *tests: Callable[[L, E], bool]
) -> tuple[list[tuple[L, E]], list[L], list[E]]:
    """Pair labels with events by the first test that holds, one test after the other; and what is left of both."""
    found: list[tuple[L, E]] = []
    left, rest = list(labels), list(events)
    for test in tests:
        for label in list(left):
            hit = next((e for e in rest if test(label, e)), None)
            if hit is not None:
                found.append((label, hit))
                left.remove(label)
                rest.remove(hit)
    return found, left, rest


class Session:
    """One labelled session: compares kind by kind, and remembers the disagreements."""

    def __init__(self, label: Label, evidence: Evidence) -> None:
        self.label, self.evidence = label, evidence
        self.calls = Calls(evidence.trajectory)
        self.events = [e for e in evidence.events if e.lane == "main"]
        self.figures = Figures(sessions=1)
        self.misses: list[str] = []

    def compare(self) -> None:
        self.checks("test runs", "test_runs", TestRunEvent)
        self.checks("builds and lints", "checks", BuildEvent, LintEvent)
        self.edits()
        self.simple("commits", CommitEvent)
        self.episodes()
        self.simple("plans", PlanEvent)
        self.claims()

    def _count(self, kind: str, right: int, missed: Sequence[Label], spurious: Sequence[AnyEvent]) -> None:
        count = self.figures.counts[kind]
        real = [x for x in missed if not x.get("debatable")]
        count.right += right
        count.missed += len(real)
        count.spurious += len(spurious)
        self.misses += [f"{kind}: missed {shown(x)}" for x in real]
        self.misses += [f"{kind}: spurious {shown_event(e)}" for e in spurious]

    def _same(self, kind: str, label: object, event: object, where: str) -> None:
        share = self.figures.shares[kind]
        share.n += 1
        share.same += label == event
        if label != event:
            self.misses.append(f"{kind}: {event}, label {label}: {where}")

    def checks(self, kind: str, key: str, *types: type[AnyEvent]) -> None:
        labels = [x for x in main_lane(self.label[key]) if x.get("kind") != "repro_script"]
        events = [e for e in self.events if isinstance(e, types)]

        def same_outcome(label: Label, event: AnyEvent) -> bool:
            return place_of(label).same(self.calls.place(event)) and red(label["outcome"]) == red(event.outcome)

        def same_place(label: Label, event: AnyEvent) -> bool:
            return place_of(label).same(self.calls.place(event))

        def same_line(label: Label, event: AnyEvent) -> bool:
            return same_outcome(label, event) and bool(place_of(label).lines & self.calls.place(event).lines)

        def same_command(label: Label, event: AnyEvent) -> bool:
            a, b = place_of(label), self.calls.place(event)
            return bool(a.command) and b.command in a.command and a.near(b, 3)

        found, missed, spurious = pairs(labels, events, same_line, same_outcome, same_place, same_command)
        self._count(kind, len(found), missed, spurious)
        for label, event in found:
            share = "outcomes" if kind == "test runs" else "outcomes of builds and lints"
            self._same(share, red(label["outcome"]), red(event.outcome), shown_event(event))

    def edits(self) -> None:
        labels = main_lane(self.label["edits"])
        kept = [e for e in self.events if isinstance(e, EditEvent)]

        def named(label: Label, event: EditEvent) -> bool:
            name = label["path"].rsplit("/", 1)[-1]
            return name in {p.rsplit("/", 1)[-1] for p in (event.path, event.new_path) if p}

        def at_line(label: Label, event: EditEvent) -> bool:
            return named(label, event) and bool(place_of(label).lines & self.calls.place(event).lines)

        def same(label: Label, event: EditEvent) -> bool:
            return named(label, event) and place_of(label).same(self.calls.place(event))

        found, missed, spurious = pairs(labels, kept, at_line, same)
        # Throwaway files of the agent's own, and what formatters write, are labelled by some readers only.
        facts = self.evidence.edits
        outside = [e for e in spurious if facts[e.id].scratch or facts[e.id].layout or not facts[e.id].in_root]
        self._count("edits", len(found), missed, [e for e in spurious if e not in outside])

    def simple(self, kind: str, type_: type[AnyEvent]) -> None:
        labels = main_lane(self.label[kind])
        events: list[Any] = [e for e in self.events if isinstance(e, type_)]
        if kind == "plans":
            events = longest(events)
        found, missed, spurious = pairs(
            labels,
            events,
            lambda label, event: place_of(label).same(self.calls.place(event)),
            lambda label, event: place_of(label).near(self.calls.place(event), 1),
        )
        self._count(kind, len(found), missed, spurious)

    def episodes(self) -> None:
        label = self.label
        events = [e for e in self.events if isinstance(e, EpisodeEvent) and e.counts]

        def span(x: Label) -> tuple[float, float]:
            start, end = place_of(x["start"]), place_of(x.get("end") or x["start"])
            low = self.call_of(start)
            return low, max(low, self.call_of(end))

        def same_start(x: Label, e: EpisodeEvent) -> bool:
            return abs(span(x)[0] - e.start_call) <= 1

        def overlap(x: Label, e: EpisodeEvent) -> bool:
            low, high = span(x)
            common = min(high, e.end_call) - max(low, e.start_call) + 1
            whole = max(high, e.end_call) - min(low, e.start_call) + 1
            return common / whole >= 0.5

        def both(x: Label, e: EpisodeEvent) -> bool:
            return same_start(x, e) and overlap(x, e)

        found, missed, spurious = pairs(label["episodes"], events, both, same_start, overlap)
        allowed = [*label.get("soft_episodes", []), *label.get("alternative_episodes", [])]
        _, _, spurious = pairs(allowed, spurious, same_start, overlap)
        self._count("episodes", len(found), missed, spurious)
        for x, e in found:
            self._same("resolutions", x["resolved"], e.resolved, shown_event(e))

    def call_of(self, place: Place) -> float:
        if place.call is not None:
            return place.call
        steps = self.evidence.trajectory.steps
        by_line = [(self.calls.before[n], s.source.line) for n, s in enumerate(steps) if s.source.line is not None]
        return next((float(c) for c, line in by_line if line >= min(place.lines, default=0)), -9.0)

    def claims(self) -> None:
        """Only claims that the reader calls unsupported count: few claims are, and these are what matters.

        A claim that is stale, partial or not shown accuses nobody: it may meet a label, and is spurious nowhere.
        """
        labels = [x for x in self.label["claims"] if not x["supported"]]
        events = [e for e in self.events if isinstance(e, ClaimEvent) and not e.supported_by]

        def same(x: Label, e: ClaimEvent) -> bool:
            return fuzz.token_set_ratio(x["text"].lower(), e.text.replace("`", "").lower()) >= 70

        found, missed, rest = pairs(labels, events, same)
        self._count("claims", len(found), missed, [e for e in rest if e.verdict == "contradicted"])


def longest(plans: Sequence[PlanEvent]) -> list[PlanEvent]:
    """A list that grows item by item is one plan, at the place where it begins."""
    kept: list[PlanEvent] = []
    items: set[str] = set()
    for plan in plans:
        if plan.origin != "tool" or not (items & set(plan.items)):
            kept.append(plan)
        items = set(plan.items)
    return kept


def red(outcome: str) -> str:
    return RED.get(outcome, outcome)


def shown(label: Label) -> str:
    return json.dumps({k: v for k, v in label.items() if k not in ("note", "attempts_detail")}, ensure_ascii=False)[
        :220
    ]


def shown_event(event: AnyEvent) -> str:
    what = next(
        (
            str(getattr(event, k))
            for k in ("command", "path", "signature", "text", "message", "items")
            if hasattr(event, k)
        ),
        "",
    )
    return f"{event.id} call {event.call} line {event.source.line} {what[:140]!r}"


def labelled(directory: Path, more: Path | None) -> Iterator[tuple[Label, Trajectory]]:
    for path in sorted((directory / "labels").glob("*.json")):
        name = path.name.removesuffix(".json")
        log = next((d / name for d in (directory / "logs", *([more] if more else [])) if (d / name).is_file()), None)
        if log is not None:
            trajectory = read(log)
            yield json.loads(path.read_text()), trajectory[0] if isinstance(trajectory, list) else trajectory


def measured(directory: Path, more: Path | None, miss: Callable[[str], None]) -> dict[str, Figures]:
    """Figures by format, and of "all"."""
    by: dict[str, Figures] = defaultdict(Figures)
    for label, trajectory in labelled(directory, more):
        session = Session(label, extract(trajectory))
        session.compare()
        for line in session.misses:
            miss(f"{label['file'][:10]}  {line}")
        by[label["format"]].add(session.figures)
        by["all"].add(session.figures)
    return {k: by[k] for k in sorted(by, key=lambda k: (k == "all", k))}


def as_json(figures: dict[str, Figures]) -> dict[str, Any]:
    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 3)

    return {
        name: {
            "sessions": f.sessions,
            **{
                kind: {
                    "f1": rounded(c.f1),
                    "precision": rounded(c.precision),
                    "recall": rounded(c.recall),
                    "labels": c.right + c.missed,
                }
                for kind, c in sorted(f.counts.items())
            },
            **{kind: {"same": rounded(s.value), "n": s.n} for kind, s in sorted(f.shares.items())},
        }
        for name, f in figures.items()
    }


def table(figures: dict[str, Figures]) -> str:
    def number(value: float | None) -> str:
        return "    -" if value is None else f"{value:5.2f}"

    lines = []
    for name, f in figures.items():
        lines.append(f"{name} ({f.sessions} {'session' if f.sessions == 1 else 'sessions'})")
        lines.append(f"  {'':18} {'labels':>6} {'found':>6} {'missed':>6} {'spurious':>8}  prec.   rec.     F1")
        for kind in KINDS:
            c = f.counts[kind]
            title = "unsupported claims" if kind == "claims" else kind
            row = f"  {title:18} {c.right + c.missed:>6} {c.right:>6} {c.missed:>6} {c.spurious:>8}"
            lines.append(f"{row}  {number(c.precision)}  {number(c.recall)}  {number(c.f1)}")
        lines += [f"  {kind:28} {s.same} of {s.n} alike {number(s.value)}" for kind, s in sorted(f.shares.items())]
    return "\n".join(lines) + "\n"


def drops(now: dict[str, Any], stored: dict[str, Any]) -> list[str]:
    """What is lower than stored, over all formats. Sessions that are missing here make the two incomparable."""
    a, b = now["all"], stored["all"]
    if a["sessions"] != b["sessions"]:
        return [f"{a['sessions']} sessions, the table is of {b['sessions']}"]
    found = []
    for kind, old in b.items():
        for key in ("f1", "same"):
            if kind != "sessions" and key in old and old[key] is not None and (a[kind][key] or 0) < old[key]:
                found.append(f"{kind}: {a[kind][key]}, stored {old[key]}")
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--more", type=Path)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--facts", action="store_true", help="facts and checks instead of events")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args(arguments)

    def miss(line: str) -> None:
        if options.misses:
            sys.stderr.write(line + "\n")

    if options.facts:
        import fact_agreement

        found = fact_agreement.document(options.directory, labelled(options.directory, options.more))
        sys.stdout.write(json.dumps(found, indent=1) + "\n" if options.json else fact_agreement.table(found, miss))
        return 0
    figures = measured(options.directory, options.more, miss)
    document = as_json(figures)
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else table(figures))
    if options.keep:
        options.keep.write_text(json.dumps(document, indent=1) + "\n")
    if options.against:
        lower = drops(document, json.loads(options.against.read_text()))
        sys.stderr.writelines(f"lower than stored: {line}\n" for line in lower)
        return 1 if lower else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
