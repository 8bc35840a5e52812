"""What of the sessions is put to labellers: the cases of the judges, error episodes, and a sample over both."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ...evidence.events import AnyEvent, BuildEvent, EditEvent, EpisodeEvent, LintEvent, RunEvent, TestRunEvent
from ...evidence.facts import Evidence
from ...metrics.cases import cases
from ...metrics.session import Session
from ...panel.labels.model import LabelKind, Sheet
from ...panel.model import Excerpt
from ...trajectory.model import ToolCall
from ..session.diffs import diff
from ..session.places import call_places

_REQUEST, _OUTPUT, _DIFF, _CLOSING = 1_500, 2_500, 2_500, 1_200
# An episode with more edits and checks than this is shown by its beginning and its end.
_MOST_PARTS = 24


def sheets(session: Session) -> list[Sheet]:
    """Everything of a session that can be labelled. An episode that rigor did not see is not among it."""
    evidence = session.evidence
    trajectory = evidence.trajectory
    # A log without an id of its own is told apart by what its first steps say.
    name = trajectory.id or _hash(*(step.text for step in trajectory.steps[:3]))[:16]
    found = [
        Sheet(
            kind=case.kind,
            session=name,
            subject=case.subject,
            excerpts=case.excerpts,
            items=case.items,
            events=case.events,
            model=trajectory.model,
        )
        for case in cases(session)
    ]
    episodes = [e for e in evidence.events if isinstance(e, EpisodeEvent) and e.counts]
    return found + [_episode(evidence, e, name) for e in episodes]


def sample(found: Iterable[Sheet], number: int | None, seed: int) -> list[Sheet]:
    """``number`` sheets (None: all), each content once: kinds take turns, and within a kind sessions do.

    The same sheets, number and seed give the same sample, in whatever order the sheets come.
    """
    unique: dict[str, Sheet] = {}
    for sheet in found:
        unique.setdefault(sheet.digest, sheet)
    drawn = sorted(unique.values(), key=lambda s: _hash(seed, s.digest))
    kinds: dict[LabelKind, list[Sheet]] = defaultdict(list)
    for sheet in drawn:
        kinds[sheet.kind].append(sheet)
    turns = _in_turn([_in_turn(_groups(own)) for own in kinds.values()])
    return turns if number is None else turns[:number]


def shuffled(found: Iterable[Sheet], labeller: str, seed: int) -> list[Sheet]:
    """In the order of one labeller: random, yet the same again tomorrow and when cases are added."""
    return sorted(found, key=lambda s: _hash(seed, labeller, s.digest))


def _groups(own: Sequence[Sheet]) -> list[list[Sheet]]:
    sessions: dict[str, list[Sheet]] = defaultdict(list)
    for sheet in own:
        sessions[sheet.session].append(sheet)
    return list(sessions.values())


def _in_turn(groups: Sequence[Sequence[Sheet]]) -> list[Sheet]:
    longest = max((len(g) for g in groups), default=0)
    return [group[n] for n in range(longest) for group in groups if n < len(group)]


def _hash(*parts: object) -> str:
    return hashlib.sha256("\0".join(str(part) for part in parts).encode(errors="surrogatepass")).hexdigest()


def _episode(evidence: Evidence, episode: EpisodeEvent, session: str) -> Sheet:
    """The failing check, the edits and checks that followed, and the last words; outcomes are not told."""
    wanted = {*episode.checks, *(e for attempt in episode.attempt_edits for e in attempt)}
    events = [e for e in evidence.events if e.id in wanted]
    shown: list[AnyEvent | None] = [*events]
    if len(events) > _MOST_PARTS:
        shown = [*events[: _MOST_PARTS // 2], None, *events[-_MOST_PARTS // 2 :]]
    calls = _calls(evidence)
    excerpts = [Excerpt("what the user asked for", _cut(evidence.prompt.text, _REQUEST))]
    for event in shown:
        if event is None:
            left = f"{len(events) - _MOST_PARTS} edits and checks between"
            excerpts.append(Excerpt("left out", left, untrusted=False))
        elif isinstance(event, EditEvent):
            excerpts.append(Excerpt("edit", _diff(evidence, event)))
        elif isinstance(event, TestRunEvent | BuildEvent | LintEvent | RunEvent):
            call = calls.get((event.lane, event.call))
            output = call.result.text if call is not None and call.result is not None else ""
            excerpts.append(Excerpt("check", f"$ {_cut(event.command, 600)}\n{_cut(output, _OUTPUT)}"))
    if evidence.closing:
        excerpts.append(Excerpt("the agent's last message", _cut(evidence.closing, _CLOSING)))
    return Sheet(
        kind="episode",
        session=session,
        subject=episode.id,
        excerpts=tuple(excerpts),
        events=(episode.id, *(e.id for e in events)),
        model=evidence.trajectory.model,
        found={"error": True, "resolved": episode.resolved, "attempts": min(5, episode.attempts)},
    )


def _calls(evidence: Evidence) -> dict[tuple[str, int | None], ToolCall]:
    steps = evidence.trajectory.steps
    return {
        (lane, number): steps[step].calls[call]
        for (lane, number), (step, call) in call_places(evidence.trajectory).items()
        if call is not None
    }


def _diff(evidence: Evidence, event: EditEvent) -> str:
    facts = evidence.edits.get(event.id)
    if facts is None:
        return f"{event.operation} {event.path}"
    made = diff(facts.change, _DIFF)
    body = "".join(run.text for run in made.runs)
    left = f"... {made.cut} more lines\n" if made.cut else ""
    return f"{event.operation} {made.title}\n{body}{left}"


def _cut(text: str, limit: int) -> str:
    """At most about ``limit`` characters: the beginning and, since outcomes stand there, more of the end."""
    text = text.strip()
    if len(text) <= limit:
        return text
    head = limit // 3
    return f"{text[:head]}\n... {len(text) - limit:,} characters left out ...\n{text[head - limit :]}"
