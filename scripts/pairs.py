"""Two records of one run, compared: how much of what each of them says is said by the other.

    python scripts/pairs.py DIR [--misses]

Every directory in ``DIR`` has two logs of the same run (a stream and a persisted log, two formats of one session).
Edits, commits, test runs and episodes are aligned in their order. An edit is the same if it touches the same file, a
commit if it has the same subject, a test run if it has the same command, an episode if it begins with the same command.
Runs and episodes that are the same are then compared by outcome, where both records know one. Last come the flags and
weaknesses that the rules see in each record. ``--misses`` lists what differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from rigorbench.api import read
from rigorbench.bench.rigorscore.score import open_session
from rigorbench.evidence.events import AnyEvent, CommitEvent, EditEvent, EpisodeEvent, TestRunEvent
from rigorbench.evidence.facts import Evidence
from rigorbench.review.grades import review_session
from rigorbench.review.session import Session
from rigorbench.session.model import MAIN_LANE

KINDS: dict[str, type[AnyEvent]] = {
    "edits": EditEvent,
    "commits": CommitEvent,
    "test runs": TestRunEvent,
    "episodes": EpisodeEvent,
}
CHECKS = "checks"
OUTCOMES = {"test runs": "outcomes", "episodes": "resolutions"}
# Red is red: whether a run failed or could not start depends on how much of its output a record has.
RED = {"error": "failed"}


@dataclass
class Tally:
    """Said by both records, only by the first, only by the second; of outcomes, ``unknown`` to one of them."""

    both: int = 0
    first: int = 0
    second: int = 0
    unknown: int = 0


@dataclass
class Comparison:
    """What two records of one run say, by kind, and the differences in words."""

    tallies: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    differences: list[str] = field(default_factory=list)

    def add(self, other: Comparison, name: str) -> None:
        """Add the comparison of another pair, whose differences are listed under ``name``."""
        for kind, theirs in other.tallies.items():
            mine = self.tallies[kind]
            mine.both += theirs.both
            mine.first += theirs.first
            mine.second += theirs.second
            mine.unknown += theirs.unknown
        self.differences += [f"{name}: {line}" for line in other.differences]

    def add_checks(self, one: Set[str], other: Set[str]) -> None:
        """Compare what is held against the two records, by ids of checks."""
        tally = self.tallies[CHECKS]
        tally.both, tally.first, tally.second = len(one & other), len(one - other), len(other - one)
        self.differences += [f"{CHECKS}: only {which}: {id}" for which, id in self._only(one, other)]

    @staticmethod
    def _only(one: Set[str], other: Set[str]) -> list[tuple[str, str]]:
        return [*(("first", id) for id in sorted(one - other)), *(("second", id) for id in sorted(other - one))]

    def table(self) -> Iterator[str]:
        yield f"{'':12}{'both':>8}{'first':>8}{'second':>8}{'unknown':>9}"
        for kind in (*KINDS, *OUTCOMES.values(), CHECKS):
            t = self.tallies[kind]
            yield f"{kind:12}{t.both:8}{t.first:8}{t.second:8}{t.unknown:9}"


def compare(first: Evidence, second: Evidence) -> Comparison:
    """Compare the evidence of two records of one run, in the main lane."""
    found = Comparison()
    for kind, event_type in KINDS.items():
        one, other = ([e for e in _ordered(x) if isinstance(e, event_type)] for x in (first, second))
        _aligned(kind, one, other, [_key(e, first) for e in one], [_key(e, second) for e in other], found)
    return found


def _ordered(evidence: Evidence) -> list[AnyEvent]:
    """The events in their order, but edits between which nothing else happened by path: one call may make several."""
    events: list[AnyEvent] = []
    kinds = tuple(KINDS.values())
    compared = (e for e in evidence.events if isinstance(e, kinds) and e.lane == MAIN_LANE)
    for edits, group in groupby(compared, key=lambda e: isinstance(e, EditEvent)):
        found = list(group)
        events += sorted(found, key=lambda e: _key(e, evidence)) if edits else found
    return events


def _aligned(
    kind: str, one: Sequence[AnyEvent], other: Sequence[AnyEvent], keys: list[str], others: list[str], found: Comparison
) -> None:
    tally = found.tallies[kind]
    for tag, a, b, c, d in SequenceMatcher(None, keys, others, autojunk=False).get_opcodes():
        if tag == "equal":
            tally.both += b - a
            if kind in OUTCOMES:
                for mine, theirs in zip(one[a:b], other[c:d], strict=True):
                    _outcomes(OUTCOMES[kind], mine, theirs, found)
            continue
        tally.first += b - a
        tally.second += d - c
        found.differences += [f"{kind}: only first: {keys[i]} {_where(one[i])}" for i in range(a, b)]
        found.differences += [f"{kind}: only second: {others[i]} {_where(other[i])}" for i in range(c, d)]


def _outcomes(kind: str, mine: AnyEvent, theirs: AnyEvent, found: Comparison) -> None:
    one, other = _outcome(mine), _outcome(theirs)
    tally = found.tallies[kind]
    if one == other:
        tally.both += 1
        return
    if "unknown" in (one, other):
        tally.unknown += 1
    else:
        tally.first += 1
        tally.second += 1
    found.differences.append(f"{kind}: {one} {_where(mine)}, {other} {_where(theirs)}: {_command(mine)}")


def _outcome(event: AnyEvent) -> str:
    if isinstance(event, EpisodeEvent):
        return event.resolved
    assert isinstance(event, TestRunEvent)
    return RED.get(event.outcome, event.outcome)


def _command(event: AnyEvent) -> str:
    return " ".join(str(getattr(event, "command", getattr(event, "signature", ""))).split())[:160]


def _key(event: AnyEvent, evidence: Evidence) -> str:
    if isinstance(event, EditEvent):
        return event.new_path or event.path
    if isinstance(event, CommitEvent):
        return event.message.split("\n", 1)[0].strip()
    if isinstance(event, EpisodeEvent):
        opening = next((e for e in evidence.events if e.id in event.checks), event)
        return _command(opening)
    return _command(event)


def _where(event: AnyEvent) -> str:
    line = f" line {event.source.line}" if event.source.line is not None else ""
    return f"[step {event.step} call {event.call}{line}]"


def session_of(path: Path) -> Session:
    """The one session in a log."""
    return open_session(next(iter(read(path))))


def checks_of(session: Session) -> set[str]:
    """The ids of the checks that hold something against a session."""
    return {c.id for c in review_session(session).checks if c.severity in ("flag", "weak")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--misses", action="store_true", help="list what differs")
    options = parser.parse_args()
    whole, count = Comparison(), 0
    for directory in sorted(p for p in options.directory.iterdir() if p.is_dir()):
        logs = sorted(directory.iterdir())
        if len(logs) == 2:
            one, other = map(session_of, logs)
            found = compare(one.evidence, other.evidence)
            found.add_checks(checks_of(one), checks_of(other))
            whole.add(found, directory.name)
            count += 1
    lines = [f"{count} pairs", *whole.table(), *(whole.differences if options.misses else ())]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
